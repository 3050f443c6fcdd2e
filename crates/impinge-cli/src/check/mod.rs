//! `impinge check`: how two models stand to each other.

mod engine;
mod document;
#[cfg(feature = "image")]
mod image;
pub(crate) mod report;
mod text;

use std::path::{Path, PathBuf};

use impinge::model::Purpose;
use impinge::query::IntersectOptions;
use impinge::{Placement, clash};
use impinge_formats::{Polyline, write_polylines};
use impinge_report::terminal::{self, Error, Output, Status};

use crate::batch::{self, Batch, Pose};
#[cfg(feature = "image")]
use crate::image::look_options::Looking;
use crate::input::{self, Subject};
use crate::placement::{PlacementA, PlacementB};
use crate::reading::Reading;
use crate::{numbers, report_scene, unit};
use document::Finding;
use engine::Way;
pub(crate) use engine::{Engine, Search};

// Paragraphs are one line each here: the help is wrapped to the width of the terminal.
const EXAMPLES: &str = "\
Examples:
  impinge check cow.obj fence.obj
  impinge check cow.obj fence.obj --translate-b -1,0,0 --rotate-b 0,0,1,90
  impinge check arm.stl cell.glb --scale-a 0.001 --pairs --json
  impinge check arm.stl cell.stl --report arm.html
  impinge check lid.stl box.stl --touch 0.01
  impinge check gear.obj gear.obj --poses-b poses.txt --json > answers.jsonl
  impinge check knot.obj ring.obj --engine image --resolution 512 --exact

Verdicts:
  clear        they share no point
  touching     they meet, but neither in their interiors nor with crossing faces
  overlapping  faces cross, or interiors meet and neither contains the other
  inside       one lies within the other; their surfaces may touch

Closed parts of a model are solids, open parts are surfaces. Answers are exact for the placed vertices. A model is \
placed by scaling it, then turning it, then moving it, or by a matrix. Without options it stands where its file says. \
Where its numbers have so few digits that no vertex is rounded in the world, answers are those of its vertices there.

--touch is what rounding may do, as in impinge clash: a gap no larger is touching, and so is an overlap of solids no deeper that holds no larger ball; what sticks out by no more is inside. \
Models that are a gap apart have a witness between their closest points, with null faces. Pairs and curve are the exact ones always.

