//! `impinge-papers arena`: Blow 1997's game server, played by pilots that are programs.

mod report;

use std::fs;
use std::path::PathBuf;

use clap::{Args, ValueEnum};
use impinge::broad_phase::Algorithm;
use impinge::world::FilterChain;
use impinge_formats::write_bytes;
use impinge_papers::blow::arena::{Arena, Game, Method, RATE, Report};
use impinge_papers::blow::published::{Chain, PublishedOptions};
use impinge_report::terminal::{Error, Output, Status, progress};
use impinge_report::text::visible;
use serde::Serialize;

use crate::results::write_comparisons;

const EXAMPLES: &str = "\
Examples:
  impinge-papers arena
  impinge-papers arena --seconds 600 --seed 3 --json
  impinge-papers arena --players 4 --objects 60 --seconds 30 --report arena.html
  impinge-papers arena --as-published --seconds 30 --report arena.html
  impinge-papers arena --players 100 --objects 9900 --seconds 10 --no-check

Players fly hovertanks of 97 polygons over hills, land on repair pads of 69, and drop boxes that become such pads on the ground; \
everything falls, pivots and comes to rest. The step is 1/60 s. After each one, the exact test looks for bodies that overlap, \
outside of the time that is measured.

With --as-published, collisions are detected as in the paper: a grid over the ground, filters, trees of planes as the hard case, \
speedboxes and a search by bisection, and what collides goes back to its last free place. The check of each step is the same.

The table: pairs that came to each stage of the filter chain and pairs that it decided, with the mean time; time a step; landings. \
The same seed and system give the same hash, with any broad phase, any filters and any number of threads.

Exit status: 0 no interpenetration, 1 some, 2 error.";

/// Play Blow 1997's game: players and objects in real time
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct ArenaArgs {
    /// How many players fly
    #[arg(long, value_name = "N", default_value_t = 32, value_parser = clap::value_parser!(u32).range(0..=10_000))]
    players: u32,

    /// How many other bodies there are: repair pads, boxes, tanks that nobody flies
    #[arg(long, value_name = "N", default_value_t = 500, value_parser = clap::value_parser!(u32).range(0..=10_000))]
    objects: u32,

    /// How long, in the game's own time
    #[arg(long, value_name = "S", default_value_t = 20.0, allow_hyphen_values = true)]
    seconds: f64,

    /// What everything random begins with
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,

    /// Detect collisions as Blow 1997 did: grid, filters, BSP trees, bisection
    #[arg(long, conflicts_with_all = ["broad", "parallel"])]
    as_published: bool,

    /// Use all cores
    #[arg(long)]
    parallel: bool,

    /// How pairs of boxes are found; all give the same
    #[arg(long, value_enum, default_value_t = Broad::Tree)]
    broad: Broad,

    /// Filters to leave out: spheres, boxes, plane; or with --as-published to add: manhattan, early-vertex
    #[arg(long, value_name = "FILTERS", value_delimiter = ',', value_enum)]
    toggle: Vec<Filter>,

    /// Leave out the check of every step
    #[arg(long)]
    no_check: bool,

    /// Write a page that plays the game in 3D: one file that needs no network
    ///
    /// It has 30 pictures a second, and takes about 4 kB for each second that a body moves; bodies at rest take no room.
    #[arg(long, value_name = "OUT.html", alias = "page")]
    report: Option<PathBuf>,

    /// How much of the game the page plays, from its start
    #[arg(long, value_name = "S", default_value_t = 60.0, allow_hyphen_values = true)]
    report_seconds: f64,

    /// The folder for the paper's claim beside what was played
    #[arg(long, value_name = "FOLDER", hide = true)]
    compare: Option<PathBuf>,

    /// Print one JSON document in place of the tables
    #[arg(long)]
    json: bool,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum Broad {
    Tree,
    SweepAndPrune,
    Columns,
    Cells,
    Brute,
}

#[derive(Clone, Copy, Debug, PartialEq, ValueEnum)]
enum Filter {
    Manhattan,
    Spheres,
    Boxes,
    Plane,
    EarlyVertex,
}

/// The JSON document.
#[derive(Serialize)]
struct Document<'r> {
    schema: u32,
    method: &'static str,
    steps: usize,
    bodies: usize,
    interpenetrations: u64,
    stuck: u64,
    stuck_at: &'r [impinge_papers::blow::arena::Stuck],
    step_ms: Times,
    filters: &'r [impinge_papers::blow::arena::Filter],
    hash: &'r str,
    players: usize,
    objects: usize,
    seed: u64,
    landings: u64,
    landings_on_pads: u64,
    dropped: u64,
    unstuck: u64,
    awake: f64,
    hard_share: f64,
    checked: bool,
}

