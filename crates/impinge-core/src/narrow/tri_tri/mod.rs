//! Static overlap of faces, decided exactly: points, segments, triangles and polygons, degenerate and coplanar ones
//! included.
//!
//! Two faces *cross* when they share a point that is interior to both and do not lie in one plane; they *touch* when
//! they share a point but do not cross. Interior means relative to the face's own dimension: the inside of a polygon,
//! a segment without its ends. `docs/math/triangle-overlap.md` derives the tests.

mod flat;
mod polygon;
mod tri_pair_simd;
mod triangle;

pub use polygon::{Fan, point_polygon, polygons, segment_polygon};
pub use tri_pair_simd::{Columns, Sides, TriPair4, crosses};
pub use triangle::{End, Facet, Shared, Side, triangles, triangles_meet};

use crate::math::DVec3;

/// How two faces meet.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Kind {
    /// They share a point, but none that is interior to both, or they lie in one plane.
    Touching,
    /// They share a point that is interior to both and do not lie in one plane.
    Crossing,
}

/// That two faces meet, how, and where.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct Intersection {
    /// Whether they cross or only touch.
    pub kind: Kind,
    /// A point of both faces, as near as `f64` can name one.
    pub point: DVec3,
}
