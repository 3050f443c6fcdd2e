//! `impinge distance`: how far two models are apart, and where they are closest.

mod document;
mod text;

use std::path::PathBuf;

use impinge::Placement;
use impinge::model::Purpose;
use impinge::query::{self, DistanceOptions};
use impinge_report::terminal::{self, Error, Output, Status};

use crate::batch::{self, Batch, Pose};
use crate::input::{self, Subject};
use crate::placement::{PlacementA, PlacementB};
use crate::reading::Reading;
use crate::unit;
use document::Finding;

// Paragraphs are one line each here: the help is wrapped to the width of the terminal.
const EXAMPLES: &str = "\
Examples:
  impinge distance cow.obj fence.obj
  impinge distance cow.obj fence.obj --translate-b -1,0,0 --rotate-b 0,0,1,90
  impinge distance arm.stl cell.glb --scale-a 0.001 --at-most 0.05 --json
  impinge distance gear.obj gear.obj --poses-b poses.txt --json > answers.jsonl

The distance is 0 exactly when `impinge check` says anything but clear: closed parts of a model are solids, and what \
lies inside of a solid is at distance 0 from it. Else it is right to about 12 digits, and to 14 digits of the largest \
coordinate. A model is placed by scaling it, then turning it, then moving it, or by a matrix. Without options it stands \
where its file says.

JSON:
  {\"schema\":1,\"distance\":0.25,\"point_a\":[1,0,0],\"point_b\":[1.25,0,0],
   \"feature_a\":{\"kind\":\"vertex\",\"index\":3},
   \"feature_b\":{\"kind\":\"edge\",\"vertices\":[4,7],\"face\":5}}

Points are in the world, indices are those of the file, counted from 0. Features are a vertex, an edge with a face \
along it, or {\"kind\":\"face\",\"index\":5}; null for a point in the inside of a solid. With --at-most, the document has \
`at_most`, and all but that is null where the models are farther apart. Faces of glTF files are counted through the \
scene in document order; features add their node and primitive.

Exit status: 0 apart, or with --at-most farther apart than that (with --poses-b: all of them), 1 at distance 0, or with \
--at-most no farther apart than that, 2 error.";

/// Measure how far two models are apart, and where they are closest
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct DistanceArgs {
    /// The mesh file of the first model: OBJ, STL, PLY, OFF, glTF, GLB, 3MF or COLLADA
    #[arg(value_name = "A")]
    a: PathBuf,

    /// The mesh file of the second model; may be the same
    #[arg(value_name = "B")]
    b: PathBuf,

    /// Look no further than this: quicker, and a test of clearance by its exit status
    #[arg(long, value_name = "D", allow_hyphen_values = true)]
    at_most: Option<String>,

    /// Take closed parts as surfaces too: nothing is inside of anything
    #[arg(long)]
    surface: bool,

    /// How to search; both find the same distance
    #[arg(long, value_name = "ENGINE", value_enum, default_value_t = Engine::Dop6)]
    engine: Engine,

    /// The name of the unit of the coordinates, such as mm
    ///
    /// Printed beside lengths; nothing is converted. Without it, lengths are in units, and in m where both files are
    /// glTF, which prescribes it. Use --scale-a or --scale-b to bring files of different units together.
    #[arg(long, value_name = "U")]
    unit: Option<String>,

    /// Print JSON instead of text: one document, or one a line with --poses-b
    #[arg(long)]
    json: bool,

    #[command(flatten)]
    placement_a: PlacementA,

    #[command(flatten)]
    placement_b: PlacementB,

    /// Measure one placement of B after the other: a file with one matrix a line
    ///
    /// 12 numbers (the upper three rows, row by row) or 16, separated by commas or blanks. Empty lines and comments
    /// from # to the end of a line are passed over. The whole file is checked before the first answer. There is
    /// one line of output for each row, in their order; JSON has the row as index, counted from 0.
    #[arg(long, value_name = "FILE", help_heading = "Where B stands")]
    #[arg(conflicts_with_all = ["matrix-b", "translate-b", "rotate-b", "scale-b"])]
    poses_b: Option<PathBuf>,

    #[command(flatten)]
    reading: Reading,
}

/// A way to search.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
enum Engine {
    /// Trees of boxes: the fastest
    Dop6,
    /// Every face against every face
    Brute,
}

impl From<Engine> for query::Engine {
    fn from(engine: Engine) -> query::Engine {
        match engine {
            Engine::Dop6 => query::Engine::Bvh,
            Engine::Brute => query::Engine::Brute,
        }
    }
}

/// What is asked of each placement, and between which models.
struct Question<'a> {
    a: Subject,
    b: Subject,
    world_from_a: Placement,
    at_most: Option<f64>,
    ask: DistanceOptions,
    json: bool,
    unit: Option<&'a str>,
}

impl Question<'_> {
    /// The answer for one placement of B.
    fn at(&self, world_from_b: Placement) -> Finding {
        let (a, b) = (self.a.model.at(self.world_from_a), self.b.model.at(world_from_b));
        let found = a.distance_with(&b, self.ask);
        Finding { found, has_limit: self.at_most.is_some() }
    }
}

