//! A ray in the frame of a model.

use super::Ray;
use super::target::Target;
use impinge_core::math::DVec3;
use impinge_core::narrow::ray_tri::{Beam, Crossing, exact_time};
use impinge_core::narrow::winding::Fraction;
use impinge_core::predicates::Dyadic;

/// A ray in a model's own frame, and how far it counts.
#[derive(Clone, Copy, Debug)]
pub(super) struct Aim {
    pub(super) beam: Beam,
    pub(super) limit: Limit,
}

/// The largest time that counts.
#[derive(Clone, Copy, Debug)]
pub(super) struct Limit {
    /// In multiples of the ray's direction.
    max_t: f64,
    /// The beam's direction is the ray's, times two to this power: 0, but for extreme lengths.
    power: i32,
}

/// Directions whose largest coordinate is within two to plus and minus this power are taken as they are.
const PLAIN: u64 = 200;

impl Aim {
    #[inline(always)]
    pub(super) fn new(target: &Target<'_>, ray: &Ray) -> Aim {
        // As `Placement::point_to_model` does it, with the inverse at hand.
        let linear = &target.model_from_world_linear;
        let origin = *linear * (ray.origin() - target.placement.world_from_model().translation);
        // A direction of ordinary length is taken as it is; others are brought near 1 on both sides of the map, by
        // powers of two, so that nothing over- or underflows.
        let (direction, before) = ordinary(ray.direction());
        let (direction, after) = ordinary(*linear * direction);
        Aim { beam: Beam::new(origin, direction), limit: Limit { max_t: ray.max_t(), power: before + after } }
    }

    /// Whether the beam's direction is the ray's own, not scaled by a power of two.
    pub(super) fn is_plain(&self) -> bool {
        self.limit.power == 0
    }

    /// Whether rounding left nothing of the direction, as a placement at the edge of the singular ones may.
    #[inline(always)]
    pub(super) fn leads_nowhere(&self) -> bool {
        self.beam.direction == DVec3::ZERO
    }
}

impl Limit {
    /// A little more than the largest time, for searches, in multiples of the beam's direction.
    #[inline(always)]
    pub(super) fn at_most(&self) -> f64 {
        if self.max_t == f64::INFINITY {
            return self.max_t;
        }
        libm::ldexp(self.max_t, -self.power) * (1.0 + f64::EPSILON) + f64::MIN_POSITIVE
    }

    /// Whether a crossing is not beyond the largest time, exactly.
    #[inline(always)]
    pub(super) fn allows(&self, beam: &Beam, crossing: &Crossing, corners: &[DVec3; 3]) -> bool {
        let Crossing { t, error, .. } = *crossing;
        let is_plain = self.power == 0;
        if self.max_t == f64::INFINITY || is_plain && t + error < self.max_t {
            true
        } else if is_plain && t - error > self.max_t {
            false
        } else {
            self.allows_exactly(beam, corners)
        }
    }

    #[cold]
    #[inline(never)]
    fn allows_exactly(&self, beam: &Beam, corners: &[DVec3; 3]) -> bool {
        let limit = Dyadic::from(self.max_t).scaled(-i64::from(self.power));
        exact_time(beam, corners).is_some_and(|time| time <= Fraction::new(limit, Dyadic::from(1.0)))
    }

    /// A time of the beam in multiples of the ray's own direction.
    #[inline(always)]
    pub(super) fn to_ray(self, t: f64) -> f64 {
        if self.power == 0 { t } else { libm::ldexp(t, self.power).min(f64::MAX) }
    }
}

/// The vector times a power of two, and the power.
#[inline(always)]
fn ordinary(vector: DVec3) -> (DVec3, i32) {
    const MOST: f64 = f64::from_bits((1023 + PLAIN) << 52);
    const LEAST: f64 = f64::from_bits((1023 - PLAIN) << 52);
    let size = vector.abs().max_element();
    if (LEAST..=MOST).contains(&size) || size == 0.0 { (vector, 0) } else { brought_near_one(vector, size) }
}

#[cold]
#[inline(never)]
fn brought_near_one(vector: DVec3, size: f64) -> (DVec3, i32) {
    let power = -libm::ilogb(size);
    (DVec3::from_array(vector.to_array().map(|x| libm::ldexp(x, power))), power)
}
