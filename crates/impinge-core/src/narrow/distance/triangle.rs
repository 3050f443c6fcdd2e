//! Triangle against triangle and point against triangle, for triangles of every kind: those without area are segments
//! and points.

use super::parameters::{SKEW, first_of_skew, nearest_on_segment, shortest};
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

/// The feature of each triangle that is closest to one of the other, and where on them.
#[derive(Clone, Copy)]
enum Candidate {
    /// Corners i and j.
    Corners(usize, usize),
    /// Corner i of the first and edge j of the second, at a parameter.
    CornerEdge(usize, usize, f64),
    /// Edge i of the first, at a parameter, and corner j of the second.
    EdgeCorner(usize, f64, usize),
    Edges(usize, usize, [f64; 2]),
    CornerInside(usize, [f64; 2]),
    InsideCorner([f64; 2], usize),
}

/// All pairs of features, with the products that they share taken once. What is of fewer dimensions comes first, and is replaced only by what is closer.
fn all_features(a: &[DVec3; 3], b: &[DVec3; 3]) -> Closest {
    let u = [a[1] - a[0], a[2] - a[1], a[0] - a[2]];
    let v = [b[1] - b[0], b[2] - b[1], b[0] - b[2]];
    let u_squared = u.map(DVec3::length_squared);
    let v_squared = v.map(DVec3::length_squared);
    // From corner i of the first to corner j of the second, and how far that leads along the edges that start there.
    let w: [[DVec3; 3]; 3] = std::array::from_fn(|i| std::array::from_fn(|j| b[j] - a[i]));
    let along_u: [[f64; 3]; 3] = std::array::from_fn(|i| std::array::from_fn(|j| u[i].dot(w[i][j])));
    let along_v: [[f64; 3]; 3] = std::array::from_fn(|i| std::array::from_fn(|j| v[j].dot(w[i][j])));
    let corners: [[f64; 3]; 3] = std::array::from_fn(|i| std::array::from_fn(|j| w[i][j].length_squared()));
    let (mut least, mut best) = (f64::INFINITY, None);
    let mut offer = |squared: f64, candidate: Candidate| {
        if squared < least {
            (least, best) = (squared, Some(candidate));
        }
    };
    for corner in 0..3 {
        for edge in 0..3 {
            let next = (edge + 1) % 3;
            let along = -along_v[corner][edge];
            if along <= 0.0 {
                offer(corners[corner][edge], Candidate::Corners(corner, edge));
            } else if along >= v_squared[edge] {
                offer(corners[corner][next], Candidate::Corners(corner, next));
            } else {
                // A parameter that rounds to an end is that end.
                let t = along / v_squared[edge];
                if t == 0.0 {
                    offer(corners[corner][edge], Candidate::Corners(corner, edge));
                } else if t == 1.0 {
                    offer(corners[corner][next], Candidate::Corners(corner, next));
                } else {
                    let offset = w[corner][edge] + v[edge] * t;
                    offer(offset.length_squared(), Candidate::CornerEdge(corner, edge, t));
                }
            }
            // The corner of the second, the edge of the first.
            let along = along_u[edge][corner];
            if along <= 0.0 {
                offer(corners[edge][corner], Candidate::Corners(edge, corner));
            } else if along >= u_squared[edge] {
                offer(corners[next][corner], Candidate::Corners(next, corner));
            } else {
                let t = along / u_squared[edge];
                if t == 0.0 {
                    offer(corners[edge][corner], Candidate::Corners(edge, corner));
                } else if t == 1.0 {
                    offer(corners[next][corner], Candidate::Corners(next, corner));
                } else {
                    let offset = u[edge] * t - w[edge][corner];
                    offer(offset.length_squared(), Candidate::EdgeCorner(edge, t, corner));
                }
            }
        }
    }
    // Edges without length, such as one of a segment, are told by the cheap test: two lines would be found to be parallel only with twice the precision.
    let has_length = [&u, &v].map(|edges| edges.map(|edge| edge != DVec3::ZERO));
    for i in 0..3 {
        for j in 0..3 {
            if !has_length[0][i] || !has_length[1][j] {
                continue;
            }
            let (squares, dot) = (u_squared[i] * v_squared[j], u[i].dot(v[j]));
            let determinant = squares - dot * dot;
            let w = -w[i][j];
            let s = if determinant > SKEW * squares {
                let numerator = along_u[i][j] * v_squared[j] - dot * along_v[i][j];
                // Most are outside; those that are not are divided.
                if numerator <= 0.0 || numerator >= determinant {
                    continue;
                }
                numerator / determinant
            } else {
                let Some(s) = first_of_skew(w, u[i], v[j]) else { continue };
                s
            };
            let t = v[j].dot(w + u[i] * s) / v_squared[j];
            if s > 0.0 && s < 1.0 && t > 0.0 && t < 1.0 {
                let offset = w + (u[i] * s - v[j] * t);
                offer(offset.length_squared(), Candidate::Edges(i, j, [s, t]));
            }
        }
    }
    // What has two corners in one place has no inside.
    let inside = |edges: &[DVec3; 3], squares: &[f64; 3], has_length: [bool; 3]| {
        (has_length == [true; 3]).then(|| Inside::new(edges, squares))
    };
    let insides = [inside(&v, &v_squared, has_length[1]), inside(&u, &u_squared, has_length[0])];
    for corner in 0..3 {
        let below = |side: usize, w: DVec3, along: f64| insides[side].as_ref()?.below(w, along);
        if let Some((squared, at)) = below(0, w[corner][0], -along_v[corner][0]) {
            offer(squared, Candidate::CornerInside(corner, at));
        }
        if let Some((squared, at)) = below(1, -w[0][corner], along_u[0][corner]) {
            offer(squared, Candidate::InsideCorner(at, corner));
        }
    }
    closest_of([a, b], best)
}

