//! The header of a PLY file: which elements there are, and of what properties.

use crate::error::{Fault, Place};
use crate::text::{Lines, Words, shown};

/// The type of a number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    I8,
    U8,
    I16,
    U16,
    I32,
    U32,
    F32,
    F64,
}

impl Kind {
    fn named(name: &[u8]) -> Option<Kind> {
        Some(match name {
            b"char" | b"int8" => Kind::I8,
            b"uchar" | b"uint8" => Kind::U8,
            b"short" | b"int16" => Kind::I16,
            b"ushort" | b"uint16" => Kind::U16,
            b"int" | b"int32" => Kind::I32,
            b"uint" | b"uint32" => Kind::U32,
            b"float" | b"float32" => Kind::F32,
            b"double" | b"float64" => Kind::F64,
            _ => return None,
        })
    }

    /// How many bytes a number of this type takes in a binary file.
    pub(super) fn size(self) -> usize {
        match self {
            Kind::I8 | Kind::U8 => 1,
            Kind::I16 | Kind::U16 => 2,
            Kind::I32 | Kind::U32 | Kind::F32 => 4,
            Kind::F64 => 8,
        }
    }
}

/// How the numbers behind the header are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Encoding {
    Text,
    LittleEndian,
    BigEndian,
}

/// One property of an element: a number, or a list with its length in front.
pub(super) struct Property {
    pub(super) name: Vec<u8>,
    pub(super) kind: Kind,
    /// The type of the length, where this is a list.
    pub(super) length: Option<Kind>,
}

/// A table of the file.
pub(super) struct Element {
    pub(super) name: Vec<u8>,
    pub(super) count: usize,
    pub(super) properties: Vec<Property>,
    line: u32,
}

impl Element {
    /// The place of its declaration.
    pub(super) fn place(&self) -> Place {
        Place::Line(self.line)
    }

    /// The property of this name that is a number.
    pub(super) fn scalar(&self, name: &[u8]) -> Option<usize> {
        self.properties.iter().position(|property| property.length.is_none() && property.name == name)
    }

    /// The property that lists vertices.
    pub(super) fn index_list(&self) -> Result<usize, Fault> {
        let lists_vertices =
            |p: &Property| p.length.is_some() && (p.name == b"vertex_indices" || p.name == b"vertex_index");
        self.properties.iter().position(lists_vertices).ok_or_else(|| {
            let what = format!("the element `{}` has no list `vertex_indices`", shown(&self.name));
            Fault::malformed(self.place(), what)
        })
    }
}

/// Everything in front of the numbers.
pub(super) struct Header<'a> {
    pub(super) encoding: Encoding,
    pub(super) elements: Vec<Element>,
    /// What follows the header, where it starts, and how many lines are before it.
    pub(super) body: &'a [u8],
    pub(super) body_offset: u64,
    pub(super) body_line: u32,
}

impl<'a> Header<'a> {
    pub(super) fn read(bytes: &'a [u8]) -> Result<Header<'a>, Fault> {
        if bytes.is_empty() {
            return Err(Fault::no_faces());
        }
        let mut lines = Lines::new(bytes);
        if lines.next().is_none_or(|line| line.rest().trim_ascii() != b"ply") {
            return Err(Fault::malformed(Place::Line(1), "the first line is not `ply`"));
        }
        let mut encoding = None;
        let mut elements: Vec<Element> = Vec::new();
        while let Some(mut line) = lines.next() {
            let Some(keyword) = line.next() else { continue };
            match keyword {
                b"comment" | b"obj_info" => {}
                b"format" => encoding = Some(read_encoding(line)?),
                b"element" => elements.push(read_element(line)?),
                b"property" => {
                    let property = read_property(line)?;
                    let Some(element) = elements.last_mut() else {
                        return Err(Fault::malformed(line.place(), "a property belongs to no element"));
                    };
                    element.properties.push(property);
                }
                b"end_header" => {
                    let Some(encoding) = encoding else {
                        return Err(Fault::malformed(line.place(), "the header does not tell the format"));
                    };
                    let body = lines.rest();
                    let body_offset = (bytes.len() - body.len()) as u64;
                    return Ok(Header { encoding, elements, body, body_offset, body_line: lines.number() });
                }
                _ => {
                    let what = format!("`{}` is not a word of a PLY header", shown(keyword));
                    return Err(Fault::malformed(line.place(), what));
                }
            }
        }
        Err(Fault::malformed(Place::Line(lines.number()), "the file ends within the header"))
    }
}

fn read_encoding(mut line: Words<'_>) -> Result<Encoding, Fault> {
    match line.next().unwrap_or_default() {
        b"ascii" => Ok(Encoding::Text),
        b"binary_little_endian" => Ok(Encoding::LittleEndian),
        b"binary_big_endian" => Ok(Encoding::BigEndian),
        word => Err(line.not_a("format of PLY", "the format", word)),
    }
}

fn read_element(mut line: Words<'_>) -> Result<Element, Fault> {
    let name = line.next().unwrap_or_default().to_vec();
    let count = line.number_of("the number of elements")?;
    Ok(Element { name, count, properties: Vec::new(), line: line.line() })
}

fn read_property(line: Words<'_>) -> Result<Property, Fault> {
    let kind = |word: &[u8]| {
        Kind::named(word).ok_or_else(|| line.not_a("type of PLY", "the type of a property", word))
    };
    let mut words = line;
    let first = words.next().unwrap_or_default();
    let (length, kind) = if first == b"list" {
        (Some(kind(words.next().unwrap_or_default())?), kind(words.next().unwrap_or_default())?)
    } else {
        (None, kind(first)?)
    };
    Ok(Property { name: words.next().unwrap_or_default().to_vec(), kind, length })
}
