//! Which clashes matter, how much, and between what: the rules of a file.

mod file;
mod sets;

use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering};

use impinge_formats::read_regular;
use impinge_report::terminal::Error;
use impinge_report::text::counted;
use impinge_report::{Clash, Report, Severity, Side, Verdict};

use self::file::{EVERYTHING, RuleFile, Unlisted, Wrong};
use super::forgive;
use super::parts::Part;
use crate::unit;

/// Rules for pairs of sets. The first that names a pair of parts counts.
pub(super) struct Rules {
    name: String,
    unlisted: Unlisted,
    severity: Severity,
    list: Vec<Rule>,
    /// For each part the sets that it is in, as bits.
    sets_of: Vec<u64>,
    /// Sets that no part is in.
    empty: Vec<String>,
    /// Pairs that were not looked at.
    ignored: AtomicUsize,
}

/// What a rule says of two sets.
struct Rule {
    /// The bits of each; none is in all of them.
    between: [u64; 2],
    ignore: bool,
    hosted: bool,
    verdicts: Option<Vec<Verdict>>,
    tolerance: Option<f64>,
    clearance: Option<f64>,
    severity: Option<Severity>,
}

/// More sets than a part has bits for.
const MOST_SETS: usize = 63;
/// The bit of the set that every part is in.
const IN_ALL: u64 = 1 << MOST_SETS;

impl Rules {
    /// Reads a file of rules for a scene whose lengths are in a unit.
    pub(super) fn read(path: &Path, scene_unit: &str) -> Result<RulesOfFile, Error> {
        let text = String::from_utf8(read_regular(path)?).map_err(|error| Error::file(path, error))?;
        let file = RuleFile::read(&text).map_err(|wrong| wrong.in_file(path, &text))?;
        if file.sets.len() > MOST_SETS {
            return Err(Error::file(path, format!("{} sets are more than {MOST_SETS}", file.sets.len())));
        }
        let scale = match &file.unit {
            None => 1.0,
            Some(named) if named.get_ref() == scene_unit => 1.0,
            Some(named) => match (unit::in_meters(named.get_ref()), unit::in_meters(scene_unit)) {
                (Some(from), Some(to)) => from / to,
                _ => {
                    let reason =
                        format!("unit: {} cannot be converted to {scene_unit}; see --unit", named.get_ref());
                    return Err(Wrong(named.span(), reason).in_file(path, &text));
                }
            },
        };
        Ok(RulesOfFile { name: path.display().to_string(), file, scale })
    }
}

/// Rules that do not know their parts yet.
pub(super) struct RulesOfFile {
    name: String,
    file: RuleFile,
    scale: f64,
}

impl RulesOfFile {
    /// Whether some rule has a tolerance, which needs depths.
    pub(super) fn needs_depth(&self) -> bool {
        self.file.rules.iter().any(|rule| rule.get_ref().tolerance.is_some())
    }

    /// The rules for these parts.
    pub(super) fn of_parts(self, parts: &[Part]) -> Rules {
        let sets: Vec<_> = self.file.sets.iter().map(|(name, set)| (name, set.get_ref())).collect();
        let bits = |part: &Part| {
            let of = sets.iter().enumerate().filter(|(_, (_, set))| set.contains(part));
            of.map(|(number, _)| 1 << number).fold(IN_ALL, |bits, bit| bits | bit)
        };
        let sets_of: Vec<u64> = parts.iter().map(bits).collect();
        let used = sets_of.iter().fold(0, |used, bits| used | bits);
        let is_empty = |number: usize| used & (1 << number) == 0;
        let empty = sets.iter().enumerate().filter(|(number, _)| is_empty(*number));
        let empty = empty.map(|(_, (name, _))| (*name).clone()).collect();
        let bit = |name: &String| {
            let number = sets.iter().position(|(known, _)| *known == name);
            number.filter(|_| name != EVERYTHING).map_or(IN_ALL, |number| 1 << number)
        };
        let list = self.file.rules.iter().map(|rule| {
            let row = rule.get_ref();
            Rule {
                between: [0, 1].map(|side| bit(row.between[side].get_ref())),
                ignore: row.ignore,
                hosted: row.hosted,
                verdicts: row.verdicts.as_ref().map(|verdicts| verdicts.get_ref().clone()),
                tolerance: row.tolerance.as_ref().map(|length| length.get_ref() * self.scale),
                clearance: row.clearance.as_ref().map(|length| length.get_ref() * self.scale),
                severity: row.severity,
            }
        });
        let list = list.collect();
        Rules {
            name: self.name,
            unlisted: self.file.unlisted,
            severity: self.file.severity,
            list,
            sets_of,
            empty,
            ignored: AtomicUsize::new(0),
        }
    }
}

