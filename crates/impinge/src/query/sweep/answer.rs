//! The words in which a sweep is asked for and answered.

use crate::math::{DAffine3, DVec3};
use crate::model::Feature;
use crate::transform::Phase;

/// What became of a motion.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum SweepVerdict {
    /// The motion goes through to its end.
    Clear,
    /// It is stopped.
    Hit,
    /// The two overlap before anything moves, or one is inside of the other.
    StartedOverlapping,
}

/// How a sweep finds the faces that may meet. All find the same.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum SweepEngine {
    /// Every face against every face.
    Brute,
    /// Trees of boxes.
    #[default]
    Trees,
}

/// What a sweep is asked for with.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SweepAsk {
    /// The thickness of the expel zone in the world: how far away from the other a body is stopped. Thinner than rounding needs, it is
    /// as thick as that.
    pub expel: f64,
    /// Faces of closed parts are met from behind too.
    pub two_sided: bool,
    /// How to find the faces.
    pub engine: SweepEngine,
    /// What is left out because it changes no answer.
    pub shortcuts: Shortcuts,
}

impl Default for SweepAsk {
    fn default() -> SweepAsk {
        SweepAsk {
            expel: 0.0,
            two_sided: false,
            engine: SweepEngine::default(),
            shortcuts: Shortcuts::default(),
        }
    }
}

/// The optimisations of paper 000 §4. None changes an answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shortcuts {
    /// Shared vertices and edges are tested once.
    pub once: bool,
    /// Internal edges and vertices are not tested.
    pub internal: bool,
    /// Faces that move away with their front are not tested.
    pub culling: bool,
}

impl Default for Shortcuts {
    fn default() -> Shortcuts {
        Shortcuts { once: true, internal: true, culling: true }
    }
}

/// How far a motion goes, and against what.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Sweep {
    /// What became of the motion.
    pub verdict: SweepVerdict,
    /// How much of the motion was made: never more than up to the first true touch.
    #[doc(alias = "time_of_impact")]
    #[doc(alias = "toi")]
    pub fraction: f64,
    /// What the body was doing when it was stopped.
    pub phase: Option<Phase>,
    /// Where the moving body is then: the pose that was tested to be free.
    pub world_from_moving: DAffine3,
    /// Where the other is: as it was, unless both move.
    pub world_from_stationary: DAffine3,
    /// Where it is stopped, and by what.
    pub hit: Option<SweepHit>,
    /// How much work it took.
    pub work: SweepWork,
}

/// What stops a motion.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct SweepHit {
    /// The point of the moving body, at the stop, in the world.
    pub point_on_moving: DVec3,
    /// The point of the other, in the world.
    pub point_on_stationary: DVec3,
    /// Of length 1, from the moving body to the other.
    pub normal: DVec3,
    /// What of the moving body meets the other.
    pub feature_moving: Feature,
    /// What it meets.
    pub feature_stationary: Feature,
    /// The two bodies are no farther apart than this at the stop.
    pub bound: f64,
}

/// How much work a sweep took.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct SweepWork {
    /// Pairs of boxes that were compared.
    pub box_tests: u64,
    /// Pairs of triangles that were looked at.
    pub face_tests: u64,
    /// Pairs of features that were tested.
    pub feature_tests: u64,
}
