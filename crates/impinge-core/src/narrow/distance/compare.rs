//! The distance of two triangles against a length, decided exactly: whether two rounded bodies touch is a comparison of squares.
//!
//! `docs/math/round-movers.md` derives the tests and the bound of the filter.

use super::{Place, triangles};
use crate::math::DVec3;
use crate::narrow::tri_tri::{Facet, triangles_meet};
use crate::predicates::{Dyadic, Sign};

/// A length that is known exactly: the sum of two numbers, times a power of two. Not negative.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ExactLength {
    terms: [f64; 2],
    exponent: i32,
    /// Bounds of the length, as numbers.
    low: f64,
    high: f64,
}

impl ExactLength {
    /// The length `(a + b) · 2^exponent`; the sum must not be negative.
    pub fn sum(a: f64, b: f64, exponent: i32) -> ExactLength {
        let rounded = libm::ldexp(a + b, exponent);
        let (low, high) = (rounded.next_down().max(0.0), rounded.next_up());
        ExactLength { terms: [a, b], exponent, low, high }
    }

    /// An upper bound.
    pub fn high(&self) -> f64 {
        self.high
    }

    fn squared(&self) -> Dyadic {
        let [a, b] = self.terms.map(Dyadic::from);
        let length = (&a + &b).scaled(i64::from(self.exponent));
        &length * &length
    }
}

/// The error bound of the filter, as a part of the largest coordinate.
const FILTER: f64 = 128.0 * f64::EPSILON;

/// Coordinates outside of this range, whose fourth powers over- or underflow, are left to exact arithmetic.
const RANGE: std::ops::Range<f64> = 1e-60..1e70;

/// The sign of the distance of two triangles less a length: negative where they are nearer. Triangles without area
/// are segments and points; those that intersect have distance 0. Right for all finite corners.
///
/// ```
/// use impinge_core::math::DVec3;
/// use impinge_core::narrow::distance::{ExactLength, compare_distance};
/// use impinge_core::predicates::Sign;
///
/// let [a, b] = [[DVec3::ZERO; 3], [DVec3::new(3.0, 4.0, 12.0); 3]];
/// assert_eq!(compare_distance(&a, &b, &ExactLength::sum(6.0, 7.0, 0)), Sign::Zero);
/// assert_eq!(compare_distance(&a, &b, &ExactLength::sum(6.0, 7.0_f64.next_up(), 0)), Sign::Negative);
/// ```
pub fn compare_distance(a: &[DVec3; 3], b: &[DVec3; 3], length: &ExactLength) -> Sign {
    by_filter(a, b, length).unwrap_or_else(|| exactly(a, b, length))
}

/// The sign, where rounding cannot have changed it.
#[inline]
fn by_filter(a: &[DVec3; 3], b: &[DVec3; 3], length: &ExactLength) -> Option<Sign> {
    let size = a.iter().chain(b).fold(DVec3::ZERO, |size, corner| size.max(corner.abs())).max_element();
    if !RANGE.contains(&size) {
        return None;
    }
    let bound = FILTER * size;
    let closest = triangles(a, b);
    let distance = closest.squared.sqrt();
    // Two points of the triangles are so far apart, up to the bound.
    if distance + bound < length.low {
        return Some(Sign::Negative);
    }
    if distance - bound <= length.high {
        return None;
    }
    // A direction along which they are farther apart is a proof, also for triangles that cross.
    let edge = |triangle: &[DVec3; 3], i: u8| triangle[(i as usize + 1) % 3] - triangle[i as usize];
    let of_features = match closest.places {
        [Place::Corner(_), Place::Inside] => edge(b, 0).cross(edge(b, 1)),
        [Place::Inside, Place::Corner(_)] => edge(a, 0).cross(edge(a, 1)),
        [Place::Edge(i), Place::Edge(j)] => edge(a, i).cross(edge(b, j)),
        _ => closest.offset,
    };
    let proves = |direction: DVec3| {
        let Some(normal) = direction.try_normalize() else { return false };
        let normal = if normal.dot(closest.offset) < 0.0 { -normal } else { normal };
        let origin = closest.points[0];
        let along = |triangle: &[DVec3; 3]| triangle.map(|corner| normal.dot(corner - origin));
        let ([d, e, f], [g, h, i]) = (along(a), along(b));
        g.min(h).min(i) - d.max(e).max(f) - bound > length.high
    };
    (proves(closest.offset) || proves(of_features)).then_some(Sign::Positive)
}

/// A vector of exact numbers.
type Exact = [Dyadic; 3];

fn minus(p: &Exact, q: &Exact) -> Exact {
    std::array::from_fn(|i| &p[i] - &q[i])
}

fn dot(u: &Exact, v: &Exact) -> Dyadic {
    &(&(&u[0] * &v[0]) + &(&u[1] * &v[1])) + &(&u[2] * &v[2])
}

fn cross(u: &Exact, v: &Exact) -> Exact {
    let minor = |i: usize, j: usize| &(&u[i] * &v[j]) - &(&u[j] * &v[i]);
    [minor(1, 2), minor(2, 0), minor(0, 1)]
}

/// The features of a triangle, each once: its corners, the edges that have a length, and the normal where there is one.
struct Features {
    corners: Vec<Exact>,
    edges: Vec<[Exact; 2]>,
    face: Option<([Exact; 3], Exact)>,
}

