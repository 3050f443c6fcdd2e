//! The walk of a tree along a ray: leaves whose boxes the ray passes through, the near ones first.
//!
//! Everything is measured in steps from the place where the ray enters the tree, in `f32`, and with so much room that no
//! box is lost: a place is off by [`ROOM`] steps at most, a distance by some units in the last place.

use std::ops::ControlFlow;

use super::{Child, DopTree, Leaf};
use crate::math::DVec3;
use crate::simd::{Lanes, Work, dispatch};

/// What a walk does with leaves. Compiled for the lanes that the walk runs with.
pub(crate) trait RayVisitor {
    /// Looks at a leaf.
    fn meet<L: Lanes>(&mut self, leaf: Leaf) -> ControlFlow<()>;
    /// The time up to which leaves count; it may become less with every leaf.
    fn limit(&self) -> f64;
}

/// How far a place in the tree may be off, in steps, besides what far origins cost: coordinates below 2^15 in `f32`.
const ROOM: f64 = 1.0 / 128.0;
/// What rounding may do to a distance, relative to itself, and more than what keys leave out.
const ROUNDING: f64 = 1.0 / (1 << 20) as f64;
/// In place of one over a direction's coordinate that is zero or next to it: from so much room it leads out of the tree.
const STEEP: f64 = (1_u64 << 60) as f64;
/// Places that are off by so many steps say nothing.
const TOO_FAR: f64 = 1e6;
/// How far corners are off at most when they are seen along the ray: see `docs/math/ray-casting.md`.
const SLACK: f64 = 1.0 / 16.0;
/// Children that wait: three for every layer of the deepest tree, and four that are being written.
const DEEPEST: usize = 3 * 64 + 4;

/// A ray in the coordinates of a tree.
#[derive(Clone, Copy, Debug)]
pub(crate) struct TreeRay {
    /// For each axis the number of the direction whose offset is passed first, and of the opposite one.
    near: [u8; 3],
    /// For each axis: what is subtracted from the offsets, those that are passed first and the others.
    from: [[f32; 8]; 3],
    /// For each axis: what is multiplied with the differences. The upper four become opposites of distances.
    per_step: [[f32; 8]; 3],
    /// Distances are times, multiplied with this, minus the distance at which the ray enters the tree.
    per_time: f64,
    entry: f64,
    /// How far any place may be off, in steps.
    room: f64,
    /// The axes in a right-handed order, the one that the ray follows most last; where it enters the tree; its direction
    /// in multiples of the last coordinate; and how far corners may be off when they are seen along the ray.
    pub(super) axes: [u8; 3],
    pub(super) start: [f32; 3],
    pub(super) shear: [f32; 2],
    pub(super) slack: f32,
}

impl TreeRay {
    const NONE: TreeRay = TreeRay {
        near: [0; 3],
        from: [[0.0; 8]; 3],
        per_step: [[0.0; 8]; 3],
        per_time: 0.0,
        entry: 0.0,
        room: 0.0,
        axes: [0; 3],
        start: [0.0; 3],
        shear: [0.0; 2],
        slack: 0.0,
    };

    /// None where the ray misses the tree before `limit`. `axes` are in a right-handed order, the one that the ray follows
    /// most last.
    #[inline(always)]
    pub(crate) fn new(
        tree: &DopTree<6>,
        origin: DVec3,
        direction: DVec3,
        axes: [usize; 3],
        limit: f64,
    ) -> Option<TreeRay> {
        let size = direction[axes[2]].abs();
        let along = direction * (1.0 / size);
        let per_time = size * tree.scale;
        let start = (origin - tree.origin) * tree.scale;
        // The difference, the entry and the way there are each off by a few roundings.
        let far = origin.abs().max_element().max(tree.origin.abs().max_element()) * tree.scale;
        let mut room = ROOM + 16.0 * f64::EPSILON * (far + start.abs().max_element());
        let (mut entry, mut exit) = (0.0, limit * per_time);
        let mut inverse = [0.0; 3];
        for k in 0..3 {
            let (low, high) = (-f64::from(tree.bounds[k + 3]) - room, f64::from(tree.bounds[k]) + room);
            inverse[k] = if along[k].abs() * STEEP > 1.0 { 1.0 / along[k] } else { STEEP.copysign(along[k]) };
            let (a, b) = ((low - start[k]) * inverse[k], (high - start[k]) * inverse[k]);
            let (first, last) = if a < b { (a, b) } else { (b, a) };
            entry = if first > entry { first } else { entry };
            exit = if last < exit { last } else { exit };
        }
        // False where something is NaN.
        if entry > exit + room {
            return None;
        }
        let mut start = start + along * entry;
        if !(room < TOO_FAR && per_time > 1e-300 && per_time < 1e300) {
            // No number tells one box from another: none is left out.
            (start, entry, room) = (DVec3::ZERO, 0.0, f64::INFINITY);
        }
        let last = axes[2];
        let mut ray = TreeRay {
            near: [0; 3],
            from: [[0.0; 8]; 3],
            per_step: [[0.0; 8]; 3],
            per_time,
            entry,
            room,
            axes: axes.map(|axis| axis as u8),
            start: axes.map(|axis| start[axis] as f32),
            shear: [(along[axes[0]] * inverse[last]) as f32, (along[axes[1]] * inverse[last]) as f32],
            slack: (SLACK + 2.0 * room) as f32,
        };
        for k in 0..3 {
            let forward = inverse[k] > 0.0;
            ray.near[k] = if forward { k + 3 } else { k } as u8;
            // Offsets against the axis have the opposite sign of a coordinate.
            let (sign_near, sign_far) = if forward { (-1.0, 1.0) } else { (1.0, -1.0) };
            let near_from = (sign_near * start[k] - room) as f32;
            let far_from = (sign_far * start[k] - room) as f32;
            let near_per_step = (sign_near * inverse[k] * (1.0 - ROUNDING)) as f32;
            let far_per_step = (-sign_far * inverse[k] * (1.0 + ROUNDING)) as f32;
            for lane in 0..4 {
                (ray.from[k][lane], ray.from[k][lane + 4]) = (near_from, far_from);
                (ray.per_step[k][lane], ray.per_step[k][lane + 4]) = (near_per_step, far_per_step);
            }
        }
        Some(ray)
    }