impl Batch for Question<'_> {
    type Item = Pose;
    const ITEMS: &'static str = "poses";
    type Finding = Finding;

    fn prepare(&self) {
        if self.ask.engine == query::Engine::Bvh {
            input::prepare(&self.a, &self.b, Purpose::DISTANCE);
        }
    }

    fn answer(&self, pose: &Pose) -> Finding {
        self.at(pose.world_from_b)
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

pub(crate) fn run(arguments: &DistanceArgs, output: &mut Output) -> Result<Status, Error> {
    // Options first: they are checked in no time, and files may be large.
    unit::check(arguments.unit.as_deref())?;
    let at_most = arguments.at_most.as_deref().map(limit).transpose()?;
    let world_from_a = arguments.placement_a.placement()?;
    let world_from_b = arguments.placement_b.placement()?;
    let poses = arguments
        .poses_b
        .as_deref()
        .map(|file| batch::read_poses(file).map(|poses| (file, poses)))
        .transpose()?;
    let limits = arguments.reading.limits()?;
    let (a, b) = (Subject::read(&arguments.a, limits)?, Subject::read(&arguments.b, limits)?);
    let unit = unit::of(arguments.unit.as_deref(), &[a.unit.as_deref(), b.unit.as_deref()]);
    let unit = unit.map(str::to_owned);
    let unit = unit.as_deref();
    let ask = DistanceOptions::new()
        .surface_only(arguments.surface)
        .at_most(at_most.unwrap_or(f64::INFINITY))
        .engine(arguments.engine.into());
    let question = Question { a, b, world_from_a, at_most, ask, json: arguments.json, unit };
    question.a.check_range(question.world_from_a, "A")?;
    if let Some((file, poses)) = &poses {
        batch::check_range(file, poses, &question.b)?;
        return batch::run(&question, poses, output);
    }
    question.b.check_range(world_from_b, "B")?;
    let message = format!("measuring {} against {}", question.a.name, question.b.name);
    let finding = terminal::with_spinner(message, || {
        if question.ask.engine == query::Engine::Bvh {
            input::prepare_trees(&question.a, &question.b);
        }
        question.at(world_from_b)
    });
    if question.json {
        output.json(&finding.document(&question, None))?;
    } else {
        output.print(&text::answer(&finding, &question))?;
    }
    Ok(finding.status())
}

/// The value of `--at-most`.
fn limit(text: &str) -> Result<f64, Error> {
    match text.trim().parse::<f64>() {
        Ok(limit) if limit >= 0.0 && limit.is_finite() => Ok(limit),
        Ok(_) => Err(Error::option(
            "--at-most",
            format!("{text} is no distance: it must be finite and at least 0"),
        )),
        Err(_) => Err(Error::option("--at-most", format!("{text:?} is not a number"))),
    }
}
