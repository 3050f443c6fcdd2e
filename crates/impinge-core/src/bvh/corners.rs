//! The interface between a BVH and its elements.

use crate::math::DVec3;

/// The corners of numbered elements.
pub trait Corners: Sync {
    /// Shows all corners of an element. One without corners is left out of the tree.
    fn visit(&self, element: u32, visit: impl FnMut(DVec3));

    /// Whether an element gets a leaf of its own: one that is as much work as two others.
    #[inline]
    fn is_large(&self, _element: u32) -> bool {
        false
    }

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

    #[inline]
    fn is_large(&self, element: u32) -> bool {
        (**self).is_large(element)
    }

    fn table(&self) -> Option<(&[DVec3], &[[u32; 3]])> {
        (**self).table()
    }
}

/// Elements that show their corners to a visitor of any type: what is behind [`AnyCorners`].
pub trait ShowCorners: Sync {
    /// Shows all corners of an element.
    fn show(&self, element: u32, visit: &mut dyn FnMut(DVec3));
}

/// Corners behind one type, so that builds and refits which take them are compiled once.
#[derive(Clone, Copy)]
pub enum AnyCorners<'c> {
    /// The triangles of a table: element `i` is triangle `i`.
    Table(&'c [DVec3], &'c [[u32; 3]]),
    /// Polygons: element `i` has the corners between the starts `i` and `i + 1`.
    Polygons {
        /// The positions of the vertices.
        points: &'c [DVec3],
        /// The vertices of all polygons, one after the other.
        corners: &'c [u32],
        /// The start of each polygon among them, and their number.
        starts: &'c [u32],
    },
    /// Elements of any other kind.
    Shown(&'c dyn ShowCorners),
}

impl Corners for AnyCorners<'_> {
    #[inline(always)]
    fn visit(&self, element: u32, mut visit: impl FnMut(DVec3)) {
        match self {
            AnyCorners::Table(points, triangles) => {
                let [a, b, c] = triangles[element as usize];
                visit(points[a as usize]);
                visit(points[b as usize]);
                visit(points[c as usize]);
            }
            AnyCorners::Polygons { points, corners, starts } => {
                let ends = [starts[element as usize] as usize, starts[element as usize + 1] as usize];
                corners[ends[0]..ends[1]].iter().for_each(|&vertex| visit(points[vertex as usize]));
            }
            AnyCorners::Shown(elements) => elements.show(element, &mut visit),
        }
    }

    /// A polygon of more than three corners is two triangles or more, as many as other leaves hold.
    #[inline]
    fn is_large(&self, element: u32) -> bool {
        match self {
            AnyCorners::Polygons { starts, .. } => {
                starts[element as usize + 1] - starts[element as usize] > 3
            }
            AnyCorners::Table(..) | AnyCorners::Shown(_) => false,
        }
    }

    fn table(&self) -> Option<(&[DVec3], &[[u32; 3]])> {
        match self {
            AnyCorners::Table(points, triangles) => Some((points, triangles)),
            AnyCorners::Polygons { .. } | AnyCorners::Shown(_) => None,
        }
    }
}
