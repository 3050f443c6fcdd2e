//! The vertices and edges that belong to each triangle of the faces' fans: whatever several share belongs to one of them, so that it is tested once.

use super::edge::EdgeKind;
use super::parts::Orientation;
use super::{Features, Model};
use crate::mesh::Mesh;

/// The features that belong to a triangle, and those of them that stick out: one bit for each corner and each edge.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct OwnedFeatures(u16);

impl OwnedFeatures {
    /// The corners whose vertices belong to the triangle, bit by bit.
    #[inline(always)]
    pub(crate) fn vertices(self) -> u16 {
        self.0 & 0b111
    }

    /// The corners whose edges to the next corner belong to the triangle.
    #[inline(always)]
    pub(crate) fn edges(self) -> u16 {
        self.0 >> 3 & 0b111
    }

    /// Among [`vertices`](Self::vertices), those that others can touch: not those in the middle of a flat surface, nor those at the bottom of a solid's hollow.
    #[inline(always)]
    pub(crate) fn exposed_vertices(self) -> u16 {
        self.0 >> 6 & 0b111
    }

    /// Among [`edges`](Self::edges), those that others can touch in their middle.
    #[inline(always)]
    pub(crate) fn exposed_edges(self) -> u16 {
        self.0 >> 9 & 0b111
    }

    /// Whether the triangle has an inside behind it, so that nothing can touch its back.
    #[inline(always)]
    pub(crate) fn is_one_sided(self) -> bool {
        self.0 >> 12 & 1 == 1
    }
}

impl Features {
    /// The features that belong to each triangle, by [`Mesh::first_piece`].
    pub(super) fn owned(&self, mesh: &Mesh) -> &[OwnedFeatures] {
        self.owned.get_or_make(|| {
            let count = mesh.face_count() as u32;
            let mut owned = vec![OwnedFeatures::default(); mesh.first_piece(count) as usize];
            for face in 0..count {
                for piece in 0..mesh.fan_count(face) as u32 {
                    owned[(mesh.first_piece(face) + piece) as usize] = self.owned_by(mesh, face, piece);
                }
            }
            owned.into()
        })
    }

    pub(super) fn has_owned(&self) -> bool {
        self.owned.get().is_some()
    }

    /// The features of a triangle of a face's fan. A corner of the face counts for the first triangle that has it; diagonals are no edges.
    fn owned_by(&self, mesh: &Mesh, face: u32, piece: u32) -> OwnedFeatures {
        let topology = &self.topology;
        let mut bits = u16::from(self.is_one_sided(face)) << 12;
        let count = mesh.corner_count(face) as u32;
        for (i, corner) in mesh.piece_corners(face, piece).into_iter().enumerate() {
            let is_at = |owner: (u32, u32)| owner == (face, corner);
            let (has_corner, has_edge) = match i {
                0 => (piece == 0, piece == 0),
                1 => (piece == 0 && count > 1, count > 1),
                _ => (count > 2, piece + 3 == count),
            };
            let vertex = mesh.corner(face, corner as usize);
            let owner = topology.corners_at(mesh, vertex)[0];
            if has_corner && is_at((owner.face, owner.corner)) {
                bits |= 1 << i;
                bits |= u16::from(self.is_exposed_vertex(mesh, vertex)) << (6 + i);
            }
            if has_edge && let Some(edge) = topology.edge_at(mesh, face, corner as usize) {
                let owner = topology.edge_faces(edge)[0];
                if is_at((owner.face, owner.corner)) {
                    bits |= 1 << (3 + i);
                    bits |= u16::from(self.is_exposed_edge(edge)) << (9 + i);
                }
            }
        }
        OwnedFeatures(bits)
    }

    fn is_one_sided(&self, face: u32) -> bool {
        self.parts.part_of_face(face).is_some_and(|part| {
            let part = &self.parts.parts[part as usize];
            part.closed && part.orientation == Orientation::Outward
        })
    }

    fn is_exposed_edge(&self, edge: u32) -> bool {
        match self.topology.edges[edge as usize].kind {
            EdgeKind::Coplanar => false,
            EdgeKind::Internal => !self.is_one_sided(self.topology.edge_faces(edge)[0].face),
            EdgeKind::Convex | EdgeKind::Dangling | EdgeKind::Irregular => true,
        }
    }

    fn is_exposed_vertex(&self, mesh: &Mesh, vertex: u32) -> bool {
        let mut any = false;
        for at in self.topology.corners_at(mesh, vertex) {
            let count = mesh.corner_count(at.face);
            let corner = at.corner as usize;
            for corner in [corner, (corner + count - 1) % count] {
                if let Some(edge) = self.topology.edge_at(mesh, at.face, corner) {
                    any = true;
                    if self.is_exposed_edge(edge) {
                        return true;
                    }
                }
            }
        }
        !any
    }
}

impl Model {
    /// Whether a face has an inside behind it, so that nothing can touch its back.
    pub(crate) fn is_one_sided(&self, face: u32) -> bool {
        self.features().is_one_sided(face)
    }

    /// Whether an edge is one that others can touch in its middle.
    pub(crate) fn is_exposed_edge(&self, edge: u32) -> bool {
        self.features().is_exposed_edge(edge)
    }

    /// Whether a vertex is one that others can touch: not one in the middle of a flat surface, nor at the bottom of a
    /// solid's hollow.
    pub(crate) fn is_exposed_vertex(&self, vertex: u32) -> bool {
        self.features().is_exposed_vertex(&self.mesh, vertex)
    }

    /// The features that belong to each triangle, by [`Mesh::first_piece`]; found when they are first asked for.
    pub(crate) fn owned_features(&self) -> &[OwnedFeatures] {
        self.features().owned(&self.mesh)
    }
}
