//! The traversal of a tree along a ray: leaves whose boxes the ray passes through, the near ones first.
//!
//! Everything is measured in steps from the place where the ray enters the tree, in `f32`, and with so much padding that no
//! box is lost: a place is off by [`ROOM`] steps at most, a distance by some units in the last place.

use std::ops::ControlFlow;

use crate::bvh::{Child, DopTree, Leaf};
use crate::math::DVec3;
use crate::simd::{I16x4, Lanes, Work, dispatch};

/// A visitor of the leaves along a ray. Compiled for the lanes that the traversal runs with.
pub trait RayVisitor {
    /// Looks at a leaf.
    fn meet<L: Lanes>(&mut self, leaf: Leaf) -> ControlFlow<()>;
    /// The time up to which leaves count; it may become less with every leaf.
    fn limit(&self) -> f64;
}

/// The error bound of a place in the tree, in steps, besides what far origins cost: coordinates below 2^15 in `f32`.
pub(in crate::bvh) const ROOM: f64 = 1.0 / 128.0;
/// The relative error bound of a distance, which also covers what keys leave out.
pub(in crate::bvh) const ROUNDING: f64 = 1.0 / (1 << 20) as f64;
/// A stand-in for one over a direction's coordinate that is zero or next to it: with the padding it leads out of the tree.
pub(in crate::bvh) const STEEP: f64 = (1_u64 << 60) as f64;
/// The error bound, in steps, from which on places say nothing.
pub(in crate::bvh) const TOO_FAR: f64 = 1e6;
/// The error bound of corners that are seen along the ray: see `docs/math/ray-casting.md`.
pub(in crate::bvh) const SLACK: f64 = 1.0 / 16.0;
/// The size of the stack: three children for every layer of the deepest tree, and four that are being written; rounded up
/// to a power of two.
pub(in crate::bvh) const DEEPEST: usize = (3_usize * 64 + 4).next_power_of_two();

/// A ray in the coordinates of a tree.
#[derive(Clone, Copy, Debug)]
pub struct TreeRay {
    /// For each axis the number of the direction whose offset is passed first, and of the other.
    near: [[u8; 2]; 3],
    /// The axes in a right-handed order, the one that the ray follows most last.
    pub(in crate::bvh) axes: [u8; 3],
    /// For each axis: what is subtracted from the offset that is passed first, and from the other.
    from: [[f32; 2]; 3],
    /// For each axis: what is multiplied with the two differences. The second become opposites of distances.
    per_step: [[f32; 2]; 3],
    /// The point where the ray enters the tree; its direction in multiples of its coordinate on the last axis; and how far corners
    /// may be off when they are seen along the ray.
    pub(in crate::bvh) start: [f32; 3],
    pub(in crate::bvh) shear: [f32; 2],
    pub(in crate::bvh) slack: f32,
    /// Distances are times, multiplied with this, minus the distance at which the ray enters the tree.
    per_time: f64,
    entry: f64,
    /// The error bound of any place, in steps.
    room: f64,
}

impl TreeRay {
    const NONE: TreeRay = TreeRay {
        near: [[0; 2]; 3],
        axes: [0; 3],
        from: [[0.0; 2]; 3],
        per_step: [[0.0; 2]; 3],
        start: [0.0; 3],
        shear: [0.0; 2],
        slack: 0.0,
        per_time: 0.0,
        entry: 0.0,
        room: 0.0,
    };

    /// A ray in a tree's coordinates; `None` where it misses the tree before `limit`. `axes` are in a right-handed order, the
    /// one that the ray follows most last.
    #[inline(always)]
    pub fn new(
        tree: &DopTree<6>,
        origin: DVec3,
        direction: DVec3,
        axes: [u8; 3],
        limit: f64,
    ) -> Option<TreeRay> {
        TreeRay::padded(tree, origin, direction, axes, limit, 0.0)
    }

