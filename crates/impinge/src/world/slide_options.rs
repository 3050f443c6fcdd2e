//! Options of slides.

use crate::options::options;
use impinge_core::math::DVec3;

options! {
    /// Options of a slide. By default z is up, and no steps are taken.
    #[derive(Clone, Copy, Debug, PartialEq)]
    pub struct SlideOptions {
        /// The way up, of length 1.
        pub up: DVec3 = DVec3::Z,
        /// The height of steps that are taken on the way; 0 for bodies that do not step.
        pub step_up: f64 = 0.0,
        /// The least cosine between the way up and the normal of a floor to step on.
        pub floor: f64 = 0.7,
        /// The number of planes that may deflect the move in one call.
        pub planes: usize = 5,
    }
}
