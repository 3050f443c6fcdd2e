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

mod cache;
mod leaf_batch;
mod patience;
mod intersect;
mod contacts;
mod curve;
mod distance;
mod extremes;
mod model_pair;
mod overlap;
mod point;
mod self_intersection;
#[cfg(test)]
mod prepared;
mod ray;
mod rounded;
mod scratch;
mod search;
pub(crate) mod separating_translation;
mod solid;
mod sweep;
mod verdict;
mod volume;

pub use crate::pair::stats::Stats;
pub use cache::PairCache;
pub use contacts::{Contact, ContactId, ContactOptions};
pub use curve::{ContactSurface, CurveFeature, CurveNode, CurvePolyline, IntersectionCurve};
pub use distance::{ClosestPoint, Distance, DistanceOptions, SignedDistance};
use intersect::{Standing, intersect, intersect_while, intersects, standing};
pub use model_pair::ModelPair;
pub(crate) use overlap::{Enclosed, Overlap, OverlapFrame, PlacedMesh, common, enclosed, meeting_bounds};
pub use overlap::{Penetration, PenetrationOptions, SharedSurface, SharedSurfaceOptions, SharedVolume};
pub(crate) use patience::Patience;
pub use ray::{FirstFace, Ray, RayError, RayHit, RayOptions, RayPart};
pub use scratch::Scratch;
pub use separating_translation::{LimitError, SeparatingTranslation};
pub use sweep::{
    Advancement, Sweep, SweepHit, SweepOptions, SweepStatus, Trajectory, conservative_advancement,
};
pub(crate) use sweep::{Known, RelativeMotion, StartContacts, size_of, skin_for, turns};
pub use verdict::{Contained, Engine, FacePair, IntersectOptions, Intersection, Verdict, Witness};
pub use volume::{Volume, VolumeOptions};

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

use crate::model::Placed;
use scratch::with_scratch;

impl Placed<'_> {
    /// Intersects the two models: the verdict on how they stand to each other, and a place where they intersect.
    ///
    /// Exact: for the vertices as rounded into the canonical frame of the pair, the verdict and the pairs are those of
    /// arithmetic without rounding, whatever the engine. Exchanging the models exchanges nothing but the names in the answer.
    pub fn intersect(&self, other: &Placed<'_>) -> Intersection {
        self.intersect_with(other, IntersectOptions::new())
    }

    /// [`intersect`](Self::intersect) with given options: with all pairs of faces, or as surfaces only.
    pub fn intersect_with(&self, other: &Placed<'_>, options: IntersectOptions) -> Intersection {
        with_scratch(|scratch| intersect(self, other, options, scratch))
    }

    /// [`intersect_with`](Self::intersect_with) as long as there is patience. Where that is over, the answer means nothing.
    pub(crate) fn intersect_while(
        &self,
        other: &Placed<'_>,
        options: IntersectOptions,
        patience: &Patience<'_>,
    ) -> Intersection {
        with_scratch(|scratch| intersect_while(self, other, options, patience, scratch))
    }

    /// [`intersect_with`](Self::intersect_with) in memory of the caller's.
    pub fn intersect_in(
        &self,
        other: &Placed<'_>,
        options: IntersectOptions,
        scratch: &mut Scratch,
    ) -> Intersection {
        intersect(self, other, options, scratch)
    }

    /// Whether the two models intersect: anything but [`Verdict::Clear`]. Quicker than [`intersect`](Self::intersect), because it stops
    /// at the first pair of faces that intersect and does not ask how.
    #[doc(alias = "collide")]
    #[doc(alias = "intersection_test")]
    pub fn intersects(&self, other: &Placed<'_>) -> bool {
        self.intersects_with(other, IntersectOptions::new())
    }

    /// [`intersects`](Self::intersects) with given options, of which only the engine and `surface_only` count.
    pub fn intersects_with(&self, other: &Placed<'_>, options: IntersectOptions) -> bool {
        with_scratch(|scratch| intersects(self, other, options, scratch))
    }

    /// [`intersects_with`](Self::intersects_with) in memory of the caller's.
    pub fn intersects_in(
        &self,
        other: &Placed<'_>,
        options: IntersectOptions,
        scratch: &mut Scratch,
    ) -> bool {
        intersects(self, other, options, scratch)
    }

    /// Whether the two models overlap or one contains the other.
    pub(crate) fn overlaps(&self, other: &Placed<'_>) -> bool {
        with_scratch(|scratch| intersect::overlap(self, other, scratch))
    }

    /// The verdict on the two models, as solids where their parts are closed: clear, touching, overlapping or inside.
    pub fn verdict(&self, other: &Placed<'_>) -> Verdict {
        self.intersect(other).verdict
    }

    /// A point where the two models intersect; `None` exactly when they are clear of each other.
    pub fn witness(&self, other: &Placed<'_>) -> Option<Witness> {
        self.intersect(other).witness
    }

    /// All pairs of faces that intersect, by the user's indices, sorted: of rounded models, the faces of the cores that are no farther apart than the radii.
    pub fn face_pairs(&self, other: &Placed<'_>) -> Vec<FacePair> {
        self.intersect_with(other, IntersectOptions::new().pairs(true).surface_only(true)).pairs
    }
}