    /// [`new`](Self::new) for a tree whose boxes are larger by `padding` on all sides.
    #[inline(always)]
    pub fn padded(
        tree: &DopTree<6>,
        origin: DVec3,
        direction: DVec3,
        axes: [u8; 3],
        limit: f64,
        padding: f64,
    ) -> Option<TreeRay> {
        let direction = direction.to_array();
        let [first, second, last] = axes.map(|axis| axis as usize % 3);
        let size = direction[last].abs();
        let per_time = size * tree.scale;
        let origin = origin.to_array();
        let (mut along, mut start, mut inverse) = ([0.0; 3], [0.0; 3], [0.0; 3]);
        let mut far = 0.0;
        for k in 0..3 {
            along[k] = direction[k] * (1.0 / size);
            start[k] = (origin[k] - tree.origin[k]) * tree.scale;
            // Both numbers of the difference count, however small it is.
            far = greater(far, greater(origin[k].abs(), tree.origin[k].abs()));
            inverse[k] =
                if along[k].abs() * STEEP > 1.0 { size / direction[k] } else { STEEP.copysign(along[k]) };
        }
        // The difference, the entry and the way there are each off by a few roundings of what is at most twice as large.
        let mut room = ROOM + (48.0 * f64::EPSILON * far + padding * (1.0 + ROUNDING)) * tree.scale;
        let (mut entry, mut exit) = (0.0, limit * per_time);
        for k in 0..3 {
            let (low, high) = (-f64::from(tree.bounds[k + 3]) - room, f64::from(tree.bounds[k]) + room);
            let (a, b) = ((low - start[k]) * inverse[k], (high - start[k]) * inverse[k]);
            let (near, far) = if a < b { (a, b) } else { (b, a) };
            entry = greater(entry, near);
            exit = if far < exit { far } else { exit };
        }
        // False where something is NaN.
        if entry > exit + room {
            return None;
        }
        if !(room < TOO_FAR && per_time > 1e-300 && per_time < 1e300) {
            // No number tells one box from another: none is left out.
            (start, along, entry, room) = ([0.0; 3], [0.0; 3], 0.0, f64::INFINITY);
        }
        let mut ray = TreeRay {
            axes,
            shear: [(along[first] * inverse[last]) as f32, (along[second] * inverse[last]) as f32],
            slack: (SLACK + 2.0 * room) as f32,
            per_time,
            entry,
            room,
            ..TreeRay::NONE
        };
        for k in 0..3 {
            start[k] += along[k] * entry;
            let forward = inverse[k] > 0.0;
            ray.near[k] = if forward { [k as u8 + 3, k as u8] } else { [k as u8, k as u8 + 3] };
            // Offsets against the axis have the opposite sign of a coordinate.
            let place = if forward { -start[k] } else { start[k] };
            let steepness = inverse[k].abs();
            ray.from[k] = [(place - room) as f32, (-place - room) as f32];
            ray.per_step[k] =
                [(-steepness * (1.0 - ROUNDING)) as f32, (-steepness * (1.0 + ROUNDING)) as f32];
        }
        ray.start = [start[first] as f32, start[second] as f32, start[last] as f32];
        Some(ray)
    }

    /// [`padded`](Self::padded) with the axes in the order that suits the direction, which is finite and not zero.
    #[inline(always)]
    pub fn along(
        tree: &DopTree<6>,
        origin: DVec3,
        direction: DVec3,
        limit: f64,
        padding: f64,
    ) -> Option<TreeRay> {
        let size = direction.abs();
        let axes = if size.x >= size.y && size.x >= size.z {
            [1, 2, 0]
        } else if size.y >= size.z {
            [2, 0, 1]
        } else {
            [0, 1, 2]
        };
        TreeRay::padded(tree, origin, direction, axes, limit, padding)
    }

    /// A distance along the ray that is not less than that of a time.
    #[inline(always)]
    pub fn distance(&self, t: f64) -> f32 {
        let distance = (t * self.per_time - self.entry) * (1.0 + ROUNDING) + self.room;
        if distance <= 0.0 { 0.0 } else { (distance as f32).min(f32::MAX) }
    }
}

/// Shows the visitor the leaves along a ray.
pub fn traverse_ray<V: RayVisitor>(tree: &DopTree<6>, ray: &TreeRay, visitor: &mut V) {
    dispatch(RayTraversal { tree, ray, visitor });
}

struct RayTraversal<'w, V> {
    tree: &'w DopTree<6>,
    ray: &'w TreeRay,
    visitor: &'w mut V,
}

impl<V: RayVisitor> Work for RayTraversal<'_, V> {
    type Output = ();

    #[inline(always)]
    fn run<L: Lanes>(self) {
        // Made in its place: what is returned would be copied, arrays and all.
        let (keys, waiting) = ([0; DEEPEST], [0; DEEPEST]);
        let mut walker = Walker { ray: *self.ray, limit: 0.0, count: 0, keys, waiting };
        walker.begin(self.tree.root, self.visitor.limit());
        while let Some(child) = walker.next() {
            if child.is_leaf() {
                if self.visitor.meet::<L>(leaf(child)).is_break() {
                    return;
                }
                walker.limit = walker.ray.distance(self.visitor.limit());
            } else {
                walker.open::<L>(self.tree, child);
            }
        }
    }
}

#[inline(always)]
fn leaf(child: Child) -> Leaf {
    Leaf { first: child.index(), count: child.count() }
}

/// A ray on its way through a tree.
#[derive(Clone, Copy)]
struct Walker {
    ray: TreeRay,
    /// The distance up to which boxes count.
    limit: f32,
    /// Children that wait, the nearest last, with the distances at which the ray enters them.
    count: usize,
    keys: [u32; DEEPEST],
    waiting: [u32; DEEPEST],
}

impl Walker {
    #[inline(always)]
    fn begin(&mut self, root: Child, limit: f64) {
        self.limit = self.ray.distance(limit);
        // An empty tree has no root to visit.
        self.count = usize::from(root != Child::NONE);
        (self.keys[0], self.waiting[0]) = (0, root.0);
    }

