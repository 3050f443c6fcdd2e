//! Options and results of sweeps.

use crate::mesh::MaterialSet;
use crate::model::Feature;
use crate::options::options;
use crate::pair::stats::Stats;
use crate::query::verdict::Engine;
use impinge_core::math::{DVec3, opposite};
use impinge_core::transform::{Phase, Placement};

/// The outcome of a motion.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Deserialize, serde::Serialize))]
pub enum SweepStatus {
    /// The motion goes through to its end.
    Clear,
    /// The motion is stopped.
    Hit,
    /// The two bodies overlap before anything moves, or one is inside of the other.
    StartedOverlapping,
}

options! {
    /// Options of a sweep.
    #[doc(alias = "skin")]
    #[doc(alias = "margin")]
    #[derive(Clone, Copy, Debug, PartialEq)]
    pub struct SweepOptions {
        /// The margin, the thickness of the expel zone in the world: how far away from the other a body is stopped. Thinner than rounding
        /// needs, it is as thick as that.
        pub margin: f64 = 0.0,
        /// The thickness of the skin in the world that is kept where no thicker margin is asked for; 0 for what suits the sizes of the two
        /// bodies. What slides over several bodies needs the same skin for all of them. Thinner than rounding needs, it is as thick as that.
        pub skin: f64 = 0.0,
        /// Materials whose faces are not there, of both bodies: neither at the start, nor on the way, nor at the stop. What they closed is
        /// no solid; see [`Model::without_materials`](crate::Model::without_materials).
        pub ignored_materials: MaterialSet = MaterialSet::NONE,
        /// The engine that finds the faces.
        pub engine: Engine = Engine::Bvh,
    }
}

/// The result of a sweep: the time of impact, and what stops the motion.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
#[cfg_attr(feature = "serde", derive(serde::Deserialize, serde::Serialize))]
pub struct Sweep {
    /// The outcome of the motion.
    pub status: SweepStatus,
    /// The time of impact as a fraction of the motion: never later than the first true touch.
    #[doc(alias = "time_of_impact")]
    #[doc(alias = "toi")]
    pub fraction: f64,
    /// The phase of the motion in which the body was stopped.
    pub phase: Option<Phase>,
    /// The pose of the moving body at the stop: the one that was tested to be free.
    pub world_from_moving: Placement,
    /// The pose of the other body at the stop: as it was, unless both move.
    pub world_from_stationary: Placement,
    /// The features that stop the body, and where.
    pub hit: Option<SweepHit>,
    /// The translation by which the moving body was lifted off, in the world, where it starts touching and slides along: the pose is
    /// that of the motion at the fraction, moved by this.
    pub lift: Option<DVec3>,
    /// Whether the body starts touching and would slide, but no lift frees it: a piston in an exact bore.
    pub wedged: bool,
    /// The error bound of a point on the way, in the world: distances along the motion are kept up to this.
    pub rounding: f64,
    /// The work that the sweep took.
    pub stats: Stats,
}

/// The contact that stops a motion.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
#[cfg_attr(feature = "serde", derive(serde::Deserialize, serde::Serialize))]
pub struct SweepHit {
    /// The point of the moving body, at the stop, in the world.
    pub point_on_moving: DVec3,
    /// The point of the other body, in the world.
    pub point_on_stationary: DVec3,
    /// The unit normal from the moving body to the other.
    pub normal: DVec3,
    /// The feature of the moving body that touches the other.
    pub feature_moving: Feature,
    /// The feature of the other body that is touched.
    pub feature_stationary: Feature,
    /// The material of the moving body's face that stops it: of an edge or a vertex, that of the face by which it was found.
    #[cfg_attr(feature = "serde", serde(default))]
    pub material_moving: u32,
    /// The material of the other body's face that is touched.
    #[cfg_attr(feature = "serde", serde(default))]
    pub material_stationary: u32,
    /// An upper bound of the distance of the two bodies at the stop.
    pub bound: f64,
}

impl SweepHit {
    /// The unit normal of the other body's surface, towards the moving body: the opposite of [`normal`](field@Self::normal).
    pub fn surface_normal(&self) -> DVec3 {
        opposite(self.normal)
    }

    /// The contact as the other body has it.
    pub(crate) fn swapped(&self) -> SweepHit {
        SweepHit {
            point_on_moving: self.point_on_stationary,
            point_on_stationary: self.point_on_moving,
            normal: opposite(self.normal),
            feature_moving: self.feature_stationary,
            feature_stationary: self.feature_moving,
            material_moving: self.material_stationary,
            material_stationary: self.material_moving,
            bound: self.bound,
        }
    }
}
