//! `impinge clash`: every clash in an assembly.

mod animate;
mod arguments;
mod bcf;
mod fill;
mod folders;
mod forgive;
mod help;
mod ignored_pairs;
mod parts;
mod pattern;
mod rules;
mod select;
mod split;
mod status;
mod touch;

use std::io::IsTerminal;
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, Ordering};

use impinge::clash::{ClashOptions, Progress, detect_with};
use impinge_formats::read_regular;
use impinge_report::terminal::{self};
use impinge_report::terminal::{Error, Output, Status};
use impinge_report::text::{counted, short};
use impinge_report::{Baseline, Clash, Kind, Report, Verdict};
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

use crate::{numbers, report_scene, unit};
use animate::Play;
pub(crate) use arguments::ClashArgs;
use arguments::FailOn;
use ignored_pairs::IgnoredPairs;
use parts::Parts;
use rules::Rules;
use select::Selection;
use touch::Touch;

pub(crate) fn run(arguments: &ClashArgs, output: &mut Output) -> Result<Status, Error> {
    let clearance = numbers::length("--clearance", arguments.clearance)?;
    let tolerance = arguments.tolerance.map(|length| numbers::length("--tolerance", length)).transpose()?;
    if arguments.fail_on.contains(&FailOn::New) && arguments.baseline.is_none() {
        return Err(Error::option("--fail-on", "new needs --baseline"));
    }
    let selection = Selection::new(&arguments.sets, &arguments.ignore, arguments.ignore_same_body)?;
    let baseline = arguments.baseline.as_deref().map(read_baseline).transpose()?;
    if arguments.rules.is_none() && arguments.fail_on.iter().any(|kind| kind.severity().is_some()) {
        return Err(Error::option("--fail-on", "severities need --rules"));
    }
    let report_file = arguments.report.as_deref();
    let inputs = arguments.scenes.iter().chain(&arguments.baseline).chain(&arguments.ignore_pairs);
    let inputs = inputs.chain(&arguments.rules).chain(&arguments.status);
    let bcf_file = arguments.bcf.as_deref();
    terminal::refuse_inputs("--report", report_file, inputs.clone())?;
    terminal::refuse_inputs("--bcf", bcf_file, inputs.chain(&arguments.report))?;
    let reviews = status::read(&arguments.status)?;
    let files = folders::files(&arguments.scenes)?;
    for (option, file) in [("--report", report_file), ("--bcf", bcf_file)] {
        terminal::refuse_inputs(option, file, files.list.iter().chain(&files.foreign))?;
    }
    let limits = arguments.reading.limits()?;
    let read = || Parts::read(&files.list, arguments.split, limits);
    let mut parts = terminal::with_spinner("reading".to_owned(), read)?;
    parts.leave_out_files(&files.foreign);
    terminal::refuse_inputs("--report", report_file, &parts.files)?;
    terminal::refuse_inputs("--bcf", bcf_file, &parts.files)?;
    let touch = arguments.touch.map(|touch| numbers::length("--touch", touch)).transpose()?;
    let touch = Touch::new(touch, &parts);
    let sets = selection.sort(&parts.list)?;
    let ignored_pairs = arguments.ignore_pairs.as_deref();
    let ignored_pairs = ignored_pairs.map(|file| IgnoredPairs::read(file, &parts.list)).transpose()?;
    let unit = unit_name(arguments, &parts);
    let rules = arguments.rules.as_deref().map(|file| read_rules(file, &unit, arguments)).transpose()?;
    let rules = rules.map(|rules| rules.of_parts(&parts.list));
    let interrupted = interruption();
    let goes_on = || !interrupted.load(Ordering::Relaxed);
    let placed: Vec<_> = parts.list.iter().map(|part| parts.placed(part)).collect();
    let options = ClashOptions::new()
        .clearance(rules.as_ref().map_or(clearance, |rules| rules.greatest_clearance(clearance)))
        .penetration(!arguments.no_depth)
        .volume(!arguments.no_depth)
        .separation(!arguments.no_depth);
    let bar = progress_bar();
    let considered = |a: u32, b: u32| {
        let pair = [a as usize, b as usize];
        selection.has(pair.map(|part| &parts.list[part]), pair.map(|part| sets[part]))
            && !ignored_pairs.as_ref().is_some_and(|ignored| ignored.has(a, b))
            && rules.as_ref().is_none_or(|rules| rules.considers(pair[0], pair[1]))
    };
    let progress = |progress: Progress| {
        bar.set_length(progress.pairs);
        bar.set_position(progress.done);
        bar.set_message(progress.clashes.to_string());
        if goes_on() { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
    };
    let mut report = Report {
        kind: Kind::Clash,
        title: title(&parts::shown(&arguments.scenes)),
        unit,
        z_up: parts.z_up,
        notes: parts.notes.clone(),
        ..Report::default()
    };
    report.notes.extend(touch.note(&parts, &report.unit));
    note_what_is_left_out(&mut report, &parts, &selection, &sets);
    let places = arguments.report.is_some();
    if let Some(name) = &arguments.animation {
        let play = Play {
            name,
            every: seconds("--every", arguments.every)?,
            options: touch.moving(options),
            places,
        };
        let played = animate::play(&parts, &play, &considered, &progress)?;
        report.clashes = played.clashes;
        report.animation = Some(played.animation);
        report.notes.extend(played.notes);
        report.partial = played.partial;
    } else {
        let found =
            detect_with(&placed, &touch.still(options).accept(Some(&considered)).progress(Some(&progress)));
        let fill = || fill::clashes(&placed, &found.clashes, || places && goes_on(), &mut report);
        bar.finish_and_clear();
        terminal::with_spinner("looking where parts meet".to_owned(), fill);
        report.partial = found.partial;
        report.unknown = found.unknown.iter().map(|pair| pair.map(|part| part as usize)).collect();
        report.notes.extend(parts.note_of_unknown(&report.unknown));
    }
    bar.finish_and_clear();
    report.notes.extend(ignored_pairs.iter().flat_map(IgnoredPairs::notes));
    if arguments.ignore_touching {
        report.clashes.retain(|clash| clash.verdict != Verdict::Touching);
    }
    if arguments.itself {
        fill::itself(&placed, &sets, &mut report);
    }
    if let Some(rules) = &rules {
        rules.apply(clearance, &mut report);
    }
    if let Some(tolerance) = tolerance {
        let applies = |clash: &Clash| !rules.as_ref().is_some_and(|rules| rules.has_tolerance(clash));
        forgive::forgive(&mut report, tolerance, applies);
    }
    fill::parts(&parts, places || arguments.bcf.is_some(), &mut report);
    report.name_clashes();
    if let Some(baseline) = &baseline {
        report.compare(baseline);
    }
    if arguments.ungrouped {
        report.group_singly();
    } else {
        report.group_clashes();
        baseline.iter().for_each(|baseline| report.inherit_groups(baseline));
    }
    // Parts that move were looked at when they clashed.
    if (places || arguments.bcf.is_some()) && arguments.animation.is_none() {
        let shared = || fill::shared(&placed, goes_on, &mut report);
        terminal::with_spinner("looking what parts share".to_owned(), shared);
        if !goes_on() {
            report.notes.push("interrupted: not all clashes are drawn with where the parts meet".to_owned());
        }
    }
    status::merge(&reviews, &mut report);
    let (meters, note) = bcf::meters(&report.unit);
    report.notes.extend(note.filter(|_| arguments.bcf.is_some()));
    let invalid = |error: impinge_report::Invalid| Error::option("the report", error.to_string());
    if let Some(file) = &arguments.bcf {
        bcf::write(file, &report, arguments.bcf_version, meters, &interrupted)?;
    }
    if let Some(file) = &arguments.report {
        terminal::with_spinner("writing the report".to_owned(), || report_scene::write(file, &report))?;
    }
    let text = if arguments.json {
        report.json().map_err(invalid)?
    } else if arguments.csv {
        report.csv().map_err(invalid)?
    } else {
        table(&report, &touch, options.clearance).map_err(invalid)?
    };
    output.print(&if text.ends_with('\n') { text } else { text + "\n" })?;
    Ok(if report.partial { Status::Interrupted } else { status(arguments, &report) })
}

/// Counts what nobody will look at: by the user's wish, or because it could not be read or placed.
fn note_what_is_left_out(report: &mut Report, parts: &Parts, selection: &Selection, sets: &[Option<u64>]) {
    let (ignored, missing): (Vec<_>, Vec<_>) =
        parts.unplaced.iter().partition(|part| selection.ignores(&part.called));
    report.left_out = parts.unread + missing.len();
    report.notes.extend(missing.iter().map(|part| part.note.clone()));
    let ignored = ignored.len() + sets.iter().filter(|sets| sets.is_none()).count();
    if ignored > 0 {
        report.notes.push(format!("{} left out by --ignore", counted(ignored, "part", "parts")));
    }
    report.notes.extend(parts.note_of_open());
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
    if report.left_out > 0 || report.clashes.iter().any(fails) { Status::Found } else { Status::Nothing }
}

fn read_rules(
    file: &std::path::Path,
    unit: &str,
    arguments: &ClashArgs,
) -> Result<rules::RulesOfFile, Error> {
    let rules = Rules::read(file, unit)?;
    if arguments.no_depth && rules.needs_depth() {
        return Err(Error::file(file, "tolerances need depths, which --no-depth leaves out"));
    }
    Ok(rules)
}

fn seconds(option: &str, value: f64) -> Result<f64, Error> {
    if value > 0.0 && value.is_finite() {
        return Ok(value);
    }
    Err(Error::option(option, format!("{value} is not a time of more than 0 seconds")))
}

fn read_baseline(file: &std::path::Path) -> Result<Baseline, Error> {
    let failed = |reason: String| Error::file(file, reason);
    let text = String::from_utf8(read_regular(file)?).map_err(|error| failed(error.to_string()))?;
    Baseline::read(&text).map_err(|error| failed(error.to_string()))
}

fn title(names: &[String]) -> String {
    match names {
        [first, second, third, rest @ ..] if !rest.is_empty() => {
            format!("{first}, {second}, {third} and {} more", rest.len())
        }
        _ => names.join(", "),
    }
}

fn unit_name(arguments: &ClashArgs, parts: &Parts) -> String {
    let named = arguments.unit.clone().or_else(|| parts.unit.clone());
    named.unwrap_or_else(|| unit::UNNAMED.to_owned())
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
