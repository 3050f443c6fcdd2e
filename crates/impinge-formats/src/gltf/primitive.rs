//! One primitive of a mesh: its vertices at rest, and its faces in the form that the file has.

use impinge::Mesh;
use impinge::math::DVec3;

use super::accessor::Accessors;
use super::attributes::Source;
use super::draco;
use super::json::{Primitive, Target};
use super::skin::Binding;
use crate::deformation::Deformation;
use crate::error::{Fault, Place, ReadErrorKind};
use crate::limits::BYTES_PER_FACE;
use crate::memory;
use crate::note::Note;
use crate::rounding;

/// The modes of primitives that have faces.
#[derive(Clone, Copy)]
enum Mode {
    Triangles,
    Strip,
    Fan,
}

/// What shapes a primitive beside its own positions.
pub(super) struct Shaping<'s> {
    /// Of the morph targets, at rest.
    pub(super) weights: &'s [f64],
    pub(super) skin: Option<&'s Binding>,
    /// Whether an animation may change the shape, so that it must be known how.
    pub(super) changes: bool,
}

/// A primitive that was read.
pub(super) struct Shaped {
    pub(super) mesh: Mesh,
    pub(super) deformation: Option<Deformation>,
    /// How far a coordinate may be off.
    pub(super) rounding: f64,
}

/// Reads a primitive as it is at rest. `None` where it has no faces; the notes say why.
pub(super) fn read(
    accessors: &Accessors<'_>,
    primitive: &Primitive,
    shaping: &Shaping<'_>,
    place: &Place,
    notes: &mut Vec<Note>,
) -> Result<Option<Shaped>, Fault> {
    let mode = match primitive.mode.unwrap_or(4) {
        4 => Mode::Triangles,
        5 => Mode::Strip,
        6 => Mode::Fan,
        points_or_lines @ 0..=3 => {
            let what = if points_or_lines == 0 { "primitives of points" } else { "primitives of lines" };
            notes.push(Note::skipped(place.clone(), what, 1));
            return Ok(None);
        }
        mode => {
            return Err(Fault::malformed(
                place.clone(),
                format!("the mode is {mode}, which is none of glTF's"),
            ));
        }
    };
    let Some(position) = primitive.attributes.position else {
        notes.push(Note::left_out(place.clone(), "primitives without positions", 1));
        return Ok(None);
    };
    let source = Source::new(accessors, primitive, place)?;
    let compressed = source.corners()?;
    let mode = match (mode, &compressed) {
        (Mode::Fan, Some(_)) => {
            let what = format!("{} holds triangles or strips, but the mode is 6 (fans)", draco::NAME);
            return Err(Fault::malformed(place.clone(), what));
        }
        // The stream has the triangles of a strip.
        (_, Some(_)) => Mode::Triangles,
        (mode, None) => mode,
    };
    let corners = match (&compressed, primitive.indices) {
        (Some(corners), _) => corners.len(),
        (None, Some(indices)) => accessors.count(indices, place)?,
        (None, None) => accessors.count(position, place)?,
    };
    if corners < 3 {
        notes.push(Note::skipped(place.clone(), "primitives without faces", 1));
        return Ok(None);
    }

    // What the model of these faces will take, before anything is read.
    let most_faces = if matches!(mode, Mode::Triangles) { corners / 3 } else { corners };
    if compressed.is_none() {
        accessors.buffers.will_take(most_faces, BYTES_PER_FACE, place)?;
    }
    let positions = source.read::<3>("POSITION", position, "VEC3")?;
    let step = source.step("POSITION", position)?;
    let mut vertices = memory::collect(positions.len(), positions.into_iter().map(DVec3::from_array))?;
    let is_shaped = shaping.skin.is_some() || shaping.weights.iter().any(|weight| *weight != 0.0);
    let mut deformation = shaping.changes.then(|| Deformation {
        at_rest: vertices.clone(),
        targets: Vec::new(),
        weights: shaping.weights.to_vec(),
        skin: None,
    });
    for (number, target) in primitive.targets.iter().enumerate() {
        let weight = shaping.weights.get(number).copied().unwrap_or(0.0);
        if weight == 0.0 && deformation.is_none() {
            continue;
        }
        let moves = target_moves(accessors, target, place, vertices.len())?;
        vertices.iter_mut().zip(&moves).for_each(|(vertex, by)| *vertex += weight * *by);
        if let Some(deformation) = &mut deformation {
            deformation.targets.push(moves);
        }
    }
    if let Some(binding) = shaping.skin {
        let skinned = binding.hang(&source, &primitive.attributes, vertices.len())?;
        binding.apply(&skinned, &mut vertices);
        if let Some(deformation) = &mut deformation {
            deformation.skin = Some(skinned);
        }
    }
    let of_floats = rounding::OF_F32 * rounding::largest(vertices.iter().copied());
    let rounding = match step {
        // Integers are what they are, but for what moves them.
        Some(step) if !is_shaped => 0.5 * step,
        Some(step) => of_floats.max(0.5 * step * shaping.skin.map_or(1.0, Binding::greatest_scale)),
        None => of_floats,
    };
    let indices = match (compressed, primitive.indices) {
        (Some(corners), _) => {
            if let Some(&corner) = corners.iter().find(|&&corner| corner as usize >= vertices.len()) {
                let (index, count) = (i64::from(corner), vertices.len());
                let kind = ReadErrorKind::IndexOutOfRange { what: "vertex", index, count };
                return Err(Fault::new(place.clone(), kind));
            }
            Some(corners)
        }
        (None, Some(indices)) => Some(accessors.read_indices(indices, vertices.len(), place)?),
        (None, None) => None,
    };
    let left_over = corners % 3;
    if matches!(mode, Mode::Triangles) && left_over > 0 {
        notes.push(Note::skipped(place.clone(), "corners behind the last triangle", left_over));
    }
    let mesh = match (mode, indices) {
        (Mode::Triangles, Some(indices)) => {
            let triangles = indices.chunks_exact(3).map(|face| [face[0], face[1], face[2]]);
            Mesh::triangles(vertices, memory::collect(indices.len() / 3, triangles)?)
        }
        (Mode::Triangles, None) => {
            vertices.truncate(corners - left_over);
            if let Some(deformation) = &mut deformation {
                deformation.at_rest.truncate(corners - left_over);
            }
            Mesh::soup(vertices)
        }
        (Mode::Strip, Some(indices)) => Mesh::indexed_strip(vertices, indices, None),
        (Mode::Strip, None) => Mesh::triangle_strip(vertices),
        (Mode::Fan, Some(indices)) => Mesh::indexed_fan(vertices, indices, None),
        (Mode::Fan, None) => Mesh::triangle_fan(vertices),
    };
    let mesh = mesh.map_err(|error| Fault { place: place.clone(), ..Fault::from(error) })?;
    Ok(Some(Shaped { mesh, deformation, rounding }))
}

/// By how much a morph target moves each vertex.
fn target_moves(
    accessors: &Accessors<'_>,
    target: &Target,
    place: &Place,
    vertices: usize,
) -> Result<Vec<DVec3>, Fault> {
    let Some(position) = target.position else { return Ok(vec![DVec3::ZERO; vertices]) };
    let moves = accessors.read::<3>(position, "VEC3", place)?;
    if moves.len() != vertices {
        let what = format!("a morph target has {} vertices of {vertices}", moves.len());
        return Err(Fault::malformed(place.clone(), what));
    }
    Ok(moves.into_iter().map(DVec3::from_array).collect())
}
