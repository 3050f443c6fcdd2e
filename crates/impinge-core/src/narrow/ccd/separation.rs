//! The separation of two triangles: their distance, and a separating axis that shows it.

use crate::math::DVec3;
use crate::narrow::distance::{Closest, Place, closest_at, triangles};

/// The distance of two triangles that do not cross, and a direction along which they are that far apart.
#[derive(Clone, Copy, Debug)]
pub struct Separation {
    /// The distance of the closest points.
    pub distance: f64,
    /// The closest points, the moving triangle's first.
    pub points: [DVec3; 2],
    /// The features that the points lie on.
    pub places: [Place; 2],
    /// The separating direction, of length 1 up to rounding, from the triangle that stands still to the moving one.
    pub normal: DVec3,
    /// The gap between the two along the normal: at most the distance, and equal to it but for rounding.
    pub gap: f64,
}

/// Squares of sines below this make two edges parallel: their cross product is mostly rounding.
const PARALLEL: f64 = 1.0 / (1_u64 << 50) as f64;

/// The gap between two triangles along a direction of length 1: negative where they overlap there. Products are taken from `origin`.
#[inline]
pub fn gap_along(normal: DVec3, moving: &[DVec3; 3], still: &[DVec3; 3], origin: DVec3) -> f64 {
    let [a, b, c] = moving.map(|point| normal.dot(point - origin));
    let [d, e, f] = still.map(|point| normal.dot(point - origin));
    a.min(b).min(c) - d.max(e).max(f)
}

/// The closest points of two triangles, and a direction that keeps them apart; `tolerance` is what rounding may cost.
#[inline]
pub fn separation(moving: &[DVec3; 3], still: &[DVec3; 3], tolerance: f64) -> Separation {
    separation_of(&triangles(moving, still), moving, still, tolerance)
}

/// A direction that keeps two triangles apart whose closest points are known.
#[inline]
pub fn separation_of(
    closest: &Closest,
    moving: &[DVec3; 3],
    still: &[DVec3; 3],
    tolerance: f64,
) -> Separation {
    let towards = -closest.offset;
    let mut best = Separation::along_features(closest, moving, still);
    if best.gap < best.distance - tolerance {
        best.search(moving, still, towards);
    }
    best
}

/// A direction that keeps two triangles apart which were closest at these features a little earlier, if it shows that they still are; `tolerance` is what
/// rounding may cost.
#[inline]
pub(super) fn separation_at(
    places: [Place; 2],
    moving: &[DVec3; 3],
    still: &[DVec3; 3],
    tolerance: f64,
) -> Option<Separation> {
    let found = Separation::along_features(&closest_at(places, moving, still)?, moving, still);
    (found.gap >= found.distance - tolerance).then_some(found)
}

/// The product of two edges, of length 1; none where they are parallel.
#[inline]
fn cross(u: DVec3, v: DVec3) -> Option<DVec3> {
    let product = u.cross(v);
    let squared = product.length_squared();
    (squared > PARALLEL * u.length_squared() * v.length_squared()).then(|| product / squared.sqrt())
}

impl Separation {
    /// What the direction shows that goes with the features of the closest points.
    #[inline]
    fn along_features(closest: &Closest, moving: &[DVec3; 3], still: &[DVec3; 3]) -> Separation {
        let mut best = Separation {
            distance: closest.squared.sqrt(),
            points: closest.points,
            places: closest.places,
            normal: DVec3::Z,
            gap: f64::NEG_INFINITY,
        };
        let towards = -closest.offset;
        // The normal of the features is more exact than the way between two points that are close together.
        let edge = |triangle: &[DVec3; 3], i: u8| triangle[(i as usize + 1) % 3] - triangle[i as usize];
        let across = match closest.places {
            [Place::Corner(_), Place::Inside] => cross(edge(still, 0), edge(still, 1)),
            [Place::Inside, Place::Corner(_)] => cross(edge(moving, 0), edge(moving, 1)),
            [Place::Edge(i), Place::Edge(j)] => cross(edge(moving, i), edge(still, j)),
            _ => None,
        };
        let first = across.or_else(|| towards.try_normalize());
        if let Some(normal) = first {
            best.offer(if normal.dot(towards) < 0.0 { -normal } else { normal }, moving, still);
        }
        best
    }

    /// Keeps a direction, if the two are farther apart along it.
    #[inline]
    fn offer(&mut self, normal: DVec3, moving: &[DVec3; 3], still: &[DVec3; 3]) {
        let gap = gap_along(normal, moving, still, self.points[1]);
        if gap > self.gap {
            (self.normal, self.gap) = (normal, gap);
        }
    }

