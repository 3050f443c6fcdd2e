//! Answers as sentences.

use std::fmt::Write;

use impinge::query::Distance;
use impinge_report::text::{point, short};

use super::Question;
use super::document::Finding;
use crate::input::names;
use crate::unit;

/// An answer in full, each line with its break.
pub(super) fn answer(finding: &Finding, question: &Question<'_>) -> String {
    let [[a, b], names] = names(&question.a, &question.b);
    let unit = question.unit.unwrap_or(unit::UNNAMED);
    let Some(Distance { distance, point_on_a, point_on_b, feature_a, feature_b, .. }) = finding.found else {
        return format!("{a} and {b} are more than {} {unit} apart.\n", short(question.ask.at_most));
    };
    let mut text = if distance == 0.0 {
        format!("{a} and {b} meet: their distance is 0.\n")
    } else {
        format!("{a} and {b} are {} {unit} apart.\n", short(distance))
    };
    let sides =
        [(&question.a, point_on_a, feature_a, &names[0]), (&question.b, point_on_b, feature_b, &names[1])];
    let width = names[0].chars().count().max(names[1].chars().count());
    for (subject, at, feature, name) in sides {
        // Writing to a string cannot fail.
        let _ =
            writeln!(text, "  {name:<width$}  {}, {}", point(at.to_array()), subject.feature_text(feature));
    }
    text
}

/// An answer of a batch in one line.
pub(super) fn row(finding: &Finding, question: &Question<'_>, index: usize, count: usize) -> String {
    let width = count.saturating_sub(1).to_string().len();
    let unit = question.unit.map_or(String::new(), |unit| format!(" {unit}"));
    let Some(found) = &finding.found else {
        return format!("{index:>width$}  more than {}{unit}\n", short(question.ask.at_most));
    };
    let (a, b) = (question.a.feature_text(found.feature_a), question.b.feature_text(found.feature_b));
    format!("{index:>width$}  {}{unit}, {a} and {b}\n", short(found.distance))
}
