//! The search for the faces of two models that are near each other: through their trees, or by trying all.

use super::batch::fill;
use super::features::Features;
use crate::model::OwnedFeatures;
use crate::query::distance::MetricFrame;
use impinge_core::bvh::{
    DistanceStack, DopTree, LEAF_SIZE, Leaf, Leaves, NearView, NearVisitor, WIDTH, traverse_distance,
};
use impinge_core::narrow::contact_batch::{BATCH_TRIANGLES, BatchCache, compare};
use impinge_core::narrow::distance::pair_bounds;
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
    batches: &mut [BatchCache; 2],
) {
    let error = 8.0 * f64::EPSILON * frame.extent;
    let view = NearView::new(trees, [frame.maps[0].as_ref(), frame.maps[1].as_ref()], error);
    let within = features.limit + features.touch;
    let [first, second] = [0, 1].map(|side| features.sides[side].model().owned_features());
    if let (Some(first), Some(second)) = (first, second) {
        batches.iter_mut().for_each(BatchCache::clear);
        let mut visitor = NearTriangles { trees, features, owned: [first, second], batches, within };
        traverse_distance(trees, &view, within, stack, &mut visitor);
    } else {
        traverse_distance(trees, &view, within, stack, &mut NearFaces { trees, features, within });
    }
}

/// Tests the features of the triangles of pairs of nodes.
struct NearTriangles<'s, 'f, 'm> {
    trees: [&'s DopTree<6>; 2],
    features: &'s mut Features<'f, 'm>,
    owned: [&'s [OwnedFeatures]; 2],
    batches: &'s mut [BatchCache; 2],
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
        let Features { sides, limit, touch, candidates, stats, .. } = &mut *self.features;
        let [first, second] = &mut *self.batches;
        let a = first.get(nodes[0], |batch| fill(batch, self.trees[0], leaves[0], &sides[0], self.owned[0]));
        let b = second.get(nodes[1], |batch| fill(batch, self.trees[1], leaves[1], &sides[1], self.owned[1]));
        let counts = compare::<L>([a, b], pairs, [*limit + *touch, *touch], candidates);
        stats.face_tests += counts.faces;
        stats.vertex_tests += counts.vertices;
        stats.edge_tests += counts.edges;
        while let Some(candidate) = self.features.candidates.pop() {
            self.features.meet_candidate(candidate);
        }
    }
}

impl NearTriangles<'_, '_, '_> {
    /// Those of some pairs of leaves that have triangles within the distance.
    #[inline(always)]
    fn near<L: Lanes>(&self, leaves: [Leaves<'_>; 2], pairs: u32) -> u32 {
        let [first, second] = &self.features.sides;
        let (Some(of_first), Some(of_second)) = (first.source.table, second.source.table) else {
            return pairs;
        };
        let squared = self.within * self.within * (1.0 + 8.0 * f64::EPSILON);
        let (mut rest, mut near) = (pairs, 0);
        while rest != 0 {
            let pair = rest.trailing_zeros() as usize % 16;
            rest &= rest - 1;
            let [a, b] = [leaves[0].leaf(pair / 4), leaves[1].leaf(pair % 4)];
            let a = first.source.triangles(of_first, self.trees[0].elements(a));
            let b = second.source.triangles(of_second, self.trees[1].elements(b));
            let least = pair_bounds::<L>(&a, &b, squared);
            let is_near = least[0].min(least[1]).min(least[2]).min(least[3]) <= squared;
            near |= u32::from(is_near) << pair;
        }
        near
    }
}

/// Tests the features of the faces of pairs of leaves, faces of any kind.
struct NearFaces<'s, 'f, 'm> {
    trees: [&'s DopTree<6>; 2],
    features: &'s mut Features<'f, 'm>,
    within: f64,
}

impl NearVisitor for NearFaces<'_, '_, '_> {
    #[inline(always)]
    fn meet<L: Lanes>(&mut self, a: Leaf, b: Leaf) -> f64 {
        for &first in self.trees[0].elements(a) {
            for &second in self.trees[1].elements(b) {
                self.features.meet([first, second]);
            }
        }
        self.within
    }
}
