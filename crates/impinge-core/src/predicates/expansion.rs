//! Expansions: sums of non-overlapping `f64` terms, least first, that stand for their exact total (Shewchuk,
//! *Adaptive Precision Floating-Point Arithmetic and Fast Robust Geometric Predicates*, 1997).
//!
//! Everything here is exact as long as no product over- or underflows; [`in_range`] tells when that is certain for
//! products of up to three coordinates. No fused multiply-add: the results are the same on every platform.

use crate::math::DVec3;

/// Coordinates whose triple products of differences neither overflow nor lose bits to underflow: the last bit of a
/// coordinate of at least 2^-300 is worth at least 2^-352, so the last bit of a triple product is worth 2^-1056.
#[inline]
pub(super) fn in_range(coordinate: f64) -> bool {
    const LEAST: f64 = f64::from_bits((1023 - 300) << 52);
    const MOST: f64 = f64::from_bits((1023 + 300) << 52);
    let size = coordinate.abs();
    size == 0.0 || (LEAST..MOST).contains(&size)
}

/// `a + b` as rounded sum and error.
#[inline]
pub(super) fn two_sum(a: f64, b: f64) -> (f64, f64) {
    let sum = a + b;
    let b_part = sum - a;
    let a_part = sum - b_part;
    (sum, (a - a_part) + (b - b_part))
}

/// `a - b`, if that is a `f64` in every coordinate. Nothing may overflow.
#[inline]
pub fn exact_difference(a: DVec3, b: DVec3) -> Option<DVec3> {
    let [x, y, z] = [two_sum(a.x, -b.x), two_sum(a.y, -b.y), two_sum(a.z, -b.z)];
    (x.1 == 0.0 && y.1 == 0.0 && z.1 == 0.0).then(|| DVec3::new(x.0, y.0, z.0))
}

/// `a + b` as rounded sum and error, where |a| ≥ |b| is known.
#[inline]
fn fast_two_sum(a: f64, b: f64) -> (f64, f64) {
    let sum = a + b;
    (sum, b - (sum - a))
}

/// The two halves of a mantissa.
#[inline]
pub(super) fn split(a: f64) -> (f64, f64) {
    const SPLITTER: f64 = 134_217_729.0; // 2^27 + 1
    let c = SPLITTER * a;
    let high = c - (c - a);
    (high, a - high)
}

/// `a * b` as rounded product and error, `b` being split already.
#[inline]
pub(super) fn two_product(a: f64, b: f64, (b_high, b_low): (f64, f64)) -> (f64, f64) {
    let product = a * b;
    let (a_high, a_low) = split(a);
    let error = ((product - a_high * b_high) - a_low * b_high) - a_high * b_low;
    (product, a_low * b_low - error)
}

/// An expansion of at most `N` terms, without zeros.
#[derive(Clone, Copy)]
pub(super) struct Expansion<const N: usize> {
    terms: [f64; N],
    len: usize,
}

impl<const N: usize> Expansion<N> {
    #[inline]
    fn empty() -> Self {
        Expansion { terms: [0.0; N], len: 0 }
    }

    #[inline]
    fn push(&mut self, term: f64) {
        if term != 0.0 {
            self.terms[self.len] = term;
            self.len += 1;
        }
    }

    #[inline]
    fn terms(&self) -> &[f64] {
        &self.terms[..self.len]
    }

    /// The sum of two expansions; `N` must be at least the sum of their capacities.
    pub(super) fn sum<const A: usize, const B: usize>(a: &Expansion<A>, b: &Expansion<B>) -> Self {
        const { assert!(N >= A + B) };
        let mut total = Self::empty();
        if a.len == 0 || b.len == 0 {
            let (terms, len) = if a.len == 0 { (&b.terms[..], b.len) } else { (&a.terms[..], a.len) };
            total.terms[..len].copy_from_slice(&terms[..len]);
            total.len = len;
            return total;
        }
        // Terms of both in ascending order of size.
        let (a, b) = (a.terms(), b.terms());
        let (mut i, mut j) = (0, 0);
        let mut rest = 0.0;
        while i < a.len() || j < b.len() {
            let from_a = i < a.len() && (j == b.len() || a[i].abs() <= b[j].abs());
            let term = if from_a { a[i] } else { b[j] };
            (i, j) = if from_a { (i + 1, j) } else { (i, j + 1) };
            let error;
            (rest, error) = two_sum(rest, term);
            total.push(error);
        }
        total.push(rest);
        total
    }

