//! The page of one motion.

use impinge::query::{IntersectOptions, SweepOptions, SweepStatus};
use impinge::{Motion, Placed};
use impinge_report::{self as report, Kind, Report};

use super::Question;
use super::document::Finding;
use crate::report_scene;

/// Poses along the way, and one more for each so many degrees of a turn: between poses a page takes the shorter way round.
const POSES: f64 = 48.0;
const DEGREES_A_POSE: f64 = 5.0;
/// More would only make the file large.
const MOST_POSES: f64 = 2000.0;

/// The way that was asked for, where it ended, and against what.
pub(super) fn of(finding: &Finding, question: &Question<'_>, motion: &Motion) -> Report {
    let (a, b) = (question.a.model.at(question.world_from_a), question.b.model.at(question.world_from_b));
    let subjects = [(&question.a, question.world_from_a), (&question.b, question.world_from_b)];
    told(finding, &a, &b, motion, report_scene::pair(subjects[0], subjects[1], question.unit))
}

/// A page's report of a motion of models that no file has.
pub(crate) fn of_pair(
    a: &Placed<'_>,
    b: &Placed<'_>,
    motion: &Motion,
    options: SweepOptions,
    report: Report,
) -> Report {
    told(&Finding::new(a, b, a.sweep_with(motion, b, options)), a, b, motion, report)
}

fn told(finding: &Finding, a: &Placed<'_>, b: &Placed<'_>, motion: &Motion, report: Report) -> Report {
    let sweep = &finding.sweep;
    let contact = |contact: &impinge::query::Contact| report::Contact {
        point: contact.point_on_b.to_array(),
        normal: contact.normal.to_array(),
    };
    let mut report = Report {
        kind: Kind::Sweep,
        sweep: Some(report::Sweep {
            moving: 0,
            verdict: match sweep.status {
                SweepStatus::Clear => report::SweepStatus::Clear,
                SweepStatus::Hit => report::SweepStatus::Hit,
                SweepStatus::StartedOverlapping => report::SweepStatus::StartedOverlapping,
            },
            fraction: sweep.fraction,
            path: path(motion, a),
            stop: report_scene::rows(sweep.world_from_moving.world_from_model()),
            contacts: finding.contacts.iter().map(contact).collect(),
        }),
        ..report
    };
    if sweep.status == SweepStatus::StartedOverlapping {
        let answer = a.intersect_with(b, IntersectOptions::new().pairs(true));
        let clash = report_scene::clash(a, b, (answer.verdict, answer.witness), &answer.pairs, true);
        report.clashes.extend(clash);
        report.name_clashes();
    }
    report
}

fn path(motion: &Motion, moving: &Placed<'_>) -> Vec<report::Matrix> {
    let degrees = motion.turn().map_or(0.0, |turn| turn.degrees.abs());
    let steps = (POSES + degrees / DEGREES_A_POSE).min(MOST_POSES) as u32;
    let start = moving.placement().world_from_model();
    let at = |step: u32| report_scene::rows(&motion.carry(start, f64::from(step) / f64::from(steps)));
    (0..=steps).map(at).collect()
}
