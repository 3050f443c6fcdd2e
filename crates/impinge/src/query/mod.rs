//! Queries on placed models: intersection, distance, contacts, sweeps, rays and volumes.
//!
//! ```
//! use impinge::{Mesh, Model, Trs, Verdict};
//!
//! let corners = [[0., 0., 0.], [1., 0., 0.], [0., 1., 0.], [0., 0., 1.]];
//! let tetrahedron = Model::new(Mesh::triangles(corners, vec![[0, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, 3]])?);
//! let a = tetrahedron.at(Trs::IDENTITY);
//!
//! assert_eq!(a.verdict(&tetrahedron.at(Trs::translation([0.25, 0.0, 0.0])?)), Verdict::Overlapping);
//! assert_eq!(a.verdict(&tetrahedron.at(Trs::translation([1.0, 0.0, 0.0])?)), Verdict::Touching);
//! assert!(!a.intersects(&tetrahedron.at(Trs::translation([1.5, 0.0, 0.0])?)));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

pub mod brute;
mod cache;
mod intersect;
mod contacts;
mod curve;
mod distance;
mod self_intersection;
#[cfg(test)]
mod prepared;
pub mod ray;
mod scratch;
mod search;
pub(crate) mod separating_translation;
mod solid;
mod sweep;
mod verdict;
mod volume;

pub use crate::pair::stats::Stats;
pub use cache::PairCache;
pub use contacts::{Contact, ContactId, ContactOptions, contacts, reduce};
pub use curve::{ContactSurface, CurveFeature, CurveNode, CurvePolyline, IntersectionCurve};
pub use distance::{
    ClosestPoint, Distance, DistanceOptions, SignedDistance, closest_point, distance, signed_distance,
    winding_number,
};
pub use intersect::{intersect, intersects};
pub use scratch::Scratch;
pub use separating_translation::{LimitError, SeparatingTranslation};
pub use sweep::{
    Advancement, Sweep, SweepHit, SweepOptions, SweepStatus, Trajectory, conservative_advancement, sweep,
    sweep_both,
};
pub(crate) use sweep::{StartContacts, size_of, skin_for};
pub use verdict::{Contained, Engine, FacePair, IntersectOptions, Intersection, Verdict, Witness};
pub use volume::{Volume, faces_touching, for_each_face_touching};

/// Hooks for experiments: pair queries through trees of their own, and the work that was done. Not part of the library's promise.
#[doc(hidden)]
pub mod experiments {
    pub use super::contacts::contacts_counted;
    pub use super::intersect::{intersect_by, intersects_by};
    pub use super::search::{FacetMeeting, FramedPair, PairTree, traverse_bvh};
    pub use super::volume::faces_touching_by;
    pub use crate::pair::frame::{Frame, Maps, host_order, row_sum};
    pub use crate::pair::surface::{FaceSource, FaceTree, FacetName, FrameRay};
}

use crate::model::{Placed, Purpose};
use impinge_core::math::{DVec3, IntoPoint};
use impinge_core::parallel;
use scratch::with_scratch;

