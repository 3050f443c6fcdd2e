//! Random triangles and paths for tests, many of them degenerate.

use super::path::RigidPath;
use crate::math::DVec3;

/// A generator of pseudo-random numbers.
pub(super) struct Random(pub(super) u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        self.0 >> 33
    }

    /// A point of a coarse grid, or next to one.
    pub(super) fn corner(&mut self) -> DVec3 {
        DVec3::from_array(std::array::from_fn(|_| {
            let coarse = (self.next() % 7) as f64 - 3.0;
            if self.next().is_multiple_of(3) { coarse + self.next() as f64 * 1e-10 } else { coarse }
        }))
    }

    /// A triangle: every eighth has two corners in one place, every sixteenth is a point.
    pub(super) fn triangle(&mut self) -> [DVec3; 3] {
        let [a, b, c] = [self.corner(), self.corner(), self.corner()];
        match self.next() % 16 {
            0 => [a; 3],
            1 | 2 => [a, b, b],
            _ => [a, a + (b - a) * 0.5, a + (c - a) * 0.5],
        }
    }

    /// A path that turns.
    pub(super) fn path(&mut self) -> RigidPath {
        let (velocity, center, axis) = (self.corner(), self.corner(), self.corner());
        let rate = 0.1 + (self.next() % 10) as f64 / 10.0;
        RigidPath { velocity, center, axis: axis.normalize_or(DVec3::X), rate, observer: None }
    }
}
