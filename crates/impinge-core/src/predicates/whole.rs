//! Determinants in whole numbers: points on a grid of a power of two, with coordinates in `i64`.
//!
//! Points of faces in contact are near each other, so one grid is nearly always fine enough for all their bits. Determinants are then exact
//! in some hundred instructions, zeros included, which no floating-point filter can tell. `docs/math/predicates.md` has the bounds.

use super::sign::Sign;

/// The number of bits of a coordinate on the grid, besides its sign.
const COORDINATE_BITS: u64 = 61;

/// The bias of the exponent of an `f64`.
const BIAS: u64 = 1023;

/// The points as whole numbers of one power of two, below 2^61 in size; `None` where that would round a coordinate.
///
/// Coordinates have to be in the range of expansions, so that scaling them neither over- nor underflows.
#[inline(always)]
pub(super) fn on_grid<const D: usize, const N: usize>(points: [[f64; D]; N]) -> Option<[[i64; D]; N]> {
    let most = points.as_flattened().iter().fold(0.0, |most: f64, coordinate| most.max(coordinate.abs()));
    // The exponent of `most` becomes 60; for zeros any number will do, and this one is finite.
    let scale = f64::from_bits((2 * BIAS + COORDINATE_BITS - 1 - (most.to_bits() >> 52)) << 52);
    let mut numbers = [[0; D]; N];
    let mut is_whole = true;
    for (number, coordinate) in numbers.as_flattened_mut().iter_mut().zip(points.as_flattened()) {
        let scaled = coordinate * scale;
        *number = scaled as i64;
        is_whole &= *number as f64 == scaled;
    }
    is_whole.then_some(numbers)
}

/// A point seen from another; below 2^62 in size.
#[inline(always)]
pub(super) fn difference<const D: usize>(point: [i64; D], origin: [i64; D]) -> [i64; D] {
    std::array::from_fn(|i| point[i] - origin[i])
}

/// The sign of the determinant of two vectors of numbers below 2^62 in size.
#[inline(always)]
pub(super) fn determinant2([u, v]: [[i64; 2]; 2]) -> Sign {
    let left = i128::from(u[0]) * i128::from(v[1]);
    Sign::from(left.cmp(&(i128::from(u[1]) * i128::from(v[0]))))
}

/// The sign of the determinant of three vectors of numbers below 2^62 in size.
#[inline(always)]
pub(super) fn determinant3([u, v, w]: [[i64; 3]; 3]) -> Sign {
    // The determinant is `high` · 2^64 + `low`.
    let (mut high, mut low) = (0_i128, 0_u128);
    for (i, j, k) in [(1, 2, 0), (2, 0, 1), (0, 1, 2)] {
        let minor = i128::from(u[i]) * i128::from(v[j]) - i128::from(u[j]) * i128::from(v[i]);
        let factor = i128::from(w[k]);
        let product = i128::from(minor as u64) * factor;
        high += (minor >> 64) * factor + (product >> 64);
        low += u128::from(product as u64);
    }
    high += (low >> 64) as i128;
    Sign::from(high.cmp(&0).then((low as u64).cmp(&0)))
}

#[cfg(test)]
mod tests {
    use super::super::dyadic::Dyadic;
    use super::*;

    /// Numbers with up to so many bits, with a bias to the largest and to zero.
    fn numbers(seed: u64) -> impl FnMut(u32) -> i64 {
        let mut state = seed;
        move |bits: u32| {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            let limit = (1_i64 << bits) - 1;
            match state >> 60 {
                0 => 0,
                1 => limit,
                2 => -limit,
                _ => (state.rotate_left(17) as i64) >> (63 - bits),
            }
        }
    }

    fn dyadic(number: i64) -> Dyadic {
        let low = number & 0xffff_ffff;
        &Dyadic::from((number - low) as f64) + &Dyadic::from(low as f64)
    }

    #[test]
    fn determinants_have_the_sign_of_dyadic_numbers() {
        let mut next = numbers(11);
        let mut signs = [0; 3];
        for case in 0..60_000 {
            let bits = [2, 5, 31, 33, 62][case % 5];
            let mut vector = |bits: u32| [next(bits), next(bits), next(bits)];
            let (u, v) = (vector(bits), vector(bits));
            // In the plane of the others, or next to it.
            let mut w = match case % 3 {
                0 => vector(bits),
                _ => std::array::from_fn(|i| u[i] / 2 - v[i] / 2),
            };
            if case % 3 == 2 {
                w[case % 2] += 1;
            }
            let [exact_u, exact_v, exact_w] = [u, v, w].map(|row| row.map(dyadic));
            let minor = |i: usize, j: usize| &(&exact_u[i] * &exact_v[j]) - &(&exact_u[j] * &exact_v[i]);
            let xy = &(&exact_w[0] * &minor(1, 2)) + &(&exact_w[1] * &minor(2, 0));
            let sign = (&xy + &(&exact_w[2] * &minor(0, 1))).sign();
            assert_eq!(determinant3([u, v, w]), sign, "{u:?} {v:?} {w:?}");
            let plane = [[u[0], u[1]], [v[0], v[1]]];
            assert_eq!(determinant2(plane), minor(0, 1).sign(), "{u:?} {v:?}");
            signs[(sign as i32 + 1) as usize] += 1;
        }
        assert!(signs.iter().all(|count| *count > 3_000), "{signs:?}");
    }

    #[test]
    fn a_grid_rounds_no_coordinate() {
        let ulp = f64::EPSILON;
        assert_eq!(
            on_grid([[1.0, -0.5], [0.0, 2.0 - ulp]]),
            Some([[1 << 60, -1 << 59], [0, (1 << 61) - (1 << 8)]])
        );
        // The last bit of the least coordinate is a whole number of the grid just so.
        let least = (1.0 + ulp) / 256.0;
        assert_eq!(on_grid([[1.0, least]]), Some([[1 << 60, (1 << 52) + 1]]));
        assert_eq!(on_grid([[1.0, least / 2.0]]), None);
        assert_eq!(on_grid([[2.0, least]]), None);
        let far = f64::from_bits((BIAS + 299) << 52);
        assert_eq!(on_grid([[far, -far]]), Some([[1 << 60, -1 << 60]]));
        assert_eq!(on_grid([[1.0 / far, 3.0 / far]]), Some([[1 << 59, 3 << 59]]));
        assert_eq!(on_grid([[far, 1.0 / far]]), None);
        assert_eq!(on_grid([[0.0, -0.0]]), Some([[0, 0]]));
    }
}
