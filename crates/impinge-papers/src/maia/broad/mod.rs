//! The broad phase: its engines against each other with all, some and few boxes moving, and Maia et al. 2006's scene of 64
//! deformable models.
//!
//! Boxes drift through a cube that they fill to a quarter, so that each overlaps two others or so. In every step the engines
//! take turns, so that a disturbance hits all of them alike. A step is everything: handing over the boxes, finding the
//! pairs, and listing in order those that overlap, began and ended.

mod deformables;
mod files;
mod text;

pub use deformables::{Deformables, deformables};
pub use files::files;
pub use text::tables;

use std::time::Instant;

use impinge::bounds::Aabb;
use impinge::broad_phase::{Algorithm, BroadPhase, BroadPhaseError};
use impinge::math::DVec3;
use impinge::shapes::Random;
use serde::Serialize;

/// What is measured.
#[derive(Clone, Debug)]
pub struct Experiment {
    /// Numbers of boxes. All boxes move, and with the last number also fewer.
    pub counts: Vec<u32>,
    /// Percents of the boxes that move in a step.
    pub percents: Vec<u32>,
    /// Steps for each.
    pub steps: usize,
}

/// What was measured.
#[derive(Clone, Debug, Serialize)]
pub struct Report {
    /// Steps for each row.
    pub steps: usize,
    /// For each number of boxes and share, one for each engine.
    pub rows: Vec<Row>,
    /// Maia et al. 2006's scene.
    pub deformables: Deformables,
}

/// One engine, a number of boxes, and a share of them that moves.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Row {
    /// The engine.
    pub engine: &'static str,
    /// How many boxes there are.
    pub boxes: u32,
    /// How many of a hundred move in a step.
    pub percent: u32,
    /// Milliseconds of the first step, in which all boxes are new.
    pub first_ms: f64,
    /// Milliseconds of a step: median, mean and worst.
    pub median_ms: f64,
    /// The mean.
    pub mean_ms: f64,
    /// The worst.
    pub worst_ms: f64,
    /// Pairs that overlap after the last step.
    pub pairs: usize,
    /// Pairs that began or ended in a step, in the mean.
    pub changes: f64,
}

/// Above this, all pairs are too many to try.
const MOST_FOR_BRUTE: u32 = 1000;

impl Experiment {
    /// Up to 100,000 boxes.
    pub fn full() -> Experiment {
        Experiment { counts: vec![100, 1000, 10_000, 100_000], percents: vec![100, 10, 1], steps: 30 }
    }

    /// A second or so.
    pub fn quick() -> Experiment {
        Experiment { counts: vec![100, 1000], percents: vec![100, 10, 1], steps: 8 }
    }

    fn scenes(&self) -> Vec<(u32, u32)> {
        let all = self.counts.iter().map(|count| (*count, 100));
        let last = self.counts.last().copied();
        let fewer = self.percents.iter().filter(|percent| **percent != 100);
        all.chain(last.into_iter().flat_map(|count| fewer.clone().map(move |percent| (count, *percent))))
            .collect()
    }

    /// How often [`run`](Self::run) reports progress.
    pub fn rounds(&self) -> usize {
        self.scenes().len() + 1
    }

    /// Measures, and calls `progress` with a name before each scene.
    pub fn run(&self, mut progress: impl FnMut(&str)) -> Result<Report, BroadPhaseError> {
        let mut rows = Vec::new();
        for (count, percent) in self.scenes() {
            progress(&format!("{count} boxes, {percent} % moving"));
            rows.extend(measure(count, percent, self.steps)?);
        }
        progress("64 deformable models");
        let deformables = deformables(40 * self.steps)?;
        Ok(Report { steps: self.steps, rows, deformables })
    }
}

impl Report {
    /// Whether all engines found the same pairs in every scene.
    pub fn agrees(&self) -> bool {
        let scene = |row: &Row| (row.boxes, row.percent);
        let same = |a: &Row, b: &Row| a.pairs == b.pairs && a.changes == b.changes;
        self.rows.windows(2).all(|two| scene(&two[0]) != scene(&two[1]) || same(&two[0], &two[1]))
    }
}

