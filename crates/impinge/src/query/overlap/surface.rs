//! The surface of a placed model as a search for penetration asks it: what is nearest to a point, which side a point is on, and what
//! crosses a polygon.

use super::polygon::{HalfSpace, Polygon};
use crate::model::Placed;
use crate::pair::surface::{FaceSource, TreeFacets};
use crate::query::distance::MetricFrame;
use crate::query::solid;
use impinge_core::bounds::Aabb;
use impinge_core::bvh::{DistanceStack, DopTree, NearStack, traverse_point};
use impinge_core::math::{DAffine3, DVec3};
use impinge_core::narrow::distance::point_triangle;

/// A placed model in the frame of a pair.
pub(super) struct Surface<'p, 'm> {
    pub(super) placed: &'p Placed<'m>,
    frame: &'p MetricFrame,
    /// Its faces in the frame.
    pub(super) source: FaceSource<'m>,
    tree: &'m DopTree<6>,
    map: Option<DAffine3>,
    /// From the frame to the model's own.
    back: Option<DAffine3>,
    /// The facets in the model's own frame, where points are told inside from outside.
    own: TreeFacets<'m, DopTree<6>>,
    near: DistanceStack,
    stack: NearStack,
    /// Whether open parts count as solids, as far as their winding number tells.
    pub(super) is_estimated: bool,
    /// How often something was asked.
    pub(super) asked: u64,
}

/// Open parts enclose a point from this winding number on.
pub(super) const ENCLOSED: f64 = 0.75;

/// The nearest triangle of a surface to a point.
#[derive(Clone, Copy, Debug)]
pub(super) struct Nearest {
    pub(super) distance: f64,
    /// The point of the surface.
    pub(super) point: DVec3,
    pub(super) triangle: [DVec3; 3],
}

impl Nearest {
    fn of(point: DVec3, triangle: &[DVec3; 3]) -> Nearest {
        let closest = point_triangle(point, triangle);
        Nearest { distance: closest.squared.sqrt(), point: closest.points[1], triangle: *triangle }
    }
}

impl<'p, 'm> Surface<'p, 'm> {
    pub(super) fn new(frame: &'p MetricFrame, side: usize, placed: &'p Placed<'m>) -> Surface<'p, 'm> {
        let model = placed.model();
        let map = frame.maps[side];
        Surface {
            placed,
            frame,
            source: frame.source(side, placed),
            tree: model.bvh(),
            map,
            back: map.map(|map| map.inverse()),
            own: TreeFacets::new(FaceSource::mapped(model, None, 1.0), model.bvh(), None),
            near: DistanceStack::default(),
            stack: NearStack::default(),
            is_estimated: false,
            asked: 0,
        }
    }

    pub(super) fn has_solid(&self) -> bool {
        self.placed.model().has_solid()
    }

    /// 1, or −1 where the model is mirrored in the frame.
    pub(super) fn handedness(&self) -> f64 {
        self.map.map_or(1.0, |map| map.matrix3.determinant().signum())
    }

    /// A box around it.
    pub(super) fn bounds(&self) -> Aabb {
        self.source.bounds()
    }

    /// The nearest triangle to a point. A triangle of the surface that is likely to be near makes it quicker.
    pub(super) fn nearest(&mut self, point: DVec3, hint: Option<&[DVec3; 3]>) -> Option<Nearest> {
        self.asked += 1;
        let source = &self.source;
        let mesh = source.mesh();
        let error = 8.0 * f64::EPSILON * self.frame.extent;
        let mut best = hint.map(|triangle| Nearest::of(point, triangle));
        let mut distance = best.map_or(f64::INFINITY, |best| best.distance);
        traverse_point(self.tree, self.map.as_ref(), point, error, distance, &mut self.near, |face| {
            for corners in mesh.fan(face) {
                let nearest = Nearest::of(point, &corners.map(|vertex| source.place(mesh.vertex(vertex))));
                if nearest.distance < distance {
                    distance = nearest.distance;
                    best = Some(nearest);
                }
            }
            distance
        });
        best
    }

    /// Whether a point lies inside of the model's solids, or is estimated to lie inside of open parts where these count. On their surface, rounding decides.
    pub(super) fn contains(&mut self, point: DVec3) -> bool {
        self.solids_contain(point) || self.is_estimated && self.open_winding(point, ENCLOSED) >= ENCLOSED
    }

    /// Whether a point lies inside of the model's solids. On their surface, rounding decides.
    pub(super) fn solids_contain(&mut self, point: DVec3) -> bool {
        self.asked += 1;
        let point = self.in_model(point);
        self.placed.model().bounds().contains(point) && solid::winding_around(&self.own, point) > 0
    }

    /// The generalized winding number of the model's open parts around a point, certain only to lie on the right side of a level; 0 beyond the model's box.
    pub(super) fn open_winding(&mut self, point: DVec3, level: f64) -> f64 {
        self.asked += 1;
        let point = self.in_model(point);
        let model = self.placed.model();
        if model.bounds().contains(point) { model.winding_tree().winding_beside(point, level) } else { 0.0 }
    }

