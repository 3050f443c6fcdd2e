//! A report on a file as lines for people.

use impinge_report::text::{counted, point, short, visible};
use std::fmt::Write;

use crate::json::{FileReport, PartReport, ProblemReport};
use crate::unit;

/// How many parts, and how many examples of a problem, are listed.
const SHOWN: usize = 5;

/// The report, each line with its break.
pub(super) fn of(report: &FileReport) -> String {
    let mut lines = Lines(format!("{}: {}\n", visible(&report.file), report.format));
    if let Some(tolerance) = report.welded {
        lines.add("welded", &format!("within {}", short(tolerance)));
    }
    lines.add("vertices", &vertices(report));
    lines.add("faces", &faces(report));
    lines.add("triangles", &report.triangles.to_string());
    let unit = visible(report.unit.as_deref().unwrap_or(unit::UNNAMED));
    lines.add("bounds", &format!("{} to {}", point(report.bounds.min), point(report.bounds.max)));
    let [x, y, z] = report.size.map(short);
    lines.add("size", &format!("{x} × {y} × {z} {unit}"));
    lines.add("parts", &parts(report));
    for part in report.parts.iter().take(SHOWN) {
        lines.add("", &describe_part(part));
    }
    lines.add_rest(report.parts.len());
    lines.add("edges", &edges(report));
    lines.add("internal", &internal(report));
    lines.add("memory", &memory(report));
    match report.problems.as_slice() {
        [] => lines.add("problems", "none"),
        problems => {
            for (i, problem) in problems.iter().enumerate() {
                lines.add(if i == 0 { "problems" } else { "" }, &describe_problem(problem));
            }
        }
    }
    lines.0
}

/// Lines of a label and a text, aligned.
struct Lines(String);

impl Lines {
    fn add(&mut self, label: &str, text: &str) {
        // Writing to a string cannot fail.
        let _ = writeln!(self.0, "  {label:<10} {text}");
    }

    fn add_rest(&mut self, count: usize) {
        if count > SHOWN {
            self.add("", &format!("… and {} more", count - SHOWN));
        }
    }
}

fn vertices(report: &FileReport) -> String {
    if report.positions == report.vertices {
        report.vertices.to_string()
    } else {
        format!("{} at {} positions", report.vertices, report.positions)
    }
}

fn faces(report: &FileReport) -> String {
    let mut text = report.faces.to_string();
    if report.pieces != report.faces {
        text += &format!(", as {} pieces", report.pieces);
    }
    if report.corners.keys().any(|&corners| corners != 3) {
        let kinds = report
            .corners
            .iter()
            .map(|(corners, count)| format!("{count} with {}", counted(*corners, "corner", "corners")));
        text += ": ";
        text += &kinds.collect::<Vec<_>>().join(", ");
    }
    text
}

fn parts(report: &FileReport) -> String {
    let counts = &report.part_counts;
    let mut text = format!("{}: {} closed", counts.all, counts.closed);
    let undecided = counts.closed - counts.outward - counts.inward;
    let kinds = [(counts.outward, "outward"), (counts.inward, "inward"), (undecided, "without volume")];
    let kinds: Vec<String> =
        kinds.iter().filter(|(count, _)| *count > 0).map(|(count, kind)| format!("{count} {kind}")).collect();
    if !kinds.is_empty() {
        text += &format!(" ({})", kinds.join(", "));
    }
    text + &format!(", {} open", counts.open)
}

fn describe_part(part: &PartReport) -> String {
    let mut text = format!("#{}", part.index);
    if let Some(name) = &part.name {
        text += &format!(" \"{}\"", visible(name).replace('"', "\\\""));
    }
    text += if part.closed { ": closed" } else { ": open" };
    if let Some(orientation) = part.orientation {
        text += &format!(", {orientation}");
    }
    text += &match part.pieces {
        1 => format!(", face {}", part.first_face),
        pieces => format!(", {pieces} faces from {} on", part.first_face),
    };
    text + &format!(", {} to {}", point(part.bounds.min), point(part.bounds.max))
}

fn edges(report: &FileReport) -> String {
    let counts = &report.edges;
    let kinds = [
        (counts.convex, "convex"),
        (counts.internal, "internal"),
        (counts.coplanar, "coplanar"),
        (counts.dangling, "dangling"),
        (counts.irregular, "irregular"),
    ];
    let kinds = kinds.iter().map(|(count, kind)| format!("{count} {kind}"));
    format!("{}: {}", counts.all, kinds.collect::<Vec<_>>().join(", "))
}

fn internal(report: &FileReport) -> String {
    let edges = 100.0 * report.edges.internal_share;
    let vertices = counted(report.internal_vertices, "vertex", "vertices");
    format!("{edges:.1} % of the edges, {vertices}")
}

fn memory(report: &FileReport) -> String {
    let memory = &report.memory;
    let (indices, vertices) = (memory.index_bytes, memory.vertex_bytes);
    let compared = match memory.saved_bytes {
        0 => "as much as".to_owned(),
        saved if saved > 0 => format!("{saved} less than"),
        saved => format!("{} more than", saved.unsigned_abs()),
    };
    format!("{indices} bytes of indices and {vertices} of vertices, {compared} a plain table of triangles")
}

fn describe_problem(problem: &ProblemReport) -> String {
    let ProblemReport { count, text, faces, edges, vertices, .. } = problem;
    let examples = [
        examples("face", faces, ToString::to_string),
        examples("edge", edges, |[from, to]| format!("{from}–{to}")),
        examples("vertex", vertices, ToString::to_string),
    ];
    format!("{count} {}{}", visible(text), examples.concat())
}

/// The first few of a list, by their indices.
fn examples<T>(what: &str, all: &[T], name: impl Fn(&T) -> String) -> String {
    if all.is_empty() {
        return String::new();
    }
    let shown: Vec<String> = all.iter().take(SHOWN).map(name).collect();
    let rest = if all.len() > SHOWN { ", …" } else { "" };
    format!(": {what} {}{rest}", shown.join(", "))
}
