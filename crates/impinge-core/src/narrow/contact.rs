//! The features of a contact: a point over a triangle or beside an edge, and two edges that cross (van Waveren 2005, §2.6).
//!
//! The paper moves features outward until they collide. Where they would is where a perpendicular stands on both, so
//! here the perpendicular is found directly, in any direction.

use crate::math::DVec3;
use crate::narrow::distance::shortest;

/// Below this square of the sine between two sides, a triangle has no plane.
const FLAT: f64 = 1.0 / (1_u128 << 90) as f64;

/// The position of a point relative to a triangle: height over its plane, and sides.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct OverTriangle {
    /// The unit normal of the triangle; the corners run around it counterclockwise.
    pub normal: DVec3,
    /// The height of the point above the plane; below zero behind it.
    pub height: f64,
    /// The distance of the foot of the perpendicular inside of each edge, from each corner to the next; below zero outside.
    pub sides: [f64; 3],
}

/// Projects a point onto a triangle's plane; `None` where the triangle has no area.
///
/// ```
/// use impinge_core::math::DVec3;
/// use impinge_core::narrow::contact::over_triangle;
///
/// let flat = [DVec3::ZERO, DVec3::new(4.0, 0.0, 0.0), DVec3::new(0.0, 4.0, 0.0)];
/// let over = over_triangle(DVec3::new(1.0, 1.0, 3.0), &flat).unwrap();
/// assert_eq!((over.height, over.normal), (3.0, DVec3::Z));
/// assert!(over.sides.iter().all(|&side| side > 0.0));
/// ```
pub fn over_triangle(point: DVec3, corners: &[DVec3; 3]) -> Option<OverTriangle> {
    let normal = unit_normal(corners)?;
    let mut sides = [0.0; 3];
    for (k, side) in sides.iter_mut().enumerate() {
        let (start, along) = (corners[k], corners[(k + 1) % 3] - corners[k]);
        *side = (point - start).dot(normal.cross(along)) / along.length();
    }
    Some(OverTriangle { normal, height: (point - corners[0]).dot(normal), sides })
}

/// The normal of a triangle, of length 1; `None` where it has no area.
pub fn unit_normal(corners: &[DVec3; 3]) -> Option<DVec3> {
    let (u, v) = (corners[1] - corners[0], corners[2] - corners[0]);
    let normal = u.cross(v);
    let squared = normal.length_squared();
    // False where all is zero.
    (squared > FLAT * (u.length_squared() * v.length_squared())).then(|| normal / squared.sqrt())
}

/// The position of a point relative to an edge.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BesideEdge {
    /// The point of the edge's line that is closest.
    pub foot: DVec3,
    /// The distance of the foot inside of the edge's nearer end; below zero beyond it.
    pub inside: f64,
}

/// Projects a point onto an edge's line; `None` where the edge has no length.
pub fn beside_edge(point: DVec3, [start, end]: [DVec3; 2]) -> Option<BesideEdge> {
    let along = end - start;
    let squared = along.length_squared();
    if squared == 0.0 {
        return None;
    }
    let t = (point - start).dot(along) / squared;
    Some(BesideEdge { foot: start + along * t, inside: t.min(1.0 - t) * squared.sqrt() })
}

/// The closest points of the lines of two edges that cross.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Crossing {
    /// The points of the edges' lines that are closest.
    pub feet: [DVec3; 2],
    /// The vector from the first foot to the second: more accurate than the difference of the feet.
    pub offset: DVec3,
    /// The common perpendicular, of length 1, one way or the other; `None` where the edges are so nearly parallel that the
    /// offset is the better direction.
    pub perpendicular: Option<DVec3>,
    /// The distance of the feet inside of the edges' nearer ends; below zero beyond one.
    pub inside: f64,
}

/// Below this square of the sine, edges are nearly parallel.
const NEARLY_PARALLEL: f64 = 1.0 / (1 << 20) as f64;

/// The closest points of two edges' lines; `None` where they are parallel, or where one has no length.
///
/// ```
/// use impinge_core::math::DVec3;
/// use impinge_core::narrow::contact::crossing;
///
/// let found = crossing([-DVec3::X, DVec3::X], [DVec3::new(0.0, -1.0, 2.0), DVec3::new(0.0, 1.0, 2.0)]).unwrap();
/// assert_eq!(found.feet, [DVec3::ZERO, DVec3::new(0.0, 0.0, 2.0)]);
/// assert_eq!(found.inside, 1.0);
/// ```
pub fn crossing([p, p_end]: [DVec3; 2], [q, q_end]: [DVec3; 2]) -> Option<Crossing> {
    let (u, v, w) = (p_end - p, q_end - q, p - q);
    let [s, t] = shortest(w, u, v)?;
    let (u_squared, v_squared) = (u.length_squared(), v.length_squared());
    let normal = u.cross(v);
    let squared = normal.length_squared();
    let perpendicular =
        (squared > NEARLY_PARALLEL * (u_squared * v_squared)).then(|| normal / squared.sqrt());
    let inside = (s.min(1.0 - s) * u_squared.sqrt()).min(t.min(1.0 - t) * v_squared.sqrt());
    Some(Crossing { feet: [p + u * s, q + v * t], offset: -(w + (u * s - v * t)), perpendicular, inside })
}
