//! Who is inside of whom. Faces add a weight of their object's where they are fronts and take it away where they are backs, so a
//! pixel ends with the sum of the weights of the solids around its edge, each as often as it is around it.
//!
//! Few solids get a digit each: sums of powers of 8, five to a colour channel, three channels; the fourth counts. Many get their
//! number as weight, which names the solid where it is the only one; where there are several, those whose boxes are
//! around the point are given digits. All sums are whole numbers below 2²⁴, which `f32` adds without rounding.

use std::collections::BTreeMap;

use impinge::bounds::Aabb;
use impinge::glam::DVec3;

use super::hits::{Hit, Listed};
use super::look::{Stage, Stop, cleared, counting, draw_faces, reading};
use super::pipelines::{BIAS, Both};
use super::read::QUERIES;
use super::targets::LayerTarget;
use crate::ImageError;
use crate::look::{Draw, Layer, Sample, Seen};

/// Digits of a channel. A digit stands for -4 to 3.
const DIGITS: usize = 5;
const BASE: i64 = 8;
const CHANNELS: usize = 3;
const TOGETHER: usize = DIGITS * CHANNELS;
/// Bits of a number that go into one channel.
const PART: u32 = 12;

/// A pixel with an edge inside of something, and the slots of the solids around it, as soon as they are known.
struct Sighting {
    hit: Hit,
    count: i32,
    inside: Option<Vec<u32>>,
}

/// Adds the samples of layers.
pub(super) fn pairs(stage: &Stage<'_>, draw: &Draw<'_>, layers: &[u32], seen: &mut Seen) -> Result<(), Stop> {
    if layers.is_empty() {
        return Ok(());
    }
    let faces = &stage.prepared.face_list;
    let slots: Vec<u32> = (0..faces.len() as u32).collect();
    let few = slots.len() <= TOGETHER;
    let weights = if few { digits(faces.len(), &slots, DIGITS) } else { names(faces.len()) };
    let mut sightings: Vec<Sighting> = Vec::new();
    for hit in weigh(stage, layers, &weights, None, seen)? {
        let inside =
            if few { read_digits(hit.sums, &slots, DIGITS) } else { read_name(hit.sums, faces.len()) };
        sightings.push(Sighting { count: hit.sums[3] as i32, hit, inside });
    }
    sightings.sort_unstable_by_key(|sighting| key(&sighting.hit));
    tell_apart(stage, draw, &mut sightings, seen)?;
    for Sighting { hit, count, inside } in sightings {
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
            count,
            inside: start..seen.inside.len(),
        });
    }
    Ok(())
}

fn key(hit: &Hit) -> (u32, u32, u32) {
    (hit.layer, hit.pixel[1], hit.pixel[0])
}

/// Pixels inside of several: only solids whose boxes are around the point come into question. Where digits overflow, each gets a
/// channel of its own.
fn tell_apart(
    stage: &Stage<'_>,
    draw: &Draw<'_>,
    sightings: &mut [Sighting],
    seen: &mut Seen,
) -> Result<(), Stop> {
    let faces = &stage.prepared.face_list;
    let near = 2.0 * draw.view.largest_pixel;
    for per_channel in [DIGITS, 1] {
        let open: Vec<usize> = (0..sightings.len()).filter(|at| sightings[*at].inside.is_none()).collect();
        if open.is_empty() {
            break;
        }
        let points: Vec<DVec3> = open
            .iter()
            .map(|at| draw.view.unproject(sightings[*at].hit.pixel, f64::from(sightings[*at].hit.depth)))
            .collect();
        let may_hold_any = |slot: &u32| {
            let face = &faces[*slot as usize];
            let bounds = draw.shapes[face.shape].bounds.image(face.placement.world_from_model());
            let grown = Aabb { min: bounds.min - near, max: bounds.max + near };
            points.iter().any(|point| grown.contains(*point))
        };
        let candidates: Vec<u32> = (0..faces.len() as u32).filter(may_hold_any).collect();
        let mut layers: Vec<u32> = open.iter().map(|at| sightings[*at].hit.layer).collect();
        layers.dedup();
        let mut found: BTreeMap<(u32, u32, u32), Option<Vec<u32>>> =
            open.iter().map(|at| (key(&sightings[*at].hit), Some(Vec::new()))).collect();
        for group in candidates.chunks(per_channel * CHANNELS) {
            let weights = digits(faces.len(), group, per_channel);
            for hit in weigh(stage, &layers, &weights, Some(group), seen)? {
                let Some(list) = found.get_mut(&key(&hit)) else { continue };
                match (list.as_mut(), read_digits(hit.sums, group, per_channel)) {
                    (Some(list), Some(more)) => list.extend(more),
                    _ => *list = None,
                }
            }
        }
        for at in open {
            sightings[at].inside = found.remove(&key(&sightings[at].hit)).flatten();
        }
    }
    Ok(())
}

/// The weights of all slots when `group` gets digits.
fn digits(count: usize, group: &[u32], per_channel: usize) -> Vec<[f32; 4]> {
    let mut weights = vec![[0.0; 4]; count];
    for (number, slot) in group.iter().enumerate() {
        let weight = &mut weights[*slot as usize];
        weight[number / per_channel] = BASE.pow((number % per_channel) as u32) as f32;
        weight[3] = 1.0;
    }
    weights
}

