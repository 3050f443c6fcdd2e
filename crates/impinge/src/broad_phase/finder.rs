//! The contract of broad-phase engines.

use super::boxes::Boxes;
use super::pairs::Pair;
use super::segment::Segment;
use impinge_core::bounds::Aabb;

/// A broad-phase engine: finds overlapping boxes. Engines differ in speed only.
pub(super) trait PairFinder {
    /// Takes in what [`Boxes::changed`] lists, and appends every overlapping pair with a changed box, once, in any order.
    /// Other overlapping pairs may be among them.
    fn find(&mut self, boxes: &Boxes, found: &mut Vec<Pair>);

    /// Shows at least those boxes that overlap `bounds` and have not changed since the last step; each at most once.
    fn near_box(&self, boxes: &Boxes, bounds: &Aabb, visit: &mut dyn FnMut(u32));

    /// Shows at least those boxes that `segment` may touch and that have not changed since the last step; each at most once.
    fn near_segment(&self, boxes: &Boxes, segment: &Segment, visit: &mut dyn FnMut(u32));
}
