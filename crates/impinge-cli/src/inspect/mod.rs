//! `impinge inspect`: what is in a mesh file, and what is wrong with it.

mod problems;
mod survey;
mod text;

use impinge::Model;
use impinge_report::terminal::{Error, Output, Status, say};
use std::path::PathBuf;

use crate::json::{Inspection, SCHEMA};
use crate::reading::Reading;
use crate::{numbers, unit};

// Paragraphs are one line each here: the help is wrapped to the width of the terminal.
const EXAMPLES: &str = "\
Examples:
  impinge inspect cow.obj
  impinge inspect --unit mm --weld 0.01 bracket.stl
  impinge inspect --json scene.glb | jq '.files[0].parts'

Formats: OBJ, STL, PLY, OFF, glTF, GLB, 3MF and COLLADA, packed by gzip or ZIP or not; by the extension or, where that is unknown, by the content. A glTF file is \
taken as its default scene: instances (EXT_mesh_gpu_instancing) are there, hidden nodes (KHR_node_visibility) are not, and what Draco, \
meshopt or quantization have compressed is read. Files of CAD and film programs (STEP, IFC, FBX, USD) must be converted; the error names a converter.

Parts are faces of one group or node that hang together by their edges. A closed part is a solid: it has an inside. An \
open one is a surface. Internal edges are those that the faces beside them shield, so that no other body's edge can \
reach them. Problems are no errors: every mesh that can be read can be checked for collisions.

JSON: {\"schema\":1,\"files\":[…]} with one object a file: all counts, all parts, and the indices of all that is wrong, as \
in the file, counted from 0.

Exit status: 0 all files were read, 2 error. Files that can be read are shown even where others cannot.";

/// Show what is in mesh files: counts, bounds, parts, edges, and every problem
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct InspectArgs {
    /// The mesh files
    #[arg(value_name = "MESH", required = true)]
    files: Vec<PathBuf>,

    /// Print one JSON document instead of text
    #[arg(long)]
    json: bool,

    /// The name of the unit of the coordinates, such as mm
    ///
    /// Printed beside lengths; nothing is converted. Without it, lengths are in units, and in m for glTF, which
    /// prescribes it.
    #[arg(long, value_name = "U")]
    unit: Option<String>,

    /// Bring vertices together that are within T of each other, before anything is counted
    ///
    /// Shows whether cracks in the file are narrower than T. The file itself is not changed.
    #[arg(long, value_name = "T", allow_hyphen_values = true)]
    weld: Option<String>,

    #[command(flatten)]
    reading: Reading,
}

/// What `impinge inspect --json` tells of a file, for a model in memory: one object of its list.
pub fn inspect_model(model: &Model) -> String {
    serde_json::to_string(&survey::of_model(model, &[], &[])).unwrap_or_default()
}

pub(crate) fn run(arguments: &InspectArgs, output: &mut Output) -> Result<Status, Error> {
    unit::check(arguments.unit.as_deref())?;
    let weld = arguments.weld.as_deref().map(tolerance).transpose()?;
    let limits = arguments.reading.limits()?;
    let mut files = Vec::new();
    let mut failures = Vec::new();
    for file in &arguments.files {
        match survey::survey(file, arguments.unit.as_deref(), weld, limits) {
            Ok(report) => files.push(report),
            Err(failure) => failures.push(failure),
        }
    }
    if arguments.json && !files.is_empty() {
        output.json(&Inspection { schema: SCHEMA, files })?;
    } else {
        for (i, report) in files.iter().enumerate() {
            let gap = if i == 0 { "" } else { "\n" };
            output.print(&format!("{gap}{}", text::of(report)))?;
        }
    }
    failures.iter().for_each(|failure| say("impinge", &failure.to_string()));
    Ok(if failures.is_empty() { Status::Nothing } else { Status::Failed })
}

fn tolerance(text: &str) -> Result<f64, Error> {
    let fail = |reason: String| Error::option("--weld", reason);
    match numbers::parse(text).map_err(fail)?.as_slice() {
        [tolerance] if tolerance.is_finite() && *tolerance >= 0.0 => Ok(*tolerance),
        _ => Err(fail(format!("{text:?} is no tolerance; it must be one finite number, not below zero"))),
    }
}
