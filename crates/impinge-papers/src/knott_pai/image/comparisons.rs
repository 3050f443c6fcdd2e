//! Knott and Pai's figures beside ours.

use super::{Growth, Report};
use crate::comparison::{Comparison, Place};

/// How time grows, what is missed, and how pairs compare with the exact test.
pub fn comparisons(report: &Report) -> Vec<Comparison> {
    let place = |place| Place { paper: "Knott and Pai 2003", place };
    let mut all = Vec::new();
    let why = "Drawn in software here. Pictures have a fixed size: the more boxes, the smaller each is drawn, so that pixels grow like \
               n to the 2/3 while polygons grow like n.";
    let sides = [
        (place("Figure 9"), "objects", &report.objects, why),
        (
            place("Figure 10"),
            "polygons",
            &report.polygons,
            "Drawn in software here, where pixels cost more than polygons.",
        ),
    ];
    for (place, what, growths, why) in sides {
        for of in growths {
            let Growth { way, power, net_power, fixed_ms, .. } = of;
            let trials = of.rows.iter().map(|row| row.trials).min().unwrap_or(0);
            let what =
                format!("{what}, \"{}\", {trials} placements a row: p, where time grows like nᵖ", way.name);
            let measured = format!(
                "{net_power:.2} without the {fixed_ms:.2} ms that a question costs; {power:.2} with them"
            );
            all.push(place.compare(what, "1: clearly linear", measured, why));
        }
    }
    for of in &report.misses {
        let what = format!("dense meshes, {} polygons, that meet at a small place: share found", of.polygons);
        let measured = format!(
            "{:.2} with one view and one layer, {:.2} with three views and all layers",
            of.one_layer, of.all_layers
        );
        all.push(place("§7.2").compare(
            what,
            "missed at times",
            measured,
            "Edges hide each other in one layer.",
        ));
    }
    let of = &report.accuracy;
    let what = format!("{} boxes: pairs, beside the exact test", of.boxes);
    let measured = format!(
        "{} seen, {} exact, {} differ by more than the stated precision",
        of.seen,
        of.exact,
        of.beyond_precision()
    );
    all.push(place("§6.5").compare(what, "no figure", measured, "The answer states its precision."));
    all
}
