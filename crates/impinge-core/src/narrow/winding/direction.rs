//! Directions of rays that pass through no edge, unless by bad luck.

use crate::math::DVec3;
use crate::predicates::Dyadic;

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
