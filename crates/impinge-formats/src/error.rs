//! What can go wrong with a file, always with the file's name and the place in it.

use std::fmt;
use std::io;
use std::path::{Path, PathBuf};

use impinge::mesh::MeshError;

/// Where in a file something was found.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Place {
    /// The file as a whole.
    File,
    /// A line of a text file; the first is 1.
    Line(u32),
    /// A byte of a binary file; the first is 0.
    Byte(u64),
    /// A value in a JSON document, such as `/accessors/3`.
    Json(Box<str>),
    /// A place in a file of an archive.
    Entry {
        /// The name of the file in the archive.
        name: Box<str>,
        /// Where in that file.
        place: Box<Place>,
    },
}

impl Place {
    pub(crate) fn json(pointer: impl Into<Box<str>>) -> Place {
        Place::Json(pointer.into())
    }

    /// A place in a file of an archive.
    pub(crate) fn entry(name: &str, place: Place) -> Place {
        Place::Entry { name: name.into(), place: Box::new(place) }
    }
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Place::File => write!(f, "the file"),
            Place::Line(line) => write!(f, "line {line}"),
            Place::Byte(offset) => write!(f, "byte {offset}"),
            Place::Json(pointer) => write!(f, "{pointer}"),
            Place::Entry { name, place } if **place == Place::File => write!(f, "{name}"),
            Place::Entry { name, place } => write!(f, "{name}: {place}"),
        }
    }
}

/// Why a file could not be read.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ReadErrorKind {
    /// The operating system did not give us the file.
    #[error("cannot be read: {0}")]
    Io(io::Error),
    /// It is a folder, a pipe, a socket or a device.
    #[error("is {found}, and only regular files are read")]
    NotRegular {
        /// What it is.
        found: &'static str,
    },
    /// There is not enough memory for what it holds.
    #[error("does not fit into the memory that there is")]
    OutOfMemory,
    /// Neither the extension nor the content tells the format.
    #[error("is of no known format (OBJ, STL, PLY, OFF, glTF, GLB, 3MF and COLLADA are)")]
    UnknownFormat,
    /// It is of a format that other programs convert.
    #[error("is {format}, which is not read; {converter} writes it as glTF")]
    ForeignFormat {
        /// The format, such as `a STEP file`.
        format: &'static str,
        /// Programs that convert it.
        converter: &'static str,
    },
    /// A value is not what the format asks for.
    #[error("{0}")]
    Malformed(String),
    /// The file is correct but uses something that is not supported.
    #[error("{0}")]
    Unsupported(String),
    /// The file promises more than it holds.
    #[error("{what} needs {needed} bytes, but only {left} are left")]
    Truncated {
        /// What was being read.
        what: String,
        /// The bytes that it takes at least.
        needed: u64,
        /// The bytes that there are.
        left: u64,
    },
    /// A coordinate is NaN or infinite.
    #[error("{what} is {value}, which is not a finite number")]
    NotFinite {
        /// Which coordinate.
        what: String,
        /// What was found.
        value: f64,
    },
    /// An index names an element that does not exist. The index is written as in the file.
    #[error("index {index} names no {what}: there are {count}")]
    IndexOutOfRange {
        /// What is counted.
        what: &'static str,
        /// The index in the file's own counting.
        index: i64,
        /// How many there are.
        count: usize,
    },
    /// There is no face in the file.
    #[error("has no faces")]
    NoFaces,
    /// The mesh as a whole was refused.
    #[error("{0}")]
    Mesh(MeshError),
}

/// A file that could not be read: which, where in it, and why.
#[derive(Debug, thiserror::Error)]
#[error("{}", self.message())]
pub struct ReadError {
    /// The file, as it was named by the caller.
    pub file: String,
    /// Where in the file.
    pub place: Place,
    /// What is wrong there.
    pub kind: ReadErrorKind,
}

impl ReadError {
    fn message(&self) -> String {
        match &self.place {
            Place::File => format!("{}: {}", self.file, self.kind),
            place => format!("{}: {place}: {}", self.file, self.kind),
        }
    }
}

/// A fault found by a reader that does not know the file's name.
#[derive(Debug)]
pub(crate) struct Fault {
    pub(crate) place: Place,
    pub(crate) kind: ReadErrorKind,
}

impl Fault {
    pub(crate) fn new(place: Place, kind: ReadErrorKind) -> Fault {
        Fault { place, kind }
    }

    pub(crate) fn malformed(place: Place, what: impl Into<String>) -> Fault {
        Fault { place, kind: ReadErrorKind::Malformed(what.into()) }
    }

    pub(crate) fn unsupported(place: Place, what: impl Into<String>) -> Fault {
        Fault { place, kind: ReadErrorKind::Unsupported(what.into()) }
    }

    pub(crate) fn truncated(place: Place, what: impl Into<String>, needed: u64, left: u64) -> Fault {
        Fault { place, kind: ReadErrorKind::Truncated { what: what.into(), needed, left } }
    }

    pub(crate) fn no_faces() -> Fault {
        Fault { place: Place::File, kind: ReadErrorKind::NoFaces }
    }

    /// The fault in a file of an archive; one that is there already stays.
    pub(crate) fn in_entry(self, name: &str) -> Fault {
        match self.place {
            Place::Entry { .. } => self,
            place => Fault { place: Place::entry(name, place), kind: self.kind },
        }
    }

    pub(crate) fn in_file(self, file: &str) -> ReadError {
        ReadError { file: file.to_owned(), place: self.place, kind: self.kind }
    }
}

impl From<MeshError> for Fault {
    fn from(error: MeshError) -> Fault {
        Fault { place: Place::File, kind: ReadErrorKind::Mesh(error) }
    }
}

/// A file that could not be written; an older file of that name is still what it was.
#[derive(Debug, thiserror::Error)]
#[error("{}: cannot be written: {source}", file.display())]
pub struct WriteError {
    /// The file that was to be written.
    pub file: PathBuf,
    /// What the operating system said.
    pub source: io::Error,
}

impl WriteError {
    pub(crate) fn new(file: &Path, source: io::Error) -> WriteError {
        WriteError { file: file.to_owned(), source }
    }
}
