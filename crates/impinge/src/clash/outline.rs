//! Parts without their meshes.

use crate::model::Placed;
use impinge_core::bounds::Aabb;
use impinge_core::transform::Placement;

/// A part without its mesh: all that a plan needs.
#[derive(Clone, Copy, Debug)]
pub struct Outline {
    /// The box of the placed model; see [`Placed::bounds`].
    pub bounds: Aabb,
    /// Where the part stands.
    pub placement: Placement,
    /// A number of the model, the same for parts that share it.
    pub model: u64,
    /// The number of faces of the model, from which the work is estimated.
    pub faces: u64,
}

impl Outline {
    /// The outline of a placed model, which has the given number.
    pub fn new(part: &Placed<'_>, model: u64) -> Outline {
        let faces = part.model().mesh().face_count() as u64;
        Outline { bounds: part.bounds(), placement: *part.placement(), model, faces }
    }
}
