//! Cracks that rounding made are closed once, where files are read, so that everybody sees the same mesh.

use crate::note::{Note, NoteKind};
use crate::{Place, Scene};

/// How wide a crack may be in rounded coordinates: two numbers that were one may be off by once each, in three directions.
const TOLERANCE: f64 = 2.0 * 1.732_050_807_568_877_2;

/// Closes cracks of all meshes that are not closed. Shapes that change with time stay as they are: their vertices are known by number.
pub(crate) fn close(scene: &mut Scene) {
    for mesh in scene.meshes.iter_mut().filter(|mesh| mesh.deformation.is_none()) {
        // A rounding that is no length tells nothing.
        let Ok(Some(closed)) = mesh.mesh.with_cracks_closed(TOLERANCE * mesh.rounding) else { continue };
        mesh.mesh = closed.mesh;
        let kind = NoteKind::Welded {
            vertices: closed.moved,
            within: closed.tolerance,
            open_edges: closed.open_edges,
        };
        mesh.notes.push(Note { place: Place::File, kind });
    }
}
