//! The file of rules, as it is written.

use std::collections::BTreeMap;
use std::path::Path;

use impinge_report::terminal::Error;
use impinge_report::{Severity, Verdict};
use serde::Deserialize;
use toml::Spanned;

use super::sets::SetOfParts;

/// The set that every part is in.
pub(super) const EVERYTHING: &str = "*";

/// A file of rules.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct RuleFile {
    /// The unit of all lengths in the file; where it is missing, that of the scene.
    pub(super) unit: Option<Spanned<String>>,
    /// What happens to pairs that no rule names.
    #[serde(default)]
    pub(super) unlisted: Unlisted,
    /// How grave clashes are of which no rule says it.
    #[serde(default = "major")]
    pub(super) severity: Severity,
    #[serde(default)]
    pub(super) sets: BTreeMap<String, Spanned<SetOfParts>>,
    #[serde(default)]
    pub(super) rules: Vec<Spanned<RuleRow>>,
}

fn major() -> Severity {
    Severity::Major
}

/// What happens to pairs that no rule names.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum Unlisted {
    #[default]
    Check,
    Ignore,
}

/// A cell of the matrix set × set.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct RuleRow {
    pub(super) between: [Spanned<String>; 2],
    #[serde(default)]
    pub(super) ignore: bool,
    #[serde(default)]
    pub(super) hosted: bool,
    pub(super) verdicts: Option<Spanned<Vec<Verdict>>>,
    pub(super) tolerance: Option<Spanned<f64>>,
    pub(super) clearance: Option<Spanned<f64>>,
    pub(super) severity: Option<Severity>,
}

/// Where a file goes wrong: bytes, and why.
pub(super) struct Wrong(pub(super) std::ops::Range<usize>, pub(super) String);

impl RuleFile {
    /// Reads and checks a text.
    pub(super) fn read(text: &str) -> Result<RuleFile, Wrong> {
        let file: RuleFile = toml::from_str(text)
            .map_err(|error| Wrong(error.span().unwrap_or(0..0), error.message().replace('\n', "; ")))?;
        for (name, set) in &file.sets {
            if name == EVERYTHING {
                return Err(Wrong(
                    set.span(),
                    format!("`{EVERYTHING}` is the set of all parts and cannot be another"),
                ));
            }
            if let Some(fault) = set.get_ref().fault() {
                return Err(Wrong(set.span(), format!("sets.{name}: {fault}")));
            }
        }
        if file.rules.is_empty() {
            return Err(Wrong(0..0, "has no [[rules]]".to_owned()));
        }
        let mut seen: BTreeMap<[&str; 2], usize> = BTreeMap::new();
        for rule in &file.rules {
            file.check(rule)?;
            let mut pair = [0, 1].map(|side| rule.get_ref().between[side].get_ref().as_str());
            pair.sort_unstable();
            let line = line_of(text, rule.span().start);
            if let Some(earlier) = seen.insert(pair, line) {
                let reason =
                    format!("between: line {earlier} has a rule for `{}` and `{}` already", pair[0], pair[1]);
                return Err(Wrong(rule.span(), reason));
            }
        }
        Ok(file)
    }

    fn check(&self, rule: &Spanned<RuleRow>) -> Result<(), Wrong> {
        let row = rule.get_ref();
        for set in &row.between {
            if set.get_ref() != EVERYTHING && !self.sets.contains_key(set.get_ref()) {
                return Err(Wrong(set.span(), format!("between: there is no set `{}`", set.get_ref())));
            }
        }
        for (key, length) in [("tolerance", &row.tolerance), ("clearance", &row.clearance)] {
            if let Some(length) =
                length.as_ref().filter(|length| !(0.0..f64::INFINITY).contains(length.get_ref()))
            {
                return Err(Wrong(
                    length.span(),
                    format!("{key}: {} is no length of 0 or more", length.get_ref()),
                ));
            }
        }
        if let Some(verdicts) = row.verdicts.as_ref().filter(|verdicts| verdicts.get_ref().is_empty()) {
            return Err(Wrong(verdicts.span(), "verdicts: there are none; ignore = true says so".to_owned()));
        }
        let says_more = row.hosted || row.verdicts.is_some() || row.severity.is_some();
        if row.ignore && (says_more || row.tolerance.is_some() || row.clearance.is_some()) {
            let reason = "ignore: the rule says something else, too, which would mean nothing";
            return Err(Wrong(rule.span(), reason.to_owned()));
        }
        Ok(())
    }
}

/// The line of a byte, counted from 1.
pub(super) fn line_of(text: &str, byte: usize) -> usize {
    text.bytes().take(byte).filter(|byte| *byte == b'\n').count() + 1
}

impl Wrong {
    /// The error that names file and line.
    pub(super) fn in_file(self, file: &Path, text: &str) -> Error {
        Error::row(file, line_of(text, self.0.start), self.1)
    }
}
