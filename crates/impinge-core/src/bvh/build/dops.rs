//! Trees of K-DOPs from trees of boxes: the same nodes with other bounds.

use std::any::Any;

use super::super::fit::{Frame, fit};
use super::super::steps::in_steps;
use super::super::{Child, Corners, Node};

/// The nodes with bounds along `K` directions. `order` has the elements of the leaves, whose places count from `first`.
pub(super) fn dops<const K: usize>(
    mut boxes: Vec<Node<6>>,
    corners: &impl Corners,
    frame: &Frame,
    order: &[u32],
    first: u32,
) -> Vec<Node<K>> {
    // Boxes have six directions, and stay as they are.
    if let Some(nodes) = (&mut boxes as &mut dyn Any).downcast_mut::<Vec<Node<K>>>() {
        return std::mem::take(nodes);
    }
    let mut nodes = vec![Node::EMPTY; boxes.len()];
    // Children come after their parents.
    for index in (0..boxes.len()).rev() {
        let children = boxes[index].children;
        nodes[index].children = children;
        for (lane, child) in children.into_iter().enumerate() {
            if child == Child::NONE {
                break;
            }
            let (at, count) = (child.index() as usize, child.count() as usize);
            let bounds = if child.is_leaf() {
                let at = at - first as usize;
                in_steps(&fit(corners, frame, &order[at..at + count]))
            } else {
                nodes[at].around(count)
            };
            nodes[index].set_bounds(lane, &bounds);
        }
    }
    nodes
}