    /// Tries all directions that can be the one: the way between the closest points made perpendicular to each edge, for what rounding
    /// does to it where they are close, and the normals of all pairs of features.
    #[cold]
    fn search(&mut self, moving: &[DVec3; 3], still: &[DVec3; 3], towards: DVec3) {
        if let Some(direct) = towards.try_normalize() {
            self.offer(direct, moving, still);
            for triangle in [moving, still] {
                for i in 0..3 {
                    let Some(along) = (triangle[(i + 1) % 3] - triangle[i]).try_normalize() else { continue };
                    let straight = direct - along * along.dot(direct);
                    if let Some(straight) = straight.try_normalize() {
                        // Once more, for what the first left.
                        let straight = straight - along * along.dot(straight);
                        self.offer(straight.normalize(), moving, still);
                    }
                }
            }
        }
        for_each_normal(moving, still, |normal| {
            self.offer(normal, moving, still);
            self.offer(-normal, moving, still);
        });
    }
}

/// Calls `visit` with the normals of the faces, of all pairs of edges and, within the planes of both triangles, of all edges: among these
/// and their opposites are all directions of the facets of the difference of two triangles.
fn for_each_normal(moving: &[DVec3; 3], still: &[DVec3; 3], mut visit: impl FnMut(DVec3)) {
    let edges = |triangle: &[DVec3; 3]| {
        let [a, b, c] = *triangle;
        [b - a, c - b, a - c]
    };
    let (first, second) = (edges(moving), edges(still));
    for sides in [&first, &second] {
        let Some(normal) = cross(sides[0], sides[1]) else { continue };
        visit(normal);
        for side in sides {
            if let Some(inward) = normal.cross(*side).try_normalize() {
                visit(inward);
            }
        }
    }
    for u in first {
        for v in second {
            if let Some(normal) = cross(u, v) {
                visit(normal);
            }
        }
    }
    // What has no area has no normal of its own: away along its sides.
    for side in first.into_iter().chain(second) {
        if let Some(along) = side.try_normalize() {
            visit(along);
        }
    }
}

/// Calls `visit` with the directions that keep two touching triangles apart, up to a `tolerance`: from the one that stands still to the
/// moving one. Rounded triangles touch where they are `radii` apart. `closest` are their closest points. Of two that lie flat against each other `are_apart` says that they do not touch yet: then only the side on which the moving one
/// is counts.
pub fn directions_at_contact(
    closest: &Closest,
    [moving, still]: [&[DVec3; 3]; 2],
    radii: f64,
    tolerance: f64,
    are_apart: bool,
    mut visit: impl FnMut(DVec3),
) {
    let origin = closest.points[1];
    if closest.squared > tolerance * tolerance {
        let found = separation_of(closest, moving, still, tolerance / 16.0);
        if found.gap >= radii - tolerance {
            visit(found.normal);
        }
    }
    for_each_normal(moving, still, |normal| {
        let gaps = [normal, -normal].map(|normal| gap_along(normal, moving, still, origin));
        for (i, normal) in [normal, -normal].into_iter().enumerate() {
            let is_behind = are_apart && gaps[i] < gaps[1 - i] && gaps[1 - i] >= radii;
            if gaps[i] >= radii - tolerance && !is_behind {
                visit(normal);
            }
        }
    });
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::narrow::ccd::test_pairs::Random;

    #[test]
    fn features_that_were_closest_tell_the_distance_where_they_still_are() {
        let random = &mut Random(4);
        let tolerance = 1e-12;
        let (mut same, mut changed) = (0, 0);
        for _ in 0..20_000 {
            let (moving, still) = (random.triangle(), random.triangle());
            let by = random.corner() * 0.05;
            let moved = moving.map(|corner| corner + by);
            let (before, now) = (triangles(&moving, &still), triangles(&moved, &still));
            match separation_at(before.places, &moved, &still, tolerance) {
                Some(found) => {
                    let distance = now.squared.sqrt();
                    assert!((found.distance - distance).abs() <= 2.0 * tolerance, "{moved:?} {still:?}");
                    assert!(found.gap <= distance + tolerance && found.gap >= distance - 2.0 * tolerance);
                    same += 1;
                }
                None => changed += 1,
            }
        }
        assert!(same > 4_000 && changed > 1_000, "{same} {changed}");
    }
}