impl Placed<'_> {
    /// [`intersect`] with memory of its own.
    pub fn intersect(&self, other: &Placed<'_>, options: IntersectOptions) -> Intersection {
        with_scratch(|scratch| intersect(self, other, options, scratch))
    }

    /// Whether the two models intersect: anything but [`Verdict::Clear`].
    #[doc(alias = "collide")]
    #[doc(alias = "intersection_test")]
    pub fn intersects(&self, other: &Placed<'_>) -> bool {
        with_scratch(|scratch| intersects(self, other, IntersectOptions::default(), scratch))
    }

    /// Whether the two models overlap or one contains the other.
    pub(crate) fn overlaps(&self, other: &Placed<'_>) -> bool {
        with_scratch(|scratch| intersect::overlap(self, other, scratch))
    }

    /// The verdict on the two models, as solids where their parts are closed: clear, touching, overlapping or inside.
    pub fn verdict(&self, other: &Placed<'_>) -> Verdict {
        self.intersect(other, IntersectOptions::default()).verdict
    }

    /// A point where the two models intersect; `None` exactly when they are clear of each other.
    pub fn witness(&self, other: &Placed<'_>) -> Option<Witness> {
        self.intersect(other, IntersectOptions::default()).witness
    }

    /// The minimum distance of the two models, and their closest points. 0 exactly when they intersect.
    ///
    /// ```
    /// use impinge::{Mesh, Model, Trs};
    ///
    /// let ball = Model::new(Mesh::icosphere(1.0, 4)?);
    /// let wall = Model::new(Mesh::cuboid([2.0, -5.0, -5.0], [3.0, 5.0, 5.0])?);
    /// let closest = ball.at(Trs::IDENTITY).distance(&wall.at(Trs::IDENTITY));
    /// assert!((closest.distance - 1.0).abs() < 0.1);
    /// println!("{:?} of the ball is closest to {:?} of the wall", closest.feature_a, closest.feature_b);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[doc(alias = "gjk")]
    #[doc(alias = "minimum distance")]
    #[doc(alias = "closest points")]
    pub fn distance(&self, other: &Placed<'_>) -> Distance {
        let any = with_scratch(|scratch| distance(self, other, DistanceOptions::default(), scratch));
        any.expect("models have faces, and no distance is beyond infinity")
    }

    /// [`distance`](Self::distance), if it is no more than a limit: quicker, the smaller the limit.
    #[doc(alias = "clearance")]
    pub fn distance_within(&self, other: &Placed<'_>, at_most: f64) -> Option<Distance> {
        let options = DistanceOptions { at_most, ..DistanceOptions::default() };
        with_scratch(|scratch| distance(self, other, options, scratch))
    }

    /// Whether the two models are no farther apart than `distance`: quicker than their distance.
    #[doc(alias = "clearance")]
    pub fn is_within(&self, other: &Placed<'_>, distance: f64) -> bool {
        with_scratch(|scratch| distance::is_within(self, other, distance, scratch))
    }

    /// All [`contacts`] of the two models within a distance: where they touch or nearly touch.
    ///
    /// ```
    /// use impinge::{Mesh, Model, Trs};
    ///
    /// let floor = Model::new(Mesh::cuboid([-5.0, -5.0, -1.0], [5.0, 5.0, 0.0])?);
    /// let crate_ = Model::new(Mesh::cuboid([-0.5, -0.5, 0.0], [0.5, 0.5, 1.0])?);
    /// let standing = crate_.at(Trs::translation([1.0, 2.0, 0.001])?);
    /// let contacts = standing.contacts(&floor.at(Trs::IDENTITY), 0.01);
    /// assert_eq!(contacts.len(), 4);
    /// for contact in contacts {
    ///     assert_eq!(contact.normal, [0.0, 0.0, -1.0].into());
    ///     assert!((contact.distance - 0.001).abs() < 1e-12);
    ///     println!("{:?} stands on {:?}", contact.feature_a, contact.feature_b);
    /// }
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[doc(alias = "manifold")]
    pub fn contacts(&self, other: &Placed<'_>, within: f64) -> Vec<Contact> {
        with_scratch(|scratch| contacts(self, other, ContactOptions::within(within), scratch))
    }

    /// The point of the surface that is closest to a given one; `None` where that is not finite.
    #[doc(alias = "project_point")]
    pub fn closest_point(&self, point_in_world: impl IntoPoint) -> Option<ClosestPoint> {
        let point = point_in_world.into_point();
        with_scratch(|scratch| closest_point(self, point, f64::INFINITY, scratch))
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

    /// The signed distance of a point from the surface: whether it is inside of the model's solids; `None` where it is not finite.
    ///
    /// ```
    /// use impinge::{Mesh, Model, Trs};
    ///
    /// let cube = Model::new(Mesh::cuboid([-1.0; 3], [1.0; 3])?);
    /// let cube = cube.at(Trs::scaling([2.0; 3])?);
    /// assert_eq!(cube.signed_distance([0.5, 0.0, 0.0]).unwrap().signed(), -1.5);
    /// assert_eq!(cube.signed_distance([0.0, 5.0, 0.0]).unwrap().signed(), 3.0);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[doc(alias = "sdf")]
    pub fn signed_distance(&self, point_in_world: impl IntoPoint) -> Option<SignedDistance> {
        let point = point_in_world.into_point();
        with_scratch(|scratch| signed_distance(self, point, scratch))
    }

    /// The signed distances of many points, in their order: as [`signed_distance`](Self::signed_distance) for each.
    pub fn signed_distances(&self, points_in_world: &[DVec3]) -> Vec<Option<SignedDistance>> {
        self.prepare_for(points_in_world, Purpose::DISTANCE);
        parallel::map(points_in_world, |&point| self.signed_distance(point))
    }

    /// [`winding_number`] of a point: about 1 inside, about 0 outside, for surfaces with holes too.
    pub fn winding_number(&self, point_in_world: impl IntoPoint) -> Option<f64> {
        winding_number(self, point_in_world.into_point())
    }

    /// All pairs of faces that intersect, by the user's indices, sorted.
    pub fn face_pairs(&self, other: &Placed<'_>) -> Vec<FacePair> {
        self.intersect(
            other,
            IntersectOptions { pairs: true, surface_only: true, ..IntersectOptions::default() },
        )
        .pairs
    }
}
