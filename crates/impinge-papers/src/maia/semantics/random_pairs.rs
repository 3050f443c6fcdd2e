//! Table 1: two models at random places in a cube and in random orientations, 50,000 and 500,000 times, with the time split
//! into that of collisions and that of rejections.
//!
//! Every chunk of pairs is asked three times: all of it, whether the surfaces meet; then those that do for all pairs of
//! their faces; and last those that do not, again for all. So no single query is timed, which would cost as much as a
//! rejection.

use impinge::math::{DAffine3, DQuat, DVec3};
use impinge::model::Purpose;
use impinge::query::{IntersectOptions, Scratch};
use impinge::shapes::Random;
use impinge::{Model, Placement};

use super::models::small_pair;
use super::{Fault, Progress, Section, Settings, axis};
use crate::chart::{Chart, Series};
use crate::stopwatch::Stopwatch;

pub(super) const NAME: &str = "random-pairs";

/// The edge of the cube that the centers stand in: with it about one pair in sixty meets, as in the paper.
const EDGE: f64 = 8.8;

/// Chunks of a run.
const CHUNKS: usize = 50;

/// What a run did, with times in milliseconds.
#[derive(Clone, Debug, Default)]
pub(super) struct Run {
    pub(super) tests: usize,
    pub(super) collisions: usize,
    /// Pairs of faces that meet.
    pub(super) pairs: usize,
    /// Of all queries, asked for a yes or a no.
    yes_or_no: f64,
    collision: f64,
    rejection: f64,
    /// Tests, and the time of collisions and of rejections until then.
    course: Vec<[f64; 3]>,
}

impl Run {
    fn total(&self) -> f64 {
        self.collision + self.rejection
    }

    fn of_collision(&self) -> f64 {
        self.collision / self.collisions.max(1) as f64
    }

    fn of_rejection(&self) -> f64 {
        self.rejection / (self.tests - self.collisions).max(1) as f64
    }
}

/// Asks about so many pairs.
pub(super) fn run(models: &[Model; 2], tests: usize, mut chunk_done: impl FnMut()) -> Result<Run, Fault> {
    let mut random = Random::new(tests as u64);
    let mut place = || {
        let at = random.in_cube() * (0.5 * EDGE);
        let rotation = orientation(&mut random);
        let map = DAffine3::from_rotation_translation(rotation, at);
        Placement::try_from(map).map_err(|error| Fault(error.to_string()))
    };
    let yes_or_no = IntersectOptions::new().surface_only(true);
    let all_pairs = yes_or_no.pairs(true);
    let mut scratch = Scratch::default();
    let mut run = Run { tests, ..Run::default() };
    for model in models {
        model.prepare(Purpose::BVH);
    }
    for chunk in 0..CHUNKS {
        let count = tests * (chunk + 1) / CHUNKS - tests * chunk / CHUNKS;
        let places = (0..count).map(|_| Ok([place()?, place()?])).collect::<Result<Vec<_>, Fault>>()?;
        let placed = |[a, b]: &[Placement; 2]| [models[0].at(*a), models[1].at(*b)];
        let mut meet = vec![false; count];
        let watch = Stopwatch::start();
        for (places, meet) in places.iter().zip(&mut meet) {
            let [a, b] = placed(places);
            *meet = a.intersects_in(&b, yes_or_no, &mut scratch);
        }
        run.yes_or_no += watch.nanoseconds() * 1e-6;
        for meets in [true, false] {
            let chosen: Vec<&[Placement; 2]> = places
                .iter()
                .zip(&meet)
                .filter(|(_, meet)| **meet == meets)
                .map(|(places, _)| places)
                .collect();
            let (mut pairs, mut with_pairs) = (0, 0);
            let watch = Stopwatch::start();
            for places in &chosen {
                let [a, b] = placed(places);
                let found = a.intersect_in(&b, all_pairs, &mut scratch).pairs.len();
                pairs += found;
                with_pairs += usize::from(found > 0);
            }
            let time = watch.nanoseconds() * 1e-6;
            if with_pairs != if meets { chosen.len() } else { 0 } {
                return Err(Fault("whether models meet and which faces do disagree".to_owned()));
            }
            if meets {
                (run.collision, run.collisions) = (run.collision + time, run.collisions + chosen.len());
                run.pairs += pairs;
            } else {
                run.rejection += time;
            }
        }
        run.course.push([(tests * (chunk + 1) / CHUNKS) as f64, run.collision, run.rejection]);
        chunk_done();
    }
    Ok(run)
}

/// Every orientation alike: a direction of the unit sphere in four dimensions, by rejection.
fn orientation(random: &mut Random) -> DQuat {
    loop {
        let (axis, w) = (random.in_cube(), random.between(-1.0, 1.0));
        let squared = axis.length_squared() + w * w;
        if (0.01..=1.0).contains(&squared) {
            let DVec3 { x, y, z } = axis;
            return DQuat::from_xyzw(x, y, z, w).normalize();
        }
    }
}

pub(super) fn measure(settings: &Settings, progress: Progress<'_>) -> Result<Section, Fault> {
    let (meshes, words) = small_pair(settings);
    let models = meshes.map(Model::new);
    let counts = settings.effort.pick([50_000, 500_000], [600, 6000]);
    let all: usize = counts.iter().sum();
    let (mut runs, mut before) = (Vec::new(), 0.0);
    for count in counts {
        let step = count as f64 / all as f64 / CHUNKS as f64;
        let mut done = before;
        runs.push(run(&models, count, || {
            done += step;
            progress(done);
        })?);
        before += count as f64 / all as f64;
    }
    let row = |run: &Run| {
        vec![
            run.tests.to_string(),
            format!("{:.1}", run.total()),
            run.collisions.to_string(),
            run.pairs.to_string(),
            format!("{:.1}", run.collision),
            format!("{:.5}", run.of_collision()),
            format!("{:.2}", run.rejection),
            format!("{:.3e}", run.of_rejection()),
            format!("{:.1}", run.yes_or_no),
        ]
    };
    let last = &runs[runs.len() - 1];
    let line = |name: &str, column: usize| Series {
        name: name.to_owned(),
        points: last.course.iter().map(|step| [step[0], step[column]]).collect(),
    };
    let faces = [0, 1].map(|i| models[i].mesh().face_count());
    Ok(Section {
        name: NAME,
        title: format!(
            "Random pairs of {words}, {} and {} triangles, in a cube of edge {EDGE}",
            faces[0], faces[1]
        ),
        paper: "50,000 tests: 832 collisions with 393,600 pairs of faces, 2.40 ms a collision, 2.65e-3 ms a rejection",
        paper_ratio: Some(2.40 / 2.65e-3),
        ratio: last.of_collision() / last.of_rejection(),
        unit: "times the time of a rejection for a collision",
        columns: vec![
            "tests",
            "total ms",
            "collisions",
            "face pairs",
            "collision ms",
            "ms/collision",
            "rejection ms",
            "ms/rejection",
            "yes or no ms",
        ],
        rows: runs.iter().map(row).collect(),
        charts: vec![Chart {
            title: "Random pairs: time spent".to_owned(),
            axes: [axis("tests", false), axis("ms", false)],
            series: vec![line("collisions", 1), line("rejections", 2)],
        }],
    })
}
