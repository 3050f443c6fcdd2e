//! `impinge-papers volumes`, `triangles`, `sweep`, `filters` and `world`: CSV files and no figures.

use std::path::{Path, PathBuf};

use clap::Args;
use impinge::shapes::Shape;
use impinge_papers::blow::{filters, world};
use impinge_papers::comparison::Comparison;
use impinge_papers::maia::{triangles, volumes};
use impinge_papers::peer::Peer;
use impinge_papers::van_waveren::sweep;
use impinge_report::terminal::{Error, Output, Status, progress};
use serde::Serialize;

use crate::results::{Results, prepare};

const VOLUMES_EXAMPLES: &str = "\
Examples:
  impinge-papers volumes --quick
  impinge-papers volumes --triangles 500000 --out results

The table: faces that touch, bounds compared and triangles tested, time for the sorted list of faces and for whether there \
is any, and the time by trying all faces. The file: volumes.csv.

Exit status: 0 measured and written, 2 error.";

const TRIANGLES_EXAMPLES: &str = "\
Examples:
  impinge-papers triangles --quick
  impinge-papers triangles --out results --json

The tests: exact; axes that separate; the same with all axes and triangles a little thicker; Möller's intervals. The pairs: \
random, in slight contact, in one plane. The file: triangles.csv.

Exit status: 0 measured and written, 2 error.";

const SWEEP_EXAMPLES: &str = "\
Examples:
  impinge-papers sweep --quick
  impinge-papers sweep --peer plugins/parry_lp.so --out results
  impinge-papers sweep --level map.obj --json

The tables: a box and two knots that move and turn against a large mesh and a level, with time a sweep, and with --peer that of \
other libraries, the ratio, and how many of their answers are later than impinge's by more than a thousandth of the way; points a second; \
the paper's own engine beside impinge's, with how often each is late or early; what each of its shortcuts saves; and a level of brushes before \
and after it is merged into one surface. The files: sweep.csv, engines.csv, shortcuts.csv, surfaces.csv.

Exit status: 0 measured and written, 2 error.";

const FILTERS_EXAMPLES: &str = "\
Examples:
  impinge-papers filters
  impinge-papers filters --json

The script: a hovertank of 97 polygons flies in and drops a cargo box of 12; on the ground that becomes a repair pad of 69, which \
pivots and slides until it rests; the tank lands in the hollow of the pad, where no plane divides the two, takes off and flies away. It is \
played as the paper did, by a grid, filters, trees of planes and a search by bisection, with the two filters that it took out again, and \
without filters; then with sweeps.

The tables: polygons before and after the cuts of the trees of planes; pairs that came to each filter, pairs that it decided and the mean \
time, beside the paper's (a Pentium of 166 MHz); how the counts depend on the rate of steps and on the grid; what closest features cost after the search by bisection. The file: filters.csv.

Exit status: 0 measured and written, 2 error.";

/// The filter chain on the scripted run of Blow 1997: fly, drop, deploy, rest, land, take off
#[derive(Debug, Args)]
#[command(after_help = FILTERS_EXAMPLES)]
pub(crate) struct FiltersArgs {
    /// The folder for the table; made where there is none
    #[arg(long, value_name = "FOLDER", default_value = "target/papers/filters")]
    out: PathBuf,

    /// Print one JSON document in place of the tables
    #[arg(long)]
    json: bool,
}

const WORLD_EXAMPLES: &str = "\
Examples:
  impinge-papers world --quick
  impinge-papers world --boxes 2000

The table: time a step with none, 1 %, 10 %, half and all of the boxes falling, on one core, while the others rest; and that for each of those \
that fall. The file: world.csv.

Exit status: 0 measured and written, 2 error.";

/// A world of boxes of which some fall and the others rest
#[derive(Debug, Args)]
#[command(after_help = WORLD_EXAMPLES)]
pub(crate) struct WorldArgs {
    /// Few boxes: a second or two
    #[arg(long)]
    quick: bool,

    /// How many boxes there are
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    boxes: Option<u32>,

    /// The folder for the table; made where there is none
    #[arg(long, value_name = "FOLDER", default_value = "target/papers/world")]
    out: PathBuf,

