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

/// A number above 0 with so many digits, the last of them rounded up or down; any other number as it is.
pub fn with_digits(value: f64, digits: i32, round: fn(f64) -> f64) -> f64 {
    if !(value > 0.0 && value.is_finite()) {
        return value;
    }
    let exponent = value.log10().floor() as i32 + 1 - digits;
    let quotient = value / 10_f64.powi(exponent);
    // A number that has no more digits stays as it is, though the quotient is rounded.
    let is_whole = (quotient - quotient.round()).abs() < 1e-9 * quotient;
    let whole = if is_whole { quotient.round() } else { round(quotient) };
    // By its text, which has no rounding of a product in it.
    format!("{whole}e{exponent}").parse().unwrap_or(value)
}

/// A point in brackets.
pub fn point([x, y, z]: [f64; 3]) -> String {
    format!("({}, {}, {})", short(x), short(y), short(z))
}

/// A number of things, in the singular or the plural.
pub fn counted(count: usize, one: &str, many: &str) -> String {
    format!("{count} {}", if count == 1 { one } else { many })
}

/// Text from a file on one line of a terminal: what moves the cursor, turns the direction of the text or cannot be seen is written as an
/// escape, so that nothing looks like what it is not.
pub fn visible(text: &str) -> String {
    let mut shown = String::with_capacity(text.len());
    for letter in text.chars() {
        if letter.is_control() || is_invisible(letter) {
            shown.extend(letter.escape_default());
        } else {
            shown.push(letter);
        }
    }
    shown
}

/// Characters without a width or a picture of their own, and those that change the direction of others (Unicode's
/// `Default_Ignorable_Code_Point` and `Bidi_Control`, line and paragraph separators, annotations).
fn is_invisible(letter: char) -> bool {
    matches!(letter,
        '\u{ad}' | '\u{34f}' | '\u{61c}' | '\u{115f}'..='\u{1160}' | '\u{17b4}'..='\u{17b5}'
        | '\u{180b}'..='\u{180f}' | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}'
        | '\u{2060}'..='\u{206f}' | '\u{3164}' | '\u{fe00}'..='\u{fe0f}' | '\u{feff}' | '\u{ffa0}'
        | '\u{fff0}'..='\u{fffb}' | '\u{1bca0}'..='\u{1bca3}' | '\u{1d173}'..='\u{1d17a}'
        | '\u{e0000}'..='\u{e0fff}')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn digits_are_rounded_up_and_down() {
        for (value, up) in [
            (0.0421, 0.05),
            (0.05, 0.05),
            (1.1e-7, 2e-7),
            (9.5, 10.0),
            (3.0, 3.0),
            (123.0, 200.0),
            (1000.0, 1000.0),
        ] {
            assert_eq!(with_digits(value, 1, f64::ceil), up, "{value}");
        }
        assert_eq!(with_digits(0.20299, 3, f64::floor), 0.202);
        assert_eq!(
            [0.0, -2.5, f64::INFINITY].map(|value| with_digits(value, 1, f64::ceil)),
            [0.0, -2.5, f64::INFINITY]
        );
    }

    #[test]
    fn what_cannot_be_seen_is_escaped() {
        let cases = [
            ("plain größe 螺丝 e\u{301}", "plain größe 螺丝 e\u{301}"),
            ("a\u{1b}[2J\n", "a\\u{1b}[2J\\n"),
            ("\u{9b}31m", "\\u{9b}31m"),
            ("gpj.\u{202e}exe", "gpj.\\u{202e}exe"),
            ("\u{2066}x\u{2069}", "\\u{2066}x\\u{2069}"),
            ("bo\u{200b}lt", "bo\\u{200b}lt"),
            ("\u{feff}bolt\u{ad}", "\\u{feff}bolt\\u{ad}"),
            ("tag\u{e0041}", "tag\\u{e0041}"),
        ];
        for (text, expected) in cases {
            assert_eq!(visible(text), expected);
        }
    }

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
