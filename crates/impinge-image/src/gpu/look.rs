//! One look: layers of edges are peeled, faces before them counted, and what was found is asked for by occlusion queries. Images
//! are read only of layers where there is something to resolve.

use super::pipelines::BIAS;
use super::targets::{LayerTarget, Targets};
use super::upload::{Batch, Prepared};
use super::{Gpu, identify, lists};
use crate::ImageError;
use crate::look::{Detail, Draw, Seen};

/// The most faces behind each other whose count is sure to stay within the stencil's range: a closed surface has as many backs
/// as fronts.
const MOST_FACES: u32 = 254;

/// What a look has at hand.
pub(super) struct Stage<'g> {
    pub(super) gpu: &'g Gpu,
    pub(super) targets: &'g Targets,
    pub(super) prepared: &'g Prepared,
    pub(super) scene: wgpu::BindGroup,
}

pub(super) fn look(gpu: &mut Gpu, draw: &Draw<'_>) -> Result<Seen, ImageError> {
    let mut seen = Seen { complete: true, ..Seen::default() };
    // All layers of all edges are looked at together; only where some are, or are to be seen, they are peeled.
    let together = gpu.pipelines.listing.is_some() && draw.layers == u32::MAX && !draw.pictures;
    let needs_sums = draw.pictures || draw.detail == Detail::Pairs && !together;
    let has_sums = gpu.pipelines.weigh.is_some() && gpu.pipelines.write_hits.is_some();
    if needs_sums && !has_sums {
        let what = "sums in f32 colors and fragments that write to storage, which telling pairs in layers apart needs";
        return Err(ImageError::Lacks { adapter: gpu.info.name.clone(), what });
    }
    let side = draw.view.side;
    if gpu.targets.as_ref().is_none_or(|targets| targets.side != side) {
        gpu.targets = Some(Targets::new(&gpu.device, &gpu.pipelines, side));
    }
    let prepared = gpu.uploads.prepare(&gpu.device, &gpu.queue, &gpu.pipelines, draw)?;
    if prepared.edges.is_empty() || prepared.faces.is_empty() {
        return Ok(seen);
    }
    let scene = gpu.uploads.group(&gpu.device, &gpu.pipelines);
    if together {
        gpu.prepare_lists(side, 0)?;
    }
    while let Some(targets) = &gpu.targets {
        let stage = Stage { gpu, targets, prepared: &prepared, scene: scene.clone() };
        let looked = if together { stage.look_at_all(draw, &mut seen) } else { stage.look(draw, &mut seen) };
        match looked {
            Ok(()) => break,
            Err(Stop::Failed(failure)) => return Err(failure),
            Err(Stop::Room(wanted)) => {
                gpu.make_room(wanted)?;
                seen = Seen { complete: true, ..Seen::default() };
            }
            Err(Stop::Lists(wanted)) => {
                gpu.prepare_lists(side, wanted)?;
                seen = Seen { complete: true, ..Seen::default() };
            }
        }
    }
    if !together {
        gpu.expected_layers = seen.layers + 1;
    }
    Ok(seen)
}

/// Why a look was not ended.
pub(super) enum Stop {
    /// So many hits do not fit into the list: it must be begun again with more room.
    Room(u32),
    /// So many edges at pixels do not fit into their lists.
    Lists(u32),
    Failed(ImageError),
}

impl From<ImageError> for Stop {
    fn from(failure: ImageError) -> Stop {
        Stop::Failed(failure)
    }
}

