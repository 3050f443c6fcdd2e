//! Which pairs of parts matter.
use impinge_report::terminal::Error;

use super::parts::Part;

/// Patterns that say which pairs are looked at.
#[derive(Debug, Default)]
pub(super) struct Selection {
    /// Named sets: with two or more, only pairs of parts in different sets.
    sets: Vec<(String, Vec<String>)>,
    ignored: Vec<String>,
    same_body: bool,
}

impl Selection {
    pub(super) fn new(sets: &[String], ignored: &[String], same_body: bool) -> Result<Selection, Error> {
        let mut named: Vec<(String, Vec<String>)> = Vec::new();
        for set in sets {
            let Some((name, pattern)) = set.split_once('=').filter(|(name, _)| !name.is_empty()) else {
                return Err(Error::option("--set", format!("`{set}` is not NAME=PATTERN")));
            };
            match named.iter_mut().find(|(known, _)| known == name) {
                Some((_, patterns)) => patterns.push(pattern.to_owned()),
                None => named.push((name.to_owned(), vec![pattern.to_owned()])),
            }
        }
        Ok(Selection { sets: named, ignored: ignored.to_vec(), same_body })
    }

    /// For each part the sets that it is in, as bits, or none where it is ignored.
    pub(super) fn sort(&self, parts: &[Part]) -> Result<Vec<Option<u64>>, Error> {
        if self.sets.len() > 64 {
            return Err(Error::option("--set", "at most 64 sets"));
        }
        let is_named =
            |part: &Part, pattern: &String| matches(pattern, &part.name) || matches(pattern, &part.path);
        let sorted = parts.iter().map(|part| {
            if self.ignored.iter().any(|pattern| is_named(part, pattern)) {
                return None;
            }
            let has = |patterns: &[String]| patterns.iter().any(|pattern| is_named(part, pattern));
            let bits = self.sets.iter().enumerate().filter(|(_, (_, patterns))| has(patterns));
            Some(bits.map(|(number, _)| 1_u64 << number).sum())
        });
        let sorted: Vec<Option<u64>> = sorted.collect();
        for (number, (name, patterns)) in self.sets.iter().enumerate() {
            if !sorted.iter().flatten().any(|bits| bits & (1 << number) != 0) {
                let reason = format!("no part is called `{}`", patterns.join("` or `"));
                return Err(Error::option(format!("--set {name}"), reason));
            }
        }
        Ok(sorted)
    }

    /// Whether a pair matters, given what [`sort`](Self::sort) says of both.
    pub(super) fn has(&self, parts: [&Part; 2], sets: [Option<u64>; 2]) -> bool {
        let [Some(a), Some(b)] = sets else { return false };
        if self.same_body && parts[0].body == parts[1].body {
            return false;
        }
        match self.sets.len() {
            0 => true,
            1 => a & b != 0,
            // Of some set each, and not both of the same one only.
            _ => a != 0 && b != 0 && (a != b || a.count_ones() > 1),
        }
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
