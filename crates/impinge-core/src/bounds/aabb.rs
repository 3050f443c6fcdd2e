//! Axis-aligned boxes.

use super::error::{VolumeError, VolumePart, check};
use crate::math::{DAffine3, DVec3, IntoPoint};

/// A box whose sides are parallel to the axes. Closed: boxes that share a boundary point overlap.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Deserialize, serde::Serialize))]
pub struct Aabb {
    /// The least coordinates.
    pub min: DVec3,
    /// The greatest coordinates.
    pub max: DVec3,
}

impl Aabb {
    /// The box of no points: it overlaps nothing, and merging it with a box gives that box.
    pub const EMPTY: Aabb = Aabb { min: DVec3::INFINITY, max: DVec3::NEG_INFINITY };

    /// The box between two corners, which may be the same but not the wrong way round.
    #[inline]
    pub fn new(min: impl IntoPoint, max: impl IntoPoint) -> Result<Aabb, VolumeError> {
        let (min, max) = (min.into_point(), max.into_point());
        check(&min.to_array(), f64::MAX, VolumePart::Min)?;
        check(&max.to_array(), f64::MAX, VolumePart::Max)?;
        match (0..3).find(|&axis| min[axis] > max[axis]) {
            Some(axis) => Err(VolumeError::EmptyBox { axis, min: min[axis], max: max[axis] }),
            None => Ok(Aabb { min, max }),
        }
    }

    /// The least box around `points`.
    #[inline]
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

    /// The square of the distance between the two boxes; 0 where they overlap. Rounded.
    #[inline]
    pub fn distance_squared(&self, other: &Aabb) -> f64 {
        let gaps = (other.min - self.max).max(self.min - other.max).max(DVec3::ZERO);
        gaps.length_squared()
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
    pub fn center(&self) -> DVec3 {
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
    /// [`DAffine3::transform_point3`] computes where that is finite, and exceeds the least such box by some 16 roundings
    /// of the largest term. Where the image leaves the range of `f64`, the box extends to infinity. An empty box stays empty.
    ///
    /// An edge of the box moves a coordinate up or down by the sign of a matrix entry (Maia et al. 2006, §3.2), so no corner is
    /// formed. The paper starts at the least corner and tests signs; here the middle is the start, from which every edge
    /// goes half its length both ways, so that magnitudes do without tests.
    #[doc(alias = "transform")]
    #[inline]
    #[must_use]
    pub fn image(&self, world_from_local: &DAffine3) -> Aabb {
        if self.is_empty() {
            return Aabb::EMPTY;
        }
        let linear = &world_from_local.matrix3;
        let center = self.center();
        let half = self.max * 0.5 - self.min * 0.5;
        // What rounding does to a term is proportional to the term, so it is added before the map, not after.
        let reach = half + (center.abs() + half) * IMAGE_ROUNDING + DVec3::splat(IMAGE_UNDERFLOW);
        let extent = linear.x_axis.abs() * reach.x
            + linear.y_axis.abs() * reach.y
            + linear.z_axis.abs() * reach.z
            + world_from_local.translation.abs() * IMAGE_ROUNDING
            + DVec3::splat(IMAGE_UNDERFLOW);
        let middle = world_from_local.transform_point3(center);
        let (min, max) = (middle - extent, middle + extent);
        let size = max - min;
        // False for what is no number. Three comparisons at once: a sum would wait for each of its terms.
        let is_finite = (size.x < f64::MAX) & (size.y < f64::MAX) & (size.z < f64::MAX);
        if is_finite { Aabb { min, max } } else { opened(middle, extent) }
    }
}

/// The box `middle ± extent`, with every bound that is not finite at infinity on its own side: an overflow or a NaN has
/// lost what the true bound is.
#[cold]
fn opened(middle: DVec3, extent: DVec3) -> Aabb {
    let or = |open: f64| move |bound: f64| if bound.is_finite() { bound } else { open };
    Aabb { min: (middle - extent).map(or(f64::NEG_INFINITY)), max: (middle + extent).map(or(f64::INFINITY)) }
}

/// How far the image of a box is widened, in multiples of the sum of the magnitudes of its terms: 16 roundings.
///
/// 11 are needed: 4 of each term on its way into the middle, 4 into the image of a point, 1 each of center, reach and
/// bound; those of the extent itself are in the rest. The count is in `docs/math/transform-semantics.md`.
const IMAGE_ROUNDING: f64 = 8.0 * f64::EPSILON;

/// An absolute padding, in the box's frame and in the image's, for halves and products that underflow.
///
/// Each loses at most half of the least subnormal, 5 halves there and 10 here, so far less would do. The least normal
/// number keeps the reach of flat boxes normal, and is lost in the rounding of all but the tiniest.
const IMAGE_UNDERFLOW: f64 = f64::MIN_POSITIVE;

#[cfg(test)]
mod tests;
