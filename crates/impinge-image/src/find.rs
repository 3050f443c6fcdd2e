//! From a scene to an answer: which pairs come into question, from where they are looked at, and what the looks say.

use std::collections::BTreeMap;

use impinge::bounds::Aabb;
use impinge::broad_phase::BroadPhase;
use impinge::glam::DVec3;

use crate::answer::{Answer, Interference, tidy};
use crate::coarse;
use crate::look::{Detail, Draw, Instance, Seen, instances};
use crate::options::Options;
use crate::precision::{self, Rounding};
use crate::refine;
use crate::scene::{Scene, Shape};
use crate::sure;
use crate::view::{Frame, Projection, View, bounds_in_frame, common};
use crate::{Device, ImageError};

/// One question: what stays the same over all its looks.
pub(crate) struct Question<'s> {
    pub(crate) scene: &'s Scene,
    pub(crate) options: &'s Options,
    pub(crate) frames: Vec<Frame>,
    pub(crate) rounding: Rounding,
    /// The pairs that come into question, sorted, the lesser first.
    pub(crate) pairs: Vec<[u32; 2]>,
}

/// A place where an edge was seen inside of an object.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Sighting {
    pub(crate) edge: u32,
    pub(crate) point: DVec3,
    /// Whether the place is on the edge and surely inside, however coarse the image was.
    pub(crate) sure: bool,
}

/// The interferences that are known so far.
#[derive(Default)]
pub(crate) struct Found {
    /// For two objects where edges of the first were seen inside of the second.
    pub(crate) by_pair: BTreeMap<(u32, u32), Vec<Sighting>>,
    /// The pairs, the lesser first, that were not looked at as closely as the answer says, and how closely they were.
    pub(crate) coarser: BTreeMap<[u32; 2], f64>,
    pub(crate) answer: Answer,
}

pub(crate) fn find(device: &mut Device, scene: &Scene, options: &Options) -> Result<Answer, ImageError> {
    let mut question = Question::new(scene, options, device.rounding())?;
    let mut found = Found::default();
    found.answer.complete = true;
    if options.coarse && !question.pairs.is_empty() {
        coarse::reject(device, &mut question, &mut found)?;
    }
    if !question.pairs.is_empty() {
        // What a coarse image finds must be looked at again where that is asked for, so it must be known where it was.
        let detail = if options.precision.is_some() { Detail::Pairs } else { options.detail };
        look_from_all_sides(device, &question, detail, &mut found)?;
        let asked = options.precision.unwrap_or(f64::INFINITY);
        let mut solids = sure::Solids::default();
        while found.answer.precision > asked {
            let before = found.answer.precision;
            refine::refine(device, &question, asked.max(before / refine::STEP), &mut solids, &mut found)?;
            if found.answer.precision > 0.9 * before {
                break;
            }
        }
    }
    Ok(found.finish(options))
}

/// Objects whose boxes in the world meet, where one of them has an inside.
fn near_pairs(scene: &Scene) -> Vec<[u32; 2]> {
    let mut broad = BroadPhase::new();
    let bounds = |object: usize| {
        let object = &scene.objects[object];
        scene.shapes[object.shape].bounds.image(object.placement.world_from_model())
    };
    for object in 0..scene.objects.len() {
        // A box that is no box, of a shape without vertices, meets nothing.
        let _ = broad.insert(object as u32, bounds(object));
    }
    let is_solid = |object: u32| {
        let shape = scene.objects[object as usize].shape;
        !scene.shapes[shape].surface.triangles.is_empty()
    };
    let pairs = broad.step().pairs.iter().map(|pair| pair.ids());
    let mut pairs: Vec<[u32; 2]> = pairs.filter(|pair| pair.iter().any(|object| is_solid(*object))).collect();
    pairs.sort_unstable();
    pairs
}

fn look_from_all_sides(
    device: &mut Device,
    question: &Question<'_>,
    detail: Detail,
    found: &mut Found,
) -> Result<(), ImageError> {
    let options = question.options;
    let views = question.views(0.0);
    found.answer.precision = precision::reached(question, &views);
    for (number, (view, _)) in views.iter().enumerate() {
        let drawn = question.instances();
        let others = question.others(number);
        let mut seen = device.look(&Draw {
            shapes: &question.scene.shapes,
            view: view.clone(),
            edges: &drawn,
            faces: &drawn,
            others: &others,
            own: options.own,
            layers: options.layers,
            detail,
            pictures: options.pictures,
        })?;
        found.answer.pictures.push(std::mem::take(&mut seen.pictures));
        found.take(view, &seen);
        if detail == Detail::Any && seen.any {
            found.answer.complete &= number + 1 == views.len();
            break;
        }
    }
    Ok(())
}

/// What a frame shows of the pairs in question.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Stage {
    /// Around all that two objects have in common, in the frame.
    pub(crate) region: Aabb,
    /// From the nearest to the farthest of all that is drawn.
    pub(crate) depths: [f64; 2],
    /// The farthest that anything drawn is from the middle of the region.
    pub(crate) reach: f64,
}

