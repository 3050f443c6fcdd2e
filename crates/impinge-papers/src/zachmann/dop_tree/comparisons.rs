//! Zachmann's tables beside ours, figure by figure.

use impinge::shapes::Shape;

use super::paper_tables::{PaperRow, row};
use super::{Report, TreeKind, exponents};
use crate::comparison::{Comparison, Place};

fn place(place: &'static str) -> Place {
    Place { paper: "Zachmann 1998", place }
}

/// Why ours differ, table by table.
const WHY: [&str; 6] = [
    "The objects are stand-ins. Octahedra have no side along the flat faces of CAD objects, so that faces are not told apart; the \
     aligned bounds are as tight as can be.",
    "Bounds of all k are found in one go over the vertices, and the split is the same for all k.",
    "Offsets have 16 bits. The paper rounds to megabytes.",
    "A visit of ours compares up to sixteen pairs of boxes at once, and one pair of oriented boxes.",
    "Our boxes have 16 bits a side and four children a node; our oriented boxes are binary, in 64 bits.",
    "Our trees of boxes are built by the surface area heuristic over bins; boxes along axes of covariance need an eigensystem a node.",
];

/// Why the spheres differ so much more than other objects.
const WHY_SPHERES: &str = "Nearly all of the OBB-tree's time is spent at distance 0, where two equal spheres cross everywhere by a trifle and a walk \
                           depth first meets thousands of near misses.";

/// The tables, the histogram and the growth.
pub fn comparisons(report: &Report) -> Vec<Comparison> {
    let mut all = Vec::new();
    let ratios = |values: [f64; 3]| format!("{:.2}, {:.2}", values[1] / values[0], values[2] / values[0]);
    for object in &report.objects {
        let Some(paper) = PaperRow::of(object) else { continue };
        let name = format!("{}, {} polygons", object.shape, object.triangles);
        if let [Some(six), Some(eight), Some(fourteen)] = [6, 8, 14].map(|k| row(object, TreeKind::Dop, k)) {
            let rows = [six, eight, fourteen];
            let tables = [
                (place("Table 1"), "query", paper.query_ms, rows.map(|row| row.summary().mean_ns)),
                (place("Table 2"), "construction", paper.build_s, rows.map(|row| row.build_ms)),
                (place("Table 3"), "memory", paper.megabytes, rows.map(|row| row.bytes as f64)),
            ];
            for ((place, what, printed, ours), why) in tables.into_iter().zip(WHY) {
                let Some(printed) = printed else { continue };
                let what = format!("{name}: {what} with 8 and 14 directions, as multiples of 6");
                all.push(place.compare(what, ratios(printed), ratios(ours), why));
            }
        }
        let boxes = row(object, TreeKind::Dop, 6);
        if let (Some(boxes), Some(obb)) = (boxes, row(object, TreeKind::Obb, 0)) {
            let tables = [
                (
                    place("Table 4"),
                    "query",
                    paper.obb_query_ms,
                    obb.summary().mean_ns / boxes.summary().mean_ns,
                ),
                (place("Table 5"), "memory", paper.obb_megabytes, obb.bytes as f64 / boxes.bytes as f64),
                (place("Table 6"), "construction", paper.obb_build_s, obb.build_ms / boxes.build_ms),
            ];
            for ((place, what, [dop, obb], ours), why) in tables.into_iter().zip(&WHY[3..]) {
                // Where both have the same center, all of their surfaces are close to each other.
                let is_sphere_query = object.shape == Shape::Sphere && what == "query";
                let why = if is_sphere_query { WHY_SPHERES } else { *why };
                let what = format!("{name}: {what} of the OBB-tree as a multiple of the DOP-tree's");
                all.push(place.compare(what, format!("{:.2}", obb / dop), format!("{ours:.2}"), why));
            }
        }
    }
    for of in &report.construction {
        let list = |leaves: &dyn Fn(usize) -> usize| {
            let all = of.depths().map(|depth| (depth, leaves(depth))).filter(|(_, leaves)| *leaves > 0);
            let most = all.max_by_key(|(_, leaves)| *leaves);
            let depths: Vec<usize> = of.depths().filter(|&depth| leaves(depth) > 0).collect();
            let (at, leaves) = most.unwrap_or_default();
            let [first, last] = [depths.first(), depths.last()].map(|depth| depth.copied().unwrap_or(0));
            format!("depths {first} to {last}, most at {at} ({leaves})")
        };
        let what = format!("{}, {} polygons: leaves by depth", of.object, of.triangles);
        let why = "The paper's rule leaves open which of equal polygons is taken first, and its car door is not published.";
        let printed = list(&|depth| of.paper.leaves_at(depth));
        all.push(place("§4.2").compare(what, printed, list(&|depth| of.leaves_at(depth)), why));
    }
    if let Some(of) = exponents(report).iter().find(|of| of.k == 6 && of.time_paper_range.is_finite()) {
        let what = "tori of 12,544 and 73,984 polygons: p, where the time of a query grows like nᵖ";
        let why =
            "Nodes have four children, and what a query costs before its traversal is more of a short one.";
        all.push(place("Table 4").compare(what, "0.29", format!("{:.2}", of.time_paper_range), why));
    }
    all
}
