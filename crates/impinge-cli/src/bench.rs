//! `impinge bench`: a paper's experiment, as tables on the terminal and as files.

mod broad;
mod image;
mod small;
mod semantics;

use std::fs;
use std::io::{self, IsTerminal};
use std::path::{Path, PathBuf};

use clap::{Args, Subcommand};
use impinge::shapes::Shape;
use impinge_formats::read_mesh;
use impinge_papers::maia::rays;
use impinge_papers::peer::Peer;
use impinge_papers::zachmann::dop_tree::{
    self, Contrast, Experiment, Exponents, Object, PeerExponents, Report,
};
use indicatif::{ProgressBar, ProgressStyle};
use serde::Serialize;

use crate::error::{Error, Status};
use crate::output::Output;
use crate::target;

// Paragraphs are one line each here: the help is wrapped to the width of the terminal.
const EXAMPLES: &str = "\
Examples:
  impinge bench dop-tree --quick
  impinge bench dop-tree --shapes torus,lock --out results
  impinge bench volumes
  impinge bench triangles
  impinge bench broad --boxes 1000,10000
  impinge bench rays --quick
  impinge bench semantics --quick
  impinge bench filters
  impinge bench image --trials 10
  impinge bench world --quick

Exit status: 0 measured and written, 2 error.";

const DOP_TREE_EXAMPLES: &str = "\
Examples:
  impinge bench dop-tree --quick
  impinge bench dop-tree --shapes torus,sphere --triangles 5000,50000
  impinge bench dop-tree --shapes lock --out results --json
  impinge bench dop-tree --peer plugins/fcl_obb.so --peer plugins/fcl_obbrss.so

The tables: mean and worst time of a query over all distances, pairs of nodes visited, bounds compared, triangles \
tested, hits (rotations at which the surfaces meet, the same for every k), time to build a tree and its size; how the \
time grows with the triangles of a torus; other libraries, with the ratio of our time to theirs and the number of \
queries that they answer otherwise; what visits and triangle tests cost; and octahedra (k = 8) against boxes (k = 6), \
with what explains the difference.

The files: distances.csv, objects.csv, growth.csv, exponents.csv, costs.csv, octahedra.csv and octahedra.txt; \
time-SHAPE-TRIANGLES.svg with the time against the distance for every object, growth.svg, build.svg, alignment.svg with \
a DOP before and after it is aligned, and considered.svg with the polygons that are looked at in the worst case; with --peer also peers.csv, peers-growth.csv and peers-SHAPE-TRIANGLES.svg. \
Files of the same names are replaced, others are left alone.

Answers and counts are the same in every run; only times differ.

Exit status: 0 measured and written, 2 error.";

const RAYS_EXAMPLES: &str = "\
Examples:
  impinge bench rays --quick
  impinge bench rays --images 3 --out pictures

The files: image-00.png, image-01.png and so on. Files of the same names are replaced, others are left alone.

Exit status: 0 measured and written, 2 error.";

/// Run a paper's experiment
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES, disable_help_subcommand = true)]
pub(crate) struct BenchArgs {
    #[command(subcommand)]
    name: Name,
}

#[derive(Debug, Subcommand)]
enum Name {
    Broad(broad::BroadArgs),
    DopTree(DopTreeArgs),
    Image(image::ImageArgs),
    Semantics(semantics::SemanticsArgs),
    Volumes(small::VolumesArgs),
    Triangles(small::TrianglesArgs),
    Sweep(small::SweepArgs),
    Filters(small::FiltersArgs),
    World(small::WorldArgs),
    Rays(RaysArgs),
}

/// A scene rendered by casting rays, with the tests done in two frames
///
/// 30 images of 149K triangles from a turning camera, 1024 x 768 pixels: with boxes and triangles brought to the world's
/// scale, with the ray brought to the models' frames, and with impinge's own query. Writes the images to a folder.
#[derive(Debug, Args)]
#[command(after_help = RAYS_EXAMPLES)]
struct RaysArgs {
    /// A small scene and two small images: a second
    #[arg(long)]
    quick: bool,

    /// The folder for the images; made where there is none
    #[arg(long, value_name = "FOLDER", default_value = "target/bench/rays")]
    out: PathBuf,

    /// How many images the full turn has
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=10_000))]
    images: Option<u32>,

    /// Render nothing: cast a million rays at this mesh, and compare every answer with an oracle's
    ///
    /// The rays are those of an image and random ones, as harnesses cast them at the mesh; its vertices are rounded to 32 bits.
    /// The oracle shares no code with the query and decides close cases in whole numbers.
    #[arg(long, value_name = "MESH", conflicts_with_all = ["quick", "images", "out"])]
    check: Option<PathBuf>,

    /// With `--check`: how many of the rays are tried on every face as well
    #[arg(long, value_name = "N", default_value_t = 1000, requires = "check")]
    brute: usize,

    /// Print one JSON document in place of the table
    #[arg(long)]
    json: bool,
}

