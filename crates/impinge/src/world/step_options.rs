//! Options of steps.

use crate::options::options;
use impinge_core::math::DVec3;

options! {
    /// Options of a step. By default bodies stop where they meet others.
    #[derive(Clone, Copy, Debug, PartialEq)]
    pub struct StepOptions {
        /// The number of planes that may deflect a body that moves along a line, which slides along them; then it stops. Bodies that turn stop at once.
        ///
        /// A body loses as much of its velocity as brings it nearer to the other: of two that come nearer to each other, each loses its own part; behind one that gives way, it
        /// follows.
        pub planes: usize = 0,
        /// The way up, of length 1: what stands on kinematic bodies is carried by them.
        pub up: DVec3 = DVec3::Z,
        /// The least cosine between the way up and the normal of a floor to stand on.
        pub floor: f64 = 0.7,
    }
}
