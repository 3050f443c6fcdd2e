//! Looking a box up in a tree.

use super::steps::spanned;
use super::{Child, DopTree};
use crate::bounds::Aabb;
use crate::math::DVec3;

impl<const K: usize> DopTree<K> {
    /// Calls `visit` with every element whose bounds overlap a box, and perhaps with a few more.
    pub fn for_each_near(&self, bounds: &Aabb, mut visit: impl FnMut(u32)) {
        if self.is_empty() || bounds.is_empty() {
            return;
        }
        // The box in tree coordinates, a little larger than rounding could make it smaller.
        let reach = bounds.min.abs().max(bounds.max.abs()).max_element() + self.origin.abs().max_element();
        let room = DVec3::splat(4.0 * f64::EPSILON * reach);
        let to_tree = |point: DVec3| (point - self.origin) * self.scale;
        let (low, high) = (to_tree(bounds.min - room), to_tree(bounds.max + room));
        let offsets: [f64; K] = std::array::from_fn(|i| {
            let direction = const { spanned::<K>() }[i];
            (0..3).map(|k| (direction[k] * low[k]).max(direction[k] * high[k])).sum::<f64>() + 0.01
        });
        let mut stack = vec![self.root];
        while let Some(child) = stack.pop() {
            let node = &self.nodes[child.index() as usize];
            for lane in 0..child.count() as usize {
                let apart = |i: usize| f64::from(node.offsets[i][lane]) + offsets[(i + K / 2) % K] < 0.0;
                if (0..K).any(apart) {
                    continue;
                }
                let child: Child = node.children[lane];
                if child.is_leaf() {
                    let first = child.index() as usize;
                    self.order[first..first + child.count() as usize]
                        .iter()
                        .for_each(|&element| visit(element));
                } else {
                    stack.push(child);
                }
            }
        }
    }
}
