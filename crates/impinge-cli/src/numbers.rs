//! Lists of numbers, separated by commas or blanks.

use impinge_report::terminal::Error;
use std::ffi::OsString;

/// An option that takes a list: its name and the most numbers that it takes.
pub(crate) type ListOption = (&'static str, usize);

/// The numbers in a text. Two commas with nothing between them are a mistake, not a zero.
pub(crate) fn parse(text: &str) -> Result<Vec<f64>, String> {
    let mut numbers = Vec::new();
    for piece in text.split(',') {
        let before = numbers.len();
        for word in piece.split_whitespace() {
            numbers.push(word.parse().map_err(|_| format!("{word:?} is not a number"))?);
        }
        if numbers.len() == before && !text.trim().is_empty() {
            return Err("a number is missing before or after a comma".to_owned());
        }
    }
    Ok(numbers)
}

/// A length that an option was given, or a refusal that names it.
pub(crate) fn length(option: &str, value: f64) -> Result<f64, Error> {
    if value >= 0.0 && value.is_finite() {
        return Ok(value);
    }
    Err(Error::option(option, format!("{value} is not a length of 0 or more")))
}

/// Joins numbers that stand as arguments of their own to the list of the option before them, so that
/// `--translate-b -1 0 0` is the same as `--translate-b -1,0,0`.
///
/// The parser of the command line cannot do this by itself: it would take files that follow for numbers.
pub(crate) fn join_lists(
    arguments: impl IntoIterator<Item = OsString>,
    options: &[ListOption],
) -> Vec<OsString> {
    let mut joined = Vec::new();
    let mut arguments = arguments.into_iter().peekable();
    while let Some(argument) = arguments.next() {
        if argument == "--" {
            joined.push(argument);
            joined.extend(arguments);
            break;
        }
        let option = options.iter().find(|(name, _)| argument == **name);
        joined.push(argument);
        let Some(&(_, most)) = option else { continue };
        let mut list = String::new();
        let mut count = 0;
        while let Some((text, numbers)) = arguments.peek().and_then(as_numbers) {
            if count + numbers > most && count > 0 {
                break;
            }
            list += if list.is_empty() { "" } else { " " };
            list += &text;
            count += numbers;
            arguments.next();
        }
        if count > 0 {
            joined.push(list.into());
        }
    }
    joined
}

/// An argument that is made of numbers, and how many there are. A comma may stand at either end of it, because the list
/// may go on in the next argument.
fn as_numbers(argument: &OsString) -> Option<(String, usize)> {
    let text = argument.to_str()?;
    let count = parse(text.trim().trim_matches(',')).ok()?.len();
    (count > 0).then(|| (text.to_owned(), count))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn commas_and_blanks_separate() {
        assert_eq!(parse("1,2 3"), Ok(vec![1.0, 2.0, 3.0]));
        assert_eq!(parse(" -1e-3 ,\t.5 "), Ok(vec![-1e-3, 0.5]));
        assert_eq!(parse(" "), Ok(vec![]));
        for wrong in ["1,,2", "1,", ",1", "1;2", "0x1", "1 two"] {
            assert!(parse(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn numbers_join_the_option_before_them() {
        let options: &[ListOption] = &[("--move", 3)];
        let join = |line: &str| -> Vec<String> {
            let arguments = line.split('|').map(OsString::from);
            join_lists(arguments, options).into_iter().filter_map(|text| text.into_string().ok()).collect()
        };
        assert_eq!(join("x|--move|-1|0|2|a.obj"), ["x", "--move", "-1 0 2", "a.obj"]);
        assert_eq!(join("--move|1,|2,|3|4"), ["--move", "1, 2, 3", "4"]);
        assert_eq!(join("--move|1,2,3|4"), ["--move", "1,2,3", "4"]);
        assert_eq!(join("--move|a.obj|1"), ["--move", "a.obj", "1"]);
        assert_eq!(join("--|--move|1|2"), ["--", "--move", "1", "2"]);
        assert_eq!(join("--other|1|2"), ["--other", "1", "2"]);
    }
}
