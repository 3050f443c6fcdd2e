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

    fn measure(&self) -> Measure {
        let half = K / 2;
        // Comparing instead of adding, as `overlaps` does, so that nothing overflows.
        if (0..half).any(|i| self.offsets[i] < -self.offsets[i + half]) {
            return Measure::default();
        }
        let largest = self.offsets.iter().fold(0.0, |most: f64, offset| most.max(offset.abs()));
        if !largest.is_finite() {
            return Measure { volume: f64::INFINITY, area: f64::INFINITY };
        }
        if largest == 0.0 {
            return Measure::default();
        }
        // Powers of two, so that the numbers stay what they are and products stay in range.
        let exponent = libm::ilogb(largest);
        let offsets = centred(self.offsets.map(|offset| libm::scalbn(offset, -exponent)));
        let measure = sides(&offsets);
        let scaled = |value: f64, times: i32| (0..times).fold(value, |v, _| libm::scalbn(v, exponent));
        Measure { volume: scaled(measure.volume.max(0.0), 3), area: scaled(measure.area, 2) }
    }
}

/// The offsets seen from about the middle of the polytope: rounding is in proportion to its size then, not to where it
/// stands.
fn centred<const K: usize>(offsets: [f64; K]) -> [f64; K] {
    let half = K / 2;
    let normals = const { directions::<K>() }.map(DVec3::from_array);
    // The point that is nearest to the middle of every slab. The directions are spread evenly, so that the sum of their
    // squares is a multiple of the identity and least squares need no matrix.
    let spread: f64 = normals[..half].iter().map(|normal| normal.x * normal.x).sum();
    let pull = |i: usize| normals[i] * (0.5 * (offsets[i] - offsets[i + half]));
    let middle = (0..half).map(pull).sum::<DVec3>() / spread;
    std::array::from_fn(|i| offsets[i] - normals[i].dot(middle))
}

fn sides<const K: usize>(offsets: &[f64; K]) -> Measure {
    let normals = const { directions::<K>() }.map(DVec3::from_array);
    // Every axis is a direction or half the sum of two, so no coordinate of the polytope is larger.
    let reach = offsets.iter().fold(0.0, |most: f64, offset| most.max(offset.abs()));
    let (mut side, mut cut) = (Vec::with_capacity(K + 4), Vec::with_capacity(K + 4));
    let mut sum = Measure::default();
    for i in 0..K {
        square_in_plane(normals[i], offsets[i], 4.0 * reach, &mut side);
        for j in (0..K).filter(|&j| j != i && (j + K / 2) % K != i) {
            cut_by(normals[j], offsets[j], &side, &mut cut);
            std::mem::swap(&mut side, &mut cut);
            if side.is_empty() {
                break;
            }
        }
        // The normal is √1, √2 or √3 long.
        let length = normals[i].length();
        let area = doubled_area(&side).dot(normals[i]).abs() / (2.0 * length);
        sum.area += area;
        sum.volume += area * (offsets[i] / length) / 3.0;
    }
    sum
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
