//! Options of slides.

use crate::options::options;
use impinge_core::math::DVec3;

options! {
    /// Options of a slide. By default z is up, and no steps are taken.
    #[derive(Clone, Copy, Debug, PartialEq)]
    #[cfg_attr(feature = "serde", derive(serde::Deserialize, serde::Serialize))]
    #[cfg_attr(feature = "serde", serde(default))]
    pub struct SlideOptions {
        /// The way up, of length 1.
        pub up: DVec3 = DVec3::Z,
        /// The height of steps that are taken on the way; 0 for bodies that do not step.
        pub step_up: f64 = 0.0,
        /// The least cosine between the way up and the normal of a floor to walk on. What walks does not climb steeper slopes.
        pub floor: f64 = 0.7,
        /// How often the move may be deflected in one call; all that is met at once deflects it once.
        pub planes: usize = 5,
        /// The distance within which the ground is looked for after the move, to put the body on it; 0 for bodies that do not keep to the ground.
        pub snap: f64 = 0.0,
    }
}

impl SlideOptions {
    /// Whether the body walks: floors carry it, and what is steeper is a wall.
    pub(super) fn walks(&self) -> bool {
        self.step_up > 0.0 || self.snap > 0.0
    }
}
