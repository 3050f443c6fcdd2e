//! All layers at once: every edge of every pixel goes into a list, every face counts for the edges behind it, and what is inside of something
//! is gathered. Two passes, however many edges lie behind each other; peeling would draw everything again for each layer.
//!
//! Needs shaders of fragments that write to storage, which GL may lack: then layers are peeled.

use super::Gpu;
use super::hits::{Hit, Listed};
use super::look::{Stage, Stop, cleared, draw_faces};
use super::pipelines::Pipelines;
use super::targets::Targets;
use super::upload::bind;
use crate::ImageError;
use crate::look::Seen;

/// How many entries fit at first.
const ROOM: u32 = 1 << 15;
/// Bytes of an entry, and of what comes before the list.
const ENTRY: u64 = 40;
const HEAD: u64 = 8;
/// Entries of a group, and groups of a row, of the passes over all entries.
const GROUP: u32 = 64;
const ROW: u32 = 16_384;

/// The list of edges, and the first entry of each pixel.
pub(super) struct EdgeLists {
    side: u32,
    room: u32,
    firsts: wgpu::Buffer,
    entries: wgpu::Buffer,
    group: wgpu::BindGroup,
}

impl EdgeLists {
    fn new(device: &wgpu::Device, pipelines: &Pipelines, side: u32, room: u32) -> EdgeLists {
        let usage = wgpu::BufferUsages::STORAGE | wgpu::BufferUsages::COPY_DST | wgpu::BufferUsages::COPY_SRC;
        let buffer = |size| {
            device.create_buffer(&wgpu::BufferDescriptor {
                label: None,
                size,
                usage,
                mapped_at_creation: false,
            })
        };
        let firsts = buffer(4 * u64::from(side) * u64::from(side));
        let entries = buffer(HEAD + ENTRY * u64::from(room));
        let group = bind(device, &pipelines.lists, &[&firsts, &entries]);
        EdgeLists { side, room, firsts, entries, group }
    }
}

impl Gpu {
    /// Lists for images of this size, with room for at least so many entries.
    pub(super) fn prepare_lists(&mut self, side: u32, wanted: u32) -> Result<(), ImageError> {
        let limits = self.device.limits();
        let most = limits.max_storage_buffer_binding_size.min(limits.max_buffer_size) - HEAD;
        let most = (most / ENTRY).min(u64::from(u32::MAX));
        if u64::from(wanted) > most {
            return Err(ImageError::TooMany { kind: "pixels of edges", count: u64::from(wanted), most });
        }
        let known = self.lists.as_ref().map_or(ROOM, |lists| lists.room);
        let room = u64::from(wanted.max(known).next_power_of_two()).min(most) as u32;
        if self.lists.as_ref().is_none_or(|lists| lists.side != side || lists.room < room) {
            self.lists = Some(EdgeLists::new(&self.device, &self.pipelines, side, room));
        }
        Ok(())
    }
}

/// Lists all edges. Must come before [`hits`].
pub(super) fn list_edges(stage: &Stage<'_>, seen: &mut Seen) {
    let gpu = stage.gpu;
    let (Some(lists), Some(pipelines)) = (&gpu.lists, &gpu.pipelines.listing) else { return };
    gpu.queue.write_buffer(&lists.entries, 0, bytemuck::bytes_of(&[0, lists.room]));
    let mut encoder = stage.encoder();
    encoder.clear_buffer(&lists.firsts, 0, None);
    let mut pass = begin(&mut encoder, stage.targets, "edges");
    pass.set_pipeline(&pipelines.edges);
    pass.set_bind_group(0, &stage.scene, &[]);
    pass.set_bind_group(2, &lists.group, &[]);
    for batch in &stage.prepared.edges {
        pass.set_bind_group(1, &batch.group, &[]);
        pass.draw(0..batch.count, batch.instances.clone());
    }
    drop(pass);
    gpu.queue.submit([encoder.finish()]);
    seen.passes += 1;
}

/// Counts all faces with these weights, and gathers the edges that are inside of something, in no order. The sums of a hit are whole numbers in the
/// bits of its floats: low digits, high digits, how many of those with a weight, how many in all.
pub(super) fn hits(stage: &Stage<'_>, weights: &[[f32; 4]], seen: &mut Seen) -> Result<Vec<Hit>, Stop> {
    let gpu = stage.gpu;
    let (Some(lists), Some(pipelines)) = (&gpu.lists, &gpu.pipelines.listing) else { return Ok(Vec::new()) };
    gpu.uploads.write_weights(&gpu.queue, weights);
    gpu.hits.clear(&gpu.queue, lists.side);
    let mut encoder = stage.encoder();
    let gathering = gpu.hits.gather_group(&gpu.device, &gpu.pipelines, &lists.entries);
    over_all(&mut encoder, &pipelines.forget, &gathering, lists.room);
    let mut pass = begin(&mut encoder, stage.targets, "faces");
    pass.set_bind_group(0, &stage.scene, &[]);
    pass.set_bind_group(2, &lists.group, &[]);
    for batch in &stage.prepared.faces {
        pass.set_pipeline(&pipelines.faces[usize::from(batch.mirrored)]);
        draw_faces(&mut pass, batch, batch.instances.clone());
    }
    drop(pass);
    over_all(&mut encoder, &pipelines.gather, &gathering, lists.room);
    seen.passes += 3;
    match gpu.listed(encoder)? {
        Listed::Wants(wanted) => Err(Stop::Room(wanted)),
        Listed::All { entries, .. } if entries > lists.room => Err(Stop::Lists(entries)),
        Listed::All { hits, bytes, negative, entries } => {
            seen.bytes_read += bytes;
            seen.negative |= negative;
            seen.layers = u32::from(entries > 0);
            Ok(hits)
        }
    }
}

fn over_all(
    encoder: &mut wgpu::CommandEncoder,
    pipeline: &wgpu::ComputePipeline,
    group: &wgpu::BindGroup,
    room: u32,
) {
    let mut pass = encoder.begin_compute_pass(&wgpu::ComputePassDescriptor::default());
    pass.set_pipeline(pipeline);
    pass.set_bind_group(0, group, &[]);
    let groups = room.div_ceil(GROUP);
    pass.dispatch_workgroups(groups.min(ROW), groups.div_ceil(ROW), 1);
}

fn begin<'e>(
    encoder: &'e mut wgpu::CommandEncoder,
    targets: &Targets,
    label: &'static str,
) -> wgpu::RenderPass<'e> {
    encoder.begin_render_pass(&wgpu::RenderPassDescriptor {
        label: Some(label),
        // A pass needs a target, though nothing is written to it.
        color_attachments: &[Some(cleared(&targets.tally_view))],
        ..wgpu::RenderPassDescriptor::default()
    })
}
