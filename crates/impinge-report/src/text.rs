//! Numbers and counts for people. JSON has all digits.

/// A number with eight digits, without zeros at the end.
pub fn short(value: f64) -> String {
    let rounded = format!("{value:.7e}").parse().unwrap_or(value);
    let magnitude = rounded.abs();
    if rounded == 0.0 {
        "0".to_owned()
    } else if (1e-5..1e12).contains(&magnitude) || !magnitude.is_finite() {
        format!("{rounded}")
    } else {
        format!("{rounded:e}")
    }
}

/// A point in brackets.
pub fn point([x, y, z]: [f64; 3]) -> String {
    format!("({}, {}, {})", short(x), short(y), short(z))
}

/// A number of things, in the singular or the plural.
pub fn counted(count: usize, one: &str, many: &str) -> String {
    format!("{count} {}", if count == 1 { one } else { many })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_short() {
        let cases = [
            (0.0, "0"),
            (-0.0, "0"),
            (0.1, "0.1"),
            (f64::from(0.1_f32), "0.1"),
            (-2.0 / 3.0, "-0.66666667"),
            (123_456_789.0, "123456790"),
            (1e300, "1e300"),
            (1.5e-7, "1.5e-7"),
            (5e-324, "5e-324"),
        ];
        for (value, text) in cases {
            assert_eq!(short(value), text);
        }
    }
}
