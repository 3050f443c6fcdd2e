//! Segments against boxes.

use super::BroadPhaseError;
use impinge_core::bounds::Aabb;
use impinge_core::math::DVec3;

/// A segment between two finite points, as thick as a box where that is asked for.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Segment {
    start: DVec3,
    end: DVec3,
    /// One over the direction along each axis; 0 where that says nothing: across the axis, or where it is no finite number.
    inverse: DVec3,
    /// Half of the edges of the box that is moved along the segment.
    half: DVec3,
}

impl Segment {
    /// The segment from `start` to `end`, which may be the same point.
    pub fn new(start: DVec3, end: DVec3) -> Result<Segment, BroadPhaseError> {
        if !(start.is_finite() && end.is_finite()) {
            return Err(BroadPhaseError::SegmentNotFinite);
        }
        let inverse = (end - start).map(|speed| if speed == 0.0 { 0.0 } else { 1.0 / speed });
        let inverse = inverse.map(|inverse| if inverse.is_finite() { inverse } else { 0.0 });
        Ok(Segment { start, end, inverse, half: DVec3::ZERO })
    }

    /// The segment that a box of these half sizes is moved along.
    pub(crate) fn thick(self, half: DVec3) -> Segment {
        Segment { half, ..self }
    }

    /// The box around the segment.
    pub fn bounds(&self) -> Aabb {
        Aabb { min: self.start.min(self.end) - self.half, max: self.start.max(self.end) + self.half }
    }

    /// Whether the segment touches the box, up to rounding: never false where it does, and true where it does not only
    /// if it passes within some roundings of the coordinates.
    pub fn may_touch(&self, bounds: &Aabb) -> bool {
        self.touches_from(bounds).is_some()
    }

    /// The part of the segment before which it does not touch the box, rounded down; `None` where it never does.
    pub(crate) fn touches_from(&self, bounds: &Aabb) -> Option<f64> {
        let (low, high) = (bounds.min - self.half, bounds.max + self.half);
        let (least, most) = (self.start.min(self.end), self.start.max(self.end));
        if !(low.cmple(most) & least.cmple(high)).all() {
            return None;
        }
        // The part of the segment between the two sides of each slab: 0 times what is parallel to it, and within it as the boxes overlap.
        let (one, other) = ((low - self.start) * self.inverse, (high - self.start) * self.inverse);
        let (enter, leave) = (one.min(other), one.max(other));
        // Difference, direction, its inverse and the product are rounded once each; a product may also underflow.
        let enter = enter - enter.abs() * SLACK - DVec3::splat(f64::MIN_POSITIVE);
        let leave = leave + leave.abs() * SLACK + DVec3::splat(f64::MIN_POSITIVE);
        let leave = DVec3::select(self.inverse.cmpeq(DVec3::ZERO), DVec3::ONE, leave);
        let (from, to) = (enter.max_element().max(0.0), leave.min_element().min(1.0));
        (from <= to).then_some(from)
    }
}

/// A segment in `f32` from an origin, with all lengths doubled.
#[derive(Clone, Copy, Debug)]
pub(super) struct Diagonal {
    pub(super) middle: [f32; 3],
    /// From one end to the other: half of it doubled.
    pub(super) way: [f32; 3],
    /// The edges of the box that is moved along.
    pub(super) thickness: [f32; 3],
    /// No coordinate of anything of the segment is larger.
    pub(super) size: f32,
}

impl Segment {
    /// The segment from an origin; none where it is a point, or too long or too short for quick comparisons.
    pub(super) fn diagonal(&self, origin: DVec3) -> Option<Diagonal> {
        const RANGE: std::ops::Range<f64> = 1e-12..1e12;
        let (start, end) = (self.start - origin, self.end - origin);
        let way = self.end - self.start;
        let thickness = 2.0 * self.half;
        let size = (start.abs().max(end.abs()) + thickness).element_sum();
        let in_f32 = |v: DVec3| v.to_array().map(|x| x as f32);
        // False for NaN.
        let is_plain = RANGE.contains(&size) && RANGE.contains(&way.abs().max_element());
        is_plain.then(|| Diagonal {
            middle: in_f32(start + end),
            way: in_f32(way),
            thickness: in_f32(thickness),
            size: size as f32,
        })
    }
}

const SLACK: f64 = 4.0 * f64::EPSILON;
