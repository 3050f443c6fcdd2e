//! Primitives compressed by Draco (`KHR_draco_mesh_compression`): triangles, and attributes by their numbers in the stream.

use std::panic::{AssertUnwindSafe, catch_unwind};

use draco_core::{DataType, DecodeLimits, DecoderBuffer, ErrorKind, Mesh, MeshDecoder};

use super::buffers::Buffers;
use super::draco_step;
use super::json::DracoStream;
use crate::error::{Fault, Place, ReadErrorKind};
use crate::limits::{BYTES_PER_FACE, BYTES_PER_VERTEX};
use crate::memory;

/// The name of the extension.
pub(super) const NAME: &str = "KHR_draco_mesh_compression";

/// Whether such primitives can be read.
pub(super) const IS_READ: bool = true;

/// A primitive out of its stream.
pub(super) struct Decoded {
    mesh: Mesh,
    place: Place,
}

/// Decodes the stream of a primitive, whose place is given.
pub(super) fn decode(
    buffers: &Buffers<'_>,
    stream: &DracoStream,
    primitive: &Place,
) -> Result<Decoded, Fault> {
    let place = Place::json(format!("{primitive}/extensions/{NAME}"));
    let (bytes, _) = buffers.view(stream.buffer_view, &place)?;
    // A stream of a few bytes can describe any number of equal points.
    let left = buffers.memory_left();
    let limits = DecodeLimits::default()
        .with_max_faces(left / BYTES_PER_FACE)
        .with_max_points(left / BYTES_PER_VERTEX)
        .with_max_decoded_bytes(left);
    let mut mesh = Mesh::new();
    // The decoder promises errors for whatever bytes; a slip of it must not end the process.
    let decoded = catch_unwind(AssertUnwindSafe(|| {
        MeshDecoder::new().decode(&mut DecoderBuffer::new(bytes).with_limits(limits), &mut mesh)
    }));
    match decoded {
        Ok(Ok(())) => {}
        Ok(Err(error)) if error.kind() == ErrorKind::LimitExceeded => {
            let what = format!("the Draco stream of {} bytes holds too much: {error}", bytes.len());
            return Err(Fault::unsupported(place, what));
        }
        Ok(Err(error)) => return Err(Fault::malformed(place, format!("the Draco stream is wrong: {error}"))),
        Err(_) => return Err(Fault::malformed(place, "the Draco stream is wrong: it cannot be decoded")),
    }
    buffers.will_take(mesh.num_faces(), BYTES_PER_FACE, &place)?;
    Ok(Decoded { mesh, place })
}

impl Decoded {
    /// The corners of all triangles.
    pub(super) fn corners(&self) -> Result<Vec<u32>, Fault> {
        let corners = self.mesh.faces().iter().flatten().map(|point| point.0);
        memory::collect(self.mesh.num_faces() * 3, corners)
    }

    /// The values of an attribute for every vertex. Integers are divided by `most`, where they stand for fractions.
    pub(super) fn read<const N: usize>(
        &self,
        buffers: &Buffers<'_>,
        (name, id): (&str, u32),
        most: Option<f64>,
    ) -> Result<Vec<[f64; N]>, Fault> {
        let attribute = self.mesh.attribute_by_unique_id(id).ok_or_else(|| {
            let (index, count) = (i64::from(id), self.mesh.num_attributes().max(0) as usize);
            let kind = ReadErrorKind::IndexOutOfRange { what: "attribute of the Draco stream", index, count };
            Fault::new(self.place.clone(), kind)
        })?;
        if usize::from(attribute.num_components()) != N {
            let what = format!("{name} has {} components, not {N}", attribute.num_components());
            return Err(Fault::malformed(self.place.clone(), what));
        }
        let count = self.mesh.num_points();
        buffers.will_take(count, size_of::<[f64; N]>() as u64, &self.place)?;
        let values = attribute.read_f32s(count, N);
        let divisor = most.filter(|_| !is_float(attribute.data_type())).unwrap_or(1.0);
        let elements = values.chunks_exact(N);
        let element = |chunk: &[f32]| std::array::from_fn(|i| f64::from(chunk[i]) / divisor);
        let elements: Vec<[f64; N]> = memory::collect(count, elements.map(element))?;
        match elements.iter().enumerate().find(|(_, value)| value.iter().any(|value| !value.is_finite())) {
            None => Ok(elements),
            Some((vertex, value)) => {
                let value = value.iter().copied().find(|value| !value.is_finite()).unwrap_or(f64::NAN);
                let what = format!("a component of {name} of vertex {vertex}");
                Err(Fault::new(self.place.clone(), ReadErrorKind::NotFinite { what, value }))
            }
        }
    }

    /// One step of quantized coordinates; `None` where they are not quantized.
    pub(super) fn step(
        &self,
        buffers: &Buffers<'_>,
        stream: &DracoStream,
        id: u32,
        most: Option<f64>,
    ) -> Result<Option<f64>, Fault> {
        let Some(attribute) = self.mesh.attribute_by_unique_id(id) else { return Ok(None) };
        if !is_float(attribute.data_type()) {
            return Ok(Some(1.0 / most.unwrap_or(1.0)));
        }
        let (bytes, _) = buffers.view(stream.buffer_view, &self.place)?;
        let values = attribute.read_f32s(self.mesh.num_points(), 3);
        let (positions, _) = values.as_chunks::<3>();
        Ok(draco_step::find(bytes, positions))
    }
}

fn is_float(kind: DataType) -> bool {
    matches!(kind, DataType::Float32 | DataType::Float64)
}