impl Rule {
    /// Whether the rule is about two parts, given their sets in this order.
    fn names(&self, sets: [u64; 2]) -> bool {
        sets[0] & self.between[0] != 0 && sets[1] & self.between[1] != 0
    }

    /// Whether a clash is what happens to a part that stands in another by design.
    fn is_hosting(&self, clash: &Clash, [a, b]: [u64; 2]) -> bool {
        match (clash.verdict, clash.contained) {
            (Verdict::Duplicate, _) => false,
            // The host in what it hosts is no such thing.
            (Verdict::Inside, Some(Side::A)) => self.names([b, a]),
            (Verdict::Inside, _) => self.names([a, b]),
            _ => true,
        }
    }
}

/// Clashes that rules leave out, by reason.
#[derive(Default)]
struct LeftOut {
    ignored: usize,
    hosted: usize,
    verdict: usize,
    tolerance: usize,
}

impl Rules {
    fn rule_of(&self, a: usize, b: usize) -> Option<&Rule> {
        let [a, b] = [self.sets_of[a], self.sets_of[b]];
        self.list.iter().find(|rule| rule.names([a, b]) || rule.names([b, a]))
    }

    fn ignores(&self, a: usize, b: usize) -> bool {
        self.rule_of(a, b).map_or(self.unlisted == Unlisted::Ignore, |rule| rule.ignore)
    }

    /// Whether a pair is looked at; those that are not are counted.
    pub(super) fn considers(&self, a: usize, b: usize) -> bool {
        let ignores = self.ignores(a, b);
        self.ignored.fetch_add(usize::from(ignores), Ordering::Relaxed);
        !ignores
    }

    /// The clearance to search with, so that every pair's own is within it.
    pub(super) fn greatest_clearance(&self, given: f64) -> f64 {
        self.list.iter().filter_map(|rule| rule.clearance).fold(given, f64::max)
    }

    /// Whether a rule says how deep these two may overlap.
    pub(super) fn has_tolerance(&self, clash: &Clash) -> bool {
        self.rule_of(clash.a, clash.b).is_some_and(|rule| rule.tolerance.is_some())
    }

    /// Leaves out what the rules leave out, says how grave the rest is, and notes what was left out. `clearance` is that of pairs whose rule
    /// says none.
    pub(super) fn apply(&self, clearance: f64, report: &mut Report) {
        let mut left_out = LeftOut::default();
        report.clashes.retain_mut(|clash| self.keeps(clash, clearance, &mut left_out));
        for set in &self.empty {
            report.notes.push(format!("{}: no part is in the set `{set}`", self.name));
        }
        let LeftOut { ignored, hosted, verdict, tolerance } = left_out;
        let counts = [
            (ignored, "ignored"),
            (hosted, "hosted"),
            (verdict, "of verdicts that do not count"),
            (tolerance, "no deeper than a tolerance"),
        ];
        let total = counts.iter().map(|(count, _)| count).sum();
        if total > 0 {
            let some = counts.iter().filter(|(count, _)| *count > 0);
            let some: Vec<String> = some.map(|(count, why)| format!("{count} {why}")).collect();
            let clashes = counted(total, "clash", "clashes");
            report.notes.push(format!("{}: {clashes} left out: {}", self.name, some.join(", ")));
        }
        let pairs = self.ignored.load(Ordering::Relaxed);
        // Where parts move, a pair comes up again and again.
        if pairs > 0 && report.animation.is_none() {
            let pairs = counted(pairs, "pair", "pairs");
            report.notes.push(format!("{}: {pairs} of neighbors not looked at", self.name));
        }
    }

    fn keeps(&self, clash: &mut Clash, clearance: f64, left_out: &mut LeftOut) -> bool {
        let sets = [self.sets_of[clash.a], self.sets_of[clash.b]];
        let rule = self.rule_of(clash.a, clash.b);
        if self.ignores(clash.a, clash.b) {
            left_out.ignored += 1;
            return false;
        }
        // Farther apart than anybody asked for: no clash at all.
        let clearance = rule.and_then(|rule| rule.clearance).unwrap_or(clearance);
        if clash.verdict == Verdict::Near && clash.distance > clearance {
            return false;
        }
        clash.severity = Some(rule.and_then(|rule| rule.severity).unwrap_or(self.severity));
        let Some(rule) = rule else { return true };
        if rule.hosted && rule.is_hosting(clash, sets) {
            left_out.hosted += 1;
            return false;
        }
        if rule.verdicts.as_ref().is_some_and(|verdicts| !verdicts.contains(&clash.verdict)) {
            left_out.verdict += 1;
            return false;
        }
        let is_forgiven = |tolerance| forgive::depth_of(clash).is_some_and(|depth| depth <= tolerance);
        if rule.tolerance.is_some_and(is_forgiven) {
            left_out.tolerance += 1;
            return false;
        }
        true
    }
}
