//! What a reader did with a file beyond copying it: polygons that it split, elements that it left out, cracks that it closed.

use std::fmt;

use crate::Place;

/// One remark of a reader about a file that it could read.
#[derive(Clone, Debug, PartialEq)]
pub struct Note {
    /// Where in the file.
    pub place: Place,
    /// What was done there.
    pub kind: NoteKind,
}

/// What a reader did.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum NoteKind {
    /// The corners of a polygon do not lie in one plane, so it became triangles.
    NotPlanar {
        /// The polygon's index in the file.
        face: u32,
        /// How many triangles it became.
        pieces: u32,
    },
    /// A planar polygon is not convex, so it became triangles.
    NotConvex {
        /// The polygon's index in the file.
        face: u32,
        /// How many triangles it became.
        pieces: u32,
    },
    /// A polygon crosses itself or has no area, so it has no proper triangulation (or has too many thousand corners
    /// to find one). It became the fan from its first corner.
    NotSimple {
        /// The polygon's index in the file.
        face: u32,
        /// How many triangles it became.
        pieces: u32,
    },
    /// Vertices on open edges moved to others that rounding had parted them from; see [`SceneMesh::rounding`](crate::SceneMesh::rounding).
    Welded {
        /// How many vertices moved.
        vertices: usize,
        /// How far at most.
        within: f64,
        /// How many edges are still open.
        open_edges: usize,
    },
    /// Something that is not a face, or that is not understood, was left out. The place is that of the first.
    Skipped {
        /// What was left out, in the plural.
        what: String,
        /// How many were left out.
        count: usize,
        /// Whether faces are among them, or may be: such a file was not read as a whole.
        faces: bool,
    },
}

impl Note {
    pub(crate) fn skipped(place: Place, what: impl Into<String>, count: usize) -> Note {
        Note { place, kind: NoteKind::Skipped { what: what.into(), count, faces: false } }
    }

    /// [`Note::skipped`] of what has faces, or may have.
    pub(crate) fn left_out(place: Place, what: impl Into<String>, count: usize) -> Note {
        Note { place, kind: NoteKind::Skipped { what: what.into(), count, faces: true } }
    }

    /// How many things with faces were left out, so that nobody looks at them.
    ///
    /// These are glTF primitives without positions, OBJ's free-form surfaces and statements that are not understood, PLY's strips beside
    /// faces, 3MF's beams of a lattice, and STL's bytes behind the last facet where they are enough for another. Points, lines, hidden nodes, other scenes and
    /// extensions that a glTF file uses but does not require are no such things: a file is complete without them.
    pub fn left_out_count(&self) -> usize {
        match self.kind {
            NoteKind::Skipped { count, faces: true, .. } => count,
            _ => 0,
        }
    }
}

impl fmt::Display for Note {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.place {
            Place::File => write!(f, "{}", self.kind),
            place => write!(f, "{place}: {}", self.kind),
        }
    }
}

impl fmt::Display for NoteKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (face, pieces, why) = match self {
            NoteKind::NotPlanar { face, pieces } => (face, pieces, "is not planar"),
            NoteKind::NotConvex { face, pieces } => (face, pieces, "is not convex"),
            NoteKind::NotSimple { face, pieces } => {
                return write!(
                    f,
                    "face {face} crosses itself or has no area and became a fan of {pieces} triangles"
                );
            }
            NoteKind::Welded { vertices, within, open_edges: 0 } => {
                return write!(f, "welded {vertices} vertices within {within:.1e}; the mesh is closed now");
            }
            NoteKind::Welded { vertices, within, open_edges } => {
                return write!(
                    f,
                    "welded {vertices} vertices within {within:.1e}; {open_edges} edges are still open"
                );
            }
            NoteKind::Skipped { what, count, .. } => return write!(f, "{count} {what} left out"),
        };
        write!(f, "face {face} {why} and was split into {pieces} triangles")
    }
}

/// Counts elements of one kind that a reader leaves out, and remembers where the first stood.
#[derive(Default)]
pub(crate) struct Tally {
    first: Option<Place>,
    count: usize,
}

impl Tally {
    pub(crate) fn add(&mut self, place: Place) {
        self.first.get_or_insert(place);
        self.count += 1;
    }

    pub(crate) fn note(self, what: &str) -> Option<Note> {
        self.first.map(|place| Note::skipped(place, what, self.count))
    }

    pub(crate) fn left_out(self, what: &str) -> Option<Note> {
        self.first.map(|place| Note::left_out(place, what, self.count))
    }
}