/// Which of a group are around; none where that cannot be told, because one of them is so more often than a digit says.
fn read_digits(sum: [f32; 4], group: &[u32], per_channel: usize) -> Option<Vec<u32>> {
    let mut inside = Vec::new();
    let mut total = 0;
    for (channel, members) in group.chunks(per_channel).enumerate() {
        let mut rest = sum[channel] as i64;
        for slot in members {
            let digit = if per_channel == 1 { rest } else { (rest + BASE / 2).rem_euclid(BASE) - BASE / 2 };
            rest = if per_channel == 1 { 0 } else { (rest - digit) / BASE };
            total += digit;
            if digit > 0 {
                inside.push(*slot);
            }
        }
        if rest != 0 {
            return None;
        }
    }
    (total == sum[3] as i64).then_some(inside)
}

/// Each slot's number as its weight, in two parts, and a third that tells a sum of several from one.
fn names(count: usize) -> Vec<[f32; 4]> {
    (0..count as u32).map(|slot| [part(slot), part(slot >> PART), part(mixed(slot)), 1.0]).collect()
}

fn part(number: u32) -> f32 {
    (number & ((1 << PART) - 1)) as f32
}

fn mixed(number: u32) -> u32 {
    number.wrapping_add(1).wrapping_mul(0x9e37_79b9) >> 17
}

fn read_name(sum: [f32; 4], count: usize) -> Option<Vec<u32>> {
    let [low, high, check, times] = sum;
    if times != 1.0 || low < 0.0 || high < 0.0 {
        return None;
    }
    let slot = low as u32 | ((high as u32) << PART);
    let is_one = (slot as usize) < count && names_match(slot, [low, high, check]);
    is_one.then(|| vec![slot])
}

fn names_match(slot: u32, sums: [f32; 3]) -> bool {
    [part(slot), part(slot >> PART), part(mixed(slot))] == sums
}

/// Sums the weights of the faces before the edges of layers, and lists the edges that are inside of something, in no order. Only
/// faces of `only` these slots, where they are given.
fn weigh(
    stage: &Stage<'_>,
    layers: &[u32],
    weights: &[[f32; 4]],
    only: Option<&[u32]>,
    seen: &mut Seen,
) -> Result<Vec<Hit>, Stop> {
    let gpu = stage.gpu;
    gpu.uploads.write_weights(&gpu.queue, weights);
    gpu.hits.clear(&gpu.queue);
    let mut encoder = stage.encoder();
    for layer in layers {
        let target = stage.target(*layer);
        sum(stage, &mut encoder, target, only);
        let mut pass = encoder.begin_render_pass(&wgpu::RenderPassDescriptor {
            label: Some("hits"),
            depth_stencil_attachment: Some(reading(target)),
            ..wgpu::RenderPassDescriptor::default()
        });
        pass.set_pipeline(&gpu.pipelines.write_hits);
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
        Listed::All(hits, bytes) => {
            seen.bytes_read += bytes;
            Ok(hits)
        }
    }
}

/// Sums the weights of the faces before the edges of a layer.
fn sum(stage: &Stage<'_>, encoder: &mut wgpu::CommandEncoder, target: &LayerTarget, only: Option<&[u32]>) {
    let Some(pipelines) = &stage.gpu.pipelines.weigh else { return };
    let mut pass = encoder.begin_render_pass(&wgpu::RenderPassDescriptor {
        label: Some("weights"),
        color_attachments: &[Some(cleared(&stage.targets.weights_view))],
        depth_stencil_attachment: Some(reading(target)),
        ..wgpu::RenderPassDescriptor::default()
    });
    pass.set_bind_group(0, &stage.scene, &[]);
    pass.set_bind_group(2, &target.edges, &[]);
    draw_weighed(stage, &mut pass, pipelines, only);
}

fn draw_weighed(stage: &Stage<'_>, pass: &mut wgpu::RenderPass<'_>, pipelines: &Both, only: Option<&[u32]>) {
    for batch in &stage.prepared.faces {
        pass.set_pipeline(&pipelines[usize::from(batch.mirrored)]);
        match only {
            None => draw_faces(pass, batch, batch.instances.clone()),
            Some(slots) => {
                let instances = slots.iter().map(|slot| slot + stage.prepared.first_face);
                for instance in instances.filter(|instance| batch.instances.contains(instance)) {
                    draw_faces(pass, batch, instance..instance + 1);
                }
            }
        }
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
    sum(stage, &mut encoder, target, None);
    let mut pass = encoder.begin_render_pass(&wgpu::RenderPassDescriptor {
        label: Some("picture"),
        color_attachments: &[Some(cleared(&targets.pixels_view))],
        depth_stencil_attachment: Some(reading(target)),
        ..wgpu::RenderPassDescriptor::default()
    });
    pass.set_pipeline(&gpu.pipelines.collect_all);
    pass.set_bind_group(0, &stage.scene, &[]);
    pass.set_bind_group(1, &stage.prepared.edges[0].group, &[]);
    pass.set_bind_group(2, &target.all, &[]);
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