JSON:
  {\"schema\":1,\"verdict\":\"overlapping\",\"contained\":null,
   \"witness\":{\"face_a\":3,\"face_b\":7,\"point\":[0.5,1,0]},
   \"pairs\":[[3,7],[3,8]],\"work\":{\"box_tests\":157,\"face_tests\":120}}

Points are in the world, faces are those of the file, counted from 0. `contained` is \"a\" or \"b\" when the verdict is \
inside. The witness is null when the verdict is clear, and its faces are null where no faces meet. `pairs` comes with \
--pairs. Faces of glTF files are counted through the scene in document order; the witness adds their node and primitive.

--engine image looks for edges of one model inside of the other, in images. It never says touching, and its verdict is as \
exact as the precision that it states, a length: what reaches deeper than this is found, and what is farther apart is clear. It says inside \
where every pixel of the edges of one is inside of the other, and overlapping otherwise. JSON adds `precision` (null where it has no bound), \
`complete` (false where --layers left out edges), `device` and `image_work`; the witness has a point and null faces.

Exit status: 0 clear (with --poses-b: all clear), 1 any other verdict, 2 error.";

/// Check how two models stand to each other: clear, touching, overlapping, or one inside the other
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct CheckArgs {
    /// The mesh file of the first model: OBJ, STL, PLY, OFF, glTF, GLB, 3MF or COLLADA
    #[arg(value_name = "A")]
    a: PathBuf,

    /// The mesh file of the second model; may be the same
    #[arg(value_name = "B")]
    b: PathBuf,

    /// List all pairs of faces that meet, sorted, touching ones included
    #[arg(long)]
    pairs: bool,

    /// Write the curve where the surfaces meet to this OBJ file, one group of lines for each piece
    ///
    /// Groups are named curve_0, curve_1, … and those around coplanar patches patch_0, patch_1, … The file is written
    /// even if there is no curve; then it is empty.
    #[arg(long, value_name = "OUT.obj", conflicts_with = "poses_b")]
    curve: Option<PathBuf>,

    /// Write a page to look at: the two models, where they meet or come closest; one file that needs no network
    ///
    /// It shows one placement of B, so not with --poses-b; and what the exact test finds, so not with --engine image.
    #[arg(long, value_name = "OUT.html", conflicts_with = "poses_b")]
    report: Option<PathBuf>,

    /// Take closed parts as surfaces too: nothing is inside of anything
    #[arg(long)]
    surface: bool,

    /// What rounding may do: overlaps and gaps up to this are touching, as in impinge clash
    #[arg(long, value_name = "T", default_value_t = 0.0, allow_hyphen_values = true)]
    touch: f64,

    /// Report models that only touch as clear, and leave out pairs of faces that only touch
    #[arg(long)]
    ignore_touching: bool,

    /// How to search; all engines but image give the same verdicts and pairs
    #[arg(long, value_name = "ENGINE", value_enum, default_value_t = Way::Search(Engine::Dop6))]
    engine: Way,

    /// The name of the unit of the coordinates, such as mm
    ///
    /// Printed beside the point; nothing is converted. Without it, lengths are in units, and in m where both files are
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

    #[cfg(feature = "image")]
    #[command(flatten)]
    looking: Looking,

    /// Check one placement of B after the other: a file with one matrix a line
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

/// What is asked of each placement, and between which models.
struct Question<'a> {
    a: &'a Subject,
    b: &'a Subject,
    search: Search<'a>,
    world_from_a: Placement,
    ask: IntersectOptions,
    touch: f64,
    ignore_touching: bool,
    json: bool,
    unit: Option<&'a str>,
}

impl Question<'_> {
    /// The answer for one placement of B.
    fn at(&self, world_from_b: Placement) -> Finding {
        let (a, b) = (self.a.model.at(self.world_from_a), self.b.model.at(world_from_b));
        // Moves that end an overlap are looked for away from the faces that meet.
        let with_pairs = self.ask.pairs(self.ask.pairs || self.touch > 0.0);
        let exact = self.search.intersect(&a, &b, with_pairs);
        Finding::new(clash::within_touch(&a, &b, exact, self.ask, self.touch), self.ignore_touching)
    }
}

