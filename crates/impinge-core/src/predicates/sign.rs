//! Signs of numbers: what every predicate answers.

use std::cmp::Ordering;
use std::ops::Neg;

/// The sign of a number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Sign {
    /// Below zero.
    Negative = -1,
    /// Exactly zero.
    Zero = 0,
    /// Above zero.
    Positive = 1,
}

impl Sign {
    /// The sign of a number that is not NaN.
    #[inline]
    pub fn of(value: f64) -> Sign {
        if value > 0.0 {
            Sign::Positive
        } else if value < 0.0 {
            Sign::Negative
        } else {
            Sign::Zero
        }
    }

    /// Whether the number is zero.
    #[inline]
    pub fn is_zero(self) -> bool {
        self == Sign::Zero
    }
}

impl From<Ordering> for Sign {
    /// The sign of a difference: positive where what is compared is greater.
    #[inline]
    fn from(ordering: Ordering) -> Sign {
        match ordering {
            Ordering::Less => Sign::Negative,
            Ordering::Equal => Sign::Zero,
            Ordering::Greater => Sign::Positive,
        }
    }
}

impl Neg for Sign {
    type Output = Sign;
    #[inline]
    fn neg(self) -> Sign {
        match self {
            Sign::Negative => Sign::Positive,
            Sign::Zero => Sign::Zero,
            Sign::Positive => Sign::Negative,
        }
    }
}
