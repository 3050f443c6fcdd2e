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
pub use tri_pair_simd::{Certain, Corners4, HeightBound, PlanePair, TriPair4};
pub use triangle::{End, Shared, Side, triangles, triangles_meet};

use crate::math::DVec3;

/// One triangle of a face, with what it needs to know of the face around it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Facet {
    /// The corners of the triangle.
    pub corners: [DVec3; 3],
    /// Bit `i` is set where edge `i` (from corner `i` to the next) is a diagonal inside the face, so that points on it
    /// are interior to the face.
    pub inner_edges: u8,
    /// Whether the facet has no area and lies on the rim of a face that has one: it can touch but not cross.
    pub on_rim: bool,
}

impl From<[DVec3; 3]> for Facet {
    fn from(corners: [DVec3; 3]) -> Facet {
        Facet { corners, inner_edges: 0, on_rim: false }
    }
}

/// The kind of an intersection of two faces.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Deserialize, serde::Serialize))]
pub enum Kind {
    /// The faces share a point, but none that is interior to both, or they lie in one plane.
    Touching,
    /// The faces share a point that is interior to both and do not lie in one plane.
    Crossing,
}

/// An intersection of two faces: its kind, and a point of it.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct Intersection {
    /// Whether the faces cross or only touch.
    pub kind: Kind,
    /// A point of both faces, as near as `f64` can name one.
    pub point: DVec3,
}

/// The point at parameter `t` of the segment, never outside the box of its ends and exact at both of them.
fn point_between(p: DVec3, q: DVec3, t: f64) -> DVec3 {
    let point = if t <= 0.5 { p + (q - p) * t } else { q - (q - p) * (1.0 - t) };
    // The difference of two huge coordinates may overflow where the point itself does not.
    let point = if point.is_finite() { point } else { p * (1.0 - t) + q * t };
    point.clamp(p.min(q), p.max(q))
}
