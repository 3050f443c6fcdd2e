//! Sweeps of single features: the translations among published queries with exact answers, and some written by hand.
//!
//! Every query that meets is a hit, at the exact time or before it. A query that does not meet may be a hit, but only where the
//! two come as near as the bound says.

use std::path::Path;

use crate::sweep_oracle::Violation;
use crate::sweep_oracle::audit::audit;
use crate::sweep_oracle::case::{Motion, Outcome};
use crate::sweep_oracle::queries::{Query, parse, read_translations};
use crate::sweep_oracle::translation::Straight;
use crate::sweeps_judged::claim;
use impinge::query::{Engine, SweepOptions, SweepStatus};
use impinge::{Placement, Verdict};

/// What became of many queries.
#[derive(Debug, Default, PartialEq)]
struct Tally {
    meeting: u32,
    /// Of those: they touch, or one is in the other, before anything moves.
    at_start: u32,
    /// Hits though nothing meets: the two pass each other closer than the bound.
    needless: u32,
    /// The largest of their bounds.
    largest_bound: f64,
    /// Queries in which both move.
    both: u32,
}

/// Sweeps one query, relative and with both moving, and holds the answers against the judge and the truth.
fn judge(query: &Query, tally: &mut Tally) {
    let case = &query.case;
    let Motion::Translation(by) = case.motion else { unreachable!("all are translations") };
    let place = |model, at| impinge::Model::at(model, Placement::try_from(at).unwrap());
    let moving = place(&case.moving, case.world_from_moving);
    let stationary = place(&case.stationary, case.world_from_stationary);
    let start = moving.verdict(&stationary);
    let touch = Straight::new(
        (&case.moving, case.world_from_moving),
        (&case.stationary, case.world_from_stationary),
        by,
    )
    .first_touch(0.0, 1.0);
    if query.is_exact {
        assert_eq!(touch.is_some(), query.meets, "{}", case.dump());
    }
    tally.meeting += u32::from(query.meets);
    tally.at_start += u32::from(query.meets && start != Verdict::Clear);
    let [trees, brute] = [Engine::Bvh, Engine::Brute].map(|engine| claim(case, engine));
    assert_eq!(trees, brute, "{}", case.dump());
    let audit = audit(case, &trees).unwrap_or_else(|violation: Violation| {
        panic!("{violation:?} for {trees:?}\n{}", case.dump());
    });
    // Who touches at the start may leave, and meets nothing then; from a clear start, to meet is to be stopped.
    if query.meets && start == Verdict::Clear {
        assert_eq!(trees.outcome, Outcome::Hit, "missed\n{}", case.dump());
    }
    // The same in the words of rational arithmetic, not by the judge: never later than the first touch.
    if let (Outcome::Hit, Verdict::Clear, Some(touch)) = (trees.outcome, start, &touch) {
        let fraction = dashu_ratio::RBig::try_from(trees.fraction).unwrap();
        assert!(fraction <= *touch, "late: {} after {touch}\n{}", trees.fraction, case.dump());
    }
    if trees.outcome == Outcome::Hit && !query.meets {
        assert!(audit.gap <= trees.bound, "{audit:?} {trees:?}\n{}", case.dump());
        tally.needless += 1;
        tally.largest_bound = tally.largest_bound.max(trees.bound / audit.extent);
    }
    if query.ways.iter().all(|way| *way != impinge::math::DVec3::ZERO) {
        tally.both += 1;
        let ask = SweepOptions::new();
        let [a_by, b_by] = query.ways;
        let sweep = moving.sweep_both(a_by, &stationary, b_by, ask).unwrap();
        let [a, b] = [(moving, sweep.world_from_moving), (stationary, sweep.world_from_stationary)]
            .map(|(placed, at)| place(placed.model(), *at.world_from_model()));
        if start == Verdict::Clear {
            assert!(!query.meets || sweep.status == SweepStatus::Hit, "missed by both\n{}", case.dump());
            assert_eq!(a.verdict(&b), Verdict::Clear, "{}", case.dump());
        }
        if let Some(hit) = sweep.hit {
            let distance = a.distance(&b).distance;
            assert!(distance <= hit.bound, "{distance} {hit:?}\n{}", case.dump());
        }
    }
}

/// With `IMPINGE_CCD_QUERIES` naming their folder; 1,377 of them are translations, and 230 of these meet.
#[test]
fn published_queries_are_swept() {
    let Some(folder) = std::env::var_os("IMPINGE_CCD_QUERIES") else {
        println!("skipped: IMPINGE_CCD_QUERIES names no folder of queries");
        return;
    };
    let queries = read_translations(Path::new(&folder)).expect("the folder that is named is there");
    let mut tally = Tally::default();
    for query in &queries {
        judge(query, &mut tally);
    }
    println!("{} queries: {tally:?}", queries.len());
    assert_eq!((queries.len(), tally.meeting), (1377, 230));
}

/// Rows as in the published files: x, y and z, each as numerator and denominator, and whether the two meet. First the four points at
/// the start, then at the end.
fn rows(points: [[&str; 3]; 8], meets: bool) -> String {
    let number = |text: &str| match text.split_once('/') {
        Some((numerator, denominator)) => format!("{numerator},{denominator}"),
        None => format!("{text},1"),
    };
    let row = |point: [&str; 3]| format!("{},{}\n", point.map(number).join(","), u8::from(meets));
    points.map(row).concat()
}

const NEAR_ONE: &str = "4503599627370497/4503599627370496";

