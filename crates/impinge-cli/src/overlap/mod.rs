//! `impinge overlap`: which faces of a model touch a volume.

mod report;
mod text;
mod volume;

use std::path::PathBuf;

use impinge::query::Stats;
use impinge_report::terminal::{self, Error, Output, Status};
use impinge_report::text::visible;

use crate::check::{Engine, Search};
use crate::input::Subject;
use crate::json;
use crate::placement::{self, PlacementOfOne};
use crate::reading::Reading;
use crate::{report_scene, unit};
use volume::VolumeOptions;

pub(crate) use volume::LISTS;

// Paragraphs are one line each here: the help is wrapped to the width of the terminal.
const EXAMPLES: &str = "\
Examples:
  impinge overlap cow.obj --sphere 0,1,0,0.25
  impinge overlap cow.obj --aabb -1,-1,-1,1,1,1 --scale 1,2,-1 --json
  impinge overlap hall.glb --obb 0,0,0,2,1,1,0,0,1,30 --translate 5,0,0
  impinge overlap cow.obj --plane 0,0,1,0.5
  impinge overlap cow.obj --capsule 0,0,0,1,1,1,0.25 --report cow.html

A volume stands in the world and is solid and closed: faces that lie inside touch it, and so do those that only reach its \
surface. The model is placed by scaling it, then turning it, then moving it, or by a matrix; mirrored and sheared models \
too. Answers are exact for the placed vertices.

JSON:
  {\"schema\":1,\"touches\":true,\"faces\":[3,4,17],\"work\":{\"box_tests\":28,\"face_tests\":11}}

Faces are those of the file, counted from 0 and sorted. Faces of glTF files are counted through the scene in document \
order.

Exit status: 0 nothing touches, 1 something touches, 2 error.";

/// List the faces of a model that touch a box, a ball, a capsule, a plane or a frustum
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct OverlapArgs {
    /// The mesh file: OBJ, STL, PLY, OFF, glTF, GLB, 3MF or COLLADA
    #[arg(value_name = "MESH")]
    mesh: PathBuf,

    #[command(flatten)]
    volume: VolumeOptions,

    #[command(flatten)]
    placement: PlacementOfOne,

    /// How to search; all engines find the same faces
    #[arg(long, value_name = "ENGINE", value_enum, default_value_t = Engine::Dop6)]
    engine: Engine,

    /// Write a page to look at: the model, the volume and the faces that touch it; one file that needs no network
    #[arg(long, value_name = "OUT.html")]
    report: Option<PathBuf>,

    /// The name of the unit of the coordinates in the page, such as mm
    #[arg(long, value_name = "U")]
    unit: Option<String>,

    /// Print JSON instead of text
    #[arg(long)]
    json: bool,

    #[command(flatten)]
    reading: Reading,
}

/// The faces that touch, by the file's numbers.
struct Finding {
    faces: Vec<u32>,
    work: Stats,
}

pub(crate) fn run(arguments: &OverlapArgs, output: &mut Output) -> Result<Status, Error> {
    // Options first: they are checked in no time, and files may be large.
    let (name, volume) = arguments.volume.volume()?;
    let world_from_model = arguments.placement.placement()?;
    unit::check(arguments.unit.as_deref())?;
    terminal::refuse_inputs("--report", arguments.report.as_deref(), [&arguments.mesh])?;
    let subject = Subject::read(&arguments.mesh, arguments.reading.limits()?)?;
    let placed = subject.model.at(world_from_model);
    placement::check_range(&placed)
        .map_err(|reason| Error::option(format!("the placement of {}", subject.name), reason))?;
    let search = Search::new(arguments.engine, &[&subject.model])?;
    let (faces, work) = search.faces_touching(&placed, &volume);
    let finding = Finding { faces, work };
    if let Some(file) = &arguments.report {
        terminal::refuse_inputs("--report", Some(file), subject.files.iter())?;
        let unit = unit::of(arguments.unit.as_deref(), &[subject.unit.as_deref()]);
        report_scene::write(file, &report::of(&finding, &subject, world_from_model, (name, &volume), unit))?;
    }
    if arguments.json {
        output.json(&json::Overlap {
            schema: json::SCHEMA,
            touches: !finding.faces.is_empty(),
            faces: &finding.faces,
            work: finding.work.into(),
        })?;
    } else {
        output.print(&text::answer(&finding, &visible(&subject.name), name))?;
    }
    Ok(if finding.faces.is_empty() { Status::Nothing } else { Status::Found })
}
