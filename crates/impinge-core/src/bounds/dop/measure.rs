//! Volume and surface of a DOP.
//!
//! Each side is what is left of its plane when all other half-spaces have cut it; no corner is ever matched with
//! another, so that redundant planes, flat polytopes and empty ones need no case of their own. The volume is the sum of
//! the pyramids from one point to the sides, whose heights carry signs: the point may lie anywhere.

use super::{Dop, directions};
use crate::math::DVec3;

/// Volume and area of the surface.
#[derive(Clone, Copy, Debug, Default)]
struct Measure {
    volume: f64,
    area: f64,
}

impl<const K: usize> Dop<K> {
    /// The volume; 0 for a flat or empty polytope. Off by some 1e-14 of the volume of the cube around it, infinite where
    /// it exceeds the largest `f64` or an offset is infinite.
    pub fn volume(&self) -> f64 {
        self.measure().volume
    }

    /// The area of the surface; 0 for an empty polytope, and both sides of a flat one. Rounded, and infinite where it
    /// exceeds the largest `f64` or an offset is infinite.
    pub fn area(&self) -> f64 {
        self.measure().area
    }

    /// The polytope that both share, which has the smaller of each two offsets. It may be empty with finite offsets.
    #[must_use]
    pub fn intersection(mut self, other: &Dop<K>) -> Dop<K> {
        for (own, other) in self.offsets.iter_mut().zip(other.offsets) {
            *own = own.min(other);
        }
        self
    }

    /// The corners of every side, in turn around it; none for a side that the others cut off. A flat polytope has two
    /// sides, and an empty or unbounded one none.
    pub fn sides(&self) -> [Vec<DVec3>; K] {
        let mut all = std::array::from_fn(|_| Vec::new());
        if let Some(centered) = Centered::of(self) {
            let to_world = |p: DVec3| (p + centered.middle).map(|c| libm::scalbn(c, centered.exponent));
            centered.for_each_side(|i, side| all[i] = side.iter().copied().map(to_world).collect());
        }
        all
    }

    fn measure(&self) -> Measure {
        let Some(centered) = Centered::of(self) else {
            let infinite = self.offsets.contains(&f64::INFINITY);
            let size = if infinite && !self.bounds().is_empty() { f64::INFINITY } else { 0.0 };
            return Measure { volume: size, area: size };
        };
        if K == 6 {
            let bounds = self.bounds();
            return Measure { volume: bounds.volume(), area: bounds.area() };
        }
        let mut sum = Measure::default();
        centered.for_each_side(|i, side| {
            // The normal is √1, √2 or √3 long.
            let normal = DVec3::from_array(const { directions::<K>() }[i]);
            let length = normal.length();
            let area = doubled_area(side).dot(normal).abs() / (2.0 * length);
            sum.area += area;
            sum.volume += area * (centered.offsets[i] / length) / 3.0;
        });
        let scaled =
            |value: f64, times: i32| (0..times).fold(value, |v, _| libm::scalbn(v, centered.exponent));
        Measure { volume: scaled(sum.volume.max(0.0), 3), area: scaled(sum.area, 2) }
    }
}

/// A polytope seen from about its middle, and scaled by a power of two: rounding is in proportion to its size then, not to
/// where it stands, and products stay in range.
struct Centered<const K: usize> {
    offsets: [f64; K],
    /// The origin of these offsets, scaled.
    middle: DVec3,
    exponent: i32,
}

impl<const K: usize> Centered<K> {
    /// None for a polytope with a slab that is empty or infinite.
    fn of(dop: &Dop<K>) -> Option<Centered<K>> {
        let half = K / 2;
        // Compared, not added, so that nothing overflows.
        if (0..half).any(|i| dop.offsets[i] < -dop.offsets[i + half]) {
            return None;
        }
        let largest = dop.offsets.iter().fold(0.0, |most: f64, offset| most.max(offset.abs()));
        if !largest.is_finite() {
            return None;
        }
        let exponent = if largest == 0.0 { 0 } else { libm::ilogb(largest) };
        let offsets = dop.offsets.map(|offset| libm::scalbn(offset, -exponent));
        let normals = const { directions::<K>() }.map(DVec3::from_array);
        // The point that is nearest to the middle of every slab. The directions are spread evenly, so that the sum of
        // their squares is a multiple of the identity and least squares need no matrix.
        let spread: f64 = normals[..half].iter().map(|normal| normal.x * normal.x).sum();
        let pull = |i: usize| normals[i] * (0.5 * (offsets[i] - offsets[i + half]));
        let middle = (0..half).map(pull).sum::<DVec3>() / spread;
        let offsets = std::array::from_fn(|i| offsets[i] - normals[i].dot(middle));
        Some(Centered { offsets, middle, exponent })
    }

    /// Calls `visit` with the number and the corners of every side that is left.
    fn for_each_side(&self, mut visit: impl FnMut(usize, &[DVec3])) {
        let offsets = &self.offsets;
        let normals = const { directions::<K>() }.map(DVec3::from_array);
        // Every axis is a direction or half the sum of two, so no coordinate of the polytope is larger.
        let reach = offsets.iter().fold(0.0, |most: f64, offset| most.max(offset.abs()));
        let (mut side, mut cut) = (Vec::with_capacity(K + 4), Vec::with_capacity(K + 4));
        for i in 0..K {
            square_in_plane(normals[i], offsets[i], 4.0 * reach, &mut side);
            for j in (0..K).filter(|&j| j != i && (j + K / 2) % K != i) {
                cut_by(normals[j], offsets[j], &side, &mut cut);
                std::mem::swap(&mut side, &mut cut);
                if side.is_empty() {
                    break;
                }
            }
            if !side.is_empty() {
                visit(i, &side);
            }
        }
    }
}

/// A square in the plane `normal · x = offset` around its point nearest to the origin.
fn square_in_plane(normal: DVec3, offset: f64, reach: f64, side: &mut Vec<DVec3>) {
    let foot = normal * (offset / normal.length_squared());
    let (u, v) = normal.normalize().any_orthonormal_pair();
    let (u, v) = (u * reach, v * reach);
    side.clear();
    side.extend([foot + u + v, foot - u + v, foot - u - v, foot + u - v]);
}

/// What of a convex polygon lies in the half-space `normal · x ≤ offset`.
fn cut_by(normal: DVec3, offset: f64, side: &[DVec3], cut: &mut Vec<DVec3>) {
    cut.clear();
    let height = |point: DVec3| normal.dot(point) - offset;
    let Some(mut before) = side.last().map(|&point| (point, height(point))) else { return };
    for &point in side {
        let here = (point, height(point));
        if (before.1 < 0.0 && here.1 > 0.0) || (before.1 > 0.0 && here.1 < 0.0) {
            cut.push(before.0 + (here.0 - before.0) * (before.1 / (before.1 - here.1)));
        }
        if here.1 <= 0.0 {
            cut.push(point);
        }
        before = here;
    }
}

/// Twice the area of a flat polygon, along its normal.
fn doubled_area(side: &[DVec3]) -> DVec3 {
    let Some(&first) = side.first() else { return DVec3::ZERO };
    side.windows(2).map(|edge| (edge[0] - first).cross(edge[1] - first)).sum()
}
