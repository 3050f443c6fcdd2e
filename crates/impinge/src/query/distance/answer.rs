//! Options and results of distance queries.

use crate::model::Feature;
use crate::options::options;
use crate::query::verdict::Engine;
use impinge_core::math::DVec3;

options! {
    /// Options of a distance query.
    #[derive(Clone, Copy, Debug, PartialEq)]
    pub struct DistanceOptions {
        /// Whether closed parts count as surfaces too: what lies inside of a solid is as far from it as from its surface.
        pub surface_only: bool = false,
        /// The largest distance that matters: a smaller limit is quicker.
        pub at_most: f64 = f64::INFINITY,
        /// The distance that is close enough: the search stops there, though something else may be closer.
        pub enough: f64 = 0.0,
        /// The engine that finds the faces: brute force, or trees.
        pub engine: Engine = Engine::Bvh,
    }
}

/// The minimum distance of two placed models, with their closest points.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
#[cfg_attr(feature = "serde", derive(serde::Deserialize, serde::Serialize))]
pub struct Distance {
    /// The distance in the world; 0 exactly when the two intersect.
    pub distance: f64,
    /// The closest point of the first model, in the world.
    pub point_on_a: DVec3,
    /// The closest point of the second model, in the world.
    pub point_on_b: DVec3,
    /// The feature that the first point lies on; `None` for a point in the inside of a solid.
    pub feature_a: Option<Feature>,
    /// The feature that the second point lies on; `None` for a point in the inside of a solid.
    pub feature_b: Option<Feature>,
}

impl Distance {
    /// The distance with the two models exchanged.
    #[must_use]
    pub fn flipped(self) -> Distance {
        Distance {
            distance: self.distance,
            point_on_a: self.point_on_b,
            point_on_b: self.point_on_a,
            feature_a: self.feature_b,
            feature_b: self.feature_a,
        }
    }
}

/// The point of a placed model that is closest to a given one.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
#[cfg_attr(feature = "serde", derive(serde::Deserialize, serde::Serialize))]
pub struct ClosestPoint {
    /// The distance of the point, in the world.
    pub distance: f64,
    /// The closest point of the surface, in the world.
    pub point_in_world: DVec3,
    /// The feature that the closest point lies on.
    pub feature: Feature,
}

/// The signed distance of a point from a placed model.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
#[cfg_attr(feature = "serde", derive(serde::Deserialize, serde::Serialize))]
pub struct SignedDistance {
    /// The closest point of the model's surface.
    pub closest: ClosestPoint,
    /// Whether the point is inside of the model's solids.
    pub is_inside: bool,
}

impl SignedDistance {
    /// The signed distance; negative inside.
    pub fn signed(&self) -> f64 {
        if self.is_inside { -self.closest.distance } else { self.closest.distance }
    }
}
