//! All pairs of leaves that a tree that moves along a line may come near, up to a number; from where an earlier traversal of more stopped.

use std::ops::Range;

use crate::bvh::steps::STEPS;
use crate::bvh::traverse::distance::NearView;
use crate::bvh::traverse::pair::{Leaf, LeafPairs, Leaves, Visit};
use crate::bvh::traverse::swept::{BoxSweep, ROUNDING, SweptTrees, up};
use crate::bvh::{DopTree, Node};
use crate::math::DVec3;
use crate::simd::{Lanes, Work, dispatch};

/// A direction of length 1 along which the elements of two trees may be apart, from the first to the second.
#[derive(Clone, Copy, Debug)]
pub struct SweptDirection {
    /// The direction.
    pub normal: DVec3,
    /// How far apart elements may be along it that matter nevertheless.
    pub error: f64,
}

/// Fronts of traversals that stopped early, one after the other: node pairs that together stand for all pairs of leaves that had not been told apart, those
/// that were gathered included.
#[derive(Clone, Debug, Default)]
pub struct SweptFronts {
    visits: Vec<Visit>,
    /// The stack of a traversal.
    later: Vec<Visit>,
}

impl SweptFronts {
    /// The number of node pairs of all fronts.
    pub fn pair_count(&self) -> usize {
        self.visits.len()
    }

    /// Keeps the first so many node pairs.
    pub fn truncate(&mut self, pair_count: usize) {
        self.visits.truncate(pair_count);
    }
}

impl SweptTrees<'_> {
    /// Gathers the pairs of leaves that may hold elements that touch until the horizon, in no order, until they are more than `most`; returns the number of
    /// visits. What a direction keeps apart at all times up to the horizon is left out.
    ///
    /// It begins at a front of an earlier traversal, whose times and boxes included those of this one, or at the roots where the range is empty. Where it stops
    /// early, the front where it stopped is added to the fronts.
    pub fn gather(
        &self,
        direction: Option<SweptDirection>,
        front: Range<usize>,
        fronts: &mut SweptFronts,
        most: usize,
        pairs: &mut Vec<[Leaf; 2]>,
    ) -> u64 {
        let view = self.view();
        let sweep = BoxSweep::new(self, &view);
        let heights = direction.map(|direction| Heights::new(&view, &direction, self));
        let (trees, horizon) = (self.trees, self.horizon);
        dispatch(Gather { trees, sweep: &sweep, heights, horizon, front, fronts, most, pairs })
    }
}

/// The bounds of boxes along a direction, each seen as it is in its own frame, and not inflated by its image in another.
struct Heights {
    /// Along each axis, the side of the first's boxes and that of the second's that come closest to the other.
    picks: [[u32; 2]; 3],
    /// The first's in the lower four, the second's in the upper.
    factors: [[f32; 8]; 3],
    shifts: [f32; 8],
}

impl Heights {
    /// The comparison along a direction, at the time up to a horizon at which the two trees are nearest to each other along it.
    fn new(view: &NearView, direction: &SweptDirection, trees: &SweptTrees<'_>) -> Heights {
        let SweptDirection { normal, error } = *direction;
        let [a, b] = view.linear.map(|linear| linear.map(|column| column.dot(normal)));
        let along: [f64; 3] = std::array::from_fn(|axis| a[axis].abs() + b[axis].abs());
        let nearer = (-normal.dot(trees.velocity) * trees.horizon * view.scale).max(0.0);
        let shift = error * view.scale + nearer - view.shift.dot(normal);
        let reach = (along[0] + along[1] + along[2]) * STEPS + view.shift.length() + shift.abs() + nearer;
        // Either coordinate may be off, along three axes.
        let shift = (shift + 4.0 * view.error + reach * ROUNDING + 1e-30) as f32;
        Heights {
            // Sides are stored the upper ones first; the second's nearest is the lower one where the first's is the upper.
            picks: std::array::from_fn(|axis| {
                let side = |is_lower: bool| axis as u32 + if is_lower { 3 } else { 0 };
                [side(a[axis] < 0.0), side(b[axis] >= 0.0)]
            }),
            factors: std::array::from_fn(|axis| {
                let (a, b) = (a[axis].abs() as f32, b[axis].abs() as f32);
                [a, a, a, a, b, b, b, b]
            }),
            shifts: [shift, shift, shift, shift, 0.0, 0.0, 0.0, 0.0],
        }
    }

