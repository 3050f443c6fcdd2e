//! Who is inside of whom. Faces add a weight of their object's where they are fronts and take it away where they are backs, so a
//! pixel ends with the sum of the weights of the solids around its edge, each as often as it is around it.
//!
//! Solids get colors such that no two whose boxes overlap have the same: then a color and a place name a solid. A color is a
//! digit of the sums: powers of 8, some to a sum, and one sum counts. In peeled layers sums are colors of `f32`, whole numbers below
//! 2²⁴, which it adds without rounding; in lists they are whole numbers.

use std::collections::BTreeMap;
use std::ops::Range;

use impinge::bounds::Aabb;
use impinge::broad_phase::BroadPhase;
use impinge::glam::DVec3;

use super::hits::{Hit, Listed};
use super::lists;
use super::look::{Stage, Stop, cleared, counting, draw_faces, reading};
use super::pipelines::BIAS;
use super::read::QUERIES;
use super::targets::LayerTarget;
use crate::ImageError;
use crate::look::{Detail, Draw, Layer, Sample, Seen};

/// A digit stands for -4 to 3.
const BASE: i64 = 8;

/// How colors are spread over the sums of a pixel.
#[derive(Clone, Copy)]
struct Digits {
    /// Sums of colors; the last of four counts.
    channels: u32,
    per_channel: u32,
}

impl Digits {
    /// In colors of `f32`, and where one digit is not enough.
    const PEELED: [Digits; 2] =
        [Digits { channels: 3, per_channel: 5 }, Digits { channels: 3, per_channel: 1 }];
    /// In whole numbers of 32 bits, and where one digit is not enough.
    const LISTED: [Digits; 2] =
        [Digits { channels: 2, per_channel: 10 }, Digits { channels: 2, per_channel: 1 }];
}

/// Solids told apart by color and place.
struct Colors {
    of_slot: Vec<u32>,
    count: u32,
    boxes: BroadPhase,
}

impl Colors {
    fn new(stage: &Stage<'_>, draw: &Draw<'_>) -> Colors {
        let faces = &stage.prepared.face_list;
        // A place may be outside of the box of what it is inside of by what pixels and rounding make.
        let near = 2.0 * draw.view.largest_pixel;
        let mut boxes = BroadPhase::new();
        for (slot, face) in faces.iter().enumerate() {
            let bounds = draw.shapes[face.shape].bounds.image(face.placement.world_from_model());
            // A box that is no box, of a shape without vertices, holds nothing.
            let _ = boxes.insert(slot as u32, Aabb { min: bounds.min - near, max: bounds.max + near });
        }
        let mut neighbors = vec![Vec::new(); faces.len()];
        for pair in boxes.step().pairs {
            neighbors[pair.second() as usize].push(pair.first());
        }
        let mut of_slot: Vec<u32> = Vec::with_capacity(faces.len());
        for before in neighbors {
            let mut taken: Vec<u32> = before.iter().map(|slot| of_slot[*slot as usize]).collect();
            taken.sort_unstable();
            taken.dedup();
            let free = taken.iter().zip(0..).find(|(color, number)| **color != *number);
            of_slot.push(free.map_or(taken.len() as u32, |(_, number)| number));
        }
        let count = of_slot.iter().map(|color| color + 1).max().unwrap_or(0);
        Colors { of_slot, count, boxes }
    }

    /// The weights of all slots when these colors get digits.
    fn weights(&self, group: &Range<u32>, digits: Digits) -> Vec<[f32; 4]> {
        let weight = |color: &u32| {
            let mut weight = [0.0; 4];
            if group.contains(color) {
                let number = color - group.start;
                let Digits { per_channel, .. } = digits;
                weight[(number / per_channel) as usize] = BASE.pow(number % per_channel) as f32;
                weight[3] = 1.0;
            }
            weight
        };
        self.of_slot.iter().map(weight).collect()
    }

    /// The slots with these colors that are around a place; none where that cannot be told, because one is so more often than a
    /// digit says.
    fn read(&self, sums: [i64; 4], group: &Range<u32>, digits: Digits, place: DVec3) -> Option<Vec<u32>> {
        let digits = read_digits(sums, group.len() as u32, digits.per_channel)?;
        let mut near = Vec::new();
        self.boxes.overlapping(&Aabb { min: place, max: place }, &mut near);
        let named = |number: u32| {
            near.iter().copied().find(|slot| self.of_slot[*slot as usize] == group.start + number)
        };
        let positive = digits.iter().zip(0..).filter(|(digit, _)| **digit > 0);
        positive.map(|(_, number)| named(number)).collect()
    }
}