    /// Print one JSON document in place of the table
    #[arg(long)]
    json: bool,
}

pub(crate) fn world(arguments: &WorldArgs, output: &mut Output) -> Result<Status, Error> {
    let mut experiment = if arguments.quick { world::Experiment::QUICK } else { world::Experiment::FULL };
    experiment.boxes = arguments.boxes.map_or(experiment.boxes, |boxes| boxes as usize);
    prepare(&arguments.out)?;
    let bar = progress(experiment.steps());
    let report = experiment.run(|name| {
        bar.set_message(name.to_owned());
        bar.inc(1);
    });
    bar.finish_and_clear();
    let report = report.map_err(|error| Error::option("world", error.to_string()))?;
    let (file, compared) = (("world.csv", report.csv()), (arguments.quick, Vec::new()));
    write(&arguments.out, file, arguments.json, (&report, report.table()), compared, output)
}

/// What is printed of it.
#[derive(Serialize)]
struct FiltersReport {
    cuts: Vec<filters::CutRow>,
    runs: Vec<filters::Run>,
    varied: Vec<filters::Run>,
    closest: Vec<filters::ClosestRow>,
}

pub(crate) fn filters(arguments: &FiltersArgs, output: &mut Output) -> Result<Status, Error> {
    prepare(&arguments.out)?;
    let failed = |error: impinge_papers::blow::arena::ArenaError| Error::option("filters", error.to_string());
    let ways = filters::ways();
    let variations = filters::variations();
    let bar = progress(ways.len() + variations.len());
    let mut runs = Vec::new();
    for way in ways {
        bar.set_message(way.name);
        runs.push(filters::run(way).map_err(failed)?);
        bar.inc(1);
    }
    let mut varied = Vec::new();
    for way in variations {
        varied.push(filters::play(way).map_err(failed)?);
        bar.inc(1);
    }
    bar.finish_and_clear();
    let closest = filters::closest_features().map_err(failed)?;
    let report = FiltersReport { cuts: filters::polygons_before_and_after_cuts(), runs, varied, closest };
    let table = filters::table(&report.cuts, &report.runs, &report.varied, &report.closest);
    let csv = filters::csv(&report.runs, &report.varied);
    // A script that is played whole in every run.
    let compared = (false, filters::comparisons(&report.cuts, &report.runs));
    write(&arguments.out, ("filters.csv", csv), arguments.json, (&report, table), compared, output)
}

/// Sweeps of a box and of concave meshes against a large mesh and a level
///
/// Time a sweep, beside other libraries where they are given. Prints tables, and writes one to a folder.
#[derive(Debug, Args)]
#[command(after_help = SWEEP_EXAMPLES)]
pub(crate) struct SweepArgs {
    /// Small meshes and few sweeps: a second or two
    #[arg(long)]
    quick: bool,

    /// The folder for the table; made where there is none
    #[arg(long, value_name = "FOLDER", default_value = "target/papers/sweep")]
    out: PathBuf,

    /// A shared object with another library that sweeps meshes; may be given several times
    #[arg(long, value_name = "PLUGIN.so")]
    peer: Vec<PathBuf>,

    /// A level of convex brushes to sweep in as well, one group of faces a brush
    #[arg(long, value_name = "FILE")]
    level: Option<PathBuf>,

    /// Print one JSON document in place of the tables
    #[arg(long)]
    json: bool,
}

/// Boxes, balls, capsules, planes and frusta against a mesh
///
/// Volumes of three sizes around points of a model's surface, beside trying all faces. Prints a table, and writes it to a
/// folder.
#[derive(Debug, Args)]
#[command(after_help = VOLUMES_EXAMPLES)]
pub(crate) struct VolumesArgs {
    /// A small model and few volumes: a second or two
    #[arg(long)]
    quick: bool,

    /// The folder for the table; made where there is none
    #[arg(long, value_name = "FOLDER", default_value = "target/papers/volumes")]
    out: PathBuf,

    /// About how many triangles the model has
    #[arg(long, value_name = "N")]
    triangles: Option<usize>,

    /// Print one JSON document in place of the table
    #[arg(long)]
    json: bool,
}

