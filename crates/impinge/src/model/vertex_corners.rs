//! The corners of faces around each vertex, found when they are first asked for.

use crate::mesh::Mesh;

/// A corner of a face.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct FaceCorner {
    /// The number of the face.
    pub face: u32,
    /// The number of the corner in the face.
    pub corner: u32,
}

/// The corners at each vertex, one list after the other.
#[derive(Clone, Debug)]
pub(super) struct Around {
    /// Ascending for each vertex.
    corners: Vec<FaceCorner>,
    /// The start of each vertex's corners; one entry more than there are vertices.
    starts: Vec<u32>,
}

impl Around {
    /// Finds the corners around each vertex; `representative` says for each vertex the one that stands for all at its position.
    pub(super) fn new(mesh: &Mesh, representative: &[u32]) -> Around {
        let mut starts = vec![0_u32; representative.len() + 1];
        for_each_corner(mesh, representative, |vertex, _| starts[vertex + 1] += 1);
        for vertex in 1..starts.len() {
            starts[vertex] += starts[vertex - 1];
        }
        let mut next = starts.clone();
        let total = starts.last().map_or(0, |&total| total as usize);
        let mut corners = vec![FaceCorner { face: 0, corner: 0 }; total];
        for_each_corner(mesh, representative, |vertex, corner| {
            corners[next[vertex] as usize] = corner;
            next[vertex] += 1;
        });
        Around { corners, starts }
    }

    /// The corners at a vertex that represents its position.
    pub(super) fn at(&self, vertex: u32) -> &[FaceCorner] {
        let vertex = vertex as usize;
        &self.corners[self.starts[vertex] as usize..self.starts[vertex + 1] as usize]
    }
}

fn for_each_corner(mesh: &Mesh, representative: &[u32], mut visit: impl FnMut(usize, FaceCorner)) {
    for face in 0..mesh.face_count() as u32 {
        for (corner, vertex) in (0..).zip(mesh.corners(face)) {
            visit(representative[vertex as usize] as usize, FaceCorner { face, corner });
        }
    }
}