/// The inside of a triangle with given edges.
struct Inside {
    /// From the first corner to the second and, turned around, to the third.
    u: DVec3,
    v: DVec3,
    /// The squares of both and their product.
    squares: [f64; 2],
    dot: f64,
    determinant: f64,
}

impl Inside {
    fn new(edges: &[DVec3; 3], squares: &[f64; 3]) -> Inside {
        let (u, v, squares) = (edges[0], edges[2], [squares[0], squares[2]]);
        let dot = u.dot(v);
        Inside { u, v, squares, dot, determinant: squares[0] * squares[1] - dot * dot }
    }

    /// The square of the distance of a point above the inside, and the parameters of what is below it; `w` leads from the point to the first corner, and
    /// back along the first edge by `along`.
    #[inline]
    fn below(&self, w: DVec3, along: f64) -> Option<(f64, [f64; 2])> {
        let Inside { u, v, squares, dot, determinant } = *self;
        let s = if determinant > SKEW * (squares[0] * squares[1]) {
            let numerator = dot * v.dot(w) + along * squares[1];
            if numerator <= 0.0 || numerator >= determinant {
                return None;
            }
            numerator / determinant
        } else {
            first_of_skew(w, u, v)?
        };
        let t = v.dot(w + u * s) / squares[1];
        (s > 0.0 && t > 0.0 && s + t < 1.0).then(|| {
            let offset = w + (u * s - v * t);
            (offset.length_squared(), [s, t])
        })
    }
}

/// The closest points of the features that were found.
fn closest_of([a, b]: [&[DVec3; 3]; 2], best: Option<Candidate>) -> Closest {
    let mut closest = farthest(a[0], b[0]);
    match best {
        None => {}
        Some(Candidate::Corners(i, j)) => {
            let places = [Place::Corner(i as u8), Place::Corner(j as u8)];
            closest.offer(b[j] - a[i], [a[i], b[j]], places, false);
        }
        Some(Candidate::CornerEdge(corner, edge, t)) => {
            let v = b[(edge + 1) % 3] - b[edge];
            let places = [Place::Corner(corner as u8), Place::Edge(edge as u8)];
            closest.offer((b[edge] - a[corner]) + v * t, [a[corner], b[edge] + v * t], places, false);
        }
        Some(Candidate::EdgeCorner(edge, t, corner)) => {
            let u = a[(edge + 1) % 3] - a[edge];
            let places = [Place::Corner(corner as u8), Place::Edge(edge as u8)];
            closest.offer((a[edge] - b[corner]) + u * t, [b[corner], a[edge] + u * t], places, true);
        }
        Some(Candidate::Edges(i, j, [s, t])) => {
            let (p, q) = (a[i], b[j]);
            let (u, v) = (a[(i + 1) % 3] - p, b[(j + 1) % 3] - q);
            let offset = -((p - q) + (u * s - v * t));
            let places = [Place::Edge(i as u8), Place::Edge(j as u8)];
            closest.offer(offset, [p + u * s, q + v * t], places, false);
        }
        Some(Candidate::CornerInside(corner, at)) => closest.offer_inside(a[corner], corner, b, at, false),
        Some(Candidate::InsideCorner(at, corner)) => closest.offer_inside(b[corner], corner, a, at, true),
    }
    closest
}

