//! `impinge ray`: where rays meet a model.

mod answer;

use std::path::{Path, PathBuf};

use impinge::Placed;
use impinge::model::Purpose;
use impinge::query::{Ray, RayError, RayOptions, RayPart};
use impinge_report::terminal::{Error, Output, Status};
use rayon::iter::{IntoParallelRefIterator, ParallelIterator};

use crate::input::Subject;
use crate::placement::{self, PlacementOfOne};
use crate::reading::Reading;
use crate::{numbers, rows, unit};
use answer::Answer;

// Paragraphs are one line each here: the help is wrapped to the width of the terminal.
const EXAMPLES: &str = "\
Examples:
  impinge ray cow.obj --origin 0,5,0 --direction 0,-1,0
  impinge ray cow.obj --origin 0 5 0 --direction 0 -1 0 --rotate 0,0,1,30 --all
  impinge ray cell.glb --origin 0,0,0 --end 2,0,1 --any
  impinge ray cow.obj --rays rays.txt --json > hits.jsonl

A hit is at origin + t * direction, t not negative: t is in multiples of the direction, whatever its length. Faces are hit \
from both sides, and on their edges and corners too; a ray through a common edge hits both faces, and of hits at the same t \
the one with the lowest face counts. A ray in the plane of a face hits it at the first point that they share. Which faces are \
hit, and in which order, is exact for the ray as rounded into the model's own frame.

