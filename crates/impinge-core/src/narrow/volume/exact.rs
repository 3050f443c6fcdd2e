//! Triangle-volume tests in arithmetic without rounding: the last resort, and slow.

use super::Side;
use crate::math::DVec3;
use crate::narrow::tri_tri::{Facet, triangles_meet};
use crate::predicates::{Dyadic, Sign};

type Vector = [Dyadic; 3];

fn vector(point: DVec3) -> Vector {
    point.to_array().map(Dyadic::from)
}

fn minus(a: &Vector, b: &Vector) -> Vector {
    std::array::from_fn(|i| &a[i] - &b[i])
}

fn dot(a: &Vector, b: &Vector) -> Dyadic {
    &(&(&a[0] * &b[0]) + &(&a[1] * &b[1])) + &(&a[2] * &b[2])
}

fn cross(a: &Vector, b: &Vector) -> Vector {
    std::array::from_fn(|i| {
        let (j, k) = ((i + 1) % 3, (i + 2) % 3);
        &(&a[j] * &b[k]) - &(&a[k] * &b[j])
    })
}

fn at_most(a: &Dyadic, b: &Dyadic) -> bool {
    (a - b).sign() != Sign::Positive
}

fn magnitude(a: &Dyadic) -> Dyadic {
    if a.sign() == Sign::Negative { -a.clone() } else { a.clone() }
}

pub(super) fn cuboid(low: DVec3, high: DVec3, triangle: &[DVec3; 3]) -> bool {
    let row = |k: usize, bound: f64, above: bool| -> Vector {
        let bound = Dyadic::from(bound);
        std::array::from_fn(|i| {
            let coordinate = Dyadic::from(triangle[i][k]);
            if above { &coordinate - &bound } else { &bound - &coordinate }
        })
    };
    is_feasible((0..6).map(|i| if i < 3 { row(i, high[i], true) } else { row(i - 3, low[i - 3], false) }))
}

pub(super) fn sides(list: &[Option<Side>; 6], triangle: &[DVec3; 3]) -> bool {
    let corners = triangle.map(vector);
    is_feasible(list.iter().flatten().map(|side| heights(side, &corners)))
}

pub(super) fn plane(plane: &Side, triangle: &[DVec3; 3]) -> bool {
    let signs = heights(plane, &triangle.map(vector)).map(|height| height.sign());
    signs.iter().any(|&sign| sign != Sign::Negative) && signs.iter().any(|&sign| sign != Sign::Positive)
}

/// How far corners are before a plane, in multiples of its normal.
fn heights(side: &Side, corners: &[Vector; 3]) -> Vector {
    let (normal, offset) = (vector(side.normal), Dyadic::from(side.offset));
    std::array::from_fn(|i| &dot(&normal, &corners[i]) - &offset)
}

/// Whether a point of the triangle satisfies all rows. A row has a number for each corner, and the number of a point
/// between corners is the mean of theirs; it must not be positive.
///
/// The part of the triangle that satisfies the rows so far is a convex polygon, whose corners are weights of the
/// triangle's corners. Each row cuts it once more.
fn is_feasible(rows: impl Iterator<Item = Vector>) -> bool {
    let unit = |i: usize| -> Vector { std::array::from_fn(|k| Dyadic::from(if i == k { 1.0 } else { 0.0 })) };
    let mut polygon = vec![unit(0), unit(1), unit(2)];
    for row in rows {
        if row.iter().all(|number| number.sign() != Sign::Positive) {
            continue;
        }
        let numbers: Vec<Dyadic> = polygon.iter().map(|weights| dot(weights, &row)).collect();
        let mut cut = Vec::with_capacity(polygon.len() + 1);
        for i in 0..polygon.len() {
            let j = (i + 1) % polygon.len();
            let (here, next) = (numbers[i].sign(), numbers[j].sign());
            if here != Sign::Positive {
                cut.push(polygon[i].clone());
            }
            if here == -next && !here.is_zero() {
                let (of_here, of_next) = (magnitude(&numbers[j]), magnitude(&numbers[i]));
                cut.push(std::array::from_fn(|k| {
                    &(&polygon[i][k] * &of_here) + &(&polygon[j][k] * &of_next)
                }));
            }
        }
        polygon = cut;
        if polygon.is_empty() {
            return false;
        }
    }
    true
}

