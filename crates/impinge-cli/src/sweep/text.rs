//! Answers as sentences.

use std::fmt::Write;

use impinge::query::SweepStatus;
use impinge::transform::Phase;
use impinge_report::text::{point, short};

use super::Question;
use super::document::Finding;
use crate::input::names;
use crate::unit;

/// An answer in full, each line with its break.
pub(super) fn answer(finding: &Finding, question: &Question<'_>) -> String {
    let [[moving, stationary], names] = names(&question.a, &question.b);
    let sweep = &finding.sweep;
    let unit = question.unit.unwrap_or(unit::UNNAMED);
    let mut text = match sweep.status {
        SweepStatus::Clear => return format!("{moving} does not meet {stationary} on its way.\n"),
        SweepStatus::StartedOverlapping => {
            return format!("{moving} and {stationary} overlap before anything moves.\n");
        }
        SweepStatus::Hit => {
            let doing = match sweep.phase {
                Some(Phase::Translation) => ", moving along the line",
                Some(Phase::Rotation) => ", turning",
                Some(Phase::Rigid) | None => "",
            };
            let fraction = short(sweep.fraction);
            format!("{moving} is stopped by {stationary} at {fraction} of its way{doing}.\n")
        }
    };
    let Some(hit) = &sweep.hit else { return text };
    let width = names[0].chars().count().max(names[1].chars().count());
    let sides = [
        (&question.a, hit.point_on_moving, hit.feature_moving, &names[0]),
        (&question.b, hit.point_on_stationary, hit.feature_stationary, &names[1]),
    ];
    for (subject, at, feature, name) in sides {
        // Writing to a string cannot fail.
        let feature = subject.feature_text(Some(feature));
        let _ = writeln!(text, "  {name:<width$}  {}, {feature}", point(at.to_array()));
    }
    let _ = writeln!(
        text,
        "  They are at most {} {unit} apart there; the normal is {}.",
        short(hit.bound),
        point(hit.normal.to_array())
    );
    text
}

/// An answer of a batch in one line.
pub(super) fn row(finding: &Finding, question: &Question<'_>, index: usize, count: usize) -> String {
    let width = count.saturating_sub(1).to_string().len();
    let sweep = &finding.sweep;
    let what = match (sweep.status, &sweep.hit) {
        (SweepStatus::Clear, _) => "clear".to_owned(),
        (SweepStatus::StartedOverlapping, _) => "started overlapping".to_owned(),
        (SweepStatus::Hit, None) => format!("hit at {}", short(sweep.fraction)),
        (SweepStatus::Hit, Some(hit)) => {
            let a = question.a.feature_text(Some(hit.feature_moving));
            let b = question.b.feature_text(Some(hit.feature_stationary));
            format!("hit at {}, {a} and {b}", short(sweep.fraction))
        }
    };
    format!("{index:>width$}  {what}\n")
}
