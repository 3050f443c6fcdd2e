//! A vertex of one body inside of the other: they overlap, whatever their faces do.

use crate::model::Placed;

/// Vertices that are tried at most.
const VERTICES: usize = 64;

/// Whether some vertex of one body is found deep inside of the other. `false` says nothing.
pub(in crate::world) fn has_vertex_inside(a: &Placed<'_>, b: &Placed<'_>) -> bool {
    [(a, b), (b, a)].into_iter().any(|(own, other)| {
        let bounds = other.bounds();
        let mut within = own
            .model()
            .mesh()
            .vertices()
            .take(VERTICES)
            .map(|vertex| own.placement().point_to_world(vertex))
            .filter(|point| bounds.contains(*point));
        within.any(|point| {
            // Deeper than rounding can do.
            let room = 1e-12 * (point.abs().max_element() + bounds.size().max_element());
            other.signed_distance(point).is_some_and(|distance| distance.signed() < -room)
        })
    })
}
