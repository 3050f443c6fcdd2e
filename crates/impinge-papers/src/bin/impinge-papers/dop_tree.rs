//! `impinge-papers dop-tree`: Zachmann 1998's numbers of directions and OBB-trees against each other.

use std::path::PathBuf;

use clap::Args;
use impinge::shapes::Shape;
use impinge_papers::peer::Peer;
use impinge_papers::zachmann::dop_tree::{
    self, Contrast, Experiment, Exponents, Object, PeerExponents, Report,
};
use impinge_report::terminal::{Error, Output, Status, progress};
use serde::Serialize;

use crate::results::{self, Results};

// Paragraphs are one line each here: the help is wrapped to the width of the terminal.
const EXAMPLES: &str = "\
Examples:
  impinge-papers dop-tree --quick
  impinge-papers dop-tree --shapes torus,sphere --triangles 5000,50000
  impinge-papers dop-tree --shapes lock --out results --json
  impinge-papers dop-tree --peer plugins/fcl_obb.so --peer plugins/fcl_obbrss.so

The trees: K-DOPs for every k; boxes built as in the paper (6-paper); oriented boxes (obb), the OBB-tree that the \
paper measures against.

The tables: mean and worst time of a query over all distances, pairs of nodes visited, bounds compared, triangles \
tested, hits (rotations at which the surfaces meet, the same for every tree), time to build a tree and its size; the \
paper's Tables 1 to 6 with ours; the leaves at each depth of the paper's tree of a sphere, and its criteria of a good \
tree; how the time grows with the triangles of a torus; other libraries, with the ratio of our time to theirs and the number of \
queries that they answer otherwise; what visits and triangle tests cost; and octahedra (k = 8) against boxes (k = 6), \
with what explains the difference.

The files: distances.csv, objects.csv, growth.csv, exponents.csv, costs.csv, octahedra.csv, octahedra.txt and construction.csv; \
time-SHAPE-TRIANGLES.svg with the time against the distance for every object, obb-SHAPE-TRIANGLES.svg with that of boxes and oriented boxes, growth.svg, build.svg, alignment.svg with \
a DOP before and after it is aligned, and considered.svg with the polygons that are looked at in the worst case; with --peer also peers.csv, peers-growth.csv and peers-SHAPE-TRIANGLES.svg. \
Files of the same names are replaced, others are left alone.

Answers and counts are the same in every run; only times differ.

Exit status: 0 measured and written, 2 error.";

/// Trees of 6, 8, 14, 18 and 26 directions and of oriented boxes against each other
///
/// Two equal objects that fit in a cube of edge 2 stand at growing distances, and one makes a full turn about z at each
/// of them. Prints tables, and writes them with plots to a folder.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct DopTreeArgs {
    /// Small objects and few rotations: a few seconds
    #[arg(long)]
    quick: bool,

    /// The folder for tables and plots; made where there is none
    #[arg(long, value_name = "FOLDER", default_value = "target/papers/dop-tree")]
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

/// What the document has beside the files.
#[derive(Serialize)]
struct Measured<'r> {
    #[serde(flatten)]
    report: &'r Report,
    exponents: Vec<Exponents>,
    peer_exponents: Vec<PeerExponents>,
    octahedra: Vec<Contrast>,
}

pub(crate) fn run(arguments: &DopTreeArgs, output: &mut Output) -> Result<Status, Error> {
    let experiment = experiment(arguments)?;
    // Before the long work, not after it.
    let load = |file: &PathBuf| Peer::load(file).map_err(|error| Error::option("--peer", error.to_string()));
    let peers = arguments.peer.iter().map(load).collect::<Result<Vec<Peer>, Error>>()?;
    results::prepare(&arguments.out)?;
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
    let measured = Measured {
        report: &report,
        exponents: dop_tree::exponents(&report),
        peer_exponents: dop_tree::peer_exponents(&report),
        octahedra: dop_tree::contrasts(&report),
    };
    let tables = dop_tree::tables(&report) + "\n";
    let compared = (arguments.quick, dop_tree::comparisons(&report));
    let (folder, json) = (&arguments.out, arguments.json);
    let results = Results { folder, report: &measured, tables, json, compared };
    results.write(dop_tree::files(&report), output)
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
