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
    /// None where the ray misses the tree before `limit`.
    #[inline(always)]
    pub(crate) fn new(tree: &DopTree<6>, origin: DVec3, direction: DVec3, limit: f64) -> Option<TreeRay> {
        let size = direction.abs().max_element();
        let along = direction / size;
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
        let last = if along.x.abs() == 1.0 {
            0
        } else if along.y.abs() == 1.0 {
            1
        } else {
            2
        };
        let axes = [(last + 1) % 3, (last + 2) % 3, last];
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
        walk_with::<L, V>(self.tree, self.ray, self.visitor);
    }
}

/// The walk, for those who have dispatched already.
#[inline(always)]
pub(crate) fn walk_with<L: Lanes, V: RayVisitor>(tree: &DopTree<6>, ray: &TreeRay, visitor: &mut V) {
    if tree.is_empty() {
        return;
    }
    let mut keys = [0_u32; DEEPEST];
    let mut waiting = [0_u32; DEEPEST];
    waiting[0] = tree.root.0;
    let mut count = 1;
    let mut limit = ray.distance(visitor.limit());
    let [from_x, from_y, from_z] = [L::load(&ray.from[0]), L::load(&ray.from[1]), L::load(&ray.from[2])];
    let per_step = [L::load(&ray.per_step[0]), L::load(&ray.per_step[1]), L::load(&ray.per_step[2])];
    let near = [ray.near[0] as usize % 6, ray.near[1] as usize % 6, ray.near[2] as usize % 6];
    let far = [(near[0] + 3) % 6, (near[1] + 3) % 6, (near[2] + 3) % 6];
    while count > 0 {
        count -= 1;
        if keys[count] > limit.to_bits() {
            continue;
        }
        let child = Child(waiting[count]);
        if child.is_leaf() {
            if visitor.meet::<L>(Leaf { first: child.index(), count: child.count() }).is_break() {
                return;
            }
            limit = ray.distance(visitor.limit());
            continue;
        }
        let node = &tree.nodes[child.index() as usize];
        let offsets = &node.offsets;
        let x = L::mul(L::sub(L::both(&offsets[near[0]], &offsets[far[0]]), from_x), per_step[0]);
        let y = L::mul(L::sub(L::both(&offsets[near[1]], &offsets[far[1]]), from_y), per_step[1]);
        let z = L::mul(L::sub(L::both(&offsets[near[2]], &offsets[far[2]]), from_z), per_step[2]);
        let ends = L::load(&[0.0, 0.0, 0.0, 0.0, -limit, -limit, -limit, -limit]);
        let limits = L::both_max(L::both_max(x, y), L::both_max(z, ends));
        let (Some(keys), Some(waiting)) =
            (keys[count..].first_chunk_mut::<4>(), waiting[count..].first_chunk_mut::<4>())
        else {
            return;
        };
        let children = [node.children[0].0, node.children[1].0, node.children[2].0, node.children[3].0];
        count += L::nearest_last(limits, child.count(), &children, keys, waiting);
    }
}
