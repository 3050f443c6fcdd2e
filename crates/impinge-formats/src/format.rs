//! Which format a file has: by its extension, or else by its content.

use std::fmt;

use crate::{off, stl};

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
        ];
        known.into_iter().find(|(name, _)| extension.eq_ignore_ascii_case(name)).map(|(_, format)| format)
    }

    /// The format that a file's first bytes tell.
    pub fn from_content(bytes: &[u8]) -> Option<Format> {
        let start = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes).trim_ascii_start();
        if bytes.starts_with(b"glTF") {
            Some(Format::Glb)
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

impl fmt::Display for Format {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Format::Obj => "OBJ",
            Format::Stl => "STL",
            Format::Ply => "PLY",
            Format::Off => "OFF",
            Format::Gltf => "glTF",
            Format::Glb => "GLB",
        })
    }
}

/// OBJ has no mark of its own: its first line that is not a comment must start with one of its keywords.
fn looks_like_obj(start: &[u8]) -> bool {
    const KEYWORDS: [&[u8]; 9] = [b"v", b"vt", b"vn", b"f", b"g", b"o", b"s", b"mtllib", b"usemtl"];
    let mut lines = crate::text::Lines::new(start);
    lines.next_filled().and_then(|mut line| line.next()).is_some_and(|word| KEYWORDS.contains(&word))
}
