//! How far numbers of a file may be off: by the digits or bits that they are stored with.

use impinge::math::DVec3;

/// The greatest relative rounding of an `f32`.
pub(crate) const OF_F32: f64 = 1.0 / (1_u64 << 24) as f64;
/// The greatest relative rounding of an `f64`.
pub(crate) const OF_F64: f64 = 1.0 / (1_u64 << 53) as f64;

/// Numbers with fewer digits than this were chosen, not rounded: a cube written by hand has corners at 0 and 1.
const FEW_DIGITS: i32 = 6;
/// A number that is an `f32` and needs so many bits was rounded to one.
const MANY_BITS: u32 = 20;

/// The largest coordinate by size.
pub(crate) fn largest(points: impl IntoIterator<Item = DVec3>) -> f64 {
    points.into_iter().fold(0.0, |most, point| point.abs().max_element().max(most))
}

/// How far a number of a document may be off whose type is not known: a double, unless it is an `f32` of nearly all bits.
pub(crate) fn of_number(number: f64) -> f64 {
    let is_f32 = f64::from(number as f32) == number;
    // The bits behind the last one that is set are not needed; the leading one is not stored.
    let bits = 53 - (number.to_bits() | 1 << 52).trailing_zeros().min(52);
    number.abs() * if is_f32 && bits >= MANY_BITS { OF_F32 } else { OF_F64 }
}

/// How far a number may be off that is written so: by half of its last digit, where it has enough of them not to be chosen.
pub(crate) fn of_written(word: &[u8], value: f64) -> f64 {
    let mut digits = Digits::default();
    digits.see(word);
    if digits.significant < FEW_DIGITS {
        return OF_F64 * value.abs();
    }
    digits.rounding(value.abs())
}

/// The digits that the coordinates of a text file are written with.
#[derive(Default)]
pub(crate) struct Digits {
    /// The most digits behind the point, exponents counted; `None` before the first number.
    decimals: Option<i32>,
    /// The most digits from the first that is not 0 on.
    significant: i32,
}

impl Digits {
    /// Counts the digits of a word that is a number.
    pub(crate) fn see(&mut self, word: &[u8]) {
        let (mut significant, mut decimals) = (0_i32, 0_i32);
        let (mut is_behind_point, mut is_significant) = (false, false);
        let mut exponent = 0_i32;
        for (place, &byte) in word.iter().enumerate() {
            match byte {
                b'0'..=b'9' => {
                    is_significant |= byte != b'0';
                    significant += i32::from(is_significant);
                    decimals += i32::from(is_behind_point);
                }
                b'.' => is_behind_point = true,
                b'e' | b'E' => {
                    let text = str::from_utf8(&word[place + 1..]).ok();
                    // An exponent that does not fit is of a number that is 0 or was refused.
                    exponent = text.and_then(|text| text.parse().ok()).unwrap_or(0);
                    break;
                }
                _ => {}
            }
        }
        // Zeros have no digits that count, but they have decimals: 0.000 among 0.125.
        let decimals = if is_significant { decimals.saturating_sub(exponent) } else { decimals };
        self.decimals = Some(self.decimals.map_or(decimals, |most| most.max(decimals)));
        self.significant = self.significant.max(significant);
    }

    /// How far coordinates may be off whose largest is given: by half of the last digit.
    pub(crate) fn rounding(&self, largest: f64) -> f64 {
        if largest == 0.0 {
            return 0.0;
        }
        let Some(decimals) = self.decimals.filter(|_| self.significant >= FEW_DIGITS) else {
            return OF_F32 * largest;
        };
        let last_digit = largest.log10().floor() as i32 + 1 - self.significant;
        let step = power_of_ten(-decimals).max(power_of_ten(last_digit));
        // What is written is rounded once more, to the nearest f64.
        0.5 * step + OF_F64 * largest
    }
}

fn power_of_ten(exponent: i32) -> f64 {
    10.0_f64.powi(exponent.clamp(-400, 308))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rounding(words: &[&str]) -> f64 {
        let mut digits = Digits::default();
        words.iter().for_each(|word| digits.see(word.as_bytes()));
        digits.rounding(
            words.iter().filter_map(|word| word.parse::<f64>().ok()).fold(0.0, |a, b| b.abs().max(a)),
        )
    }

    #[test]
    fn the_last_digit_counts() {
        for (words, expected) in [
            (&["0.123456"][..], 5e-7),
            (&["-12.34567", "1.0"], 5e-6),
            (&["1234567"], 0.5),
            // Six significant digits of a number above 100: the third decimal of the small one tells nothing.
            (&["123.456", "0.00123456"], 5e-4),
            (&["1.23456e-3", "0"], 5e-9),
            (&["1.234567E+3"], 5e-4),
            // Chosen, so that they count as f32.
            (&["0", "1", "0.5"], OF_F32),
            (&["100", "2e2"], 200.0 * OF_F32),
            // Trailing zeros are digits.
            (&["1.000000"], 5e-7),
            // Hardly finer than f64.
            (&["0.12345678901234567890"], 0.123_456_789 * OF_F64 + 5e-21),
            (&["0", "0.000000"], 0.0),
        ] {
            let found = rounding(words);
            assert!((found - expected).abs() <= 1e-8 * expected, "{words:?}: {found} {expected}");
        }
    }

    #[test]
    fn numbers_that_went_through_f32_are_known() {
        for (number, expected) in [
            (0.0, 0.0),
            (1.0, OF_F64),
            (1024.5, 1024.5 * OF_F64),
            // No f32.
            (0.1, 0.1 * OF_F64),
            (f64::from(0.1_f32), f64::from(0.1_f32) * OF_F32),
            (-f64::from(5_171_234.5_f32), 5_171_234.5 * OF_F32),
            (5_171_234.567, 5_171_234.567 * OF_F64),
        ] {
            assert_eq!(of_number(number), expected, "{number}");
        }
    }
}
