//! Tables for the terminal.

use std::fmt::Write;

use super::{Deformables, Report};

/// All tables.
pub fn tables(report: &Report) -> String {
    let mut text = format!(
        "Boxes that drift: {} steps each; milliseconds for a step, and as a multiple of the tree's median.\n\n{:>8} {:>8}  \
         {:<16}{:>9}{:>9}{:>9}{:>9}{:>8}{:>9}{:>10}\n",
        report.steps,
        "boxes",
        "moving",
        "engine",
        "median",
        "mean",
        "worst",
        "first",
        "ratio",
        "pairs",
        "changes"
    );
    let mut tree = 1.0;
    for row in &report.rows {
        if row.engine == "tree" {
            tree = row.median_ms;
        }
        // Writing to a string cannot fail.
        let _ = writeln!(
            text,
            "{:>8} {:>6} %  {:<16}{:>9.4}{:>9.4}{:>9.4}{:>9.4}{:>8.2}{:>9}{:>10.1}",
            row.boxes,
            row.percent,
            row.engine,
            row.median_ms,
            row.mean_ms,
            row.worst_ms,
            row.first_ms,
            row.median_ms / tree,
            row.pairs,
            row.changes
        );
    }
    text + &deformables_table(&report.deformables)
}

/// Maia et al. 2006's scene: where a frame's time goes.
fn deformables_table(of: &Deformables) -> String {
    let mut text = format!(
        "\n{} deformable models, {:.1} of them touched: microseconds for a frame (Maia et al. 2006: the broad phase becomes 5.4 times \
         as fast)\n\n{:<22}{:>10}{:>10}{:>8}\n",
        of.models, of.touched, "", "corners", "image", "ratio"
    );
    for (name, corners, image) in [
        ("boxes", of.corners_us, of.image_us),
        ("boxes, sweep and prune", of.corners_and_sweep_us, of.image_and_sweep_us),
    ] {
        let _ = writeln!(text, "{name:<22}{corners:>10.2}{image:>10.2}{:>8.2}", corners / image);
    }
    text += "\ncorners: the box around the images of the eight corners; image: by the signs of the matrix.\n";
    text
}
