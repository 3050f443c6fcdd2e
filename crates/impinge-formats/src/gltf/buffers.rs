//! The bytes that a glTF document refers to: in the file itself, in a data URI, or in a file beside it.

use std::borrow::Cow;
use std::cell::{Cell, OnceCell, RefCell};
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use base64::Engine;

use super::json::{Buffer, BufferView, Document, MeshoptView};
use super::meshopt;
use crate::archive;
use crate::beside::Beside;
use crate::error::{Fault, Place, ReadErrorKind};
use crate::limits::Limits;
use crate::regular;

/// All buffers of a document, each loaded when it is first asked for: a missing file of pictures does no harm.
pub(super) struct Buffers<'a> {
    document: &'a Document,
    loaded: Vec<OnceCell<Cow<'a, [u8]>>>,
    decompressed: Vec<OnceCell<meshopt::Decoded>>,
    binary_chunk: Option<&'a [u8]>,
    beside: Beside<'a>,
    limits: Limits,
    files: RefCell<Vec<PathBuf>>,
    bytes_known: Cell<usize>,
    /// What the meshes read so far take, and their models will.
    memory: Cell<u64>,
}

impl<'a> Buffers<'a> {
    /// Files beside the document are looked for where `beside` says.
    pub(super) fn new(
        document: &'a Document,
        binary_chunk: Option<&'a [u8]>,
        beside: Beside<'a>,
        file_bytes: usize,
        limits: Limits,
    ) -> Result<Buffers<'a>, Fault> {
        check_views(document)?;
        Ok(Buffers {
            document,
            loaded: document.buffers.iter().map(|_| OnceCell::new()).collect(),
            decompressed: document.buffer_views.iter().map(|_| OnceCell::new()).collect(),
            binary_chunk,
            beside,
            limits,
            files: RefCell::new(Vec::new()),
            bytes_known: Cell::new(file_bytes),
            memory: Cell::new(0),
        })
    }

    /// The bytes of a view, and the view itself.
    pub(super) fn view(&self, index: usize, place: &Place) -> Result<(&[u8], &'a BufferView), Fault> {
        let view = get(&self.document.buffer_views, index, "buffer view", place)?;
        let view_place = Place::json(format!("/bufferViews/{index}"));
        let bytes = match &view.extensions.meshopt {
            None => self.range(view.buffer, view.byte_offset, view.byte_length, &view_place)?,
            Some(compressed) => &self.decompressed(index, view, compressed, &view_place)?.bytes,
        };
        Ok((bytes, view))
    }

    /// The step of the numbers in a view, if they were rounded to be compressed.
    pub(super) fn step(&self, view: usize) -> Option<f64> {
        self.decompressed.get(view).and_then(|view| view.get()?.step)
    }

    fn range(&self, buffer: usize, offset: usize, length: usize, place: &Place) -> Result<&[u8], Fault> {
        let buffer = self.buffer(buffer, place)?;
        let end = offset.checked_add(length);
        end.and_then(|end| buffer.get(offset..end)).ok_or_else(|| {
            let what = format!("the view of {length} bytes at {offset}");
            let needed = (offset as u64).saturating_add(length as u64);
            Fault::truncated(place.clone(), what, needed, buffer.len() as u64)
        })
    }

    /// A compressed view, decoded when it is first asked for.
    fn decompressed(
        &self,
        index: usize,
        view: &BufferView,
        compressed: &MeshoptView,
        place: &Place,
    ) -> Result<&meshopt::Decoded, Fault> {
        let cell = &self.decompressed[index];
        if let Some(known) = cell.get() {
            return Ok(known);
        }
        let MeshoptView { buffer, byte_offset, byte_length, .. } = *compressed;
        let stream = self.range(buffer, byte_offset, byte_length, place)?;
        let fault = |what: String| {
            Fault::malformed(place.clone(), format!("the view compressed by meshopt is wrong: {what}"))
        };
        meshopt::check(compressed, view.byte_length).map_err(fault)?;
        self.will_take(view.byte_length, 1, place)?;
        let decoded = meshopt::decode(stream, compressed).map_err(fault)?;
        Ok(cell.get_or_init(|| decoded))
    }

    /// To be told before memory is taken, so that a small file cannot ask for more than there is: accessors may share bytes.
    pub(super) fn will_take(&self, elements: usize, bytes_each: u64, place: &Place) -> Result<(), Fault> {
        let bytes = (elements as u64).saturating_mul(bytes_each);
        let total = self.memory.get().saturating_add(bytes);
        self.memory.set(total);
        if total <= self.limits.shared(self.bytes_known.get() as u64) {
            return Ok(());
        }
        let what =
            format!("the scene read so far takes {total} bytes of memory, far more than the file has bytes");
        Err(Fault::unsupported(place.clone(), what))
    }

    #[cfg(feature = "draco")]
    /// How much memory the rest of the scene may take.
    pub(super) fn memory_left(&self) -> u64 {
        self.limits.shared(self.bytes_known.get() as u64).saturating_sub(self.memory.get())
    }

    /// The files beside the document that were read.
    pub(super) fn files(&self) -> Vec<PathBuf> {
        self.files.borrow().clone()
    }

    /// How many bytes the file and the buffers that were loaded have.
    pub(super) fn bytes_known(&self) -> usize {
        self.bytes_known.get()
    }

    fn buffer(&self, index: usize, place: &Place) -> Result<&[u8], Fault> {
        let entry = get(&self.document.buffers, index, "buffer", place)?;
        let cell = &self.loaded[index];
        if let Some(bytes) = cell.get() {
            return Ok(&bytes[..entry.byte_length]);
        }
        let place = Place::json(format!("/buffers/{index}"));
        let bytes = self.load(index, entry, &place)?;
        if bytes.len() < entry.byte_length {
            let (needed, left) = (entry.byte_length as u64, bytes.len() as u64);
            return Err(Fault::truncated(place, "the buffer", needed, left));
        }
        if matches!(entry.uri.as_deref(), Some(uri) if !uri.starts_with("data:")) {
            self.bytes_known.set(self.bytes_known.get().saturating_add(bytes.len()));
        }
        // What lies behind is padding.
        Ok(&cell.get_or_init(|| bytes)[..entry.byte_length])
    }

    fn load(&self, index: usize, entry: &Buffer, place: &Place) -> Result<Cow<'a, [u8]>, Fault> {
        let Some(uri) = &entry.uri else {
            return match self.binary_chunk {
                Some(chunk) if index == 0 => Ok(Cow::Borrowed(chunk)),
                _ => Err(Fault::malformed(place.clone(), "the buffer has neither a URI nor a binary chunk")),
            };
        };
        if let Some(data) = uri.strip_prefix("data:") {
            return decode_data(data, place).map(Cow::Owned);
        }
        if uri.contains("://") {
            let what = format!("the buffer is `{uri}`, but nothing is loaded over a network");
            return Err(Fault::unsupported(place.clone(), what));
        }
        let folder = match self.beside {
            Beside::Folder(folder) => folder,
            Beside::Nothing => {
                let what = format!("the buffer is the file `{uri}`, but only bytes were given");
                return Err(Fault::unsupported(place.clone(), what));
            }
            Beside::Archive { files, folder } => {
                let name = archive::join(folder, &decode_path(uri).to_string_lossy());
                let Some(name) = name.filter(|name| files.has(name)) else {
                    let what = format!("the buffer is the file `{uri}`, which is not in the archive");
                    return Err(Fault::malformed(place.clone(), what));
                };
                return files.read(&name).map(Cow::Owned);
            }
        };
        let path = folder.join(decode_path(uri));
        let in_buffer = |error: io::Error| {
            let error = io::Error::new(error.kind(), format!("the buffer `{}`: {error}", path.display()));
            Fault::new(place.clone(), ReadErrorKind::Io(error))
        };
        if !self.limits.outside_folder && !lies_in(&path, folder).map_err(in_buffer)? {
            let what = format!(
                "the buffer is `{uri}`, which is outside of the file's folder, and that was not allowed"
            );
            return Err(Fault::unsupported(place.clone(), what));
        }
        let read = read_start(&path, entry.byte_length);
        if read.is_ok() {
            self.files.borrow_mut().push(path.clone());
        }
        read.map(Cow::Owned).map_err(|kind| match kind {
            ReadErrorKind::Io(error) => in_buffer(error),
            ReadErrorKind::NotRegular { .. } => {
                Fault::malformed(place.clone(), format!("the buffer `{}` {kind}", path.display()))
            }
            kind => Fault::new(place.clone(), kind),
        })
    }
}

