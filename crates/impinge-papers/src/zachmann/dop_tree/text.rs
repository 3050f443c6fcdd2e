//! Tables for the terminal.

use std::fmt::Write;

use super::paper_tables::paper_tables;
use super::{
    Contrast, ObjectReport, PeerRow, Report, Row, contrasts, explanation, exponents, peer_exponents,
};

const OCTAHEDRA: &str = "
Octahedra against boxes: k = 8 as a multiple of k = 6
  flat       share of triangles along the coordinate planes
  tilted     face tests of the object tilted out of these planes
  volume     of the bounds around single faces
  enclosed   of these, turned about z and enclosed as tightly as can be
  aligned    of these, turned about z and aligned as in the tree
  undecided  relative positions in which the bounds of two faces are not told apart
  slack      aligned over enclosed, for 8 and for 14 directions

";

const COSTS: &str = "
Where the time of a query goes, by least squares over single queries at all distances
  start      before the walk: the placements related, the directions aligned
  visit      two nodes: up to eight bounds aligned, up to sixteen pairs compared at once
  box test   the same, shared out to the pairs of bounds that were compared
  face test  two triangles, fetched and placed
  %          the share of each in the mean time of a query; off: what single queries differ from that

";

const PEERS: &str = "
Other libraries in the same run, query by query on the same placements
  ratio      our time with k = 6 over theirs
  differ     queries whose answer is not ours

";

/// All tables, and what the counts say about octahedra.
pub fn tables(report: &Report) -> String {
    let contrasts = contrasts(report);
    let mut text = String::new();
    // Writing to a string cannot fail.
    let _ = writeln!(
        text,
        "Two equal objects in a cube of edge 2: {} distances x {} rotations about z, median of {}. Per query; \
         cached: with what the query before has found.\n",
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
    text += &paper_tables(report);
    text.push('\n');
    text += &growth(report);
    if report.objects.iter().any(|object| !object.peers.is_empty()) {
        text += PEERS;
        text += &peers(report);
    }
    text += COSTS;
    text += &costs(report);
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
        "cached us",
        "worst us",
        "visits",
        "box tests",
        "face tests",
        "hits",
        "build ms",
        "bytes/tri",
    ];
    let names = peer_names(&report.objects);
    let mut header = header.map(str::to_owned).to_vec();
    header.extend(names.iter().map(|name| format!("/ {name}")));
    let mut rows = vec![header];
    for object in &report.objects {
        for row in &object.rows {
            let all = row.summary();
            let ratio = |name: &&str| {
                peer(object, name).map_or("-".to_owned(), |peer| digits(all.mean_ns / peer.mean_ns()))
            };
            let mut entries = vec![
                object.shape.to_string(),
                object.triangles.to_string(),
                row.key(),
                format!("{:.2}", all.mean_ns / 1e3),
                if row.key() == "6" { format!("{:.2}", object.cached_ns / 1e3) } else { "-".to_owned() },
                format!("{:.2}", all.worst_ns / 1e3),
                format!("{:.1}", all.visits),
                format!("{:.1}", all.box_tests),
                format!("{:.1}", all.face_tests),
                all.hits.to_string(),
                format!("{:.2}", row.build_ms),
                format!("{:.1}", row.bytes as f64 / object.triangles.max(1) as f64),
            ];
            entries.extend(names.iter().map(ratio));
            rows.push(entries);
        }
    }
    table(&rows, report.objects.first().map_or(0, |object| object.rows.len()))
}

/// The peers of all objects, each once.
fn peer_names(objects: &[ObjectReport]) -> Vec<&str> {
    let mut names: Vec<&str> = Vec::new();
    for peer in objects.iter().flat_map(|object| &object.peers) {
        if !names.contains(&peer.name.as_str()) {
            names.push(&peer.name);
        }
    }
    names
}

fn peer<'r>(object: &'r ObjectReport, name: &str) -> Option<&'r PeerRow> {
    object.peers.iter().find(|peer| peer.name == name)
}

/// A ratio to three digits.
fn digits(ratio: f64) -> String {
    if ratio < 9.995 { format!("{ratio:.3}") } else { format!("{ratio:.1}") }
}

