//! Numbers of twice the precision: unevaluated sums of two `f64`, for quotients whose terms cancel.
//!
//! Not exact, unlike expansions: each operation is off by some 2⁻¹⁰⁰ of its terms. Cheap, and enough where a filter in
//! plain `f64` has found that half of the digits are gone. No fused multiply-add: the same bits on every platform.

use super::expansion::{split, two_product, two_sum};
use crate::math::DVec3;

/// The sum of two `f64`, the second much smaller than the first.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Twofold {
    high: f64,
    low: f64,
}

impl Twofold {
    /// The dot product of two vectors.
    pub fn dot(u: DVec3, v: DVec3) -> Twofold {
        let [x, y, z] = [0, 1, 2].map(|i| two_product(u[i], v[i], split(v[i])));
        let (sum, first) = two_sum(x.0, y.0);
        let (sum, second) = two_sum(sum, z.0);
        Twofold::from_parts(sum, first + second + (x.1 + y.1 + z.1))
    }

    /// The twofold of one number.
    pub fn from_value(value: f64) -> Twofold {
        Twofold { high: value, low: 0.0 }
    }

    /// `self * other`.
    pub fn times(self, other: Twofold) -> Twofold {
        let (product, error) = two_product(self.high, other.high, split(other.high));
        Twofold::from_parts(product, error + (self.high * other.low + self.low * other.high))
    }

    /// `self - other`.
    pub fn minus(self, other: Twofold) -> Twofold {
        let (difference, error) = two_sum(self.high, -other.high);
        Twofold::from_parts(difference, error + (self.low - other.low))
    }

    /// The nearest `f64`.
    pub fn value(self) -> f64 {
        self.high
    }

    fn from_parts(high: f64, low: f64) -> Twofold {
        let (high, low) = two_sum(high, low);
        Twofold { high, low }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_cancels_in_f64_is_kept() {
        let unit = f64::EPSILON;
        // Squares of lengths minus the square of the product: sin² of an angle of 2⁻⁵², which f64 rounds away.
        let (u, v) = (DVec3::new(1.0, 0.0, 0.0), DVec3::new(1.0, unit, 0.0));
        let determinant =
            Twofold::dot(u, u).times(Twofold::dot(v, v)).minus(Twofold::dot(u, v).times(Twofold::dot(u, v)));
        assert_eq!(determinant.value(), unit * unit);
        assert_eq!(u.length_squared() * v.length_squared() - u.dot(v) * u.dot(v), 0.0);
        let (u, v) = (DVec3::new(1e8, 1.0, -1e8), DVec3::new(1e8, 1e-8, 1e8));
        assert_eq!(Twofold::dot(u, v).value(), 1e-8);
    }
}