impl Features {
    fn of(triangle: &[DVec3; 3]) -> Features {
        let exact = |point: &DVec3| point.to_array().map(Dyadic::from);
        let mut corners: Vec<DVec3> = Vec::with_capacity(3);
        for corner in triangle {
            if !corners.contains(corner) {
                corners.push(*corner);
            }
        }
        let corners: Vec<Exact> = corners.iter().map(exact).collect();
        let edges = match &corners[..] {
            [p, q] => vec![[p.clone(), minus(q, p)]],
            [p, q, r] => vec![[p.clone(), minus(q, p)], [q.clone(), minus(r, q)], [r.clone(), minus(p, r)]],
            _ => Vec::new(),
        };
        let face = match &corners[..] {
            [p, q, r] => {
                let normal = cross(&minus(q, p), &minus(r, p));
                (!dot(&normal, &normal).sign().is_zero()).then(|| ([p.clone(), q.clone(), r.clone()], normal))
            }
            _ => None,
        };
        Features { corners, edges, face }
    }
}

/// Every pair of features whose closest points lie in both gives the distance of two points of the triangles, and the closest of all is
/// among them: the least sign is the answer.
#[cold]
#[inline(never)]
fn exactly(a: &[DVec3; 3], b: &[DVec3; 3], length: &ExactLength) -> Sign {
    let squared = length.squared();
    if triangles_meet(&Facet::from(*a), &Facet::from(*b)).is_some() {
        return -squared.sign();
    }
    let (a, b) = (Features::of(a), Features::of(b));
    let mut least = Sign::Positive;
    // The sign of a quotient, of which the denominator is positive, less the square of the length.
    let mut offer = |numerator: &Dyadic, denominator: &Dyadic| {
        least = least.min((numerator - &(&squared * denominator)).sign());
    };
    let one = Dyadic::from(1.0);
    for p in &a.corners {
        for q in &b.corners {
            let w = minus(p, q);
            offer(&dot(&w, &w), &one);
        }
    }
    for (own, other) in [(&a, &b), (&b, &a)] {
        for point in &own.corners {
            for [start, along] in &other.edges {
                let w = minus(point, start);
                let (t, whole) = (dot(&w, along), dot(along, along));
                if t.sign() == Sign::Positive && t < whole {
                    let across = cross(&w, along);
                    offer(&dot(&across, &across), &whole);
                }
            }
            if let Some((corners, normal)) = &other.face {
                let is_beside = |i: usize| {
                    let edge = minus(&corners[(i + 1) % 3], &corners[i]);
                    let side = dot(normal, &cross(&edge, &minus(point, &corners[i])));
                    side.sign() == Sign::Negative
                };
                if !(0..3).any(is_beside) {
                    let height = dot(normal, &minus(point, &corners[0]));
                    offer(&(&height * &height), &dot(normal, normal));
                }
            }
        }
    }
    for [p, u] in &a.edges {
        for [q, v] in &b.edges {
            let normal = cross(u, v);
            let whole = dot(&normal, &normal);
            if whole.sign().is_zero() {
                continue;
            }
            let w = minus(p, q);
            let [uu, uv, vv, uw, vw] = [dot(u, u), dot(u, v), dot(v, v), dot(u, &w), dot(v, &w)];
            let s = &(&uv * &vw) - &(&vv * &uw);
            let t = &(&uu * &vw) - &(&uv * &uw);
            let is_inside = |t: &Dyadic| t.sign() == Sign::Positive && *t < whole;
            if is_inside(&s) && is_inside(&t) {
                let height = dot(&normal, &w);
                offer(&(&height * &height), &whole);
            }
        }
    }
    least
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_filter_never_disagrees_with_exact_arithmetic() {
        let state = &mut 7_u64;
        let mut next = || {
            *state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (*state >> 33) as u32
        };
        let mut decided = [0; 2];
        for case in 0..400 {
            // Coarse grids make for degenerate triangles and equal distances, fine ones for the usual.
            let fine = case % 2 == 0;
            let mut number = || if fine { f64::from(next()) / 1e9 } else { f64::from(next() % 7) - 3.0 };
            let mut corner = || DVec3::new(number(), number(), number());
            let [a, mut b] = [[corner(), corner(), corner()], [corner(), corner(), corner()]];
            if case % 5 == 0 {
                b[2] = b[1];
            }
            if case % 10 == 0 {
                b[0] = b[1];
            }
            let near = triangles(&a, &b).squared.sqrt();
            for radius in [near, near * (1.0 + 1e-13), near * 0.5 + 0.25, 1.0, 3.0] {
                if radius == 0.0 {
                    continue;
                }
                let length = ExactLength::sum(radius / 2.0, radius / 2.0, 0);
                let sign = exactly(&a, &b, &length);
                assert_eq!(exactly(&b, &a, &length), sign);
                let filtered = by_filter(&a, &b, &length);
                decided[usize::from(filtered.is_some())] += 1;
                assert!(filtered.is_none_or(|filtered| filtered == sign), "{a:?} {b:?} {length:?}");
            }
        }
        assert!(decided[0] > 100 && decided[1] > 500, "{decided:?}");
    }
}
