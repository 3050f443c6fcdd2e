//! The words in which a pair query answers.

use super::stats::Stats;
use impinge_core::math::DVec3;
use impinge_core::narrow::tri_tri::Kind;

/// Which of two models is contained in the other.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Contained {
    /// The first lies inside the second.
    A,
    /// The second lies inside the first.
    B,
}

/// How two placed models stand to each other.
///
/// A closed part is a solid: a point is inside a model where the winding numbers of its closed parts add up to more
/// than zero. Open parts are surfaces and contain nothing.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Verdict {
    /// They share no point.
    Clear,
    /// They meet, but neither in their interiors nor with crossing faces.
    Touching,
    /// Two faces cross; or their interiors meet and neither contains the other (equal solids count here); or a surface
    /// lies partly inside a solid and partly outside.
    Overlapping,
    /// One is contained in the interior of the other; their surfaces may touch from inside.
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

/// How a pair query finds the faces that meet. All engines give the same verdicts and pairs.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Engine {
    /// Every face against every face.
    Brute,
    /// Trees of boxes.
    #[default]
    Dop6,
    /// Trees of octahedra.
    Dop8,
    /// Trees of boxes with their corners cut.
    Dop14,
    /// Trees of boxes with their edges cut.
    Dop18,
    /// Trees of boxes with corners and edges cut.
    Dop26,
    /// Trees of the planes of the faces (Blow 1997). For pairs; questions about a single model, distances and contacts take
    /// the trees of boxes.
    Bsp,
}

impl Engine {
    /// All engines.
    pub const ALL: [Engine; 7] =
        [Engine::Brute, Engine::Dop6, Engine::Dop8, Engine::Dop14, Engine::Dop18, Engine::Dop26, Engine::Bsp];
}

/// What a pair query is asked for besides the verdict, and how it is to find out.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct IntersectOptions {
    /// Every pair of faces that meet, instead of stopping as soon as the verdict is certain.
    pub pairs: bool,
    /// Take closed parts as surfaces too: no interiors, no containment.
    pub surface_only: bool,
    /// How to find the faces.
    pub engine: Engine,
}

/// A place where two models meet.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct Witness {
    /// A face of each model, by the user's indices, that meet; `None` where the models meet without their surfaces
    /// doing so, as when one lies inside the other.
    pub faces: Option<[u32; 2]>,
    /// A point of both models.
    pub point_in_world: DVec3,
}

/// Two faces that meet, by the user's indices.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub struct FacePair {
    /// The face of the first model.
    pub face_a: u32,
    /// The face of the second model.
    pub face_b: u32,
    /// Whether they cross or only touch.
    pub kind: Kind,
}

/// The answer of a pair query.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Intersection {
    /// How the two stand to each other.
    pub verdict: Verdict,
    /// Where they meet; `None` exactly when they are clear.
    pub witness: Option<Witness>,
    /// The pairs of faces that meet, sorted; empty unless asked for.
    pub pairs: Vec<FacePair>,
    /// How much work it took.
    pub stats: Stats,
}