/// Boxes that drift through a cube.
struct Drift {
    side: f64,
    random: Random,
    bodies: Vec<Body>,
}

struct Body {
    center: DVec3,
    velocity: DVec3,
    half: DVec3,
}

impl Body {
    fn bounds(&self) -> Aabb {
        Aabb { min: self.center - self.half, max: self.center + self.half }
    }
}

impl Drift {
    fn new(count: u32) -> Drift {
        let side = f64::from(count).cbrt() * 1.6;
        let mut random = Random::new(3);
        let body = |_| Body {
            center: (random.in_cube() + 1.0) * (0.5 * side),
            velocity: random.in_cube() * 0.1,
            half: random.in_cube() * 0.25 + 0.5,
        };
        let bodies = (0..count).map(body).collect();
        Drift { side, random, bodies }
    }

    /// Moves so many of a hundred boxes, and lists them.
    fn step(&mut self, percent: u32) -> Vec<(u32, Aabb)> {
        let mut moves = Vec::new();
        for (id, body) in (0..).zip(&mut self.bodies) {
            if self.random.below(100) >= percent {
                continue;
            }
            body.center += body.velocity;
            for axis in 0..3 {
                if !(0.0..=self.side).contains(&body.center[axis]) {
                    body.velocity[axis] = -body.velocity[axis];
                }
            }
            moves.push((id, body.bounds()));
        }
        moves
    }
}

fn measure(count: u32, percent: u32, steps: usize) -> Result<Vec<Row>, BroadPhaseError> {
    let mut engines = vec![("tree", Algorithm::Bvh), ("sweep and prune", Algorithm::SweepAndPrune)];
    if count <= MOST_FOR_BRUTE {
        engines.push(("brute", Algorithm::Brute));
    }
    let mut drift = Drift::new(count);
    let mut runs = Vec::new();
    for (name, algorithm) in engines {
        let mut broad = BroadPhase::with_algorithm(algorithm);
        for (id, body) in (0..).zip(&drift.bodies) {
            broad.insert(id, body.bounds())?;
        }
        let start = Instant::now();
        broad.step();
        runs.push((name, broad, milliseconds(start), Vec::new(), 0));
    }
    for step in 0..steps {
        let moves = drift.step(percent);
        let engines = runs.len();
        for turn in 0..engines {
            let (_, broad, _, times, changes) = &mut runs[(turn + step) % engines];
            let start = Instant::now();
            for (id, bounds) in &moves {
                broad.move_to(*id, *bounds)?;
            }
            let step = broad.step();
            times.push(milliseconds(start));
            *changes += step.began.len() + step.ended.len();
        }
    }
    let row = |(engine, broad, first_ms, mut times, changes): (_, BroadPhase, _, Vec<f64>, usize)| {
        times.sort_unstable_by(f64::total_cmp);
        Row {
            engine,
            boxes: count,
            percent,
            first_ms,
            median_ms: times.get(times.len() / 2).copied().unwrap_or(0.0),
            mean_ms: times.iter().sum::<f64>() / steps.max(1) as f64,
            worst_ms: times.last().copied().unwrap_or(0.0),
            pairs: broad.last_step().pairs.len(),
            changes: changes as f64 / steps.max(1) as f64,
        }
    };
    Ok(runs.into_iter().map(row).collect())
}

fn milliseconds(since: Instant) -> f64 {
    since.elapsed().as_secs_f64() * 1e3
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_engines_find_the_same_and_every_scene_has_a_row_each() {
        let experiment = Experiment { counts: vec![40, 300], percents: vec![100, 20], steps: 5 };
        let mut rounds = 0;
        let report = experiment.run(|_| rounds += 1).expect("valid boxes");
        assert_eq!(rounds, experiment.rounds());
        assert_eq!(report.rows.len(), 3 * 3);
        assert!(report.agrees());
        assert!(report.rows.iter().all(|row| row.pairs > 0 && row.changes > 0.0));
        let names: Vec<String> = files(&report).into_iter().map(|(name, _)| name).collect();
        assert_eq!(names, ["broad.csv", "deformables.csv", "growth.svg", "moving.svg"]);
        let text = tables(&report);
        assert!(text.contains("sweep and prune") && text.contains("eight corners"), "{text}");
    }
}
