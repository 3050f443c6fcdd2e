//! `impinge clash`: every clash in an assembly.

mod animate;
mod arguments;
mod bcf;
mod contents;
mod fill;
mod folders;
mod foreign;
mod forgive;
mod help;
mod ignored_pairs;
mod pack;
mod parts;
mod pattern;
mod question;
mod rules;
mod scene;
mod select;
mod split;
mod status;
mod stored;
mod touch;

use std::io::IsTerminal;
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};

use impinge_report::terminal::{self};
use impinge_report::terminal::{Error, Output, Status};
use impinge_report::text::short;
use impinge_report::{Clash, Report};
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

use crate::report_scene;
pub(crate) use arguments::ClashArgs;
pub use bcf::bytes as bcf_bytes;
pub use foreign::{ForeignReader, ForeignScene};
pub use pack::{Packed, Packer};
use parts::Parts;
pub use parts::{ScenePart, StoredModel};
use question::{Answer, Question, Watch};
pub use scene::{ClashScene, Observer};
pub use stored::{StoredName, StoredPart, StoredScene, Tested, Tester, TiledSearch};
use touch::Touch;

pub(crate) fn run(
    arguments: &ClashArgs,
    reader: Option<&dyn ForeignReader>,
    output: &mut Output,
) -> Result<Status, Error> {
    let question = Question::new(arguments)?;
    refuse_inputs(arguments, &arguments.scenes)?;
    let files = folders::files(&arguments.scenes, reader)?;
    refuse_inputs(arguments, files.list.iter().chain(&files.foreign))?;
    let limits = arguments.reading.limits()?;
    let read = || Parts::read(&files.list, arguments.split, limits, reader);
    let mut parts = terminal::with_spinner("reading".to_owned(), read)?;
    parts.leave_out_files(&files.foreign);
    refuse_inputs(arguments, &parts.files)?;
    let interrupted = interruption();
    present(&question, &parts, None, &|| !interrupted.load(Ordering::Relaxed), output)
}

/// Refuses outputs that would replace one of these inputs, or one that an option names.
fn refuse_inputs<'p>(
    arguments: &'p ClashArgs,
    inputs: impl IntoIterator<Item = &'p PathBuf>,
) -> Result<(), Error> {
    let named = arguments.baseline.iter().chain(&arguments.ignore_pairs);
    let named = named.chain(&arguments.rules).chain(&arguments.status);
    let inputs: Vec<&PathBuf> = inputs.into_iter().chain(named).collect();
    terminal::refuse_inputs("--report", arguments.report.as_deref(), inputs.iter().copied())?;
    terminal::refuse_inputs("--bcf", arguments.bcf.as_deref(), inputs.into_iter().chain(&arguments.report))
}

/// Answers a question, writes the files that it asks for, and prints.
fn present(
    question: &Question<'_>,
    parts: &Parts,
    tester: Option<&dyn Tester>,
    goes_on: &(dyn Fn() -> bool + Sync),
    output: &mut Output,
) -> Result<Status, Error> {
    let arguments = question.arguments;
    let bar = progress_bar();
    let watch = Watch {
        progress: &|progress| {
            bar.set_length(progress.pairs);
            bar.set_position(progress.done);
            bar.set_message(progress.clashes.to_string());
            if progress.done == progress.pairs {
                bar.finish_and_clear();
            }
        },
        goes_on,
    };
    let answer = question.answer(parts, &watch, tester);
    bar.finish_and_clear();
    let Answer { mut report, touch, clearance } = answer?;
    let (_, note) = bcf::meters(&report.unit);
    report.notes.extend(note.filter(|_| arguments.bcf.is_some()));
    let invalid = |error: impinge_report::Invalid| Error::option("the report", error.to_string());
    if let Some(file) = &arguments.bcf {
        bcf::write(file, &report, arguments.bcf_version, goes_on)?;
    }
    if let Some(file) = &arguments.report {
        terminal::with_spinner("writing the report".to_owned(), || report_scene::write(file, &report))?;
    }
    let text = if arguments.json {
        report.json().map_err(invalid)?
    } else if arguments.csv {
        report.csv().map_err(invalid)?
    } else {
        table(&report, &touch, clearance).map_err(invalid)?
    };
    output.print(&if text.ends_with('\n') { text } else { text + "\n" })?;
    Ok(if report.partial { Status::Interrupted } else { status(arguments, &report) })
}

fn table(report: &Report, touch: &Touch, clearance: f64) -> Result<String, impinge_report::Invalid> {
    let mut text = report.table()?;
    let unit = &report.unit;
    text += &touch.line(unit);
    if clearance > 0.0 {
        text += &format!("; near: up to {} {unit}", short(clearance));
    }
    text.push('\n');
    if let Some(line) = forgive::suggestion(report) {
        text += &line;
        text.push('\n');
    }
    Ok(text)
}

fn status(arguments: &ClashArgs, report: &Report) -> Status {
    let kinds = &arguments.fail_on;
    let fails = |clash: &Clash| kinds.is_empty() || kinds.iter().any(|kind| kind.is_meant(clash));
    // What nobody looked at is not clean.
    let is_incomplete = report.left_out > 0 || !report.errors.is_empty();
    if is_incomplete || report.clashes.iter().any(fails) { Status::Found } else { Status::Nothing }
}

/// Set when the user interrupts or the system asks to end: the search ends, and what it found is written.
fn interruption() -> std::sync::Arc<AtomicBool> {
    let flag = std::sync::Arc::new(AtomicBool::new(false));
    let shared = std::sync::Arc::clone(&flag);
    // Where there can be no handler, an interruption ends the command at once, as usual.
    let _ = ctrlc::set_handler(move || {
        // Who insists does not want to wait.
        if shared.swap(true, Ordering::Relaxed) {
            std::process::exit(130);
        }
    });
    flag
}

fn progress_bar() -> ProgressBar {
    let bar = ProgressBar::new(0);
    if !std::io::stderr().is_terminal() {
        bar.set_draw_target(ProgressDrawTarget::hidden());
    }
    let style = ProgressStyle::with_template("{wide_bar} {pos}/{len} pairs, {msg} clashes, {eta} left");
    bar.with_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()))
}
