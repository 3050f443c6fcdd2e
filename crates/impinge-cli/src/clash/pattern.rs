//! Patterns of names, and which parts they mean.

use std::collections::HashMap;

use super::parts::{Called, Part};

/// Whether a part is meant by a pattern: by its name, its whole path, or its path inside of the file.
pub(super) fn means(pattern: &str, part: &Called) -> bool {
    matches(pattern, &part.name) || matches(pattern, &part.path) || matches(pattern, part.path_in_file())
}

/// Finds parts by their names: at once, where a pattern has neither `*` nor `?`.
pub(super) struct Finder<'a> {
    parts: &'a [Part],
    by_name: HashMap<&'a str, Vec<u32>>,
}

impl<'a> Finder<'a> {
    pub(super) fn new(parts: &'a [Part]) -> Finder<'a> {
        let mut by_name: HashMap<&str, Vec<u32>> = HashMap::new();
        for (number, Part { called, .. }) in (0..).zip(parts) {
            let mut names = vec![called.name.as_str(), called.path.as_str(), called.path_in_file()];
            names.sort_unstable();
            names.dedup();
            names.into_iter().for_each(|name| by_name.entry(name).or_default().push(number));
        }
        Finder { parts, by_name }
    }

    /// The parts that a pattern means, in ascending order.
    pub(super) fn find(&self, pattern: &str) -> Vec<u32> {
        if !pattern.contains(['*', '?']) {
            return self.by_name.get(pattern).cloned().unwrap_or_default();
        }
        let numbered = (0..).zip(self.parts);
        numbered.filter(|(_, part)| means(pattern, &part.called)).map(|(number, _)| number).collect()
    }
}

/// Whether a name fits a pattern, where `*` stands for anything and `?` for any one character.
pub(super) fn matches(pattern: &str, name: &str) -> bool {
    let (pattern, name): (Vec<char>, Vec<char>) = (pattern.chars().collect(), name.chars().collect());
    let (mut p, mut n) = (0, 0);
    let mut star: Option<(usize, usize)> = None;
    while n < name.len() {
        if p < pattern.len() && pattern[p] == '*' {
            star = Some((p, n));
            p += 1;
        } else if p < pattern.len() && (pattern[p] == '?' || pattern[p] == name[n]) {
            (p, n) = (p + 1, n + 1);
        } else if let Some((at, taken)) = star {
            // The star takes one more.
            star = Some((at, taken + 1));
            (p, n) = (at + 1, taken + 1);
        } else {
            return false;
        }
    }
    pattern[p..].iter().all(|c| *c == '*')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn patterns_match() {
        for (pattern, name, expected) in [
            ("*", "anything", true),
            ("pipe*", "pipe 12", true),
            ("pipe*", "a pipe", false),
            ("*bolt", "left bolt", true),
            ("*a*b*", "xxaxxbxx", true),
            ("*a*b*", "xxbxxaxx", false),
            ("gear ?", "gear 7", true),
            ("gear ?", "gear 17", false),
            ("", "", true),
            ("", "x", false),
            ("a**", "a", true),
            ("*ab", "aab", true),
        ] {
            assert_eq!(matches(pattern, name), expected, "{pattern} {name}");
        }
    }
}