#[derive(Serialize)]
struct Times {
    median: f64,
    p99: f64,
    longest: f64,
}

pub(crate) fn run(arguments: &ArenaArgs, output: &mut Output) -> Result<Status, Error> {
    let game = arguments.game()?;
    if let Some(file) = &arguments.report {
        // Known before a long game, not after it.
        let folder = file.parent().filter(|folder| !folder.as_os_str().is_empty());
        folder
            .map_or(Ok(()), |folder| fs::metadata(folder).map(drop))
            .map_err(|error| Error::unwritable(file, &error))?;
    }
    let bar = progress((game.seconds * RATE).round() as usize);
    bar.set_message("steps");
    let failed = |error: impinge_papers::blow::arena::ArenaError| Error::option("arena", error.to_string());
    let report = Arena::new(game).map_err(failed)?.play(|| bar.inc(1)).map_err(failed)?;
    bar.finish_and_clear();
    if let Some(file) = &arguments.report {
        let page = report::of(&report).html().map_err(|error| Error::option("the report", error))?;
        write_bytes(file, page)?;
    }
    if let Some(folder) = &arguments.compare {
        write_comparisons(folder, false, report.comparisons())?;
    }
    if arguments.json {
        output.json(&document(&report))?;
    } else {
        output.print(&report.table())?;
        if let Some(file) = &arguments.report {
            output.print(&format!("wrote {}\n", visible(&file.display().to_string())))?;
        }
    }
    Ok(if report.interpenetrations > 0 { Status::Found } else { Status::Nothing })
}

impl ArenaArgs {
    fn game(&self) -> Result<Game, Error> {
        if !(self.seconds >= 0.0 && self.seconds <= 1e6) {
            return Err(Error::option(
                "--seconds",
                format!("{} is not a time from 0 to 1000000", self.seconds),
            ));
        }
        if !(self.report_seconds > 0.0 && self.report_seconds.is_finite()) {
            let reason = format!("{} is not a time above 0", self.report_seconds);
            return Err(Error::option("--report-seconds", reason));
        }
        let mut options = Method::swept();
        options.parallel = self.parallel;
        options.broad = match self.broad {
            Broad::Tree => Algorithm::Bvh,
            Broad::SweepAndPrune => Algorithm::SweepAndPrune,
            Broad::Columns => Algorithm::Columns,
            Broad::Cells => Algorithm::Cells,
            Broad::Brute => Algorithm::Brute,
        };
        let discarded = [Filter::Manhattan, Filter::EarlyVertex];
        if !self.as_published && discarded.iter().any(|filter| self.toggle.contains(filter)) {
            let reason = "the filters that the paper took out again are asked with --as-published only";
            return Err(Error::option("--toggle", reason.to_owned()));
        }
        let usual = Chain::PAPER;
        let switched = |filter: Filter, usual: bool| usual != self.toggle.contains(&filter);
        let chain = Chain {
            manhattan: switched(Filter::Manhattan, usual.manhattan),
            spheres: switched(Filter::Spheres, usual.spheres),
            boxes: switched(Filter::Boxes, usual.boxes),
            plane: switched(Filter::Plane, usual.plane),
            early_vertex: switched(Filter::EarlyVertex, usual.early_vertex),
        };
        let Chain { spheres, boxes, plane, .. } = chain;
        options.chain = FilterChain { spheres, boxes, plane };
        let published = PublishedOptions { chain, ..PublishedOptions::default() };
        Ok(Game {
            players: self.players as usize,
            objects: self.objects as usize,
            seconds: self.seconds,
            seed: self.seed,
            check: !self.no_check,
            film: if self.report.is_some() { self.report_seconds } else { 0.0 },
            method: if self.as_published { Method::Published(published) } else { Method::Swept(options) },
        })
    }
}

fn document(report: &Report) -> Document<'_> {
    let [median, p99, longest] = report.step_ms;
    Document {
        schema: 1,
        method: report.game.method.name(),
        steps: report.steps,
        bodies: report.bodies,
        interpenetrations: report.interpenetrations,
        stuck: report.stuck,
        stuck_at: &report.stuck_at,
        step_ms: Times { median, p99, longest },
        filters: &report.filters,
        hash: &report.hash,
        players: report.game.players,
        objects: report.game.objects,
        seed: report.game.seed,
        landings: report.landings[1],
        landings_on_pads: report.landings[0],
        dropped: report.dropped[0],
        unstuck: report.unstuck,
        awake: report.awake,
        hard_share: report.hard_share(),
        checked: report.game.check,
    }
}
