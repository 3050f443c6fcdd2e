//! Points with rational coordinates, and the pieces into which faces divide a line.

use std::cmp::Ordering;

use crate::math::DVec3;
use crate::predicates::{Axis, Dyadic, Sign, orient2d, orient3d};

/// The error bound of products that underflow; see the filters of the predicates.
pub(super) const UNDERFLOW: f64 = 1e-250;

/// A point with rational coordinates `x / w`, w above zero, and its nearest `f64` neighbor to filter with.
#[derive(Clone, Debug)]
pub struct ExactPoint {
    x: [Dyadic; 3],
    w: Dyadic,
    near: DVec3,
    /// How far each coordinate of `near` may be off.
    error: f64,
}

impl From<DVec3> for ExactPoint {
    fn from(point: DVec3) -> ExactPoint {
        ExactPoint { x: exact(point), w: Dyadic::from(1.0), near: point, error: 0.0 }
    }
}

/// The side of a plane on which a point lies that is no farther than `error` from `near`, if `f64` can tell.
pub(super) fn likely_side(near: DVec3, error: f64, [a, b, c]: [DVec3; 3]) -> Option<Sign> {
    let (u, v, w) = (b - a, c - a, near - a);
    let size = u.abs().max_element() * v.abs().max_element();
    let value = u.cross(v).dot(w);
    // Generous: each of the six products of three factors is off by a few roundings and by the point's own error.
    let bound = 12.0 * size * (8.0 * f64::EPSILON * w.abs().max_element() + error)
        + UNDERFLOW * (1.0 + w.abs().max_element());
    (value.is_finite() && value.abs() > bound).then(|| Sign::of(value))
}

pub(in crate::narrow) fn exact(point: DVec3) -> [Dyadic; 3] {
    point.to_array().map(Dyadic::from)
}

/// The exact cross product of `b - a` and `c - a`.
pub(in crate::narrow) fn exact_normal([a, b, c]: [DVec3; 3]) -> [Dyadic; 3] {
    let [a, b, c] = [a, b, c].map(exact);
    let u: [Dyadic; 3] = std::array::from_fn(|i| &b[i] - &a[i]);
    let v: [Dyadic; 3] = std::array::from_fn(|i| &c[i] - &a[i]);
    cross(&u, &v)
}

pub(in crate::narrow) fn cross(u: &[Dyadic; 3], v: &[Dyadic; 3]) -> [Dyadic; 3] {
    std::array::from_fn(|i| {
        let (j, k) = ((i + 1) % 3, (i + 2) % 3);
        &(&u[j] * &v[k]) - &(&u[k] * &v[j])
    })
}

pub(in crate::narrow) fn dot(u: &[Dyadic; 3], v: &[Dyadic; 3]) -> Dyadic {
    &(&(&u[0] * &v[0]) + &(&u[1] * &v[1])) + &(&u[2] * &v[2])
}

impl ExactPoint {
    /// The nearest point with `f64` coordinates.
    pub fn near(&self) -> DVec3 {
        self.near
    }

    /// The direction to a point, times something above zero.
    pub(super) fn direction_to(&self, point: DVec3) -> [Dyadic; 3] {
        let p = exact(point);
        std::array::from_fn(|i| &(&p[i] * &self.w) - &self.x[i])
    }

    fn new(x: [Dyadic; 3], w: Dyadic) -> ExactPoint {
        // Between finite points, so finite, but for the rounding of the ratio at the very end of the range.
        let near = DVec3::from_array(std::array::from_fn(|i| x[i].ratio(&w).clamp(f64::MIN, f64::MAX)));
        // A ratio is right to about 50 bits.
        let error = near.abs().max_element() * (-46f64).exp2() + f64::MIN_POSITIVE;
        ExactPoint { x, w, near, error }
    }

    /// The side of the plane of three points that the point lies on, like [`orient3d`].
    pub fn side(&self, plane: [DVec3; 3]) -> Sign {
        let [a, b, c] = plane;
        if self.error == 0.0 {
            return orient3d(a, b, c, self.near);
        }
        likely_side(self.near, self.error, plane).unwrap_or_else(|| self.side_value(plane).sign())
    }

