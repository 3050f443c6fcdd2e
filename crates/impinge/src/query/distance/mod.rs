//! Minimum distance of placed models, their closest points, and distances of points from them.
//!
//! `docs/math/distance.md` derives what the answers may be off by.

mod answer;
mod best;
mod frame;
mod pair;
mod point;
mod search;
mod winding;

pub use answer::{ClosestPoint, Distance, DistanceOptions, SignedDistance};
pub(super) use best::feature_of;
pub(super) use frame::MetricFrame;
pub(super) use pair::distance;
use pair::is_within;
pub(super) use point::is_inside;
use point::{closest_point, signed_distance};

use super::scratch::{Scratch, with_scratch};
use crate::model::{Placed, Purpose};
use impinge_core::math::{DVec3, IntoPoint};
use impinge_core::parallel;

impl Placed<'_> {
    /// The minimum distance of the two models, and their closest points. 0 exactly when they intersect.
    ///
    /// ```
    /// use impinge::{Model, Trs, shapes};
    ///
    /// let ball = Model::new(shapes::icosphere(1.0, 4)?);
    /// let wall = Model::new(shapes::cuboid([2.0, -5.0, -5.0], [3.0, 5.0, 5.0])?);
    /// let closest = ball.at(Trs::IDENTITY).distance(&wall.at(Trs::IDENTITY));
    /// assert!((closest.distance - 1.0).abs() < 0.1);
    /// println!("{:?} of the ball is closest to {:?} of the wall", closest.feature_a, closest.feature_b);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[doc(alias = "gjk")]
    #[doc(alias = "minimum distance")]
    #[doc(alias = "closest points")]
    pub fn distance(&self, other: &Placed<'_>) -> Distance {
        let any = self.distance_with(other, DistanceOptions::new());
        any.expect("models have faces, and no distance is beyond infinity")
    }

    /// The minimum distance of the two models, and their closest points; `None` where that is farther than
    /// [`at_most`](DistanceOptions::at_most).
    ///
    /// The distance is 0 exactly when [`intersects`](Self::intersects) says that the two intersect, and is else off by no more than
    /// [`DISTANCE_RELATIVE`](crate::tolerance::DISTANCE_RELATIVE) of itself and
    /// [`DISTANCE_ABSOLUTE`](crate::tolerance::DISTANCE_ABSOLUTE) of the pair's extent. Exchanging the models exchanges
    /// nothing but the names in the answer.
    pub fn distance_with(&self, other: &Placed<'_>, options: DistanceOptions) -> Option<Distance> {
        with_scratch(|scratch| distance(self, other, options, scratch))
    }

    /// [`distance_with`](Self::distance_with) in memory of the caller's.
    pub fn distance_in(
        &self,
        other: &Placed<'_>,
        options: DistanceOptions,
        scratch: &mut Scratch,
    ) -> Option<Distance> {
        distance(self, other, options, scratch)
    }

    /// [`distance`](Self::distance), if it is no more than a limit: quicker, the smaller the limit.
    #[doc(alias = "clearance")]
    pub fn distance_within(&self, other: &Placed<'_>, at_most: f64) -> Option<Distance> {
        self.distance_with(other, DistanceOptions::new().at_most(at_most))
    }

    /// Whether the two models are no farther apart than `distance`: quicker than their distance.
    #[doc(alias = "clearance")]
    pub fn is_within(&self, other: &Placed<'_>, distance: f64) -> bool {
        with_scratch(|scratch| is_within(self, other, distance, false, scratch))
    }

    /// [`is_within`](Self::is_within) for two models of which neither has a part inside of the other.
    pub(crate) fn surfaces_are_within(&self, other: &Placed<'_>, distance: f64) -> bool {
        with_scratch(|scratch| is_within(self, other, distance, true, scratch))
    }

    /// The point of the surface that is closest to a given one; `None` where that is not finite.
    #[doc(alias = "project_point")]
    pub fn closest_point(&self, point_in_world: impl IntoPoint) -> Option<ClosestPoint> {
        self.closest_point_with(point_in_world, DistanceOptions::new())
    }

    /// The point of the surface that is closest to a given one; `None` where it is farther than
    /// [`at_most`](DistanceOptions::at_most), or where the given one is not finite.
    ///
    /// Of closed parts, too, it is the surface that counts: a point inside of a solid is as far from it as from its
    /// surface. Of a rounded model it is the point straight out from the core: exact from outside, and from inside where the core is convex; else the surface may be
    /// farther away there. The error is that of [`distance_with`](Self::distance_with). Of the options, `at_most` and the engine count.
    pub fn closest_point_with(
        &self,
        point_in_world: impl IntoPoint,
        options: DistanceOptions,
    ) -> Option<ClosestPoint> {
        let point = point_in_world.into_point();
        with_scratch(|scratch| closest_point(self, point, options, scratch))
    }

    /// [`closest_point_with`](Self::closest_point_with) in memory of the caller's.
    pub fn closest_point_in(
        &self,
        point_in_world: impl IntoPoint,
        options: DistanceOptions,
        scratch: &mut Scratch,
    ) -> Option<ClosestPoint> {
        closest_point(self, point_in_world.into_point(), options, scratch)
    }

    /// The closest points of the surface to many points, in their order: as [`closest_point`](Self::closest_point) for each.
    pub fn closest_points(&self, points_in_world: &[DVec3]) -> Vec<Option<ClosestPoint>> {
        self.prepare_for(points_in_world, Purpose::BVH);
        parallel::map(points_in_world, |&point| self.closest_point(point))
    }

    /// Prepares the model for queries about points, if there are any.
    fn prepare_for(&self, points: &[DVec3], purpose: Purpose) {
        if !points.is_empty() {
            self.model().prepare(purpose);
        }
    }

    /// The signed distance of a point from the surface, negative inside of the model's solids; `None` where the point is not finite.
    ///
    /// A point is inside where the winding numbers of the closed parts add up to more than zero. That is exact for the point as
    /// rounded into the model's frame. Open parts count for the distance, but contain nothing.
    ///
    /// ```
    /// use impinge::{Model, Trs, shapes};
    ///
    /// let cube = Model::new(shapes::cuboid([-1.0; 3], [1.0; 3])?);
    /// let cube = cube.at(Trs::scaling([2.0; 3])?);
    /// assert_eq!(cube.signed_distance([0.5, 0.0, 0.0]).unwrap().signed(), -1.5);
    /// assert_eq!(cube.signed_distance([0.0, 5.0, 0.0]).unwrap().signed(), 3.0);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[doc(alias = "sdf")]
    pub fn signed_distance(&self, point_in_world: impl IntoPoint) -> Option<SignedDistance> {
        with_scratch(|scratch| self.signed_distance_in(point_in_world, scratch))
    }

    /// [`signed_distance`](Self::signed_distance) in memory of the caller's.
    pub fn signed_distance_in(
        &self,
        point_in_world: impl IntoPoint,
        scratch: &mut Scratch,
    ) -> Option<SignedDistance> {
        signed_distance(self, point_in_world.into_point(), scratch)
    }

    /// The signed distances of many points, in their order: as [`signed_distance`](Self::signed_distance) for each.
    pub fn signed_distances(&self, points_in_world: &[DVec3]) -> Vec<Option<SignedDistance>> {
        self.prepare_for(points_in_world, Purpose::DISTANCE);
        parallel::map(points_in_world, |&point| self.signed_distance(point))
    }

    /// The generalized winding number of a point, for surfaces with holes too: the sum of the solid angles at which all faces are seen from
    /// it, from behind, divided by that of the whole sphere. 1 inside of a closed surface, 0 outside, in between where there are holes.
    ///
    /// Closed parts count exactly, by a ray. Every face of an open part counts, so these take time in proportion to their number; the error is about 1e-15 times that number. `None` where
    /// the point or its distance to the model is not finite. On the surface itself the number jumps, and either side may be
    /// given.
    pub fn winding_number(&self, point_in_world: impl IntoPoint) -> Option<f64> {
        winding::winding_number(self, point_in_world.into_point())
    }
}
