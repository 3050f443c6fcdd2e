//! `impinge sweep`: how far a model can move before it meets another.

mod document;
mod motions;
pub(crate) mod report;
mod text;

use std::path::PathBuf;

use impinge::model::Purpose;
use impinge::query::SweepOptions;
use impinge::{Motion, Placement};
use impinge_report::terminal::{self};
use impinge_report::terminal::{Error, Output, Status};

use crate::batch::{self, Batch};
use crate::input::{self, Subject};
use crate::numbers::{self, ListOption};
use crate::placement::{PlacementA, PlacementB};
use crate::reading::Reading;
use crate::{report_scene, unit};
use document::Finding;
use motions::MotionRow;

/// The lists of this command; `--rotate` takes more numbers than in other commands.
pub(crate) const LISTS: &[ListOption] = &[("--translate", 3), ("--rotate", 7), ("--to-matrix", 16)];

// Paragraphs are one line each here: the help is wrapped to the width of the terminal.
const EXAMPLES: &str = "\
Examples:
  impinge sweep ball.obj wall.obj --translate 10,0,0
  impinge sweep door.obj room.glb --rotate 1,0,0,0,0,1,90
  impinge sweep arm.stl cell.stl --translate-a 0,0,2 --translate 0,0,-1 --rotate 0,0,0,0,0,1,-45 --json
  impinge sweep door.stl room.stl --rotate 1,0,0,0,0,1,90 --report door.html
  impinge sweep gear.obj gear.obj --motions motions.txt --json > answers.jsonl

MOVING starts where -a options put it and moves towards STATIONARY, which stands where -b options put it. With \
--translate and --rotate it first moves along the line, then turns; with --to-matrix it does both at once.

Verdicts:
  clear                the motion goes through to its end
  hit                  it is stopped
  started_overlapping  the two overlap before anything moves, or one is inside of the other

The fraction is never later than the first true touch, and the pose at the stop is free by the exact test. What is \
stopped is left its margin away: a skin of about 1e-11 of the size of the bodies, or what --margin says; inside of the \
margin it may leave or move along, but not come nearer. Faces are met from both sides.

From a touching start, a motion that parts the two goes on; one that slides along is lifted off by the skin first; one \
that presses them together is a hit at 0, and so is one that no lift frees (wedged).

JSON:
  {\"schema\":1,\"verdict\":\"hit\",\"fraction\":0.25,\"phase\":\"translation\",
   \"world_from_moving\":[1,0,0,2.5,0,1,0,0,0,0,1,0,0,0,0,1],
   \"point\":[3,0,0],\"normal\":[1,0,0],
   \"feature_moving\":{\"kind\":\"vertex\",\"index\":3},\"feature_stationary\":{\"kind\":\"face\",\"index\":5},
   \"contacts\":[…],\"bound\":1e-10,\"lift\":null,\"wedged\":false,\"work\":{\"box_tests\":64,\"face_tests\":4,\"feature_tests\":12}}

The fraction is that of the whole motion; where it has two phases, the translation is the first half of it. The pose \
at the stop is the one that was tested, row by row. The normal points from the moving model to the other, and the two are \
no farther apart at the stop than `bound`. With a `lift`, the pose is that of the motion moved by it. `contacts` are the places where they are about as close as that.

Exit status: 0 clear (with --motions: all clear), 1 hit or started overlapping, 2 error.";

/// Move a model until it meets another: how far it gets, and against what
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct SweepArgs {
    /// The mesh file of the model that moves: OBJ, STL, PLY, OFF, glTF, GLB, 3MF or COLLADA
    #[arg(value_name = "MOVING")]
    moving: PathBuf,

    /// The mesh file of the model that stands still; may be the same
    #[arg(value_name = "STATIONARY")]
    stationary: PathBuf,

    /// Move along a line
    #[arg(long, value_name = "X,Y,Z", allow_hyphen_values = true)]
    translate: Option<String>,

    /// Turn about an axis of the world, by degrees: a point of it, its direction, and the angle
    ///
    /// By the right-hand rule; the direction may have any length but 0, the angle any size. After --translate, where both are given.
    #[arg(long, value_name = "CX,CY,CZ,AX,AY,AZ,DEG", allow_hyphen_values = true)]
    rotate: Option<String>,

    /// Move rigidly to where this matrix would put the model: 16 numbers, row by row
    ///
    /// The model's origin goes along a line while the model turns about one axis, the shorter way, both with constant speed.
    #[arg(long, value_name = "M", allow_hyphen_values = true, conflicts_with_all = ["translate", "rotate"])]
    to_matrix: Option<String>,

    /// Make one motion after the other, each from the start: a file with one motion a line
    ///
    /// 3 numbers (as --translate), 7 (as --rotate) or 10 (both), separated by commas or blanks. Empty lines and comments from # to the
    /// end of a line are passed over. The whole file is checked before the first answer. There is one line of output for each row, in
    /// their order; JSON has the row as index, counted from 0.
    #[arg(long, value_name = "FILE", conflicts_with_all = ["translate", "rotate", "to_matrix"])]
    motions: Option<PathBuf>,

    /// Write a page to look at: the way, where it ends, and what is touched there; one file that needs no network
    ///
    /// It shows one motion, so not with --motions.
    #[arg(long, value_name = "OUT.html", conflicts_with = "motions")]
    report: Option<PathBuf>,

    /// Stop this far away: the thickness of the margin (van Waveren's expel zone)
    ///
    /// Never thinner than rounding needs, which is about 1e-11 of the largest coordinate.
    #[arg(long, alias = "expel", value_name = "E", allow_hyphen_values = true)]
    margin: Option<String>,

    /// Changes nothing: faces are met from both sides anyway; kept for older scripts
    #[arg(long)]
    two_sided: bool,

    /// The name of the unit of the coordinates, such as mm
    ///
    /// Printed beside lengths; nothing is converted. Without it, lengths are in units, and in m where both files are
    /// glTF, which prescribes it. Use --scale-a or --scale-b to bring files of different units together.
    #[arg(long, value_name = "U")]
    unit: Option<String>,

    /// Print JSON instead of text: one document, or one a line with --motions
    #[arg(long)]
    json: bool,

    #[command(flatten)]
    placement_a: PlacementA,

    #[command(flatten)]
    placement_b: PlacementB,

    #[command(flatten)]
    reading: Reading,
}

/// What is asked of each motion, and between which models.
struct Question<'a> {
    a: Subject,
    b: Subject,
    world_from_a: Placement,
    world_from_b: Placement,
    ask: SweepOptions,
    json: bool,
    unit: Option<&'a str>,
}

