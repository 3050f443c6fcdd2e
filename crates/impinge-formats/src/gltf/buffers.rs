//! The bytes that a glTF document refers to: in the file itself, in a data URI, or in a file beside it.

use std::borrow::Cow;
use std::cell::{Cell, OnceCell};
use std::fs::File;
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use base64::Engine;

use super::json::{Buffer, BufferView, Document};
use crate::error::{Fault, Place, ReadErrorKind};

/// How much larger what is read may be than the files that it comes from. Accessors may share bytes, so a small file
/// can describe meshes without bound; real files stay far below this.
const MOST_SHARING: usize = 64;
const ALWAYS_ALLOWED: usize = 1 << 20;

/// All buffers of a document, each loaded when it is first asked for: a missing file of pictures does no harm.
pub(super) struct Buffers<'a> {
    document: &'a Document,
    loaded: Vec<OnceCell<Cow<'a, [u8]>>>,
    binary_chunk: Option<&'a [u8]>,
    folder: Option<&'a Path>,
    bytes_known: Cell<usize>,
    elements_read: Cell<usize>,
}

impl<'a> Buffers<'a> {
    /// `folder` is where files beside the document are looked for; without one they are refused.
    pub(super) fn new(
        document: &'a Document,
        binary_chunk: Option<&'a [u8]>,
        folder: Option<&'a Path>,
        file_bytes: usize,
    ) -> Buffers<'a> {
        Buffers {
            document,
            loaded: document.buffers.iter().map(|_| OnceCell::new()).collect(),
            binary_chunk,
            folder,
            bytes_known: Cell::new(file_bytes),
            elements_read: Cell::new(0),
        }
    }

    /// The bytes of a view, and the view itself.
    pub(super) fn view(&self, index: usize, place: &Place) -> Result<(&[u8], &'a BufferView), Fault> {
        let view = get(&self.document.buffer_views, index, "buffer view", place)?;
        let view_place = Place::json(format!("/bufferViews/{index}"));
        let buffer = self.buffer(view.buffer, &view_place)?;
        let end = view.byte_offset.checked_add(view.byte_length);
        let bytes = end.and_then(|end| buffer.get(view.byte_offset..end)).ok_or_else(|| {
            let what = format!("the view of {} bytes at {}", view.byte_length, view.byte_offset);
            let needed = (view.byte_offset as u64).saturating_add(view.byte_length as u64);
            Fault::truncated(view_place, what, needed, buffer.len() as u64)
        })?;
        Ok((bytes, view))
    }

    /// To be told before elements are read, so that a small file cannot ask for more than any memory holds.
    pub(super) fn will_read(&self, elements: usize, place: &Place) -> Result<(), Fault> {
        let total = self.elements_read.get().saturating_add(elements);
        self.elements_read.set(total);
        let most = self.bytes_known.get().saturating_mul(MOST_SHARING).saturating_add(ALWAYS_ALLOWED);
        if total <= most {
            return Ok(());
        }
        let what = format!("the scene read so far has {total} elements, far more than the file has bytes");
        Err(Fault::unsupported(place.clone(), what))
    }

    /// How many bytes the file and the buffers that were loaded have.
    pub(super) fn bytes_known(&self) -> usize {
        self.bytes_known.get()
    }

    fn buffer(&self, index: usize, place: &Place) -> Result<&[u8], Fault> {
        let entry = get(&self.document.buffers, index, "buffer", place)?;
        let cell = &self.loaded[index];
        if let Some(bytes) = cell.get() {
            return Ok(bytes);
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
        Ok(cell.get_or_init(|| bytes))
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
        let Some(folder) = self.folder else {
            let what = format!("the buffer is the file `{uri}`, but only bytes were given");
            return Err(Fault::unsupported(place.clone(), what));
        };
        let path = folder.join(decode_path(uri));
        read_start(&path, entry.byte_length).map(Cow::Owned).map_err(|error| {
            let error = io::Error::new(error.kind(), format!("the buffer `{}`: {error}", path.display()));
            Fault::new(place.clone(), ReadErrorKind::Io(error))
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

/// The first bytes of a file. A file that is too short is not read, and one that is no file (a device, a pipe) would
/// never end.
fn read_start(path: &Path, length: usize) -> io::Result<Vec<u8>> {
    let file = File::open(path)?;
    let metadata = file.metadata()?;
    if !metadata.is_file() {
        return Err(io::Error::other("is not a file"));
    }
    if metadata.len() < length as u64 {
        let what = format!("has {} bytes, but {length} are promised", metadata.len());
        return Err(io::Error::new(io::ErrorKind::UnexpectedEof, what));
    }
    let mut bytes = Vec::new();
    file.take(length as u64).read_to_end(&mut bytes)?;
    Ok(bytes)
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