    /// The determinant behind [`side`](Self::side), times w.
    fn side_value(&self, plane: [DVec3; 3]) -> Dyadic {
        let to_plane = self.direction_to(plane[0]);
        -dot(&exact_normal(plane), &to_plane)
    }

    /// The side of the line from `a` to `b` that the point lies on, seen along an axis, like [`orient2d`].
    pub fn side_in_projection(&self, axis: Axis, a: DVec3, b: DVec3) -> Sign {
        if self.error == 0.0 {
            return orient2d(axis.drop(a), axis.drop(b), axis.drop(self.near));
        }
        let (i, j) = ((axis as usize + 1) % 3, (axis as usize + 2) % 3);
        let along = [i, j].map(|k| &Dyadic::from(b[k]) - &Dyadic::from(a[k]));
        let to_a = self.direction_to(a);
        (&(&to_a[i] * &along[1]) - &(&to_a[j] * &along[0])).sign()
    }

    /// Whether the point lies on a triangle that has an area and whose plane contains it.
    pub fn lies_on(&self, triangle: [DVec3; 3]) -> bool {
        let Some(axis) = projection(triangle) else { return false };
        let turns: [Sign; 3] =
            std::array::from_fn(|i| self.side_in_projection(axis, triangle[i], triangle[(i + 1) % 3]));
        !(turns.contains(&Sign::Positive) && turns.contains(&Sign::Negative))
    }
}

impl ExactPoint {
    /// Whether the point lies on the segment from `a` to `b`, or at the point where both stand.
    pub fn lies_on_segment(&self, a: DVec3, b: DVec3) -> bool {
        let (to_a, to_b) = (self.direction_to(a), self.direction_to(b));
        let on_line = cross(&to_a, &to_b).iter().all(|coordinate| coordinate.sign().is_zero());
        // On the line, the directions to the ends are opposite or zero between them.
        on_line && dot(&to_a, &to_b).sign() != Sign::Positive
    }
}

/// An axis along which the triangle is seen with an area.
pub(super) fn projection([a, b, c]: [DVec3; 3]) -> Option<Axis> {
    let sees = |axis: &Axis| !orient2d(axis.drop(a), axis.drop(b), axis.drop(c)).is_zero();
    Axis::ALL.into_iter().find(sees)
}

/// A number `numerator / denominator` with a denominator above zero.
#[derive(Clone, Debug)]
pub struct Fraction {
    numerator: Dyadic,
    denominator: Dyadic,
}

impl Fraction {
    /// `numerator / denominator`; the denominator must not be zero.
    pub fn new(numerator: Dyadic, denominator: Dyadic) -> Fraction {
        if denominator.sign() == Sign::Negative {
            Fraction { numerator: -numerator, denominator: -denominator }
        } else {
            Fraction { numerator, denominator }
        }
    }

    /// The sign of the fraction.
    pub fn sign(&self) -> Sign {
        self.numerator.sign()
    }

    /// The number, rounded to about 50 bits.
    pub fn value(&self) -> f64 {
        self.numerator.ratio(&self.denominator)
    }

    /// The fraction 0.
    pub fn zero() -> Fraction {
        Fraction { numerator: Dyadic::ZERO, denominator: Dyadic::from(1.0) }
    }

    /// The fraction 1.
    pub fn one() -> Fraction {
        Fraction { numerator: Dyadic::from(1.0), denominator: Dyadic::from(1.0) }
    }

    fn of_change(from: &Dyadic, to: &Dyadic) -> Fraction {
        Fraction::new(from.clone(), from - to)
    }

    /// A fraction strictly between two different ones.
    #[must_use]
    pub fn between(&self, other: &Fraction) -> Fraction {
        // The mediant: no shorter one is as easy to get.
        Fraction {
            numerator: &self.numerator + &other.numerator,
            denominator: &self.denominator + &other.denominator,
        }
    }
}

impl PartialEq for Fraction {
    fn eq(&self, other: &Fraction) -> bool {
        self.cmp(other) == Ordering::Equal
    }
}

impl Eq for Fraction {}

