//! The figures of paper 004 §5: what transformation semantics and lazy refits are worth.
//!
//! Each figure is a section: a file of its own with a function that measures it, and a line in [`SECTIONS`].

mod global_box;
mod lazy_refit;
mod text;

pub use text::{files, tables};

use serde::Serialize;

use crate::chart::Chart;

/// How much to measure.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Effort {
    /// As the paper did.
    Paper,
    /// Enough to see that it works, within seconds.
    Quick,
}

impl Effort {
    /// One of two numbers.
    fn pick<T>(self, paper: T, quick: T) -> T {
        if self == Effort::Paper { paper } else { quick }
    }
}

/// A figure of the paper, measured.
#[derive(Clone, Debug, Serialize)]
pub struct Section {
    /// A short name, which is also that of its files.
    pub name: &'static str,
    /// What was measured.
    pub title: String,
    /// What the paper says.
    pub paper: &'static str,
    /// The paper's figure.
    pub paper_ratio: f64,
    /// The measured one.
    pub ratio: f64,
    /// The heads of the columns.
    pub columns: Vec<&'static str>,
    /// The table, row by row.
    pub rows: Vec<Vec<String>>,
    /// Pictures.
    #[serde(skip)]
    pub charts: Vec<Chart>,
}

/// A section: its name, and how it is measured.
pub type Measure = (&'static str, fn(Effort) -> Section);

/// All sections.
pub const SECTIONS: &[Measure] =
    &[(global_box::NAME, global_box::measure), (lazy_refit::NAME, lazy_refit::measure)];

/// The middle of some numbers.
fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    values.get(values.len() / 2).copied().unwrap_or(f64::NAN)
}

#[cfg(test)]
mod tests;