    /// The product of an expansion and one number; `N` must be at least twice the expansion's capacity.
    fn scaled<const A: usize>(a: &Expansion<A>, factor: f64) -> Self {
        const { assert!(N >= 2 * A) };
        let mut product = Self::empty();
        let halves = split(factor);
        let Some((&first, others)) = a.terms().split_first() else { return product };
        let (mut rest, error) = two_product(first, factor, halves);
        product.push(error);
        for &term in others {
            let (high, low) = two_product(term, factor, halves);
            let (sum, error) = two_sum(rest, low);
            product.push(error);
            let error;
            (rest, error) = fast_two_sum(high, sum);
            product.push(error);
        }
        product.push(rest);
        product
    }

    /// The expansion with the opposite sign.
    pub(super) fn negated(mut self) -> Self {
        for term in &mut self.terms[..self.len] {
            *term = -*term;
        }
        self
    }

    /// The largest term: it has the sign of the whole, and is 0 only if the whole is.
    pub(super) fn leading(&self) -> f64 {
        self.terms().last().copied().unwrap_or(0.0)
    }

    /// Whether the whole is a single number, so that the estimate is exact.
    pub(super) fn is_one_number(&self) -> bool {
        self.len <= 1
    }

    /// The whole, rounded; the relative error is a few units in the last place.
    pub(super) fn estimate(&self) -> f64 {
        self.terms().iter().sum()
    }
}

impl Expansion<2> {
    /// `a - b` exactly.
    #[inline]
    pub(super) fn difference(a: f64, b: f64) -> Self {
        let (difference, error) = two_sum(a, -b);
        let mut whole = Self::empty();
        whole.push(error);
        whole.push(difference);
        whole
    }
}

/// The product of an expansion and a difference of two coordinates.
pub(super) fn times<const A: usize, const A2: usize, const A4: usize>(
    a: &Expansion<A>,
    b: &Expansion<2>,
) -> Expansion<A4> {
    let mut total = Expansion::empty();
    for &factor in b.terms() {
        let part: Expansion<A2> = Expansion::scaled(a, factor);
        if total.len == 0 {
            for &term in part.terms() {
                total.push(term);
            }
        } else {
            let before: Expansion<A2> = Expansion { terms: first_terms(&total.terms), len: total.len };
            total = Expansion::sum(&before, &part);
        }
    }
    total
}

fn first_terms<const FROM: usize, const TO: usize>(terms: &[f64; FROM]) -> [f64; TO] {
    std::array::from_fn(|i| terms[i])
}

/// The product of two numbers.
#[inline]
fn product(a: f64, b: f64) -> Expansion<2> {
    let mut whole = Expansion::empty();
    if a != 0.0 && b != 0.0 {
        let (product, error) = two_product(a, b, split(b));
        whole.push(error);
        whole.push(product);
    }
    whole
}

/// The determinant of two vectors of plain numbers, as an expansion.
#[inline]
pub(super) fn short_determinant2(a: f64, b: f64, c: f64, d: f64) -> Expansion<4> {
    Expansion::sum(&product(a, d), &product(b, c).negated())
}

/// The determinant of three vectors of plain numbers, as an expansion.
pub(super) fn short_determinant3(rows: &[[f64; 3]; 3]) -> Expansion<24> {
    let [u, v, w] = rows;
    let part = |i: usize, j: usize, factor: f64| -> Expansion<8> {
        if factor == 0.0 {
            return Expansion::empty();
        }
        Expansion::scaled(&short_determinant2(u[i], u[j], v[i], v[j]), factor)
    };
    let xy: Expansion<16> = Expansion::sum(&part(1, 2, w[0]), &part(2, 0, w[1]));
    Expansion::sum(&xy, &part(0, 1, w[2]))
}

