//! Rays against rounded models: the parts of a ray that are in the balls around a core, and where they begin and end.
//!
//! A triangle with a ball around every point is convex: a prism, three cylinders and three balls, each of which a ray meets at roots of a
//! quadratic at most. `docs/math/round-movers.md` says how exact that is.

use std::ops::ControlFlow;

use super::{Ray, RayHit, RayOptions};
use crate::model::Placed;
use crate::query::distance::is_inside;
use crate::query::verdict::Engine;
use impinge_core::bvh::{Leaf, RayVisitor, TreeRay, traverse_ray};
use impinge_core::math::DVec3;
use impinge_core::narrow::ray_tri::{Beam, RoundedSpan, rounded_span};
use impinge_core::simd::Lanes;

/// A ray and a rounded model. Times are lengths along the ray here.
pub(super) struct RoundedSearch<'s, 'm> {
    placed: &'s Placed<'m>,
    ray: &'s Ray,
    options: RayOptions<'s>,
    /// The direction of length 1, and how long the ray's own is.
    direction: DVec3,
    length: f64,
    limit: f64,
}

/// The part of a ray that is in the balls around a triangle.
#[derive(Clone, Copy)]
struct Inside {
    face: u32,
    /// The number of the triangle in the face's fan.
    k: u32,
    span: RoundedSpan,
}

/// A place where a ray passes through the surface of a rounded model.
#[derive(Clone, Copy)]
struct Passage {
    time: f64,
    /// The nearest point of the core, from the ray's origin.
    core: DVec3,
    is_entry: bool,
    face: u32,
    k: u32,
}

impl Inside {
    fn entry(&self) -> Passage {
        let (time, core) = self.span.entry;
        Passage { time, core, is_entry: true, face: self.face, k: self.k }
    }

    fn exit(&self) -> Passage {
        let (time, core) = self.span.exit;
        Passage { time, core, is_entry: false, face: self.face, k: self.k }
    }
}

impl<'s, 'm> RoundedSearch<'s, 'm> {
    pub(super) fn new(
        placed: &'s Placed<'m>,
        ray: &'s Ray,
        options: RayOptions<'s>,
    ) -> RoundedSearch<'s, 'm> {
        let largest = ray.direction().abs().max_element();
        let scaled = ray.direction() / largest;
        let length = scaled.length() * largest;
        let (direction, limit) = (scaled.normalize(), ray.max_t() * length);
        RoundedSearch { placed, ray, options, direction, length, limit }
    }

    /// The first passage.
    pub(super) fn nearest(&self) -> Option<RayHit> {
        let mut best: Option<Passage> = None;
        let mut starts_inside = false;
        self.for_each_inside(self.limit, |inside, limit| {
            let entry = inside.entry();
            if entry.time < 0.0 {
                starts_inside = true;
                return ControlFlow::Break(());
            }
            let rank = |passage: &Passage| (self.label(passage.face), passage.face, passage.k);
            let is_first = best.is_none_or(|best| {
                entry.time < best.time || entry.time == best.time && rank(&entry) < rank(&best)
            });
            if is_first {
                *limit = entry.time;
                best = Some(entry);
            }
            ControlFlow::Continue(())
        });
        if starts_inside || self.is_in_core(0.0) {
            return self.all().into_iter().next();
        }
        best.map(|passage| self.hit(&passage))
    }

    /// All passages in order.
    pub(super) fn all(&self) -> Vec<RayHit> {
        let mut spans: Vec<Inside> = Vec::new();
        self.for_each_inside(self.limit, |inside, _| {
            spans.push(inside);
            ControlFlow::Continue(())
        });
        let key = |inside: &Inside| (self.label(inside.face), inside.face, inside.k);
        spans.sort_by(|a, b| a.span.entry.0.total_cmp(&b.span.entry.0).then_with(|| key(a).cmp(&key(b))));
        let mut passages: Vec<Passage> = Vec::new();
        for inside in &spans {
            let (entry, exit) = (inside.entry(), inside.exit());
            match passages.last_mut() {
                // The balls around one triangle reach into those around the next, or the core's solids fill what is between.
                Some(last) if entry.time <= last.time || self.is_in_core((last.time + entry.time) / 2.0) => {
                    if exit.time > last.time {
                        *last = exit;
                    }
                }
                None if entry.time > 0.0 && self.is_in_core(entry.time / 2.0) => passages.push(exit),
                _ => passages.extend([entry, exit]),
            }
        }
        let counts = |passage: &&Passage| {
            let is_seen = passage.is_entry || !self.options.cull_back;
            is_seen && passage.time >= 0.0 && passage.time <= self.limit
        };
        passages.iter().filter(counts).map(|passage| self.hit(passage)).collect()
    }

