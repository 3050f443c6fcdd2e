//! Finding hits: which faces count, and which of them comes first.

use std::cmp::Ordering;
use std::ops::ControlFlow;

use super::RayHit;
use super::cast::{Found, Search};
use super::ground::GroundVisitor;
use super::target::{FaceTree, Guide, Target};
use crate::query::verdict::Engine;
use impinge_core::bvh::{DopTree, Leaf, RayVisitor, TreeRay, traverse_ray};
use impinge_core::heightfield::{FieldRay, traverse_field_ray};
use impinge_core::math::DVec3;
use impinge_core::narrow::ray_tri::{accurate_time, barycentric, first, unit_normal};
use impinge_core::predicates::Sign;
use impinge_core::simd::Lanes;

impl Search<'_, '_> {
    pub(super) fn nearest(&self) -> Option<RayHit> {
        self.nearest_found().map(|nearest| self.hit(&nearest))
    }

    pub(super) fn nearest_found(&self) -> Option<Found> {
        let mut nearest = None;
        self.walk(|found, limit| {
            self.keep_nearest(&mut nearest, found, limit);
            ControlFlow::Continue(())
        });
        nearest
    }

    /// The nearest hit among some triangles, which are faces of their own.
    #[cold]
    #[inline(never)]
    pub(super) fn nearest_of(&self, faces: &[u32]) -> Option<Found> {
        let (mut nearest, mut limit) = (None, f64::INFINITY);
        for &face in faces {
            if let Some(crossing) = self.crossing(&self.target.corners(face, 0)) {
                self.keep_nearest(&mut nearest, Found { face, k: 0, crossing }, &mut limit);
            }
        }
        nearest
    }

    pub(super) fn any(&self) -> Option<RayHit> {
        let mut some = None;
        self.walk(|found, _| {
            some = Some(found);
            ControlFlow::Break(())
        });
        some.map(|some| self.hit(&some))
    }

    pub(super) fn all(&self) -> Vec<RayHit> {
        let mut all = Vec::new();
        self.walk(|found, _| {
            all.push(found);
            ControlFlow::Continue(())
        });
        self.in_order(all)
    }

    /// Tests every face.
    fn try_all(&self, mut visit: impl FnMut(Found) -> ControlFlow<()>) {
        for face in 0..self.target.mesh.face_count() as u32 {
            if self.test_face(face, &mut visit).is_break() {
                return;
            }
        }
    }

    /// Calls `visit` with every triangle that is hit before the limit, which `visit` may lower.
    fn walk(&self, mut visit: impl FnMut(Found, &mut f64) -> ControlFlow<()>) {
        if self.options.engine == Engine::Brute {
            let mut limit = f64::INFINITY;
            self.try_all(|found| visit(found, &mut limit));
            return;
        }
        let limit = self.aim.limit.at_most();
        match self.target.guide {
            Guide::Tree(faces) => {
                if let Some(ray) = self.tree_ray(faces.tree, limit) {
                    let mut visitor = Visitor { search: self, faces, ray: &ray, visit, limit };
                    traverse_ray(faces.tree, &ray, &mut visitor);
                }
            }
            Guide::Terrain { ground, reach } => {
                if let Some(ray) = self.field_ray(reach) {
                    let mut visitor = GroundVisitor { search: self, ground: &ground, visit, limit };
                    traverse_field_ray(ground.tree, &ground.field, &ray, &mut visitor);
                }
            }
        }
    }

    #[inline(always)]
    pub(super) fn field_ray(&self, reach: f64) -> Option<FieldRay> {
        let beam = &self.aim.beam;
        (!self.aim.leads_nowhere()).then(|| FieldRay::new(beam.origin, beam.direction, reach))
    }

    #[inline(always)]
    pub(super) fn tree_ray(&self, tree: &DopTree<6>, limit: f64) -> Option<TreeRay> {
        if self.aim.leads_nowhere() {
            return None;
        }
        let beam = &self.aim.beam;
        TreeRay::new(tree, beam.origin, beam.direction, beam.axes, limit)
    }

    #[inline(always)]
    pub(super) fn keep_nearest(&self, nearest: &mut Option<Found>, found: Found, limit: &mut f64) {
        if let Some(before) = nearest {
            let (apart, room) =
                (found.crossing.t - before.crossing.t, found.crossing.error + before.crossing.error);
            if apart > room || apart >= -room && self.order(&found, before) != Ordering::Less {
                return;
            }
        }
        *limit = found.crossing.t + found.crossing.error;
        *nearest = Some(found);
    }

