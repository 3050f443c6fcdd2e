//! Axis-aligned boxes.

use crate::math::{DAffine3, DVec3};

/// A box whose sides are parallel to the axes. Closed: boxes that share a boundary point overlap.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Aabb {
    /// The least coordinates.
    pub min: DVec3,
    /// The greatest coordinates.
    pub max: DVec3,
}

impl Aabb {
    /// The box of no points: it overlaps nothing, and merging it with a box gives that box.
    pub const EMPTY: Aabb = Aabb { min: DVec3::INFINITY, max: DVec3::NEG_INFINITY };

    /// The least box around `points`.
    pub fn around(points: impl IntoIterator<Item = DVec3>) -> Aabb {
        points.into_iter().fold(Aabb::EMPTY, Aabb::with_point)
    }

    /// The least box around this one and `point`.
    #[inline]
    #[must_use]
    pub fn with_point(self, point: DVec3) -> Aabb {
        Aabb { min: self.min.min(point), max: self.max.max(point) }
    }

    /// The least box around both.
    #[inline]
    #[must_use]
    pub fn merge(self, other: Aabb) -> Aabb {
        Aabb { min: self.min.min(other.min), max: self.max.max(other.max) }
    }

    /// Whether the two boxes share a point. Comparisons only, so the answer is exact.
    #[inline]
    pub fn overlaps(&self, other: &Aabb) -> bool {
        self.min.cmple(other.max).all() && other.min.cmple(self.max).all()
    }

    /// Whether `point` lies in the box or on its boundary.
    #[inline]
    pub fn contains(&self, point: DVec3) -> bool {
        self.min.cmple(point).all() && point.cmple(self.max).all()
    }

    /// Whether the box holds no point.
    #[inline]
    pub fn is_empty(&self) -> bool {
        self.min.cmpgt(self.max).any()
    }

    /// The lengths of the sides; meaningless for an empty box.
    #[inline]
    pub fn size(&self) -> DVec3 {
        self.max - self.min
    }

    /// The middle of the box; meaningless for an empty box.
    #[inline]
    pub fn centre(&self) -> DVec3 {
        // Halved before adding, so that a box from -1e308 to 1e308 has a finite middle.
        self.min * 0.5 + self.max * 0.5
    }

    /// The volume; 0 for an empty box. Rounded, and infinite where it exceeds the largest `f64`.
    #[inline]
    pub fn volume(&self) -> f64 {
        if self.is_empty() { 0.0 } else { self.size().element_product() }
    }

    /// The area of the surface; 0 for an empty box. Rounded, and infinite where it exceeds the largest `f64`.
    #[inline]
    pub fn area(&self) -> f64 {
        let size = self.size();
        if self.is_empty() { 0.0 } else { 2.0 * (size.x * size.y + size.y * size.z + size.z * size.x) }
    }

    /// A box around the image of this box under an affine map.
    ///
    /// Holds the image of every point of this box, both the exact one and the one that
    /// [`DAffine3::transform_point3`] computes, and exceeds the least such box by a few units in the last place of the
    /// largest term. Where the image leaves the range of `f64`, the box extends to infinity. An empty box stays empty.
    ///
    /// The signs of the matrix' entries tell which end of the box gives the least and which the greatest
    /// coordinate (paper 004 §3.2), so no corner is formed. The paper adds edges to the image of the least corner; here
    /// each end is summed like the image of a point, because rounding is monotone and so the computed ends bound
    /// every computed image.
    #[doc(alias = "transform")]
    #[must_use]
    pub fn image(&self, world_from_local: &DAffine3) -> Aabb {
        if self.is_empty() {
            return Aabb::EMPTY;
        }
        let linear = &world_from_local.matrix3;
        let translation = world_from_local.translation;
        let (x_low, x_high) = ends(linear.x_axis, self.min.x, self.max.x);
        let (y_low, y_high) = ends(linear.y_axis, self.min.y, self.max.y);
        let (z_low, z_high) = ends(linear.z_axis, self.min.z, self.max.z);
        // The order of `transform_point3`.
        let low = x_low + y_low + z_low + translation;
        let high = x_high + y_high + z_high + translation;

        // No term is larger than the farther end's.
        let farther = self.min.abs().max(self.max.abs());
        let magnitude = linear.x_axis.abs() * farther.x
            + linear.y_axis.abs() * farther.y
            + linear.z_axis.abs() * farther.z
            + translation.abs();
        let slack = magnitude * IMAGE_ROUNDING + DVec3::splat(IMAGE_UNDERFLOW);
        let image = Aabb { min: low - slack, max: high + slack };
        if image.min.is_finite() && image.max.is_finite() { image } else { image.with_nan_unbounded() }
    }

    /// The same box, with NaN replaced by what is always true. A bound becomes NaN where a term overflowed: the slack
    /// is infinite then, so no bound is ever infinite on the wrong side.
    #[cold]
    fn with_nan_unbounded(self) -> Aabb {
        let or = |unbounded: f64| move |bound: f64| if bound.is_nan() { unbounded } else { bound };
        Aabb { min: self.min.map(or(f64::NEG_INFINITY)), max: self.max.map(or(f64::INFINITY)) }
    }
}

/// How far the image of a box is widened, in multiples of the sum of the magnitudes of the terms: 8 roundings.
///
/// Each term passes through four roundings on its way into a coordinate, that is 4 units of 2⁻⁵³ of the sum;
/// the subtraction of the slack adds one, and the sum itself is rounded down by at most four parts in 2⁵³ of the rest.
const IMAGE_ROUNDING: f64 = 4.0 * f64::EPSILON;

/// What is added for products that underflow: three of them lose at most half of the least subnormal each, and the
/// slack's own product another half.
const IMAGE_UNDERFLOW: f64 = 4.0 * f64::from_bits(1);

/// A column times the end of an interval that gives the least product, and times the one that gives the greatest,
/// for each entry.
#[inline]
fn ends(column: DVec3, min: f64, max: f64) -> (DVec3, DVec3) {
    let upward = column.cmpge(DVec3::ZERO);
    let (min, max) = (DVec3::splat(min), DVec3::splat(max));
    (column * DVec3::select(upward, min, max), column * DVec3::select(upward, max, min))
}

#[cfg(test)]
mod tests;
