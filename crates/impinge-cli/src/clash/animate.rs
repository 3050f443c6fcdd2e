//! Clashes while an animation plays.

use std::collections::BTreeMap;
use std::ops::ControlFlow;

use impinge::animation::{Joint, Local, Rig, Track};
use impinge::clash::{
    Attachment, ClashKind, ClashOptions, ClashTimeline, MotionOptions, MovingPart, Observation, Progress,
    check_pair, detect_moving, detect_with,
};
use impinge::math::DVec3;
use impinge::{Deformable, Placed};
use impinge_formats::{Animation, Deformation};
use impinge_report as report;
use impinge_report::terminal::Error;

use super::fill;
use super::parts::Parts;

/// Moments of one animation at most: more is a slip.
const MOST_MOMENTS: f64 = 1e6;

/// What was asked for.
pub(super) struct Play<'a> {
    pub(super) name: &'a str,
    pub(super) every: f64,
    pub(super) options: ClashOptions<'a>,
    /// Whether curves and faces are wanted.
    pub(super) places: bool,
}

/// What was found while animations played, one after the other.
#[derive(Default)]
pub(super) struct Played {
    pub(super) clashes: Vec<report::Clash>,
    pub(super) animation: report::Animation,
    pub(super) notes: Vec<String>,
    pub(super) partial: bool,
}

/// Plays one animation, or with `all` each of them.
pub(super) fn play(
    parts: &Parts,
    asked: &Play<'_>,
    considered: &(impl Fn(u32, u32) -> bool + Sync),
    progress: &(impl Fn(Progress) -> ControlFlow<()> + Send + Sync),
) -> Result<Played, Error> {
    let names = names(parts, asked.name)?;
    let mut played = Played::default();
    let mut found: BTreeMap<[usize; 2], report::Clash> = BTreeMap::new();
    for name in &names {
        let scene = Animated::new(parts, name)?;
        if scene.duration / asked.every > MOST_MOMENTS {
            let reason = format!("more than a million moments in the {} s of `{name}`", scene.duration);
            return Err(Error::option("--every", reason));
        }
        let from = played.animation.duration;
        let (clashes, partial) = scene.clashes(asked, considered, progress)?;
        played.partial |= partial;
        for mut clash in clashes {
            for time in [&mut clash.time, &mut clash.moment].into_iter().flatten() {
                *time += from;
            }
            join(&mut found, clash);
        }
        scene.tracks(from, asked.every, &mut played.animation.tracks);
        played.animation.duration += scene.duration;
        if names.len() > 1 {
            let to = played.animation.duration;
            played.notes.push(format!("animation `{name}` plays from {from:.3} to {to:.3} s"));
        }
        if !scene.deforming.is_empty() {
            let names: Vec<&str> =
                scene.deforming.iter().map(|shape| parts.list[shape.part].called.name.as_str()).collect();
            let every = asked.every;
            played.notes.push(format!(
                "sampled every {every:.4} s, because they change their shape, and drawn as at rest: {}",
                names.join(", ")
            ));
        }
        if played.partial {
            break;
        }
    }
    played.animation.name = names.join(", ");
    played.clashes = found.into_values().collect();
    Ok(played)
}

/// The animations that a name means, in the order of the files.
fn names(parts: &Parts, asked: &str) -> Result<Vec<String>, Error> {
    let mut known: Vec<String> = Vec::new();
    for animation in parts.animations.iter().flatten() {
        if !known.contains(&animation.name) {
            known.push(animation.name.clone());
        }
    }
    if known.is_empty() {
        return Err(Error::option("--animation", "there is no animation in the scene"));
    }
    if asked == "all" {
        return Ok(known);
    }
    if known.iter().any(|name| name == asked) {
        return Ok(vec![asked.to_owned()]);
    }
    let list = known.join("`, `");
    Err(Error::option("--animation", format!("there is no animation `{asked}`; there is `{list}`")))
}

/// One clash for each pair: the graver, else the earlier; the times add up.
fn join(found: &mut BTreeMap<[usize; 2], report::Clash>, clash: report::Clash) {
    match found.get_mut(&[clash.a, clash.b]) {
        Some(known) => {
            let both = known.duration.zip(clash.duration).map(|(one, other)| one + other);
            if clash.verdict < known.verdict {
                *known = clash;
            }
            known.duration = both;
        }
        None => {
            found.insert([clash.a, clash.b], clash);
        }
    }
}

/// A scene while one animation plays.
struct Animated<'a> {
    parts: &'a Parts,
    rig: Rig,
    /// What carries each part.
    carriers: Vec<Attachment>,
    deforming: Vec<Shape<'a>>,
    duration: f64,
}

/// A part that changes its shape.
struct Shape<'a> {
    part: usize,
    deformation: &'a Deformation,
    weights: Option<&'a [Track<DVec3>]>,
    /// The animation that it comes from: its joints are that one's.
    animation: &'a Animation,
}

impl Shape<'_> {
    fn vertices(&self, time: f64) -> Vec<DVec3> {
        let weights = self.weights.map(|tracks| tracks.iter().map(|track| track.at(time).x).collect());
        self.deformation.vertices(&self.animation.rig, weights, time)
    }
}