JSON:
  {\"schema\":1,\"hit\":true,\"t\":2.5,\"face\":7,\"point\":[0,2.5,0],\"normal\":[0,1,0],\"front\":true}
  {\"schema\":1,\"hit\":false,\"t\":null,\"face\":null,\"point\":null,\"normal\":null,\"front\":null}
  with --all: {\"schema\":1,\"hit\":true,\"hits\":[{\"t\":2.5,\"face\":7,…},…]}, by t, then by face

Points and normals are in the world, faces are those of the file, counted from 0. The normal is null for a face without area; \
`front` tells whether the ray comes from the side to which the normal points. Faces of glTF files are counted through the \
scene in document order; node and primitive are added.

Exit status: 0 no hit (with --rays: none at all), 1 a hit, 2 error.";

/// Cast rays at a model: the nearest hit, any hit, or all of them
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct RayArgs {
    /// The mesh file of the model: OBJ, STL, PLY, OFF, glTF, GLB, 3MF or COLLADA
    #[arg(value_name = "MESH")]
    mesh: PathBuf,

    /// Where the ray starts
    #[arg(long, value_name = "X,Y,Z", allow_hyphen_values = true, required_unless_present = "rays")]
    origin: Option<String>,

    /// Where the ray goes; any length but 0
    #[arg(long, value_name = "X,Y,Z", allow_hyphen_values = true)]
    #[arg(required_unless_present_any = ["rays", "end"])]
    direction: Option<String>,

    /// Cast the segment from the origin to this point instead: t from 0 to 1
    #[arg(long, value_name = "X,Y,Z", allow_hyphen_values = true, conflicts_with_all = ["direction", "max_t"])]
    end: Option<String>,

    /// The largest t that counts, in multiples of the direction
    #[arg(long, value_name = "T", allow_hyphen_values = true)]
    max_t: Option<String>,

    /// Cast one ray after the other: a file with 6 numbers a line, origin and direction
    ///
    /// Numbers are separated by commas or blanks. Empty lines and comments from # to the end of a line are passed over. The
    /// whole file is checked before the first answer. There is one line of output for each row, in their order; JSON has
    /// the row as index, counted from 0.
    #[arg(long, value_name = "FILE", conflicts_with_all = ["origin", "direction", "end"])]
    rays: Option<PathBuf>,

    /// Any hit will do, not only the nearest: quicker
    #[arg(long)]
    any: bool,

    /// List all hits, by t, then by face
    #[arg(long, conflicts_with = "any")]
    all: bool,

    /// Leave out faces that are hit from behind
    #[arg(long)]
    cull_back: bool,

    /// The name of the unit of the coordinates, such as mm
    ///
    /// Printed beside the point; nothing is converted. Without it, lengths are in units, and in m for glTF, which prescribes
    /// it.
    #[arg(long, value_name = "U")]
    unit: Option<String>,

    /// Print JSON instead of text: one document, or one a line with --rays
    #[arg(long)]
    json: bool,

    #[command(flatten)]
    placement: PlacementOfOne,

    #[command(flatten)]
    reading: Reading,
}

/// Which hits are asked for.
#[derive(Clone, Copy)]
enum Which {
    Nearest,
    Any,
    All,
}

/// Rays that are answered before the first of them is printed.
const SHARE: usize = 4096;

pub(crate) fn run(arguments: &RayArgs, output: &mut Output) -> Result<Status, Error> {
    // Options first: they are checked in no time, and files may be large.
    unit::check(arguments.unit.as_deref())?;
    let world_from_model = arguments.placement.placement()?;
    let max_t = arguments.max_t.as_deref().map(max_t).transpose()?;
    let rays = match &arguments.rays {
        Some(file) => read_rays(file, max_t)?,
        None => vec![single_ray(arguments, max_t)?],
    };
    let subject = Subject::read(&arguments.mesh, arguments.reading.limits()?)?;
    let placed = subject.model.at(world_from_model);
    placement::check_range(&placed)
        .map_err(|reason| Error::option(format!("the placement of {}", subject.name), reason))?;
    let unit = unit::of(arguments.unit.as_deref(), &[subject.unit.as_deref()]);
    let which = match (arguments.any, arguments.all) {
        (true, _) => Which::Any,
        (_, true) => Which::All,
        _ => Which::Nearest,
    };
    let ask = RayOptions::new().cull_back(arguments.cull_back);
    subject.model.prepare(Purpose::BVH);
    let mut status = Status::Nothing;
    for (share, first) in rays.chunks(SHARE).zip((0..).step_by(SHARE)) {
        let answers: Vec<Answer<'_>> =
            share.par_iter().map(|ray| cast(&placed, ray, ask, which, &subject, unit)).collect();
        for (answer, index) in answers.iter().zip(first..) {
            if answer.is_hit() {
                status = Status::Found;
            }
            let index = arguments.rays.is_some().then_some(index);
            if arguments.json {
                output.json(&answer.document(index))?;
            } else {
                output.print(&answer.text(index, rays.len()))?;
            }
            if output.is_closed() {
                return Ok(status);
            }
        }
    }
    Ok(status)
}

fn cast<'a>(
    placed: &Placed<'_>,
    ray: &Ray,
    ask: RayOptions<'_>,
    which: Which,
    subject: &'a Subject,
    unit: Option<&'a str>,
) -> Answer<'a> {
    let hits = match which {
        Which::Nearest => placed.cast_ray_with(ray, ask).into_iter().collect(),
        Which::Any => placed.cast_ray_any(ray, ask).into_iter().collect(),
        Which::All => placed.cast_ray_all(ray, ask),
    };
    Answer { hits, all: matches!(which, Which::All), subject, unit }
}

fn max_t(text: &str) -> Result<f64, Error> {
    let fail = |reason: String| Error::option("--max-t", reason);
    let numbers = numbers::parse(text).map_err(fail)?;
    placement::check_count(&numbers, &[1]).map_err(fail)?;
    // A ray that is fine but for its end.
    let ray = Ray::new([0.0; 3], [1.0; 3]).and_then(|ray| ray.up_to(numbers[0]));
    ray.map(|ray| ray.max_t()).map_err(|reason| fail(reason.to_string()))
}

fn up_to(ray: Ray, max_t: Option<f64>) -> Result<Ray, RayError> {
    max_t.map_or(Ok(ray), |max_t| ray.up_to(max_t))
}

/// The ray of the options; errors name the one that is at fault.
fn single_ray(arguments: &RayArgs, max_t: Option<f64>) -> Result<Ray, Error> {
    let point = |option: &'static str, text: &Option<String>| {
        let fail = |reason: String| Error::option(option, reason);
        let numbers = numbers::parse(text.as_deref().unwrap_or_default()).map_err(fail)?;
        placement::check_count(&numbers, &[3]).map_err(fail)?;
        Ok::<_, Error>([numbers[0], numbers[1], numbers[2]])
    };
    let origin = point("--origin", &arguments.origin)?;
    let (option, ray) = if arguments.end.is_some() {
        ("--end", Ray::segment(origin, point("--end", &arguments.end)?))
    } else {
        ("--direction", Ray::new(origin, point("--direction", &arguments.direction)?))
    };
    ray.and_then(|ray| up_to(ray, max_t)).map_err(|reason| {
        let option = match &reason {
            RayError::NotFinite { part: RayPart::Origin(_), .. }
            | RayError::TooLarge { part: RayPart::Origin(_), .. } => "--origin",
            _ => option,
        };
        Error::option(option, reason.to_string())
    })
}

fn read_rays(file: &Path, max_t: Option<f64>) -> Result<Vec<Ray>, Error> {
    let ray = |row: rows::Row| {
        let fail = |reason: String| Error::row(file, row.line, reason);
        placement::check_count(&row.numbers, &[6]).map_err(fail)?;
        let [x, y, z, dx, dy, dz] = [0, 1, 2, 3, 4, 5].map(|i| row.numbers[i]);
        let ray = Ray::new([x, y, z], [dx, dy, dz]).and_then(|ray| up_to(ray, max_t));
        ray.map_err(|reason| fail(reason.to_string()))
    };
    rows::read(file)?.into_iter().map(ray).collect()
}
