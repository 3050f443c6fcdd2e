//! The tables of both engines, of the shortcuts and of merged levels, for the terminal and as CSV.

use super::engines::{EngineRow, ZONE};
use super::shortcuts::ShortcutRow;
use super::surfaces::SurfaceRow;
use crate::zachmann::dop_tree::table;

fn lines<T>(header: &[&str], rows: &[T], line: impl Fn(&T) -> Vec<String>) -> Vec<Vec<String>> {
    let header = header.iter().map(|word| (*word).to_owned()).collect();
    std::iter::once(header).chain(rows.iter().map(line)).collect()
}

fn csv(lines: &[Vec<String>]) -> String {
    // No name has a quote in it.
    let quoted = |word: &String| if word.contains(',') { format!("\"{word}\"") } else { word.clone() };
    let rows = lines.iter().map(|line| line.iter().map(quoted).collect::<Vec<_>>().join(",") + "\n");
    rows.collect()
}

fn engine_lines(rows: &[EngineRow]) -> Vec<Vec<String>> {
    let header = [
        "scene", "motion", "engine", "sweeps", "hits", "equal", "late", "rounding", "early", "unclear",
        "latest", "earliest", "us", "features", "vertex", "edge", "sides",
    ];
    lines(&header, rows, |row| {
        vec![
            row.scene.clone(),
            row.motion.to_owned(),
            row.engine.to_owned(),
            row.sweeps.to_string(),
            row.hits.to_string(),
            row.equal.to_string(),
            row.late.to_string(),
            row.late_by_rounding.to_string(),
            row.early.to_string(),
            row.unclear.to_string(),
            format!("{:.1e}", row.latest),
            format!("{:.1e}", row.earliest),
            format!("{:.1}", row.us),
            format!("{:.0}", row.feature_tests),
            format!("{:.0}", row.vertex_polygon),
            format!("{:.0}", row.edge_edge),
            format!("{:.0}", row.sides),
        ]
    })
}

fn shortcut_lines(rows: &[ShortcutRow]) -> Vec<Vec<String>> {
    let header =
        ["scene", "motion", "without", "polygons", "features", "sides", "reused", "bytes", "us", "differ"];
    lines(&header, rows, |row| {
        vec![
            row.scene.clone(),
            row.motion.to_owned(),
            row.without.to_owned(),
            format!("{:.0}", row.polygons),
            format!("{:.0}", row.feature_tests),
            format!("{:.0}", row.sides),
            format!("{:.0}", row.sides_reused),
            row.cache_bytes.to_string(),
            format!("{:.1}", row.us),
            row.differ.to_string(),
        ]
    })
}

fn surface_lines(rows: &[SurfaceRow]) -> Vec<Vec<String>> {
    let header = [
        "level",
        "surface",
        "motion",
        "brushes",
        "polygons",
        "edges",
        "internal %",
        "flat %",
        "rim %",
        "sweeps",
        "features",
        "edge",
        "with internal",
        "us",
        "differ",
    ];
    lines(&header, rows, |row| {
        vec![
            row.level.to_owned(),
            row.surface.to_owned(),
            row.motion.to_owned(),
            row.brushes.to_string(),
            row.polygons.to_string(),
            row.edges.to_string(),
            format!("{:.1}", 100.0 * row.internal),
            format!("{:.1}", 100.0 * row.flat),
            format!("{:.1}", 100.0 * row.dangling),
            row.sweeps.to_string(),
            format!("{:.0}", row.feature_tests),
            format!("{:.0}", row.edge_edge),
            format!("{:.0}", row.with_internal),
            format!("{:.1}", row.us),
            row.differ.to_string(),
        ]
    })
}

/// The three tables.
pub(super) fn tables(engines: &[EngineRow], shortcuts: &[ShortcutRow], surfaces: &[SurfaceRow]) -> String {
    format!(
        "\nVan Waveren's engine beside impinge's; an expel zone of {ZONE} of the mover's size where there is one.\n\n\
         \x20 late       stops after the exact test finds an overlap; rounding: by less than a millionth of the mover's size\n\
         \x20 early      stops farther away than the zone reaches\n\
         \x20 unclear    stops after a touch within rounding, where no overlap is found\n\
         \x20 latest     the latest stop, along the path; earliest: the farthest from the zone; shares of the mover's size\n\
         \x20 features   tests of features a sweep: of vertices and polygons, and of edges\n\
         \x20 sides      sidedness relations computed\n\n{}\n\
         What each shortcut saves.\n\n\
         \x20 without    the shortcut that is left out\n\
         \x20 differ     sweeps whose answer is another\n\n{}\n\
         Brushes as separate solids, and merged into one surface (paper: over 30 % of edges are internal).\n\n\
         \x20 with internal   tests of features where internal and flat edges are tested, too\n\
         \x20 differ          sweeps that stop elsewhere than among separate solids\n\n{}",
        table(&engine_lines(engines), 4),
        table(&shortcut_lines(shortcuts), 11),
        table(&surface_lines(surfaces), 2),
    )
}

/// The rows of both engines as CSV.
pub(super) fn engines_csv(rows: &[EngineRow]) -> String {
    csv(&engine_lines(rows))
}

/// The rows of the shortcuts as CSV.
pub(super) fn shortcuts_csv(rows: &[ShortcutRow]) -> String {
    csv(&shortcut_lines(rows))
}

/// The rows of the merged levels as CSV.
pub(super) fn surfaces_csv(rows: &[SurfaceRow]) -> String {
    csv(&surface_lines(rows))
}
