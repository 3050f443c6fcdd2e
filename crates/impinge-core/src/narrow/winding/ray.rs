//! Counting the faces that a ray passes through.

use super::exact_point::{ExactPoint, UNDERFLOW, cross, dot, exact_normal, likely_side};
use crate::math::DVec3;
use crate::narrow::winding::radial_order::NearPoint;
use crate::predicates::{Dyadic, Sign, are_collinear};

/// The direction of a ray: one coordinate is 1, the others are small fractions with few bits, so that the ray leaves a
/// model along a thin box and still passes through no edge, unless by bad luck; then the next attempt is tried.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Direction(DVec3);

impl Direction {
    /// The direction of an attempt: the same for the same number.
    pub fn attempt(number: u32) -> Direction {
        Direction::along(number as usize % 3, false, number)
    }

    /// The direction of an attempt that goes close to an axis, ahead or back.
    pub fn along(axis: usize, back: bool, number: u32) -> Direction {
        // Short fractions first, because they make short numbers. Every few attempts they get a bit longer, so that no
        // model can have edges in the way of all of them.
        let bits = 20 + (number / 8).min(30);
        let fraction = |salt: u64| {
            let mut spread =
                (u64::from(number) << 1 | salt).wrapping_add(1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
            spread = (spread ^ spread >> 29).wrapping_mul(0xbf58_476d_1ce4_e5b9);
            let odd = spread >> (64 - bits) << 1 | 1;
            odd as f64 * (-f64::from(bits) - 6.0).exp2()
        };
        let (main, small) = (1.0, [fraction(0), fraction(1)]);
        let along = match axis {
            0 => DVec3::new(main, small[0], small[1]),
            1 => DVec3::new(small[1], main, small[0]),
            _ => DVec3::new(small[0], small[1], main),
        };
        Direction(if back { -along } else { along })
    }

    /// The direction as a vector; every coordinate is above zero, or below for one that goes back.
    pub fn vector(self) -> DVec3 {
        self.0
    }

    pub(super) fn exact(self) -> [Dyadic; 3] {
        self.0.to_array().map(Dyadic::from)
    }
}

/// How a ray passes through a triangle that does not contain the ray's origin: 1 from back to front, -1 from front to
/// back, 0 not at all; `None` when it meets the triangle's rim or runs along its plane, so that one cannot count.
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

/// [`turn`] for an origin that is no farther than `shift` from `near`: the plain formula, with room for the distance
/// between the two.
fn likely_turn(near: DVec3, shift: f64, direction: Direction, a: DVec3, b: DVec3) -> Option<Sign> {
    let (u, v) = (a - near, b - near);
    let value = direction.vector().dot(u.cross(v));
    let size = u.abs().max_element().max(v.abs().max_element());
    let relative = 32.0 * f64::EPSILON * size * size;
    let bound = relative + 12.0 * shift * size + UNDERFLOW * (1.0 + size);
    (value.is_finite() && value.abs() > bound).then(|| Sign::of(value))
}
