//! `impinge image`: which of many models reach into each other, seen in images (Knott and Pai 2003), with its pictures.

mod document;
mod files;
pub(crate) mod look_options;
mod render;
mod stencil;
mod text;

use std::path::PathBuf;

use impinge::{Placed, Placement};
use impinge_image::{Answer, Detail, Options, Own, Projection, Scene};
use impinge_report::terminal::{self, Error, Output, Status};
use impinge_report::text::visible;

use crate::batch;
use crate::input::Subject;
use crate::reading::Reading;
use crate::unit;
use files::PngFiles;
use look_options::Looking;
pub(crate) use text::precision as precision_line;

// Paragraphs are one line each here: the help is wrapped to the width of the terminal.
const EXAMPLES: &str = "\
Examples:
  impinge image knot.obj ring.obj plate.stl
  impinge image knot.obj ring.obj --resolution 512 --png knots.png
  impinge image box.obj --poses boxes.txt --exact --json
  impinge image a.ply b.ply --layers 1 --views 1 --device gpu
  impinge image box.obj --poses boxes.txt --detail any

All edges are drawn, and the faces before them counted: where more fronts than backs of another solid lie before an edge, \
the edge is inside of it. Only closed models have an inside; edges of open ones can still reach into solids. The answer \
has a precision, a length: an edge that reaches deeper than this into another solid is found, and none is found that is \
farther than this from it. `impinge check` is exact and faster for a pair; this looks at all models at once, and needs no preparation.

The table: which model has edges inside of which other, how many, at how many pixels, and one of the places. With --detail objects: \
which models have edges inside of others, and which have edges of others inside. With --detail any: whether there is any.

JSON:
  {\"schema\":1,\"device\":\"the processor\",\"objects\":[{\"file\":\"knot.obj\",\"edges\":768,\"triangles\":512},…],
   \"interferes\":true,\"detail\":\"pairs\",\"precision\":0.0098,\"complete\":true,\"not_closed\":false,
   \"penetrating\":[0],\"penetrated\":[1],
   \"interferences\":[{\"penetrating\":0,\"penetrated\":1,\"edges\":12,\"points\":240,\"point\":[0.5,1,0]}],
   \"work\":{\"looks\":3,\"tiles\":0,\"rejected\":0,\"layers\":40,\"passes\":120,\"bytes_read\":0}}

Objects are counted from 0. `detail` is how much was asked for: `interferences` has rows with `pairs` only, `penetrating` and `penetrated` \
are empty with `any`. `precision` is null where it has no bound. `complete` is false where --layers left out edges, or where --detail any ended \
at the first that was found; then the precision says nothing about what was not found. `not_closed` is true where more sides of a solid were left than \
entered: it is inside out, or its vertices do not close it.

Exit status: 0 nothing interferes, 1 something does, 2 error.";

/// Find which models reach into which others, seen in images
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct ImageArgs {
    /// The mesh files, each placed as it is: two or more, or one with --poses
    #[arg(value_name = "MESH", required = true)]
    files: Vec<PathBuf>,

    /// Place a model at each row of a file: one matrix a line, world from model
    ///
    /// 12 numbers (the upper three rows, row by row) or 16, separated by commas or blanks. Where there are several
    /// mesh files, they take turns.
    #[arg(long, value_name = "FILE")]
    poses: Option<PathBuf>,

    /// Write a picture of the models, those that interfere in red, and one of what the images show
    ///
    /// The second is named as the first, with -stencil before .png: for each view the edges in gray, and bright where they
    /// are inside of another solid, the brighter the more they are inside of.
    #[arg(long, value_name = "OUT.png")]
    png: Option<PathBuf>,

    #[command(flatten)]
    looking: Looking,

    /// How much is wanted: whether there is any, which objects, or which pairs
    ///
    /// With less than pairs no image is read back. --precision looks at pairs, and answers with them.
    #[arg(
        long,
        value_name = "DETAIL",
        value_enum,
        default_value = "pairs",
        help_heading = "How images look"
    )]
    detail: DetailChoice,

    /// Look from an eye that is so many radii of the models away, more than 1, instead of along parallel rays
    #[arg(long, value_name = "DISTANCE", help_heading = "How images look", allow_hyphen_values = true)]
    perspective: Option<f64>,

    /// Move edges outwards by so many pixels, as the paper does, at the cost of precision
    #[arg(long, value_name = "PIXELS", help_heading = "How images look", allow_hyphen_values = true)]
    offset: Option<f64>,

    /// Look at boxes around the models first, and then only at those that may interfere
    #[arg(long, help_heading = "How images look")]
    coarse: bool,

    /// The name of the unit of the coordinates, such as mm
    #[arg(long, value_name = "U")]
    unit: Option<String>,

    /// Print one JSON document in place of the table
    #[arg(long)]
    json: bool,

    #[command(flatten)]
    reading: Reading,
}

/// How much is wanted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
enum DetailChoice {
    /// Whether anything interferes; looking ends at the first that is found
    Any,
    /// Which objects have edges inside of others, and which have edges of others inside
    Objects,
    /// Which pairs, which edges and where
    Pairs,
}

impl DetailChoice {
    fn name(self) -> &'static str {
        match self {
            DetailChoice::Any => "any",
            DetailChoice::Objects => "objects",
            DetailChoice::Pairs => "pairs",
        }
    }

    fn detail(self) -> Detail {
        match self {
            DetailChoice::Any => Detail::Any,
            DetailChoice::Objects => Detail::Objects,
            DetailChoice::Pairs => Detail::Pairs,
        }
    }
}