impl PartialOrd for Fraction {
    fn partial_cmp(&self, other: &Fraction) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Fraction {
    fn cmp(&self, other: &Fraction) -> Ordering {
        (&self.numerator * &other.denominator).cmp(&(&other.numerator * &self.denominator))
    }
}

/// A segment with exact ends.
#[derive(Clone, Debug)]
pub struct Line {
    /// The start of the segment.
    pub start: ExactPoint,
    /// The end of the segment; not the same point as the start.
    pub end: ExactPoint,
}

impl Line {
    /// The direction from start to end, times something above zero.
    pub(super) fn direction(&self) -> [Dyadic; 3] {
        let (start, end) = (&self.start, &self.end);
        std::array::from_fn(|i| &(&end.x[i] * &start.w) - &(&start.x[i] * &end.w))
    }

    /// The point at a parameter between 0 and 1.
    pub fn at(&self, t: &Fraction) -> ExactPoint {
        let (start, end) = (&self.start, &self.end);
        let of_start = &(&t.denominator - &t.numerator) * &end.w;
        let of_end = &t.numerator * &start.w;
        let x = std::array::from_fn(|i| &(&start.x[i] * &of_start) + &(&end.x[i] * &of_end));
        ExactPoint::new(x, &(&t.denominator * &start.w) * &end.w)
    }

    /// Where the line passes through the plane of three points, if its ends lie strictly on different sides.
    fn crossing(&self, plane: [DVec3; 3]) -> Option<Fraction> {
        let (start, end) = (&self.start, &self.end);
        let (at_start, at_end) = (start.side(plane), end.side(plane));
        (at_start == -at_end && !at_start.is_zero()).then(|| {
            let (from, to) = (start.side_value(plane), end.side_value(plane));
            Fraction::of_change(&(&from * &end.w), &(&to * &start.w))
        })
    }

    /// Whether the line lies in the plane of three points.
    pub fn lies_in(&self, plane: [DVec3; 3]) -> bool {
        self.start.side(plane).is_zero() && self.end.side(plane).is_zero()
    }

    /// The parameter of a point, if it lies on the line strictly between its ends.
    fn parameter(&self, point: DVec3) -> Option<Fraction> {
        let (from, to) = (self.start.direction_to(point), self.end.direction_to(point));
        let along = self.direction();
        let on_line = cross(&along, &from).iter().all(|coordinate| coordinate.sign().is_zero());
        let (before, after) = (dot(&along, &from), dot(&along, &to));
        (on_line && before.sign() == Sign::Positive && after.sign() == Sign::Negative)
            // The two are measured in units of the ends' denominators.
            .then(|| Fraction::of_change(&(&before * &self.end.w), &(&after * &self.start.w)))
    }

    /// The parameters strictly between 0 and 1 at which a triangle may begin or cease to contain the line's points. A
    /// few too many do no harm.
    pub fn cuts(&self, triangle: [DVec3; 3], cuts: &mut Vec<Fraction>) {
        let Some(axis) = projection(triangle) else {
            // Without area, it can only contain a piece of the line from corner to corner.
            cuts.extend(triangle.iter().filter_map(|&corner| self.parameter(corner)));
            return;
        };
        if !self.lies_in(triangle) {
            cuts.extend(self.crossing(triangle));
            return;
        }
        for i in 0..3 {
            let (a, b) = (triangle[i], triangle[(i + 1) % 3]);
            // The edge, stretched along the axis into a plane.
            let mut above = a;
            let height = &mut above[axis as usize];
            *height = if height.abs() >= 1.0 { *height * 0.5 } else { *height + 1.0 };
            cuts.extend(self.crossing([a, b, above]));
        }
    }

    /// Whether start and end are the same point after all.
    pub fn is_point(&self) -> bool {
        self.direction().iter().all(|coordinate| coordinate.sign().is_zero())
    }

    /// The line between the points where two edges pass through two planes: the segment that two crossing triangles
    /// share, from the names of its ends.
    pub fn between_crossings(ends: [([DVec3; 2], [DVec3; 3]); 2]) -> Option<Line> {
        let point = |(edge, plane): ([DVec3; 2], [DVec3; 3])| {
            let line = Line { start: edge[0].into(), end: edge[1].into() };
            let (at_start, at_end) = (line.start.side(plane), line.end.side(plane));
            match (at_start.is_zero(), at_end.is_zero()) {
                (true, _) => Some(line.start),
                (_, true) => Some(line.end),
                _ => line.crossing(plane).map(|t| line.at(&t)),
            }
        };
        Some(Line { start: point(ends[0])?, end: point(ends[1])? })
    }
}