/// The closest points of two features, one of each triangle; none where they are not inside of both.
pub(in crate::narrow) fn closest_at(places: [Place; 2], a: &[DVec3; 3], b: &[DVec3; 3]) -> Option<Closest> {
    let edge = |triangle: &[DVec3; 3], i: usize| triangle[(i + 1) % 3] - triangle[i];
    // Of a corner and an edge.
    let along = |corner: DVec3, triangle: &[DVec3; 3], i: usize| {
        let along = edge(triangle, i);
        let t = along.dot(corner - triangle[i]) / along.length_squared();
        (t > 0.0 && t < 1.0).then_some(t)
    };
    let below = |corner: DVec3, triangle: &[DVec3; 3]| {
        let (root, along) = (triangle[0], triangle[2] - triangle[0]);
        let [s, t] = shortest(root - corner, edge(triangle, 0), -along)?;
        (s > 0.0 && t > 0.0 && s + t < 1.0).then_some([s, t])
    };
    let candidate = match places {
        [Place::Corner(i), Place::Corner(j)] => Candidate::Corners(i as usize, j as usize),
        [Place::Corner(i), Place::Edge(j)] => {
            let (i, j) = (i as usize, j as usize);
            Candidate::CornerEdge(i, j, along(a[i], b, j)?)
        }
        [Place::Edge(i), Place::Corner(j)] => {
            let (i, j) = (i as usize, j as usize);
            Candidate::EdgeCorner(i, along(b[j], a, i)?, j)
        }
        [Place::Edge(i), Place::Edge(j)] => {
            let (i, j) = (i as usize, j as usize);
            let [s, t] = shortest(a[i] - b[j], edge(a, i), edge(b, j))?;
            if !(s > 0.0 && s < 1.0 && t > 0.0 && t < 1.0) {
                return None;
            }
            Candidate::Edges(i, j, [s, t])
        }
        [Place::Corner(i), Place::Inside] => Candidate::CornerInside(i as usize, below(a[i as usize], b)?),
        [Place::Inside, Place::Corner(j)] => Candidate::InsideCorner(below(b[j as usize], a)?, j as usize),
        _ => return None,
    };
    Some(closest_of([a, b], Some(candidate)))
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
    if is_point(a) {
        return point_and_features(a[0], b, false);
    }
    let Closest { squared, offset, points: [p, q], places: [at_p, at_q] } = point_and_features(b[0], a, true);
    Closest { squared, offset: -offset, points: [q, p], places: [at_q, at_p] }
}

