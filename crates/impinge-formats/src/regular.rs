//! Reading regular files only: a pipe would wait for ever, and a device may never end.

use std::fs::{self, File, FileType};
use std::io::{self, Read};
use std::path::Path;

use crate::error::ReadErrorKind;

/// All bytes of a regular file, or its first `at_most`.
pub(crate) fn read(path: &Path, at_most: Option<u64>) -> Result<Vec<u8>, ReadErrorKind> {
    let file = open(path)?;
    let length = file.metadata().map_err(ReadErrorKind::Io)?.len();
    let expected = at_most.unwrap_or(u64::MAX).min(length);
    let mut bytes = Vec::new();
    let room = usize::try_from(expected).map_err(|_| ReadErrorKind::OutOfMemory)?;
    bytes.try_reserve_exact(room).map_err(|_| ReadErrorKind::OutOfMemory)?;
    file.take(at_most.unwrap_or(u64::MAX)).read_to_end(&mut bytes).map_err(|error| match error.kind() {
        io::ErrorKind::OutOfMemory => ReadErrorKind::OutOfMemory,
        _ => ReadErrorKind::Io(error),
    })?;
    Ok(bytes)
}

/// Opens a regular file; links are followed. Opening a pipe would wait for somebody to write, so it is looked at first.
pub(crate) fn open(path: &Path) -> Result<File, ReadErrorKind> {
    refuse_others(fs::metadata(path).map_err(ReadErrorKind::Io)?.file_type())?;
    let file = File::open(path).map_err(ReadErrorKind::Io)?;
    // It may have been replaced in between.
    refuse_others(file.metadata().map_err(ReadErrorKind::Io)?.file_type())?;
    Ok(file)
}

fn refuse_others(found: FileType) -> Result<(), ReadErrorKind> {
    if found.is_file() { Ok(()) } else { Err(ReadErrorKind::NotRegular { found: name_of(found) }) }
}

#[cfg(unix)]
fn name_of(found: FileType) -> &'static str {
    use std::os::unix::fs::FileTypeExt;
    match found {
        _ if found.is_dir() => "a folder",
        _ if found.is_fifo() => "a pipe",
        _ if found.is_socket() => "a socket",
        _ => "a device",
    }
}

#[cfg(not(unix))]
fn name_of(found: FileType) -> &'static str {
    if found.is_dir() { "a folder" } else { "a device" }
}
