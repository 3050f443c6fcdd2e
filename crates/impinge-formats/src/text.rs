//! Lines and words of text files, as bytes: names and comments need not be UTF-8.

use impinge::math::DVec3;

use crate::error::{Fault, Place, ReadErrorKind};
use crate::rounding::Digits;

/// The lines of a text, numbered from 1, without their ends. `\n`, `\r\n` and `\r` all end a line.
pub(crate) struct Lines<'a> {
    rest: &'a [u8],
    number: u32,
}

impl<'a> Lines<'a> {
    /// All lines of a text; a byte order mark in front is not part of the first.
    pub(crate) fn new(text: &'a [u8]) -> Lines<'a> {
        Lines { rest: text.strip_prefix(b"\xef\xbb\xbf").unwrap_or(text), number: 0 }
    }

    /// The number of the line that was returned last.
    pub(crate) fn number(&self) -> u32 {
        self.number
    }

    /// What follows the line that was returned last.
    pub(crate) fn rest(&self) -> &'a [u8] {
        self.rest
    }

    /// The next line with anything but blanks and a comment on it, without the comment.
    pub(crate) fn next_filled(&mut self) -> Option<Words<'a>> {
        for line in self.by_ref() {
            let line = Words { rest: without_comment(line.rest), ..line };
            if !line.rest.trim_ascii().is_empty() {
                return Some(line);
            }
        }
        None
    }
}

impl<'a> Iterator for Lines<'a> {
    type Item = Words<'a>;

    fn next(&mut self) -> Option<Words<'a>> {
        if self.rest.is_empty() {
            return None;
        }
        self.number = self.number.saturating_add(1);
        let end = self.rest.iter().position(|&byte| byte == b'\n' || byte == b'\r');
        let (line, rest) = match end {
            None => (self.rest, &self.rest[self.rest.len()..]),
            Some(end) => {
                let width = if self.rest[end..].starts_with(b"\r\n") { 2 } else { 1 };
                (&self.rest[..end], &self.rest[end + width..])
            }
        };
        self.rest = rest;
        Some(Words { rest: line, line: self.number })
    }
}

/// The part of a line before `#`.
pub(crate) fn without_comment(line: &[u8]) -> &[u8] {
    let end = line.iter().position(|&byte| byte == b'#').unwrap_or(line.len());
    &line[..end]
}

/// The words of one line, taken from the left.
#[derive(Clone, Copy)]
pub(crate) struct Words<'a> {
    rest: &'a [u8],
    line: u32,
}

impl<'a> Words<'a> {
    pub(crate) fn new(text: &'a [u8], line: u32) -> Words<'a> {
        Words { rest: text, line }
    }

    pub(crate) fn line(&self) -> u32 {
        self.line
    }

    pub(crate) fn place(&self) -> Place {
        Place::Line(self.line)
    }

    /// What is left of the line.
    pub(crate) fn rest(&self) -> &'a [u8] {
        self.rest
    }

    /// What is left of the line as a name.
    pub(crate) fn name(&self) -> String {
        String::from_utf8_lossy(self.rest.trim_ascii()).into_owned()
    }

    /// The next word as a number that is finite.
    pub(crate) fn float(&mut self, what: &str) -> Result<f64, Fault> {
        let word = self.word(what)?;
        let value = str::from_utf8(word).ok().and_then(|word| word.parse::<f64>().ok());
        match value {
            Some(value) if value.is_finite() => Ok(value),
            Some(value) => {
                Err(Fault::new(self.place(), ReadErrorKind::NotFinite { what: what.to_owned(), value }))
            }
            None => Err(self.not_a("number", what, word)),
        }
    }

    /// The next word as a whole number.
    pub(crate) fn integer(&mut self, what: &str) -> Result<i64, Fault> {
        let word = self.word(what)?;
        parse_integer(word).ok_or_else(|| self.not_a("whole number", what, word))
    }

    /// The next word as a number of things that are to follow.
    pub(crate) fn number_of(&mut self, what: &str) -> Result<usize, Fault> {
        let count = self.integer(what)?;
        usize::try_from(count)
            .map_err(|_| Fault::malformed(self.place(), format!("{what} is {count}, which is negative")))
    }

    /// The next three words as a point, and how they are written.
    pub(crate) fn point(&mut self, digits: &mut Digits) -> Result<DVec3, Fault> {
        let mut coordinate = |what: &str| -> Result<f64, Fault> {
            let written = { *self }.next().unwrap_or_default();
            let value = self.float(what)?;
            digits.see(written);
            Ok(value)
        };
        Ok(DVec3::new(coordinate("x")?, coordinate("y")?, coordinate("z")?))
    }

    pub(crate) fn not_a(&self, kind: &str, what: &str, word: &[u8]) -> Fault {
        Fault::malformed(self.place(), format!("{what} is `{}`, which is not a {kind}", shown(word)))
    }

    fn word(&mut self, what: &str) -> Result<&'a [u8], Fault> {
        self.next().ok_or_else(|| Fault::malformed(self.place(), format!("{what} is missing")))
    }
}

impl<'a> Iterator for Words<'a> {
    type Item = &'a [u8];

    #[inline]
    fn next(&mut self) -> Option<&'a [u8]> {
        let start = self.rest.iter().position(|byte| !is_blank(*byte))?;
        let rest = &self.rest[start..];
        let end = rest.iter().position(|byte| is_blank(*byte)).unwrap_or(rest.len());
        self.rest = &rest[end..];
        Some(&rest[..end])
    }
}

fn is_blank(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t' | 0x0b | 0x0c)
}

/// A whole number with an optional sign that fits 64 bits.
pub(crate) fn parse_integer(word: &[u8]) -> Option<i64> {
    let (digits, sign) = match word {
        [b'-', digits @ ..] => (digits, -1),
        [b'+', digits @ ..] => (digits, 1),
        digits => (digits, 1),
    };
    if digits.is_empty() {
        return None;
    }
    digits.iter().try_fold(0_i64, |value, &byte| {
        let digit = byte.is_ascii_digit().then(|| i64::from(byte - b'0'))?;
        value.checked_mul(10)?.checked_add(sign * digit)
    })
}

/// A word as it may stand in a message: valid text and not too long.
pub(crate) fn shown(word: &[u8]) -> String {
    const LONGEST: usize = 40;
    let text = String::from_utf8_lossy(&word[..word.len().min(LONGEST)]);
    let text: String = text.chars().map(|c| if c.is_control() { '\u{fffd}' } else { c }).collect();
    if word.len() > LONGEST { text + "…" } else { text }
}

/// How many elements may be reserved for a count that a header claims, when each takes `least` bytes or more.
pub(crate) fn believable(count: usize, bytes_left: usize, least: usize) -> usize {
    count.min(bytes_left / least.max(1) + 1)
}
