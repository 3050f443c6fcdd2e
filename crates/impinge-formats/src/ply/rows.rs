//! The numbers of a PLY file, row by row, whatever their types and encoding. Every type of PLY fits `f64` exactly.

use super::header::{Element, Encoding, Header, Kind};
use crate::bytes::Bytes;
use crate::error::{Fault, Place};
use crate::text::{Lines, Words, shown};

/// The rows that follow the header.
pub(super) enum Rows<'a> {
    Text { lines: Lines<'a>, lines_before: u32 },
    Binary { bytes: Bytes<'a>, big_endian: bool },
}

impl<'a> Rows<'a> {
    pub(super) fn new(header: &Header<'a>) -> Rows<'a> {
        let binary =
            |big_endian| Rows::Binary { bytes: Bytes::new(header.body, header.body_offset), big_endian };
        match header.encoding {
            Encoding::Text => Rows::Text { lines: Lines::new(header.body), lines_before: header.body_line },
            Encoding::LittleEndian => binary(false),
            Encoding::BigEndian => binary(true),
        }
    }

    /// Where the next row starts.
    pub(super) fn place(&self) -> Place {
        match self {
            Rows::Text { lines, lines_before } => Place::Line(lines_before + lines.number() + 1),
            Rows::Binary { bytes, .. } => bytes.place(),
        }
    }

    /// The bytes that are left.
    pub(super) fn left(&self) -> usize {
        match self {
            Rows::Text { lines, .. } => lines.rest().len(),
            Rows::Binary { bytes, .. } => bytes.left() as usize,
        }
    }

    /// The least bytes that a row of an element takes; 0 only without properties.
    pub(super) fn least_row(&self, element: &Element) -> usize {
        match self {
            // A digit and a blank or line end for each property; the last line may lack its end.
            Rows::Text { .. } => element.properties.len() * 2,
            Rows::Binary { .. } => element
                .properties
                .iter()
                .map(|property| property.length.unwrap_or(property.kind).size())
                .sum(),
        }
    }

    /// Fails where the file is too short for the rows that the header promises.
    pub(super) fn check_count(&self, element: &Element) -> Result<(), Fault> {
        let needed = (self.least_row(element) as u64).saturating_mul(element.count as u64);
        let left = self.left() as u64 + u64::from(matches!(self, Rows::Text { .. }));
        if needed <= left {
            return Ok(());
        }
        let what = format!("a table of {} rows of the kind `{}`", element.count, shown(&element.name));
        Err(Fault::truncated(self.place(), what, needed, self.left() as u64))
    }

    /// Reads one row and hands over each number with the property that it belongs to, and in a text file as it is written. Returns
    /// the row's place.
    pub(super) fn read_row(
        &mut self,
        element: &Element,
        mut take: impl FnMut(&Place, usize, f64, &[u8]) -> Result<(), Fault>,
    ) -> Result<Place, Fault> {
        if element.properties.is_empty() {
            return Ok(self.place());
        }
        match self {
            Rows::Text { lines, lines_before } => {
                let filled = lines.find(|line| !line.rest().trim_ascii().is_empty());
                let line_number = *lines_before + lines.number();
                let place = Place::Line(line_number);
                let Some(line) = filled else {
                    let what = format!("the file ends within the element `{}`", shown(&element.name));
                    return Err(Fault::malformed(place, what));
                };
                let mut words = Words::new(line.rest(), line_number);
                for (property, column) in element.properties.iter().enumerate() {
                    let count = match column.length {
                        None => 1,
                        Some(_) => words.number_of("the length of a list")?,
                    };
                    for _ in 0..count {
                        let written = { words }.next().unwrap_or_default();
                        take(&place, property, text_number(&mut words, &column.name)?, written)?;
                    }
                }
                if let Some(extra) = words.next() {
                    let what = format!("`{}` is more than the header promises", shown(extra));
                    return Err(Fault::malformed(place, what));
                }
                Ok(place)
            }
            Rows::Binary { bytes, big_endian } => {
                let place = bytes.place();
                for (property, column) in element.properties.iter().enumerate() {
                    let count = match column.length {
                        None => 1,
                        Some(length) => {
                            let place = bytes.place();
                            let value = binary_number(bytes, length, *big_endian)?;
                            let count = Kind::integral_count(value, &place)?;
                            bytes.need(count as u64 * column.kind.size() as u64, "a list")?;
                            count
                        }
                    };
                    for _ in 0..count {
                        take(&place, property, binary_number(bytes, column.kind, *big_endian)?, &[])?;
                    }
                }
                Ok(place)
            }
        }
    }

    /// Passes over all rows of an element.
    pub(super) fn skip(&mut self, element: &Element) -> Result<(), Fault> {
        if element.properties.is_empty() {
            return Ok(());
        }
        for _ in 0..element.count {
            self.read_row(element, |_, _, _, _| Ok(()))?;
        }
        Ok(())
    }
}

/// A number in a text file. Infinite and NaN are let through here: they do harm in coordinates only.
fn text_number(words: &mut Words<'_>, name: &[u8]) -> Result<f64, Fault> {
    let Some(word) = words.next() else {
        return Err(Fault::malformed(words.place(), format!("the value of `{}` is missing", shown(name))));
    };
    let value = str::from_utf8(word).ok().and_then(|word| word.parse().ok());
    value.ok_or_else(|| words.not_a("number", &format!("the value of `{}`", shown(name)), word))
}

#[inline]
fn binary_number(bytes: &mut Bytes<'_>, kind: Kind, big_endian: bool) -> Result<f64, Fault> {
    macro_rules! number {
        ($type:ty) => {{
            let raw = bytes.array("a number")?;
            f64::from(if big_endian { <$type>::from_be_bytes(raw) } else { <$type>::from_le_bytes(raw) })
        }};
    }
    Ok(match kind {
        Kind::I8 => number!(i8),
        Kind::U8 => number!(u8),
        Kind::I16 => number!(i16),
        Kind::U16 => number!(u16),
        Kind::I32 => number!(i32),
        Kind::U32 => number!(u32),
        Kind::F32 => number!(f32),
        Kind::F64 => number!(f64),
    })
}
