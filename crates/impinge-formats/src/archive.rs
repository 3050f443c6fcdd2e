//! Files within files: gzip around one, ZIP around many.
//!
//! A few bytes can unpack to gigabytes, so that all that is unpacked counts against a limit.

use std::cell::{Cell, RefCell};
use std::io::{Cursor, Read};

use flate2::read::MultiGzDecoder;
use zip::ZipArchive;
use zip::result::ZipError;

use crate::beside::Files;
use crate::error::{Fault, Place, ReadErrorKind};
use crate::limits::Limits;

/// Whether a file is packed by gzip.
pub(crate) fn is_gzip(bytes: &[u8]) -> bool {
    bytes.starts_with(&[0x1f, 0x8b, 8])
}

/// Whether a file is a ZIP archive.
pub(crate) fn is_zip(bytes: &[u8]) -> bool {
    bytes.starts_with(b"PK\x03\x04") || bytes.starts_with(b"PK\x05\x06")
}

/// What gzip has packed.
pub(crate) fn gunzip(bytes: &[u8], limits: Limits) -> Result<Vec<u8>, Fault> {
    let most = limits.unpacked(bytes.len() as u64);
    let unpacked = read_at_most(MultiGzDecoder::new(bytes), most).map_err(|failed| match failed {
        Failed::TooMuch => too_much(Place::File, most),
        Failed::Kind(ReadErrorKind::Io(error)) => {
            Fault::malformed(Place::File, format!("the gzip data is wrong: {error}"))
        }
        Failed::Kind(kind) => Fault::new(Place::File, kind),
    })?;
    Ok(unpacked)
}

/// A ZIP archive.
pub(crate) struct Archive<'a> {
    archive: RefCell<ZipArchive<Cursor<&'a [u8]>>>,
    names: Vec<String>,
    most: u64,
    left: Cell<u64>,
}

impl<'a> Archive<'a> {
    pub(crate) fn open(bytes: &'a [u8], limits: Limits) -> Result<Archive<'a>, Fault> {
        let wrong =
            |error: &ZipError| Fault::malformed(Place::File, format!("the ZIP archive is wrong: {error}"));
        let archive = ZipArchive::new(Cursor::new(bytes)).map_err(|error| wrong(&error))?;
        let name = |index: usize| match archive.name_for_index(index) {
            Some(Ok(name)) => Ok(name.into_owned()),
            Some(Err(error)) => Err(wrong(&error)),
            None => Ok(String::new()),
        };
        let names = (0..archive.len()).map(name).collect::<Result<_, _>>()?;
        let most = limits.unpacked(bytes.len() as u64);
        Ok(Archive { archive: RefCell::new(archive), names, most, left: Cell::new(most) })
    }

    /// The names of all entries, in the order of the archive; those of folders end with a slash.
    pub(crate) fn names(&self) -> &[String] {
        &self.names
    }
}

impl Files for Archive<'_> {
    fn has(&self, name: &str) -> bool {
        self.names.iter().any(|known| known == name)
    }

    fn read(&self, name: &str) -> Result<Vec<u8>, Fault> {
        let place = || Place::entry(name, Place::File);
        let mut archive = self.archive.borrow_mut();
        let entry = archive.by_name(name).map_err(|error| match error {
            ZipError::FileNotFound => {
                Fault::malformed(Place::File, format!("there is no `{name}` in the archive"))
            }
            error => Fault::unsupported(place(), format!("cannot be unpacked: {error}")),
        })?;
        let left = self.left.get();
        let bytes = read_at_most(entry, left).map_err(|failed| match failed {
            Failed::TooMuch => too_much(place(), self.most),
            Failed::Kind(ReadErrorKind::Io(error)) => {
                Fault::malformed(place(), format!("cannot be unpacked: {error}"))
            }
            Failed::Kind(kind) => Fault::new(place(), kind),
        })?;
        self.left.set(left - bytes.len() as u64);
        Ok(bytes)
    }
}

enum Failed {
    TooMuch,
    Kind(ReadErrorKind),
}

fn too_much(place: Place, most: u64) -> Fault {
    let mebibytes = most >> 20;
    Fault::unsupported(place, format!("unpacks to more than the {mebibytes} MiB of memory allowed"))
}

/// All of a stream; memory grows with what comes, whatever a header promises.
fn read_at_most(stream: impl Read, most: u64) -> Result<Vec<u8>, Failed> {
    let mut bytes = Vec::new();
    let mut stream = stream.take(most.saturating_add(1));
    let mut chunk = vec![0; 1 << 16];
    loop {
        let count = match stream.read(&mut chunk) {
            Ok(0) => return Ok(bytes),
            Ok(count) => count,
            Err(error) if error.kind() == std::io::ErrorKind::Interrupted => continue,
            Err(error) => return Err(Failed::Kind(ReadErrorKind::Io(error))),
        };
        bytes.try_reserve(count).map_err(|_| Failed::Kind(ReadErrorKind::OutOfMemory))?;
        bytes.extend_from_slice(&chunk[..count]);
        if bytes.len() as u64 > most {
            return Err(Failed::TooMuch);
        }
    }
}

/// A path in an archive, from a folder in it: `..` goes up, but never out.
pub(crate) fn join(folder: &str, path: &str) -> Option<String> {
    let mut pieces: Vec<&str> = Vec::new();
    let all = if path.starts_with('/') { path.to_owned() } else { format!("{folder}/{path}") };
    for piece in all.split(['/', '\\']) {
        match piece {
            "" | "." => {}
            ".." => {
                pieces.pop()?;
            }
            piece => pieces.push(piece),
        }
    }
    Some(pieces.join("/"))
}

/// The folder of an entry.
pub(crate) fn folder_of(name: &str) -> &str {
    name.rsplit_once('/').map_or("", |(folder, _)| folder)
}