impl Stage<'_> {
    /// All layers at once.
    fn look_at_all(&self, draw: &Draw<'_>, seen: &mut Seen) -> Result<(), Stop> {
        lists::list_edges(self, seen);
        identify::listed(self, draw, seen)
    }

    fn look(&self, draw: &Draw<'_>, seen: &mut Seen) -> Result<(), Stop> {
        let ring = self.targets.layers.len() as u32;
        let mut first = 0;
        loop {
            let size = self.gpu.expected_layers.clamp(1, ring).min(draw.layers - first);
            let answers = self.look_at_layers(first, size, seen)?;
            if answers.last() == Some(&true) {
                return Err(ImageError::CountRange { most: MOST_FACES }.into());
            }
            let layers = (first..).zip(answers.chunks_exact(3)).take_while(|(_, answer)| answer[0]);
            let (mut hit, before) = (Vec::new(), seen.layers);
            for (layer, answer) in layers {
                seen.layers += 1;
                seen.negative |= answer[2];
                if answer[1] {
                    hit.push(layer);
                }
                if draw.pictures {
                    identify::picture(self, draw, layer, seen)?;
                }
            }
            seen.any |= !hit.is_empty();
            match draw.detail {
                Detail::Any => {}
                Detail::Objects => identify::objects(self, &hit, seen)?,
                Detail::Pairs => identify::pairs(self, draw, &hit, seen)?,
            }
            first += size;
            if seen.layers - before < size {
                return Ok(());
            }
            if seen.any && draw.detail == Detail::Any && !draw.pictures {
                seen.complete = false;
                return Ok(());
            }
            if first == draw.layers {
                seen.complete = !self.has_more(first, seen)?;
                return Ok(());
            }
        }
    }

    /// For each layer whether it has an edge, whether one is inside of something, and whether a count is negative; and at
    /// last whether there are too many faces to be counted.
    fn look_at_layers(&self, first: u32, size: u32, seen: &mut Seen) -> Result<Vec<bool>, ImageError> {
        let mut encoder = self.encoder();
        let unsure = first == 0 && self.prepared.triangles > u64::from(MOST_FACES);
        if unsure {
            self.tally(&mut encoder, 3 * size);
        }
        for (layer, query) in (first..first + size).zip((0..).step_by(3)) {
            self.draw_edges(&mut encoder, layer, query);
            self.count_faces(&mut encoder, layer, query + 1);
        }
        seen.passes += 2 * size + 2 * u32::from(unsure);
        let count = 3 * size + u32::from(unsure);
        seen.bytes_read += 8 * u64::from(count);
        let mut answers = self.gpu.answers(encoder, count)?;
        if !unsure {
            answers.push(false);
        }
        Ok(answers)
    }

    /// Whether there are edges behind the last layer.
    fn has_more(&self, layer: u32, seen: &mut Seen) -> Result<bool, ImageError> {
        let mut encoder = self.encoder();
        self.draw_edges(&mut encoder, layer, 0);
        seen.passes += 1;
        seen.bytes_read += 8;
        Ok(self.gpu.answers(encoder, 1)?.contains(&true))
    }

    pub(super) fn encoder(&self) -> wgpu::CommandEncoder {
        self.gpu.device.create_command_encoder(&wgpu::CommandEncoderDescriptor::default())
    }

    pub(super) fn target(&self, layer: u32) -> &LayerTarget {
        &self.targets.layers[layer as usize % self.targets.layers.len()]
    }

    fn draw_edges(&self, encoder: &mut wgpu::CommandEncoder, layer: u32, query: u32) {
        let target = self.target(layer);
        let mut pass = encoder.begin_render_pass(&wgpu::RenderPassDescriptor {
            label: Some("edges"),
            color_attachments: &[Some(cleared(&target.ids))],
            depth_stencil_attachment: Some(wgpu::RenderPassDepthStencilAttachment {
                view: &target.depth_stencil,
                depth_ops: Some(wgpu::Operations {
                    load: wgpu::LoadOp::Clear(1.0),
                    store: wgpu::StoreOp::Store,
                }),
                stencil_ops: Some(wgpu::Operations {
                    load: wgpu::LoadOp::Clear(BIAS),
                    store: wgpu::StoreOp::Store,
                }),
            }),
            occlusion_query_set: Some(&self.gpu.queries.set),
            ..wgpu::RenderPassDescriptor::default()
        });
        pass.set_bind_group(0, &self.scene, &[]);
        if layer == 0 {
            pass.set_pipeline(&self.gpu.pipelines.first_edges);
        } else {
            pass.set_pipeline(&self.gpu.pipelines.next_edges);
            pass.set_bind_group(2, &self.target(layer - 1).edges, &[]);
        }
        pass.begin_occlusion_query(query);
        for batch in &self.prepared.edges {
            pass.set_bind_group(1, &batch.group, &[]);
            pass.draw(0..batch.count, batch.instances.clone());
        }
        pass.end_occlusion_query();
    }

    /// Counts the faces before the edges, and asks whether a count is positive, and whether one is negative.
    fn count_faces(&self, encoder: &mut wgpu::CommandEncoder, layer: u32, query: u32) {
        let target = self.target(layer);
        let pipelines = &self.gpu.pipelines;
        let mut pass = encoder.begin_render_pass(&wgpu::RenderPassDescriptor {
            label: Some("faces"),
            depth_stencil_attachment: Some(counting(target, wgpu::LoadOp::Load)),
            occlusion_query_set: Some(&self.gpu.queries.set),
            ..wgpu::RenderPassDescriptor::default()
        });
        pass.set_bind_group(0, &self.scene, &[]);
        pass.set_bind_group(2, &target.edges, &[]);
        for batch in &self.prepared.faces {
            pass.set_pipeline(&pipelines.count[usize::from(batch.mirrored)]);
            draw_faces(&mut pass, batch, batch.instances.clone());
        }
        pass.set_stencil_reference(BIAS);
        for (pipeline, query) in [(&pipelines.positive, query), (&pipelines.negative, query + 1)] {
            pass.set_pipeline(pipeline);
            pass.begin_occlusion_query(query);
            pass.draw(0..3, 0..1);
            pass.end_occlusion_query();
        }
    }

    fn tally(&self, encoder: &mut wgpu::CommandEncoder, query: u32) {
        let mut pass = encoder.begin_render_pass(&wgpu::RenderPassDescriptor {
            label: Some("tally"),
            color_attachments: &[Some(cleared(&self.targets.tally_view))],
            ..wgpu::RenderPassDescriptor::default()
        });
        pass.set_pipeline(&self.gpu.pipelines.tallied);
        pass.set_bind_group(0, &self.scene, &[]);
        for batch in &self.prepared.faces {
            draw_faces(&mut pass, batch, batch.instances.clone());
        }
        drop(pass);
        let mut pass = encoder.begin_render_pass(&wgpu::RenderPassDescriptor {
            label: Some("too many"),
            // A pass needs a target; this one is drawn anew before it is used.
            color_attachments: &[Some(cleared(&self.targets.pixels_view))],
            occlusion_query_set: Some(&self.gpu.queries.set),
            ..wgpu::RenderPassDescriptor::default()
        });
        pass.set_pipeline(&self.gpu.pipelines.too_many);
        pass.set_bind_group(0, &self.targets.tally, &[]);
        pass.begin_occlusion_query(query);
        pass.draw(0..3, 0..1);
        pass.end_occlusion_query();
    }
}

