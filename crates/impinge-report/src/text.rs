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
