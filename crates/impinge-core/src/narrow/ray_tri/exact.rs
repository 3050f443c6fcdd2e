//! The exact test, where the filter cannot tell: signs of exact determinants, and exact times.

use std::cmp::Ordering;

use super::{Beam, Crossing};
use crate::math::DVec3;
use crate::narrow::winding::{ExactPoint, Fraction, cross, dot, exact, exact_normal};
use crate::predicates::{Dyadic, Sign, line_side, orient3d};

/// A time that was rounded from an exact one is off by this much of itself.
const ROUNDED: f64 = 1.0 / (1_u64 << 46) as f64;

#[cold]
#[inline(never)]
pub(super) fn cross_triangle(beam: &Beam, corners: &[DVec3; 3]) -> Option<Crossing> {
    let (heading, time) = heading_and_time(beam, corners)?;
    // Beyond the range of numbers only by the rounding of the ratio.
    let t = time.value().clamp(0.0, f64::MAX);
    Some(Crossing { t, error: t * ROUNDED + f64::MIN_POSITIVE, heading })
}

/// The exact time at which a ray first hits a triangle.
pub fn exact_time(beam: &Beam, corners: &[DVec3; 3]) -> Option<Fraction> {
    heading_and_time(beam, corners).map(|(_, time)| time)
}

/// The order of two crossings along a ray: by their times if that is certain, or else exactly.
#[inline]
pub fn first(beam: &Beam, a: (&Crossing, &[DVec3; 3]), b: (&Crossing, &[DVec3; 3])) -> Ordering {
    let (apart, room) = (a.0.t - b.0.t, a.0.error + b.0.error);
    if apart < -room {
        Ordering::Less
    } else if apart > room {
        Ordering::Greater
    } else {
        first_exactly(beam, a.1, b.1)
    }
}

#[cold]
#[inline(never)]
fn first_exactly(beam: &Beam, a: &[DVec3; 3], b: &[DVec3; 3]) -> Ordering {
    exact_time(beam, a).cmp(&exact_time(beam, b))
}

fn heading_and_time(beam: &Beam, corners: &[DVec3; 3]) -> Option<(Sign, Fraction)> {
    let [a, b, c] = *corners;
    let mut heading = Sign::Zero;
    for (from, to) in [(a, b), (b, c), (c, a)] {
        let side = line_side(beam.origin, beam.direction, from, to);
        if !side.is_zero() && side == -heading {
            return None;
        }
        heading = if side.is_zero() { heading } else { side };
    }
    if heading.is_zero() {
        return in_plane(beam, corners).map(|time| (Sign::Zero, time));
    }
    // The three sides add up to `normal · direction`. A ray that starts on the side that it heads to never comes back.
    if orient3d(a, b, c, beam.origin) == heading {
        return None;
    }
    let normal = exact_normal(*corners);
    let from = exact_difference(a, beam.origin);
    Some((heading, Fraction::new(dot(&normal, &from), dot(&normal, &exact(beam.direction)))))
}

/// The first point of a triangle on a ray that lies in its plane, or of a triangle without area.
fn in_plane(beam: &Beam, corners: &[DVec3; 3]) -> Option<Fraction> {
    // Only where it has an area can the ray start inside; the rim is left to the edges.
    if ExactPoint::from(beam.origin).lies_on(*corners) {
        return Some(Fraction::zero());
    }
    (0..3).filter_map(|i| on_segment(beam, corners[i], corners[(i + 1) % 3])).min()
}

/// The time at which the ray first hits a segment that lies in one plane with it.
fn on_segment(beam: &Beam, p: DVec3, q: DVec3) -> Option<Fraction> {
    let along = exact(beam.direction);
    let (p, q) = (exact_difference(p, beam.origin), exact_difference(q, beam.origin));
    let (to_p, to_q) = (dot(&along, &p), dot(&along, &q));
    let (beside_p, beside_q) = (cross(&along, &p), cross(&along, &q));
    let square = dot(&along, &along);
    let is_on_line = |beside: &[Dyadic; 3]| beside.iter().all(|coordinate| coordinate.sign().is_zero());
    let time = if is_on_line(&beside_p) && is_on_line(&beside_q) {
        let (least, most) = if to_p < to_q { (to_p, to_q) } else { (to_q, to_p) };
        let starts_within = least.sign() == Sign::Negative && most.sign() != Sign::Negative;
        Fraction::new(if starts_within { Dyadic::ZERO } else { least }, square)
    } else {
        // In one plane, the two are parallel: opposite, or one of them zero, where the ray's line is met.
        if dot(&beside_p, &beside_q).sign() == Sign::Positive {
            return None;
        }
        let across: [Dyadic; 3] = std::array::from_fn(|i| &beside_p[i] - &beside_q[i]);
        let axis = (0..3).find(|&i| !across[i].sign().is_zero())?;
        let numerator = &(&to_p * &across[axis]) + &(&beside_p[axis] * &(&to_q - &to_p));
        Fraction::new(numerator, &across[axis] * &square)
    };
    (time.sign() != Sign::Negative).then_some(time)
}

fn exact_difference(p: DVec3, q: DVec3) -> [Dyadic; 3] {
    let (p, q) = (exact(p), exact(q));
    std::array::from_fn(|i| &p[i] - &q[i])
}
