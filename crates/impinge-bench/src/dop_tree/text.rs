//! Tables for the terminal.

use std::fmt::Write;

use super::{Contrast, Report, contrasts, explanation, exponents};

const OCTAHEDRA: &str = "
Octahedra against boxes: k = 8 as a multiple of k = 6
  flat       share of triangles along the coordinate planes
  tilted     face tests of the object tilted out of these planes
  volume     of the bounds around single faces
  enclosed   of these, turned about z and enclosed as tightly as can be
  aligned    of these, turned about z and aligned as in the tree
  undecided  relative positions in which the bounds of two faces are not told apart
  slack      aligned over enclosed, for 8 and for 14 directions; 1 for boxes

";

/// All tables, and what the counts say about octahedra.
pub fn tables(report: &Report) -> String {
    let contrasts = contrasts(report);
    let mut text = String::new();
    // Writing to a string cannot fail.
    let _ = writeln!(
        text,
        "Two equal objects in a cube of edge 2: {} distances x {} rotations about z, median of {}. Per query.\n",
        report.protocol.distances.max(2),
        report.protocol.rotations,
        if report.protocol.rounds > 1 {
            format!("{} rounds", report.protocol.rounds)
        } else {
            "1 round".into()
        },
    );
    text += &queries(report);
    text.push('\n');
    text += &growth(report);
    text += OCTAHEDRA;
    text += &octahedra(&contrasts);
    text.push('\n');
    text += &wrapped(&explanation(&contrasts), 100);
    text
}

fn queries(report: &Report) -> String {
    let header = [
        "object",
        "triangles",
        "k",
        "mean us",
        "worst us",
        "visits",
        "box tests",
        "face tests",
        "hits",
        "build ms",
        "bytes/tri",
    ];
    let mut rows = vec![header.map(str::to_owned).to_vec()];
    for object in &report.objects {
        for row in &object.rows {
            let all = row.summary();
            rows.push(vec![
                object.shape.to_string(),
                object.triangles.to_string(),
                row.k.to_string(),
                format!("{:.2}", all.mean_ns / 1e3),
                format!("{:.2}", all.worst_ns / 1e3),
                format!("{:.1}", all.visits),
                format!("{:.1}", all.box_tests),
                format!("{:.1}", all.face_tests),
                all.hits.to_string(),
                format!("{:.2}", row.build_ms),
                format!("{:.1}", row.bytes as f64 / object.triangles.max(1) as f64),
            ]);
        }
    }
    table(&rows, report.objects.first().map_or(0, |object| object.rows.len()))
}

fn growth(report: &Report) -> String {
    let exponents = exponents(report);
    let mut header = vec!["torus, mean us".to_owned()];
    header.extend(exponents.iter().map(|of| format!("k = {}", of.k)));
    let mut rows = vec![header];
    for object in &report.growth {
        let mut row = vec![object.triangles.to_string()];
        row.extend(object.rows.iter().map(|row| format!("{:.2}", row.summary().mean_ns / 1e3)));
        rows.push(row);
    }
    for (name, value) in [
        ("p: time ~ n^p", (|of| of.time) as fn(&super::Exponents) -> f64),
        ("p of box tests", |of| of.box_tests),
        ("p of building", |of| of.build),
    ] {
        let mut row = vec![name.to_owned()];
        row.extend(exponents.iter().map(|of| format!("{:.2}", value(of))));
        rows.push(row);
    }
    table(&rows, 0)
}

fn octahedra(contrasts: &[Contrast]) -> String {
    let header = [
        "object",
        "flat",
        "time",
        "box tests",
        "face tests",
        "tilted",
        "volume",
        "enclosed",
        "aligned",
        "undecided",
        "slack 8",
        "slack 14",
        "face tests 14",
    ];
    let mut rows = vec![header.map(str::to_owned).to_vec()];
    for c in contrasts {
        let mut row = vec![c.object.clone()];
        let values = [
            c.flat_share,
            c.time,
            c.box_tests,
            c.face_tests,
            c.tilted_face_tests,
            c.volume,
            c.enclosed,
            c.aligned,
            c.undecided,
            c.slack,
            c.slack_14,
            c.face_tests_14,
        ];
        row.extend(values.map(|value| format!("{value:.2}")));
        rows.push(row);
    }
    table(&rows, 0)
}

/// Columns as wide as their widest entry, the first to the left, the others to the right; a blank line after every
/// `group` rows.
fn table(rows: &[Vec<String>], group: usize) -> String {
    let columns = rows.iter().map(Vec::len).max().unwrap_or(0);
    let wide = |column: usize| {
        rows.iter().filter_map(|row| row.get(column)).map(|entry| entry.chars().count()).max().unwrap_or(0)
    };
    let widths: Vec<usize> = (0..columns).map(wide).collect();
    let mut text = String::new();
    for (index, row) in rows.iter().enumerate() {
        if group > 0 && index > 1 && (index - 1) % group == 0 {
            text.push('\n');
        }
        let mut line = String::new();
        for (column, entry) in row.iter().enumerate() {
            let width = widths[column];
            line += &if column == 0 { format!("{entry:width$}") } else { format!("  {entry:>width$}") };
        }
        text += line.trim_end();
        text.push('\n');
    }
    text
}

fn wrapped(text: &str, width: usize) -> String {
    let (mut lines, mut line) = (String::new(), String::new());
    for word in text.split_whitespace() {
        if !line.is_empty() && line.len() + 1 + word.len() > width {
            lines += &line;
            lines.push('\n');
            line.clear();
        }
        line += if line.is_empty() { "" } else { " " };
        line += word;
    }
    lines + &line + "\n"
}
