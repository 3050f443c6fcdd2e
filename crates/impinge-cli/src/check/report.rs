//! The page of one answer.

use impinge::query::{DistanceOptions, IntersectOptions};
use impinge::{Placed, Placement, Verdict};
use impinge_core::narrow::tri_tri::Kind as Meeting;
use impinge_report::{Gap, Kind, Report};

use super::Question;
use super::document::Finding;
use crate::report_scene;

/// What two models look like and where they meet, or how far they are apart.
pub(super) fn of(finding: &Finding, question: &Question<'_>, world_from_b: Placement) -> Report {
    let (a, b) = (question.a.model.at(question.world_from_a), question.b.model.at(world_from_b));
    let subjects = [(question.a, question.world_from_a), (question.b, world_from_b)];
    let mut pairs = if finding.verdict == Verdict::Clear { Vec::new() } else { a.face_pairs(&b) };
    pairs.retain(|pair| !question.ignore_touching || pair.kind == Meeting::Crossing);
    let answer = (finding.verdict, finding.witness);
    let clash = report_scene::clash(&a, &b, answer, &pairs, !question.ask.surface_only);
    let is_apart = finding.verdict == Verdict::Clear && !finding.touch_ignored;
    let mut report = Report {
        kind: Kind::Check,
        clashes: clash.into_iter().collect(),
        gap: if is_apart { gap(&a, &b, question.ask.surface_only) } else { None },
        ..report_scene::pair(subjects[0], subjects[1], question.unit)
    };
    if finding.touch_ignored {
        report.notes.push("They touch, which is ignored.".to_owned());
    }
    report.name_clashes();
    report
}

/// A page's report of two models that no file has.
pub(crate) fn of_pair(a: &Placed<'_>, b: &Placed<'_>, report: Report) -> Report {
    let answer = a.intersect_with(b, IntersectOptions::new().pairs(true));
    let clash = report_scene::clash(a, b, (answer.verdict, answer.witness), &answer.pairs, true);
    let gap = if clash.is_none() { gap(a, b, false) } else { None };
    let mut report = Report { kind: Kind::Check, clashes: clash.into_iter().collect(), gap, ..report };
    report.name_clashes();
    report
}

/// How far two models are apart that do not meet.
fn gap(a: &Placed<'_>, b: &Placed<'_>, surface_only: bool) -> Option<Gap> {
    let found = a.distance_with(b, DistanceOptions::new().surface_only(surface_only))?;
    // From one end of the numbers to the other it may be too large for any.
    if !found.distance.is_finite() {
        return None;
    }
    Some(Gap {
        distance: found.distance,
        closest: [found.point_on_a, found.point_on_b].map(|point| point.to_array()),
    })
}