/// The determinant of three vectors to twice the digits of `f64`, if these tell its sign: nearly always, unless it is 0, and then, too, where
/// no operation was rounded, as of points with few digits.
pub(super) fn likely_determinant3(rows: &[[f64; 3]; 3]) -> Option<f64> {
    // Some 60 ε² are needed, ε being 2^-53; see `docs/math/predicates.md`.
    const BOUND: f64 = f64::from_bits((1023 - 98) << 52);
    let [u, v, w] = rows;
    let (mut total, mut rest, mut size, mut lost) = (0.0, 0.0, 0.0, 0.0);
    for (i, j, k) in [(1, 2, 0), (2, 0, 1), (0, 1, 2)] {
        let (left, left_error) = two_product(u[i], v[j], split(v[j]));
        let (right, right_error) = two_product(u[j], v[i], split(v[i]));
        let (minor, error) = two_sum(left, -right);
        lost += left_error.abs() + right_error.abs() + error.abs();
        let (minor, minor_rest) = two_sum(minor, error + (left_error - right_error));
        let (term, term_error) = two_product(minor, w[k], split(w[k]));
        let sum_error;
        (total, sum_error) = two_sum(total, term);
        rest += sum_error + (term_error + minor_rest * w[k]);
        lost += f64::abs(sum_error) + term_error.abs() + minor_rest.abs();
        size += (left.abs() + right.abs()) * w[k].abs();
    }
    let value: f64 = total + rest;
    (value.abs() > BOUND * size + f64::MIN_POSITIVE || lost == 0.0).then_some(value)
}

/// The differences of coordinates as plain numbers, if none of them is rounded.
#[inline]
pub(super) fn exact_differences<const N: usize>(a: [f64; N], b: [f64; N]) -> Option<[f64; N]> {
    let mut differences = [0.0; N];
    let mut lost = 0.0;
    for i in 0..N {
        let (difference, error) = two_sum(a[i], -b[i]);
        differences[i] = difference;
        lost += error.abs();
    }
    (lost == 0.0).then_some(differences)
}

/// The determinant of three vectors given by exact differences, as an expansion.
pub(super) fn determinant3(rows: &[[Expansion<2>; 3]; 3]) -> Expansion<192> {
    let [u, v, w] = rows;
    let minor = |i: usize, j: usize| -> Expansion<16> {
        let left: Expansion<8> = times::<2, 4, 8>(&u[i], &v[j]);
        let right: Expansion<8> = times::<2, 4, 8>(&u[j], &v[i]);
        Expansion::sum(&left, &right.negated())
    };
    let x: Expansion<64> = times::<16, 32, 64>(&minor(1, 2), &w[0]);
    let y: Expansion<64> = times::<16, 32, 64>(&minor(2, 0), &w[1]);
    let z: Expansion<64> = times::<16, 32, 64>(&minor(0, 1), &w[2]);
    let xy: Expansion<128> = Expansion::sum(&x, &y);
    Expansion::sum(&xy, &z)
}

/// The determinant of two vectors given by exact differences, as an expansion.
pub(super) fn determinant2(rows: &[[Expansion<2>; 2]; 2]) -> Expansion<16> {
    let left: Expansion<8> = times::<2, 4, 8>(&rows[0][0], &rows[1][1]);
    let right: Expansion<8> = times::<2, 4, 8>(&rows[0][1], &rows[1][0]);
    Expansion::sum(&left, &right.negated())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What the quick determinant knows has the sign of the expansion: of few digits it knows all, zeros too; of many it knows no zero.
    #[test]
    fn likely_determinants_have_the_sign_of_the_exact_one() {
        let mut state = 3_u64;
        let mut next = |bits: u32| {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            ((state >> 11) as i64 >> (53 - bits)) as f64 - f64::from(1 << (bits.min(20) - 1))
        };
        let mut zeros = [0; 2];
        for case in 0..40_000 {
            let bits = [2, 3, 8, 40, 53][case % 5];
            let mut vector = || [next(bits), next(bits), next(bits)];
            let (u, v) = (vector(), vector());
            // In the plane of the others, up to rounding where there are many digits.
            let w = if case % 2 == 0 { vector() } else { std::array::from_fn(|i| u[i] - 3.0 * v[i]) };
            let exact = short_determinant3(&[u, v, w]).leading();
            let likely = likely_determinant3(&[u, v, w]);
            if bits <= 8 {
                assert!(likely.is_some(), "{u:?} {v:?} {w:?}");
            }
            if let Some(likely) = likely {
                assert_eq!(likely.partial_cmp(&0.0), exact.partial_cmp(&0.0), "{u:?} {v:?} {w:?}");
            }
            if exact == 0.0 {
                zeros[usize::from(bits > 8)] += 1;
            }
        }
        assert!(zeros[0] > 10_000 && zeros[1] > 1000, "{zeros:?}");
    }
}