/// Trees of 6, 8, 14, 18 and 26 directions against each other
///
/// Two equal objects that fit in a cube of edge 2 stand at growing distances, and one makes a full turn about z at each
/// of them. Prints tables, and writes them with plots to a folder.
#[derive(Debug, Args)]
#[command(after_help = DOP_TREE_EXAMPLES)]
struct DopTreeArgs {
    /// Small objects and few rotations: a few seconds
    #[arg(long)]
    quick: bool,

    /// The folder for tables and plots; made where there is none
    #[arg(long, value_name = "FOLDER", default_value = "target/bench/dop-tree")]
    out: PathBuf,

    /// The shapes, by their names in `impinge make --list`, separated by commas
    ///
    /// Without it: door, lock, car, pipes, torus, sphere and cylinder.
    #[arg(long, value_name = "SHAPES", value_delimiter = ',')]
    shapes: Vec<String>,

    /// About how many triangles each shape has, separated by commas
    ///
    /// Every shape is measured with every number. Without it: the paper's numbers for its objects.
    #[arg(long, value_name = "N", value_delimiter = ',')]
    triangles: Vec<usize>,

    /// How many steps the full turn has
    ///
    /// Without it: 2000 as in the paper, and 24 with --quick.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    rotations: Option<u32>,

    /// Another library to run beside ours: a shared object with the C functions pb_build, pb_free and pb_collide
    ///
    /// Its code is run in this process. May be given several times. It answers the same queries, batch by batch by
    /// turns, and its answers are compared with ours.
    #[arg(long, value_name = "PATH")]
    peer: Vec<PathBuf>,

    /// Print one JSON document in place of the tables
    #[arg(long)]
    json: bool,
}

/// The JSON document.
#[derive(Serialize)]
struct Document<'r> {
    schema: u32,
    #[serde(flatten)]
    report: &'r Report,
    exponents: Vec<Exponents>,
    peer_exponents: Vec<PeerExponents>,
    octahedra: Vec<Contrast>,
    files: &'r [PathBuf],
}

pub(crate) fn run(arguments: &BenchArgs, output: &mut Output) -> Result<Status, Error> {
    match &arguments.name {
        Name::Broad(arguments) => broad::run(arguments, output),
        Name::DopTree(arguments) => dop_trees(arguments, output),
        Name::Image(arguments) => image::run(arguments, output),
        Name::Rays(arguments) => run_rays(arguments, output),
        Name::Semantics(arguments) => semantics::run(arguments, output),
        Name::Volumes(arguments) => small::volumes(arguments, output),
        Name::Triangles(arguments) => small::triangles(arguments, output),
        Name::World(arguments) => small::world(arguments, output),
        Name::Filters(arguments) => small::filters(arguments, output),
        Name::Sweep(arguments) => small::sweep(arguments, output),
    }
}

fn run_rays(arguments: &RaysArgs, output: &mut Output) -> Result<Status, Error> {
    if let Some(file) = &arguments.check {
        let checked = rays::check(&read_mesh(file)?.mesh, arguments.brute);
        if arguments.json {
            output.json(&CheckDocument { schema: 1, sets: &checked })?;
        } else {
            output.print(&rays::check_text(&checked))?;
        }
        let differs = checked.iter().any(|set| set.differences > 0);
        return Ok(if differs { Status::Found } else { Status::Nothing });
    }
    let mut protocol = if arguments.quick { rays::Protocol::QUICK } else { rays::Protocol::PAPER };
    protocol.images = arguments.images.map_or(protocol.images, |images| images as usize);
    prepare(&arguments.out)?;
    let bar = progress(protocol.images);
    let (mut written, mut failed) = (Vec::new(), None);
    let report = rays::run(protocol, |image, picture| {
        let file = arguments.out.join(format!("image-{image:02}.png"));
        let encoded = picture.png().map_err(|error| unwritable(&file, &error));
        match encoded.and_then(|bytes| target::write(&file, bytes)) {
            Ok(()) => written.push(file),
            Err(error) => failed = failed.take().or(Some(error)),
        }
        bar.inc(1);
    });
    bar.finish_and_clear();
    if let Some(error) = failed {
        return Err(error);
    }
    if arguments.json {
        output.json(&RaysDocument { schema: 1, report: &report, files: &written })?;
    } else {
        output.print(&rays::text(&report))?;
        output.print(&format!("{} images in {}\n", written.len(), arguments.out.display()))?;
    }
    Ok(Status::Nothing)
}