    /// A distance that is not less than that of a time.
    #[inline(always)]
    pub(crate) fn distance(&self, t: f64) -> f32 {
        let distance = (t * self.per_time - self.entry) * (1.0 + ROUNDING) + self.room;
        if distance <= 0.0 { 0.0 } else { (distance as f32).min(f32::MAX) }
    }
}

/// Shows the visitor the leaves along a ray.
pub(crate) fn walk_ray<V: RayVisitor>(tree: &DopTree<6>, ray: &TreeRay, visitor: &mut V) {
    dispatch(RayWalk { tree, ray, visitor });
}

struct RayWalk<'w, V> {
    tree: &'w DopTree<6>,
    ray: &'w TreeRay,
    visitor: &'w mut V,
}

impl<V: RayVisitor> Work for RayWalk<'_, V> {
    type Output = ();

    #[inline(always)]
    fn run<L: Lanes>(self) {
        let mut walker = Walker::new(self.ray, self.tree.root, self.visitor.limit());
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

/// Many rays. Each is in a slot while it walks.
pub(crate) trait RayBatch {
    /// Puts the next ray into a slot and returns it; none when all were cast.
    fn next(&mut self, slot: usize) -> Option<TreeRay>;
    /// Looks at a leaf along the ray of a slot.
    fn meet<L: Lanes>(&mut self, slot: usize, ray: &TreeRay, leaf: Leaf);
    /// Asks for the memory of a leaf.
    fn prefetch<L: Lanes>(&self, leaf: Leaf);
    /// The time up to which leaves count for the ray of a slot; it may become less with every leaf.
    fn limit(&self, slot: usize) -> f64;
    /// The ray of a slot has seen all its leaves.
    fn finish(&mut self, slot: usize);
}

/// Rays that walk by turns: while one waits for memory or for its arithmetic, the others go on.
pub(crate) const SLOTS: usize = 8;

/// Walks a tree along many rays.
#[inline(always)]
pub(crate) fn walk_many<L: Lanes, B: RayBatch>(tree: &DopTree<6>, batch: &mut B) {
    let mut walkers = [Walker::NONE; SLOTS];
    let mut slots = [0; SLOTS];
    let mut active = 0;
    while active < SLOTS {
        let Some(ray) = batch.next(active) else { break };
        walkers[active].begin(&ray, tree.root, batch.limit(active));
        slots[active] = active;
        active += 1;
    }
    while active > 0 {
        let mut turn = 0;
        while turn < active {
            let slot = slots[turn] % SLOTS;
            let walker = &mut walkers[slot];
            let Some(child) = walker.next() else {
                batch.finish(slot);
                if let Some(ray) = batch.next(slot) {
                    walker.begin(&ray, tree.root, batch.limit(slot));
                } else {
                    active -= 1;
                    slots[turn] = slots[active];
                }
                continue;
            };
            if child.is_leaf() {
                batch.meet::<L>(slot, &walker.ray, leaf(child));
                walker.limit = walker.ray.distance(batch.limit(slot));
            } else {
                walker.open::<L>(tree, child);
                if walker.count > 0 {
                    let next = Child(walker.waiting[(walker.count - 1) % DEEPEST]);
                    if next.is_leaf() {
                        batch.prefetch::<L>(leaf(next));
                    } else {
                        L::prefetch(&tree.nodes[next.index() as usize]);
                    }
                }
            }
            turn += 1;
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
    const NONE: Walker =
        Walker { ray: TreeRay::NONE, limit: 0.0, count: 0, keys: [0; DEEPEST], waiting: [0; DEEPEST] };

    #[inline(always)]
    fn new(ray: &TreeRay, root: Child, limit: f64) -> Walker {
        let mut walker = Walker::NONE;
        walker.begin(ray, root, limit);
        walker
    }

    #[inline(always)]
    fn begin(&mut self, ray: &TreeRay, root: Child, limit: f64) {
        (self.ray, self.limit) = (*ray, ray.distance(limit));
        // An empty tree has no root to visit.
        self.count = usize::from(root != Child::NONE);
        (self.keys[0], self.waiting[0]) = (0, root.0);
    }

    /// The next child that still counts.
    #[inline(always)]
    fn next(&mut self) -> Option<Child> {
        let mut count = self.count;
        while count > 0 {
            count -= 1;
            if self.keys[count % DEEPEST] <= self.limit.to_bits() {
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
        let [x, y, z] = [near[0] as usize % 6, near[1] as usize % 6, near[2] as usize % 6];
        let [far_x, far_y, far_z] = [(x + 3) % 6, (y + 3) % 6, (z + 3) % 6];
        let offsets = &node.offsets;
        let x = L::mul(L::sub(L::both(&offsets[x], &offsets[far_x]), L::load(&from[0])), L::load(&per_step[0]));
        let y = L::mul(L::sub(L::both(&offsets[y], &offsets[far_y]), L::load(&from[1])), L::load(&per_step[1]));
        let z = L::mul(L::sub(L::both(&offsets[z], &offsets[far_z]), L::load(&from[2])), L::load(&per_step[2]));
        let limits = L::both_max(L::both_max(x, y), L::both_max(z, L::upper_splat(-self.limit)));
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
