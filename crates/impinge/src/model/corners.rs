//! The corners of a mesh's faces, as trees ask for them.

use super::Model;
use crate::mesh::Mesh;
use impinge_core::bvh::Corners;
use impinge_core::math::DVec3;

/// The corners of triangles in a table.
pub(super) struct TableCorners<'m> {
    pub(super) points: &'m [DVec3],
    pub(super) triangles: &'m [[u32; 3]],
}

impl Corners for TableCorners<'_> {
    #[inline(always)]
    fn visit(&self, face: u32, mut visit: impl FnMut(DVec3)) {
        let [a, b, c] = self.triangles[face as usize];
        visit(self.points[a as usize]);
        visit(self.points[b as usize]);
        visit(self.points[c as usize]);
    }

    fn table(&self) -> Option<(&[DVec3], &[[u32; 3]])> {
        Some((self.points, self.triangles))
    }
}

/// The corners of the faces of any mesh.
pub(super) struct FaceCorners<'m>(pub(super) &'m Mesh);

impl Corners for FaceCorners<'_> {
    #[inline]
    fn visit(&self, face: u32, visit: impl FnMut(DVec3)) {
        self.0.corners(face).map(|vertex| self.0.vertex(vertex)).for_each(visit);
    }
}

/// The corners of all faces of the parts of a model.
pub(super) struct PartCorners<'m>(pub(super) &'m Model);

impl Corners for PartCorners<'_> {
    fn visit(&self, part: u32, mut visit: impl FnMut(DVec3)) {
        let Self(model) = self;
        for &face in model.part_faces(part) {
            FaceCorners(model.mesh()).visit(face, &mut visit);
        }
    }
}
