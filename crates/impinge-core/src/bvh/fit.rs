//! Bounds of elements in tree coordinates, rounded outward.

use super::Corners;
use super::steps::FULLEST;
use crate::bounds::{Aabb, directions};
use crate::math::DVec3;

/// The frame of a tree: tree coordinates are `(x - origin) * scale`, within [-1, 1].
#[derive(Clone, Copy, Debug)]
pub(super) struct Frame {
    pub(super) origin: DVec3,
    pub(super) scale: f64,
    /// The padding for rounding into tree coordinates.
    pub(super) room: f64,
}

impl Frame {
    /// The frame in which a box is centered and reaches to between ½ and 1.
    pub(super) fn around(bounds: Aabb) -> Frame {
        let origin = bounds.center();
        // Rounded up to a power of two, so that scaling is exact; the box of no size is as good as one of size 1.
        let reach = reach(&bounds, origin).max(f64::MIN_POSITIVE * 1e30);
        let scale = (-((reach / FULLEST).log2().ceil())).clamp(-1030.0, 1000.0).exp2();
        Frame { origin, scale, room: room(reach * scale) }
    }

    /// The frame that stands already, for a box that lies within it; `None` where the box leaves it or fills little of it.
    pub(super) fn kept(origin: DVec3, scale: f64, bounds: Aabb) -> Option<Frame> {
        let (reach, size) = (reach(&bounds, origin) * scale, bounds.size().max_element() * scale);
        (reach <= FULLEST && size >= 0.5).then_some(Frame { origin, scale, room: room(reach) })
    }
}

/// The largest coordinate of a box as seen from the origin.
fn reach(bounds: &Aabb, origin: DVec3) -> f64 {
    (bounds.max - origin).max(origin - bounds.min).max_element()
}

/// The padding for rounding the difference to the origin, in tree coordinates, and as much again for rounding up.
fn room(reach: f64) -> f64 {
    2.0 * f64::EPSILON * reach.max(1.0)
}

/// The bounds of elements, from their corners.
#[inline(always)]
pub(super) fn fit<const K: usize>(corners: &impl Corners, frame: &Frame, elements: &[u32]) -> [f32; K] {
    if K == 6 { fit_box(corners, frame, elements) } else { fit_dop(corners, frame, elements) }
}

/// Rounding is monotonic, so it is enough to do it to the box.
#[inline(always)]
fn fit_box<const K: usize>(corners: &impl Corners, frame: &Frame, elements: &[u32]) -> [f32; K] {
    let (mut low, mut high) = ([f64::INFINITY; 3], [f64::NEG_INFINITY; 3]);
    for &element in elements {
        corners.visit(element, |point| {
            let point = point.to_array();
            for k in 0..3 {
                low[k] = if point[k] < low[k] { point[k] } else { low[k] };
                high[k] = if point[k] > high[k] { point[k] } else { high[k] };
            }
        });
    }
    let origin = frame.origin.to_array();
    let mut offsets = [0.0; K];
    for k in 0..3 {
        offsets[k] = round_up((high[k] - origin[k]) * frame.scale, frame.room);
        offsets[k + K / 2] = round_up(-((low[k] - origin[k]) * frame.scale), frame.room);
    }
    offsets
}

#[inline(always)]
fn fit_dop<const K: usize>(corners: &impl Corners, frame: &Frame, elements: &[u32]) -> [f32; K] {
    let half = K / 2;
    let mut offsets = [f64::NEG_INFINITY; K];
    for &element in elements {
        corners.visit(element, |point| {
            let point = (point - frame.origin) * frame.scale;
            for i in 0..half {
                let [x, y, z] = const { directions::<K>() }[i];
                let along = x * point.x + y * point.y + z * point.z;
                offsets[i] = if along > offsets[i] { along } else { offsets[i] };
                offsets[i + half] = if -along > offsets[i + half] { -along } else { offsets[i + half] };
            }
        });
    }
    // Sums of three.
    offsets.map(|offset| round_up(offset, 4.0 * frame.room))
}

/// A number that is at least `value`, hardly more: rounding to the nearest `f32` costs at most what is added before.
/// `room` covers what `value` may lack, and half of it the roundings of this sum. Zero has no sign, so that the greater of
/// two numbers does not depend on their order.
#[inline(always)]
pub(super) fn round_up(value: f64, room: f64) -> f32 {
    const HALF_STEP: f64 = 1.0 / (1_u32 << 24) as f64;
    (value + value.abs() * HALF_STEP + room) as f32 + 0.0
}
