//! A ray against triangles, decided exactly.
//!
//! A ray hits a triangle where they share a point, on its rim as well as inside. Where the ray lies in the triangle's
//! plane, or the triangle has no area, the hit is at the first point that they share. Which triangles are hit, and which
//! of two hits comes first, is decided as arithmetic without rounding would: by signs of determinants of the
//! ray's and the corners' coordinates. `docs/math/ray-casting.md` derives the filter and its bounds.

mod beam;
mod exact;
mod report;
mod rounded;

pub use beam::{Beam, Crossing};
pub use exact::{exact_time, first};
pub use report::plain_time;
pub use report::{accurate_time, barycentric, unit_normal};
pub use rounded::{RoundedSpan, rounded_span};

use crate::math::DVec3;
use beam::Guess;

/// Intersects a ray with a triangle: the first point that they share, if there is one.
#[inline]
pub fn cross_triangle(beam: &Beam, corners: &[DVec3; 3]) -> Option<Crossing> {
    match beam.guess(corners) {
        Guess::Miss => None,
        Guess::Hit(crossing) => Some(crossing),
        Guess::Unsure => exact::cross_triangle(beam, corners),
    }
}