    /// A point of the frame in the model's own. Not by way of the world, where far from its origin numbers are coarse.
    fn in_model(&self, point: DVec3) -> DVec3 {
        self.back.as_ref().map_or(point, |back| back.transform_point3(point))
    }

    /// The winding numbers of the model's solids right behind and in front of a triangle of the model, in its own frame; none where the triangle is too small
    /// to tell.
    pub(super) fn windings_beside(&mut self, triangle: [DVec3; 3]) -> Option<[i32; 2]> {
        self.asked += 2;
        let [a, b, c] = triangle;
        let normal = (b - a).cross(c - a).try_normalize()?;
        // Between rounding and the size of the face.
        let off = 1e-6 * (b - a).length().min((c - a).length()).min((c - b).length());
        let middle = (a + b + c) / 3.0;
        let is_clear = off > 1e-12 * self.placed.model().reach();
        is_clear.then(|| [-off, off].map(|off| solid::winding_around(&self.own, middle + normal * off)))
    }

    /// Calls `visit` with the triangles whose boxes overlap a box.
    pub(super) fn for_each_near(&mut self, bounds: &Aabb, mut visit: impl FnMut([DVec3; 3])) {
        self.for_each_face_near(bounds, |_, triangle| visit(triangle));
    }

    /// Calls `visit` with the triangles whose boxes overlap a box, each with its face.
    pub(super) fn for_each_face_near(&mut self, bounds: &Aabb, mut visit: impl FnMut(u32, [DVec3; 3])) {
        self.asked += 1;
        let in_model = match &self.back {
            None => *bounds,
            Some(back) => {
                let image = bounds.image(back);
                // More than what the inverse is off by.
                let more = DVec3::splat(
                    1e-12
                        * (image.min.abs().max(image.max.abs()).max_element() + self.placed.model().reach()),
                );
                Aabb { min: image.min - more, max: image.max + more }
            }
        };
        let source = &self.source;
        let mesh = source.mesh();
        self.tree.for_each_near(&in_model, &mut self.stack, |face| {
            for corners in mesh.fan(face) {
                let triangle = corners.map(|vertex| source.place(mesh.vertex(vertex)));
                if Aabb::around(triangle).overlaps(bounds) {
                    visit(face, triangle);
                }
            }
        });
    }

    /// The plane of a triangle that crosses a polygon by more than `slack`, such that the polygon reaches farthest to either side of it;
    /// none where nothing does.
    pub(super) fn crossing(&mut self, polygon: &Polygon, slack: f64) -> Option<HalfSpace> {
        let corners = &polygon.corners;
        let plane = plane_of(corners)?;
        let mut best: Option<(f64, HalfSpace)> = None;
        self.for_each_near(&polygon.bounds(), |triangle| {
            let Some(own) = plane_of(&triangle) else { return };
            let reach = reach_of(&own, corners);
            if reach <= slack || best.as_ref().is_some_and(|(most, _)| *most >= reach) {
                return;
            }
            if meets(polygon, &plane, &triangle, slack) {
                best = Some((reach, own));
            }
        });
        best.map(|(_, half)| half)
    }
}

/// The plane of some corners as the half-space behind it, with a normal of length 1; none where they have no area.
pub(super) fn plane_of(corners: &[DVec3]) -> Option<HalfSpace> {
    let origin = corners[0];
    let normal: DVec3 = corners[1..].windows(2).map(|pair| (pair[0] - origin).cross(pair[1] - origin)).sum();
    normal.try_normalize().map(|normal| HalfSpace::through(origin, normal))
}

/// How far some points reach to the side of a plane on which they reach less far.
pub(super) fn reach_of(plane: &HalfSpace, points: &[DVec3]) -> f64 {
    let heights = || points.iter().map(|&point| plane.height(point));
    let (most, least) =
        (heights().fold(f64::NEG_INFINITY, f64::max), heights().fold(f64::INFINITY, f64::min));
    most.min(-least)
}

/// Whether a triangle has points in common with a polygon, up to `slack`.
fn meets(polygon: &Polygon, plane: &HalfSpace, triangle: &[DVec3; 3], slack: f64) -> bool {
    let corners = &polygon.corners;
    let mut part = Polygon { corners: triangle.to_vec() };
    for (i, &corner) in corners.iter().enumerate() {
        let along = corners[(i + 1) % corners.len()] - corner;
        let Some(out) = along.cross(plane.normal).try_normalize() else { continue };
        let half = HalfSpace::through(corner, out);
        match part.split(&half, 0.0) {
            [Some(inside), _] => part = inside,
            [None, _] => return false,
        }
    }
    // What is above or below the polygon meets it where it is on both sides of the plane.
    let heights = || part.corners.iter().map(|&corner| plane.height(corner));
    heights().any(|height| height <= slack) && heights().any(|height| height >= -slack)
}