/// The digits of a sum; none where they do not add up to the count.
fn read_digits(sums: [i64; 4], count: u32, per_channel: u32) -> Option<Vec<i64>> {
    let mut digits = Vec::with_capacity(count as usize);
    let mut rest = 0;
    for number in 0..count {
        if number % per_channel == 0 {
            if rest != 0 {
                return None;
            }
            rest = sums[(number / per_channel) as usize];
        }
        let digit = if per_channel == 1 { rest } else { (rest + BASE / 2).rem_euclid(BASE) - BASE / 2 };
        rest = if per_channel == 1 { 0 } else { (rest - digit) / BASE };
        digits.push(digit);
    }
    (rest == 0 && digits.iter().sum::<i64>() == sums[3]).then_some(digits)
}

/// Adds the samples of peeled layers.
pub(super) fn pairs(stage: &Stage<'_>, draw: &Draw<'_>, layers: &[u32], seen: &mut Seen) -> Result<(), Stop> {
    if layers.is_empty() {
        return Ok(());
    }
    let ask = |weights: &[[f32; 4]], seen: &mut Seen| {
        let hits = weigh(stage, layers, weights, seen)?;
        Ok(hits.into_iter().map(|hit| (hit, hit.sums.map(|sum| sum as i64))).collect())
    };
    name(stage, draw, Digits::PEELED, ask, seen)
}

/// What is inside of something in lists of all edges: as samples, as objects, or only whether there is any.
pub(super) fn listed(stage: &Stage<'_>, draw: &Draw<'_>, seen: &mut Seen) -> Result<(), Stop> {
    if draw.detail == Detail::Any {
        let none = vec![[0.0; 4]; stage.prepared.face_list.len()];
        seen.any = !lists::hits(stage, &none, seen)?.is_empty();
        return Ok(());
    }
    let ask = |weights: &[[f32; 4]], seen: &mut Seen| {
        let hits = lists::hits(stage, weights, seen)?;
        // Whole numbers in the bits of floats: low and high digits, how many of those with a weight, how many in all.
        let whole = |hit: &Hit| {
            let [low, high, members, _] = hit.sums.map(|sum| i64::from(sum.to_bits() as i32));
            [low, high, 0, members]
        };
        Ok(hits.into_iter().map(|hit| (hit, whole(&hit))).collect())
    };
    name(stage, draw, Digits::LISTED, ask, seen)?;
    seen.any = !seen.samples.is_empty();
    if draw.detail == Detail::Objects {
        seen.name_objects();
    }
    Ok(())
}

/// Names the solids around what `ask` finds with weights, and adds the samples.
fn name(
    stage: &Stage<'_>,
    draw: &Draw<'_>,
    ways: [Digits; 2],
    mut ask: impl FnMut(&[[f32; 4]], &mut Seen) -> Result<Vec<(Hit, [i64; 4])>, Stop>,
    seen: &mut Seen,
) -> Result<(), Stop> {
    let colors = Colors::new(stage, draw);
    let mut sightings = Sightings::new();
    for digits in ways {
        sightings = sight(draw, &colors, digits, &mut ask, seen)?;
        // Otherwise some solid is around a place more often than a digit says: a channel for each color then.
        if sightings.values().all(|(_, inside)| inside.is_some()) {
            break;
        }
    }
    let faces = &stage.prepared.face_list;
    for (hit, inside) in sightings.into_values() {
        let start = seen.inside.len();
        let objects = inside.unwrap_or_default().into_iter().map(|slot| faces[slot as usize].object);
        seen.inside.extend(objects);
        seen.inside[start..].sort_unstable();
        seen.samples.push(Sample {
            pixel: hit.pixel,
            layer: hit.layer,
            depth: f64::from(hit.depth),
            object: stage.prepared.edge_list[hit.edge[0] as usize - 1].object,
            edge: hit.edge[1],
            inside: start..seen.inside.len(),
        });
    }
    Ok(())
}

/// By layer, row, column, instance and edge: what was hit, and the slots that it is inside of, where they can be told.
type Sightings = BTreeMap<[u32; 5], (Hit, Option<Vec<u32>>)>;

