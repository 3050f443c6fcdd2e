//! Dyadic numbers, `±m · 2^e` with a whole number m of any length: the ring in which every sum and product of `f64`
//! values is exact. It decides where expansions could over- or underflow, and it carries the rational points of the
//! containment test. Slow and small; nothing here needs to be fast.

use std::cmp::Ordering;
use std::ops::{Add, Mul, Neg, Sub};

use super::sign::Sign;

/// An exact number `±magnitude · 2^exponent`.
#[derive(Clone, Debug, Default)]
pub struct Dyadic {
    negative: bool,
    /// Base 2^64, least digit first, no zero digit at the top; empty for zero.
    magnitude: Vec<u64>,
    exponent: i64,
}

impl Dyadic {
    /// The number 0.
    pub const ZERO: Dyadic = Dyadic { negative: false, magnitude: Vec::new(), exponent: 0 };

    /// The sign of the number.
    pub fn sign(&self) -> Sign {
        match (self.magnitude.is_empty(), self.negative) {
            (true, _) => Sign::Zero,
            (_, true) => Sign::Negative,
            (_, false) => Sign::Positive,
        }
    }

    /// The number times 2^`power`.
    #[must_use]
    pub fn scaled(mut self, power: i64) -> Dyadic {
        self.exponent += power;
        self
    }

    /// `self / other`, rounded to about 50 bits; `other` must not be zero.
    pub fn ratio(&self, other: &Dyadic) -> f64 {
        let (a, a_exponent) = self.leading();
        let (b, b_exponent) = other.leading();
        // In two steps, because one power of two may overflow where the result does not.
        let power = (a_exponent - b_exponent).clamp(-4000, 4000) as i32;
        libm::ldexp(libm::ldexp(a / b, power / 2), power - power / 2)
    }

    /// The top 128 bits as a number, and the exponent that goes with it.
    fn leading(&self) -> (f64, i64) {
        let top = self.magnitude.len();
        let digit = |back: usize| top.checked_sub(back).map_or(0, |i| self.magnitude[i]);
        let value = digit(1) as f64 * 18_446_744_073_709_551_616.0 + digit(2) as f64;
        let exponent = self.exponent + 64 * (top as i64 - 2);
        (if self.negative { -value } else { value }, exponent)
    }

    fn new(negative: bool, mut magnitude: Vec<u64>, mut exponent: i64) -> Dyadic {
        while magnitude.last() == Some(&0) {
            magnitude.pop();
        }
        // Whole zero digits at the bottom move into the exponent, so that numbers stay short.
        let zeros = magnitude.iter().take_while(|&&digit| digit == 0).count();
        magnitude.drain(..zeros);
        exponent += 64 * zeros as i64;
        if magnitude.is_empty() { Dyadic::ZERO } else { Dyadic { negative, magnitude, exponent } }
    }

    /// The magnitude as digits of a number with a smaller or equal exponent.
    fn digits_at(&self, exponent: i64) -> Vec<u64> {
        let shift = (self.exponent - exponent) as u64;
        let (whole, bits) = ((shift / 64) as usize, shift % 64);
        let mut digits = vec![0; whole];
        let mut carry = 0;
        for &digit in &self.magnitude {
            digits.push(digit << bits | carry);
            carry = if bits == 0 { 0 } else { digit >> (64 - bits) };
        }
        digits.push(carry);
        digits
    }
}

impl From<f64> for Dyadic {
    /// The exact value of a finite number.
    fn from(value: f64) -> Dyadic {
        debug_assert!(value.is_finite());
        let bits = value.to_bits();
        let (exponent, fraction) = ((bits >> 52 & 0x7ff) as i64, bits & ((1 << 52) - 1));
        let (mantissa, exponent) =
            if exponent == 0 { (fraction, -1074) } else { (fraction | 1 << 52, exponent - 1075) };
        Dyadic::new(value < 0.0, vec![mantissa], exponent)
    }
}

impl Neg for Dyadic {
    type Output = Dyadic;
    fn neg(mut self) -> Dyadic {
        self.negative = !self.negative && !self.magnitude.is_empty();
        self
    }
}

impl Add for &Dyadic {
    type Output = Dyadic;
    fn add(self, other: &Dyadic) -> Dyadic {
        if self.magnitude.is_empty() {
            return other.clone();
        }
        if other.magnitude.is_empty() {
            return self.clone();
        }
        let exponent = self.exponent.min(other.exponent);
        let (mut a, mut b) = (self.digits_at(exponent), other.digits_at(exponent));
        let length = a.len().max(b.len()) + 1;
        a.resize(length, 0);
        b.resize(length, 0);
        if self.negative == other.negative {
            let mut carry = false;
            for (x, y) in a.iter_mut().zip(&b) {
                let (sum, over) = x.overflowing_add(*y);
                let (sum, over_again) = sum.overflowing_add(u64::from(carry));
                (*x, carry) = (sum, over | over_again);
            }
            return Dyadic::new(self.negative, a, exponent);
        }
        let (negative, greater, less) = match a.iter().rev().cmp(b.iter().rev()) {
            Ordering::Less => (other.negative, &mut b, &a),
            _ => (self.negative, &mut a, &b),
        };
        let mut borrow = false;
        for (x, y) in greater.iter_mut().zip(less) {
            let (difference, under) = x.overflowing_sub(*y);
            let (difference, under_again) = difference.overflowing_sub(u64::from(borrow));
            (*x, borrow) = (difference, under | under_again);
        }
        Dyadic::new(negative, std::mem::take(greater), exponent)
    }
}

impl Sub for &Dyadic {
    type Output = Dyadic;
    fn sub(self, other: &Dyadic) -> Dyadic {
        self + &-other.clone()
    }
}

impl Mul for &Dyadic {
    type Output = Dyadic;
    fn mul(self, other: &Dyadic) -> Dyadic {
        let mut product = vec![0; self.magnitude.len() + other.magnitude.len()];
        for (i, &x) in self.magnitude.iter().enumerate() {
            let mut carry = 0;
            for (digit, &y) in product[i..].iter_mut().zip(&other.magnitude) {
                let sum = u128::from(x) * u128::from(y) + u128::from(*digit) + u128::from(carry);
                (*digit, carry) = (sum as u64, (sum >> 64) as u64);
            }
            product[i + other.magnitude.len()] = carry;
        }
        Dyadic::new(self.negative != other.negative, product, self.exponent + other.exponent)
    }
}

impl PartialEq for Dyadic {
    fn eq(&self, other: &Dyadic) -> bool {
        self.cmp(other) == Ordering::Equal
    }
}

impl Eq for Dyadic {}

impl PartialOrd for Dyadic {
    fn partial_cmp(&self, other: &Dyadic) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Dyadic {
    fn cmp(&self, other: &Dyadic) -> Ordering {
        match (self - other).sign() {
            Sign::Negative => Ordering::Less,
            Sign::Zero => Ordering::Equal,
            Sign::Positive => Ordering::Greater,
        }
    }
}