/// Triangle against triangle: the exact test beside those in plain floating point
///
/// Time a pair, and how often each test is wrong. Prints a table, and writes it to a folder.
#[derive(Debug, Args)]
#[command(after_help = TRIANGLES_EXAMPLES)]
pub(crate) struct TrianglesArgs {
    /// Few pairs: a second or two
    #[arg(long)]
    quick: bool,

    /// The folder for the table; made where there is none
    #[arg(long, value_name = "FOLDER", default_value = "target/papers/triangles")]
    out: PathBuf,

    /// Print one JSON document in place of the table
    #[arg(long)]
    json: bool,
}

pub(crate) fn volumes(arguments: &VolumesArgs, output: &mut Output) -> Result<Status, Error> {
    let mut experiment =
        if arguments.quick { volumes::Experiment::QUICK } else { volumes::Experiment::PAPER };
    if let Some(triangles) = arguments.triangles {
        if triangles > Shape::MOST_TRIANGLES {
            let reason = format!("{triangles} is too many; at most {} can be made", Shape::MOST_TRIANGLES);
            return Err(Error::option("--triangles", reason));
        }
        experiment.triangles = triangles;
    }
    prepare(&arguments.out)?;
    let bar = progress(experiment.steps());
    let report = experiment.run(|name| {
        bar.set_message(name.to_owned());
        bar.inc(1);
    });
    bar.finish_and_clear();
    if let Some(row) = report.rows.iter().find(|row| !row.agrees) {
        return Err(Error::option(row.volume, "the tree and trying all faces disagree"));
    }
    let (file, compared) = (("volumes.csv", report.csv()), (arguments.quick, Vec::new()));
    write(&arguments.out, file, arguments.json, (&report, report.table()), compared, output)
}

pub(crate) fn triangles(arguments: &TrianglesArgs, output: &mut Output) -> Result<Status, Error> {
    let experiment = if arguments.quick { triangles::Experiment::QUICK } else { triangles::Experiment::FULL };
    prepare(&arguments.out)?;
    let bar = progress(experiment.steps());
    let report = experiment.run(|name| {
        bar.set_message(name.to_owned());
        bar.inc(1);
    });
    bar.finish_and_clear();
    let (file, compared) = (("triangles.csv", report.csv()), (arguments.quick, report.comparisons()));
    write(&arguments.out, file, arguments.json, (&report, report.table()), compared, output)
}

pub(crate) fn sweep(arguments: &SweepArgs, output: &mut Output) -> Result<Status, Error> {
    let experiment = if arguments.quick { sweep::Experiment::QUICK } else { sweep::Experiment::FULL };
    let load = |file: &PathBuf| Peer::load(file).map_err(|error| Error::option("--peer", error.to_string()));
    let peers = arguments.peer.iter().map(load).collect::<Result<Vec<Peer>, Error>>()?;
    let level =
        arguments.level.as_deref().map(impinge_formats::read_mesh).transpose()?.map(|loaded| loaded.mesh);
    prepare(&arguments.out)?;
    let bar = progress(experiment.steps(level.is_some()));
    let report = experiment.run(&peers, level.as_ref(), |name| {
        bar.set_message(name.to_owned());
        bar.inc(1);
    });
    bar.finish_and_clear();
    let place = if level.is_some() { "--level" } else { "sweep" };
    let report = report.map_err(|error| Error::option(place, error.to_string()))?;
    let files = report.files().map(|(name, csv)| (name.to_owned(), csv));
    let tables = report.table() + "\n";
    let compared = (arguments.quick, report.comparisons());
    let (folder, json) = (&arguments.out, arguments.json);
    Results { folder, report: &report, tables, json, compared }.write(files, output)
}

/// Writes the one file, and prints the table or the document.
fn write(
    folder: &Path,
    (name, csv): (&str, String),
    json: bool,
    (report, table): (&impl Serialize, String),
    compared: (bool, Vec<Comparison>),
    output: &mut Output,
) -> Result<Status, Error> {
    Results { folder, report, tables: table + "\n", json, compared }.write([(name.to_owned(), csv)], output)
}