/// Looks through all colors, as many at a time as there are digits.
fn sight(
    draw: &Draw<'_>,
    colors: &Colors,
    digits: Digits,
    ask: &mut impl FnMut(&[[f32; 4]], &mut Seen) -> Result<Vec<(Hit, [i64; 4])>, Stop>,
    seen: &mut Seen,
) -> Result<Sightings, Stop> {
    let mut sightings = Sightings::new();
    let step = digits.per_channel * digits.channels;
    for first in (0..colors.count).step_by(step as usize) {
        let group = first..(first + step).min(colors.count);
        for (hit, sums) in ask(&colors.weights(&group, digits), seen)? {
            let place = draw.view.unproject(hit.pixel, f64::from(hit.depth));
            let more = colors.read(sums, &group, digits, place);
            let key = [hit.layer, hit.pixel[1], hit.pixel[0], hit.edge[0], hit.edge[1]];
            let (_, inside) = sightings.entry(key).or_insert((hit, Some(Vec::new())));
            match (inside.as_mut(), more) {
                (Some(inside), Some(more)) => inside.extend(more),
                _ => *inside = None,
            }
        }
    }
    Ok(sightings)
}

/// Sums the weights of the faces before the edges of layers, and lists the edges that are inside of something, in no order.
fn weigh(stage: &Stage<'_>, layers: &[u32], weights: &[[f32; 4]], seen: &mut Seen) -> Result<Vec<Hit>, Stop> {
    let gpu = stage.gpu;
    let Some(write_hits) = &gpu.pipelines.write_hits else { return Ok(Vec::new()) };
    gpu.uploads.write_weights(&gpu.queue, weights);
    gpu.hits.clear(&gpu.queue, stage.targets.side);
    let mut encoder = stage.encoder();
    for layer in layers {
        let target = stage.target(*layer);
        sum(stage, &mut encoder, target);
        let mut pass = encoder.begin_render_pass(&wgpu::RenderPassDescriptor {
            label: Some("hits"),
            depth_stencil_attachment: Some(reading(target)),
            ..wgpu::RenderPassDescriptor::default()
        });
        pass.set_pipeline(write_hits);
        pass.set_stencil_reference(BIAS);
        pass.set_bind_group(0, &stage.scene, &[]);
        pass.set_bind_group(1, &stage.prepared.edges[0].group, &[]);
        let group = gpu.hits.group(&gpu.device, &gpu.pipelines, stage.targets, target);
        pass.set_bind_group(2, &group, &[]);
        pass.draw(0..3, *layer..layer + 1);
        drop(pass);
        seen.passes += 2;
    }
    match gpu.listed(encoder)? {
        Listed::Wants(wanted) => Err(Stop::Room(wanted)),
        Listed::All { hits, bytes, .. } => {
            seen.bytes_read += bytes;
            Ok(hits)
        }
    }
}

/// Sums the weights of the faces before the edges of a layer.
fn sum(stage: &Stage<'_>, encoder: &mut wgpu::CommandEncoder, target: &LayerTarget) {
    let Some(pipelines) = &stage.gpu.pipelines.weigh else { return };
    let mut pass = encoder.begin_render_pass(&wgpu::RenderPassDescriptor {
        label: Some("weights"),
        color_attachments: &[Some(cleared(&stage.targets.weights_view))],
        depth_stencil_attachment: Some(reading(target)),
        ..wgpu::RenderPassDescriptor::default()
    });
    pass.set_bind_group(0, &stage.scene, &[]);
    pass.set_bind_group(2, &target.edges, &[]);
    for batch in &stage.prepared.faces {
        pass.set_pipeline(&pipelines[usize::from(batch.mirrored)]);
        draw_faces(&mut pass, batch, batch.instances.clone());
    }
}

/// Which objects have edges inside of others, and which have edges inside, by queries alone.
pub(super) fn objects(stage: &Stage<'_>, layers: &[u32], seen: &mut Seen) -> Result<(), ImageError> {
    layers.iter().try_for_each(|layer| objects_of(stage, *layer, seen))
}

