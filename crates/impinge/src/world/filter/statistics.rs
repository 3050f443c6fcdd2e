//! Statistics of the filter chain: what each stage decided, and how long it took.

use super::FilterStage;

/// The counts of a stage.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct FilterCount {
    /// The number of pairs that came to the stage.
    pub asked: u64,
    /// The number of pairs that the stage decided.
    pub decided: u64,
    /// The time for all pairs that came, in nanoseconds, if there is a clock.
    pub nanoseconds: u64,
}

/// The counts of all stages since they were last cleared.
#[derive(Clone, Debug, Default)]
pub struct Statistics {
    counts: [FilterCount; FilterStage::ALL.len()],
    /// Tells the time in nanoseconds, from any start. The library has no clock of its own.
    clock: Option<fn() -> u64>,
}

impl PartialEq for Statistics {
    /// Counts only: times differ from run to run.
    fn eq(&self, other: &Statistics) -> bool {
        let counts = |of: &Statistics| of.counts.map(|count| (count.asked, count.decided));
        counts(self) == counts(other)
    }
}

impl Statistics {
    /// Empty counts with a clock.
    pub(in crate::world) fn with_clock(clock: Option<fn() -> u64>) -> Statistics {
        Statistics { clock, ..Statistics::default() }
    }

    pub(in crate::world) fn clock(&self) -> Option<fn() -> u64> {
        self.clock
    }

    /// The counts of a stage.
    pub fn of(&self, stage: FilterStage) -> FilterCount {
        self.counts[stage as usize]
    }

    /// The number of pairs that were decided, by whatever stage.
    pub fn decided(&self) -> u64 {
        self.counts.iter().map(|count| count.decided).sum()
    }

    /// The paper's table: each stage that was asked, how many pairs it decided, of how many that came, and the mean time.
    pub fn table(&self) -> String {
        let mut text = format!("{:<24}{:>12}{:>12}{:>9}\n", "stage", "came", "decided", "mean");
        for stage in FilterStage::ALL {
            let FilterCount { asked, decided, nanoseconds } = self.of(stage);
            if asked > 0 {
                let mean = match self.clock {
                    Some(_) => format!("{:.2} us", nanoseconds as f64 / 1000.0 / asked as f64),
                    None => "-".to_owned(),
                };
                text += &format!("{:<24}{asked:>12}{decided:>12}{mean:>12}\n", stage.name());
            }
        }
        text
    }

    /// Counts a stage that may decide, and takes its time.
    #[inline]
    pub(in crate::world) fn record(&mut self, stage: FilterStage, decide: impl FnOnce() -> bool) -> bool {
        let start = self.clock.map_or(0, |clock| clock());
        let is_decided = decide();
        let count = &mut self.counts[stage as usize];
        count.asked += 1;
        count.decided += u64::from(is_decided);
        count.nanoseconds += self.clock.map_or(0, |clock| clock().saturating_sub(start));
        is_decided
    }

    /// Counts pairs that the broad phase left out.
    pub(in crate::world) fn left_out(&mut self, pairs: u64) {
        let count = &mut self.counts[FilterStage::Broad as usize];
        count.asked += pairs;
        count.decided += pairs;
    }

    /// Adds what was counted elsewhere.
    pub(in crate::world) fn add(&mut self, other: &Statistics) {
        for (count, more) in self.counts.iter_mut().zip(other.counts) {
            count.asked += more.asked;
            count.decided += more.decided;
            count.nanoseconds += more.nanoseconds;
        }
    }
}
