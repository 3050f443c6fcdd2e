//! The command `impinge-papers`: the experiments of the papers, as tables on the terminal and as files.
//!
//! One file holds one experiment, its options and its help; [`results`] is what they share.

mod all;
mod arena;
mod broad;
mod dop_tree;
#[cfg(feature = "image")]
mod image;
mod rays;
mod results;
mod semantics;
mod small;

use std::process::ExitCode;

use clap::{Parser, Subcommand};
use impinge::SimdLevel;
use impinge_report::terminal::{self, Error, Output, Status};

const AFTER_HELP: &str = "\
Examples:
  impinge-papers all --quick
  impinge-papers dop-tree --shapes torus,lock --out results
  impinge-papers volumes
  impinge-papers broad --boxes 1000,10000
  impinge-papers semantics --quick
  impinge-papers image --trials 10
  impinge-papers arena --seconds 600 --seed 3 --json

Exit status:
  0    measured and written
  1    something found: an interpenetration in the arena, an answer of a ray that differs
  2    error, with one line on stderr that names the file or option
  130  interrupted

Environment: RAYON_NUM_THREADS is the number of threads, otherwise all cores; IMPINGE_SIMD, portable or avx2, forces the \
instructions that are used, otherwise the best that the processor has. Neither changes an answer.

`impinge-papers NAME --help` explains an experiment and its options, with examples.";

/// Run the experiments of five papers on collision detection.
#[derive(Debug, Parser)]
#[command(name = "impinge-papers", version, after_help = AFTER_HELP, subcommand_required = true)]
#[command(arg_required_else_help = true, disable_help_subcommand = true)]
struct Cli {
    #[command(subcommand)]
    name: Name,
}

#[derive(Debug, Subcommand)]
enum Name {
    All(all::AllArgs),
    Arena(arena::ArenaArgs),
    Broad(broad::BroadArgs),
    DopTree(dop_tree::DopTreeArgs),
    Filters(small::FiltersArgs),
    #[cfg(feature = "image")]
    Image(image::ImageArgs),
    Rays(rays::RaysArgs),
    Semantics(semantics::SemanticsArgs),
    Sweep(small::SweepArgs),
    Triangles(small::TrianglesArgs),
    Volumes(small::VolumesArgs),
    World(small::WorldArgs),
}

/// What lines on stderr begin with.
const PROGRAM: &str = "impinge-papers";

fn main() -> ExitCode {
    terminal::quiet_drivers();
    let status = match Cli::try_parse() {
        Ok(cli) => terminal::finish(PROGRAM, |output| run(&cli.name, output)),
        Err(refusal) => terminal::usage(PROGRAM, &refusal),
    };
    status.into()
}

fn run(name: &Name, output: &mut Output) -> Result<Status, Error> {
    SimdLevel::requested()?;
    match name {
        Name::All(arguments) => all::run(arguments, output),
        Name::Arena(arguments) => arena::run(arguments, output),
        Name::Broad(arguments) => broad::run(arguments, output),
        Name::DopTree(arguments) => dop_tree::run(arguments, output),
        Name::Filters(arguments) => small::filters(arguments, output),
        #[cfg(feature = "image")]
        Name::Image(arguments) => image::run(arguments, output),
        Name::Rays(arguments) => rays::run(arguments, output),
        Name::Semantics(arguments) => semantics::run(arguments, output),
        Name::Sweep(arguments) => small::sweep(arguments, output),
        Name::Triangles(arguments) => small::triangles(arguments, output),
        Name::Volumes(arguments) => small::volumes(arguments, output),
        Name::World(arguments) => small::world(arguments, output),
    }
}
