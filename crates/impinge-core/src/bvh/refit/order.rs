//! The corners of a tree's elements by their places in its order: neighbors in the tree are neighbors in memory.

use super::super::Corners;
use crate::math::DVec3;

/// Elements of any kind, looked up one by one.
pub(super) struct InOrder<'t, C> {
    pub(super) corners: &'t C,
    pub(super) order: &'t [u32],
}

impl<C: Corners> Corners for InOrder<'_, C> {
    #[inline(always)]
    fn visit(&self, place: u32, visit: impl FnMut(DVec3)) {
        self.corners.visit(self.order[place as usize], visit);
    }
}

/// Triangles that were sorted.
pub(super) struct SortedTriangles<'t> {
    pub(super) points: &'t [DVec3],
    pub(super) triangles: &'t [[u32; 3]],
}

impl Corners for SortedTriangles<'_> {
    #[inline(always)]
    fn visit(&self, place: u32, mut visit: impl FnMut(DVec3)) {
        let [a, b, c] = self.triangles[place as usize];
        visit(self.points[a as usize]);
        visit(self.points[b as usize]);
        visit(self.points[c as usize]);
    }
}
