//! A triangle that moves on chords of its path, and whether it stays apart from another one meanwhile, without their closest points.

use super::observer::Rates;
use super::path::{Moment, RigidPath};
use crate::math::{DAffine3, DVec3};

/// The corners of a moving triangle at two times, and how far their paths deviate from the chords in between.
#[derive(Clone, Copy, Debug)]
pub struct Chords {
    /// The corners at the first time and at the second.
    pub ends: [[DVec3; 3]; 2],
    /// An upper bound of the deviation.
    pub bulge: f64,
}

/// Two times of a path between which triangles are looked at.
#[derive(Clone, Copy, Debug)]
pub struct Window {
    /// The times.
    pub times: [f64; 2],
    first: Moment,
    rates: Option<Rates>,
    /// The poses at both, of the frame of time 0.
    maps: [DAffine3; 2],
}

impl Window {
    /// The window of a path between two times.
    pub fn new(path: &RigidPath, times: [f64; 2]) -> Window {
        let (first, rates) = (path.moment(times[0]), path.rates());
        Window { times, first, rates, maps: times.map(|time| path.map(time)) }
    }

    /// The chords of a triangle that is at `corners` at time 0.
    #[inline]
    pub fn chords(&self, path: &RigidPath, corners: &[DVec3; 3]) -> Chords {
        let ends = self.maps.map(|map| corners.map(|corner| map.transform_point3(corner)));
        let time = self.times[1] - self.times[0];
        let rates = self.rates.as_ref();
        let bulge = |i: usize| path.bulge_at(corners[i], ends[0][i], &self.first, time, rates);
        Chords { ends, bulge: bulge(0).max(bulge(1)).max(bulge(2)) }
    }
}

impl Chords {
    /// Whether some directions show that the triangle stays farther than `level` from one that stands still. `level` includes what
    /// rounding may do.
    ///
    /// A direction may show it for a while only: until a time, or from a time on. Two of them that overlap show it for all times. Where one does so alone, it is
    /// told, from the triangle that stands still to the other.
    #[inline]
    pub fn stay_apart(&self, still: &[DVec3; 3], level: f64) -> (bool, Option<DVec3>) {
        let origin = still[0];
        let [starts, ends] = self.ends.map(|corners| corners.map(|corner| corner - origin));
        let still = still.map(|corner| corner - origin);
        let level = level + self.bulge;
        let mut apart = Apart { starts, ends, still, level, until: 0.0, again: 1.0, axis: None };
        let [a, b, c] = [0, 1, 2].map(|i| starts[i] + ends[i]);
        let [first, second] = [[b - a, c - b, a - c], [still[1], still[2] - still[1], -still[2]]];
        if apart.look_along(second[0].cross(second[1])) || apart.look_along(first[0].cross(first[1])) {
            return (true, apart.axis);
        }
        for u in first {
            for v in second {
                if apart.look_along(u.cross(v)) {
                    return (true, apart.axis);
                }
            }
        }
        (false, None)
    }
}

/// What is known of when two triangles are apart: times are parts of the chords.
struct Apart {
    starts: [DVec3; 3],
    ends: [DVec3; 3],
    still: [DVec3; 3],
    level: f64,
    until: f64,
    again: f64,
    /// A direction along which they always are.
    axis: Option<DVec3>,
}

impl Apart {
    /// Learns when the two are apart along a direction, either way. Returns whether they always are.
    #[inline]
    fn look_along(&mut self, normal: DVec3) -> bool {
        let range = |corners: &[DVec3; 3]| {
            let [a, b, c] = corners.map(|corner| normal.dot(corner));
            [a.min(b).min(c), a.max(b).max(c)]
        };
        let ([least, most], level) = (range(&self.still), self.level * normal.length());
        let [[low, high], [low_end, high_end]] = [range(&self.starts), range(&self.ends)];
        if self.learn(low - most - level, low_end - most - level) {
            self.axis = Some(normal);
        }
        if self.learn(least - high - level, least - high_end - level) {
            self.axis = Some(-normal);
        }
        self.until > self.again
    }

    /// Learns from gaps at the start and at the end. In between, the least of linear heights is not below its chord. Returns whether both are positive.
    #[inline]
    fn learn(&mut self, start: f64, end: f64) -> bool {
        if start > 0.0 {
            // More than 1 where both are positive.
            let until = if end > 0.0 { 2.0 } else { start / (start - end) };
            self.until = self.until.max(until);
        } else if end > 0.0 {
            self.again = self.again.min(start / (start - end));
        }
        start > 0.0 && end > 0.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::narrow::ccd::test_pairs::Random;
    use crate::narrow::distance::triangles;

    #[test]
    fn paths_keep_to_their_chords_and_triangles_apart() {
        let random = &mut Random(2);
        let (mut far, mut known) = (0, 0);
        for case in 0..6_000 {
            let (moving, still, path) = (random.triangle(), random.triangle(), random.path());
            let (from, length, level) = (0.5, [0.05, 0.4][case % 2], 0.1);
            let chords = Window::new(&path, [from, from + length]).chords(&path, &moving);
            let (is_apart, axis) = chords.stay_apart(&still, level);
            if let Some(axis) = axis {
                let height = |corner: &DVec3| axis.dot(*corner);
                let most = still.iter().map(height).fold(f64::NEG_INFINITY, f64::max);
                assert!(is_apart && chords.ends.iter().flatten().all(|corner| height(corner) > most));
            }
            let mut least = f64::INFINITY;
            for i in 0..=20 {
                let part = f64::from(i) / 20.0;
                let moment = path.moment(from + length * part);
                let moved = moving.map(|corner| path.place(corner, &moment));
                for (k, corner) in moved.iter().enumerate() {
                    let chord = chords.ends[0][k].lerp(chords.ends[1][k], part);
                    assert!(corner.distance(chord) <= chords.bulge + 1e-12, "{path:?}");
                }
                least = least.min(triangles(&moved, &still).squared.sqrt());
            }
            assert!(!is_apart || least >= level - 1e-9, "{moving:?} {still:?} {path:?} {least}");
            if least > level + 2.0 * chords.bulge + 0.5 {
                (far, known) = (far + 1, known + u32::from(is_apart));
            }
        }
        assert!(far > 1_000 && known * 100 > far * 95, "{known} of {far}");
    }
}
