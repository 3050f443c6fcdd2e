//! Vertices, edges, planes and folds from loops of corners.

use std::collections::HashMap;

use impinge::bounds::Aabb;
use impinge::math::DVec3;
use impinge_core::predicates::PlueckerLine;

use super::edge::{self, Fold, Use};
use super::join::{Loop, area_vector};
use super::{Edge, Polygon, Polyhedron};
use crate::van_waveren::axial_bsp::AxialBsp;

/// A polyhedron in the making.
pub(super) struct Builder<'v> {
    source: &'v [DVec3],
    names: HashMap<u32, u32>,
    edge_names: HashMap<[u32; 2], u32>,
    uses: Vec<Vec<(u32, bool)>>,
    built: Polyhedron,
}

impl<'v> Builder<'v> {
    pub(super) fn new(source: &'v [DVec3], loops: &[Loop], without_area: &[Loop]) -> Builder<'v> {
        let used = loops.iter().chain(without_area).flatten().map(|&v| source[v as usize]);
        let bounds = Aabb::around(used);
        let center = if bounds.is_empty() { DVec3::ZERO } else { bounds.center() };
        let built = Polyhedron {
            center,
            vertices: Vec::new(),
            polygons: Vec::new(),
            corners: Vec::new(),
            sides: Vec::new(),
            edges: Vec::new(),
            edge_polygons: Vec::new(),
            vertex_polygons: Vec::new(),
            vertex_starts: Vec::new(),
            exposed: Vec::new(),
            tree: AxialBsp::build(&[]),
            bounds: Aabb::EMPTY,
        };
        let mut builder =
            Builder { source, names: HashMap::new(), edge_names: HashMap::new(), uses: Vec::new(), built };
        for corners in loops {
            builder.polygon(corners);
        }
        for corners in without_area {
            let names: Vec<u32> = corners.iter().map(|&corner| builder.vertex(corner)).collect();
            for k in 1..names.len() {
                builder.side(names[k - 1], names[k]);
            }
        }
        builder
    }

    fn vertex(&mut self, source: u32) -> u32 {
        let Builder { source: points, names, built, .. } = self;
        *names.entry(source).or_insert_with(|| {
            built.vertices.push(points[source as usize] - built.center);
            built.vertices.len() as u32 - 1
        })
    }

    /// The edge between two vertices, doubled, and odd where it runs backward.
    fn side(&mut self, from: u32, to: u32) -> u32 {
        let ends = [from.min(to), from.max(to)];
        let Builder { edge_names, uses, built, .. } = self;
        let edge = *edge_names.entry(ends).or_insert_with(|| {
            let [a, b] = ends.map(|v| built.vertices[v as usize]);
            let line = PlueckerLine::through(a, b);
            built.edges.push(Edge {
                ends,
                fold: Fold::Dangling,
                push: DVec3::ZERO,
                line,
                first: 0,
                count: 0,
            });
            uses.push(Vec::new());
            uses.len() as u32 - 1
        });
        edge << 1 | u32::from(from > to)
    }

    fn polygon(&mut self, corners: &[u32]) {
        let names: Vec<u32> = corners.iter().map(|&corner| self.vertex(corner)).collect();
        let polygon = self.built.polygons.len() as u32;
        let first = self.built.corners.len() as u32;
        for k in 0..names.len() {
            let side = self.side(names[k], names[(k + 1) % names.len()]);
            self.uses[(side >> 1) as usize].push((polygon, side & 1 == 0));
            self.built.sides.push(side);
        }
        let vertices = &self.built.vertices;
        let points = || names.iter().map(|&v| vertices[v as usize]);
        let normal = area_vector(vertices, &names).normalize_or_zero();
        // The plane in the middle of what rounding left of it.
        let offset = -points().map(|p| normal.dot(p)).sum::<f64>() / names.len() as f64;
        let bounds = Aabb::around(points());
        self.built.polygons.push(Polygon { normal, offset, bounds, first, count: names.len() as u32 });
        self.built.corners.extend(names);
    }

    pub(super) fn finish(self, flat_angle: f64) -> Polyhedron {
        let Builder { uses, mut built, .. } = self;
        let mut exposed = vec![false; built.vertices.len()];
        let mut has_edge = vec![false; built.vertices.len()];
        for (edge, uses) in built.edges.iter_mut().zip(&uses) {
            edge.first = built.edge_polygons.len() as u32;
            edge.count = uses.len() as u32;
            built.edge_polygons.extend(uses.iter().map(|(polygon, _)| *polygon));
            let along: Vec<Use> = uses
                .iter()
                .map(|&(polygon, forward)| Use { normal: built.polygons[polygon as usize].normal, forward })
                .collect();
            (edge.fold, edge.push) = edge::fold(edge.line.direction, &along, flat_angle);
            for end in edge.ends {
                has_edge[end as usize] = true;
                exposed[end as usize] |= edge.fold.is_exposed();
            }
        }
        built.exposed = exposed.iter().zip(&has_edge).map(|(exposed, has)| *exposed || !has).collect();
        let mut at: Vec<Vec<u32>> = vec![Vec::new(); built.vertices.len()];
        for polygon in 0..built.polygons.len() as u32 {
            for &corner in built.corners(polygon) {
                at[corner as usize].push(polygon);
            }
        }
        built.vertex_starts.push(0);
        for polygons in at {
            built.vertex_polygons.extend(polygons);
            built.vertex_starts.push(built.vertex_polygons.len() as u32);
        }
        let boxes: Vec<Aabb> = built.polygons.iter().map(|polygon| polygon.bounds).collect();
        built.tree = AxialBsp::build(&boxes);
        built.bounds = Aabb::around(built.vertices.iter().copied());
        built
    }
}
