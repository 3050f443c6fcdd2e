//! Points of the unit circle with all the symmetry that the circle has.

use std::f64::consts::{FRAC_1_SQRT_2, FRAC_PI_4};

/// Cosine and sine of `step / steps` of a full turn.
///
/// Only the first eighth of the turn is computed; the rest are its mirror images. So quarter turns are exact, points
/// that should mirror each other do so to the last bit, and flat sides come out flat.
pub(crate) fn turn(step: u32, steps: u32) -> [f64; 2] {
    let steps = u64::from(steps);
    let eighths = u64::from(step) % steps * 8;
    let (octant, past) = (eighths / steps, eighths % steps);
    // Odd octants are measured backwards from their end.
    let from_axis = if octant % 2 == 0 { past } else { steps - past };
    let [c, s] = if from_axis == steps {
        [FRAC_1_SQRT_2; 2]
    } else {
        let angle = FRAC_PI_4 * (from_axis as f64 / steps as f64);
        [libm::cos(angle), libm::sin(angle)]
    };
    let [x, y] = match octant {
        0 => [c, s],
        1 => [s, c],
        2 => [-s, c],
        3 => [-c, s],
        4 => [-c, -s],
        5 => [-s, -c],
        6 => [s, -c],
        _ => [c, -s],
    };
    // Adding zero turns -0 into 0, so that equal points are equal in their bits.
    [x + 0.0, y + 0.0]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quarters_are_exact_and_the_rest_is_right() {
        assert_eq!([0, 1, 2, 3, 4].map(|i| turn(i, 4)), [[1., 0.], [0., 1.], [-1., 0.], [0., -1.], [1., 0.]]);
        for steps in 1..50 {
            for step in 0..2 * steps {
                let [x, y] = turn(step, steps);
                let angle = std::f64::consts::TAU * f64::from(step) / f64::from(steps);
                // The angle in the comparison carries the rounding: up to 4π of it at 2⁻⁵³, a few times over.
                assert!((x - angle.cos()).abs() < 1e-14 && (y - angle.sin()).abs() < 1e-14, "{step}/{steps}");
                assert!(x.to_bits() != (-0.0_f64).to_bits() && y.to_bits() != (-0.0_f64).to_bits());
            }
        }
    }
}
