//! The binary container: a header, a chunk of JSON, and mostly a chunk of bytes.

use crate::bytes::Bytes;
use crate::error::Fault;

const JSON: u32 = u32::from_le_bytes(*b"JSON");
const BIN: u32 = u32::from_le_bytes(*b"BIN\0");

/// The two chunks of a GLB file.
pub(super) struct Chunks<'a> {
    pub(super) json: &'a [u8],
    /// Where the JSON starts in the file.
    pub(super) json_offset: u64,
    pub(super) binary: Option<&'a [u8]>,
}

impl<'a> Chunks<'a> {
    pub(super) fn read(file: &'a [u8]) -> Result<Chunks<'a>, Fault> {
        let mut header = Bytes::new(file, 0);
        if header.array::<4>("the mark `glTF`")? != *b"glTF" {
            return Err(Fault::malformed(Bytes::new(file, 0).place(), "the file does not start with `glTF`"));
        }
        let place = header.place();
        let version = header.u32("the version")?;
        if version != 2 {
            return Err(Fault::unsupported(place, format!("the version is {version}; only 2 is supported")));
        }
        let place = header.place();
        let length = header.u32("the length of the file")?;
        let inside = file.get(..length as usize).ok_or_else(|| {
            Fault::truncated(place.clone(), "the file by its own header", length.into(), file.len() as u64)
        })?;
        let body = inside.get(12..).ok_or_else(|| {
            Fault::malformed(place, format!("the length of the file is {length}, less than its header's"))
        })?;

        let mut bytes = Bytes::new(body, 12);
        let (mut json, mut binary) = (None, None);
        // Padding of less than a chunk's header may follow the last chunk.
        while bytes.left() >= 8 {
            let place = bytes.place();
            let length = bytes.u32("the length of a chunk")?;
            let kind = bytes.u32("the kind of a chunk")?;
            let (chunk_place, chunk) = (bytes.clone(), bytes.take(length as usize, "a chunk")?);
            match kind {
                JSON if json.is_none() => json = Some((chunk, chunk_place.offset())),
                BIN if binary.is_none() && json.is_some() => binary = Some(chunk),
                _ if json.is_none() => {
                    return Err(Fault::malformed(place, "the first chunk is not JSON"));
                }
                // The format asks readers to pass over chunks that they do not know.
                _ => {}
            }
        }
        let (json, json_offset) =
            json.ok_or_else(|| Fault::malformed(bytes.place(), "the file has no chunk of JSON"))?;
        Ok(Chunks { json, json_offset, binary })
    }
}
