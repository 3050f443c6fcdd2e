//! Triangle against triangle and point against triangle, for triangles of every kind: those without area are segments
//! and points.

use super::parameters::{nearest_on_segment, shortest};
use super::{Closest, Place};
use crate::math::DVec3;

/// The closest points of two triangles that do not cross.
///
/// ```
/// use impinge_core::math::DVec3;
/// use impinge_core::narrow::distance::{Place, triangles};
///
/// let flat = [DVec3::ZERO, DVec3::new(4.0, 0.0, 0.0), DVec3::new(0.0, 4.0, 0.0)];
/// let above = [DVec3::new(1.0, 1.0, 2.0), DVec3::new(1.0, 1.0, 5.0), DVec3::new(2.0, 1.0, 5.0)];
/// let closest = triangles(&flat, &above);
/// assert_eq!(closest.squared, 4.0);
/// assert_eq!(closest.places, [Place::Inside, Place::Corner(0)]);
/// ```
pub fn triangles(a: &[DVec3; 3], b: &[DVec3; 3]) -> Closest {
    if is_point(a) || is_point(b) { with_a_point(a, b) } else { all_features(a, b) }
}

fn all_features(a: &[DVec3; 3], b: &[DVec3; 3]) -> Closest {
    let mut best = farthest(a[0], b[0]);
    // What is of fewer dimensions comes first, and is replaced only by what is closer.
    for corner in 0..3 {
        for edge in 0..3 {
            corner_to_edge(a, corner, b, edge, &mut best, false);
            corner_to_edge(b, corner, a, edge, &mut best, true);
        }
    }
    for first in 0..3 {
        for second in 0..3 {
            edge_to_edge(a, first, b, second, &mut best);
        }
    }
    for corner in 0..3 {
        corner_to_inside(a, corner, b, &mut best, false);
        corner_to_inside(b, corner, a, &mut best, true);
    }
    best
}

/// Two points that anything is closer than.
#[inline]
fn farthest(p: DVec3, q: DVec3) -> Closest {
    Closest { squared: f64::INFINITY, offset: DVec3::ZERO, points: [p, q], places: [Place::Corner(0); 2] }
}

#[inline]
fn is_point(triangle: &[DVec3; 3]) -> bool {
    triangle[0] == triangle[1] && triangle[0] == triangle[2]
}

/// What [`all_features`] finds where one of the two is a point, such as what moves in a test of visibility: without the features that
/// a point does not have, in the same order, so that ties are broken alike.
fn with_a_point(a: &[DVec3; 3], b: &[DVec3; 3]) -> Closest {
    let mut best = farthest(a[0], b[0]);
    corner_to_edge(a, 0, b, 0, &mut best, false);
    corner_to_edge(b, 0, a, 0, &mut best, true);
    if is_point(a) {
        corner_to_edge(a, 0, b, 1, &mut best, false);
        corner_to_edge(a, 0, b, 2, &mut best, false);
        corner_to_edge(b, 1, a, 0, &mut best, true);
        corner_to_edge(b, 2, a, 0, &mut best, true);
        corner_to_inside(a, 0, b, &mut best, false);
    } else {
        corner_to_edge(b, 0, a, 1, &mut best, true);
        corner_to_edge(b, 0, a, 2, &mut best, true);
        corner_to_edge(a, 1, b, 0, &mut best, false);
        corner_to_edge(a, 2, b, 0, &mut best, false);
        corner_to_inside(b, 0, a, &mut best, true);
    }
    best
}

/// The closest points of a point and a triangle, in this order.
pub fn point_triangle(point: DVec3, triangle: &[DVec3; 3]) -> Closest {
    let mut best = farthest(point, triangle[0]);
    let single = [point; 3];
    for edge in 0..3 {
        corner_to_edge(&single, 0, triangle, edge, &mut best, false);
    }
    corner_to_inside(&single, 0, triangle, &mut best, false);
    best
}

impl Closest {
    /// Keeps the closer of this and another; `flipped` where the other's first is this one's second.
    #[inline]
    fn offer(&mut self, offset: DVec3, points: [DVec3; 2], places: [Place; 2], flipped: bool) {
        let squared = offset.length_squared();
        if squared < self.squared {
            let [p, q] = points;
            let [at_p, at_q] = places;
            *self = if flipped {
                Closest { squared, offset: -offset, points: [q, p], places: [at_q, at_p] }
            } else {
                Closest { squared, offset, points, places }
            };
        }
    }
}

fn corner_to_edge(
    a: &[DVec3; 3],
    corner: usize,
    b: &[DVec3; 3],
    edge: usize,
    best: &mut Closest,
    flipped: bool,
) {
    let next = (edge + 1) % 3;
    let (point, start, end) = (a[corner], b[edge], b[next]);
    let (w, v) = (start - point, end - start);
    let t = nearest_on_segment(w, v);
    let at_corner = Place::Corner(corner as u8);
    let (offset, nearest, place) = if t == 0.0 {
        (w, start, Place::Corner(edge as u8))
    } else if t == 1.0 {
        (end - point, end, Place::Corner(next as u8))
    } else {
        (w + v * t, start + v * t, Place::Edge(edge as u8))
    };
    best.offer(offset, [point, nearest], [at_corner, place], flipped);
}

/// Insides of edges only: their ends are corners.
fn edge_to_edge(a: &[DVec3; 3], first: usize, b: &[DVec3; 3], second: usize, best: &mut Closest) {
    let (p, q) = (a[first], b[second]);
    let (u, v) = (a[(first + 1) % 3] - p, b[(second + 1) % 3] - q);
    let w = p - q;
    let Some([s, t]) = shortest(w, u, v) else { return };
    if s > 0.0 && s < 1.0 && t > 0.0 && t < 1.0 {
        let offset = -(w + (u * s - v * t));
        let places = [Place::Edge(first as u8), Place::Edge(second as u8)];
        best.offer(offset, [p + u * s, q + v * t], places, false);
    }
}

/// The inside of the triangle only: its rim is made of edges.
fn corner_to_inside(a: &[DVec3; 3], corner: usize, b: &[DVec3; 3], best: &mut Closest, flipped: bool) {
    let (point, root) = (a[corner], b[0]);
    let (u, v) = (b[1] - root, b[2] - root);
    let w = root - point;
    let Some([s, t]) = shortest(w, u, -v) else { return };
    if s > 0.0 && t > 0.0 && s + t < 1.0 {
        let along = u * s + v * t;
        let places = [Place::Corner(corner as u8), Place::Inside];
        best.offer(w + along, [point, root + along], places, flipped);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Coordinates on a coarse grid, so that triangles are often degenerate and points often at corners, on edges and in planes; and
    /// odd ones.
    fn corner(state: &mut u64) -> DVec3 {
        let mut next = || {
            *state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            let coarse = ((*state >> 33) % 7) as f64 - 3.0;
            if (*state >> 60) == 0 { coarse / 3.0 + 1e-9 } else { coarse }
        };
        DVec3::new(next(), next(), next())
    }

    #[test]
    fn a_point_is_a_triangle_without_some_features() {
        let state = &mut 1;
        let mut places = std::collections::HashSet::new();
        for _ in 0..50_000 {
            let point = [corner(state); 3];
            let other = [corner(state), corner(state), corner(state)];
            for [a, b] in [[&point, &other], [&other, &point], [&point, &point]] {
                let closest = triangles(a, b);
                assert_eq!(closest, all_features(a, b), "{a:?} {b:?}");
                places.insert(closest.places);
            }
        }
        // Two corners, three edges and the inside, on either side.
        assert!(places.len() >= 13, "{places:?}");
    }
}
