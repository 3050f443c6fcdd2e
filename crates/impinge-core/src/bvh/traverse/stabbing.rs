//! The traversal of one tree with a box or a ray.

use crate::bounds::Aabb;
use crate::bvh::steps::{STEPS, spanned};
use crate::bvh::{Child, DopTree};
use crate::math::DVec3;

impl<const K: usize> DopTree<K> {
    /// Calls `visit` with every element whose bounds overlap a box, and perhaps with a few more.
    pub fn for_each_near(&self, bounds: &Aabb, stack: &mut NearStack, mut visit: impl FnMut(u32)) {
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
        stack.0.clear();
        stack.0.push(self.root);
        while let Some(child) = stack.0.pop() {
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
                    stack.0.push(child);
                }
            }
        }
    }

    /// Calls `visit` with every element whose bounds a ray passes through or comes close to, no farther than `room`
    /// along each axis. `stack` is memory to work in.
    pub fn for_each_on_ray(
        &self,
        origin: DVec3,
        direction: DVec3,
        room: f64,
        stack: &mut NearStack,
        mut visit: impl FnMut(u32),
    ) {
        if self.is_empty() {
            return;
        }
        let origin = (origin - self.origin) * self.scale;
        // Rounding moves the ray by less than this before it has left the tree.
        let room =
            room * self.scale + 64.0 * f64::EPSILON * (origin.abs().max_element() + 4.0 * STEPS) + 0.01;
        // Along each direction: where the ray starts, and the reciprocal of how fast it goes.
        let (mut starts, mut rates) = ([0.0; K], [0.0; K]);
        for i in 0..K {
            let axis = const { spanned::<K>() }[i];
            starts[i] = (0..3).map(|k| axis[k] * origin[k] - axis[k].abs() * room).sum();
            rates[i] = (0..3).map(|k| axis[k] * direction[k]).sum::<f64>().recip();
        }
        stack.0.clear();
        stack.0.push(self.root);
        while let Some(child) = stack.0.pop() {
            let node = &self.nodes[child.index() as usize];
            for lane in 0..child.count() as usize {
                let (mut from, mut until) = (0.0_f64, f64::INFINITY);
                for i in 0..K {
                    let left = f64::from(node.offsets[i][lane]) - starts[i];
                    let at = left * rates[i];
                    if rates[i] == f64::INFINITY || rates[i] == f64::NEG_INFINITY {
                        // Goes neither in nor out.
                        until = if left < 0.0 { -1.0 } else { until };
                    } else if rates[i] > 0.0 {
                        until = until.min(at);
                    } else {
                        from = from.max(at);
                    }
                }
                if from > until {
                    continue;
                }
                let child: Child = node.children[lane];
                if child.is_leaf() {
                    let first = child.index() as usize;
                    self.order[first..first + child.count() as usize]
                        .iter()
                        .for_each(|&element| visit(element));
                } else {
                    stack.0.push(child);
                }
            }
        }
    }
}

/// The stack of a traversal of one tree.
#[derive(Debug, Default)]
pub struct NearStack(Vec<Child>);
