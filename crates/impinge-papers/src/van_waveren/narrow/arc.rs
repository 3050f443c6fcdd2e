//! Rotations by at most 90° (van Waveren 2005, §2.4, §2.5, §3.3, §3.4).

use std::cell::Cell;

use impinge::bounds::Aabb;
use impinge::math::DVec3;
use impinge_core::predicates::PlueckerLine;

use super::Options;
use super::course::{Course, Relations, Scene, entry};
use super::side_cache::side;
use super::wave::Wave;
use crate::van_waveren::polyhedron::Fold;

/// A turn about an axis through a point, by the right-hand rule. Keys are tangents of half the angle, or angles.
#[derive(Clone, Copy, Debug)]
pub(super) struct Arc {
    center: DVec3,
    axis: DVec3,
    angle: f64,
    /// The tangent of half the angle.
    last: f64,
    by_tangent: bool,
}

/// Where a feature is tested for its bounds.
#[derive(Clone, Copy, Debug)]
enum Along {
    /// Along the tangent of the path.
    Tangent,
    /// Square to the surface.
    Normal,
}

impl Arc {
    pub(super) fn new(center: DVec3, axis: DVec3, angle: f64, options: &Options) -> Arc {
        Arc { center, axis, angle, last: (0.5 * angle).tan(), by_tangent: options.tangent_order }
    }

    /// The share of the angle at a key.
    pub(super) fn share(&self, key: f64) -> f64 {
        if self.angle == 0.0 {
            return 0.0;
        }
        let angle = if self.by_tangent { 2.0 * key.atan() } else { key };
        (angle / self.angle).clamp(0.0, 1.0)
    }

    fn key(&self, t: f64) -> f64 {
        if self.by_tangent { t } else { 2.0 * t.atan() }
    }

    fn tangent(&self, key: f64) -> f64 {
        if self.by_tangent { key } else { (0.5 * key).tan() }
    }

    /// A vector turned by the angle of a tangent; backward for a negative one.
    fn turned(&self, vector: DVec3, t: f64) -> DVec3 {
        let scale = 1.0 / (1.0 + t * t);
        let along = self.axis * self.axis.dot(vector);
        along + (vector - along) * ((1.0 - t * t) * scale) + self.axis.cross(vector) * (2.0 * t * scale)
    }

    /// The distance of a point from the axis.
    fn radius(&self, point: DVec3) -> f64 {
        self.axis.cross(point - self.center).length()
    }

    fn point_at(&self, point: DVec3, t: f64) -> DVec3 {
        self.center + self.turned(point - self.center, t)
    }

    /// The stop of one feature over another, given its height over the surface and over the top of the zone, and how far it is
    /// from the axis. `is_in_bounds` is asked with the tangent of half the angle.
    fn stop(
        &self,
        scene: &Scene<'_>,
        [whole, top]: [&Wave; 2],
        radius: f64,
        before: f64,
        is_in_bounds: impl Fn(f64, Along) -> bool,
    ) -> Option<f64> {
        let last = self.tangent(before).min(self.last);
        let printed = Wave::stop(whole, top, last);
        if !scene.corrected {
            let (t, is_peak) = printed?;
            let along = if is_peak { Along::Normal } else { Along::Tangent };
            return is_in_bounds(t, along).then(|| self.key(t));
        }
        // A path may cross the surface beyond `before`, and enter the zone over the feature earlier.
        let crossing = whole.descent().filter(|t| (0.0..=self.last).contains(t));
        if let Some(crossing) = crossing
            && is_in_bounds(crossing, Along::Normal)
        {
            let from = printed.map_or(crossing, |(t, _)| t.min(crossing));
            // The angle grows by at most 2 where the tangent grows by 1.
            let back = if scene.zone > 0.0 { scene.zone / (2.0 * radius) } else { 0.0 };
            let t = entry(from, crossing, back, |t| is_in_bounds(t, Along::Normal));
            return (t <= last).then(|| self.key(t));
        }
        let (t, _) = printed?;
        (crossing.is_none() && is_in_bounds(t, Along::Normal)).then(|| self.key(t))
    }

    /// Whether a point that goes towards the front of a polygon comes down between its edges.
    fn is_inside<'l>(
        point: DVec3,
        velocity: DVec3,
        normal: DVec3,
        along: Along,
        mut sides: impl Iterator<Item = (&'l PlueckerLine, bool)>,
    ) -> bool {
        let is_tangent = matches!(along, Along::Tangent) && velocity.dot(normal) < 0.0;
        let path = PlueckerLine::along(point, if is_tangent { velocity } else { -normal });
        sides.all(|(line, forward)| {
            let sign = side(&path, line);
            if forward { sign <= 0 } else { sign >= 0 }
        })
    }
}

impl Course for Arc {
    fn end(&self) -> f64 {
        self.key(self.last)
    }

