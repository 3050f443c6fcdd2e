//! Answers as sentences.

use std::fmt::Write;

use impinge::Verdict;
use impinge::query::{Contained, Witness};
use impinge_report::text::{counted, point};

use super::Question;
use super::document::Finding;
use crate::input::names;
use crate::unit;

/// An answer in full, each line with its break.
pub(super) fn answer(finding: &Finding, question: &Question<'_>) -> String {
    let [[a, b], short] = names(question.a, question.b);
    let mut text = if finding.touch_ignored {
        format!("{a} and {b} only touch, which is ignored: clear.\n")
    } else {
        sentence(finding.verdict, &a, &b)
    };
    // Writing to a string cannot fail.
    if let Some(Witness { faces, point_in_world, .. }) = finding.witness {
        let unit = question.unit.unwrap_or(unit::UNNAMED);
        let _ = writeln!(text, "  at     {} {unit}", point(point_in_world.to_array()));
        if let Some([face_a, face_b]) = faces {
            let (of_a, of_b) = (question.a.face_text(face_a), question.b.face_text(face_b));
            let _ = writeln!(text, "  faces  {of_a} of {}, {of_b} of {}", short[0], short[1]);
        }
    }
    if question.ask.pairs {
        let _ =
            writeln!(text, "  pairs  {}", counted(finding.pairs.len(), "pair of faces", "pairs of faces"));
        for pair in &finding.pairs {
            let _ = writeln!(text, "         {} {}", pair.face_a, pair.face_b);
        }
    }
    let _ = writeln!(text, "  work   {}", work(finding));
    text
}

/// The verdict in a line.
pub(super) fn sentence(verdict: Verdict, a: &str, b: &str) -> String {
    match verdict {
        Verdict::Clear => format!("{a} and {b} are clear of each other.\n"),
        Verdict::Touching => format!("{a} and {b} touch.\n"),
        Verdict::Overlapping => format!("{a} and {b} overlap.\n"),
        Verdict::Inside(Contained::A) => format!("{a} is inside {b}.\n"),
        Verdict::Inside(Contained::B) => format!("{b} is inside {a}.\n"),
    }
}

/// The verdict in a word or three.
pub(super) fn word(verdict: Verdict) -> &'static str {
    match verdict {
        Verdict::Clear => "clear",
        Verdict::Touching => "touching",
        Verdict::Overlapping => "overlapping",
        Verdict::Inside(Contained::A) => "A inside B",
        Verdict::Inside(Contained::B) => "B inside A",
    }
}

/// An answer of a batch in one line.
pub(super) fn row(finding: &Finding, question: &Question<'_>, index: usize, count: usize) -> String {
    let width = count.saturating_sub(1).to_string().len();
    let verdict = word(finding.verdict);
    let mut line = format!("{index:>width$}  {verdict:<11}");
    if let Some(Witness { faces, point_in_world, .. }) = finding.witness {
        let _ = write!(line, "  at {}", point(point_in_world.to_array()));
        if let Some(unit) = question.unit {
            let _ = write!(line, " {unit}");
        }
        if let Some([face_a, face_b]) = faces {
            let _ = write!(line, ", faces {face_a} {face_b}");
        }
    }
    if question.ask.pairs && !finding.pairs.is_empty() {
        let _ = write!(line, ", {}", counted(finding.pairs.len(), "pair", "pairs"));
    }
    line.truncate(line.trim_end().len());
    line + "\n"
}

fn work(finding: &Finding) -> String {
    let count = |number: u64, what: &str| format!("{number} {what}{}", if number == 1 { "" } else { "s" });
    let (boxes, faces) = (finding.stats.box_tests, finding.stats.face_tests);
    format!("{}, {}", count(boxes, "box test"), count(faces, "face test"))
}
