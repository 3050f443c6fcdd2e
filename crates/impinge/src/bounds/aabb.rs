//! Axis-aligned boxes.

use crate::math::DVec3;

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
}