/// Whether a triangle comes within `radius` of the segment from the origin to `axis`. Every way to be closest is a
/// polynomial inequality between squares.
pub(super) fn round(axis: DVec3, radius: f64, triangle: &[DVec3; 3]) -> bool {
    let corners = triangle.map(vector);
    let radius = Dyadic::from(radius);
    let squared = &radius * &radius;
    if ball(&squared, &corners) {
        return true;
    }
    if axis == DVec3::ZERO {
        return false;
    }
    let exact_axis = vector(axis);
    if ball(&squared, &[0, 1, 2].map(|i| minus(&corners[i], &exact_axis))) {
        return true;
    }
    let zero: Vector = std::array::from_fn(|_| Dyadic::ZERO);
    let near_corner = |corner: &Vector| near_segment(&squared, corner, &zero, &exact_axis);
    let near_edge = |i: usize| near_line(&squared, &exact_axis, &corners[i], &corners[(i + 1) % 3]);
    let through =
        || triangles_meet(&Facet::from([DVec3::ZERO, axis, axis]), &Facet::from(*triangle)).is_some();
    corners.iter().any(near_corner) || (0..3).any(near_edge) || through()
}

/// Whether the triangle comes within a distance of the origin.
fn ball(squared: &Dyadic, [a, b, c]: &[Vector; 3]) -> bool {
    let zero: Vector = std::array::from_fn(|_| Dyadic::ZERO);
    if [a, b, c].iter().any(|corner| at_most(&dot(corner, corner), squared)) {
        return true;
    }
    if [[a, b], [b, c], [c, a]].iter().any(|[p, q]| near_segment(squared, &zero, p, q)) {
        return true;
    }
    // The foot of the origin on the plane, where it is within the triangle.
    let normal = cross(&minus(b, a), &minus(c, a));
    let size = dot(&normal, &normal);
    let height = dot(&normal, a);
    let is_left = |p: &Vector, q: &Vector| dot(&normal, &cross(p, q)).sign() != Sign::Negative;
    !size.sign().is_zero()
        && is_left(a, b)
        && is_left(b, c)
        && is_left(c, a)
        && at_most(&(&height * &height), &(squared * &size))
}

/// Whether a point comes within a distance of the inside of a segment.
fn near_segment(squared: &Dyadic, point: &Vector, p: &Vector, q: &Vector) -> bool {
    let (along, to_point) = (minus(q, p), minus(point, p));
    let (length, place) = (dot(&along, &along), dot(&to_point, &along));
    let inside = place.sign() == Sign::Positive && (&length - &place).sign() == Sign::Positive;
    inside && {
        let height = &(&dot(&to_point, &to_point) * &length) - &(&place * &place);
        at_most(&height, &(squared * &length))
    }
}

/// Whether the segment from the origin to `axis` and the one from `p` to `q` come within a distance of each other where
/// the closest points of their lines are within both.
fn near_line(squared: &Dyadic, axis: &Vector, p: &Vector, q: &Vector) -> bool {
    let edge = minus(q, p);
    let (dd, ee, de) = (dot(axis, axis), dot(&edge, &edge), dot(axis, &edge));
    let whole = &(&dd * &ee) - &(&de * &de);
    if whole.sign() != Sign::Positive {
        return false;
    }
    let (pd, pe) = (dot(p, axis), dot(p, &edge));
    let on_axis = &(&pd * &ee) - &(&pe * &de);
    let on_edge = &(&pd * &de) - &(&pe * &dd);
    let within = |place: &Dyadic| place.sign() != Sign::Negative && at_most(place, &whole);
    let height = dot(p, &cross(axis, &edge));
    within(&on_axis) && within(&on_edge) && at_most(&(&height * &height), &(squared * &whole))
}
