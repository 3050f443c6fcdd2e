//! The command `impinge`: the library's answers on one line, as text or as JSON. The program only calls [`run`], so that others can run commands, too.
//!
//! One file holds one command, its options and its help; what commands share has files of its own: `placement`
//! (where a model stands), `reading` (what may be read), `report_scene` (what reports show), `numbers` and `rows` (numbers from options and files),
//! `json` (the documents). What is printed where is in `impinge_report::terminal`, which the papers' command has, too.

mod batch;
mod check;
mod clash;
mod distance;
#[cfg(feature = "image")]
mod image;
mod inspect;
mod json;
mod make;
mod numbers;
mod overlap;
mod report_scene;
mod placement;
mod ray;
mod reading;
mod rows;
mod input;
mod sweep;
mod pages;
mod unit;
mod view;

use std::ffi::OsString;

use clap::{Parser, Subcommand};
use impinge::SimdLevel;

use impinge_report::terminal::{self, Error, Output};

pub use clash::{
    ClashScene, ForeignReader, ForeignScene, Observer, Packed, Packer, ScenePart, StoredModel, StoredName,
    StoredPart, StoredScene, Tested, Tester, TiledSearch, bcf_bytes,
};
pub use impinge_report::terminal::Status;
pub use inspect::inspect_model;
pub use pages::{model_report, pair_report, sweep_report};

const AFTER_HELP: &str = "\
Exit status:
  0    nothing found: the models are clear, the ray misses, the file was written, the meshes were read
  1    something found: the models meet, the ray hits, the model touches the volume, the motion is stopped
  2    error, with one line on stderr that names the file, line or option
  130  interrupted

Lengths are in the unit of the files; nothing is converted. Numbers in lists are separated by commas or blanks and may \
be negative: --translate-b -1,0,0. Indices of faces and vertices are those of the file, counted from 0.

Environment: RAYON_NUM_THREADS is the number of threads, otherwise all cores; IMPINGE_SIMD, portable or avx2, forces the \
instructions that are used, otherwise the best that the processor has. Neither changes an answer.

`impinge COMMAND --help` explains a command and its options, with examples.";

/// Tell whether, where and when polyhedra collide: exactly.
#[derive(Debug, Parser)]
#[command(name = "impinge", version, after_help = AFTER_HELP, subcommand_required = true)]
#[command(arg_required_else_help = true, disable_help_subcommand = true)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    Make(make::MakeArgs),
    Inspect(inspect::InspectArgs),
    Check(Box<check::CheckArgs>),
    Clash(Box<clash::ClashArgs>),
    Overlap(Box<overlap::OverlapArgs>),
    Ray(Box<ray::RayArgs>),
    Distance(Box<distance::DistanceArgs>),
    Sweep(Box<sweep::SweepArgs>),
    View(Box<view::ViewArgs>),
    #[cfg(feature = "image")]
    Image(Box<image::ImageArgs>),
    #[cfg(not(feature = "image"))]
    #[command(hide = true)]
    Image(MissingArgs),
    #[command(hide = true)]
    Arena(MissingArgs),
    #[command(hide = true)]
    Bench(MissingArgs),
}

/// A command that this program does not have, with whatever it was given.
#[derive(Debug, clap::Args)]
#[command(disable_help_flag = true)]
struct MissingArgs {
    #[arg(trailing_var_arg = true, allow_hyphen_values = true, hide = true)]
    arguments: Vec<String>,
}

impl MissingArgs {
    /// Where a command of `impinge-papers` is: the first argument names an experiment, unless the command is one itself.
    fn moved(&self, name: &str) -> Error {
        let name = if name.is_empty() { self.arguments.first().map_or("NAME", String::as_str) } else { name };
        Error::option("moved", format!("use impinge-papers {name}"))
    }
}

/// What lines on stderr begin with.
const PROGRAM: &str = "impinge";

/// Runs a command line, of which the first word is the program's name: prints to stdout and stderr, and returns the status that the process should end with.
pub fn run(arguments: impl IntoIterator<Item = OsString>) -> Status {
    run_with(arguments, None)
}

/// Runs a command line as [`run`] does; scenes of `impinge clash` that the reader reads are read by it.
pub fn run_with(arguments: impl IntoIterator<Item = OsString>, reader: Option<&dyn ForeignReader>) -> Status {
    terminal::quiet_drivers();
    let arguments: Vec<OsString> = arguments.into_iter().collect();
    let lists = [placement::LISTS, overlap::LISTS].concat();
    let is_sweep = arguments.get(1).is_some_and(|command| command == "sweep");
    let lists = if is_sweep { [sweep::LISTS, &lists].concat() } else { lists };
    match Cli::try_parse_from(numbers::join_lists(arguments, &lists)) {
        Ok(cli) => terminal::finish(PROGRAM, |output| run_command(&cli.command, reader, output)),
        Err(refusal) => terminal::usage(PROGRAM, &refusal),
    }
}

fn run_command(
    command: &Command,
    reader: Option<&dyn ForeignReader>,
    output: &mut Output,
) -> Result<Status, Error> {
    SimdLevel::requested()?;
    match command {
        Command::Make(arguments) => make::run(arguments, output),
        Command::Inspect(arguments) => inspect::run(arguments, output),
        Command::Check(arguments) => check::run(arguments, output),
        Command::Clash(arguments) => clash::run(arguments, reader, output),
        Command::Overlap(arguments) => overlap::run(arguments, output),
        Command::Ray(arguments) => ray::run(arguments, output),
        Command::Distance(arguments) => distance::run(arguments, output),
        Command::Sweep(arguments) => sweep::run(arguments, output),
        Command::View(arguments) => view::run(arguments, output),
        #[cfg(feature = "image")]
        Command::Image(arguments) => image::run(arguments, output),
        #[cfg(not(feature = "image"))]
        Command::Image(_) => Err(check::without_images("image")),
        Command::Arena(arguments) => Err(arguments.moved("arena")),
        Command::Bench(arguments) => Err(arguments.moved("")),
    }
}
