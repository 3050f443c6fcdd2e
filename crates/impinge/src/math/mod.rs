//! Vectors (glam, re-exported once) and the arithmetic that decides: signs of determinants that are right for every
//! finite `f64`.

mod dyadic;
mod expansion;
mod line_side;
mod pluecker;
mod point;
mod predicates;
mod twofold;

pub use dyadic::Dyadic;
pub(crate) use expansion::exact_difference;
pub use glam::{DAffine3, DMat3, DMat4, DQuat, DVec2, DVec3, DVec4};
pub use line_side::line_side;
pub use pluecker::PlueckerLine;
pub use point::{IntoPoint, middle};
pub use predicates::{
    Axis, Magnitude, Sign, Stage, are_collinear, orient2d, orient2d_magnitude, orient2d_staged, orient3d,
    orient3d_magnitude, orient3d_staged, plane_crossing,
};
pub(crate) use predicates::{FILTER_BOUND, FILTER_UNDERFLOW, orient3d_filter};
pub(crate) use twofold::Twofold;