/// The closest points of a point and a triangle. The first corner is looked at before the first edge, or after it; where rounding makes a corner closer
/// than the edges that end there, it is the corner.
fn point_and_features(point: DVec3, triangle: &[DVec3; 3], corner_first: bool) -> Closest {
    let w = triangle.map(|corner| corner - point);
    let squares = w.map(DVec3::length_squared);
    let edge = |edge: usize| triangle[(edge + 1) % 3] - triangle[edge];
    let mut best = farthest(point, triangle[0]);
    // A corner as it is seen from there: the zeros of the way have other signs.
    let corner = |best: &mut Closest, corner: usize| {
        if squares[corner] < best.squared {
            let places = [Place::Corner(0), Place::Corner(corner as u8)];
            *best = Closest {
                squared: squares[corner],
                offset: -(point - triangle[corner]),
                points: [point, triangle[corner]],
                places,
            };
        }
    };
    let to_edge = |best: &mut Closest, i: usize| {
        let (next, v) = ((i + 1) % 3, edge(i));
        let t = nearest_on_segment(w[i], v);
        let (squared, offset, nearest, place) = if t == 0.0 {
            (squares[i], w[i], triangle[i], Place::Corner(i as u8))
        } else if t == 1.0 {
            (squares[next], w[next], triangle[next], Place::Corner(next as u8))
        } else {
            let offset = w[i] + v * t;
            (offset.length_squared(), offset, triangle[i] + v * t, Place::Edge(i as u8))
        };
        if squared < best.squared {
            *best = Closest { squared, offset, points: [point, nearest], places: [Place::Corner(0), place] };
        }
    };
    if corner_first {
        corner(&mut best, 0);
        to_edge(&mut best, 0);
    } else {
        to_edge(&mut best, 0);
        corner(&mut best, 0);
    }
    to_edge(&mut best, 1);
    to_edge(&mut best, 2);
    corner(&mut best, 1);
    corner(&mut best, 2);
    corner_to_inside(&[point; 3], 0, triangle, &mut best, false);
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

impl Closest {
    /// Keeps a corner and the inside of a triangle at parameters, if that is closer.
    #[inline]
    fn offer_inside(
        &mut self,
        point: DVec3,
        corner: usize,
        triangle: &[DVec3; 3],
        [s, t]: [f64; 2],
        flipped: bool,
    ) {
        let root = triangle[0];
        let along = (triangle[1] - root) * s + (triangle[2] - root) * t;
        let places = [Place::Corner(corner as u8), Place::Inside];
        self.offer((root - point) + along, [point, root + along], places, flipped);
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

/// The inside of the triangle only: its rim is made of edges.
fn corner_to_inside(a: &[DVec3; 3], corner: usize, b: &[DVec3; 3], best: &mut Closest, flipped: bool) {
    let (point, root) = (a[corner], b[0]);
    let (u, v) = (b[1] - root, b[2] - root);
    let w = root - point;
    let Some([s, t]) = shortest(w, u, -v) else { return };
    if s > 0.0 && t > 0.0 && s + t < 1.0 {
        best.offer_inside(point, corner, b, [s, t], flipped);
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

    /// All pairs of features, one by one: the oracle.
    fn one_by_one(a: &[DVec3; 3], b: &[DVec3; 3]) -> Closest {
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

    #[test]
    fn shared_products_change_no_bit() {
        let state = &mut 3;
        let mut places = std::collections::HashSet::new();
        for round in 0..200_000 {
            let mut a = [corner(state), corner(state), corner(state)];
            let mut b = [corner(state), corner(state), corner(state)];
            if round % 2 == 0 {
                // Anywhere, large and small, long and thin.
                let wild = |point: DVec3, state: &mut u64| {
                    point * DVec3::new(0.7, 1.3, 1e-3) + corner(state) * std::f64::consts::PI
                };
                a = a.map(|point| wild(point, state));
                b = b.map(|point| wild(point, state));
            }
            if round % 8 > 4 {
                // Segments, whichever corner they have twice.
                a[round % 3] = a[(round + 1) % 3];
            }
            if round % 16 > 12 {
                b[round / 16 % 3] = b[(round / 16 + 1) % 3];
            }
            let [found, oracle] = [all_features(&a, &b), one_by_one(&a, &b)];
            let bits = |closest: &Closest| {
                let numbers = [closest.offset, closest.points[0], closest.points[1]];
                (
                    closest.squared.to_bits(),
                    numbers.map(|v| v.to_array().map(|x| (x + 0.0).to_bits())),
                    closest.places,
                )
            };
            assert_eq!(bits(&found), bits(&oracle), "{a:?} {b:?}");
            places.insert(found.places);
        }
        assert_eq!(places.len(), 9 + 9 + 9 + 9 + 6);
    }

    #[test]
    fn a_point_is_a_triangle_without_some_features() {
        let state = &mut 1;
        let mut places = std::collections::HashSet::new();
        for round in 0..100_000 {
            let mut point = [corner(state); 3];
            let mut other = [corner(state), corner(state), corner(state)];
            if round % 2 == 0 {
                // Where products are rounded.
                let by = DVec3::new(0.7, 1.3, 0.1);
                (point, other) = (point.map(|p| p * by), other.map(|p| p * by));
            }
            for [a, b] in [[&point, &other], [&other, &point], [&point, &point]] {
                let closest = triangles(a, b);
                assert_eq!(closest, all_features(a, b), "{a:?} {b:?}");
                places.insert(closest.places);
                // The signs of zeros, too.
                let bits = |Closest { squared, offset, points: [p, q], .. }: Closest| {
                    [offset, p, q]
                        .map(|v| v.to_array().map(f64::to_bits))
                        .concat()
                        .into_iter()
                        .chain([squared.to_bits()])
                };
                assert!(bits(closest).eq(bits(one_by_one(a, b))), "{a:?} {b:?}");
            }
        }
        // Two corners, three edges and the inside, on either side.
        assert!(places.len() >= 13, "{places:?}");
    }
}
