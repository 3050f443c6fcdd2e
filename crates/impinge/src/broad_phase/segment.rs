//! Segments against boxes.

use super::BroadPhaseError;
use impinge_core::bounds::Aabb;
use impinge_core::math::DVec3;

/// A segment between two finite points.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Segment {
    start: DVec3,
    end: DVec3,
    direction: DVec3,
}

impl Segment {
    /// The segment from `start` to `end`, which may be the same point.
    pub fn new(start: DVec3, end: DVec3) -> Result<Segment, BroadPhaseError> {
        if !(start.is_finite() && end.is_finite()) {
            return Err(BroadPhaseError::SegmentNotFinite);
        }
        Ok(Segment { start, end, direction: end - start })
    }

    /// The box around the segment.
    pub fn bounds(&self) -> Aabb {
        Aabb { min: self.start.min(self.end), max: self.start.max(self.end) }
    }

    /// Whether the segment touches the box, up to rounding: never false where it does, and true where it does not only
    /// if it passes within some roundings of the coordinates.
    pub fn may_touch(&self, bounds: &Aabb) -> bool {
        if !self.bounds().overlaps(bounds) {
            return false;
        }
        // The part of the segment between the two sides of each slab.
        let (mut from, mut to) = (0.0_f64, 1.0_f64);
        for axis in 0..3 {
            let speed = self.direction[axis];
            if speed == 0.0 || !speed.is_finite() {
                // Parallel to the slab, and within it, as the boxes overlap; or so long that its length overflows.
                continue;
            }
            let times = [bounds.min[axis], bounds.max[axis]].map(|side| (side - self.start[axis]) / speed);
            let [enter, leave] = if speed > 0.0 { times } else { [times[1], times[0]] };
            // Difference, direction and quotient are rounded once each; a quotient may also underflow.
            from = from.max(enter - enter.abs() * SLACK - f64::MIN_POSITIVE);
            to = to.min(leave + leave.abs() * SLACK + f64::MIN_POSITIVE);
        }
        from <= to
    }
}

const SLACK: f64 = 4.0 * f64::EPSILON;
