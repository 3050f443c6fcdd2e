//! Many bodies that fly, spin and fall: the whole of a physics step of rapier beside a step of impinge's world and what a game does with its answer.
//!
//! Each side goes its own way from the same start. Both are on one thread, and take turns step by step.

mod impinge_side;
mod rapier_side;
pub(crate) mod scene;

use impinge::Placement;
use impinge_papers::stopwatch::Stopwatch;
pub(crate) use impinge_side::ByImpinge;
pub(crate) use rapier_side::{ByRapier, vector};
use scene::{Play, Scene, Shape, Walls};

/// A simulation of a scene.
pub(crate) trait Simulation {
    /// Makes a step: this is measured.
    fn step(&mut self);

    /// Begins the measurement.
    fn begin(&mut self);

    /// The pairs that are in contact.
    fn contacts(&self) -> usize;

    /// Where the bodies are.
    fn placements(&self) -> Vec<Placement>;

    /// The mean speed of the bodies.
    fn speed(&self) -> f64;
}

/// Makes a side in a scene.
type Make = fn(&Scene) -> Box<dyn Simulation>;

/// All sides. Ratios are to the first.
const SIDES: [(&str, Make); 3] = [
    ("rapier", |scene| Box::new(ByRapier::new(scene, false))),
    ("rapier with CCD", |scene| Box::new(ByRapier::new(scene, true))),
    ("impinge", |scene| Box::new(ByImpinge::new(scene))),
];

/// The steps that are measured.
const STEPS: usize = 101;

/// A scene in which a step takes a side more nanoseconds than this is measured for fewer steps.
const LONG: f64 = 100e6;

/// Runs all scenes whose titles have `scene` in them, with sides whose names begin with one of `only`.
pub(crate) fn run_all(is_quick: bool, scenes: Option<&String>, only: Option<&String>) {
    println!("\nSimulations: median of {STEPS} steps of 1/60 s");
    let count = if is_quick { 100 } else { 1_000 };
    for shape in [Shape::Cube, Shape::Ball, Shape::Ring] {
        for play in [Play::Flight, Play::Pile, Play::Slides] {
            for walls in [Walls::Boxes, Walls::Room(1), Walls::Room(10)] {
                let is_long = shape == Shape::Ring && play != Play::Flight;
                if is_long || (play == Play::Slides && walls != Walls::Boxes) {
                    continue;
                }
                let scene = Scene::new(shape, play, walls, count);
                if scenes.is_none_or(|wanted| scene.title().contains(wanted.as_str())) {
                    run(&scene, only);
                }
            }
        }
    }
}

/// Lets all sides take turns in a scene, and prints a table.
fn run(scene: &Scene, only: Option<&String>) {
    println!("\n{}", scene.title());
    let is_wanted = |name: &str| only.is_none_or(|only| only.split(',').any(|start| name.starts_with(start)));
    let wanted = SIDES.iter().filter(|(name, _)| is_wanted(name));
    let mut sides: Vec<(&str, Box<dyn Simulation>)> =
        wanted.map(|(name, make)| (*name, make(scene))).collect();
    let mut times: Vec<Vec<f64>> = vec![Vec::new(); sides.len()];
    let mut contacts = vec![0; sides.len()];
    let before = scene.steps_before();
    for step in 0..before + STEPS {
        for (number, (_, side)) in sides.iter_mut().enumerate() {
            if step == before {
                side.begin();
            }
            let watch = Stopwatch::start();
            side.step();
            let nanoseconds = watch.nanoseconds();
            if step >= before {
                times[number].push(nanoseconds);
                contacts[number] += side.contacts();
            }
        }
        let slowest =
            times.iter().filter_map(|times| times.last()).fold(0.0_f64, |most, time| most.max(*time));
        if slowest > LONG && step >= before + STEPS / 10 {
            break;
        }
    }
    println!(
        "{:<18}{:>7}{:>12}{:>9}{:>10}{:>12}{:>9}",
        "side", "steps", "contacts", "speed", "overlaps", "ms a step", "ratio"
    );
    let mut first = None;
    for (((name, side), times), contacts) in sides.iter().zip(&mut times).zip(contacts) {
        times.sort_unstable_by(f64::total_cmp);
        let steps = times.len();
        let median = times[steps / 2] / 1e6;
        let ratio = median / *first.get_or_insert(median);
        // Two bodies have a part in each.
        let contacts = 2.0 * contacts as f64 / (steps * scene.bodies.len()) as f64;
        let (speed, overlaps) = (side.speed(), scene.overlaps(&side.placements()));
        println!("{name:<18}{steps:>7}{contacts:>12.3}{speed:>9.3}{overlaps:>10}{median:>12.4}{ratio:>9.2}");
    }
}
