//! Options and results of pair queries.

use crate::options::options;
use crate::pair::stats::Stats;
use impinge_core::math::DVec3;
use impinge_core::narrow::tri_tri::Kind;

/// The model, of two, that is contained in the other.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Deserialize, serde::Serialize))]
pub enum Contained {
    /// The first model lies inside the second.
    A,
    /// The second model lies inside the first.
    B,
}

/// The verdict on two placed models: clear, touching, overlapping, or one inside the other.
///
/// A closed part is a solid: a point is inside a model where the winding numbers of its closed parts add up to more
/// than zero. Open parts are surfaces and contain nothing.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Deserialize, serde::Serialize))]
pub enum Verdict {
    /// The models share no point.
    Clear,
    /// The models touch: they share points, but neither in their interiors nor with crossing faces.
    Touching,
    /// Two faces cross; or the interiors overlap and neither contains the other (equal solids count here); or a surface
    /// lies partly inside a solid and partly outside.
    Overlapping,
    /// One model is contained in the interior of the other; their surfaces may touch from inside.
    Inside(Contained),
}

impl Verdict {
    /// The verdict with the names of the two models exchanged.
    #[must_use]
    pub fn flipped(self) -> Verdict {
        match self {
            Verdict::Inside(Contained::A) => Verdict::Inside(Contained::B),
            Verdict::Inside(Contained::B) => Verdict::Inside(Contained::A),
            other => other,
        }
    }
}

/// The engine by which a query finds the faces that matter. Both engines give the same answers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
#[cfg_attr(feature = "serde", derive(serde::Deserialize, serde::Serialize))]
pub enum Engine {
    /// Bounding volume hierarchies of boxes.
    #[default]
    Bvh,
    /// Brute force: every face, or every pair of faces. Slow, and the oracle of the other.
    Brute,
}

options! {
    /// Options of a pair query.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub struct IntersectOptions {
        /// Whether to find every pair of faces that intersect, instead of stopping as soon as the verdict is certain.
        pub pairs: bool = false,
        /// Whether closed parts count as surfaces too: no interiors, no containment.
        pub surface_only: bool = false,
        /// The engine that finds the faces.
        pub engine: Engine = Engine::Bvh,
    }
}

/// A witness: a point where two models intersect.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
#[cfg_attr(feature = "serde", derive(serde::Deserialize, serde::Serialize))]
pub struct Witness {
    /// A face of each model, by the user's indices, that intersect; `None` where the models intersect without their surfaces
    /// doing so, as when one lies inside the other.
    pub faces: Option<[u32; 2]>,
    /// A point of both models.
    pub point_in_world: DVec3,
}

/// Two faces that intersect, by the user's indices.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
#[cfg_attr(feature = "serde", derive(serde::Deserialize, serde::Serialize))]
pub struct FacePair {
    /// The face of the first model.
    pub face_a: u32,
    /// The face of the second model.
    pub face_b: u32,
    /// Whether the faces cross or only touch.
    pub kind: Kind,
}

/// The answer of a pair query.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
#[cfg_attr(feature = "serde", derive(serde::Deserialize, serde::Serialize))]
pub struct Intersection {
    /// The verdict on the two models.
    pub verdict: Verdict,
    /// A point where the models intersect; `None` exactly when they are clear.
    pub witness: Option<Witness>,
    /// The pairs of faces that intersect, sorted; empty unless asked for.
    pub pairs: Vec<FacePair>,
    /// The work that the query took.
    pub stats: Stats,
}

impl Intersection {
    /// The answer for models that are far apart.
    pub(super) const CLEAR: Intersection =
        Intersection { verdict: Verdict::Clear, witness: None, pairs: Vec::new(), stats: Stats::NONE };
}