/// An element that something at `place` refers to.
pub(super) fn get<'a, T>(
    list: &'a [T],
    index: usize,
    what: &'static str,
    place: &Place,
) -> Result<&'a T, Fault> {
    list.get(index).ok_or_else(|| {
        let index = i64::try_from(index).unwrap_or(i64::MAX);
        Fault::new(place.clone(), ReadErrorKind::IndexOutOfRange { what, index, count: list.len() })
    })
}

/// Whether a file is in a folder or below it, links resolved on both sides.
fn lies_in(path: &Path, folder: &Path) -> io::Result<bool> {
    let folder = if folder.as_os_str().is_empty() { Path::new(".") } else { folder };
    Ok(fs::canonicalize(path)?.starts_with(fs::canonicalize(folder)?))
}

/// Fails where a view reaches beyond what its buffer says to have, whatever bytes follow.
fn check_views(document: &Document) -> Result<(), Fault> {
    for (index, view) in document.buffer_views.iter().enumerate() {
        let Some(buffer) = document.buffers.get(view.buffer) else { continue };
        let needed = (view.byte_offset as u64).saturating_add(view.byte_length as u64);
        if needed > buffer.byte_length as u64 {
            let what = format!("the view of {} bytes at {}", view.byte_length, view.byte_offset);
            let place = Place::json(format!("/bufferViews/{index}"));
            return Err(Fault::truncated(place, what, needed, buffer.byte_length as u64));
        }
    }
    Ok(())
}