impl Question<'_> {
    fn along(&self, motion: &Motion) -> Finding {
        let (a, b) = (self.a.model.at(self.world_from_a), self.b.model.at(self.world_from_b));
        Finding::new(&a, &b, a.sweep_with(motion, &b, self.ask))
    }
}

impl Batch for Question<'_> {
    type Item = MotionRow;
    const ITEMS: &'static str = "motions";
    type Finding = Finding;

    fn prepare(&self) {
        input::prepare(&self.a, &self.b, Purpose::SWEEPS);
    }

    fn answer(&self, row: &MotionRow) -> Finding {
        self.along(&row.motion)
    }

    fn status(finding: &Finding) -> Status {
        finding.status()
    }

    fn print(&self, finding: &Finding, index: usize, count: usize, output: &mut Output) -> Result<(), Error> {
        if self.json {
            output.json(&finding.document(self, Some(index)))
        } else {
            output.print(&text::row(finding, self, index, count))
        }
    }
}

pub(crate) fn run(arguments: &SweepArgs, output: &mut Output) -> Result<Status, Error> {
    // Options first: they are checked in no time, and files may be large.
    unit::check(arguments.unit.as_deref())?;
    let world_from_a = arguments.placement_a.placement()?;
    let world_from_b = arguments.placement_b.placement()?;
    let margin = arguments.margin.as_deref().map_or(Ok(0.0), margin)?;
    let motions = arguments.motions.as_deref().map(motions::read).transpose()?;
    let [translate, rotate, to_matrix] =
        [&arguments.translate, &arguments.rotate, &arguments.to_matrix].map(Option::as_deref);
    let motion = match motions {
        Some(_) => None,
        None => Some(motions::of_options(translate, rotate, to_matrix, &world_from_a)?),
    };
    let limits = arguments.reading.limits()?;
    let report = arguments.report.as_deref();
    let inputs = [&arguments.moving, &arguments.stationary].into_iter().chain(&arguments.motions);
    terminal::refuse_inputs("--report", report, inputs)?;
    let (a, b) = (Subject::read(&arguments.moving, limits)?, Subject::read(&arguments.stationary, limits)?);
    terminal::refuse_inputs("--report", report, a.files.iter().chain(&b.files))?;
    let unit = unit::of(arguments.unit.as_deref(), &[a.unit.as_deref(), b.unit.as_deref()]);
    let unit = unit.map(str::to_owned);
    let unit = unit.as_deref();
    let ask = SweepOptions::new().margin(margin);
    let question = Question { a, b, world_from_a, world_from_b, ask, json: arguments.json, unit };
    question.a.check_range(world_from_a, "MOVING")?;
    question.b.check_range(world_from_b, "STATIONARY")?;
    let Some(motion) = motion else {
        let rows = motions.unwrap_or_default();
        return batch::run(&question, &rows, output);
    };
    let message = format!("moving {} towards {}", question.a.name, question.b.name);
    let finding = terminal::with_spinner(message, || {
        input::prepare_trees(&question.a, &question.b);
        question.along(&motion)
    });
    if let Some(file) = &arguments.report {
        report_scene::write(file, &report::of(&finding, &question, &motion))?;
    }
    if question.json {
        output.json(&finding.document(&question, None))?;
    } else {
        output.print(&text::answer(&finding, &question))?;
    }
    Ok(finding.status())
}

fn margin(text: &str) -> Result<f64, Error> {
    let fail = |reason: String| Error::option("--margin", reason);
    match numbers::parse(text).map_err(fail)?[..] {
        [thickness] if thickness.is_finite() && thickness >= 0.0 => Ok(thickness),
        [thickness] => {
            Err(fail(format!("{thickness} is no thickness: it must be a finite number of at least 0")))
        }
        ref numbers => Err(fail(format!("{} numbers were given, but it must be 1", numbers.len()))),
    }
}
