//! The search for the faces of two models that are near each other: through their trees, or by trying all.

use super::batch::fill;
use super::features::Features;
use crate::model::OwnedFeatures;
use crate::pair::surface::{PlacedPieces, side_by_side};
use crate::query::distance::MetricFrame;
use impinge_core::bvh::{
    DistanceStack, DopTree, LEAF_SIZE, Leaf, Leaves, NearView, NearVisitor, WIDTH, traverse_distance,
};
use impinge_core::narrow::contact_batch::{BATCH_TRIANGLES, BatchCache, compare};
use impinge_core::narrow::distance::pair_bounds;
use impinge_core::narrow::tri_tri::TriPair4;
use impinge_core::simd::Lanes;

/// So many pairs of leaves are measured first: that costs less than placing the features of two nodes, and often ends it.
const FEW_PAIRS: u32 = 4;

/// Tests every face against every other.
pub(super) fn brute_force(features: &mut Features<'_, '_>) {
    let [first, second] = [0, 1].map(|side| features.sides[side].mesh().face_count() as u32);
    for a in 0..first {
        for b in 0..second {
            features.meet([a, b]);
        }
    }
}

/// Traverses the trees of the host and the guest.
pub(super) fn traverse_bvh(
    trees: [&DopTree<6>; 2],
    frame: &MetricFrame,
    features: &mut Features<'_, '_>,
    stack: &mut DistanceStack,
    (batches, pieces): (&mut [BatchCache; 2], &mut [PlacedPieces; 2]),
) {
    let error = 8.0 * f64::EPSILON * frame.extent;
    let view = NearView::new(trees, [frame.maps[0].as_ref(), frame.maps[1].as_ref()], error);
    let within = features.limit + features.touch;
    let owned = [0, 1].map(|side| features.sides[side].model().owned_features());
    batches.iter_mut().for_each(BatchCache::clear);
    let mut visitor = NearTriangles { trees, features, owned, batches, pieces, within };
    traverse_distance(trees, &view, within, stack, &mut visitor);
}

/// Tests the features of the triangles of pairs of nodes.
struct NearTriangles<'s, 'f, 'm> {
    trees: [&'s DopTree<6>; 2],
    features: &'s mut Features<'f, 'm>,
    owned: [&'s [OwnedFeatures]; 2],
    batches: &'s mut [BatchCache; 2],
    /// The memory for the triangles of polygons.
    pieces: &'s mut [PlacedPieces; 2],
    within: f64,
}

impl NearVisitor for NearTriangles<'_, '_, '_> {
    const TAKES_NODES: bool = true;

    #[inline(always)]
    fn meet<L: Lanes>(&mut self, _: Leaf, _: Leaf) -> f64 {
        self.within
    }

    #[inline(always)]
    fn meet_nodes<L: Lanes>(&mut self, nodes: [u32; 2], leaves: [Leaves<'_>; 2], pairs: u32) {
        const { assert!(LEAF_SIZE * WIDTH == BATCH_TRIANGLES && LEAF_SIZE == 2) };
        let mut pairs = pairs;
        if pairs.count_ones() <= FEW_PAIRS {
            pairs = self.near::<L>(leaves, pairs);
            if pairs == 0 {
                return;
            }
        }
        let chunks = [self.chunks(0, leaves[0]), self.chunks(1, leaves[1])];
        let Features { sides, limit, touch, candidates, stats, .. } = &mut *self.features;
        let ([first, second], [first_owned, second_owned]) = (&mut *self.batches, self.owned);
        for i in 0..chunks[0] {
            let fill_first = |batch: &mut _| fill(batch, self.trees[0], leaves[0], i, &sides[0], first_owned);
            let a = first.get([nodes[0], i], fill_first);
            for j in 0..chunks[1] {
                let fill_second =
                    |batch: &mut _| fill(batch, self.trees[1], leaves[1], j, &sides[1], second_owned);
                let b = second.get([nodes[1], j], fill_second);
                let pairs = pairs & a.group_pairs(b);
                if pairs != 0 {
                    let counts = compare::<L>([a, b], pairs, [*limit + *touch, *touch], candidates);
                    stats.face_tests += counts.faces;
                    stats.vertex_tests += counts.vertices;
                    stats.edge_tests += counts.edges;
                }
            }
        }
        while let Some(candidate) = self.features.candidates.pop() {
            self.features.meet_candidate(candidate);
        }
    }
}

impl NearTriangles<'_, '_, '_> {
    /// The number of batches that hold the triangles of a node's leaves.
    #[inline(always)]
    fn chunks(&self, side: usize, leaves: Leaves<'_>) -> u32 {
        let of_side = &self.features.sides[side];
        if of_side.source.table.is_some() {
            return 1;
        }
        let faces = leaves.all().flat_map(|(_, leaf)| self.trees[side].elements(leaf));
        faces.map(|&face| of_side.fan_count(face)).sum::<u32>().div_ceil(BATCH_TRIANGLES as u32)
    }

    /// Those of some pairs of leaves that have triangles within the distance.
    #[inline(always)]
    fn near<L: Lanes>(&mut self, leaves: [Leaves<'_>; 2], pairs: u32) -> u32 {
        let squared = self.within * self.within * (1.0 + 8.0 * f64::EPSILON);
        let (mut rest, mut near) = (pairs, 0);
        while rest != 0 {
            let pair = rest.trailing_zeros() as usize % 16;
            rest &= rest - 1;
            let leaves = [leaves[0].leaf(pair / 4), leaves[1].leaf(pair % 4)];
            near |= u32::from(self.are_near::<L>(leaves, squared)) << pair;
        }
        near
    }

    /// Whether two leaves have triangles whose distance, squared, is at most so much.
    #[inline(always)]
    fn are_near<L: Lanes>(&mut self, [a, b]: [Leaf; 2], squared: f64) -> bool {
        let [first, second] = &self.features.sides;
        let (a, b) = (self.trees[0].elements(a), self.trees[1].elements(b));
        if let (Some(of_first), Some(of_second)) = (first.source.table, second.source.table) {
            let pairs = [first.source.triangles(of_first, a), second.source.triangles(of_second, b)];
            return least_bound::<L>(&pairs, squared) <= squared;
        }
        first.source.pieces(a, &mut self.pieces[0]);
        second.source.pieces(b, &mut self.pieces[1]);
        for a in self.pieces[0].chunks(2) {
            for b in self.pieces[1].chunks(2) {
                if least_bound::<L>(&[side_by_side(a), side_by_side(b)], squared) <= squared {
                    return true;
                }
            }
        }
        false
    }
}

/// The least bound of the distances, squared, of two triangles and two others.
#[inline(always)]
fn least_bound<L: Lanes>([a, b]: &[TriPair4; 2], squared: f64) -> f64 {
    let least = pair_bounds::<L>(a, b, squared);
    least[0].min(least[1]).min(least[2]).min(least[3])
}
