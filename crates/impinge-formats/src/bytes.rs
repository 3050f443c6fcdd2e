//! Binary files, taken from the front: every read is checked and knows its offset.

use crate::error::{Fault, Place, ReadErrorKind};

/// The rest of a binary file.
#[derive(Clone)]
pub(crate) struct Bytes<'a> {
    rest: &'a [u8],
    offset: u64,
}

impl<'a> Bytes<'a> {
    /// Bytes that start at an offset of the file.
    pub(crate) fn new(rest: &'a [u8], offset: u64) -> Bytes<'a> {
        Bytes { rest, offset }
    }

    /// Where in the file the rest starts.
    pub(crate) fn offset(&self) -> u64 {
        self.offset
    }

    pub(crate) fn left(&self) -> u64 {
        self.rest.len() as u64
    }

    pub(crate) fn place(&self) -> Place {
        Place::Byte(self.offset)
    }

    /// Fails unless so many bytes are left; to be asked before memory is reserved for what they hold.
    pub(crate) fn need(&self, count: u64, what: &str) -> Result<(), Fault> {
        if count <= self.left() {
            return Ok(());
        }
        Err(Fault::truncated(self.place(), what, count, self.left()))
    }

    pub(crate) fn take(&mut self, count: usize, what: &str) -> Result<&'a [u8], Fault> {
        match self.rest.split_at_checked(count) {
            Some((taken, rest)) => {
                self.rest = rest;
                self.offset += count as u64;
                Ok(taken)
            }
            None => Err(Fault::truncated(self.place(), what, count as u64, self.left())),
        }
    }

    pub(crate) fn array<const N: usize>(&mut self, what: &str) -> Result<[u8; N], Fault> {
        match self.rest.split_first_chunk::<N>() {
            Some((taken, rest)) => {
                self.rest = rest;
                self.offset += N as u64;
                Ok(*taken)
            }
            None => Err(Fault::truncated(self.place(), what, N as u64, self.left())),
        }
    }

    pub(crate) fn u32(&mut self, what: &str) -> Result<u32, Fault> {
        Ok(u32::from_le_bytes(self.array(what)?))
    }

    /// A coordinate, widened.
    pub(crate) fn finite_f32(&mut self, what: &str) -> Result<f64, Fault> {
        let place = self.place();
        let value = f64::from(f32::from_le_bytes(self.array(what)?));
        if value.is_finite() {
            return Ok(value);
        }
        Err(Fault::new(place, ReadErrorKind::NotFinite { what: what.to_owned(), value }))
    }
}
