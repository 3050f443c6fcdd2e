//! The search for triangles that may come near a point on its way along a line: through one tree, as a ray is followed.

use std::ops::ControlFlow;

use super::{MovingPieces, Tester, Trees};
use crate::query::point::is_point;
use impinge_core::bvh::{DopTree, Leaf, RayVisitor, TreeRay, traverse_ray};
use impinge_core::math::DVec3;
use impinge_core::simd::Lanes;

impl Tester<'_, '_, '_> {
    /// Looks through the tree that stands still along a ray, where what moves along a line is one point; `false` where it is not.
    pub(super) fn follow_point(&mut self, trees: &Trees<'_>, velocity: DVec3, unit: f64) -> bool {
        if !is_point(self.problem.sources[0].model) || trees.maps[0].is_some() {
            return false;
        }
        let mut pieces = std::mem::take(&mut self.moving);
        self.take_moving(&[0], &mut pieces);
        let (tree, start) = (trees.trees[0], pieces.pieces[0].corners[0]);
        if let Some(ray) = TreeRay::along(tree, start, velocity, self.times[1] / unit, self.reach) {
            let mut visitor = PointLeaves { tree, tester: self, pieces: &mut pieces, unit };
            traverse_ray(tree, &ray, &mut visitor);
        }
        self.moving = pieces;
        true
    }
}

/// Tests the faces of leaves against a point.
struct PointLeaves<'v, 's, 'l, 'm, 't> {
    tree: &'t DopTree<6>,
    tester: &'v mut Tester<'s, 'l, 'm>,
    pieces: &'v mut MovingPieces,
    /// The unit of time of the traversal.
    unit: f64,
}

impl RayVisitor for PointLeaves<'_, '_, '_, '_, '_> {
    #[inline(always)]
    fn meet<L: Lanes>(&mut self, leaf: Leaf) -> ControlFlow<()> {
        let faces = self.tree.elements(leaf);
        self.tester.stats.box_tests += faces.len() as u64;
        self.tester.test_against(self.pieces, faces);
        ControlFlow::Continue(())
    }

    #[inline(always)]
    fn limit(&self) -> f64 {
        self.tester.times[1] / self.unit
    }
}
