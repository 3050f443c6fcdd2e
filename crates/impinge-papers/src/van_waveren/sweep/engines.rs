//! Van Waveren's engine beside impinge's: times, tests of features, and who is late or early.

use impinge::query::{Scratch as OurScratch, SweepOptions};
use impinge::{Motion, Placement, Trs};
use serde::Serialize;

use super::judge::{Judgment, ROUNDING, judge};
use super::scenes::{Failure, Scene, Task};
use crate::stopwatch::Stopwatch;
use crate::van_waveren::narrow::{Options, Scratch, Stats, sweep};
use crate::van_waveren::polyhedron::{MITER_LIMIT, Polyhedron};

/// The thickness of the expel zone as a share of a mover's size. The paper's 0.25 units are a thousandth of what a player is wide and high.
pub const ZONE: f64 = 1e-3;

/// Sweeps of one kind by both engines.
#[derive(Clone, Debug, Serialize)]
pub struct EngineRow {
    /// What moves against what.
    pub scene: String,
    /// How it moves.
    pub motion: &'static str,
    /// The engine: the paper's without a zone, with one, with one and decided at the crossing; or impinge's.
    pub engine: &'static str,
    /// How many sweeps.
    pub sweeps: usize,
    /// How many are stopped.
    pub hits: usize,
    /// Stops at the right time.
    pub equal: usize,
    /// Stops after an overlap, by more than rounding.
    pub late: usize,
    /// Stops after an overlap by no more than a millionth of the mover's size.
    pub late_by_rounding: usize,
    /// Stops farther away than the zone reaches.
    pub early: usize,
    /// Stops after bodies came within rounding of each other, where no overlap was found.
    pub unclear: usize,
    /// The latest, as a share of the mover's size.
    pub latest: f64,
    /// The earliest: how far from the zone it stops, as a share of the mover's size.
    pub earliest: f64,
    /// Microseconds a sweep, mean.
    pub us: f64,
    /// Tests of features a sweep, mean.
    pub feature_tests: f64,
    /// Of these, of vertices and polygons of either body.
    pub vertex_polygon: f64,
    /// Of these, of edges.
    pub edge_edge: f64,
    /// Sidedness relations that were computed, mean.
    pub sides: f64,
}

/// The fraction of each sweep, and whether it is a hit.
pub(super) type Answers = Vec<(f64, bool)>;

/// What takes longer is not repeated, in nanoseconds.
const LONG: f64 = 2e7;

/// The best of three times in nanoseconds, and the first answer.
pub(super) fn timed<T>(mut run: impl FnMut() -> T) -> (f64, T) {
    let mut best = f64::INFINITY;
    let mut first = None;
    for _ in 0..3 {
        let watch = Stopwatch::start();
        let answer = run();
        best = best.min(watch.nanoseconds());
        first.get_or_insert(answer);
        if best > LONG {
            break;
        }
    }
    (best, first.expect("a run"))
}

/// The paper's engine on all sweeps of a scene: answers, mean microseconds, and the work of all.
pub(super) fn run_paper(
    scene: &Scene,
    target: impl Fn(&Task) -> usize,
    targets: &[&Polyhedron],
    options: &Options,
) -> Result<(Answers, f64, Stats), Failure> {
    let scratch = &mut Scratch::default();
    let (mut answers, mut time, mut stats) = (Vec::with_capacity(scene.tasks.len()), 0.0, Stats::default());
    for task in &scene.tasks {
        let mover = &scene.movers[task.mover].polyhedron;
        let still = targets[target(task)];
        let (start, motion): (&Placement, &Motion) = (&task.start, &task.motion);
        let (ns, impact) = timed(|| sweep(mover, start, motion, still, options, scratch));
        let impact = impact.map_err(|error| Failure(error.to_string()))?;
        time += ns;
        stats.add(&impact.stats);
        answers.push((impact.fraction, impact.collision.is_some()));
    }
    Ok((answers, time / 1000.0 / scene.tasks.len().max(1) as f64, stats))
}

/// Both engines on a scene.
pub(super) fn rows(scene: &Scene) -> Result<Vec<EngineRow>, Failure> {
    let zone = ZONE * scene.size;
    let targets: Vec<&Polyhedron> = scene.targets.iter().map(|body| &body.polyhedron).collect();
    let variants = [
        ("paper, no zone", Options::default()),
        ("paper", Options { zone, ..Options::default() }),
        ("paper, corrected", Options { zone, corrected: true, ..Options::default() }),
    ];
    let mut rows = Vec::new();
    let mean = |count: u64| count as f64 / scene.tasks.len().max(1) as f64;
    for (engine, options) in variants {
        let (answers, us, stats) = run_paper(scene, |task| task.target, &targets, &options)?;
        rows.push(EngineRow {
            engine,
            us,
            feature_tests: mean(stats.feature_tests()),
            vertex_polygon: mean(stats.vertex_polygon + stats.polygon_vertex),
            edge_edge: mean(stats.edge_edge),
            sides: mean(stats.sides),
            ..judged(scene, &answers, MITER_LIMIT * options.zone)
        });
    }
    let scratch = &mut OurScratch::default();
    let (mut answers, mut time, mut tests) = (Vec::new(), 0.0, 0);
    let options = SweepOptions::default().margin(zone);
    for task in &scene.tasks {
        let standing = scene.targets[task.target].model.at(Trs::IDENTITY);
        let moving = scene.movers[task.mover].model.at(task.start);
        let (ns, found) = timed(|| moving.sweep_in(&task.motion, &standing, options, scratch));
        time += ns;
        tests += found.stats.feature_tests;
        answers.push((found.fraction, found.hit.is_some()));
    }
    rows.push(EngineRow {
        engine: "impinge",
        us: time / 1000.0 / scene.tasks.len().max(1) as f64,
        feature_tests: mean(tests),
        ..judged(scene, &answers, zone)
    });
    Ok(rows)
}

/// A row with what the judge says of the answers.
fn judged(scene: &Scene, answers: &[(f64, bool)], reach: f64) -> EngineRow {
    let mut row = EngineRow {
        scene: scene.name.clone(),
        motion: scene.motion,
        engine: "",
        sweeps: scene.tasks.len(),
        hits: answers.iter().filter(|answer| answer.1).count(),
        equal: 0,
        late: 0,
        late_by_rounding: 0,
        early: 0,
        unclear: 0,
        latest: 0.0,
        earliest: 0.0,
        us: 0.0,
        feature_tests: 0.0,
        vertex_polygon: 0.0,
        edge_edge: 0.0,
        sides: 0.0,
    };
    for (task, &(fraction, is_hit)) in scene.tasks.iter().zip(answers) {
        match judge(scene, task, fraction, is_hit, reach) {
            Judgment::Equal => row.equal += 1,
            Judgment::Late(by) => {
                let share = by / scene.size;
                row.latest = row.latest.max(share);
                let count = if share > ROUNDING { &mut row.late } else { &mut row.late_by_rounding };
                *count += 1;
            }
            Judgment::Early(by) => {
                row.early += 1;
                row.earliest = row.earliest.max(by / scene.size);
            }
            Judgment::Unclear => row.unclear += 1,
        }
    }
    row
}