pub(super) fn draw_faces(pass: &mut wgpu::RenderPass<'_>, batch: &Batch, instances: std::ops::Range<u32>) {
    pass.set_bind_group(1, &batch.group, &[]);
    pass.set_index_buffer(batch.indices.slice(..), wgpu::IndexFormat::Uint32);
    pass.draw_indexed(0..batch.count, 0, instances);
}

pub(super) fn cleared(view: &wgpu::TextureView) -> wgpu::RenderPassColorAttachment<'_> {
    let ops =
        wgpu::Operations { load: wgpu::LoadOp::Clear(wgpu::Color::TRANSPARENT), store: wgpu::StoreOp::Store };
    wgpu::RenderPassColorAttachment { view, depth_slice: None, resolve_target: None, ops }
}

/// Depths are only tested, the stencil counts.
pub(super) fn counting(
    target: &LayerTarget,
    load: wgpu::LoadOp<u32>,
) -> wgpu::RenderPassDepthStencilAttachment<'_> {
    wgpu::RenderPassDepthStencilAttachment {
        view: &target.depth_stencil,
        depth_ops: None,
        stencil_ops: Some(wgpu::Operations { load, store: wgpu::StoreOp::Store }),
    }
}

/// Nothing is written, so that depths can be read as well.
pub(super) fn reading(target: &LayerTarget) -> wgpu::RenderPassDepthStencilAttachment<'_> {
    wgpu::RenderPassDepthStencilAttachment { view: &target.depth_stencil, depth_ops: None, stencil_ops: None }
}
