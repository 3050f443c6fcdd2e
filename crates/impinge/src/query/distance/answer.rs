//! The words in which a distance is asked for and answered.

use crate::model::Feature;
use crate::query::verdict::Engine;
use impinge_core::math::DVec3;

/// What a distance is asked for with.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct DistanceOptions {
    /// Take closed parts as surfaces too: what lies inside of a solid is as far from it as from its surface.
    pub surface_only: bool,
    /// Give up on whatever is farther than this, which is quicker.
    pub at_most: f64,
    /// Stop as soon as anything this close is found, though something else may be closer.
    pub enough: f64,
    /// Brute force, or trees.
    pub engine: Engine,
}

impl Default for DistanceOptions {
    fn default() -> DistanceOptions {
        DistanceOptions {
            surface_only: false,
            at_most: f64::INFINITY,
            enough: 0.0,
            engine: Engine::default(),
        }
    }
}

/// How far two placed models are apart, and where they are closest.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct Distance {
    /// The distance in the world; 0 exactly when the two meet.
    pub distance: f64,
    /// The closest point of the first model, in the world.
    pub point_a: DVec3,
    /// The closest point of the second model, in the world.
    pub point_b: DVec3,
    /// What the first point lies on; `None` for a point in the inside of a solid.
    pub feature_a: Option<Feature>,
    /// What the second point lies on; `None` for a point in the inside of a solid.
    pub feature_b: Option<Feature>,
}

impl Distance {
    /// The same with the names of the two models exchanged.
    #[must_use]
    pub fn flipped(self) -> Distance {
        Distance {
            distance: self.distance,
            point_a: self.point_b,
            point_b: self.point_a,
            feature_a: self.feature_b,
            feature_b: self.feature_a,
        }
    }
}

/// The point of a placed model that is closest to a given one.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct ClosestPoint {
    /// How far it is, in the world.
    pub distance: f64,
    /// The point, in the world.
    pub point: DVec3,
    /// What it lies on.
    pub feature: Feature,
}

/// How far a point is from a placed model, and on which side of it.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct SignedDistance {
    /// The closest point of the model's surface.
    pub closest: ClosestPoint,
    /// Whether the point is inside of the model's solids.
    pub is_inside: bool,
}

impl SignedDistance {
    /// The distance; negative inside.
    pub fn signed(&self) -> f64 {
        if self.is_inside { -self.closest.distance } else { self.closest.distance }
    }
}
