//! Features of a mesh's surface: vertices, edges and faces.

use std::fmt;

/// A feature of a mesh: a vertex, an edge or a face, by the user's indices.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
#[cfg_attr(feature = "serde", derive(serde::Deserialize, serde::Serialize))]
pub enum Feature {
    /// A vertex.
    Vertex(u32),
    /// An edge of a face's boundary.
    #[non_exhaustive]
    Edge {
        /// The ends of the edge, the lesser first, as the face names them.
        vertices: [u32; 2],
        /// A face along the edge.
        face: u32,
    },
    /// The inside of a face. Diagonals of a polygon's fan count as inside.
    Face(u32),
}

impl Feature {
    /// An edge between two vertices, the lesser first, along a face.
    pub(crate) fn edge(vertices: [u32; 2], face: u32) -> Feature {
        Feature::Edge { vertices, face }
    }
}

impl fmt::Display for Feature {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Feature::Vertex(vertex) => write!(f, "vertex {vertex}"),
            Feature::Edge { vertices: [from, to], face } => write!(f, "edge {from}-{to} of face {face}"),
            Feature::Face(face) => write!(f, "face {face}"),
        }
    }
}
