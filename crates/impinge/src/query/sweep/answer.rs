//! The words in which a sweep is asked for and answered.

use crate::model::Feature;
use crate::query::stats::Stats;
use impinge_core::math::{DAffine3, DVec3};
use impinge_core::transform::Phase;

/// What became of a motion.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum SweepStatus {
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
pub struct SweepOptions {
    /// The thickness of the expel zone in the world: how far away from the other a body is stopped. Thinner than rounding needs, it is
    /// as thick as that.
    pub margin: f64,
    /// The thickness of the skin in the world that is kept where no thicker margin is asked for; 0 for what suits the sizes of the two
    /// bodies. What slides over several bodies needs the same skin for all of them. Thinner than rounding needs, it is as thick as that.
    pub skin: f64,
    /// Faces of closed parts are met from behind too. All are: the answer is the same.
    pub two_sided: bool,
    /// How to find the faces.
    pub engine: SweepEngine,
}

impl Default for SweepOptions {
    fn default() -> SweepOptions {
        SweepOptions { margin: 0.0, skin: 0.0, two_sided: false, engine: SweepEngine::default() }
    }
}

/// How far a motion goes, and against what.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Sweep {
    /// What became of the motion.
    pub verdict: SweepStatus,
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
    /// How the moving body was lifted off, in the world, where it starts touching and slides along: the pose is that of the motion at
    /// the fraction, moved by this.
    pub lift: Option<DVec3>,
    /// Whether the body starts touching and would slide, but no lift frees it: a piston in an exact bore.
    pub wedged: bool,
    /// What rounding can move a point by on the way, in the world: distances along the motion are kept up to this.
    pub rounding: f64,
    /// How much work it took.
    pub stats: Stats,
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
