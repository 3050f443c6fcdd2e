//! Primitives compressed by Draco, in a build without the decoder: they are refused by name.

use super::buffers::Buffers;
use super::json::DracoStream;
use crate::error::{Fault, Place};

/// The name of the extension.
pub(super) const NAME: &str = "KHR_draco_mesh_compression";

/// Whether such primitives can be read.
pub(super) const IS_READ: bool = false;

/// There is none.
pub(super) enum Decoded {}

pub(super) fn decode(_: &Buffers<'_>, stream: &DracoStream, primitive: &Place) -> Result<Decoded, Fault> {
    let place = Place::json(format!("{primitive}/extensions/{NAME}"));
    let view = stream.buffer_view;
    let what =
        format!("the primitive is compressed by Draco (buffer view {view}), and this build has no decoder");
    Err(Fault::unsupported(place, what))
}

impl Decoded {
    pub(super) fn corners(&self) -> Result<Vec<u32>, Fault> {
        match *self {}
    }

    pub(super) fn read<const N: usize>(
        &self,
        _: &Buffers<'_>,
        _: (&str, u32),
        _: Option<f64>,
    ) -> Result<Vec<[f64; N]>, Fault> {
        match *self {}
    }

    pub(super) fn step(
        &self,
        _: &Buffers<'_>,
        _: &DracoStream,
        _: u32,
        _: Option<f64>,
    ) -> Result<Option<f64>, Fault> {
        match *self {}
    }
}