    /// The pairs of children of two nodes that the direction does not keep apart.
    #[inline(always)]
    fn overlapping<L: Lanes>(&self, node_a: &Node<6>, node_b: &Node<6>) -> u32 {
        let mut along = L::load(&self.shifts);
        let mut axis = 0;
        while axis < 3 {
            let [a, b] = self.picks[axis];
            let sides = L::both(&node_a.offsets[a as usize % 6], &node_b.offsets[b as usize % 6]);
            along = L::add(along, L::mul(sides, L::load(&self.factors[axis])));
            axis += 1;
        }
        !L::f32x16_less(L::f32x16_sums::<false>(along, along), L::f32x16_splat(0.0))
    }
}

struct Gather<'w> {
    trees: [&'w DopTree<6>; 2],
    sweep: &'w BoxSweep<'w>,
    heights: Option<Heights>,
    horizon: f64,
    front: Range<usize>,
    fronts: &'w mut SweptFronts,
    most: usize,
    pairs: &'w mut Vec<[Leaf; 2]>,
}

impl Work for Gather<'_> {
    type Output = u64;

    #[inline(always)]
    fn run<L: Lanes>(self) -> u64 {
        let Gather { trees: [a, b], sweep, heights, horizon, front, fronts, most, pairs } = self;
        let SweptFronts { visits: fronts, later } = fronts;
        later.clear();
        pairs.clear();
        let mut visits = 0;
        if a.is_empty() || b.is_empty() {
            return visits;
        }
        let limit = up(horizon);
        let begin = fronts.len();
        if front.is_empty() {
            later.push(Visit::whole(a.root, b.root));
        }
        later.extend(fronts[front].iter().rev());
        while let Some(visit) = later.pop() {
            visits += 1;
            let (node_a, node_b) = (&a.nodes[visit.nodes[0] as usize], &b.nodes[visit.nodes[1] as usize]);
            let mut alive = visit.mask;
            if let Some(heights) = &heights {
                alive &= heights.overlapping::<L>(node_a, node_b);
                if alive == 0 {
                    continue;
                }
            }
            alive &= sweep.overlaps::<L>(node_a, node_b, limit).1;
            if alive == 0 {
                continue;
            }
            let leaves = [Leaves(&node_a.children), Leaves(&node_b.children)];
            let mut leaf_pairs = alive & LeafPairs::of::<L>(leaves).both;
            alive ^= leaf_pairs;
            if leaf_pairs != 0 {
                fronts.push(Visit { nodes: visit.nodes, mask: leaf_pairs });
            }
            while leaf_pairs != 0 {
                let pair = leaf_pairs.trailing_zeros() as usize % 16;
                leaf_pairs &= leaf_pairs - 1;
                pairs.push([leaves[0].leaf(pair / 4), leaves[1].leaf(pair % 4)]);
            }
            if pairs.len() > most {
                if alive != 0 {
                    fronts.push(Visit { nodes: visit.nodes, mask: alive });
                }
                fronts.extend(later.iter().rev());
                return visits;
            }
            while alive != 0 {
                let pair = alive.trailing_zeros() as usize % 16;
                alive &= alive - 1;
                let (row, lane) = (pair / 4, pair % 4);
                let (child_a, child_b) = (node_a.children[row], node_b.children[lane]);
                later.push(Visit::of_children(visit.nodes, [row, lane], child_a, child_b));
            }
        }
        fronts.truncate(begin);
        visits
    }
}

#[cfg(test)]
mod tests;