fn peers(report: &Report) -> String {
    let header = [
        "object",
        "triangles",
        "library",
        "mean us",
        "worst us",
        "ratio",
        "build ms",
        "build ratio",
        "hits",
        "differ",
    ];
    let mut rows = vec![header.map(str::to_owned).to_vec()];
    for object in &report.objects {
        let Some(own) = object.rows.first() else { continue };
        for peer in &object.peers {
            rows.push(vec![
                object.shape.to_string(),
                object.triangles.to_string(),
                peer.name.clone(),
                format!("{:.2}", peer.mean_ns() / 1e3),
                format!("{:.2}", peer.worst_ns() / 1e3),
                digits(own.summary().mean_ns / peer.mean_ns()),
                format!("{:.2}", peer.build_ms),
                digits(own.build_ms / peer.build_ms),
                peer.hits().to_string(),
                peer.disagreements().to_string(),
            ]);
        }
    }
    table(&rows, report.objects.first().map_or(0, |object| object.peers.len()))
}

fn costs(report: &Report) -> String {
    let header = [
        "object",
        "triangles",
        "k",
        "start ns",
        "visits",
        "ns each",
        "box tests",
        "ns each",
        "face tests",
        "ns each",
        "start %",
        "walk %",
        "faces %",
        "off %",
    ];
    let mut rows = vec![header.map(str::to_owned).to_vec()];
    for object in &report.objects {
        for row in &object.rows {
            let (all, costs) = (row.summary(), row.costs);
            let (walk, faces) = (costs.visit_ns * all.visits, costs.face_ns * all.face_tests);
            let whole = costs.start_ns + walk + faces;
            let percent = |part: f64| format!("{:.0}", 100.0 * part / whole);
            rows.push(vec![
                object.shape.to_string(),
                object.triangles.to_string(),
                row.key(),
                format!("{:.0}", costs.start_ns),
                format!("{:.1}", all.visits),
                format!("{:.1}", costs.visit_ns),
                format!("{:.1}", all.box_tests),
                format!("{:.2}", walk / all.box_tests),
                format!("{:.1}", all.face_tests),
                format!("{:.1}", costs.face_ns),
                percent(costs.start_ns),
                percent(walk),
                percent(faces),
                format!("{:.0}", 100.0 * costs.error),
            ]);
        }
    }
    table(&rows, report.objects.first().map_or(0, |object| object.rows.len()))
}

/// Figure 6 as a table. The paper's table 4 has an exponent of 0.29.
fn growth(report: &Report) -> String {
    let (exponents, peers) = (exponents(report), peer_exponents(report));
    let mut header = vec!["torus, mean us".to_owned()];
    header.extend(report.growth.first().into_iter().flat_map(|object| object.rows.iter().map(Row::key)));
    header.extend(peers.iter().map(|of| of.name.clone()));
    let mut rows = vec![header];
    for object in &report.growth {
        let mut row = vec![object.triangles.to_string()];
        row.extend(object.rows.iter().map(|row| format!("{:.2}", row.summary().mean_ns / 1e3)));
        let of_peer = |of: &super::PeerExponents| {
            peer(object, &of.name).map_or("-".to_owned(), |row| format!("{:.2}", row.mean_ns() / 1e3))
        };
        row.extend(peers.iter().map(of_peer));
        rows.push(row);
    }
    type Own = fn(&super::Exponents) -> f64;
    type Their = fn(&super::PeerExponents) -> f64;
    let exponent = |value: f64| if value.is_nan() { "-".to_owned() } else { format!("{value:.2}") };
    for (name, own, their) in [
        ("p: time ~ n^p", (|of| of.time) as Own, (|of| of.time) as Their),
        ("p of the paper's tori", |of| of.time_paper_range, |of| of.time_paper_range),
        ("p of box tests", |of| of.box_tests, |_| f64::NAN),
        ("p of building", |of| of.build, |of| of.build),
    ] {
        let mut row = vec![name.to_owned()];
        row.extend(exponents.iter().map(|of| exponent(own(of))));
        row.extend(peers.iter().map(|of| exponent(their(of))));
        rows.push(row);
    }
    let [small, large] = super::summary::PAPER_TORI;
    table(&rows, 0)
        + &format!("(The paper's tori have {small} and {large} triangles; its table 4 gives p = 0.29.)\n")
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
pub(crate) fn table(rows: &[Vec<String>], group: usize) -> String {
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
