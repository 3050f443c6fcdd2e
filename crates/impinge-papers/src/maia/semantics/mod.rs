//! The figures of Maia et al. 2006, §3.2–3.4 and §5: what transformation semantics and lazy refits are worth.
//!
//! Each figure is a section: a file of its own with a function that measures it, and a line in [`SECTIONS`].

mod deep_contact;
mod deformables;
mod frames;
mod global_box;
mod lazy_refit;
mod models;
mod random_pairs;
mod text;
mod comparisons;

pub use comparisons::comparisons;
pub use models::Models;
pub use text::{files, tables};

use std::fmt;

use serde::Serialize;

use crate::chart::{Axis, Chart};

/// How much to measure.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Effort {
    /// As the paper did.
    #[default]
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

/// What is measured, and with which models.
#[derive(Debug, Default)]
pub struct Settings {
    /// How much to measure.
    pub effort: Effort,
    /// The models; generated ones of about the same size where there are none.
    pub models: Option<Models>,
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
    /// The paper's figure, where it has one.
    pub paper_ratio: Option<f64>,
    /// The measured one.
    pub ratio: f64,
    /// What the figure counts.
    pub unit: &'static str,
    /// The heads of the columns.
    pub columns: Vec<&'static str>,
    /// The table, row by row.
    pub rows: Vec<Vec<String>>,
    /// Pictures.
    #[serde(skip)]
    pub charts: Vec<Chart>,
}

/// Why a section has no figures: two ways to an answer disagree, or there was none.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fault(String);

impl fmt::Display for Fault {
    fn fmt(&self, to: &mut fmt::Formatter<'_>) -> fmt::Result {
        to.write_str(&self.0)
    }
}

impl std::error::Error for Fault {}

/// Called now and then with the share of a section that is done, from 0 to 1.
pub type Progress<'p> = &'p mut dyn FnMut(f64);

/// A section: its name, and how it is measured.
pub type Measure = (&'static str, fn(&Settings, Progress<'_>) -> Result<Section, Fault>);

/// All sections.
pub const SECTIONS: &[Measure] = &[
    (global_box::NAME, global_box::measure),
    (deformables::NAME, deformables::measure),
    (lazy_refit::NAME, lazy_refit::measure),
    (random_pairs::NAME, random_pairs::measure),
    (deep_contact::NAME, deep_contact::measure),
    (frames::NAME, frames::measure),
];

/// The middle of some numbers.
fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    values.get(values.len() / 2).copied().unwrap_or(f64::NAN)
}

/// An axis with equal steps, or equal factors.
fn axis(label: &str, logarithmic: bool) -> Axis {
    Axis { label: label.to_owned(), logarithmic }
}

#[cfg(test)]
mod tests;
