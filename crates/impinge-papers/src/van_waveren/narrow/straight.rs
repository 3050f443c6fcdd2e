//! Translations (van Waveren 2005, §2.2, §2.3, §3.1, §3.2).

use impinge::bounds::Aabb;
use impinge::math::DVec3;
use impinge_core::predicates::PlueckerLine;

use super::course::{Course, Relations, Scene, entry};
use super::side_cache::side;
use super::wave::Slope;
use crate::van_waveren::polyhedron::Fold;

/// A translation; keys are fractions of it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Straight {
    by: DVec3,
}

impl Straight {
    pub(super) fn new(by: DVec3) -> Straight {
        Straight { by }
    }

    /// Where the path of a height stops: as printed, or a thickness of the zone before it enters the zone over the feature. `over` tells whether the features are over
    /// each other at a fraction, square to the surface. The path itself is known to cross in bounds.
    fn stop(
        &self,
        scene: &Scene<'_>,
        height: Slope,
        printed: f64,
        over: impl Fn(f64) -> bool,
    ) -> Option<f64> {
        if !scene.corrected {
            return Some(printed);
        }
        let crossing = height.crossing().clamp(printed, 1.0);
        // Where the motion ends in the zone but beside the feature, nothing stops it.
        let back = scene.zone / self.by.length();
        (height.crossing() <= 1.0 || over(crossing)).then(|| entry(printed, crossing, back, over))
    }
}

impl Course for Straight {
    fn end(&self) -> f64 {
        1.0
    }

    fn path(&self, point: DVec3) -> Aabb {
        Aabb::around([point, point + self.by])
    }

    fn velocity(&self, _: DVec3) -> DVec3 {
        self.by
    }

    fn vertex_polygon(
        &self,
        scene: &Scene<'_>,
        relations: &mut impl Relations,
        vertex: u32,
        polygon: u32,
        before: f64,
    ) -> Option<f64> {
        let plane = &scene.stationary.polygons()[polygon as usize];
        let point = scene.moving.vertices[vertex as usize];
        let height = Slope { start: plane.normal.dot(point) + plane.offset, rate: plane.normal.dot(self.by) };
        let stop = height.stop(scene.zone).filter(|&f| f <= before)?;
        let edges = scene.stationary.edges();
        // The path goes into the front, so the edges run around it by the left-hand rule.
        let is_inside = scene.stationary.sides(polygon).all(|(edge, forward)| {
            let sign = relations.vertex_edge(vertex, edge, || {
                side(&PlueckerLine::along(point, self.by), &edges[edge as usize].line)
            });
            if forward { sign <= 0 } else { sign >= 0 }
        });
        if !is_inside {
            return None;
        }
        self.stop(scene, height, stop, |f| {
            let down = PlueckerLine::along(point + f * self.by, -plane.normal);
            scene.stationary.sides(polygon).all(|(edge, forward)| {
                let sign = side(&down, &edges[edge as usize].line);
                if forward { sign <= 0 } else { sign >= 0 }
            })
        })
    }

    fn polygon_vertex(
        &self,
        scene: &Scene<'_>,
        relations: &mut impl Relations,
        polygon: u32,
        vertex: u32,
        before: f64,
    ) -> Option<f64> {
        let (normal, offset) = scene.moving.planes[polygon as usize];
        let point = scene.stationary.vertices()[vertex as usize];
        let height = Slope { start: normal.dot(point) + offset, rate: -normal.dot(self.by) };
        let stop = height.stop(scene.zone).filter(|&f| f <= before)?;
        let lines = &scene.moving.lines;
        // Seen from the polygon the vertex comes against the motion.
        let is_inside = scene.mover.sides(polygon).all(|(edge, forward)| {
            let sign = relations.edge_vertex(edge, vertex, || {
                side(&PlueckerLine::along(point, self.by), &lines[edge as usize])
            });
            if forward { sign >= 0 } else { sign <= 0 }
        });
        if !is_inside {
            return None;
        }
        self.stop(scene, height, stop, |f| {
            let down = PlueckerLine::along(point - f * self.by, -normal);
            scene.mover.sides(polygon).all(|(edge, forward)| {
                let sign = side(&down, &lines[edge as usize]);
                if forward { sign <= 0 } else { sign >= 0 }
            })
        })
    }

    fn edge_edge(
        &self,
        scene: &Scene<'_>,
        relations: &mut impl Relations,
        edge: u32,
        other: u32,
        before: f64,
    ) -> Option<f64> {
        let p = &scene.moving.lines[edge as usize];
        let still = &scene.stationary.edges()[other as usize];
        let q = &still.line;
        // Moving the one edge by x adds x · across to the sidedness relation.
        let across = p.direction.cross(q.direction);
        let rate = self.by.dot(across);
        if rate == 0.0 {
            return None;
        }
        let width = still.push.dot(across);
        // Outside is where the offset line is; of a rim, where the other edge comes from.
        let outside = if still.fold == Fold::Dangling { -rate } else { width };
        if outside == 0.0 {
            return None;
        }
        let sense = outside.signum();
        let height = Slope { start: sense * p.side(q), rate: sense * rate };
        let stop = height.stop(scene.zone * width.abs()).filter(|&f| f <= before)?;
        let ends = scene.mover.edges()[edge as usize].ends;
        let straddles = |[a, b]: [i8; 2]| a * b <= 0;
        let vertices = &scene.moving.vertices;
        if !straddles(ends.map(|vertex| {
            relations.vertex_edge(vertex, other, || {
                side(&PlueckerLine::along(vertices[vertex as usize], self.by), q)
            })
        })) {
            return None;
        }
        let points = scene.stationary.vertices();
        if !straddles(still.ends.map(|vertex| {
            relations
                .edge_vertex(edge, vertex, || side(&PlueckerLine::along(points[vertex as usize], self.by), p))
        })) {
            return None;
        }
        self.stop(scene, height, stop, |f| {
            let shift = f * self.by;
            let moved = ends.map(|vertex| vertices[vertex as usize] + shift);
            let line = PlueckerLine::through(moved[0], moved[1]);
            let ends = still.ends.map(|vertex| points[vertex as usize]);
            straddles(moved.map(|p| side(&PlueckerLine::along(p, across), q)))
                && straddles(ends.map(|p| side(&PlueckerLine::along(p, across), &line)))
        })
    }
}