/// The first bytes of a file. A file that is too short is not read.
fn read_start(path: &Path, length: usize) -> Result<Vec<u8>, ReadErrorKind> {
    let found = regular::open(path)?.metadata().map_err(ReadErrorKind::Io)?.len();
    if found < length as u64 {
        let what = format!("has {found} bytes, but {length} are promised");
        return Err(ReadErrorKind::Io(io::Error::new(io::ErrorKind::UnexpectedEof, what)));
    }
    regular::read(path, Some(length as u64))
}

fn decode_data(data: &str, place: &Place) -> Result<Vec<u8>, Fault> {
    let Some((kind, data)) = data.split_once(',') else {
        return Err(Fault::malformed(place.clone(), "the data URI has no comma"));
    };
    if !kind.ends_with(";base64") {
        return Err(Fault::unsupported(place.clone(), "the data URI is not in base64"));
    }
    let config = base64::engine::GeneralPurposeConfig::new()
        .with_decode_padding_mode(base64::engine::DecodePaddingMode::Indifferent)
        .with_decode_allow_trailing_bits(true);
    base64::engine::GeneralPurpose::new(&base64::alphabet::STANDARD, config)
        .decode(data)
        .map_err(|error| Fault::malformed(place.clone(), format!("the base64 data is wrong: {error}")))
}

/// A relative URI as a path: `%20` and the like stand for bytes.
fn decode_path(uri: &str) -> PathBuf {
    let bytes = uri.as_bytes();
    let mut decoded = Vec::with_capacity(bytes.len());
    let mut at = 0;
    while let Some(&byte) = bytes.get(at) {
        let digits = bytes.get(at + 1..at + 3).and_then(|digits| str::from_utf8(digits).ok());
        let value = digits.filter(|_| byte == b'%').and_then(|digits| u8::from_str_radix(digits, 16).ok());
        decoded.push(value.unwrap_or(byte));
        at += if value.is_some() { 3 } else { 1 };
    }
    PathBuf::from(String::from_utf8_lossy(&decoded).into_owned())
}