impl<'s> Question<'s> {
    pub(crate) fn new(
        scene: &'s Scene,
        options: &'s Options,
        rounding: Rounding,
    ) -> Result<Question<'s>, ImageError> {
        Ok(Question { scene, options, frames: options.frames()?, rounding, pairs: near_pairs(scene) })
    }

    /// The objects of the pairs.
    pub(crate) fn objects(&self) -> Vec<u32> {
        let mut objects: Vec<u32> = self.pairs.iter().flatten().copied().collect();
        tidy(&mut objects);
        objects
    }

    pub(crate) fn instances(&self) -> Vec<Instance> {
        instances(self.scene, self.objects())
    }

    pub(crate) fn bounds_in(&self, frame: &Frame, object: u32) -> Aabb {
        let object = &self.scene.objects[object as usize];
        bounds_in_frame(frame, object.placement.world_from_model(), &self.scene.shapes[object.shape].bounds)
    }

    pub(crate) fn shape_of(&self, object: u32) -> &Shape {
        &self.scene.shapes[self.scene.objects[object as usize].shape]
    }

    /// What a frame shows, with boxes larger by `more` on all sides.
    pub(crate) fn stage(&self, frame: &Frame, more: f64) -> Stage {
        let grown = |object: u32| {
            let bounds = self.bounds_in(frame, object);
            Aabb { min: bounds.min - more, max: bounds.max + more }
        };
        let all = self.objects().into_iter().map(grown).fold(Aabb::EMPTY, Aabb::merge);
        let shared = |pair: &[u32; 2]| common(&grown(pair[0]), &grown(pair[1]));
        let shared = self.pairs.iter().map(shared).filter(|region| !region.is_empty());
        let region = shared.fold(Aabb::EMPTY, Aabb::merge);
        // Boxes that meet in the world may be apart in another frame: then nothing is seen, wherever one looks.
        let region = if region.is_empty() { Aabb { min: all.center(), max: all.center() } } else { region };
        let middle = region.center();
        let reach = (all.max - middle).abs().max((all.min - middle).abs()).length();
        Stage { region, depths: [all.min.z, all.max.z], reach }
    }

    /// The tightest views of what the pairs have in common, with boxes larger by `more` on all sides.
    pub(crate) fn views(&self, more: f64) -> Vec<(View, Stage)> {
        let Options { resolution, projection, .. } = *self.options;
        let offset = self.options.offset();
        let stages: Vec<Stage> = self.frames.iter().map(|frame| self.stage(frame, more)).collect();
        let across = |region: &Aabb| region.size().x.max(region.size().y);
        // Edges are moved by pixels. With pixels of one size in all views they are moved alike, and one of the views draws each.
        let widest = stages.iter().map(|stage| across(&stage.region)).fold(0.0, f64::max);
        let fitted = self.frames.iter().zip(stages).map(|(frame, stage)| {
            let mut region = stage.region;
            if offset > 0.0 {
                let more = 0.5 * (widest - across(&region));
                region.min -= DVec3::new(more, more, 0.0);
                region.max += DVec3::new(more, more, 0.0);
            }
            (View::fit(*frame, region, stage.depths, resolution, projection, offset), stage)
        });
        fitted.collect()
    }

    /// The other frames that an edge might be seen better from. Only where no edge can hide: otherwise each is drawn in all
    /// views, because one may show what another hides. An eye sees an edge differently from place to place.
    pub(crate) fn others(&self, view: usize) -> Vec<Frame> {
        if self.options.layers != u32::MAX || self.options.projection != Projection::Orthographic {
            return Vec::new();
        }
        let others = self.frames.iter().enumerate().filter(|(number, _)| *number != view);
        others.map(|(_, frame)| *frame).collect()
    }
}

impl Found {
    /// Takes in what a look has seen.
    pub(crate) fn take(&mut self, view: &View, seen: &Seen) {
        let answer = &mut self.answer;
        answer.complete &= seen.complete;
        answer.not_closed |= seen.negative;
        answer.interferes |= seen.any;
        answer.work.looks += 1;
        answer.work.layers += seen.layers;
        answer.work.passes += seen.passes;
        answer.work.bytes_read += seen.bytes_read;
        answer.penetrating.extend(&seen.penetrating);
        answer.penetrated.extend(&seen.penetrated);
        for sample in &seen.samples {
            let point = view.unproject(sample.pixel, sample.depth);
            for inside in &seen.inside[sample.inside.clone()] {
                let sightings = self.by_pair.entry((sample.object, *inside)).or_default();
                sightings.push(Sighting { edge: sample.edge, point, sure: false });
            }
        }
    }

    fn finish(self, options: &Options) -> Answer {
        let mut answer = self.answer;
        for ((penetrating, penetrated), sightings) in self.by_pair {
            if sightings.is_empty() {
                continue;
            }
            let mut edges: Vec<u32> = sightings.iter().map(|sighting| sighting.edge).collect();
            tidy(&mut edges);
            let points = sightings.iter().map(|sighting| sighting.point).collect();
            let pair = [penetrating.min(penetrated), penetrating.max(penetrated)];
            let precision = self.coarser.get(&pair).copied().unwrap_or(answer.precision);
            answer.interferences.push(Interference { penetrating, penetrated, edges, points, precision });
        }
        if options.detail == Detail::Pairs || options.precision.is_some() {
            answer.interferes = !answer.interferences.is_empty();
            answer.name_objects();
        } else if options.detail == Detail::Objects {
            tidy(&mut answer.penetrating);
            tidy(&mut answer.penetrated);
            answer.interferes = !answer.penetrating.is_empty();
        }
        answer
    }
}
