//! A plane with one body on each side of it, found by trial.

use crate::model::Placed;
use crate::world::travel::Travel;
use impinge_core::math::DVec3;

/// Trials before the search is given up.
const TRIALS: usize = 4;

/// Vertices of a body at most: looking at more of them takes longer than what it spares.
const VERTICES: usize = 256;

/// Vertices of a body at most where both bodies stand still: their exact test is much quicker than a sweep.
const VERTICES_AT_REST: usize = 32;

/// A direction along which the second body lies beyond the first on its whole way, by more than `margin`, and by how much: tried are that of the last
/// time and that between the middles, each mirrored at what it hit (Chung and Wang).
pub(super) fn divider(
    [moving, other]: [&Travel; 2],
    placed: [&Placed<'_>; 2],
    margin: f64,
    remembered: impl FnOnce() -> Option<DVec3>,
) -> Option<(f64, DVec3)> {
    let way = moving.straight? - other.straight?;
    let vertices = if way == DVec3::ZERO { VERTICES_AT_REST } else { VERTICES };
    if placed.iter().any(|placed| placed.model().mesh().vertex_count() > vertices) {
        return None;
    }
    let size = |travel: &Travel| {
        travel.centers[0].abs().element_sum() + travel.centers[1].abs().element_sum() + travel.radius
    };
    // Vertices are those of the cores.
    let beyond = moving.rounded_by + other.rounded_by + 1e-13 * (size(moving) + size(other));
    let middles = other.centers[0] - moving.centers[0];
    for first in [remembered(), middles.try_normalize()].into_iter().flatten() {
        let mut direction = first;
        for _ in 0..TRIALS {
            let mut ahead = farthest(placed[0], direction);
            if direction.dot(way) > 0.0 {
                ahead += way;
            }
            let between = farthest(placed[1], -direction) - ahead;
            let gap = direction.dot(between) - beyond;
            if gap > margin {
                return Some((gap, direction));
            }
            let Some(between) = between.try_normalize() else { break };
            let mirrored = direction - 2.0 * direction.dot(between) * between;
            let Some(next) = mirrored.try_normalize() else { break };
            direction = next;
        }
    }
    None
}

/// Whether a model is a box along the axes of its own frame.
pub(super) fn is_box(placed: &Placed<'_>) -> bool {
    let (mesh, bounds) = (placed.model().mesh(), placed.model().bounds());
    let is_corner = |vertex: DVec3| (vertex.cmpeq(bounds.min) | vertex.cmpeq(bounds.max)).all();
    mesh.vertex_count() == 8 && mesh.vertices().all(is_corner)
}

/// The vertex that is farthest along a direction, in the world.
fn farthest(placed: &Placed<'_>, direction: DVec3) -> DVec3 {
    let map = placed.placement().world_from_model();
    let in_model = map.matrix3.transpose() * direction;
    let (mut most, mut best) = (f64::NEG_INFINITY, DVec3::ZERO);
    for vertex in placed.model().mesh().vertices() {
        let along = vertex.dot(in_model);
        if along > most {
            (most, best) = (along, vertex);
        }
    }
    map.transform_point3(best)
}