impl<'a> Animated<'a> {
    fn new(parts: &'a Parts, name: &str) -> Result<Animated<'a>, Error> {
        let mut joints: Vec<Joint> = Vec::new();
        // Of each file the animation of this name, and where its joints begin.
        let mut playing: Vec<Option<(&Animation, usize)>> = Vec::new();
        let mut duration = 0.0_f64;
        for animations in &parts.animations {
            let found = animations.iter().find(|animation| animation.name == name);
            playing.push(found.map(|animation| (animation, joints.len())));
            if let Some(animation) = found {
                let first = joints.len();
                let own = animation.rig.joints().iter().cloned();
                joints.extend(
                    own.map(|joint| Joint { parent: joint.parent.map(|parent| parent + first), ..joint }),
                );
                duration = duration.max(animation.duration());
            }
        }
        // A copy is carried by a joint of its own, which its node carries.
        let mut copies = vec![None; parts.list.len()];
        for (part, copy) in parts.list.iter().zip(&mut copies) {
            if let (Some([file, node]), Some(node_from_copy)) = (part.node_of_file(), part.node_from_copy)
                && let Some((_, first)) = playing[file]
            {
                *copy = Some(joints.len());
                joints.push(Joint { parent: Some(first + node), local: Local::Matrix(node_from_copy) });
            }
        }
        let rig = Rig::new(joints).map_err(|error| Error::option("--animation", error.to_string()))?;
        let mut scene = Animated { parts, rig, carriers: Vec::new(), deforming: Vec::new(), duration };
        for (number, part) in parts.list.iter().enumerate() {
            let still = Attachment::Still(part.placement);
            let Some((node, (animation, first))) =
                part.node_of_file().and_then(|[file, node]| Some((node, playing[file]?)))
            else {
                scene.carriers.push(still);
                continue;
            };
            let deformation = part.deformation.map(|place| &parts.deformations[place]);
            let has_skin = deformation.is_some_and(Deformation::has_skin);
            let carrier = copies[number].unwrap_or(first + node);
            let is_carried = !has_skin && scene.rig.moves(carrier);
            scene.carriers.push(if is_carried { Attachment::Joint(carrier) } else { still });
            if let Some(deformation) = deformation {
                let of_node = animation.weights.iter().find(|weights| weights.node == node);
                let weights = of_node.map(|weights| weights.tracks.as_slice());
                let moves = deformation.joints().iter().any(|joint| animation.rig.moves(*joint));
                if moves || weights.is_some() {
                    scene.deforming.push(Shape { part: number, deformation, weights, animation });
                }
            }
        }
        Ok(scene)
    }

    fn clashes(
        &self,
        asked: &Play<'_>,
        considered: &(impl Fn(u32, u32) -> bool + Sync),
        progress: &(impl Fn(Progress) -> ControlFlow<()> + Send + Sync),
    ) -> Result<(Vec<report::Clash>, bool), Error> {
        let mut changes = vec![false; self.carriers.len()];
        self.deforming.iter().for_each(|shape| changes[shape.part] = true);
        let has_change = |a: u32, b: u32| changes[a as usize] || changes[b as usize];
        let moving: Vec<MovingPart<'_>> = self
            .parts
            .list
            .iter()
            .zip(&self.carriers)
            .map(|(part, carrier)| MovingPart { model: &self.parts.models[part.model], carrier: *carrier })
            .collect();
        let accept = |a: u32, b: u32| considered(a, b) && !has_change(a, b);
        let clash = asked.options.accept(Some(&accept)).progress(Some(progress));
        let options = MotionOptions::new().clash(clash).every(asked.every).duration(Some(self.duration));
        let found = detect_moving(&self.rig, &moving, &options)?;
        let at = |part: u32, time: f64| moving[part as usize].at(&self.rig, time);
        let mut clashes = fill::timed(&found.clashes, asked.places, at);
        let mut partial = found.partial;
        if !self.deforming.is_empty() && !partial {
            let considered = |a, b| considered(a, b) && has_change(a, b);
            partial = self.sample(asked, &moving, &considered, progress, &mut clashes)?;
        }
        Ok((clashes, partial))
    }

    /// Looks at parts that change their shape, moment by moment. Returns whether that was interrupted.
    fn sample(
        &self,
        asked: &Play<'_>,
        moving: &[MovingPart<'_>],
        considered: &(impl Fn(u32, u32) -> bool + Sync),
        progress: &(impl Fn(Progress) -> ControlFlow<()> + Send + Sync),
        into: &mut Vec<report::Clash>,
    ) -> Result<bool, Error> {
        let mut bodies: Vec<Deformable> = self
            .deforming
            .iter()
            .map(|shape| Deformable::new(moving[shape.part].model.mesh().clone()))
            .collect();
        let options = asked.options.separation(false);
        let mut histories: BTreeMap<[u32; 2], ClashTimeline> = BTreeMap::new();
        let moments = (self.duration / asked.every).ceil() as u64;
        for moment in 0..=moments {
            let time = (moment as f64 * asked.every).min(self.duration);
            let here = self.placed(moving, &mut bodies, time)?;
            let placed: Vec<Placed<'_>> = here.iter().map(|(_, placed)| *placed).collect();
            let number = |place: u32| here[place as usize].0;
            let accept = |a: u32, b: u32| considered(number(a), number(b));
            let found = detect_with(&placed, &options.accept(Some(&accept)).progress(Some(progress)));
            if found.partial {
                return Ok(true);
            }
            let mut seen: BTreeMap<[u32; 2], Observation> = BTreeMap::new();
            for clash in &found.clashes {
                let sight = match clash.kind {
                    ClashKind::Near => Observation::Near(clash.distance),
                    kind => Observation::Contact(kind),
                };
                seen.insert([number(clash.a), number(clash.b)], sight);
            }
            for pair in seen.keys() {
                histories.entry(*pair).or_default();
            }
            for (pair, history) in &mut histories {
                history.look(time, seen.get(pair).copied().unwrap_or(Observation::Apart));
            }
        }
        for (pair, history) in histories {
            let Some(met) = history.end(self.duration) else { continue };
            let here = self.placed(moving, &mut bodies, met.moment)?;
            let find = |part: u32| here.iter().find(|(number, _)| *number == part).map(|(_, placed)| *placed);
            let (Some(a), Some(b)) = (find(pair[0]), find(pair[1])) else { continue };
            let Some(clash) = check_pair(&a, &b, &asked.options.open_parts(false)) else { continue };
            let timed = met.timed(pair, clash);
            into.extend(fill::timed(&[timed], asked.places, |part, _| {
                Some(if part == pair[0] { a } else { b })
            }));
        }
        Ok(false)
    }

    /// All parts that are there at a time, with their numbers.
    fn placed<'b>(
        &self,
        moving: &[MovingPart<'b>],
        bodies: &'b mut [Deformable],
        time: f64,
    ) -> Result<Vec<(u32, Placed<'b>)>, Error> {
        for (shape, body) in self.deforming.iter().zip(bodies.iter_mut()) {
            body.set_vertices(&shape.vertices(time)).map_err(|error| {
                let name = &self.parts.list[shape.part].called.name;
                Error::option("--animation", format!("{name} at {time} s: {error}"))
            })?;
        }
        let mut own: Vec<Option<&Deformable>> = vec![None; moving.len()];
        for (shape, body) in self.deforming.iter().zip(bodies.iter()) {
            own[shape.part] = Some(body);
        }
        let at = |(number, part): (usize, &MovingPart<'b>)| {
            let model = own[number].map_or(part.model, Deformable::model);
            Some((number as u32, MovingPart { model, ..*part }.at(&self.rig, time)?))
        };
        Ok(moving.iter().enumerate().filter_map(at).collect())
    }

    /// Adds where parts stand at their keys, and in between where that is not even, to what they did before.
    fn tracks(&self, from: f64, every: f64, tracks: &mut Vec<report::Track>) {
        for (part, carrier) in self.carriers.iter().enumerate() {
            let known = tracks.iter().position(|track| track.part == part);
            let Attachment::Joint(joint) = carrier else {
                if let Some(known) = known {
                    add_key(&mut tracks[known], from, self.at_rest(part));
                }
                continue;
            };
            let known = known.unwrap_or_else(|| {
                tracks.push(report::Track { part, times: Vec::new(), world_from_model: Vec::new() });
                tracks.len() - 1
            });
            if from > 0.0 && tracks[known].times.is_empty() {
                add_key(&mut tracks[known], 0.0, self.at_rest(part));
                add_key(&mut tracks[known], from.next_down(), self.at_rest(part));
            }
            let mut times: Vec<f64> = self.rig.key_times(*joint);
            let last = times.last().copied().unwrap_or(0.0);
            times.extend((0..(last / every).ceil() as u64).map(|moment| moment as f64 * every));
            times.sort_unstable_by(f64::total_cmp);
            // What is closer than a picture of a film is not seen.
            times.dedup_by(|later, earlier| *later - *earlier < 0.1 * every);
            let moving = MovingPart { model: self.model(part), carrier: *carrier };
            for time in times {
                let placed = moving.at(&self.rig, time);
                let place = placed.map(|placed| fill::rows(placed.placement().world_from_model()));
                add_key(&mut tracks[known], from + time, place);
            }
        }
    }

    fn at_rest(&self, part: usize) -> Option<report::Matrix> {
        Some(fill::rows(self.parts.list[part].placement.world_from_model()))
    }

    fn model(&self, part: usize) -> &'a impinge::Model {
        &self.parts.models[self.parts.list[part].model]
    }
}

/// Adds a key behind the others. Of what stands still for a while, the ends are enough.
fn add_key(track: &mut report::Track, time: f64, place: Option<report::Matrix>) {
    if let [.., before, last] = track.world_from_model.as_slice()
        && *before == place
        && *last == place
    {
        track.times.pop();
        track.world_from_model.pop();
    }
    if track.times.last().is_none_or(|last| *last < time) {
        track.times.push(time);
        track.world_from_model.push(place);
    }
}
