//! Options of steps.

use crate::options::options;
use impinge_core::math::DVec3;

/// The rule for a body in the way of a kinematic one that has no room to give way.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Deserialize, serde::Serialize))]
pub enum CrushRule {
    /// The kinematic body stops.
    #[default]
    Stop,
    /// The kinematic body goes on, through the other, which is reported in [`Step::crushed`](super::Step::crushed). As long as the two overlap, they do not stop each other, and
    /// [`World::overlaps`](super::World::overlaps) lists them. So it is where the kinematic body is to move and the two overlap before the step. Kinematic bodies do not crush each other.
    Crush,
}

options! {
    /// Options of a step. By default bodies stop where they meet others.
    #[derive(Clone, Copy, Debug, PartialEq)]
    #[cfg_attr(feature = "serde", derive(serde::Deserialize, serde::Serialize))]
    #[cfg_attr(feature = "serde", serde(default))]
    pub struct StepOptions {
        /// How often a body that moves along a line may be deflected by what it meets, which it slides along; then it stops. All that it meets at once deflects it
        /// once. Bodies that turn stop at once, and so do kinematic ones.
        ///
        /// A body loses as much of its velocity as brings it nearer to the other: of two that come nearer to each other, each loses its own part; behind one that gives way, it
        /// follows.
        pub planes: usize = 0,
        /// The way up, of length 1: what stands on kinematic bodies is carried by them.
        pub up: DVec3 = DVec3::Z,
        /// The least cosine between the way up and the normal of a floor to stand on.
        pub floor: f64 = 0.7,
        /// The rule for what has no room to give way to a kinematic body.
        pub crush: CrushRule = CrushRule::Stop,
    }
}
