//! Figures that a paper prints, beside those that a run measured.

use serde::{Deserialize, Serialize};

/// A figure of a paper beside ours.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Comparison {
    /// The paper, as it is cited.
    pub paper: String,
    /// Where the paper prints it: a section, a table or a figure.
    pub place: String,
    /// What it is a figure of.
    pub what: String,
    /// What the paper prints.
    pub printed: String,
    /// What was measured.
    pub measured: String,
    /// Why the two differ, or what the figure means.
    pub why: String,
}

/// A place of a paper, whose figures are compared.
#[derive(Clone, Copy, Debug)]
pub struct Place {
    /// The paper, as it is cited.
    pub paper: &'static str,
    /// The section, the table or the figure.
    pub place: &'static str,
}

impl Place {
    /// A figure of this place beside ours.
    pub fn compare(
        self,
        what: impl Into<String>,
        printed: impl Into<String>,
        measured: impl Into<String>,
        why: impl Into<String>,
    ) -> Comparison {
        Comparison {
            paper: self.paper.to_owned(),
            place: self.place.to_owned(),
            what: what.into(),
            printed: printed.into(),
            measured: measured.into(),
            why: why.into(),
        }
    }
}

/// All comparisons of a run, as the file that it writes.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Comparisons {
    /// The version of this form.
    pub schema: u32,
    /// Whether the run was a quick one, whose figures mean little.
    pub quick: bool,
    /// The comparisons, paper by paper.
    pub comparisons: Vec<Comparison>,
}

impl Comparisons {
    /// The name of the file.
    pub const FILE: &'static str = "comparisons.json";

    /// Comparisons in the order of their papers, and as they are given within one.
    pub fn new(quick: bool, mut comparisons: Vec<Comparison>) -> Comparisons {
        comparisons.sort_by(|a, b| a.paper.cmp(&b.paper));
        Comparisons { schema: 1, quick, comparisons }
    }

    /// The table for the terminal.
    pub fn table(&self) -> String {
        let mut rows = vec![["paper", "place", "figure", "paper's", "ours"].map(str::to_owned).to_vec()];
        for of in &self.comparisons {
            rows.push(
                [&of.paper, &of.place, &of.what, &of.printed, &of.measured].map(String::clone).to_vec(),
            );
        }
        let widths: Vec<usize> = (0..5)
            .map(|column| rows.iter().map(|row| row[column].chars().count()).max().unwrap_or(0))
            .collect();
        let mut text = String::new();
        for row in &rows {
            let cells = row.iter().zip(&widths).map(|(cell, &width)| format!("{cell:<width$}"));
            text += cells.collect::<Vec<_>>().join("  ").trim_end();
            text.push('\n');
        }
        text
    }
}
