//! One primitive of a mesh: its vertices at rest, and its faces in the form that the file has.

use impinge::Mesh;
use impinge::math::DVec3;

use super::accessor::Accessors;
use super::json::Primitive;
use crate::error::{Fault, Place};
use crate::note::Note;

/// The modes of primitives that have faces.
#[derive(Clone, Copy)]
enum Mode {
    Triangles,
    Strip,
    Fan,
}

/// Reads a primitive with the morph targets' weights that it has at rest, its vertices moved by `pose` (a skin).
/// `None` where the primitive has no faces; the notes say why.
pub(super) fn read(
    accessors: &Accessors<'_>,
    primitive: &Primitive,
    weights: &[f64],
    place: &Place,
    notes: &mut Vec<Note>,
    pose: impl FnOnce(&mut [DVec3]) -> Result<(), Fault>,
) -> Result<Option<Mesh>, Fault> {
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
        notes.push(Note::skipped(place.clone(), "primitives without positions", 1));
        return Ok(None);
    };
    let corners = match primitive.indices {
        Some(indices) => accessors.count(indices, place)?,
        None => accessors.count(position, place)?,
    };
    if corners < 3 {
        notes.push(Note::skipped(place.clone(), "primitives without faces", 1));
        return Ok(None);
    }

    let mut vertices: Vec<DVec3> =
        accessors.read::<3>(position, "VEC3", place)?.into_iter().map(DVec3::from_array).collect();
    morph(accessors, primitive, weights, place, &mut vertices)?;
    pose(&mut vertices)?;
    let indices = match primitive.indices {
        Some(indices) => Some(accessors.read_indices(indices, vertices.len(), place)?),
        None => None,
    };
    let left_over = corners % 3;
    if matches!(mode, Mode::Triangles) && left_over > 0 {
        notes.push(Note::skipped(place.clone(), "corners behind the last triangle", left_over));
    }
    let mesh = match (mode, indices) {
        (Mode::Triangles, Some(indices)) => {
            let triangles = indices.chunks_exact(3).map(|face| [face[0], face[1], face[2]]).collect();
            Mesh::triangles(vertices, triangles)
        }
        (Mode::Triangles, None) => {
            vertices.truncate(corners - left_over);
            Mesh::soup(vertices)
        }
        (Mode::Strip, Some(indices)) => Mesh::indexed_strip(vertices, indices, None),
        (Mode::Strip, None) => Mesh::strip(vertices),
        (Mode::Fan, Some(indices)) => Mesh::indexed_fan(vertices, indices, None),
        (Mode::Fan, None) => Mesh::fan_of(vertices),
    };
    let mesh = mesh.map_err(|error| Fault { place: place.clone(), ..Fault::from(error) })?;
    Ok(Some(mesh))
}

/// Adds each morph target by its weight; a target without a weight has none.
fn morph(
    accessors: &Accessors<'_>,
    primitive: &Primitive,
    weights: &[f64],
    place: &Place,
    vertices: &mut [DVec3],
) -> Result<(), Fault> {
    for (target, &weight) in primitive.targets.iter().zip(weights) {
        let Some(position) = target.position.filter(|_| weight != 0.0) else { continue };
        let moves = accessors.read::<3>(position, "VEC3", place)?;
        if moves.len() != vertices.len() {
            let what = format!("a morph target has {} vertices of {}", moves.len(), vertices.len());
            return Err(Fault::malformed(place.clone(), what));
        }
        for (vertex, offset) in vertices.iter_mut().zip(moves) {
            *vertex += weight * DVec3::from_array(offset);
        }
    }
    Ok(())
}
