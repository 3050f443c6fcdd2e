//! Options of slides.

use impinge_core::math::DVec3;

/// Options of a slide.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SlideOptions {
    /// The way up, of length 1.
    pub up: DVec3,
    /// The height of steps that are taken on the way; 0 for bodies that do not step.
    pub step_up: f64,
    /// The least cosine between the way up and the normal of a floor to step on.
    pub floor: f64,
    /// The number of planes that may deflect the move in one call.
    pub planes: usize,
}

impl Default for SlideOptions {
    /// The options without steps; z is up.
    fn default() -> SlideOptions {
        SlideOptions { up: DVec3::Z, step_up: 0.0, floor: 0.7, planes: 5 }
    }
}
