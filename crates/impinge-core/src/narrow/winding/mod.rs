//! Winding numbers of closed surfaces around a place, decided exactly and without any tolerance.
//!
//! Solids may share whole faces, so one cannot simply ask about a point: the interesting places lie infinitely close
//! to the surfaces. A sample is a point on a line along which nothing changes (a piece of an edge between two
//! neighboring crossings with other faces). Around the line, the faces that contain the piece stand like the pages of
//! a book; between two neighboring pages lies a wedge of space that starts at the line. A ray finds the winding
//! number of one wedge, and turning the pages gives those of all others. `docs/math/solids.md` has the whole
//! argument.

mod direction;
mod exact_point;
mod radial_order;
mod radial_sort;
mod ray;
mod solid_angle;

pub use direction::Direction;
pub use exact_point::{ExactPoint, Fraction, Line};
pub(super) use exact_point::{cross, dot, exact, exact_normal};
pub use radial_order::{NearPoint, RadialOrder};
pub use radial_sort::{RadialFace, Turn, radial_sort};
pub use ray::{likely_ray_crossing, ray_crossing};
pub use solid_angle::half_solid_angle;
