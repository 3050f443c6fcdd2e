//! The order of boxes in the tree: halves of halves, so that what shares a node is close in space, however the boxes are
//! spread.

use super::super::Boxes;
use super::super::frame::Frame;
use impinge_core::math::DVec3;
use impinge_core::parallel::{join, may_share};

/// The memory of an ordering.
#[derive(Clone, Debug, Default)]
pub(super) struct Order {
    items: Vec<Item>,
}

#[derive(Clone, Copy, Debug)]
struct Item {
    middle: [f32; 3],
    id: u32,
}

/// How many times as large as most a box must be to be kept apart: it would blow up a node of small ones.
const LARGE: f64 = 8.0;
/// From so many boxes on, halves are divided on several threads.
const MANY: usize = 4096;

impl Order {
    /// Lists all ids in order.
    pub(super) fn sort(&mut self, boxes: &Boxes, frame: &Frame, ids: &mut Vec<u32>) {
        let items = &mut self.items;
        let large = f64::from(frame.typical) * LARGE;
        let item = |id: u32| {
            // Infinite boxes have infinite middles, or none: NaN, which is in order above all.
            let middle = boxes.bounds(id).center() - frame.origin;
            Item { middle: middle.as_vec3().to_array(), id }
        };
        // Written so that an infinite box is large also where most boxes are.
        let is_small = |id: u32| {
            let size = boxes.bounds(id).size().max_element();
            size <= large && size < f64::INFINITY
        };
        items.clear();
        items.extend(boxes.iter().map(|(id, _)| id).filter(|id| is_small(*id)).map(item));
        let small = items.len();
        items.extend(boxes.iter().map(|(id, _)| id).filter(|id| !is_small(*id)).map(item));
        let (small, large) = items.split_at_mut(small);
        divide(small);
        divide(large);
        ids.clear();
        ids.extend(items.iter().map(|item| item.id));
    }
}

/// Puts the items in the order of a tree: the lower half along the longest side, then the upper half, and each half so.
fn divide(items: &mut [Item]) {
    if items.len() <= 8 {
        return;
    }
    let axis = longest_side(items);
    // The halves consist of whole nodes, as large as there can be two of.
    let mut node = 8;
    while node * 8 < items.len() {
        node *= 8;
    }
    let middle = items.len().div_ceil(node) / 2 * node;
    items.select_nth_unstable_by(middle, |a, b| a.middle[axis].total_cmp(&b.middle[axis]));
    let (lower, upper) = items.split_at_mut(middle);
    if middle >= MANY && may_share() {
        join(|| divide(lower), || divide(upper));
        return;
    }
    divide(lower);
    divide(upper);
}

fn longest_side(items: &[Item]) -> usize {
    let (mut low, mut high) = ([f32::INFINITY; 3], [f32::NEG_INFINITY; 3]);
    for item in items {
        for axis in 0..3 {
            let c = item.middle[axis];
            low[axis] = if c < low[axis] { c } else { low[axis] };
            high[axis] = if c > high[axis] { c } else { high[axis] };
        }
    }
    let side = DVec3::from_array([0, 1, 2].map(|axis| f64::from(high[axis]) - f64::from(low[axis])));
    if side.x >= side.y && side.x >= side.z { 0 } else { 1 + usize::from(side.z > side.y) }
}
