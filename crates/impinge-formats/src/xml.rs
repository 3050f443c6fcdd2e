//! What readers of XML share: attributes, numbers and places.

use std::borrow::Cow;

use impinge::math::{DAffine3, DMat3, DVec3};
use roxmltree::{Document, Node, ParsingOptions};

use crate::error::{Fault, Place};
use crate::map_rounding::MapRounding;
use crate::memory;
use crate::rounding;
use crate::text::shown;

/// Nodes that a document may have for each of its bytes: `<a/>` is the shortest.
const LEAST_NODE: usize = 3;

/// The text of a document in UTF-8, or in UTF-16 where it says so by its first character.
pub(crate) fn text(bytes: &[u8]) -> Result<Cow<'_, str>, Fault> {
    let unit: fn([u8; 2]) -> u16 = match bytes {
        [0xff, 0xfe, ..] => u16::from_le_bytes,
        [0xfe, 0xff, ..] => u16::from_be_bytes,
        _ => {
            let text = str::from_utf8(bytes).map_err(|error| {
                Fault::malformed(Place::Byte(error.valid_up_to() as u64), "the XML is not in UTF-8")
            })?;
            return Ok(Cow::Borrowed(text.strip_prefix('\u{feff}').unwrap_or(text)));
        }
    };
    let (pairs, rest) = bytes[2..].as_chunks::<2>();
    let mut text = memory::text_with_capacity(bytes.len())?;
    let mut read = 2;
    for character in char::decode_utf16(pairs.iter().map(|pair| unit(*pair))) {
        let character =
            character.map_err(|_| Fault::malformed(Place::Byte(read), "the XML is not in UTF-16"))?;
        read += 2 * character.len_utf16() as u64;
        text.push(character);
    }
    if rest.is_empty() {
        Ok(Cow::Owned(text))
    } else {
        Err(Fault::malformed(Place::Byte(read), "the XML is not in UTF-16"))
    }
}

/// Parses a document. Entities of its own are refused: a few of them can stand for any amount of text.
pub(crate) fn parse(text: &str) -> Result<Document<'_>, Fault> {
    let most = u32::try_from(text.len() / LEAST_NODE + 16).unwrap_or(u32::MAX);
    let options = ParsingOptions { allow_dtd: false, nodes_limit: most, ..ParsingOptions::default() };
    Document::parse_with_options(text, options).map_err(|error| {
        let what = format!("the XML is wrong: {error}");
        Fault::malformed(Place::Line(error.pos().row), what)
    })
}

/// The line where an element starts.
pub(crate) fn place(node: Node<'_, '_>) -> Place {
    Place::Line(node.document().text_pos_at(node.range().start).row)
}

/// The elements of a name right below another.
pub(crate) fn children<'a, 'i>(node: Node<'a, 'i>, name: &'static str) -> impl Iterator<Item = Node<'a, 'i>> {
    node.children().filter(move |child| child.is_element() && child.tag_name().name() == name)
}

/// The first element of a name right below another.
pub(crate) fn child<'a, 'i>(node: Node<'a, 'i>, name: &'static str) -> Option<Node<'a, 'i>> {
    children(node, name).next()
}

/// An attribute that must be there.
pub(crate) fn attribute<'a>(node: Node<'a, '_>, name: &str) -> Result<&'a str, Fault> {
    node.attribute(name).ok_or_else(|| {
        let what = format!("<{}> has no attribute `{name}`", node.tag_name().name());
        Fault::malformed(place(node), what)
    })
}

/// A word as a number that is finite.
pub(crate) fn number(word: &str, what: &str, node: Node<'_, '_>) -> Result<f64, Fault> {
    match word.trim().parse::<f64>() {
        Ok(value) if value.is_finite() => Ok(value),
        Ok(value) => {
            let what = what.to_owned();
            Err(Fault::new(place(node), crate::ReadErrorKind::NotFinite { what, value }))
        }
        Err(_) => {
            let what = format!("{what} is `{}`, which is not a number", shown(word.as_bytes()));
            Err(Fault::malformed(place(node), what))
        }
    }
}

/// A word as an index.
pub(crate) fn index(word: &str, what: &str, node: Node<'_, '_>) -> Result<usize, Fault> {
    word.trim().parse::<usize>().map_err(|_| {
        let what =
            format!("{what} is `{}`, which is not a whole number of 0 or more", shown(word.as_bytes()));
        Fault::malformed(place(node), what)
    })
}

/// Exactly so many numbers that blanks separate, each with how far it may be off.
pub(crate) fn numbers<const N: usize>(text: &str, node: Node<'_, '_>) -> Result<[(f64, f64); N], Fault> {
    let mut list = [(0.0, 0.0); N];
    let mut words = text.split_ascii_whitespace();
    for (count, slot) in list.iter_mut().enumerate() {
        let Some(word) = words.next() else {
            let what = format!("<{}> has {count} numbers of {N}", node.tag_name().name());
            return Err(Fault::malformed(place(node), what));
        };
        let value = number(word, "a number", node)?;
        *slot = (value, rounding::of_written(word.as_bytes(), value));
    }
    match words.next() {
        None => Ok(list),
        Some(_) => {
            let what = format!("<{}> has more than {N} numbers", node.tag_name().name());
            Err(Fault::malformed(place(node), what))
        }
    }
}

/// The map with these columns and how far it may be off.
pub(crate) fn affine(columns: [[(f64, f64); 3]; 4]) -> (DAffine3, MapRounding) {
    let values = columns.map(|column| DVec3::from_array(column.map(|(value, _)| value)));
    let off = columns.map(|column| DVec3::from_array(column.map(|(_, off)| off)));
    let [x, y, z, translation] = values;
    let share = off[..3].iter().map(|column| column.length_squared()).sum::<f64>().sqrt();
    let map = DAffine3 { matrix3: DMat3::from_cols(x, y, z), translation };
    (map, MapRounding { length: off[3].length(), share })
}
