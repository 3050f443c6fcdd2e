//! Points against models, such as what moves in a test of visibility: one ray through one tree tells what a traversal of two trees and a look around
//! edges tell of others.

use super::solid;
use crate::model::Model;
use crate::pair::surface::{FaceSource, FramedFacet, TreeFacets};
use impinge_core::bounds::Aabb;
use impinge_core::bvh::DopTree;
use impinge_core::math::DVec3;
use impinge_core::narrow::tri_tri::{Facet, Fan, triangles_meet};
use impinge_core::narrow::winding::{Direction, NearPoint, likely_ray_crossing};
use impinge_core::predicates::orient3d;

/// Whether a model is a single point.
#[inline]
pub(super) fn is_point(model: &Model) -> bool {
    let bounds = model.bounds();
    bounds.min == bounds.max && model.mesh().face_count() == 1
}

/// A model whose own frame is that of a pair, and a point, placed.
pub(super) struct PointPair<'m> {
    host: FaceSource<'m>,
    tree: &'m DopTree<6>,
    point: DVec3,
    bounds: Aabb,
}

impl<'m> PointPair<'m> {
    /// The pair of a host and a guest; `None` where the guest is not a point, or the frame is not the host's own.
    #[inline]
    pub(super) fn of([host, guest]: &[FaceSource<'m>; 2]) -> Option<PointPair<'m>> {
        if !is_point(guest.model) || !host.is_placed_as_it_is() {
            return None;
        }
        let mesh = guest.mesh();
        let point = guest.place(mesh.vertex(mesh.corners(0).next()?));
        Some(PointPair { host: *host, tree: host.model.bvh(), point, bounds: host.model.bounds() })
    }

    /// Whether the two intersect, as solids or as surfaces only. Exact.
    pub(super) fn intersect(&self, surface_only: bool) -> bool {
        if !self.bounds.contains(self.point) {
            return false;
        }
        if surface_only || !self.host.model.has_solid() {
            return self.is_on_face();
        }
        if let Some(winding) = self.likely_winding() {
            return winding > 0;
        }
        let facets = TreeFacets::new(self.host, self.tree, None);
        self.is_on_face() || solid::winding_around(&facets, self.point) > 0
    }

    /// Whether the point lies on a face.
    fn is_on_face(&self) -> bool {
        let point = Facet::from([self.point; 3]);
        let mut is_met = false;
        self.for_each_along(DVec3::X, 0.0, |facet| {
            let [a, b, c] = facet.facet.corners;
            let is_near = !is_met && facet.bounds.contains(self.point);
            is_met |= is_near
                && orient3d(a, b, c, self.point).is_zero()
                && triangles_meet(&facet.facet, &point).is_some();
        });
        is_met
    }

    /// The winding number of the model around the point, which then lies on no face; `None` where `f64` cannot tell along one ray.
    pub(super) fn likely_winding(&self) -> Option<i32> {
        if !self.bounds.contains(self.point) {
            return Some(0);
        }
        // Along the axis, ahead or back, that leaves the model soonest.
        let ways = [self.bounds.max - self.point, self.point - self.bounds.min].map(|way| way.to_array());
        let (mut axis, mut back) = (0, 0);
        for i in 0..6 {
            if ways[i / 3][i % 3] < ways[back][axis] {
                (axis, back) = (i % 3, i / 3);
            }
        }
        let ray = Direction::along(axis, back == 1, 0);
        let sample = NearPoint { near: self.point, error: 0.0 };
        let mut number = Some(0);
        self.for_each_along(ray.vector(), f64::INFINITY, |FramedFacet { facet, bounds, weight, .. }| {
            let Some(sum) = number else { return };
            if *weight != 0 {
                number =
                    likely_ray_crossing(sample, ray, facet.corners).map(|crossing| sum + weight * crossing);
            } else if bounds.contains(self.point) {
                // Perhaps on a face of no solid.
                number = None;
            }
        });
        number
    }

    /// Calls `visit` with every facet whose box a ray from the point passes through until a time, and with others.
    fn for_each_along(&self, direction: DVec3, until: f64, mut visit: impl FnMut(&FramedFacet)) {
        let (mut corners, mut fan) = (Vec::new(), Fan::default());
        self.tree.for_each_along([self.point, direction], until, 0.0, |face| {
            self.host.framed(face, &mut corners, &mut fan, &mut visit);
        });
    }
}
