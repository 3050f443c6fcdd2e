//! A question to the parts of a scene, and its answer: one report, whoever asks and whatever becomes of it.

use std::ops::ControlFlow;
use std::path::Path;

use impinge::clash::tiles::Plan;
use impinge::clash::{ClashOptions, Clashes, Progress, detect_with};
use impinge_formats::read_regular;
use impinge_report::terminal::{self, Error};
use impinge_report::text::counted;
use impinge_report::{Baseline, Clash, Failure, Kind, Report, Reviews, Verdict};

use super::animate::{self, Play};
use super::arguments::{ClashArgs, FailOn};
use super::ignored_pairs::IgnoredPairs;
use super::parts::{self, Parts};
use super::rules::{Rules, RulesOfFile};
use super::select::Selection;
use super::stored::{Loaded, Tester, TiledSearch};
use super::touch::Touch;
use super::{fill, forgive, status};
use crate::{numbers, unit};

/// A question, with all that can be read and refused before the parts are known.
pub(super) struct Question<'a> {
    pub(super) arguments: &'a ClashArgs,
    clearance: f64,
    tolerance: Option<f64>,
    touch: Option<f64>,
    selection: Selection,
    baseline: Option<Baseline>,
    reviews: Vec<(String, Reviews)>,
    pub(super) drawn: Drawn,
}

/// How much is looked for beyond the rows, for pictures.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Drawn {
    Nothing,
    /// The shapes of parts, and of what they share.
    Shapes,
    /// Also curves and faces where parts meet.
    All,
}

/// An observer of the search, who may end it.
#[derive(Clone, Copy)]
pub(super) struct Watch<'w> {
    pub(super) progress: &'w (dyn Fn(Progress) + Sync),
    pub(super) goes_on: &'w (dyn Fn() -> bool + Sync),
}

/// The report, and up to where parts touch and are near.
pub(super) struct Answer {
    pub(super) report: Report,
    pub(super) touch: Touch,
    pub(super) clearance: f64,
}

