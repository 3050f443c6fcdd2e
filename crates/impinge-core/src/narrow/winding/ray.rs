//! Counting the faces that a ray passes through.

use super::direction::Direction;
use super::exact_point::{ExactPoint, UNDERFLOW, cross, dot, exact_normal, likely_side};
use crate::math::DVec3;
use crate::narrow::winding::radial_order::NearPoint;
use crate::predicates::{Sign, are_collinear};

/// The signed crossing of a ray and a triangle that does not contain the ray's origin: 1 from back to front, -1 from front to
/// back, 0 not at all; `None` when it hits the triangle's rim or runs along its plane, so that one cannot count.
pub fn ray_crossing(origin: &ExactPoint, direction: Direction, triangle: [DVec3; 3]) -> Option<i32> {
    let [a, b, c] = triangle;
    let turns = [(a, b), (b, c), (c, a)].map(|(from, to)| turn(origin, direction, from, to));
    if turns.contains(&Sign::Positive) && turns.contains(&Sign::Negative) {
        return Some(0);
    }
    let side = origin.side(triangle);
    let heading = dot(&exact_normal(triangle), &direction.exact()).sign();
    match (side, heading) {
        // A triangle without area, or one seen edge-on: harmless unless the ray runs along it.
        (_, Sign::Zero) if !side.is_zero() => Some(0),
        (_, Sign::Zero) => are_collinear(a, b, c).then_some(0),
        // In the plane but not on the triangle: the ray leaves the plane and never comes back.
        (Sign::Zero, _) => Some(0),
        (side, heading) if side == heading => Some(0),
        _ if turns.contains(&Sign::Zero) => None,
        (_, Sign::Positive) => Some(1),
        (_, Sign::Negative) => Some(-1),
    }
}

/// [`ray_crossing`] for a ray from near a point, if `f64` can tell. The ray's origin must not lie on the triangle.
pub fn likely_ray_crossing(origin: NearPoint, direction: Direction, triangle: [DVec3; 3]) -> Option<i32> {
    let [a, b, c] = triangle;
    let turns = [(a, b), (b, c), (c, a)]
        .map(|(from, to)| likely_turn(origin.near, origin.error, direction, from, to));
    if turns.contains(&Some(Sign::Positive)) && turns.contains(&Some(Sign::Negative)) {
        return Some(0);
    }
    // All the same: the ray's line passes through the inside, and which way is what the turns tell.
    let [Some(heading), Some(_), Some(_)] = turns else { return None };
    let side = likely_side(origin.near, origin.error, triangle)?;
    Some(if side == heading { 0 } else { heading as i32 })
}

/// On which side of the ray the directed segment from `a` to `b` passes: the sign of `direction · (a - o) × (b - o)`.
fn turn(origin: &ExactPoint, direction: Direction, a: DVec3, b: DVec3) -> Sign {
    let shift = origin.near().abs().max_element() * (-46f64).exp2() + f64::MIN_POSITIVE;
    likely_turn(origin.near(), shift, direction, a, b).unwrap_or_else(|| {
        let (u, v) = (origin.direction_to(a), origin.direction_to(b));
        dot(&direction.exact(), &cross(&u, &v)).sign()
    })
}

/// [`turn`] for an origin that is no farther than `shift` from `near`: the plain formula, with padding for the distance
/// between the two.
fn likely_turn(near: DVec3, shift: f64, direction: Direction, a: DVec3, b: DVec3) -> Option<Sign> {
    let (u, v) = (a - near, b - near);
    let value = direction.vector().dot(u.cross(v));
    let size = u.abs().max_element().max(v.abs().max_element());
    let relative = 32.0 * f64::EPSILON * size * size;
    let bound = relative + 12.0 * shift * size + UNDERFLOW * (1.0 + size);
    (value.is_finite() && value.abs() > bound).then(|| Sign::of(value))
}