fn objects_of(stage: &Stage<'_>, layer: u32, seen: &mut Seen) -> Result<(), ImageError> {
    let target = stage.target(layer);
    let gpu = stage.gpu;
    let edges = &stage.prepared.edge_list;
    let numbers: Vec<u32> = (0..edges.len() as u32).collect();
    for group in numbers.chunks(QUERIES as usize) {
        let mut encoder = stage.encoder();
        let mut pass = encoder.begin_render_pass(&wgpu::RenderPassDescriptor {
            label: Some("whose edges"),
            depth_stencil_attachment: Some(reading(target)),
            occlusion_query_set: Some(&gpu.queries.set),
            ..wgpu::RenderPassDescriptor::default()
        });
        pass.set_pipeline(&gpu.pipelines.shown_edges);
        pass.set_stencil_reference(BIAS);
        pass.set_bind_group(0, &stage.scene, &[]);
        pass.set_bind_group(2, &target.edges, &[]);
        for (query, instance) in group.iter().enumerate() {
            pass.begin_occlusion_query(query as u32);
            for batch in stage.prepared.edges.iter().filter(|batch| batch.instances.contains(instance)) {
                pass.set_bind_group(1, &batch.group, &[]);
                pass.draw(0..batch.count, *instance..instance + 1);
            }
            pass.end_occlusion_query();
        }
        drop(pass);
        let answers = gpu.answers(encoder, group.len() as u32)?;
        let found = group.iter().zip(answers).filter(|(_, is_inside)| *is_inside);
        seen.penetrating.extend(found.map(|(instance, _)| edges[*instance as usize].object));
        seen.passes += 1;
        seen.bytes_read += 8 * group.len() as u64;
    }
    let faces = &stage.prepared.face_list;
    let numbers: Vec<u32> = (0..faces.len() as u32).collect();
    for group in numbers.chunks(QUERIES as usize) {
        let mut encoder = stage.encoder();
        for (query, slot) in group.iter().enumerate() {
            count_one(stage, &mut encoder, layer, slot + stage.prepared.first_face, query as u32);
        }
        let answers = gpu.answers(encoder, group.len() as u32)?;
        let found = group.iter().zip(answers).filter(|(_, is_around)| *is_around);
        seen.penetrated.extend(found.map(|(slot, _)| faces[*slot as usize].object));
        seen.passes += group.len() as u32;
        seen.bytes_read += 8 * group.len() as u64;
    }
    Ok(())
}

/// Counts the faces of one object alone, and asks whether an edge is inside of it.
fn count_one(stage: &Stage<'_>, encoder: &mut wgpu::CommandEncoder, layer: u32, instance: u32, query: u32) {
    let (gpu, target) = (stage.gpu, stage.target(layer));
    let mut pass = encoder.begin_render_pass(&wgpu::RenderPassDescriptor {
        label: Some("one object"),
        depth_stencil_attachment: Some(counting(target, wgpu::LoadOp::Clear(BIAS))),
        occlusion_query_set: Some(&gpu.queries.set),
        ..wgpu::RenderPassDescriptor::default()
    });
    pass.set_bind_group(0, &stage.scene, &[]);
    pass.set_bind_group(1, &stage.prepared.edges[0].group, &[]);
    pass.set_bind_group(2, &target.edges, &[]);
    for batch in stage.prepared.faces.iter().filter(|batch| batch.instances.contains(&instance)) {
        pass.set_pipeline(&gpu.pipelines.count[usize::from(batch.mirrored)]);
        draw_faces(&mut pass, batch, instance..instance + 1);
    }
    pass.set_pipeline(&gpu.pipelines.positive);
    pass.set_stencil_reference(BIAS);
    pass.begin_occlusion_query(query);
    pass.draw(0..3, 0..1);
    pass.end_occlusion_query();
}

/// The picture of a layer.
pub(super) fn picture(
    stage: &Stage<'_>,
    draw: &Draw<'_>,
    layer: u32,
    seen: &mut Seen,
) -> Result<(), ImageError> {
    let (gpu, targets, target) = (stage.gpu, stage.targets, stage.target(layer));
    let ones = vec![[1.0, 0.0, 0.0, 0.0]; stage.prepared.face_list.len()];
    gpu.uploads.write_weights(&gpu.queue, &ones);
    let mut encoder = stage.encoder();
    sum(stage, &mut encoder, target);
    let mut pass = encoder.begin_render_pass(&wgpu::RenderPassDescriptor {
        label: Some("picture"),
        color_attachments: &[Some(cleared(&targets.pixels_view))],
        depth_stencil_attachment: Some(reading(target)),
        ..wgpu::RenderPassDescriptor::default()
    });
    pass.set_pipeline(&gpu.pipelines.collect_all);
    pass.set_bind_group(0, &stage.scene, &[]);
    pass.set_bind_group(1, &stage.prepared.edges[0].group, &[]);
    pass.set_bind_group(2, &target.edges, &[]);
    pass.draw(0..3, 0..1);
    drop(pass);
    let (sums, pixels) = gpu.images(encoder, targets)?;
    seen.passes += 2;
    seen.bytes_read += 2 * u64::from(targets.row_bytes) * u64::from(targets.side);
    let mut picture = Layer { side: draw.view.side, ..Layer::default() };
    for ([slot, edge, depth, _], sum) in pixels.iter().zip(sums) {
        let object = slot.checked_sub(1).map(|slot| stage.prepared.edge_list[slot as usize].object);
        picture.edges.push(object.map(|object| (object, *edge)));
        picture.depths.push(if object.is_some() { f32::from_bits(*depth) } else { 1.0 });
        picture.counts.push(sum[0] as i32);
    }
    seen.pictures.push(picture);
    Ok(())
}
