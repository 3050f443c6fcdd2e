//! Which format a file has: by its extension, or else by its content.

use std::fmt;
use std::path::Path;

use crate::{archive, collada, off, stl};

/// A file format that can be read.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Format {
    /// Wavefront OBJ.
    Obj,
    /// STL, text or binary.
    Stl,
    /// PLY, text or binary of either byte order.
    Ply,
    /// OFF, and its variants with colors and normals.
    Off,
    /// glTF 2.0 as JSON, with its buffers inside or beside it.
    Gltf,
    /// glTF 2.0 as one binary file.
    Glb,
    /// 3MF: objects to be built, in a ZIP archive.
    ThreeMf,
    /// COLLADA 1.4 or 1.5.
    Collada,
    /// A ZIP archive with files of several formats in it.
    Zip,
}

impl Format {
    /// The format that a file name's extension stands for, in upper or lower case.
    pub fn from_extension(extension: &str) -> Option<Format> {
        let known = [
            ("obj", Format::Obj),
            ("stl", Format::Stl),
            ("ply", Format::Ply),
            ("off", Format::Off),
            ("gltf", Format::Gltf),
            ("glb", Format::Glb),
            ("3mf", Format::ThreeMf),
            ("dae", Format::Collada),
            ("zae", Format::Zip),
            ("zip", Format::Zip),
        ];
        known.into_iter().find(|(name, _)| extension.eq_ignore_ascii_case(name)).map(|(_, format)| format)
    }

    /// The format that a file's name stands for, also where the file is packed by gzip: `part.stl.gz`.
    pub fn from_file_name(file: &Path) -> Option<Format> {
        let extension = |file: &Path| file.extension()?.to_str().map(str::to_owned);
        let outer = extension(file)?;
        if is_gzip_extension(&outer) {
            return Format::from_extension(&extension(Path::new(file.file_stem()?))?);
        }
        Format::from_extension(&outer)
    }

    /// The format that a file's first bytes tell.
    pub fn from_content(bytes: &[u8]) -> Option<Format> {
        let start = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes).trim_ascii_start();
        if bytes.starts_with(b"glTF") {
            Some(Format::Glb)
        } else if archive::is_zip(bytes) {
            Some(Format::Zip)
        } else if collada::has_root(&start[..start.len().min(4096)]) {
            Some(Format::Collada)
        } else if bytes.starts_with(b"ply\n") || bytes.starts_with(b"ply\r") {
            Some(Format::Ply)
        } else if stl::is_binary_of_this_length(bytes) || stl::is_text(bytes) {
            Some(Format::Stl)
        } else if start.starts_with(b"{") {
            Some(Format::Gltf)
        } else if off::has_keyword(start) {
            Some(Format::Off)
        } else if looks_like_obj(start) {
            Some(Format::Obj)
        } else {
            None
        }
    }
}

/// Whether an extension is that of files packed by gzip.
pub(crate) fn is_gzip_extension(extension: &str) -> bool {
    extension.eq_ignore_ascii_case("gz") || extension.eq_ignore_ascii_case("gzip")
}

impl fmt::Display for Format {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Format::Obj => "OBJ",
            Format::Stl => "STL",
            Format::Ply => "PLY",
            Format::Off => "OFF",
            Format::Gltf => "glTF",
            Format::Glb => "GLB",
            Format::ThreeMf => "3MF",
            Format::Collada => "COLLADA",
            Format::Zip => "ZIP",
        })
    }
}

/// OBJ has no mark of its own: its first line that is not a comment must start with one of its keywords.
fn looks_like_obj(start: &[u8]) -> bool {
    const KEYWORDS: [&[u8]; 9] = [b"v", b"vt", b"vn", b"f", b"g", b"o", b"s", b"mtllib", b"usemtl"];
    let mut lines = crate::text::Lines::new(start);
    lines.next_filled().and_then(|mut line| line.next()).is_some_and(|word| KEYWORDS.contains(&word))
}
