//! The triangles of a mesh's faces, as rays see them.

use crate::math::DVec3;
use crate::mesh::Mesh;

/// The faces of a mesh in its own frame.
#[derive(Clone, Copy)]
pub(super) struct RayFaces<'m> {
    pub(super) mesh: &'m Mesh,
    /// The tables of an indexed triangle mesh, which most are.
    pub(super) table: Option<(&'m [DVec3], &'m [[u32; 3]])>,
}

impl<'m> RayFaces<'m> {
    pub(super) fn new(mesh: &'m Mesh) -> RayFaces<'m> {
        RayFaces { mesh, table: mesh.triangle_table() }
    }

    /// The number of triangles in the fan of a face.
    #[inline]
    pub(super) fn fan_count(&self, face: u32) -> u32 {
        if self.table.is_some() { 1 } else { self.mesh.fan_count(face) as u32 }
    }

    /// The vertices of a triangle of a face's fan.
    #[inline]
    pub(super) fn vertices(&self, face: u32, k: u32) -> [u32; 3] {
        match self.table {
            Some((_, triangles)) => triangles[face as usize],
            None => self.mesh.fan_triangle(face, k as usize),
        }
    }

    /// The corners of a triangle of a face's fan.
    #[inline]
    pub(super) fn corners(&self, face: u32, k: u32) -> [DVec3; 3] {
        match self.table {
            Some((points, triangles)) => triangles[face as usize].map(|vertex| points[vertex as usize]),
            None => self.mesh.fan_triangle(face, k as usize).map(|vertex| self.mesh.vertex(vertex)),
        }
    }
}
