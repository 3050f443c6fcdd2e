//! `impinge-papers image`: Knott and Pai 2003's measurements.

use std::path::PathBuf;

use clap::Args;
use impinge::shapes::Shape;
use impinge_image::DeviceChoice;
use impinge_papers::knott_pai::image::{self, Experiment};
use impinge_report::terminal::{Error, Output, Status, progress};

use crate::results::{self, Results};

const EXAMPLES: &str = "\
Examples:
  impinge-papers image --quick
  impinge-papers image --device gpu --trials 20 --seconds 5
  impinge-papers image --objects 100,1000 --polygons 5000,50000 --out results --json

The tables: mean time and its deviation against the number of boxes (Figure 9) and of polygons (Figure 10), with the power by which \
it grows, with what every question costs and without; the share found of dense meshes that meet at a small place, with one layer of edges and with all; the first question beside the \
second; and pairs among many boxes beside those of the exact test.

The files: objects.csv, polygons.csv, misses.csv, setup.csv, differences.csv, objects.svg, polygons.svg and misses.svg. Files of \
the same names are replaced, others are left alone.

Answers are the same in every run; only times differ, and with --seconds how many placements a row has time for.

Exit status: 0 measured and written, 2 error.";

/// Interference seen in images: how time grows, and what is missed
///
/// Images of 256 x 256 pixels as in the paper: with one view and one layer of edges, as there, and with three views and all layers.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct ImageArgs {
    /// Few and small scenes: some seconds
    #[arg(long)]
    quick: bool,

    /// The folder for tables and plots; made where there is none
    #[arg(long, value_name = "FOLDER", default_value = "target/papers/image")]
    out: PathBuf,

    /// What draws
    #[arg(long, value_name = "DEVICE", value_enum, default_value_t = DeviceChoice::Auto)]
    device: DeviceChoice,

    /// How many random placements a row has; without it 100, as in the paper
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    trials: Option<u32>,

    /// How many seconds a row may take; it has at least three placements; without it every row has all
    ///
    /// Where one question takes longer than a fifth of this, greater numbers are left out.
    #[arg(long, value_name = "S", value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    seconds: Option<u32>,

    /// How many boxes there are, separated by commas
    #[arg(long, value_name = "N", value_delimiter = ',', value_parser = clap::value_parser!(u32).range(2..=1_000_000))]
    objects: Vec<u32>,

    /// About how many polygons two objects have together, separated by commas
    #[arg(long, value_name = "N", value_delimiter = ',')]
    polygons: Vec<usize>,

    /// Print one JSON document in place of the tables
    #[arg(long)]
    json: bool,
}

pub(crate) fn run(arguments: &ImageArgs, output: &mut Output) -> Result<Status, Error> {
    let mut experiment = if arguments.quick { Experiment::quick() } else { Experiment::paper() };
    experiment.trials = arguments.trials.map_or(experiment.trials, |trials| trials as usize);
    if let Some(seconds) = arguments.seconds.map(f64::from) {
        (experiment.seconds, experiment.patience) = (Some(seconds), seconds / 5.0);
    }
    if !arguments.objects.is_empty() {
        experiment.objects.clone_from(&arguments.objects);
    }
    if let Some(most) = arguments.polygons.iter().find(|&&count| count > Shape::MOST_TRIANGLES) {
        let reason = format!("{most} is too many; at most {} can be made", Shape::MOST_TRIANGLES);
        return Err(Error::option("--polygons", reason));
    }
    if !arguments.polygons.is_empty() {
        experiment.polygons.clone_from(&arguments.polygons);
    }
    // The first tells whether there is a device at all.
    let choice = arguments.device;
    drop(choice.open().map_err(|refusal| Error::option("--device gpu", refusal))?);
    results::prepare(&arguments.out)?;
    let bar = progress(experiment.steps());
    let report = experiment.run(
        || choice.open(),
        |name| {
            bar.set_message(name.to_owned());
            bar.inc(1);
        },
    );
    bar.finish_and_clear();
    let report = report?;
    let tables = image::tables(&report) + "\n";
    let compared = (arguments.quick, image::comparisons(&report));
    let (folder, json) = (&arguments.out, arguments.json);
    let results = Results { folder, report: &report, tables, json, compared };
    results.write(image::files(&report), output)
}
