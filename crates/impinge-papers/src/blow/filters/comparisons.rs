//! Blow's figures beside ours.

use super::text::{PAPER, share, share_in_paper};
use super::{CutRow, Run};
use crate::comparison::{Comparison, Place};

/// Polygons after the cuts of the trees, and the share of cases that each filter of his chain decided in his run.
pub fn comparisons(cuts: &[CutRow], runs: &[Run]) -> Vec<Comparison> {
    let place = Place { paper: "Blow 1997", place: "Let's Rock" };
    let mut all = Vec::new();
    for row in cuts {
        let what =
            format!("{} of {} polygons: polygons after the cuts of its BSP tree", row.entity, row.before);
        let why = "The bodies are our own, with as many polygons.";
        all.push(place.compare(what, row.after_in_paper.to_string(), row.after.to_string(), why));
    }
    let Some(run) = runs.iter().find(|run| run.more.is_some()) else { return all };
    for (name, count, time) in PAPER {
        let Some(filter) = run.filters.iter().find(|filter| filter.name == name) else { continue };
        let why = match name {
            "bounding spheres" => {
                "Grows with the bodies in a square of the grid, which he does not tell; 77 % with squares of 40 m."
            }
            "bounding box safety" => {
                "He does not tell how many steps a second there are, nor what else is near."
            }
            "plane divides entities" => {
                "Tiles of the landscape are bodies here, and their boxes are tall: most of these cases are with them."
            }
            _ => "The tank lands in the hollow of the pad, where no plane divides them.",
        };
        let printed = format!("{count} ({:.1} %), {time} µs", share_in_paper(name).unwrap_or(0.0));
        let measured = format!(
            "{} ({:.1} %), {:.2} µs",
            filter.decided,
            share(&run.filters, name),
            filter.mean_ns / 1e3
        );
        all.push(place.compare(
            format!("cases that {name} decided, and the mean time of a test"),
            printed,
            measured,
            why,
        ));
    }
    all
}
