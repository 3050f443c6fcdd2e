//! `impinge bench semantics`: Maia et al. 2006's figures.

use std::path::{Path, PathBuf};

use clap::Args;
use impinge_formats::read_mesh;
use impinge_papers::maia::semantics::{self, Effort, Models, SECTIONS, Section, Settings};
use serde::Serialize;

use super::{prepare, progress};
use crate::error::{Error, Status};
use crate::output::Output;
use crate::target;

const EXAMPLES: &str = "\
Examples:
  impinge bench semantics --quick
  impinge bench semantics --only lazy-refit --out results
  impinge bench semantics --models folder-with-cow-and-bunny

The sections: global-box, the box around a placed box; deformables, the broad phase over 64 deformable models; lazy-refit, \
trees refitted when they are touched; random-pairs, two models at random places in a cube; deep-contact, all pairs of faces \
of two large models; frames, the choice of the frame and of the volume that is opened first.

The files: for each section its table, SECTION.csv, and its plot, SECTION.svg; semantics.csv with the ratio of each \
section beside the paper's. Files of the same names are replaced, others are left alone.

Exit status: 0 measured and written, 2 error.";

/// What transformation semantics and lazy refits are worth
///
/// Measures the figures of the paper, each against the way that it is compared with there: the box around a placed box
/// against its eight corners, refits of the deformables that a frame touches against refits of all, and so on. Ways to the
/// same answer are compared: where they disagree that is an error. Prints tables, and writes them with plots to a folder.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct SemanticsArgs {
    /// Few repetitions: a few seconds
    #[arg(long)]
    quick: bool,

    /// The folder for tables and plots; made where there is none
    #[arg(long, value_name = "FOLDER", default_value = "target/bench/semantics")]
    out: PathBuf,

    /// The sections to measure, separated by commas
    ///
    /// Without it: all.
    #[arg(long, value_name = "SECTIONS", value_delimiter = ',', value_parser = SECTIONS.iter().map(|(name, _)| *name).collect::<Vec<_>>())]
    only: Vec<String>,

    /// A folder with cow.obj and stanford-bunny.obj
    ///
    /// Without it: generated models with about as many triangles.
    #[arg(long, value_name = "FOLDER")]
    models: Option<PathBuf>,

    /// Print one JSON document in place of the tables
    #[arg(long)]
    json: bool,
}

/// Steps of the progress bar for a section.
const STEPS: usize = 1000;

/// The JSON document.
#[derive(Serialize)]
struct Document<'r> {
    schema: u32,
    sections: &'r [Section],
    files: &'r [PathBuf],
}

pub(super) fn run(arguments: &SemanticsArgs, output: &mut Output) -> Result<Status, Error> {
    // Before the long work, not after it.
    let models = arguments.models.as_deref().map(read_models).transpose()?;
    prepare(&arguments.out)?;
    let effort = if arguments.quick { Effort::Quick } else { Effort::Paper };
    let is_asked = |name: &str| arguments.only.is_empty() || arguments.only.iter().any(|only| only == name);
    let asked: Vec<_> = SECTIONS.iter().filter(|(name, _)| is_asked(name)).collect();
    let settings = Settings { effort, models };
    let bar = progress(asked.len() * STEPS);
    let mut sections = Vec::new();
    for (number, (name, measure)) in asked.iter().enumerate() {
        bar.set_message(*name);
        let mut share_done =
            |share: f64| bar.set_position((number * STEPS) as u64 + (share * STEPS as f64) as u64);
        let section = measure(&settings, &mut share_done);
        sections.push(section.map_err(|fault| Error::option(*name, fault.to_string()))?);
    }
    bar.finish_and_clear();
    let mut written = Vec::new();
    for (name, content) in semantics::files(&sections) {
        let file = arguments.out.join(name);
        target::write(&file, content)?;
        written.push(file);
    }
    if arguments.json {
        output.json(&Document { schema: 1, sections: &sections, files: &written })?;
    } else {
        output.print(&semantics::tables(&sections))?;
        output.print(&format!("{} files in {}\n", written.len(), arguments.out.display()))?;
    }
    Ok(Status::Nothing)
}

fn read_models(folder: &Path) -> Result<Models, Error> {
    let read = |name: &str| Ok::<_, Error>(read_mesh(&folder.join(name))?.mesh);
    Ok(Models { cow: read("cow.obj")?, bunny: read("stanford-bunny.obj")? })
}
