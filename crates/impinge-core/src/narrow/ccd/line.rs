//! Two triangles of which one moves along a line: how long they surely stay apart, without their closest points.
//!
//! They never meet where their shadows along the velocity are apart. Otherwise the velocity is a ray against the Minkowski difference of
//! the two, and each of its facets says until when, and from when on, they are apart.

use crate::math::DVec3;

/// The time up to which a triangle that moves along a line is surely farther than `level` from one that stands still, at least `from`; none
/// where that is so for all times between two. `level` includes what rounding may do.
#[inline]
pub(super) fn apart_until(
    [moving, still]: [&[DVec3; 3]; 2],
    velocity: DVec3,
    level: f64,
    [from, to]: [f64; 2],
) -> Option<f64> {
    let origin = still[0];
    let moving = [moving[0] - origin, moving[1] - origin, moving[2] - origin];
    let still = [DVec3::ZERO, still[1] - origin, still[2] - origin];
    if middles_are_apart(&moving, &still, velocity, level, [from, to])
        || shadows_are_apart(&moving, &still, velocity, level)
    {
        return None;
    }
    let edges = |[a, b, c]: [DVec3; 3]| [b - a, c - b, a - c];
    let (first, second) = (edges(moving), edges(still));
    let mut apart = Apart { moving, still, velocity, level, until: from, again: f64::INFINITY };
    let mut is_over = |normal: DVec3| {
        apart.look_along(normal);
        apart.until > to || apart.until > apart.again || apart.again < from
    };
    if is_over(second[0].cross(second[1])) || is_over(first[0].cross(first[1])) {
        return None;
    }
    for u in first {
        for v in second {
            if is_over(u.cross(v)) {
                return None;
            }
        }
    }
    Some(apart.until)
}

/// What is known of when two triangles are apart.
struct Apart {
    moving: [DVec3; 3],
    still: [DVec3; 3],
    velocity: DVec3,
    level: f64,
    /// Until this time they are apart, and from the other on they are again.
    until: f64,
    again: f64,
}

impl Apart {
    /// Learns when the two are apart along a direction, both ways.
    #[inline]
    fn look_along(&mut self, normal: DVec3) {
        let speed = normal.dot(self.velocity);
        let [a, b, c] = self.moving.map(|corner| normal.dot(corner));
        let [d, e, f] = self.still.map(|corner| normal.dot(corner));
        // As the direction is turned so that the moving one comes from above.
        let (ahead, behind) = if speed < 0.0 {
            (a.min(b).min(c) - d.max(e).max(f), d.min(e).min(f) - a.max(b).max(c))
        } else {
            (d.min(e).min(f) - a.max(b).max(c), a.min(b).min(c) - d.max(e).max(f))
        };
        let level = self.level * normal.length();
        let inverse = 1.0 / speed.abs();
        // Comparisons with NaN, of directions that nothing moves along, are false.
        let (until, again) = ((ahead - level) * inverse, (level - behind) * inverse);
        if until > self.until {
            self.until = until;
        }
        if again < self.again {
            self.again = again;
        }
    }
}

/// Whether two triangles are farther than `level` apart between two times, as the direction across the velocity shows that leads from the one's middle to the
/// other's: a first look that costs little.
#[inline]
pub(super) fn middles_are_apart(
    moving: &[DVec3; 3],
    still: &[DVec3; 3],
    velocity: DVec3,
    level: f64,
    [from, to]: [f64; 2],
) -> bool {
    let between = (moving[0] + moving[1] + moving[2]) - (still[0] + still[1] + still[2]);
    let across = between * velocity.length_squared() - velocity * velocity.dot(between);
    let height = |corner: &DVec3| across.dot(*corner - still[0]);
    let least = height(&moving[0]).min(height(&moving[1])).min(height(&moving[2]));
    let most = height(&still[1]).max(height(&still[2])).max(0.0);
    // Across the velocity heights do not change, but for rounding.
    let speed = across.dot(velocity);
    let gap = least - most + (speed * from).min(speed * to);
    gap > 0.0 && gap * gap > level * level * across.length_squared()
}

