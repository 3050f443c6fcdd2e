//! Which pairs of parts matter.

use impinge_report::terminal::Error;

use super::parts::{Called, Part};
use super::pattern::means;

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
        let sorted = parts.iter().map(|part| {
            if self.ignores(&part.called) {
                return None;
            }
            let has = |patterns: &[String]| patterns.iter().any(|pattern| means(pattern, &part.called));
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

    /// Whether the user wants to hear nothing of a part.
    pub(super) fn ignores(&self, part: &Called) -> bool {
        self.ignored.iter().any(|pattern| means(pattern, part))
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
