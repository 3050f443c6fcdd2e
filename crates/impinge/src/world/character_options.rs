//! Options of characters.

use crate::options::options;
use impinge_core::math::DVec3;

options! {
    /// Options of a character. By default z is up, and lengths are in meters.
    #[derive(Clone, Copy, Debug, PartialEq)]
    #[cfg_attr(feature = "serde", derive(serde::Deserialize, serde::Serialize))]
    #[cfg_attr(feature = "serde", serde(default))]
    pub struct CharacterOptions {
        /// The way up, of length 1.
        pub up: DVec3 = DVec3::Z,
        /// The height of the highest step that is taken.
        #[doc(alias = "step_height")]
        pub step_up: f64 = 0.35,
        /// The angle of the steepest slope that is walked on, in degrees from the level. Steeper ones are walls, which the character slides down.
        #[doc(alias = "max_slope")]
        pub steepest: f64 = 45.0,
        /// The distance to the ground that is bridged while walking, as on the way down stairs.
        #[doc(alias = "floor_snap_length")]
        pub snap: f64 = 0.35,
        /// The acceleration of a fall, downwards.
        pub gravity: f64 = 9.81,
        /// How often a move may be deflected, and how many steps may be in it.
        pub planes: usize = 5,
    }
}
