//! Traversal of an axial BSP tree with a box.

use super::{AxialBsp, Node};
use impinge::bounds::Aabb;
use impinge::math::DVec3;

/// The stack of a traversal. Keep it from query to query: they allocate nothing then.
#[derive(Clone, Debug, Default)]
pub struct BspStack(Vec<Later>);

/// A node to visit.
#[derive(Clone, Copy, Debug)]
struct Later {
    node: u32,
    /// What reaches below this has been seen on the other side of a plane.
    least: DVec3,
}

impl AxialBsp {
    /// Calls `visit` once with every element whose box shares a point with a given one. Comparisons only, so this is exact.
    ///
    /// A box that a plane cuts is in both children. Where the asked box reaches below the plane, both are visited, and
    /// the lower one reports it: the upper one leaves out what reaches below the plane. Where it does not, the upper one
    /// alone is visited.
    pub fn for_each_meeting(&self, asked: &Aabb, stack: &mut BspStack, mut visit: impl FnMut(u32)) {
        if !self.bounds.overlaps(asked) {
            return;
        }
        let stack = &mut stack.0;
        stack.clear();
        stack.push(Later { node: 0, least: DVec3::NEG_INFINITY });
        while let Some(Later { node: mut index, mut least }) = stack.pop() {
            loop {
                let node: Node = self.nodes[index as usize];
                if node.is_leaf() {
                    for entry in node.entries() {
                        let bounds = &self.boxes[entry];
                        if bounds.overlaps(asked) && bounds.min.cmpge(least).all() {
                            visit(self.elements[entry]);
                        }
                    }
                    break;
                }
                let (axis, before) = (node.axis(), least);
                let reaches_below = asked.min[axis] <= node.plane;
                let reaches_above = asked.max[axis] >= node.plane;
                if reaches_below && reaches_above {
                    least[axis] = least[axis].max(node.plane);
                    stack.push(Later { node: node.link, least });
                    least = before;
                }
                index = if reaches_below { index + 1 } else { node.link };
            }
        }
    }
}
