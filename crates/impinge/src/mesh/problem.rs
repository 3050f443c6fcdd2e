//! What can be wrong with a mesh, as data: validation reports every problem at once.

use std::fmt;

/// One thing that is wrong with the input of a mesh.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum Problem {
    /// A coordinate is NaN or infinite.
    NotFinite {
        /// The vertex.
        vertex: u32,
        /// 0, 1 or 2 for x, y or z.
        axis: usize,
        /// What was found.
        value: f64,
    },
    /// A face names a vertex that does not exist.
    IndexOutOfRange {
        /// The face.
        face: u32,
        /// The corner of the face.
        corner: usize,
        /// The vertex that it names.
        index: u32,
        /// How many vertices there are.
        vertices: usize,
    },
    /// A strip's or fan's list of corners names a vertex that does not exist.
    StripIndexOutOfRange {
        /// The position in the list.
        position: u32,
        /// The vertex that it names.
        index: u32,
        /// How many vertices there are.
        vertices: usize,
    },
    /// A face has no corner.
    NoCorners {
        /// The face.
        face: u32,
    },
    /// The mesh has no face, so there is nothing that could collide.
    Empty,
    /// A soup's vertices do not come in threes.
    NotThrees {
        /// How many there are.
        vertices: usize,
    },
    /// More elements than can be numbered: 2³² vertices or corners, 2²⁸ faces.
    TooMany {
        /// What there are too many of.
        what: &'static str,
        /// How many there are.
        count: usize,
    },
    /// A polygon's corners do not lie in one plane (strict mode only).
    NotPlanar {
        /// The face.
        face: u32,
    },
    /// A polygon is not convex (strict mode only).
    NotConvex {
        /// The face.
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
        /// How many there are.
        found: usize,
        /// How many there should be.
        expected: usize,
    },
    /// A terrain's spacing must be finite and above zero.
    Spacing {
        /// 0 or 1 for x or y.
        axis: usize,
        /// What was found.
        value: f64,
    },
    /// A hole names a cell that does not exist.
    HoleOutOfRange {
        /// The cell.
        cell: u32,
        /// How many cells there are.
        cells: usize,
    },
    /// The number of labels is not the number of faces.
    LabelCount {
        /// How many labels there are.
        labels: usize,
        /// How many faces there are.
        faces: usize,
    },
    /// New positions for a number of vertices that is not the mesh's.
    VertexCount {
        /// How many positions there are.
        found: usize,
        /// How many there should be.
        expected: usize,
    },
    /// A new position for a vertex that does not exist.
    VertexOutOfRange {
        /// The vertex.
        vertex: u32,
        /// How many vertices there are.
        vertices: usize,
    },
    /// A group starts before the one in front of it, or behind the last face.
    GroupOrder {
        /// The group.
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
