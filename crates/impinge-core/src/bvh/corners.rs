//! The interface between a BVH and its elements.

use crate::math::DVec3;

/// The corners of numbered elements.
pub trait Corners: Sync {
    /// Shows all corners of an element. One without corners is left out of the tree.
    fn visit(&self, element: u32, visit: impl FnMut(DVec3));

    /// The points and triangles, where element `i` is triangle `i`: a tree that is refitted often sorts them for itself.
    fn table(&self) -> Option<(&[DVec3], &[[u32; 3]])> {
        None
    }
}

impl<P: AsRef<[DVec3]> + Sync> Corners for [P] {
    fn visit(&self, element: u32, visit: impl FnMut(DVec3)) {
        self[element as usize].as_ref().iter().copied().for_each(visit);
    }
}

impl<C: Corners + ?Sized> Corners for &C {
    #[inline]
    fn visit(&self, element: u32, visit: impl FnMut(DVec3)) {
        (**self).visit(element, visit);
    }

    fn table(&self) -> Option<(&[DVec3], &[[u32; 3]])> {
        (**self).table()
    }
}
