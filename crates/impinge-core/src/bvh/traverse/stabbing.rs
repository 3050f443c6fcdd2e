//! The traversal of one tree with a box or a ray.

use std::any::Any;
use std::ops::ControlFlow;

use crate::bounds::Aabb;
use crate::bvh::steps::{STEPS, spanned};
use crate::bvh::traverse::pair::Leaf;
use crate::bvh::traverse::ray::{RayVisitor, TreeRay, traverse_ray};
use crate::bvh::{Child, DopTree};
use crate::math::DVec3;
use crate::simd::Lanes;

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
        // Trees of boxes, as models have them, in lanes.
        if let Some(boxes) = (self as &dyn Any).downcast_ref::<DopTree<6>>() {
            boxes.for_each_along([origin, direction], f64::INFINITY, room, visit);
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

impl DopTree<6> {
    /// Calls `visit` with every element whose box, larger by `padding` on all sides, a ray passes through no later than a time, and perhaps with others. The
    /// ray is an origin and a direction, which is finite and not zero; at the time 0 it is a point.
    pub fn for_each_along(
        &self,
        [origin, direction]: [DVec3; 2],
        until: f64,
        padding: f64,
        visit: impl FnMut(u32),
    ) {
        if let Some(ray) = TreeRay::along(self, origin, direction, until, padding) {
            traverse_ray(self, &ray, &mut Elements { tree: self, until, visit });
        }
    }
}

/// Shows the elements of leaves.
struct Elements<'t, V> {
    tree: &'t DopTree<6>,
    until: f64,
    visit: V,
}

impl<V: FnMut(u32)> RayVisitor for Elements<'_, V> {
    #[inline(always)]
    fn meet<L: Lanes>(&mut self, leaf: Leaf) -> ControlFlow<()> {
        self.tree.elements(leaf).iter().for_each(|&element| (self.visit)(element));
        ControlFlow::Continue(())
    }

    #[inline(always)]
    fn limit(&self) -> f64 {
        self.until
    }
}

/// The stack of a traversal of one tree.
#[derive(Debug, Default)]
pub struct NearStack(Vec<Child>);

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bvh::traverse::ray::tests::{sheet, tree_of};

    /// Whether a ray passes through a box until a time, by plain arithmetic.
    fn passes([origin, direction]: [DVec3; 2], until: f64, bounds: &Aabb) -> bool {
        let (mut from, mut to) = (0.0_f64, until);
        for k in 0..3 {
            let (low, high) = (bounds.min[k] - origin[k], bounds.max[k] - origin[k]);
            if direction[k] == 0.0 {
                to = if low > 0.0 || high < 0.0 { -1.0 } else { to };
            } else {
                let (a, b) = (low / direction[k], high / direction[k]);
                (from, to) = (from.max(a.min(b)), to.min(a.max(b)));
            }
        }
        from <= to
    }

    #[test]
    fn every_element_along_a_ray_is_visited() {
        let triangles = sheet(24);
        let tree = tree_of(&triangles);
        let (mut along, mut visited, mut all) = (0, 0, 0);
        for step in 0..400 {
            let turn = 0.37 * f64::from(step);
            let direction = match step % 5 {
                0 => DVec3::X,
                1 => DVec3::new(1e-7, 2e-7, -1.0),
                2 => DVec3::ZERO,
                _ => DVec3::new(turn.cos(), turn.sin(), 0.3 * (3.0 * turn).cos()),
            };
            let [a, b, c] = triangles[step as usize % triangles.len()];
            let origin = (a + b + c) / 3.0 + DVec3::splat(0.01 * f64::from(step % 7));
            let (until, padding) = ([0.0, 0.3, f64::INFINITY][step as usize % 3], f64::from(step % 2) * 0.05);
            if direction == DVec3::ZERO && until == f64::INFINITY {
                continue;
            }
            let mut is_visited = vec![0; triangles.len()];
            tree.for_each_along([origin, direction], until, padding, |element| {
                is_visited[element as usize] += 1;
            });
            assert!(is_visited.iter().all(|&count| count <= 1));
            for (corners, count) in triangles.iter().zip(&is_visited) {
                let bounds = Aabb::around(*corners);
                let (min, max) = (bounds.min - padding, bounds.max + padding);
                let is_along = passes([origin, direction], until, &Aabb { min, max });
                assert!(*count == 1 || !is_along, "{origin} {direction} {until} {padding} {corners:?}");
                along += usize::from(is_along);
            }
            if direction != DVec3::ZERO {
                visited += is_visited.iter().sum::<usize>();
                all += triangles.len();
            }
            // By the plain arithmetic of other trees.
            if until == f64::INFINITY {
                let mut count = 0;
                let stack = &mut NearStack::default();
                tree.for_each_on_ray(origin, direction, padding, stack, |_| count += 1);
                assert_eq!(count, is_visited.iter().sum::<usize>());
            }
        }
        assert!(along > 1_000 && visited * 4 < all, "{along}, {visited} of {all}");
    }
}