    /// The next child that still counts.
    #[inline(always)]
    fn next(&mut self) -> Option<Child> {
        let (mut count, limit) = (self.count, self.limit.to_bits());
        while count > 0 {
            count -= 1;
            if self.keys[count % DEEPEST] <= limit {
                self.count = count;
                return Some(Child(self.waiting[count % DEEPEST]));
            }
        }
        None
    }

    /// Puts the children of a node that the ray passes through on the waiting list.
    #[inline(always)]
    fn open<L: Lanes>(&mut self, tree: &DopTree<6>, child: Child) {
        let node = &tree.nodes[child.index() as usize];
        let TreeRay { near, from, per_step, .. } = &self.ray;
        let x = distances::<L>(&node.offsets, near[0], &from[0], &per_step[0]);
        let y = distances::<L>(&node.offsets, near[1], &from[1], &per_step[1]);
        let z = distances::<L>(&node.offsets, near[2], &from[2], &per_step[2]);
        let limits = L::f32x8_max(L::f32x8_max(x, y), L::f32x8_max(z, L::zero_and(-self.limit)));
        let (Some(keys), Some(waiting)) = (
            self.keys[self.count..].first_chunk_mut::<4>(),
            self.waiting[self.count..].first_chunk_mut::<4>(),
        ) else {
            return;
        };
        let children = [node.children[0].0, node.children[1].0, node.children[2].0, node.children[3].0];
        self.count += L::nearest_last(limits, child.count(), &children, keys, waiting);
    }
}

/// For each child the distance at which the ray passes its first side across an axis, and the opposite of the distance of
/// its other side.
#[inline(always)]
fn distances<L: Lanes>(
    offsets: &[I16x4; 6],
    near: [u8; 2],
    from: &[f32; 2],
    per_step: &[f32; 2],
) -> L::F32x8 {
    let offsets = L::rows_by_turns(&offsets[near[0] as usize], &offsets[near[1] as usize]);
    L::mul(L::sub(offsets, L::by_turns(from)), L::by_turns(per_step))
}

#[inline(always)]
fn greater(a: f64, b: f64) -> f64 {
    if a > b { a } else { b }
}

#[cfg(test)]
pub(in crate::bvh) mod tests {
    use super::*;
    use crate::bounds::Aabb;
    use crate::simd::Portable;

    /// Leaves up to a time that shrinks.
    struct Seen {
        leaves: Vec<Leaf>,
        limit: f64,
    }

    impl RayVisitor for Seen {
        fn meet<L: Lanes>(&mut self, leaf: Leaf) -> ControlFlow<()> {
            self.leaves.push(leaf);
            self.limit *= 0.97;
            ControlFlow::Continue(())
        }

        fn limit(&self) -> f64 {
            self.limit
        }
    }

    /// Small triangles on a wavy sheet.
    pub(in crate::bvh) fn sheet(count: u32) -> Vec<[DVec3; 3]> {
        let corner = |i: u32, j: u32| {
            let (x, y) = (f64::from(i) * 0.1, f64::from(j) * 0.1);
            DVec3::new(x, y, 0.3 * (x * y - x * x))
        };
        (0..count * count)
            .map(|cell| (cell % count, cell / count))
            .map(|(i, j)| [corner(i, j), corner(i + 1, j), corner(i, j + 1)])
            .collect()
    }

    /// A tree over triangles.
    pub(in crate::bvh) fn tree_of(triangles: &[[DVec3; 3]]) -> DopTree<6> {
        let bounds = Aabb::around(triangles.iter().flatten().copied());
        DopTree::build(triangles.len(), bounds, triangles)
    }

    /// Rays in many directions, from near the sheet and from farther off.
    pub(in crate::bvh) fn rays(tree: &DopTree<6>) -> impl Iterator<Item = TreeRay> {
        (0..60).filter_map(|step| {
            let turn = 0.37 * f64::from(step);
            let direction = DVec3::new(turn.cos(), turn.sin(), [0.0, 0.3, -0.8][step as usize % 3]);
            let origin = DVec3::new(1.2, 1.1, 0.1) - direction * f64::from(step % 4);
            TreeRay::along(tree, origin, direction, 50.0, 0.0)
        })
    }

    #[test]
    fn every_kind_of_lanes_walks_the_same_way() {
        let tree = tree_of(&sheet(24));
        let mut seen_in_all = 0;
        for ray in rays(&tree) {
            let [mut wide, mut plain] = [0, 1].map(|_| Seen { leaves: Vec::new(), limit: 50.0 });
            traverse_ray(&tree, &ray, &mut wide);
            RayTraversal { tree: &tree, ray: &ray, visitor: &mut plain }.run::<Portable>();
            assert_eq!(wide.leaves, plain.leaves);
            seen_in_all += wide.leaves.len();
        }
        assert!(seen_in_all > 100, "{seen_in_all}");
    }
}
