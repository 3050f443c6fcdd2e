//! The corners of a mesh's faces, as trees ask for them.

use super::Model;
use crate::mesh::Mesh;
use impinge_core::bvh::{AnyCorners, ShowCorners};
use impinge_core::math::DVec3;

/// The corners of the faces of any mesh.
pub(super) struct FaceCorners<'m>(pub(super) &'m Mesh);

impl FaceCorners<'_> {
    /// The corners as trees take them: from the table of triangles, where there is one, or from the list of polygons.
    pub(super) fn any(&self) -> AnyCorners<'_> {
        if let Some((points, triangles)) = self.0.triangle_table() {
            return AnyCorners::Table(points, triangles);
        }
        match self.0.polygon_table() {
            Some((points, corners, starts)) => AnyCorners::Polygons { points, corners, starts },
            None => AnyCorners::Shown(self),
        }
    }
}

impl ShowCorners for FaceCorners<'_> {
    fn show(&self, face: u32, visit: &mut dyn FnMut(DVec3)) {
        self.0.corners(face).map(|vertex| self.0.vertex(vertex)).for_each(visit);
    }
}

/// The corners of all faces of the parts of a model.
pub(super) struct PartCorners<'m>(pub(super) &'m Model);

impl ShowCorners for PartCorners<'_> {
    fn show(&self, part: u32, visit: &mut dyn FnMut(DVec3)) {
        let Self(model) = self;
        for &face in model.part_faces(part) {
            FaceCorners(model.mesh()).show(face, visit);
        }
    }
}
