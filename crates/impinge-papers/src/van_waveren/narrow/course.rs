//! A part of a motion: along a line, or along an arc of at most 90°.

use impinge::bounds::Aabb;
use impinge::math::DVec3;

use super::moving::Moving;
use crate::van_waveren::polyhedron::Polyhedron;

/// The bodies of a search, and the sidedness relations that translations share.
pub(super) struct Scene<'s> {
    pub(super) mover: &'s Polyhedron,
    pub(super) moving: &'s Moving,
    pub(super) stationary: &'s Polyhedron,
    pub(super) zone: f64,
    pub(super) corrected: bool,
}

/// The keeper of sidedness relations: of the paths of vertices with edges.
pub(super) trait Relations {
    /// The sign for a vertex of the moving polyhedron and an edge of the other.
    fn vertex_edge(&mut self, vertex: u32, edge: u32, compute: impl FnOnce() -> i8) -> i8;
    /// The sign for an edge of the moving polyhedron and a vertex of the other.
    fn edge_vertex(&mut self, edge: u32, vertex: u32, compute: impl FnOnce() -> i8) -> i8;
    /// Counts relations that no other test can share.
    fn count(&mut self, sides: u64);
}

/// A part of a motion. Moments are keys that grow with time, from 0 to an end.
pub(super) trait Course {
    /// The key of the end.
    fn end(&self) -> f64;

    /// Bounds of the path of a point that starts at the given place.
    fn path(&self, point: DVec3) -> Aabb;

    /// The velocity of the moving body where it passes a point.
    fn velocity(&self, at: DVec3) -> DVec3;

    /// When a vertex of the moving polyhedron is stopped by a polygon, before the key `before`.
    fn vertex_polygon(
        &self,
        scene: &Scene<'_>,
        relations: &mut impl Relations,
        vertex: u32,
        polygon: u32,
        before: f64,
    ) -> Option<f64>;

    /// When a polygon of the moving polyhedron is stopped by a vertex.
    fn polygon_vertex(
        &self,
        scene: &Scene<'_>,
        relations: &mut impl Relations,
        polygon: u32,
        vertex: u32,
        before: f64,
    ) -> Option<f64>;

    /// When an edge of the moving polyhedron is stopped by an edge.
    fn edge_edge(
        &self,
        scene: &Scene<'_>,
        relations: &mut impl Relations,
        edge: u32,
        other: u32,
        before: f64,
    ) -> Option<f64>;
}

/// The moment in `[low, high]` at which a state begins that holds at `high`, and by `back` earlier where that is not before `low`.
pub(super) fn entry(low: f64, high: f64, back: f64, holds: impl Fn(f64) -> bool) -> f64 {
    if holds(low) {
        return low;
    }
    let (mut out, mut within) = (low, high);
    for _ in 0..40 {
        let middle = 0.5 * (out + within);
        if holds(middle) {
            within = middle;
        } else {
            out = middle;
        }
    }
    (out - back).max(low)
}
