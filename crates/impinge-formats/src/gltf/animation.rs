//! Animations: every node of the document as a joint, with the keys that an animation gives it.

use std::collections::HashSet;

use impinge::animation::{Interpolation, Joint, Keyed, Local, Rig, Track, TrackFault, Value};
use impinge::math::{DQuat, DVec3};

use super::accessor::Accessors;
use super::buffers::get;
use super::json::{AnimationEntry, Sampler};
use super::nodes::{self, Nodes};
use crate::error::{Fault, Place};
use crate::note::Note;
use crate::scene::{Animation, WeightTrack};

/// Reads one animation. What it moves beside nodes and morph targets is counted in the notes.
pub(super) fn read(
    accessors: &Accessors<'_>,
    nodes: &Nodes,
    index: usize,
    entry: &AnimationEntry,
    notes: &mut Vec<Note>,
) -> Result<Animation, Fault> {
    let place = Place::json(format!("/animations/{index}"));
    // Many animations of many nodes are more than they look in the file.
    accessors.buffers.will_take(nodes.parents.len(), size_of::<Joint>() as u64, &place)?;
    let mut joints: Vec<Joint> = nodes
        .parents
        .iter()
        .zip(&accessors.document.nodes)
        .enumerate()
        .map(|(number, (parent, node))| Ok(Joint { parent: *parent, local: nodes::local(number, node)? }))
        .collect::<Result<_, Fault>>()?;
    let mut weights = Vec::new();
    let mut skipped = 0;
    for (number, channel) in entry.channels.iter().enumerate() {
        let place = Place::json(format!("/animations/{index}/channels/{number}"));
        let Some(node) = channel.target.node else {
            skipped += 1;
            continue;
        };
        get(&joints, node, "node", &place)?;
        let sampler = get(&entry.samplers, channel.sampler, "sampler", &place)?;
        let keys = Keys { accessors, sampler, place: &place };
        if channel.target.path == "weights" {
            weights.push(WeightTrack { node, tracks: keys.weights(node)? });
            continue;
        }
        let Local::Trs { translation, rotation, scale } = &mut joints[node].local else {
            let what = format!("node {node} has a matrix, and what is animated must not have one");
            return Err(Fault::malformed(place, what));
        };
        match channel.target.path.as_str() {
            "translation" => *translation = Value::Keys(keys.vectors()?),
            "scale" => *scale = Value::Keys(keys.vectors()?),
            "rotation" => *rotation = Value::Keys(keys.rotations()?),
            _ => skipped += 1,
        }
    }
    if skipped > 0 {
        notes.push(Note::skipped(place.clone(), "channels that move no node", skipped));
    }
    let rig = Rig::new(joints).map_err(|error| Fault::malformed(place, error.to_string()))?;
    let name = entry.name.clone().unwrap_or_else(|| format!("animation {index}"));
    Ok(Animation { name, rig, weights })
}

/// The keys of a channel.
struct Keys<'k, 'a> {
    accessors: &'k Accessors<'a>,
    sampler: &'k Sampler,
    place: &'k Place,
}

impl Keys<'_, '_> {
    fn interpolation(&self) -> Result<Interpolation, Fault> {
        match self.sampler.interpolation.as_deref() {
            None | Some("LINEAR") => Ok(Interpolation::Linear),
            Some("STEP") => Ok(Interpolation::Step),
            Some("CUBICSPLINE") => Ok(Interpolation::Cubic),
            Some(other) => {
                let what = format!("the interpolation is `{other}`, which is none of glTF's");
                Err(Fault::malformed(self.place.clone(), what))
            }
        }
    }

    fn times(&self) -> Result<Vec<f64>, Fault> {
        let times = self.accessors.read::<1>(self.sampler.input, "SCALAR", self.place)?;
        Ok(times.into_iter().map(|[time]| time).collect())
    }

    fn good<V: Keyed>(&self, track: Result<Track<V>, TrackFault>) -> Result<Track<V>, Fault> {
        track.map_err(|fault| Fault::malformed(self.place.clone(), fault.to_string()))
    }

    fn vectors(&self) -> Result<Track<DVec3>, Fault> {
        let values = self.accessors.read::<3>(self.sampler.output, "VEC3", self.place)?;
        let values = values.into_iter().map(DVec3::from_array).collect();
        self.good(Track::new(self.times()?, values, self.interpolation()?))
    }

    fn rotations(&self) -> Result<Track<DQuat>, Fault> {
        let values = self.accessors.read::<4>(self.sampler.output, "VEC4", self.place)?;
        let values = values.into_iter().map(DQuat::from_array).collect();
        self.good(Track::rotations(self.times()?, values, self.interpolation()?))
    }

    /// A track for each morph target: the weights of a key follow each other.
    fn weights(&self, node: usize) -> Result<Vec<Track<DVec3>>, Fault> {
        let document = self.accessors.document;
        let mesh = document.nodes[node].mesh.and_then(|mesh| document.meshes.get(mesh));
        let targets = mesh.and_then(|mesh| mesh.primitives.first()).map_or(0, |first| first.targets.len());
        let values = self.accessors.read::<1>(self.sampler.output, "SCALAR", self.place)?;
        let (times, interpolation) = (self.times()?, self.interpolation()?);
        let each = if interpolation == Interpolation::Cubic { 3 } else { 1 };
        if targets == 0 || values.len() != targets * each * times.len() {
            let what = format!(
                "there are {} weights for {} keys and {targets} morph targets",
                values.len(),
                times.len()
            );
            return Err(Fault::malformed(self.place.clone(), what));
        }
        let of_target = |target: usize| {
            let own = values.iter().skip(target).step_by(targets);
            self.good(Track::new(
                times.clone(),
                own.map(|[weight]| DVec3::X * *weight).collect(),
                interpolation,
            ))
        };
        (0..targets).map(of_target).collect()
    }
}

/// The nodes of whose morph targets any animation changes the weights.
pub(super) fn nodes_with_weights(entries: &[AnimationEntry]) -> HashSet<usize> {
    let channels = entries.iter().flat_map(|entry| &entry.channels);
    channels
        .filter(|channel| channel.target.path == "weights")
        .filter_map(|channel| channel.target.node)
        .collect()
}
