//! The attributes of a primitive's vertices: from accessors, or from a compressed stream of the primitive's own.

use super::accessor::Accessors;
use super::draco::{self, Decoded};
use super::json::{DracoStream, Primitive};
use crate::error::{Fault, Place};

/// What a primitive is read from.
pub(super) struct Source<'s, 'a> {
    pub(super) accessors: &'s Accessors<'a>,
    pub(super) place: &'s Place,
    stream: Option<(&'s DracoStream, Decoded)>,
}

impl<'s, 'a> Source<'s, 'a> {
    /// Decodes the primitive's stream, where it has one.
    pub(super) fn new(
        accessors: &'s Accessors<'a>,
        primitive: &'s Primitive,
        place: &'s Place,
    ) -> Result<Source<'s, 'a>, Fault> {
        // Without a decoder, what lies beside the stream for such readers is read.
        let has_plain = || accessors.has_bytes(primitive.attributes.position);
        let stream = match &primitive.extensions.draco {
            Some(stream) if draco::IS_READ || !has_plain() => {
                Some((stream, draco::decode(&accessors.buffers, stream, place)?))
            }
            _ => None,
        };
        Ok(Source { accessors, place, stream })
    }

    /// The corners of triangles, where the stream has them.
    pub(super) fn corners(&self) -> Result<Option<Vec<u32>>, Fault> {
        self.stream.as_ref().map(|(_, decoded)| decoded.corners()).transpose()
    }

    /// The values of an attribute: of its name in the stream, else of its accessor.
    pub(super) fn read<const N: usize>(
        &self,
        name: &str,
        accessor: usize,
        shape: &str,
    ) -> Result<Vec<[f64; N]>, Fault> {
        match &self.stream {
            Some((stream, decoded)) if stream.attributes.contains_key(name) => {
                let most = self.accessors.divisor(accessor, self.place)?;
                decoded.read(&self.accessors.buffers, (name, stream.attributes[name]), most)
            }
            // An accessor without bytes has zeros, and those of a compressed primitive are mostly so.
            Some((_, _)) if !self.accessors.has_bytes(Some(accessor)) => {
                let what = format!("{name} is neither in the compressed stream nor in a buffer");
                Err(Fault::malformed(self.place.clone(), what))
            }
            _ => self.accessors.read(accessor, shape, self.place),
        }
    }

    /// One step of the coordinates, where they are whole multiples of one.
    pub(super) fn step(&self, name: &str, accessor: usize) -> Result<Option<f64>, Fault> {
        match &self.stream {
            Some((stream, decoded)) if stream.attributes.contains_key(name) => {
                let most = self.accessors.divisor(accessor, self.place)?;
                decoded.step(&self.accessors.buffers, stream, stream.attributes[name], most)
            }
            _ => self.accessors.step(accessor, self.place),
        }
    }
}
