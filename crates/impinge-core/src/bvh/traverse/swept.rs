//! The simultaneous traversal of two trees of boxes of which one moves along a line: swept bounds.
//!
//! A moving box overlaps a box that stands still from the last time at which their intervals along an axis come together, until the
//! first at which one of them parts. Depth first, the earliest child first; what comes later than the best so far is left out.

use crate::bvh::DopTree;
use crate::bvh::traverse::distance::{DistanceStack, Later, NearView};
use crate::bvh::traverse::pair::{Leaf, LeafPairs, Leaves, Visit};
use crate::math::{DAffine3, DVec3};
use crate::simd::{Lanes, Work, dispatch};

/// Roundings of times to `f32`, as a part of the way.
const ROUNDING: f64 = 1.0 / (1 << 20) as f64;

/// Instead of infinity, which times zero is nothing.
const LARGE: f64 = 1e30;

/// A visitor of pairs of leaves, earliest time of impact first.
pub trait SweptVisitor {
    /// Looks at the elements of two leaves. Elements that touch later than the time returned do not matter from then on.
    fn meet(&mut self, a: Leaf, b: Leaf) -> f64;
}

/// Shows the visitor the pairs of leaves that may hold elements that touch until `horizon`, while the second tree moves by
/// `velocity` in a unit of time; the number of visits. `maps` take the coordinates of each tree to those of the velocity, up to
/// `error`, and boxes count as overlapping when they are no farther apart than that.
pub fn traverse_swept(
    trees: [&DopTree<6>; 2],
    maps: [Option<&DAffine3>; 2],
    velocity: DVec3,
    error: f64,
    horizon: f64,
    stack: &mut DistanceStack,
    visitor: &mut impl SweptVisitor,
) -> u64 {
    // The error of one of them is enough: it is how far apart the two may be.
    let rounding = ROUNDING * velocity.abs().max_element();
    let view = NearView::of(trees, maps, rounding, f64::INFINITY).with_second_grown(error);
    let velocity = velocity * view.scale;
    dispatch(Swept { trees, view: &view, velocity, horizon, stack, visitor })
}

struct Swept<'w, V> {
    trees: [&'w DopTree<6>; 2],
    view: &'w NearView,
    /// The velocity of the second tree, in the view's coordinates.
    velocity: DVec3,
    horizon: f64,
    stack: &'w mut DistanceStack,
    visitor: &'w mut V,
}

impl<V: SweptVisitor> Work for Swept<'_, V> {
    type Output = u64;

    #[inline(always)]
    fn run<L: Lanes>(self) -> u64 {
        let Swept { trees: [a, b], view, velocity, horizon, stack, visitor } = self;
        let later = &mut stack.later;
        later.clear();
        let mut visits = 0;
        if a.is_empty() || b.is_empty() {
            return visits;
        }
        let velocity = velocity.to_array();
        let pace = velocity.map(|speed| (1.0 / speed.abs()).min(LARGE) as f32);
        let zero = L::f32x16_splat(0.0);
        let mut limit = up(horizon);
        later.push(Later { bound: f32::NEG_INFINITY, visit: Visit::whole(a.root, b.root) });
        while let Some(Later { bound, visit }) = later.pop() {
            if bound > limit {
                continue;
            }
            visits += 1;
            let (node_a, node_b) = (&a.nodes[visit.nodes[0] as usize], &b.nodes[visit.nodes[1] as usize]);
            let [sides_a, sides_b] = view.sides::<L>(node_a, node_b);
            // The opposite of the time at which all axes have come together, and the time at which the first parts.
            let (mut entry, mut exit) = (L::f32x16_splat(LARGE as f32), L::f32x16_splat(LARGE as f32));
            let mut axis = 0;
            while axis < 3 {
                let before = L::f32x16_sums::<false>(sides_a[axis], sides_b[axis]);
                let behind = L::f32x16_sums::<true>(sides_a[axis], sides_b[axis]);
                let pace = L::f32x16_splat(pace[axis]);
                let (before, behind) = (L::f32x16_mul(before, pace), L::f32x16_mul(behind, pace));
                let (comes, goes) = if velocity[axis] > 0.0 { (behind, before) } else { (before, behind) };
                entry = L::f32x16_min(entry, comes);
                exit = L::f32x16_min(exit, goes);
                axis += 1;
            }
            let late = L::f32x16_less(L::f32x16_add(entry, L::f32x16_splat(limit)), zero);
            let missed = L::f32x16_less(L::f32x16_add(entry, exit), zero);
            let past = L::f32x16_less(exit, zero);
            let mut alive = !(late | missed | past) & visit.mask;
            if alive == 0 {
                continue;
            }
            let mut bound = [0.0; 16];
            L::f32x16_store(entry, &mut bound);
            let mut i = 0;
            while i < 16 {
                bound[i] = -bound[i];
                i += 1;
            }
            let leaves = [Leaves(&node_a.children), Leaves(&node_b.children)];
            let of_leaves = LeafPairs::of::<L>(leaves);
            let mut leaf_pairs = alive & of_leaves.both;
            alive ^= leaf_pairs;
            while leaf_pairs != 0 {
                let pair = leaf_pairs.trailing_zeros() as usize % 16;
                leaf_pairs &= leaf_pairs - 1;
                if bound[pair] <= limit {
                    limit = up(visitor.meet(leaves[0].leaf(pair / 4), leaves[1].leaf(pair % 4)));
                }
            }
            let mut first = f32::INFINITY;
            while alive != 0 {
                let pair = alive.trailing_zeros() as usize % 16;
                alive &= alive - 1;
                let (row, lane) = (pair / 4, pair % 4);
                let (child_a, child_b) = (node_a.children[row], node_b.children[lane]);
                let visit = Visit::of_children(visit.nodes, [row, lane], child_a, child_b);
                later.push(Later { bound: bound[pair], visit });
                if bound[pair] < first {
                    first = bound[pair];
                } else {
                    let last = later.len() - 1;
                    later.swap(last, last - 1);
                }
            }
        }
        visits
    }
}

/// The least `f32` that is certainly not below.
#[inline(always)]
fn up(time: f64) -> f32 {
    (time as f32).next_up()
}