impl Batch for Question<'_> {
    type Item = Pose;
    const ITEMS: &'static str = "poses";
    type Finding = Finding;

    fn prepare(&self) {
        if self.search.is_default() {
            input::prepare(self.a, self.b, Purpose::PAIRS);
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

pub(crate) fn run(arguments: &CheckArgs, output: &mut Output) -> Result<Status, Error> {
    // Options first: they are checked in no time, and files may be large.
    unit::check(arguments.unit.as_deref())?;
    let engine = engine(arguments)?;
    let touch = numbers::length("--touch", arguments.touch)?;
    let world_from_a = arguments.placement_a.placement()?;
    let world_from_b = arguments.placement_b.placement()?;
    let poses = arguments
        .poses_b
        .as_deref()
        .map(|file| batch::read_poses(file).map(|poses| (file, poses)))
        .transpose()?;
    let limits = arguments.reading.limits()?;
    refuse_inputs(arguments, [&arguments.a, &arguments.b].into_iter().chain(&arguments.poses_b))?;
    let (a, b) = (Subject::read(&arguments.a, limits)?, Subject::read(&arguments.b, limits)?);
    refuse_inputs(arguments, a.files.iter().chain(&b.files))?;
    let unit = unit::of(arguments.unit.as_deref(), &[a.unit.as_deref(), b.unit.as_deref()]);
    let mut ask = IntersectOptions::default();
    (ask.pairs, ask.surface_only) = (arguments.pairs, arguments.surface);
    let question = Question {
        a: &a,
        b: &b,
        search: Search::new(engine, &[&a.model, &b.model])?,
        world_from_a,
        ask,
        touch,
        ignore_touching: arguments.ignore_touching,
        json: arguments.json,
        unit,
    };
    question.a.check_range(question.world_from_a, "A")?;
    if let Some((file, poses)) = &poses {
        batch::check_range(file, poses, question.b)?;
        #[cfg(feature = "image")]
        if arguments.engine == Way::Image {
            return image::run(arguments, &question, world_from_b, Some(poses), output);
        }
        return batch::run(&question, poses, output);
    }
    question.b.check_range(world_from_b, "B")?;
    #[cfg(feature = "image")]
    if arguments.engine == Way::Image {
        return image::run(arguments, &question, world_from_b, None, output);
    }
    let message = format!("checking {} against {}", question.a.name, question.b.name);
    let finding = terminal::with_spinner(message, || {
        let (a, b) = (question.a.model.at(world_from_a), question.b.model.at(world_from_b));
        if question.search.is_default() && a.bounds().overlaps(&b.bounds()) {
            input::prepare_trees(question.a, question.b);
        }
        question.at(world_from_b)
    });
    if let Some(file) = &arguments.curve {
        write_curve(file, &question, world_from_b)?;
    }
    if let Some(file) = &arguments.report {
        report_scene::write(file, &report::of(&finding, &question, world_from_b))?;
    }
    if question.json {
        output.json(&finding.document(&question, None))?;
    } else {
        output.print(&text::answer(&finding, &question))?;
    }
    Ok(finding.status())
}

/// Files that are read are not replaced.
fn refuse_inputs<'p>(
    arguments: &CheckArgs,
    inputs: impl Iterator<Item = &'p PathBuf> + Clone,
) -> Result<(), Error> {
    terminal::refuse_inputs("--curve", arguments.curve.as_deref(), inputs.clone())?;
    terminal::refuse_inputs("--report", arguments.report.as_deref(), inputs)
}

/// The engine, or a refusal of options that do not go with it. For images it is that of the exact test that may follow.
#[cfg(feature = "image")]
fn engine(arguments: &CheckArgs) -> Result<Engine, Error> {
    match (arguments.engine, arguments.looking.given()) {
        (Way::Search(_), Some(option)) => Err(Error::option(option, "only --engine image looks at images")),
        (Way::Search(engine), None) => engine.check().map(|()| engine),
        (Way::Image, _) => image::refuse(arguments).map(|()| Engine::Dop6),
    }
}

/// The engine, or a refusal of one that this build of the command lacks.
#[cfg(not(feature = "image"))]
fn engine(arguments: &CheckArgs) -> Result<Engine, Error> {
    match arguments.engine {
        Way::Search(engine) => engine.check().map(|()| engine),
        Way::Image => Err(without_images("--engine image")),
    }
}

/// The error of an image query in a build of the command without images.
#[cfg(not(feature = "image"))]
pub(crate) fn without_images(asked: &str) -> Error {
    Error::option(asked, "this impinge was built without images, its feature `image`")
}

/// Writes the curve where the surfaces meet.
fn write_curve(file: &Path, question: &Question<'_>, world_from_b: Placement) -> Result<(), Error> {
    let (a, b) = (question.a.model.at(question.world_from_a), question.b.model.at(world_from_b));
    let curve = a.intersection_curve(&b);
    let mut counts = [0; 2];
    let names: Vec<String> = curve
        .polylines
        .iter()
        .map(|polyline| {
            let count = &mut counts[usize::from(polyline.coplanar)];
            *count += 1;
            format!("{}_{}", if polyline.coplanar { "patch" } else { "curve" }, *count - 1)
        })
        .collect();
    let polylines: Vec<Polyline<'_>> = curve
        .polylines
        .iter()
        .zip(&names)
        .map(|(polyline, name)| Polyline { name, points: &polyline.points_in_world, closed: polyline.closed })
        .collect();
    Ok(write_polylines(file, &polylines)?)
}