/// The models, and where each stands: the number of its subject and its placement.
struct Cast {
    subjects: Vec<Subject>,
    objects: Vec<(usize, Placement)>,
}

impl Cast {
    fn placed(&self) -> Vec<Placed<'_>> {
        self.objects.iter().map(|(subject, placement)| self.subjects[*subject].model.at(*placement)).collect()
    }

    fn scene(&self) -> Scene {
        let mut scene = Scene::new();
        let shapes: Vec<_> = self.subjects.iter().map(|subject| scene.add_shape(&subject.model)).collect();
        for (subject, placement) in &self.objects {
            scene.add(shapes[*subject], *placement);
        }
        scene
    }

    /// What an object is called: its file, and its number where files are not enough.
    fn name(&self, object: u32) -> String {
        let name = &self.subjects[self.objects[object as usize].0].name;
        let shown = visible(name);
        let same = self.objects.iter().filter(|(subject, _)| self.subjects[*subject].name == *name).count();
        if same > 1 { format!("{shown} ({object})") } else { shown }
    }
}

pub(crate) fn run(arguments: &ImageArgs, output: &mut Output) -> Result<Status, Error> {
    unit::check(arguments.unit.as_deref())?;
    let options = options(arguments);
    look_options::check(&options)?;
    check_detail(arguments)?;
    let png = arguments.png.as_deref().map(PngFiles::named).transpose()?;
    let inputs = arguments.files.iter().chain(&arguments.poses);
    png.iter().try_for_each(|png| png.refuse_inputs(&inputs))?;
    let cast = cast(arguments)?;
    let files = || cast.subjects.iter().flat_map(|subject| &subject.files);
    png.iter().try_for_each(|png| png.refuse_inputs(&files()))?;
    let mut device = arguments.looking.device()?;
    let scene = cast.scene();
    let what = format!("looking at {} models", cast.objects.len());
    let mut answer = terminal::with_spinner(what, || device.find(&scene, &options))?;
    if arguments.looking.exact {
        answer.confirm(&cast.placed());
    }
    if let Some(png) = &png {
        let seen = look_options::again_with_pictures(&mut device, &scene, &options, &answer)?;
        let stencil = stencil::picture(&seen.pictures, options.resolution);
        png.write(&[render::of(&cast.placed(), &interfering(&answer)), stencil])?;
    }
    if arguments.json {
        let files = png.as_ref().map(PngFiles::names);
        let detail = arguments.detail.name();
        output.json(&document::document(&cast, &scene, &device.name(), detail, &answer, files))?;
    } else {
        let units: Vec<_> = cast.subjects.iter().map(|subject| subject.unit.as_deref()).collect();
        let unit = unit::of(arguments.unit.as_deref(), &units).unwrap_or(unit::UNNAMED);
        output.print(&text::table(&cast, &device.name(), &options, &answer, unit))?;
    }
    Ok(if answer.interferes { Status::Found } else { Status::Nothing })
}

fn options(arguments: &ImageArgs) -> Options {
    let mut options = arguments.looking.options();
    if let Some(distance) = arguments.perspective {
        options.projection = Projection::Perspective { distance };
    }
    if let Some(pixels) = arguments.offset {
        options.own = Own::Offset { pixels };
    }
    options.coarse = arguments.coarse;
    options.detail = arguments.detail.detail();
    options
}

/// Refuses what needs to know more than is asked for.
fn check_detail(arguments: &ImageArgs) -> Result<(), Error> {
    let detail = arguments.detail;
    if arguments.looking.exact && detail != DetailChoice::Pairs {
        return Err(Error::option("--exact", "the exact test decides on pairs, and --detail asks for less"));
    }
    if arguments.png.is_some() && detail == DetailChoice::Any {
        return Err(Error::option(
            "--png",
            "the picture shows which models interfere, and --detail any asks for less",
        ));
    }
    Ok(())
}

fn cast(arguments: &ImageArgs) -> Result<Cast, Error> {
    if arguments.poses.is_none() && arguments.files.len() < 2 {
        return Err(Error::option("MESH", "two or more files are needed, or --poses with one"));
    }
    let poses = arguments.poses.as_deref().map(batch::read_poses).transpose()?;
    let limits = arguments.reading.limits()?;
    let read = |file: &PathBuf| Subject::read(file, limits);
    let subjects = arguments.files.iter().map(read).collect::<Result<Vec<_>, _>>()?;
    let objects: Vec<(usize, Placement)> = match poses {
        None => (0..subjects.len()).map(|subject| (subject, Placement::IDENTITY)).collect(),
        Some(poses) => {
            let turns = (0..subjects.len()).cycle();
            turns.zip(poses).map(|(subject, pose)| (subject, pose.world_from_b)).collect()
        }
    };
    for (number, (subject, placement)) in objects.iter().enumerate() {
        subjects[*subject].check_range(*placement, &format!("object {number}"))?;
    }
    Ok(Cast { subjects, objects })
}

/// For each object whether it is one of those that interfere: sorted numbers.
fn interfering(answer: &Answer) -> Vec<u32> {
    let mut objects = [answer.penetrating.as_slice(), &answer.penetrated].concat();
    objects.sort_unstable();
    objects.dedup();
    objects
}
