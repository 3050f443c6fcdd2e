//! Problems of meshes, as data: validation reports every problem at once.

use std::fmt;

/// A problem of the input of a mesh.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum Problem {
    /// A coordinate is NaN or infinite.
    NotFinite {
        /// The number of the vertex.
        vertex: u32,
        /// The axis: 0, 1 or 2 for x, y or z.
        axis: usize,
        /// The value that was given.
        value: f64,
    },
    /// A face names a vertex that does not exist.
    IndexOutOfRange {
        /// The number of the face.
        face: u32,
        /// The number of the corner in the face.
        corner: usize,
        /// The vertex that the corner names.
        index: u32,
        /// The number of vertices.
        vertices: usize,
    },
    /// A strip's or fan's list of corners names a vertex that does not exist.
    StripIndexOutOfRange {
        /// The position in the list.
        position: u32,
        /// The vertex that the corner names.
        index: u32,
        /// The number of vertices.
        vertices: usize,
    },
    /// A face has no corner.
    NoCorners {
        /// The number of the face.
        face: u32,
    },
    /// The mesh has no face, so there is nothing that could collide.
    Empty,
    /// A soup's vertices do not come in threes.
    NotThrees {
        /// The number that was given.
        vertices: usize,
    },
    /// The indices of triangles do not come in threes.
    IndicesNotThrees {
        /// The number that was given.
        indices: usize,
    },
    /// More elements than can be numbered: 2³² vertices or corners, 2²⁸ faces.
    TooMany {
        /// The kind of element of which there are too many.
        what: &'static str,
        /// The number that was given.
        count: usize,
    },
    /// A polygon's corners do not lie in one plane (strict mode only).
    NotPlanar {
        /// The number of the face.
        face: u32,
    },
    /// A polygon is not convex (strict mode only).
    NotConvex {
        /// The number of the face.
        face: u32,
    },
    /// A terrain needs at least two rows and two columns.
    GridTooSmall {
        /// Rows of vertices.
        rows: usize,
        /// Vertices in a row.
        columns: usize,
    },
    /// A terrain's number of heights is not rows times columns.
    HeightCount {
        /// The number that was given.
        found: usize,
        /// The number that the mesh needs.
        expected: usize,
    },
    /// A terrain's spacing must be finite and above zero.
    Spacing {
        /// The axis: 0 or 1 for x or y.
        axis: usize,
        /// The value that was given.
        value: f64,
    },
    /// A hole names a cell that does not exist.
    HoleOutOfRange {
        /// The number of the cell.
        cell: u32,
        /// The number of cells.
        cells: usize,
    },
    /// The number of labels is not the number of faces.
    LabelCount {
        /// The number of labels.
        labels: usize,
        /// The number of faces.
        faces: usize,
    },
    /// The number of materials is not the number of faces.
    MaterialCount {
        /// The number of materials.
        materials: usize,
        /// The number of faces.
        faces: usize,
    },
    /// New positions for a number of vertices that is not the mesh's.
    VertexCount {
        /// The number of positions that were given.
        found: usize,
        /// The number that the mesh needs.
        expected: usize,
    },
    /// A new position for a vertex that does not exist.
    VertexOutOfRange {
        /// The number of the vertex.
        vertex: u32,
        /// The number of vertices.
        vertices: usize,
    },
    /// A group starts before the one in front of it, or behind the last face.
    GroupOrder {
        /// The number of the group.
        group: usize,
    },
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Problem::NotFinite { vertex, axis, value } => {
                write!(f, "vertex {vertex}: {} is {value}", ["x", "y", "z"][*axis])
            }
            Problem::IndexOutOfRange { face, corner, index, vertices } => {
                write!(f, "face {face}: corner {corner} names vertex {index}, but there are {vertices}")
            }
            Problem::StripIndexOutOfRange { position, index, vertices } => {
                write!(f, "index {position}: names vertex {index}, but there are {vertices}")
            }
            Problem::NoCorners { face } => write!(f, "face {face}: has no corner"),
            Problem::Empty => write!(f, "the mesh has no face"),
            Problem::NotThrees { vertices } => {
                write!(f, "a triangle soup has {vertices} vertices, which is not a multiple of three")
            }
            Problem::IndicesNotThrees { indices } => {
                write!(f, "triangles have {indices} indices, which is not a multiple of three")
            }
            Problem::TooMany { what, count } => {
                write!(f, "{count} {what} are more than can be numbered")
            }
            Problem::NotPlanar { face } => write!(f, "face {face}: its corners do not lie in one plane"),
            Problem::NotConvex { face } => write!(f, "face {face}: is not convex"),
            Problem::GridTooSmall { rows, columns } => {
                write!(f, "a terrain of {rows} rows and {columns} columns has no cell")
            }
            Problem::HeightCount { found, expected } => {
                write!(f, "a terrain has {found} heights, but rows times columns is {expected}")
            }
            Problem::Spacing { axis, value } => {
                write!(
                    f,
                    "the spacing in {} is {value}, but must be finite and above zero",
                    ["x", "y"][*axis]
                )
            }
            Problem::HoleOutOfRange { cell, cells } => {
                write!(f, "a hole names cell {cell}, but there are {cells}")
            }
            Problem::LabelCount { labels, faces } => write!(f, "{labels} labels for {faces} faces"),
            Problem::MaterialCount { materials, faces } => {
                write!(f, "{materials} materials for {faces} faces")
            }
            Problem::VertexCount { found, expected } => {
                write!(f, "{found} positions for {expected} vertices")
            }
            Problem::VertexOutOfRange { vertex, vertices } => {
                write!(f, "a position for vertex {vertex}, but there are {vertices}")
            }
            Problem::GroupOrder { group } => {
                write!(f, "group {group} starts before the one in front of it or behind the last face")
            }
        }
    }
}

/// Everything that is wrong with the input of a mesh.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub struct MeshError {
    problems: Vec<Problem>,
}

impl MeshError {
    /// `Ok` when there is no problem.
    pub(crate) fn check(problems: Vec<Problem>) -> Result<(), MeshError> {
        if problems.is_empty() { Ok(()) } else { Err(MeshError { problems }) }
    }

    /// The problems, in the order of the elements; at least one.
    pub fn problems(&self) -> &[Problem] {
        &self.problems
    }
}

impl fmt::Display for MeshError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        const SHOWN: usize = 5;
        for (i, problem) in self.problems.iter().take(SHOWN).enumerate() {
            write!(f, "{}{problem}", if i == 0 { "" } else { "; " })?;
        }
        match self.problems.len().saturating_sub(SHOWN) {
            0 => Ok(()),
            more => write!(f, "; and {more} more"),
        }
    }
}
