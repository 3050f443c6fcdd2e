//! `impinge bench semantics`: paper 004's figures.

use std::fs;
use std::path::PathBuf;

use clap::Args;
use impinge_bench::semantics::{self, Effort, SECTIONS, Section};
use serde::Serialize;

use super::{prepare, progress, unwritable};
use crate::error::{Error, Status};
use crate::output::Output;

const EXAMPLES: &str = "\
Examples:
  impinge bench semantics --quick
  impinge bench semantics --only lazy-refit --out results

The files: for each section its table, SECTION.csv, and its plot, SECTION.svg; semantics.csv with the ratio of each \
section beside the paper's. Files of the same names are replaced, others are left alone.

Exit status: 0 measured and written, 2 error.";

/// What transformation semantics and lazy refits are worth
///
/// Measures the figures of the paper, each against the way that it is compared with there: the box around a placed box
/// against its eight corners, refits of the deformables that a frame touches against refits of all. Prints tables, and
/// writes them with plots to a folder.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct SemanticsArgs {
    /// Few repetitions: a few seconds
    #[arg(long)]
    quick: bool,

    /// The folder for tables and plots; made where there is none
    #[arg(long, value_name = "FOLDER", default_value = "target/bench/semantics")]
    out: PathBuf,

    /// The sections to measure, separated by commas
    ///
    /// Without it: all.
    #[arg(long, value_name = "SECTIONS", value_delimiter = ',', value_parser = SECTIONS.iter().map(|(name, _)| *name).collect::<Vec<_>>())]
    only: Vec<String>,

    /// Print one JSON document in place of the tables
    #[arg(long)]
    json: bool,
}

/// The JSON document.
#[derive(Serialize)]
struct Document<'r> {
    schema: u32,
    sections: &'r [Section],
    files: &'r [PathBuf],
}

pub(super) fn run(arguments: &SemanticsArgs, output: &mut Output) -> Result<Status, Error> {
    // Before the long work, not after it.
    prepare(&arguments.out)?;
    let effort = if arguments.quick { Effort::Quick } else { Effort::Paper };
    let is_asked = |name: &str| arguments.only.is_empty() || arguments.only.iter().any(|only| only == name);
    let asked: Vec<_> = SECTIONS.iter().filter(|(name, _)| is_asked(name)).collect();
    let bar = progress(asked.len());
    let mut sections = Vec::new();
    for (name, measure) in asked {
        bar.set_message(*name);
        sections.push(measure(effort));
        bar.inc(1);
    }
    bar.finish_and_clear();
    let mut written = Vec::new();
    for (name, content) in semantics::files(&sections) {
        let file = arguments.out.join(name);
        fs::write(&file, content).map_err(|error| unwritable(&file, &error))?;
        written.push(file);
    }
    if arguments.json {
        output.json(&Document { schema: 1, sections: &sections, files: &written })?;
    } else {
        output.print(&semantics::tables(&sections))?;
        output.print(&format!("{} files in {}\n", written.len(), arguments.out.display()))?;
    }
    Ok(Status::Nothing)
}