    /// Calls `visit` with every triangle of a face's fan that is hit and counts.
    #[inline]
    fn test_face(&self, face: u32, mut visit: impl FnMut(Found) -> ControlFlow<()>) -> ControlFlow<()> {
        for k in 0..self.target.fan_count(face) {
            let corners = self.target.corners(face, k);
            if let Some(crossing) = self.crossing(&corners) {
                if !self.accepts(face) {
                    break;
                }
                visit(Found { face, k, crossing })?;
            }
        }
        ControlFlow::Continue(())
    }

    /// By exact time, then by the user's index, then by the fan.
    #[cold]
    #[inline(never)]
    fn order(&self, a: &Found, b: &Found) -> Ordering {
        let name = |found: &Found| (self.target.mesh.label(found.face), found.face, found.k);
        self.times(a, b).then_with(|| name(a).cmp(&name(b)))
    }

    fn times(&self, a: &Found, b: &Found) -> Ordering {
        let corners = |found: &Found| self.target.corners(found.face, found.k);
        first(&self.aim.beam, (&a.crossing, &corners(a)), (&b.crossing, &corners(b)))
    }

    fn in_order(&self, mut found: Vec<Found>) -> Vec<RayHit> {
        found.sort_unstable_by(|a, b| self.order(a, b));
        let mut hits: Vec<RayHit> = Vec::with_capacity(found.len());
        let mut last: Option<Found> = None;
        for next in found {
            let together = last.is_some_and(|last| self.times(&last, &next) == Ordering::Equal);
            let mut hit = self.hit(&next);
            last = Some(next);
            if let Some(before) = hits.last() {
                // Rounding may neither undo the order nor tell apart what is equal.
                if together && before.face == hit.face {
                    continue;
                } else if together {
                    hit.t = before.t;
                } else if hit.t <= before.t {
                    hit.t = before.t.next_up().min(f64::MAX);
                }
            }
            hits.push(hit);
        }
        hits
    }

    /// The time of a hit in multiples of the ray's direction.
    #[inline(always)]
    pub(super) fn time(&self, found: &Found, corners: &[DVec3; 3]) -> f64 {
        let t = accurate_time(&self.aim.beam, corners).unwrap_or(found.crossing.t);
        self.aim.limit.to_ray(t)
    }

    pub(super) fn hit(&self, found: &Found) -> RayHit {
        let Target { mesh, placement, .. } = self.target;
        let corners = self.target.corners(found.face, found.k);
        let weights = barycentric(&self.aim.beam, &corners, found.crossing.t);
        let t = self.time(found, &corners);
        // Times of directions of extreme length say little about a place.
        let point_in_world = if self.aim.is_plain() {
            self.ray.origin() + self.ray.direction() * t
        } else {
            let point = corners[0] * weights[0] + corners[1] * weights[1] + corners[2] * weights[2];
            placement.point_to_world(point)
        };
        let to_world = |normal: DVec3| {
            let image = placement.normal_to_world(normal);
            // Up to 1e150 long: its square is finite only after it was made shorter.
            (image / image.abs().max_element()).normalize()
        };
        RayHit {
            face: mesh.label(found.face),
            material: mesh.material(found.face),
            t,
            point_in_world,
            normal_in_world: unit_normal(&corners).map(to_world),
            from_front: found.crossing.heading == Sign::Negative,
            triangle: self.target.vertices(found.face, found.k),
            barycentric: weights,
        }
    }
}

/// Tests the faces of leaves.
pub(super) struct Visitor<'w, 's, 'm, V> {
    pub(super) search: &'w Search<'s, 'm>,
    pub(super) faces: FaceTree<'m>,
    pub(super) ray: &'w TreeRay,
    pub(super) visit: V,
    pub(super) limit: f64,
}

impl<V> RayVisitor for Visitor<'_, '_, '_, V>
where
    V: FnMut(Found, &mut f64) -> ControlFlow<()>,
{
    #[inline(always)]
    fn meet<L: Lanes>(&mut self, leaf: Leaf) -> ControlFlow<()> {
        let target = self.search.target;
        let elements = self.faces.tree.elements(leaf);
        let Some(triangles) = self.faces.leaf_triangles else {
            for &face in elements {
                self.search.test_face(face, |found| (self.visit)(found, &mut self.limit))?;
            }
            return ControlFlow::Continue(());
        };
        let mut met = triangles.perhaps_met::<L>(leaf, self.ray);
        while met != 0 {
            let face = elements[met.trailing_zeros() as usize];
            met &= met - 1;
            if let Some(crossing) = self.search.crossing(&target.corners(face, 0))
                && self.search.accepts(face)
            {
                (self.visit)(Found { face, k: 0, crossing }, &mut self.limit)?;
            }
        }
        ControlFlow::Continue(())
    }

    #[inline(always)]
    fn limit(&self) -> f64 {
        self.limit
    }
}
