//! The list of pixels that have an edge inside of something: written by the device, read as long as it is.

use std::cell::Cell;

use bytemuck::{Pod, Zeroable};

use super::Gpu;
use super::pipelines::Pipelines;
use super::targets::{LayerTarget, Targets};
use super::upload::bind;
use crate::ImageError;

/// How many fit at first.
const ROOM: u32 = 1 << 12;
/// So many are copied at least.
const LIKELY: u32 = 1 << 8;
/// What comes before the list: count, room, whether a count is negative, pixels a side, how many edges were listed, and nothing.
const HEAD: u64 = 32;

/// A pixel with an edge inside of something, and the sums of the weights of what it is inside of.
#[repr(C)]
#[derive(Clone, Copy, Debug, Pod, Zeroable)]
pub(super) struct Hit {
    pub(super) pixel: [u32; 2],
    pub(super) layer: u32,
    pub(super) depth: f32,
    /// Number of the instance plus 1, and of the edge.
    pub(super) edge: [u32; 2],
    padding: [u32; 2],
    pub(super) sums: [f32; 4],
}

pub(super) struct HitList {
    room: u32,
    /// So many are likely, as there were as many the last time: they are copied at once.
    likely: Cell<u32>,
    list: wgpu::Buffer,
    staging: wgpu::Buffer,
}

impl HitList {
    pub(super) fn new(device: &wgpu::Device) -> HitList {
        HitList::with_room(device, ROOM)
    }

    fn with_room(device: &wgpu::Device, room: u32) -> HitList {
        let size = HEAD + u64::from(room) * size_of::<Hit>() as u64;
        let buffer = |usage| {
            device.create_buffer(&wgpu::BufferDescriptor {
                label: None,
                size,
                usage,
                mapped_at_creation: false,
            })
        };
        let (source, target) = (wgpu::BufferUsages::COPY_SRC, wgpu::BufferUsages::COPY_DST);
        HitList {
            room,
            likely: Cell::new(LIKELY),
            list: buffer(wgpu::BufferUsages::STORAGE | source | target),
            staging: buffer(wgpu::BufferUsages::MAP_READ | target),
        }
    }

    /// Empties the list, for images of this size.
    pub(super) fn clear(&self, queue: &wgpu::Queue, side: u32) {
        queue.write_buffer(&self.list, 0, bytemuck::bytes_of(&[0, self.room, 0, side, 0, 0, 0, 0]));
    }

    /// What a pass over listed edges needs to gather hits.
    pub(super) fn gather_group(
        &self,
        device: &wgpu::Device,
        pipelines: &Pipelines,
        entries: &wgpu::Buffer,
    ) -> wgpu::BindGroup {
        bind(device, &pipelines.gathering, &[entries, &self.list])
    }

    /// What a pass needs to write the hits of a layer.
    pub(super) fn group(
        &self,
        device: &wgpu::Device,
        pipelines: &Pipelines,
        targets: &Targets,
        layer: &LayerTarget,
    ) -> wgpu::BindGroup {
        let textures = [&layer.ids, &targets.weights_view];
        let mut entries: Vec<wgpu::BindGroupEntry<'_>> = textures
            .into_iter()
            .zip(0..)
            .map(|(view, binding)| wgpu::BindGroupEntry {
                binding,
                resource: wgpu::BindingResource::TextureView(view),
            })
            .collect();
        entries.push(wgpu::BindGroupEntry { binding: 2, resource: self.list.as_entire_binding() });
        let layout = &pipelines.hits;
        device.create_bind_group(&wgpu::BindGroupDescriptor { label: None, layout, entries: &entries })
    }
}

/// What the list held.
pub(super) enum Listed {
    /// All, in no order.
    All {
        hits: Vec<Hit>,
        bytes: u64,
        negative: bool,
        /// How many edges were listed, where they were.
        entries: u32,
    },
    /// There was not room for so many.
    Wants(u32),
}

impl Gpu {
    /// Ends an encoder that wrote hits, and waits for them.
    pub(super) fn listed(&self, mut encoder: wgpu::CommandEncoder) -> Result<Listed, ImageError> {
        let HitList { room, likely, list, staging } = &self.hits;
        let bytes_of = |count: u32| HEAD + u64::from(count) * size_of::<Hit>() as u64;
        encoder.copy_buffer_to_buffer(list, 0, staging, 0, bytes_of(likely.get()));
        self.queue.submit([encoder.finish()]);
        let read = |bytes: &[u8]| {
            let head: [u32; 8] = bytemuck::pod_read_unaligned(&bytes[..HEAD as usize]);
            let used = bytes_of(head[0].min(likely.get())) as usize;
            (head, bytemuck::pod_collect_to_vec(&bytes[HEAD as usize..used]))
        };
        let ([count, _, negative, _, entries, ..], mut hits) =
            self.map(staging, bytes_of(likely.get()), read)?;
        if count > *room {
            return Ok(Listed::Wants(count));
        }
        let copied = likely.get();
        likely.set((2 * count).clamp(LIKELY, *room));
        if count > copied {
            let mut encoder = self.device.create_command_encoder(&wgpu::CommandEncoderDescriptor::default());
            encoder.copy_buffer_to_buffer(list, 0, staging, 0, bytes_of(count));
            self.queue.submit([encoder.finish()]);
            let all = |bytes: &[u8]| bytemuck::pod_collect_to_vec(&bytes[HEAD as usize..]);
            hits = self.map(staging, bytes_of(count), all)?;
        }
        Ok(Listed::All { hits, bytes: bytes_of(count.max(copied)), negative: negative > 0, entries })
    }

    pub(super) fn make_room(&mut self, wanted: u32) -> Result<(), ImageError> {
        let most = self.device.limits().max_storage_buffer_binding_size - HEAD;
        let most = (most / size_of::<Hit>() as u64).min(u64::from(u32::MAX));
        if u64::from(wanted) > most {
            return Err(ImageError::TooMany {
                kind: "pixels inside of something",
                count: u64::from(wanted),
                most,
            });
        }
        let room = u64::from(wanted.next_power_of_two()).min(most) as u32;
        self.hits = HitList::with_room(&self.device, room);
        Ok(())
    }
}