    /// An arc lies in the triangle of its ends and of the point where its tangents meet.
    fn path(&self, point: DVec3) -> Aabb {
        let tangent = self.axis.cross(point - self.center);
        Aabb::around([point, self.point_at(point, self.last), point + tangent * self.last])
    }

    fn velocity(&self, at: DVec3) -> DVec3 {
        self.axis.cross(at - self.center)
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
        let height = plane.normal.dot(self.center) + plane.offset;
        let whole = Wave::product(plane.normal, point - self.center, self.axis).above(-height);
        let count = Cell::new(0);
        let edges = scene.stationary.edges();
        let stop =
            self.stop(scene, [&whole, &whole.above(scene.zone)], self.radius(point), before, |t, along| {
                let at = self.point_at(point, t);
                let sides = scene.stationary.sides(polygon);
                count.set(count.get() + sides.len() as u64);
                let sides = sides.map(|(edge, forward)| (&edges[edge as usize].line, forward));
                Arc::is_inside(at, self.velocity(at), plane.normal, along, sides)
            });
        relations.count(count.get());
        stop
    }

    fn polygon_vertex(
        &self,
        scene: &Scene<'_>,
        relations: &mut impl Relations,
        polygon: u32,
        vertex: u32,
        before: f64,
    ) -> Option<f64> {
        // In the frame of the moving polyhedron the vertex turns backward.
        let (normal, offset) = scene.moving.planes[polygon as usize];
        let point = scene.stationary.vertices()[vertex as usize];
        let height = normal.dot(self.center) + offset;
        let whole = Wave::product(normal, point - self.center, -self.axis).above(-height);
        let count = Cell::new(0);
        let lines = &scene.moving.lines;
        let stop =
            self.stop(scene, [&whole, &whole.above(scene.zone)], self.radius(point), before, |t, along| {
                let at = self.point_at(point, -t);
                let sides = scene.mover.sides(polygon);
                count.set(count.get() + sides.len() as u64);
                let sides = sides.map(|(edge, forward)| (&lines[edge as usize], forward));
                Arc::is_inside(at, -self.velocity(at), normal, along, sides)
            });
        relations.count(count.get());
        stop
    }

    fn edge_edge(
        &self,
        scene: &Scene<'_>,
        relations: &mut impl Relations,
        edge: u32,
        other: u32,
        before: f64,
    ) -> Option<f64> {
        let still = &scene.stationary.edges()[other as usize];
        let q = &still.line;
        let start = scene.mover.edges()[edge as usize].ends.map(|v| scene.moving.vertices[v as usize]);
        let ends = still.ends.map(|v| scene.stationary.vertices()[v as usize]);
        // Both lines as seen from the axis.
        let direction = start[1] - start[0];
        let moment = (start[0] - self.center).cross(direction);
        let still_moment = q.moment - self.center.cross(q.direction);
        let whole = Wave::product(still_moment, direction, self.axis).plus(Wave::product(
            q.direction,
            moment,
            self.axis,
        ));
        // The relation with the offset line differs by e · (push × q), for a zone of thickness 1.
        let width = Wave::product(still.push.cross(q.direction), direction, self.axis);
        let count = Cell::new(0);
        let is_in_bounds = |t: f64, along: Along| {
            count.set(count.get() + 4);
            let moved = start.map(|p| self.point_at(p, t));
            let line = PlueckerLine::through(moved[0], moved[1]);
            let across = line.direction.cross(q.direction);
            let path = match along {
                Along::Normal => across,
                Along::Tangent => self.velocity(nearest(ends[0], q.direction, &line, moved[0])),
            };
            let straddles = |[a, b]: [i8; 2]| a * b <= 0;
            straddles(moved.map(|p| side(&PlueckerLine::along(p, path), q)))
                && straddles(ends.map(|p| side(&PlueckerLine::along(p, path), &line)))
        };
        let mut best: Option<f64> = None;
        let radius = self.radius(start[0]).max(self.radius(start[1]));
        // The offset line of a rim stands for both sides of it.
        let widths: &[f64] = if still.fold == Fold::Dangling { &[-1.0, 1.0] } else { &[-1.0] };
        for sense in [1.0, -1.0] {
            for &side_of_line in widths {
                let (whole, width) = (whole.times(sense), width.times(sense * side_of_line));
                let top = whole.plus(width.times(-scene.zone));
                let before = best.unwrap_or(before);
                let found = self.stop(scene, [&whole, &top], radius, before, |t, along| {
                    // The offset line is outside, where this sense has it.
                    width.at(t) >= 0.0 && is_in_bounds(t, along)
                });
                best = found.or(best);
            }
        }
        relations.count(count.get());
        best
    }
}

/// The point of a line through `start` that is nearest to another line.
fn nearest(start: DVec3, direction: DVec3, other: &PlueckerLine, point: DVec3) -> DVec3 {
    let across = direction.cross(other.direction);
    let size = across.length_squared();
    if size == 0.0 {
        return start;
    }
    start + direction * ((point - start).cross(other.direction).dot(across) / size)
}
