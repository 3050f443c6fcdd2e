//! `impinge-papers broad`: the engines of the broad phase, and Maia et al. 2006's scene of deformable models.

use std::path::PathBuf;

use clap::Args;
use impinge::broad_phase::BroadPhase;
use impinge_papers::maia::broad::{self, Experiment};
use impinge_report::terminal::{Error, Output, Status, progress};

use crate::results::{self, Results};

const EXAMPLES: &str = "\
Examples:
  impinge-papers broad --quick
  impinge-papers broad --boxes 1000,50000 --steps 100
  impinge-papers broad --out results --json

The tables: the time of a step for each engine, with all boxes moving and, for the last number of boxes, with 10 % and 1 %; \
and 64 deformable models whose boxes in the world are made from eight corners or by the signs of the matrix.

The files: broad.csv, deformables.csv, growth.svg and moving.svg. Files of the same names are replaced, others are left \
alone.

Pairs are the same in every run; only times differ.

Exit status: 0 measured and written, 2 error.";

/// The engines of the broad phase against each other
///
/// Boxes drift through a cube that they fill to a quarter. A step hands over the boxes that moved, and lists the pairs that
/// overlap, began and ended. Prints tables, and writes them with plots to a folder.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct BroadArgs {
    /// Few boxes and few steps: a second
    #[arg(long)]
    quick: bool,

    /// The folder for tables and plots; made where there is none
    #[arg(long, value_name = "FOLDER", default_value = "target/papers/broad")]
    out: PathBuf,

    /// How many boxes there are, separated by commas
    ///
    /// Without it: 100, 1000, 10000 and 100000.
    #[arg(long, value_name = "N", value_delimiter = ',', value_parser = clap::value_parser!(u32).range(1..=i64::from(BroadPhase::LARGEST_ID)))]
    boxes: Vec<u32>,

    /// How many steps are measured for each
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    steps: Option<u32>,

    /// Print one JSON document in place of the tables
    #[arg(long)]
    json: bool,
}

pub(crate) fn run(arguments: &BroadArgs, output: &mut Output) -> Result<Status, Error> {
    let mut experiment = if arguments.quick { Experiment::quick() } else { Experiment::full() };
    if !arguments.boxes.is_empty() {
        experiment.counts.clone_from(&arguments.boxes);
    }
    if let Some(steps) = arguments.steps {
        experiment.steps = steps as usize;
    }
    results::prepare(&arguments.out)?;
    let bar = progress(experiment.rounds());
    let report = experiment.run(|name| {
        bar.set_message(name.to_owned());
        bar.inc(1);
    });
    bar.finish_and_clear();
    let report = report.map_err(|error| Error::option("broad", error.to_string()))?;
    if !report.agrees() {
        return Err(Error::option("broad", "the engines disagree on which boxes overlap".to_owned()));
    }
    let tables = broad::tables(&report) + "\n";
    // The paper's figure of a broad phase is measured by `semantics`.
    let compared = (arguments.quick, Vec::new());
    let (folder, json) = (&arguments.out, arguments.json);
    let results = Results { folder, report: &report, tables, json, compared };
    results.write(broad::files(&report), output)
}
