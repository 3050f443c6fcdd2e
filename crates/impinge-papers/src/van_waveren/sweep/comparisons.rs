//! Van Waveren's figures beside ours.

use super::{EngineRow, Report};
use crate::comparison::{Comparison, Place};

/// Figures that he prints, and those by which his design is judged here.
pub(super) fn comparisons(report: &Report) -> Vec<Comparison> {
    let place = |place| Place { paper: "van Waveren 2005", place };
    let mut all = Vec::new();
    for of in report.surfaces.iter().filter(|row| row.surface == "merged" && row.motion == "translation") {
        let what =
            format!("internal edges of the level \"{}\", {} brushes in one surface", of.level, of.brushes);
        let why =
            "Apart, brushes have none: the share is one of levels whose touching brushes are one surface.";
        let measured = format!("{:.1} %", 100.0 * of.internal);
        all.push(place("§6").compare(what, "more than 30 %", measured, why));
    }
    let sum = |engine: &str, of: fn(&EngineRow) -> usize| -> usize {
        report.engines.iter().filter(|row| row.engine == engine).map(of).sum()
    };
    for (name, engine) in [
        ("his narrow phase without a zone", "paper, no zone"),
        ("his narrow phase with the expel zone", "paper"),
        ("impinge", "impinge"),
    ] {
        let [late, rounded] = [sum(engine, |row| row.late), sum(engine, |row| row.late_by_rounding)];
        let what = format!("{name}: sweeps that stop after an overlap");
        let measured = format!("{} of {}", late + rounded, sum(engine, |row| row.sweeps));
        let why = match engine {
            "paper, no zone" => {
                format!("Roots are rounded: {rounded} are late by less than a millionth of the mover's size.")
            }
            "paper" => "The zone takes up the rounding, as he says.".to_owned(),
            _ => "Never late by a proof.".to_owned(),
        };
        all.push(place("§3").compare(what, "no figure", measured, why));
    }
    let saved = report.shortcuts.iter().filter(|row| row.without == "none" && row.sides_reused > 0.0);
    let shares: Vec<f64> =
        saved.map(|row| 100.0 * row.sides_reused / (row.sides + row.sides_reused)).collect();
    let least = shares.iter().copied().fold(f64::INFINITY, f64::min);
    let most = shares.iter().copied().fold(0.0, f64::max);
    let what = "sidedness relations that the bit cache saves";
    let why = "It saves no time: a relation costs about as much as a look into the cache.";
    all.push(place("§4").compare(what, "no figure", format!("{least:.0} to {most:.0} %"), why));
    let of = &report.points;
    let what = "a point as mover, as a multiple of the time of a ray";
    let why = "A sweep also proves its start and its end to be free, keeps the margin and names features. A test of visibility is a ray.";
    let measured = format!(
        "{:.1} ({:.2} against {:.2} µs)",
        of.sweep_ns / of.ray_ns,
        of.sweep_ns / 1e3,
        of.ray_ns / 1e3
    );
    all.push(place("§6").compare(what, "no figure", measured, why));
    all
}
