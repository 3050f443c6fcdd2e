//! Offsets in sixteen bits: whole steps of a tree's own unit, rounded outward.
//!
//! Four children with 6 directions take 64 bytes that way, one line of the cache, and a traversal compares sixteen pairs of
//! children in one register. Offsets along the longer directions are divided by their span, so that all fit alike.

use crate::bounds::directions;

/// Half the steps from one end of a tree to the other: tree coordinates in [-1, 1] become whole numbers of 16 bits.
pub(super) const STEPS: f64 = 32768.0;

/// The largest tree coordinate: so far below 1 that rounding up leaves it within 16 bits.
pub(super) const FULLEST: f64 = 1.0 - 1.0 / 4096.0;

/// The divisors of offsets along each direction: the number of its coordinates that are not 0, rounded up to a
/// power of two. Within a cube a direction reaches no further.
pub(super) const fn spans<const K: usize>() -> [f64; K] {
    let directions = directions::<K>();
    let mut spans = [1.0; K];
    let mut i = 0;
    while i < K {
        let [x, y, z] = directions[i];
        let coordinates = x * x + y * y + z * z;
        spans[i] = if coordinates < 1.5 {
            1.0
        } else if coordinates < 2.5 {
            2.0
        } else {
            4.0
        };
        i += 1;
    }
    spans
}

/// The directions, divided by their spans.
pub(super) const fn spanned<const K: usize>() -> [[f64; 3]; K] {
    let (mut spanned, spans) = (directions::<K>(), spans::<K>());
    let mut i = 0;
    while i < K {
        let [x, y, z] = spanned[i];
        spanned[i] = [x / spans[i], y / spans[i], z / spans[i]];
        i += 1;
    }
    spanned
}

/// Offsets in tree coordinates as whole steps.
#[inline(always)]
pub(super) fn in_steps<const K: usize>(offsets: &[f32; K]) -> [i16; K] {
    let mut steps = [0; K];
    let mut i = 0;
    while i < K {
        steps[i] = up(offsets[i] * const { (STEPS / 2.0) as f32 } * (2.0 / const { spans::<K>() }[i] as f32));
        i += 1;
    }
    steps
}

/// The least whole number that is not below `exact`, which is below 2^22 in size.
#[inline(always)]
pub(super) fn up(exact: f32) -> i16 {
    // Added to a number this large, the nearest whole number is left in the lowest bits. Casts would saturate, which wide
    // registers cannot do.
    const LARGE: f32 = (3 << 22) as f32;
    let sum = exact + LARGE;
    let nearest = sum.to_bits().wrapping_sub(LARGE.to_bits()) as i32;
    nearest.wrapping_add(i32::from(sum - LARGE < exact)) as i16
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn steps_round_outward() {
        for i in -1000..1000 {
            let offset = i as f32 * 0.000_999;
            for (&steps, span) in in_steps::<26>(&[offset; 26]).iter().zip(spans::<26>()) {
                let back = f64::from(steps) * span / STEPS;
                assert!(
                    back >= f64::from(offset) && back < f64::from(offset) + span / STEPS,
                    "{offset} {steps}"
                );
            }
        }
    }
}
