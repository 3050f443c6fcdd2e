//! What was judged, and what was wrong, by kind.

use std::collections::BTreeMap;

#[derive(Default)]
pub struct Tally {
    pub starts: u64,
    pub sweeps: u64,
    seen: BTreeMap<&'static str, u64>,
    wrong: BTreeMap<&'static str, (u64, String)>,
}

impl Tally {
    pub fn see(&mut self, kind: &'static str) {
        *self.seen.entry(kind).or_default() += 1;
    }

    pub fn seen(&self, kind: &str) -> u64 {
        self.seen.get(kind).copied().unwrap_or(0)
    }

    /// Counts a complaint, and keeps what was said of the first of its kind.
    pub fn complain(&mut self, kind: &'static str, text: impl FnOnce() -> String) {
        let entry = self.wrong.entry(kind).or_insert_with(|| (0, text()));
        entry.0 += 1;
    }

    pub fn wrong(&self) -> u64 {
        self.wrong.values().map(|(count, _)| count).sum()
    }

    /// Prints what was seen; panics with all that was wrong.
    pub fn verdict(&self, title: &str) {
        println!("{title}: {} starts, {} sweeps: {:?}", self.starts, self.sweeps, self.seen);
        let mut all = String::new();
        for (kind, (count, first)) in &self.wrong {
            all += &format!("\n{count} × {kind}, the first: {first}");
        }
        assert!(self.wrong.is_empty(), "{title}: {} of {} sweeps{all}", self.wrong(), self.sweeps);
    }
}