/// Whether the shadows of two triangles along a velocity are farther than `level` apart, as some edge of them shows.
#[inline]
fn shadows_are_apart(moving: &[DVec3; 3], still: &[DVec3; 3], velocity: DVec3, level: f64) -> bool {
    let size = velocity.abs();
    let axes = if size.x >= size.y && size.x >= size.z {
        [1, 2, 0]
    } else if size.y >= size.z {
        [2, 0, 1]
    } else {
        [0, 1, 2]
    };
    let along = DVec3::new(velocity[axes[0]], velocity[axes[1]], velocity[axes[2]]);
    // Infinite or NaN for what does not move: then nothing is shown.
    let slope = [along.x / along.z, along.y / along.z];
    let shadow = |corner: &DVec3| {
        let z = corner[axes[2]];
        [corner[axes[0]] - slope[0] * z, corner[axes[1]] - slope[1] * z]
    };
    let [a, b] = [
        [shadow(&moving[0]), shadow(&moving[1]), shadow(&moving[2])],
        [shadow(&still[0]), shadow(&still[1]), shadow(&still[2])],
    ];
    let squared = level * level;
    edge_parts(&a, &b, slope, squared) || edge_parts(&b, &a, slope, squared)
}

/// Whether an edge of the first shadow keeps the second away by more than a level, which is given squared.
#[inline]
fn edge_parts(own: &[[f64; 2]; 3], other: &[[f64; 2]; 3], slope: [f64; 2], level_squared: f64) -> bool {
    for i in 0..3 {
        let (start, end, third) = (own[i], own[(i + 1) % 3], own[(i + 2) % 3]);
        let (x, y) = (end[0] - start[0], end[1] - start[1]);
        let height = |point: [f64; 2]| x * (point[1] - start[1]) - y * (point[0] - start[0]);
        let inside = height(third);
        let [a, b, c] = [height(other[0]), height(other[1]), height(other[2])];
        // One of them is negative.
        let above = a.min(b).min(c) - inside.max(0.0);
        let below = inside.min(0.0) - a.max(b).max(c);
        let gap = above.max(below);
        // Heights are measured in lengths of the direction in space that is perpendicular to the velocity and to the edge.
        let across = y * slope[0] - x * slope[1];
        if gap > 0.0 && gap * gap > level_squared * (x * x + y * y + across * across) {
            return true;
        }
    }
    false
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::narrow::ccd::test_pairs::Random;
    use crate::narrow::distance::triangles;

    #[test]
    fn triangles_are_apart_as_long_as_is_said() {
        let random = &mut Random(1);
        let (mut far, mut known) = (0, 0);
        for case in 0..6_000 {
            let (moving, still) = (random.triangle(), random.triangle());
            let velocity = if case % 50 == 0 { DVec3::ZERO } else { random.corner() };
            let level = [0.01, 0.3][case % 2];
            let until = apart_until([&moving, &still], velocity, level, [0.25, 2.0]);
            let distance =
                |time: f64| triangles(&moving.map(|corner| corner + velocity * time), &still).squared.sqrt();
            let least = |from: f64, to: f64| {
                (0..=40).map(|i| distance(from + (to - from) * f64::from(i) / 40.0)).fold(9.0, f64::min)
            };
            let end = until.unwrap_or(2.0);
            assert!((0.25..=2.0).contains(&end));
            if end > 0.25 {
                assert!(least(0.25, end) >= level - 1e-9, "{moving:?} {still:?} {velocity} {until:?}");
            }
            if least(0.25, 2.0) > level + 0.5 {
                (far, known) = (far + 1, known + u32::from(until.is_none()));
            }
        }
        // It says nothing of a few that are apart at their corners.
        assert!(far > 1_000 && known * 100 > far * 95, "{known} of {far}");
    }
}