/// A vertex against the triangle (0, 0, 0), (4, 0, 0), (0, 4, 0).
fn vertex_face(from: [&str; 3], to: [&str; 3], rise: &str, meets: bool) -> String {
    let corners = [["0", "0"], ["4", "0"], ["0", "4"]];
    let face = |z| corners.map(|[x, y]| [x, y, z]);
    let ([a, b, c], [d, e, f]) = (face("0"), face(rise));
    rows([from, a, b, c, to, d, e, f], meets)
}

/// An edge along x at y = 0 against one along y at x = 0 and z = 0, from -1 to 1 each.
fn edge_edge(from: [&str; 3], to: [&str; 3], length: &str, meets: bool) -> String {
    let [[y, z, _], [end_y, end_z, _]] = [from, to];
    let still = [["0", "-1", "0"], ["0", "1", "0"]];
    rows(
        [
            ["0", y, z],
            [length, y, z],
            still[0],
            still[1],
            ["0", end_y, end_z],
            [length, end_y, end_z],
            still[0],
            still[1],
        ],
        meets,
    )
}

#[test]
fn queries_by_hand_are_swept() {
    let faces = [
        // Through the middle; and as far as the plane, not a rounding less.
        vertex_face(["1", "1", "1"], ["1", "1", "-1"], "0", true),
        vertex_face(["1", "1", "1"], ["1", "1", "0"], "0", true),
        vertex_face(["1", "1", "1"], ["1", "1", "1/4096"], "0", false),
        // Onto the long edge, onto a corner, and beside the edge by 2⁻¹⁰.
        vertex_face(["2", "2", "1"], ["2", "2", "-3"], "0", true),
        vertex_face(["4", "0", "7"], ["4", "0", "-1"], "0", true),
        vertex_face(["2049/1024", "2", "1"], ["2049/1024", "2", "-1"], "0", false),
        // In the plane: from outside through it; past it.
        vertex_face(["-1", "1", "0"], ["5", "1", "0"], "0", true),
        vertex_face(["-1", "5", "0"], ["5", "5", "0"], "0", false),
        // Beside it by one part in 2⁵³: nearer than any zone, though nothing meets.
        vertex_face(["-1/9007199254740992", "1", "1"], ["-1/9007199254740992", "1", "-1"], "0", false),
        // Both move, the face upward: they meet half way, at 1/2; and go the same way, and never do.
        vertex_face(["1", "1", "1"], ["1", "1", "0"], "1", true),
        vertex_face(["1", "1", "1"], ["1", "1", "2"], "1", false),
        // From the touch at the start, away.
        vertex_face(["1", "1", "0"], ["1", "1", "5"], "0", true),
        // A third is no f64, nor is its difference; both ends are as near as it gets.
        vertex_face(
            ["1", "1", "6004799503160661/18014398509481984"],
            ["1", "1", "-6004799503160661/9007199254740992"],
            "0",
            true,
        ),
    ]
    .concat();
    let edges = [
        // Crossing at x = 0, the end of the moving edge; and in its middle.
        edge_edge(["0", "1", ""], ["0", "-1", ""], "2", true),
        edge_edge(["-1/2", "1", ""], ["1/2", "-1", ""], "2", true),
        // Past the end of the one that stands still, by a little, exactly at it, and by one rounding.
        edge_edge(["1025/1024", "1", ""], ["1025/1024", "-1", ""], "2", false),
        edge_edge(["1", "1", ""], ["1", "-1", ""], "2", true),
        edge_edge([NEAR_ONE, "1", ""], [NEAR_ONE, "-1", ""], "2", false),
        // Stopped short by 2⁻²⁰, and by nothing.
        edge_edge(["0", "1", ""], ["0", "1/1048576", ""], "2", false),
        edge_edge(["0", "1", ""], ["0", "0", ""], "2", true),
        // A point for an edge.
        edge_edge(["0", "1", ""], ["0", "-1", ""], "0", true),
        edge_edge(["2", "1", ""], ["2", "-1", ""], "0", false),
        // Parallel, along each other's line, and side by side.
        rows(
            [
                ["0", "3", "0"],
                ["0", "2", "0"],
                ["0", "-1", "0"],
                ["0", "1", "0"],
                ["0", "0", "0"],
                ["0", "-1", "0"],
                ["0", "-1", "0"],
                ["0", "1", "0"],
            ],
            true,
        ),
        rows(
            [
                ["1", "1", "0"],
                ["1", "-1", "0"],
                ["0", "-1", "0"],
                ["0", "1", "0"],
                ["-1", "1", "0"],
                ["-1", "-1", "0"],
                ["0", "-1", "0"],
                ["0", "1", "0"],
            ],
            true,
        ),
        rows(
            [
                ["1", "1", "1"],
                ["1", "-1", "1"],
                ["0", "-1", "0"],
                ["0", "1", "0"],
                ["-1", "1", "1"],
                ["-1", "-1", "1"],
                ["0", "-1", "0"],
                ["0", "1", "0"],
            ],
            false,
        ),
    ]
    .concat();
    let [faces, edges] = [parse(&faces, false), parse(&edges, true)];
    assert_eq!((faces.len(), edges.len()), (13, 12));
    let mut tally = Tally::default();
    for query in faces.iter().chain(&edges) {
        judge(query, &mut tally);
    }
    println!("{tally:?}");
    // Of the needless hits, one is the vertex beside the face, by a rounding, the other the edge past the end by one.
    let Tally { meeting, at_start, needless, both, .. } = tally;
    assert_eq!((meeting, at_start, needless, both), (15, 1, 2, 2));
}