/// The JSON document of `rays --check`.
#[derive(Serialize)]
struct CheckDocument<'r> {
    schema: u32,
    sets: &'r [rays::Checked],
}

/// The JSON document of `rays`.
#[derive(Serialize)]
struct RaysDocument<'r> {
    schema: u32,
    #[serde(flatten)]
    report: &'r rays::Report,
    files: &'r [PathBuf],
}

fn dop_trees(arguments: &DopTreeArgs, output: &mut Output) -> Result<Status, Error> {
    let experiment = experiment(arguments)?;
    // Before the long work, not after it.
    let load = |file: &PathBuf| Peer::load(file).map_err(|error| Error::option("--peer", error.to_string()));
    let peers = arguments.peer.iter().map(load).collect::<Result<Vec<Peer>, Error>>()?;
    prepare(&arguments.out)?;
    let bar = progress(experiment.steps());
    let report = experiment.run(&peers, |name| {
        bar.set_message(name.to_owned());
        bar.inc(1);
    });
    bar.finish_and_clear();
    if let Some(object) = report.objects.iter().chain(&report.growth).find(|object| !object.agrees()) {
        let reason = "the trees disagree on which rotations collide".to_owned();
        return Err(Error::option(object.name(), reason));
    }
    let mut written = Vec::new();
    for (name, content) in dop_tree::files(&report) {
        let file = arguments.out.join(name);
        target::write(&file, content)?;
        written.push(file);
    }
    if arguments.json {
        let (exponents, octahedra) = (dop_tree::exponents(&report), dop_tree::contrasts(&report));
        let peer_exponents = dop_tree::peer_exponents(&report);
        let files = &written;
        output.json(&Document { schema: 1, report: &report, exponents, peer_exponents, octahedra, files })?;
    } else {
        output.print(&dop_tree::tables(&report))?;
        output.print(&format!("\n{} files in {}\n", written.len(), arguments.out.display()))?;
    }
    Ok(Status::Nothing)
}

fn experiment(arguments: &DopTreeArgs) -> Result<Experiment, Error> {
    let mut experiment = if arguments.quick { Experiment::quick() } else { Experiment::paper() };
    if let Some(rotations) = arguments.rotations {
        experiment.protocol.rotations = rotations as usize;
        experiment.growth_protocol.rotations = rotations as usize;
    }
    if let Some(most) = arguments.triangles.iter().find(|&&count| count > Shape::MOST_TRIANGLES) {
        let reason = format!("{most} is too many; at most {} can be made", Shape::MOST_TRIANGLES);
        return Err(Error::option("--triangles", reason));
    }
    let mut shapes: Vec<Shape> = experiment.objects.iter().map(|object| object.shape).collect();
    shapes.dedup();
    if !arguments.shapes.is_empty() {
        let parse = |name: &String| {
            Shape::parse(name).map_err(|reason| {
                Error::option("--shapes", format!("{reason}; `impinge make --list` names all"))
            })
        };
        shapes = arguments.shapes.iter().map(parse).collect::<Result<_, _>>()?;
    }
    let quick = experiment.objects[0].triangles;
    let counts = |shape| match &arguments.triangles[..] {
        [] if arguments.quick => vec![quick],
        [] => Object::counts_of(shape),
        counts => counts.to_vec(),
    };
    let of_shape = |shape| counts(shape).into_iter().map(move |triangles| Object { shape, triangles });
    experiment.objects = shapes.into_iter().flat_map(of_shape).collect();
    Ok(experiment)
}

/// Makes the folder, and makes sure that files can be written to it.
fn prepare(folder: &Path) -> Result<(), Error> {
    let probe = folder.join(".impinge-papers");
    fs::create_dir_all(folder)
        .and_then(|()| fs::write(&probe, ""))
        .and_then(|()| fs::remove_file(&probe))
        .map_err(|error| unwritable(folder, &error))
}

pub(crate) fn unwritable(file: &Path, error: &io::Error) -> Error {
    Error::File { file: file.to_owned(), reason: format!("cannot be written: {error}") }
}

/// A bar on stderr, where that is a terminal.
pub(crate) fn progress(count: usize) -> ProgressBar {
    if !io::stderr().is_terminal() {
        return ProgressBar::hidden();
    }
    let bar = ProgressBar::new(count as u64);
    if let Ok(style) = ProgressStyle::with_template("{wide_bar} {msg}, {eta} left") {
        bar.set_style(style);
    }
    bar
}
