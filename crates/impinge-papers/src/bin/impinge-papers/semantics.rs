//! `impinge-papers semantics`: Maia et al. 2006's figures.

use std::path::{Path, PathBuf};

use clap::Args;
use impinge_formats::read_mesh;
use impinge_papers::maia::semantics::{self, Effort, Models, SECTIONS, Section, Settings};
use impinge_report::terminal::{Error, Output, Status, progress};
use serde::Serialize;

use crate::results::{self, Results};

const EXAMPLES: &str = "\
Examples:
  impinge-papers semantics --quick
  impinge-papers semantics --only lazy-refit --out results
  impinge-papers semantics --models folder-with-cow-and-bunny

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
pub(crate) struct SemanticsArgs {
    /// Few repetitions: a few seconds
    #[arg(long)]
    quick: bool,

    /// The folder for tables and plots; made where there is none
    #[arg(long, value_name = "FOLDER", default_value = "target/papers/semantics")]
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

/// What the document has beside the files.
#[derive(Serialize)]
struct Measured<'r> {
    sections: &'r [Section],
}

pub(crate) fn run(arguments: &SemanticsArgs, output: &mut Output) -> Result<Status, Error> {
    // Before the long work, not after it.
    let models = arguments.models.as_deref().map(read_models).transpose()?;
    results::prepare(&arguments.out)?;
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
    let measured = Measured { sections: &sections };
    let tables = semantics::tables(&sections);
    let compared = (arguments.quick, semantics::comparisons(&sections));
    let (folder, json) = (&arguments.out, arguments.json);
    let results = Results { folder, report: &measured, tables, json, compared };
    results.write(semantics::files(&sections), output)
}

fn read_models(folder: &Path) -> Result<Models, Error> {
    let read = |name: &str| Ok::<_, Error>(read_mesh(&folder.join(name))?.mesh);
    Ok(Models { cow: read("cow.obj")?, bunny: read("stanford-bunny.obj")? })
}
