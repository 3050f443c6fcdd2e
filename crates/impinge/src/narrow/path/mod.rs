//! Features that move in any way, by halving time: an interval is dropped where one direction keeps the features apart
//! throughout.
//!
//! What is left when an interval is so short that nothing moves by more than the tolerance is taken for a meeting: early, never
//! late. For a vertex and a polygon, and for two edges, all differences between their points are the hull of three or four
//! moving corners; the two meet where the hull holds the origin.

mod rigid;

pub use rigid::{RigidPath, edges_meet, face_meets_vertex, vertex_meets_face};

use super::expel::ExpelZone;
use crate::math::DVec3;

/// The corners of the hull of all differences between two features, while they move.
pub trait MovingHull {
    /// How many of the corners count.
    const CORNERS: usize;

    /// The corners at a time.
    fn at(&self, time: f64) -> [DVec3; 4];

    /// The least that any of the corners has along a direction, between two times.
    fn least_along(&self, direction: DVec3, from: f64, to: f64) -> f64;

    /// No corner moves farther than this between two times.
    fn travel(&self, from: f64, to: f64) -> f64;

    /// For two edges: whether their lines surely stay farther apart than a height between two times. Unlike what a fixed direction
    /// tells, this is off by the square of the time only, so that edges are seen to part that begin at that height.
    fn lines_stay_apart(&self, _from: f64, _to: f64, _level: f64) -> bool {
        false
    }
}

/// How the lines of two edges stand to each other at a moment: `product`, with the sign that it has at the start, over `area` is their
/// distance.
pub struct Apart {
    /// The difference of two points of the lines times the product of their directions.
    pub product: f64,
    /// The length of that product.
    pub area: f64,
}

/// [`MovingHull::lines_stay_apart`], from both ends of an interval: in between, what is compared leaves the straight way by no more than
/// `bend`, and `rounding` is what it may be off by.
pub fn stay_apart(ends: &[Apart; 2], level: f64, bend: f64, rounding: f64) -> bool {
    let sign = ends[0].product.signum();
    ends.iter().all(|end| sign * end.product - level * end.area > bend + rounding)
}

/// How many intervals a pair of features may be given before what is left counts as meeting.
const MOST: u32 = 4096;

/// The first time between two at which the features come below a height over each other, over the polygon or between
/// the ends of the edges; up to `tolerance`, early.
pub fn first_below(
    hull: &impl MovingHull,
    from: f64,
    to: f64,
    level: f64,
    tolerance: f64,
    zone: &ExpelZone,
) -> Option<f64> {
    let mut left = MOST;
    search(hull, [from, to], level, tolerance, zone, &mut left)
}

fn search<H: MovingHull>(
    hull: &H,
    [from, to]: [f64; 2],
    level: f64,
    tolerance: f64,
    zone: &ExpelZone,
    left: &mut u32,
) -> Option<f64> {
    let middle = from + (to - from) / 2.0;
    if are_apart(hull, [from, middle, to], level, zone) {
        return None;
    }
    *left = left.saturating_sub(1);
    if *left == 0 || hull.travel(from, to) <= tolerance || middle <= from || middle >= to {
        return Some(from);
    }
    search(hull, [from, middle], level, tolerance, zone, left)
        .or_else(|| search(hull, [middle, to], level, tolerance, zone, left))
}

/// Whether one direction keeps the features apart throughout: the normal of the hull in the middle of the interval by more than the
/// level, or one of its sides by more than rounding.
fn are_apart<H: MovingHull>(hull: &H, [from, middle, to]: [f64; 3], level: f64, zone: &ExpelZone) -> bool {
    let corners = hull.at(middle);
    let corners = &corners[..H::CORNERS];
    let last = H::CORNERS - 1;
    let normal = normal_of(corners);
    let size = normal.abs().element_sum();
    if size > 0.0 {
        let length = normal.length();
        if hull.least_along(normal, from, to) > level * length
            || hull.least_along(-normal, from, to) > level * length
        {
            return true;
        }
    }
    let keeps_apart = |direction: DVec3| {
        let room = zone.core * direction.abs().element_sum();
        hull.least_along(direction, from, to) > room || hull.least_along(-direction, from, to) > room
    };
    for i in 0..=last {
        let edge = corners[if i == last { 0 } else { i + 1 }] - corners[i];
        if keeps_apart(edge.cross(normal)) {
            return true;
        }
    }
    // Corners on a line have no sides to speak of: along it, and towards the origin.
    let [u, v] = [corners[1] - corners[0], corners[last] - corners[0]];
    let is_flat = u.cross(v).length_squared() <= FLAT * u.length_squared() * v.length_squared();
    (is_flat && (keeps_apart(u) || keeps_apart(v) || keeps_apart(corners[0])))
        || hull.lines_stay_apart(from, to, level)
}

/// The square of the sine below which two sides of a hull are on a line.
const FLAT: f64 = 1e-8;

/// A direction across the corners, of any length.
fn normal_of(corners: &[DVec3]) -> DVec3 {
    let u = corners[1] - corners[0];
    let v = corners[corners.len() - 1] - corners[0];
    let cross = u.cross(v);
    let longer = if u.length_squared() >= v.length_squared() { u } else { v };
    let square = longer.length_squared();
    if cross.length_squared() > 1e-26 * u.length_squared() * v.length_squared() {
        // Made perpendicular once more, for slivers.
        return cross - longer * (longer.dot(cross) / square);
    }
    if square == 0.0 {
        return corners[0];
    }
    // Corners on a line: across it, towards the origin.
    corners[0] - longer * (longer.dot(corners[0]) / square)
}
