//! The closest points of triangles, segments and points that do not cross.
//!
//! Two triangles that do not cross are closest at a corner of one and a point of the other, or at two edges. So the
//! distance is the least of 18 between corners and edges, 9 between insides of edges, and 6 between corners and insides
//! of triangles. Every one of them is the length of a vector between two points of the triangles, so rounding never
//! makes a distance much too small; `docs/math/distance.md` shows that it never makes one much too large either.

mod compare;
mod parameters;
mod tri_pair_simd;
mod triangle;

pub use compare::{ExactLength, compare_distance};
pub(super) use parameters::shortest;
pub use tri_pair_simd::{FourPairs, TwoTriangles, pair_bounds};
pub(super) use triangle::closest_at;
pub use triangle::{point_triangle, triangles};

use crate::math::DVec3;

/// The feature of a triangle that a point lies on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Place {
    /// At a corner.
    Corner(u8),
    /// On the edge from this corner to the next, between the two.
    Edge(u8),
    /// In the triangle's interior.
    Inside,
}

/// The closest points of two triangles, or of a point and a triangle.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct Closest {
    /// The square of the distance.
    pub squared: f64,
    /// The vector from the point on the first to the point on the second: more accurate than the difference of the points.
    pub offset: DVec3,
    /// The closest points, one of each.
    pub points: [DVec3; 2],
    /// The features that the points lie on.
    pub places: [Place; 2],
}
