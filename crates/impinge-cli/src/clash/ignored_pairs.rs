//! Pairs of parts that a file says to leave out.

use std::collections::HashSet;
use std::path::Path;
use std::sync::{Mutex, PoisonError};

use impinge_formats::read_regular;
use impinge_report::terminal::Error;
use impinge_report::text::counted;

use super::parts::Part;
use super::pattern::Finder;

/// Lines that a note names; of more it tells how many.
const MOST_NAMED: usize = 10;

/// Two patterns of a line.
struct Line {
    number: usize,
    patterns: [String; 2],
}

/// The pairs of a file, for the parts of a scene.
pub(super) struct IgnoredPairs {
    /// For each part the lines of which it is the first or the second, each as twice its number and one more for the second.
    lines_of: Vec<Vec<u32>>,
    /// Lines that mean no two parts.
    idle: Vec<usize>,
    /// Pairs that would have been looked at.
    met: Mutex<HashSet<[u32; 2]>>,
}

impl IgnoredPairs {
    /// Reads the file and finds its parts.
    pub(super) fn read(file: &Path, parts: &[Part]) -> Result<IgnoredPairs, Error> {
        let fault = |line: usize, reason: &str| Error::file(file, format!("line {line}: {reason}"));
        let text = String::from_utf8(read_regular(file)?).map_err(|error| {
            let before = error.as_bytes()[..error.utf8_error().valid_up_to()].iter();
            fault(before.filter(|&&byte| byte == b'\n').count() + 1, "is not UTF-8")
        })?;
        let mut lines = Vec::new();
        for (index, line) in text.lines().enumerate() {
            let line = if index == 0 { line.strip_prefix('\u{feff}').unwrap_or(line) } else { line }.trim();
            if line.is_empty() || line.starts_with('#') {
                continue;
            }
            let patterns = two_patterns(line).map_err(|reason| fault(index + 1, reason))?;
            lines.push(Line { number: index + 1, patterns });
        }
        Ok(IgnoredPairs::of(&lines, parts))
    }

    fn of(lines: &[Line], parts: &[Part]) -> IgnoredPairs {
        let finder = Finder::new(parts);
        let mut lines_of = vec![Vec::new(); parts.len()];
        let mut idle = Vec::new();
        for (index, line) in (0_u32..).zip(lines) {
            let [first, second] = line.patterns.each_ref().map(|pattern| finder.find(pattern));
            let is_one = first.len() == 1 && first == second;
            if first.is_empty() || second.is_empty() || is_one {
                idle.push(line.number);
            }
            for (parts, side) in [(first, 0), (second, 1)] {
                parts.into_iter().for_each(|part| lines_of[part as usize].push(2 * index + side));
            }
        }
        IgnoredPairs { lines_of, idle, met: Mutex::default() }
    }

    /// Whether a line means these two, in either order; remembers that they were asked for.
    pub(super) fn has(&self, a: u32, b: u32) -> bool {
        let [of_a, of_b] = [a, b].map(|part| self.lines_of[part as usize].as_slice());
        let (few, many) = if of_a.len() <= of_b.len() { (of_a, of_b) } else { (of_b, of_a) };
        // Lists are in ascending order; the other side of a line differs in the last bit.
        let found = few.iter().any(|side| many.binary_search(&(side ^ 1)).is_ok());
        if found {
            self.met.lock().unwrap_or_else(PoisonError::into_inner).insert([a.min(b), a.max(b)]);
        }
        found
    }

    /// What was left out, and which lines mean nothing.
    pub(super) fn notes(&self) -> Vec<String> {
        let mut notes = Vec::new();
        let met = self.met.lock().unwrap_or_else(PoisonError::into_inner).len();
        if met > 0 {
            notes.push(format!("{} left out by --ignore-pairs", counted(met, "pair", "pairs")));
        }
        if !self.idle.is_empty() {
            let (named, more) = self.idle.split_at(self.idle.len().min(MOST_NAMED));
            let named: Vec<String> = named.iter().map(ToString::to_string).collect();
            let more = if more.is_empty() { String::new() } else { format!(" and {} more", more.len()) };
            let word = if self.idle.len() == 1 { "line" } else { "lines" };
            notes
                .push(format!("--ignore-pairs: no two parts are meant by {word} {}{more}", named.join(", ")));
        }
        notes
    }
}

/// Two patterns with a tab or comma between them. In double quotes a pattern may hold tabs, commas and blanks at its ends, and two
/// quotes stand for one.
fn two_patterns(line: &str) -> Result<[String; 2], &'static str> {
    let (first, rest) = one_pattern(line)?;
    let Some(rest) = rest.strip_prefix(['\t', ',']) else {
        return Err("there are no two patterns with a tab or comma between them");
    };
    let (second, rest) = one_pattern(rest)?;
    if !rest.is_empty() {
        return Err("there are more than two patterns; those with tabs or commas in them need double quotes");
    }
    if first.is_empty() || second.is_empty() {
        return Err("a pattern is empty");
    }
    Ok([first, second])
}

/// The pattern at the start of a text, and what follows it.
fn one_pattern(text: &str) -> Result<(String, &str), &'static str> {
    let text = text.trim_start_matches(' ');
    let Some(mut rest) = text.strip_prefix('"') else {
        let end = text.find(['\t', ',']).unwrap_or(text.len());
        return Ok((text[..end].trim().to_owned(), &text[end..]));
    };
    let mut pattern = String::new();
    loop {
        let Some((before, behind)) = rest.split_once('"') else { return Err("a double quote has no end") };
        pattern += before;
        match behind.strip_prefix('"') {
            Some(more) => {
                pattern.push('"');
                rest = more;
            }
            None => return Ok((pattern, behind.trim_start_matches(' '))),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_have_two_patterns() {
        for (line, expected) in [
            ("a,b", ["a", "b"]),
            ("a\tb", ["a", "b"]),
            (" pipe * , wall ?  ", ["pipe *", "wall ?"]),
            ("\"a, b\",\" c\"", ["a, b", " c"]),
            ("\"5\"\" pipe\"\t#7", ["5\" pipe", "#7"]),
            ("a, \"b\" ", ["a", "b"]),
        ] {
            assert_eq!(two_patterns(line).map_err(str::to_owned), Ok(expected.map(str::to_owned)), "{line}");
        }
        for line in ["a", "a,", ",b", "a,b,c", "\"a,b", "\"a\"b,c", "a\t", "\"\",b"] {
            assert!(two_patterns(line).is_err(), "{line}");
        }
    }
}
