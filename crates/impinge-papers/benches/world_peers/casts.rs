//! Rays through a world of many bodies.

use impinge::math::DVec3;
use impinge::query::{Ray, RayOptions, SweepOptions};
use impinge::shapes::Random;
use impinge::{Model, Motion, Trs};
use impinge_papers::stopwatch::Stopwatch;
use rapier3d_f64::math::Pose;
use rapier3d_f64::parry::query::ShapeCastOptions;
use rapier3d_f64::prelude::{QueryFilter, Ray as RapierRay, SharedShape};

use super::simulation::scene::{Play, Scene, Shape, Walls};
use super::simulation::{ByImpinge, ByRapier, Simulation, vector};

/// Casts of a round, and rounds.
const CASTS: usize = 2_000;
const ROUNDS: usize = 15;

/// The radius of a ball that is cast, and how far.
const RADIUS: f64 = 0.3;
const FAR: f64 = 10.0;

/// Casts rays and balls from anywhere in the room in all directions.
pub(crate) fn run_all(is_quick: bool) {
    let count = if is_quick { 100 } else { 1_000 };
    let scene = Scene::new(Shape::Cube, Play::Flight, Walls::Room(10), count);
    let (mut ours, mut theirs) = (ByImpinge::new(&scene), ByRapier::new(&scene, false));
    ours.step();
    theirs.step();
    println!("\nCasts: {}, median of {ROUNDS} rounds of {CASTS}", scene.title());
    let ball = Model::ball(RADIUS).expect("a ball");
    compare("ray", &scene, |way| ours.cast_ray(way), |way| theirs.cast_ray(way));
    compare("ball", &scene, |way| ours.cast_ball(&ball, way), |way| theirs.cast_ball(way));
}

/// Lets both sides take turns, and prints their times and how many casts hit something on one side alone.
fn compare(
    name: &str,
    scene: &Scene,
    ours: impl Fn([DVec3; 2]) -> bool,
    theirs: impl Fn([DVec3; 2]) -> bool,
) {
    let mut random = Random::new(7);
    let mut times = [Vec::new(), Vec::new()];
    let (mut hits, mut differ) = (0, 0);
    for _ in 0..ROUNDS {
        let ways: Vec<[DVec3; 2]> =
            (0..CASTS).map(|_| [random.in_cube() * scene.half * 0.9, random.direction() * FAR]).collect();
        let watch = Stopwatch::start();
        let found: Vec<bool> = ways.iter().map(|way| ours(*way)).collect();
        times[0].push(watch.nanoseconds() / CASTS as f64);
        let watch = Stopwatch::start();
        let other: Vec<bool> = ways.iter().map(|way| theirs(*way)).collect();
        times[1].push(watch.nanoseconds() / CASTS as f64);
        hits += found.iter().filter(|is_hit| **is_hit).count();
        differ += found.iter().zip(&other).filter(|(a, b)| a != b).count();
    }
    let [ours, theirs] = times.map(|mut times| {
        times.sort_unstable_by(f64::total_cmp);
        times[ROUNDS / 2] / 1e3
    });
    let (ratio, casts) = (ours / theirs, ROUNDS * CASTS);
    println!(
        "{name}: impinge {ours:.3} µs, rapier {theirs:.3} µs, ratio {ratio:.2}; {hits} of {casts} hit, {differ} on one side alone"
    );
}

impl ByImpinge {
    fn cast_ray(&self, [origin, way]: [DVec3; 2]) -> bool {
        let ray = Ray::new(origin, way).and_then(|ray| ray.up_to(1.0)).expect("a direction");
        self.world().cast_ray(&ray, RayOptions::new(), |_, _| true).is_some()
    }

    fn cast_ball(&self, ball: &Model, [origin, way]: [DVec3; 2]) -> bool {
        let placed = ball.at(Trs::translation(origin).expect("a place near the origin"));
        let motion = Motion::translation(way).expect("a short way");
        self.world().sweep(&placed, &motion, SweepOptions::new(), |_, _| true).is_some()
    }
}

impl ByRapier {
    fn cast_ray(&self, [origin, way]: [DVec3; 2]) -> bool {
        let pipeline = self.world().query_pipeline_with_filter(QueryFilter::default());
        let ray = RapierRay::new(vector(origin), vector(way));
        // From inside of a body, up to its surface: as a mesh has it.
        pipeline.cast_ray(&ray, 1.0, false).is_some()
    }

    fn cast_ball(&self, [origin, way]: [DVec3; 2]) -> bool {
        let pipeline = self.world().query_pipeline_with_filter(QueryFilter::default());
        let ball = SharedShape::ball(RADIUS);
        let options = ShapeCastOptions { max_time_of_impact: 1.0, ..ShapeCastOptions::default() };
        let pose = Pose::from_translation(vector(origin));
        pipeline.cast_shape(&pose, vector(way), &*ball, options).is_some()
    }
}
