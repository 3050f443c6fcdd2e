//! The moving polyhedron where a course begins: its vertices, planes and lines as the stationary one sees them.

use impinge::bounds::Aabb;
use impinge::math::{DAffine3, DVec3};
use impinge_core::predicates::PlueckerLine;

use crate::van_waveren::polyhedron::Polyhedron;

/// A polyhedron in the frame of another.
#[derive(Clone, Debug, Default)]
pub(super) struct Moving {
    pub(super) vertices: Vec<DVec3>,
    /// Normals and offsets of the polygons' planes.
    pub(super) planes: Vec<(DVec3, f64)>,
    pub(super) lines: Vec<PlueckerLine>,
    /// Bounds of the paths of vertices, edges and polygons.
    pub(super) vertex_paths: Vec<Aabb>,
    pub(super) edge_paths: Vec<Aabb>,
    pub(super) polygon_paths: Vec<Aabb>,
    /// Features that may be the first to touch.
    pub(super) live_vertices: Vec<u32>,
    pub(super) live_edges: Vec<u32>,
    pub(super) live_polygons: Vec<u32>,
}

impl Moving {
    /// Places a polyhedron. The pose is a rotation, a translation and a factor.
    pub(super) fn place(&mut self, polyhedron: &Polyhedron, at: &DAffine3, origin: DVec3) {
        let arm = at.transform_vector3(polyhedron.center()) + (at.translation - origin);
        self.vertices.clear();
        self.vertices.extend(polyhedron.vertices().iter().map(|&p| at.transform_vector3(p) + arm));
        self.planes.clear();
        for (polygon, plane) in (0..).zip(polyhedron.polygons()) {
            let normal = at.transform_vector3(plane.normal).normalize_or_zero();
            let corners = polyhedron.corners(polygon);
            let heights: f64 = corners.iter().map(|&c| normal.dot(self.vertices[c as usize])).sum();
            self.planes.push((normal, -heights / corners.len() as f64));
        }
        self.lines.clear();
        self.lines.extend(polyhedron.edges().iter().map(|edge| {
            let [a, b] = edge.ends.map(|v| self.vertices[v as usize]);
            PlueckerLine::through(a, b)
        }));
    }

    /// Bounds the paths of all features, given that of a point.
    pub(super) fn bound(&mut self, polyhedron: &Polyhedron, path: impl Fn(DVec3) -> Aabb) -> Aabb {
        self.vertex_paths.clear();
        self.vertex_paths.extend(self.vertices.iter().map(|&p| path(p)));
        let paths = &self.vertex_paths;
        let around = |list: &[u32]| list.iter().fold(Aabb::EMPTY, |all, &v| all.merge(paths[v as usize]));
        self.edge_paths.clear();
        self.edge_paths.extend(polyhedron.edges().iter().map(|edge| around(&edge.ends)));
        self.polygon_paths.clear();
        let polygons = 0..polyhedron.polygon_count() as u32;
        self.polygon_paths.extend(polygons.map(|polygon| around(polyhedron.corners(polygon))));
        paths.iter().fold(Aabb::EMPTY, |all, one| all.merge(*one))
    }
}
