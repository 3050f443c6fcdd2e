//! Exact arithmetic: signs of determinants that are right for every finite `f64`.

mod dyadic;
mod expansion;
mod line_side;
mod orient;
mod pluecker;
mod sign;
mod twofold;
mod whole;

pub use dyadic::Dyadic;
pub use expansion::exact_difference;
pub use line_side::line_side;
pub use orient::{
    Axis, Magnitude, Stage, are_collinear, orient2d, orient2d_magnitude, orient2d_staged, orient3d,
    orient3d_magnitude, orient3d_staged, plane_crossing,
};
pub use orient::{FILTER_BOUND, FILTER_UNDERFLOW, orient3d_filter};
pub use pluecker::PlueckerLine;
pub use sign::Sign;
pub use twofold::Twofold;
