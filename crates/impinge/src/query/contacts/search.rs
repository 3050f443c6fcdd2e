//! The search for the faces of two models that are near each other: through their trees, or by trying all.

use super::features::Features;
use crate::query::distance::MetricFrame;
use impinge_core::bvh::{DistanceStack, DopTree, LEAF_SIZE, Leaf, NearView, NearVisitor, traverse_distance};
use impinge_core::narrow::distance::pair_bounds;
use impinge_core::simd::Lanes;

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
) {
    let error = 8.0 * f64::EPSILON * frame.extent;
    let view = NearView::new(trees, [frame.maps[0].as_ref(), frame.maps[1].as_ref()], error);
    let within = features.limit + features.touch;
    traverse_distance(trees, &view, within, stack, &mut NearFaces { trees, features, within });
}

/// Tests the features of the faces of pairs of leaves.
struct NearFaces<'s, 'f, 'm> {
    trees: [&'s DopTree<6>; 2],
    features: &'s mut Features<'f, 'm>,
    within: f64,
}

impl NearVisitor for NearFaces<'_, '_, '_> {
    #[inline(always)]
    fn meet<L: Lanes>(&mut self, a: Leaf, b: Leaf) -> f64 {
        const { assert!(LEAF_SIZE == 2) };
        let elements = [self.trees[0].elements(a), self.trees[1].elements(b)];
        let [first, second] = &self.features.sides;
        let mut near = 0b1111;
        if let (Some(of_first), Some(of_second)) = (first.source.table, second.source.table) {
            let triangles = [
                first.source.triangles(of_first, elements[0]),
                second.source.triangles(of_second, elements[1]),
            ];
            let squared = self.within * self.within * (1.0 + 8.0 * f64::EPSILON);
            let least = pair_bounds::<L>(&triangles[0], &triangles[1], squared);
            let mut pair = 0;
            while pair < 4 {
                near &= !(u32::from(least[pair] > squared) << pair);
                pair += 1;
            }
        }
        if near != 0 {
            self.meet_faces(elements, near);
        }
        self.within
    }
}

impl NearFaces<'_, '_, '_> {
    #[inline(never)]
    fn meet_faces(&mut self, elements: [&[u32]; 2], near: u32) {
        for (i, &a) in elements[0].iter().enumerate() {
            for (j, &b) in elements[1].iter().enumerate() {
                if near >> (2 * i + j) & 1 == 1 {
                    self.features.meet([a, b]);
                }
            }
        }
    }
}
