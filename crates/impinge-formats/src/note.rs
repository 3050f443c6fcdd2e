//! What a reader did with a file beyond copying it: polygons that it split, elements that it left out.

use std::fmt;

use crate::Place;

/// One remark of a reader about a file that it could read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Note {
    /// Where in the file.
    pub place: Place,
    /// What was done there.
    pub kind: NoteKind,
}

/// What a reader did.
#[derive(Clone, Debug, PartialEq, Eq)]
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
    /// Something that is not a face, or that is not understood, was left out. The place is that of the first.
    Skipped {
        /// What was left out, in the plural.
        what: String,
        /// How many were left out.
        count: usize,
    },
}

impl Note {
    pub(crate) fn skipped(place: Place, what: impl Into<String>, count: usize) -> Note {
        Note { place, kind: NoteKind::Skipped { what: what.into(), count } }
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
            NoteKind::Skipped { what, count } => return write!(f, "{count} {what} left out"),
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
}