impl<'a> Question<'a> {
    pub(super) fn new(arguments: &'a ClashArgs) -> Result<Question<'a>, Error> {
        let length =
            |option: &str, length: Option<f64>| length.map(|it| numbers::length(option, it)).transpose();
        let clearance = numbers::length("--clearance", arguments.clearance)?;
        let tolerance = length("--tolerance", arguments.tolerance)?;
        if arguments.fail_on.contains(&FailOn::New) && arguments.baseline.is_none() {
            return Err(Error::option("--fail-on", "new needs --baseline"));
        }
        let selection = Selection::new(&arguments.sets, &arguments.ignore, arguments.ignore_same_body)?;
        let baseline = arguments.baseline.as_deref().map(read_baseline).transpose()?;
        if arguments.rules.is_none() && arguments.fail_on.iter().any(|kind| kind.severity().is_some()) {
            return Err(Error::option("--fail-on", "severities need --rules"));
        }
        let reviews = status::read(&arguments.status)?;
        let touch = length("--touch", arguments.touch)?;
        let drawn = match (&arguments.report, &arguments.bcf) {
            (Some(_), _) => Drawn::All,
            (None, Some(_)) => Drawn::Shapes,
            (None, None) => Drawn::Nothing,
        };
        Ok(Question { arguments, clearance, tolerance, touch, selection, baseline, reviews, drawn })
    }

    /// Looks at all parts, or has them looked at by whoever has their meshes.
    pub(super) fn answer(
        &self,
        parts: &Parts,
        watch: &Watch<'_>,
        tester: Option<&dyn Tester>,
    ) -> Result<Answer, Error> {
        let Question { arguments, clearance, selection, .. } = self;
        let goes_on = watch.goes_on;
        let touch = Touch::new(self.touch, parts);
        let sets = selection.sort(&parts.list)?;
        let ignored_pairs = arguments.ignore_pairs.as_deref();
        let ignored_pairs = ignored_pairs.map(|file| IgnoredPairs::read(file, &parts.list)).transpose()?;
        let mut report = Report {
            kind: Kind::Clash,
            title: title(&parts::shown(&arguments.scenes)),
            unit: unit_name(arguments, parts),
            z_up: parts.z_up,
            notes: parts.notes.clone(),
            ..Report::default()
        };
        let rules = arguments.rules.as_deref();
        let rules = rules.map(|file| read_rules(file, &report.unit, arguments)).transpose()?;
        let rules = rules.map(|rules| rules.of_parts(&parts.list));
        let placed = parts.placed();
        let options = ClashOptions::new()
            .clearance(rules.as_ref().map_or(*clearance, |rules| rules.greatest_clearance(*clearance)))
            .penetration(!arguments.no_depth)
            .volume(!arguments.no_depth)
            .separation(!arguments.no_depth);
        let considered = |a: u32, b: u32| {
            let pair = [a as usize, b as usize];
            selection.has(pair.map(|part| &parts.list[part]), pair.map(|part| sets[part]))
                && !ignored_pairs.as_ref().is_some_and(|ignored| ignored.has(a, b))
                && rules.as_ref().is_none_or(|rules| rules.considers(pair[0], pair[1]))
        };
        let progress = |progress: Progress| {
            (watch.progress)(progress);
            if goes_on() { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
        };
        report.notes.extend(touch.note(parts, &report.unit));
        note_what_is_left_out(&mut report, parts, selection, &sets);
        let places = self.drawn == Drawn::All;
        if let Some(name) = &arguments.animation {
            let play = Play {
                name,
                every: seconds("--every", arguments.every)?,
                options: touch.moving(options),
                places,
            };
            let played = animate::play(parts, &play, &considered, &progress)?;
            report.clashes = played.clashes;
            report.animation = Some(played.animation);
            report.notes.extend(played.notes);
            report.partial = played.partial;
        } else {
            let options = touch.still(options).accept(Some(&considered)).progress(Some(&progress));
            let found = match tester {
                None => detect_with(&placed, &options),
                Some(tester) => test_elsewhere(parts, &options, tester, &mut report)?,
            };
            fill::clashes(&found.clashes, &mut report);
            report.partial = found.partial;
            report.unknown = found.unknown.iter().map(|pair| pair.map(|part| part as usize)).collect();
            report.notes.extend(parts.note_of_unknown(&report.unknown));
        }
        report.notes.extend(ignored_pairs.iter().flat_map(IgnoredPairs::notes));
        if arguments.ignore_touching {
            report.clashes.retain(|clash| clash.verdict != Verdict::Touching);
        }
        if arguments.itself {
            fill::itself(&placed, &sets, &mut report);
        }
        if let Some(rules) = &rules {
            rules.apply(*clearance, &mut report);
        }
        if let Some(tolerance) = self.tolerance {
            let applies = |clash: &Clash| !rules.as_ref().is_some_and(|rules| rules.has_tolerance(clash));
            forgive::forgive(&mut report, tolerance, applies);
        }
        let shapes = self.drawn != Drawn::Nothing;
        fill::parts(parts, shapes, &mut report);
        self.group(&mut report);
        if let Some(tester) = tester.filter(|_| shapes) {
            let loaded = Loaded::of_gravest(parts, &report, tester)?;
            fill::loaded(parts, &loaded, places, &mut report);
        }
        // Parts that move were looked at when they clashed.
        if shapes && tester.is_none() && arguments.animation.is_none() {
            if places {
                let fill = || fill::places(&placed, goes_on, &mut report);
                terminal::with_spinner("looking where parts meet".to_owned(), fill);
            }
            let shared = || fill::shared(&placed, goes_on, &mut report);
            terminal::with_spinner("looking what parts share".to_owned(), shared);
            if !goes_on() {
                let note = "interrupted: not all clashes are drawn with where the parts meet";
                report.notes.push(note.to_owned());
            }
        }
        status::merge(&self.reviews, &mut report);
        Ok(Answer { report, touch, clearance: options.clearance })
    }

    /// Names clashes and groups as they were named before.
    fn group(&self, report: &mut Report) {
        report.name_clashes();
        if let Some(baseline) = &self.baseline {
            report.compare(baseline);
        }
        if self.arguments.ungrouped {
            report.group_singly();
        } else {
            report.group_clashes();
            self.baseline.iter().for_each(|baseline| report.inherit_groups(baseline));
        }
    }
}

/// Has the pairs of a search tested, and tells what could not be.
fn test_elsewhere(
    parts: &Parts,
    options: &ClashOptions<'_>,
    tester: &dyn Tester,
    report: &mut Report,
) -> Result<Clashes, Error> {
    let outlines = parts.outlines();
    let plan = Plan::new(&outlines, options);
    let tested = tester.test(&TiledSearch { plan: &plan, outlines: &outlines, options: *options })?;
    for (numbers, reason) in &tested.failed {
        let pairs = plan.copies_of(numbers).into_iter();
        let pairs = pairs.map(|number| plan.pairs()[number as usize].map(|part| part as usize)).collect();
        let failure = Failure { reason: reason.clone(), pairs };
        report.notes.push(parts.note_of_failure(&failure));
        report.errors.push(failure);
    }
    let mut found = plan.merge(&outlines, tested.found);
    found.partial = tested.partial;
    Ok(found)
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

fn read_rules(file: &Path, unit: &str, arguments: &ClashArgs) -> Result<RulesOfFile, Error> {
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

fn read_baseline(file: &Path) -> Result<Baseline, Error> {
    let failed = |reason: String| Error::file(file, reason);
    let text = String::from_utf8(read_regular(file)?).map_err(|error| failed(error.to_string()))?;
    Baseline::read(&text).map_err(|error| failed(error.to_string()))
}

pub(super) fn title(names: &[String]) -> String {
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
