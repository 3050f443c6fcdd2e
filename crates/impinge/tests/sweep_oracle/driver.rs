//! Many cases, on all cores, until one is answered wrongly.

use std::collections::BTreeMap;
use std::fmt;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::{Duration, Instant};

use impinge::Verdict;

use super::audit::{Violation, audit, prove_clear};
use super::case::{Case, Claim, Outcome};
use super::families::{FAMILIES, make};
use super::rotation::Proof;

/// What the cases of one family came to.
#[derive(Clone, Copy, Debug, Default)]
pub struct Tally {
    pub hits: u64,
    pub clears: u64,
    pub overlaps: u64,
    /// Hits at fraction 0.
    pub at_start: u64,
    /// Paths that could be shown neither clear nor touching.
    pub unknown: u64,
    /// Of every eighth hit: those on paths that touch nothing. Allowed, since the models are near at the stop.
    pub needless: u64,
    /// The largest gap at a hit, and the largest stated bound, as shares of the models' extent.
    pub gap: f64,
    pub bound: f64,
    /// The longest time that an answer took, and the seed of that case.
    pub slowest: (Duration, u64),
}

#[derive(Clone, Debug, Default)]
pub struct Summary {
    pub families: BTreeMap<&'static str, Tally>,
}

impl Summary {
    fn add(&mut self, other: &Summary) {
        for (&name, tally) in &other.families {
            let sum = self.families.entry(name).or_default();
            sum.hits += tally.hits;
            sum.clears += tally.clears;
            sum.overlaps += tally.overlaps;
            sum.at_start += tally.at_start;
            sum.unknown += tally.unknown;
            sum.needless += tally.needless;
            sum.gap = sum.gap.max(tally.gap);
            sum.bound = sum.bound.max(tally.bound);
            sum.slowest = sum.slowest.max(tally.slowest);
        }
    }

    pub fn total(&self) -> Tally {
        let mut whole = Summary::default();
        for tally in self.families.values() {
            whole.add(&Summary { families: BTreeMap::from([("all", *tally)]) });
        }
        whole.families.get("all").copied().unwrap_or_default()
    }
}

impl fmt::Display for Summary {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let heads =
            ["hits", "at start", "needless", "clear", "overlap", "unknown", "gap", "bound", "slowest"];
        write!(f, "{:34}", "family")?;
        heads.iter().try_for_each(|head| write!(f, " {head:>9}"))?;
        writeln!(f)?;
        let total = self.total();
        for (name, t) in self.families.iter().map(|(n, t)| (*n, t)).chain([("all", &total)]) {
            write!(f, "{name:34}")?;
            let counts = [t.hits, t.at_start, t.needless, t.clears, t.overlaps, t.unknown];
            counts.iter().try_for_each(|count| write!(f, " {count:>9}"))?;
            let (slowest, seed) = t.slowest;
            writeln!(
                f,
                " {:>9.1e} {:>9.1e} {:>7.1}ms {seed:#x}",
                t.gap,
                t.bound,
                slowest.as_secs_f64() * 1e3
            )?;
        }
        Ok(())
    }
}

/// A wrong answer, with everything needed to see it again.
pub struct Failure {
    pub violation: Violation,
    pub case: Case,
    pub claim: Option<Claim>,
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{:?}", self.violation)?;
        if let Some(claim) = &self.claim {
            writeln!(f, "// {:?} at {:?}, bound {:?}", claim.outcome, claim.fraction, claim.bound)?;
            let columns = claim.world_from_moving.to_cols_array();
            writeln!(f, "// stop pose (columns): {columns:?}")?;
        }
        write!(f, "{}", self.case.dump())
    }
}

/// Asks and judges one case.
pub fn judge(
    case: &Case,
    sweep: &impl Fn(&Case) -> Claim,
    summary: &mut Summary,
) -> Result<(), Box<(Violation, Option<Claim>)>> {
    let begin = Instant::now();
    let claim = catch_unwind(AssertUnwindSafe(|| sweep(case))).map_err(|payload| {
        let text = payload.downcast_ref::<String>().cloned();
        let text = text.or_else(|| payload.downcast_ref::<&str>().map(|s| (*s).to_owned()));
        Box::new((Violation::Panicked(text.unwrap_or_default()), None))
    })?;
    let took = begin.elapsed();
    let audit = audit(case, &claim).map_err(|violation| Box::new((violation, Some(claim))))?;
    let tally = summary.families.entry(case.family).or_default();
    tally.slowest = tally.slowest.max((took, case.seed));
    match claim.outcome {
        Outcome::Clear => tally.clears += 1,
        Outcome::StartedOverlapping => tally.overlaps += 1,
        Outcome::Hit => {
            tally.hits += 1;
            tally.at_start += u64::from(claim.fraction == 0.0);
            tally.gap = tally.gap.max(audit.gap / audit.extent);
            tally.bound = tally.bound.max(claim.bound / audit.extent);
            if case.seed.is_multiple_of(8) && audit.start == Verdict::Clear {
                tally.needless += u64::from(prove_clear(case, 0.0, 1.0) == Proof::Clear);
            }
        }
    }
    tally.unknown += u64::from(audit.is_unknown);
    Ok(())
}

/// Makes `sweep` answer `count` cases of all families in turn, the same for the same seed, and judges the answers. Of
/// wrong ones, the first is returned.
pub fn run(count: u64, seed: u64, sweep: impl Fn(&Case) -> Claim + Sync) -> Result<Summary, Box<Failure>> {
    let (next, stop) = (AtomicU64::new(0), AtomicBool::new(false));
    let total = Mutex::new(Summary::default());
    let failure: Mutex<Option<(u64, Box<Failure>)>> = Mutex::new(None);
    let work = || {
        let mut summary = Summary::default();
        while !stop.load(Ordering::Relaxed) {
            let first = next.fetch_add(64, Ordering::Relaxed);
            if first >= count {
                break;
            }
            for index in first..count.min(first + 64) {
                let case = case_of(index, seed);
                if let Err(wrong) = judge(&case, &sweep, &mut summary) {
                    let (violation, claim) = *wrong;
                    stop.store(true, Ordering::Relaxed);
                    let mut failure = failure.lock().unwrap();
                    if failure.as_ref().is_none_or(|(earlier, _)| *earlier > index) {
                        *failure = Some((index, Box::new(Failure { violation, case, claim })));
                    }
                    break;
                }
            }
        }
        total.lock().unwrap().add(&summary);
    };
    std::thread::scope(|scope| {
        for _ in 0..std::thread::available_parallelism().map_or(1, usize::from) {
            scope.spawn(work);
        }
    });
    match failure.into_inner().unwrap() {
        Some((_, failure)) => Err(failure),
        None => Ok(total.into_inner().unwrap()),
    }
}

/// Case number `index` of a run.
pub fn case_of(index: u64, seed: u64) -> Case {
    let families = FAMILIES.len() as u64;
    let own =
        seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ (index / families).wrapping_mul(0xd134_2543_de82_ef95);
    make((index % families) as usize, own)
}