    /// Whether the point at a time is in a solid of the core.
    fn is_in_core(&self, time: f64) -> bool {
        is_inside(self.placed, self.ray.origin() + self.direction * time)
    }

    fn label(&self, face: u32) -> u32 {
        self.placed.model().mesh().label(face)
    }

    /// Calls `visit` with what of the ray, up to a limit that `visit` may lower, is in the balls around each triangle, until it breaks.
    fn for_each_inside(&self, limit: f64, mut visit: impl FnMut(Inside, &mut f64) -> ControlFlow<()>) {
        let (model, placement) = (self.placed.model(), self.placed.placement());
        let (mesh, map) = (model.mesh(), placement.world_from_model());
        let shift = map.translation - self.ray.origin();
        let mut limit = limit;
        let mut test_face = |face: u32, limit: &mut f64| {
            for k in 0..mesh.fan_count(face) as u32 {
                let fan = mesh.fan_triangle(face, k as usize);
                let corners = fan.map(|vertex| map.matrix3 * mesh.vertex(vertex) + shift);
                let Some(span) = rounded_span(self.direction, &corners, model.radius()) else { continue };
                if span.exit.0 < 0.0 || span.entry.0 > *limit {
                    continue;
                }
                if self.options.accept.is_some_and(|accept| !accept(mesh.label(face))) {
                    break;
                }
                visit(Inside { face, k, span }, limit)?;
            }
            ControlFlow::Continue(())
        };
        let linear = placement.model_from_world_linear();
        let beam = Beam::new(placement.point_to_model(self.ray.origin()), linear * self.direction);
        if self.options.engine == Engine::Brute || beam.direction == DVec3::ZERO {
            for face in 0..mesh.face_count() as u32 {
                if test_face(face, &mut limit).is_break() {
                    return;
                }
            }
            return;
        }
        // A ball of the world reaches so far along an axis of the model.
        let rows = linear.transpose();
        let reach = rows.x_axis.length().max(rows.y_axis.length()).max(rows.z_axis.length());
        let padding = model.radius() * reach * (1.0 + 1e-9);
        let tree = model.bvh();
        if let Some(ray) = TreeRay::padded(tree, beam.origin, beam.direction, beam.axes, limit, padding) {
            let mut visitor = Faces { elements: |leaf| tree.elements(leaf), test_face, limit };
            traverse_ray(tree, &ray, &mut visitor);
        }
    }

    fn hit(&self, passage: &Passage) -> RayHit {
        let mesh = self.placed.model().mesh();
        let triangle = mesh.fan_triangle(passage.face, passage.k as usize);
        let placement = self.placed.placement();
        let corners = triangle.map(|vertex| {
            let map = placement.world_from_model();
            map.matrix3 * mesh.vertex(vertex) + (map.translation - self.ray.origin())
        });
        let along = self.direction * passage.time;
        RayHit {
            face: mesh.label(passage.face),
            material: mesh.material(passage.face),
            t: (passage.time / self.length).min(self.ray.max_t()),
            point_in_world: self.ray.origin() + along,
            normal_in_world: (along - passage.core).try_normalize(),
            from_front: passage.is_entry,
            triangle,
            barycentric: weights(&corners, passage.core),
        }
    }
}

/// The weights of a triangle's corners at a point of it.
fn weights(corners: &[DVec3; 3], point: DVec3) -> [f64; 3] {
    let [a, b, c] = *corners;
    let (u, v, w) = (b - a, c - a, point - a);
    let (uu, uv, vv, uw, vw) = (u.dot(u), u.dot(v), v.dot(v), u.dot(w), v.dot(w));
    let determinant = uu * vv - uv * uv;
    let [second, third] = if determinant > 1e-24 * uu * vv {
        [(vv * uw - uv * vw) / determinant, (uu * vw - uv * uw) / determinant]
    } else if uu >= vv && uu > 0.0 {
        [uw / uu, 0.0]
    } else if vv > 0.0 {
        [0.0, vw / vv]
    } else {
        [0.0, 0.0]
    };
    let (second, third) = (second.clamp(0.0, 1.0), third.clamp(0.0, 1.0));
    [(1.0 - second - third).max(0.0), second, third]
}

/// Tests the faces of leaves.
struct Faces<E, T> {
    elements: E,
    test_face: T,
    limit: f64,
}

impl<'t, E, T> RayVisitor for Faces<E, T>
where
    E: Fn(Leaf) -> &'t [u32],
    T: FnMut(u32, &mut f64) -> ControlFlow<()>,
{
    fn meet<L: Lanes>(&mut self, leaf: Leaf) -> ControlFlow<()> {
        for &face in (self.elements)(leaf) {
            (self.test_face)(face, &mut self.limit)?;
        }
        ControlFlow::Continue(())
    }

    fn limit(&self) -> f64 {
        self.limit
    }
}
