//! Many bodies move, and all pairs and contacts are found: impinge beside parry and rapier, the same meshes at the same
//! places, in one run and step by step in turn, on one thread. Prints the median of the processor time of a step.
//!
//! `cargo bench -p impinge-papers --features peers --bench world_peers`; with `-- --quick` only the smallest scenes, with
//! `-- --only NAME,NAME` only sides whose names begin so, with `-- --part NAME` only that part (simulation, casts, rest, wall, characters, teleport), and with
//! `-- --scene TEXT` only simulations with that in their titles.

mod character;
mod impinge_side;
mod parry_side;
#[allow(dead_code, unused_imports, unreachable_pub, reason = "the example has more than is measured here")]
#[path = "../../../../examples/physics/mod.rs"]
mod physics;
mod rapier_side;
// The example that is played beside rapier: the crate of the examples is not published, and this one is.
#[allow(dead_code, unreachable_pub, reason = "the example has more than is measured here")]
#[path = "../../../../examples/wall.rs"]
mod brick_wall;
mod casts;
mod rest;
mod scene;
mod simulation;
mod wall;

use impinge_papers::stopwatch::Stopwatch;
use impinge_side::{ByPairs, ByWorld};
use parry_side::{ByParry, Narrow};
use rapier_side::ByRapier;
use scene::{Moved, Scene, Shape};

/// Steps that are not measured, and those that are.
const WARM_UP: usize = 5;
const STEPS: usize = 31;
/// A side that has taken so many nanoseconds for a scene ends early, with this many steps measured at least.
const ENOUGH: f64 = 20e9;
const FEW_STEPS: usize = 3;

/// Bodies that are no farther apart than this are in contact; they are about as large as 1.
const CONTACT_DISTANCE: f64 = 0.02;

/// What a step found. Where few bodies move, what stands still is left out.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
struct Found {
    /// Pairs that came to the test of their surfaces, or of better bounds than boxes.
    pairs: usize,
    contacts: usize,
}

/// A way to find all contacts.
trait Side {
    /// Moves bodies and finds who is in contact: this is measured.
    fn step(&mut self, moved: &[Moved]);

    /// What the last step found: this is not.
    fn found(&mut self, scene: &Scene) -> Found;
}

/// Makes a side in a scene.
type Make = fn(&Scene) -> Box<dyn Side>;

/// All sides. Ratios are to the first.
const SIDES: [(&str, Make); 6] = [
    ("impinge World", |scene| Box::new(ByWorld::new(scene))),
    ("impinge BroadPhase and is_within", |scene| Box::new(ByPairs::new(scene))),
    ("parry Bvh and leaf pairs by hand", |scene| Box::new(ByParry::new(scene, Narrow::LeafPairs))),
    ("parry Bvh and closest_points", |scene| Box::new(ByParry::new(scene, Narrow::ClosestPoints))),
    ("parry Bvh and contact", |scene| Box::new(ByParry::new(scene, Narrow::Contact))),
    ("rapier CollisionPipeline", |scene| Box::new(ByRapier::new(scene))),
];

fn main() {
    let args: Vec<String> = std::env::args().collect();
    let is_quick = args.iter().any(|arg| arg == "--quick");
    let option = |name: &str| args.iter().position(|arg| arg == name).and_then(|at| args.get(at + 1));
    let (only, part) = (option("--only"), option("--part"));
    let is_part = |name: &str| part.is_none_or(|part| part == name);
    if is_part("simulation") {
        simulation::run_all(is_quick, option("--scene"), only);
    }
    if is_part("casts") {
        casts::run_all(is_quick);
    }
    if is_part("rest") {
        rest::run_all(is_quick);
    }
    if is_part("wall") {
        wall::run_all(is_quick);
    }
    if is_part("characters") {
        character::run_all();
    }
    if is_part("teleport") {
        run_teleported(is_quick, only);
    }
}

/// Bodies that are told where they are.
fn run_teleported(is_quick: bool, only: Option<&String>) {
    let counts: &[usize] = if is_quick { &[100] } else { &[100, 1_000, 10_000] };
    println!("contact distance {CONTACT_DISTANCE}, median of {STEPS} steps after {WARM_UP}");
    for shape in [Shape::Ball, Shape::Torus] {
        for &count in counts {
            run(Scene::new(shape, count, 1.0), only);
        }
        if !is_quick {
            run(Scene::new(shape, 10_000, 0.1), only);
        }
    }
}

/// Lets all sides take turns in a scene, and prints a table.
fn run(mut scene: Scene, only: Option<&String>) {
    println!("\n{}", scene.title());
    let is_wanted = |name: &str| only.is_none_or(|only| only.split(',').any(|start| name.starts_with(start)));
    let wanted = SIDES.iter().filter(|(name, _)| is_wanted(name));
    let mut sides: Vec<(&str, Box<dyn Side>)> = wanted.map(|(name, make)| (*name, make(&scene))).collect();
    let mut times: Vec<Vec<f64>> = vec![Vec::new(); sides.len()];
    let mut found = vec![Found::default(); sides.len()];
    let mut spent = vec![0.0; sides.len()];
    for step in 0..WARM_UP + STEPS {
        scene.advance();
        for (number, (_, side)) in sides.iter_mut().enumerate() {
            if times[number].len() >= FEW_STEPS && spent[number] > ENOUGH {
                continue;
            }
            let watch = Stopwatch::start();
            side.step(scene.moved());
            let nanoseconds = watch.nanoseconds();
            spent[number] += nanoseconds;
            let now = side.found(&scene);
            // A side that is that slow has no need to warm up.
            if step >= WARM_UP || (step > 0 && spent[number] > ENOUGH / 4.0) {
                times[number].push(nanoseconds);
                found[number].pairs += now.pairs;
                found[number].contacts += now.contacts;
            }
        }
    }
    println!(
        "{:<34}{:>8}{:>12}{:>12}{:>12}{:>10}",
        "side", "steps", "pairs", "contacts", "ms a step", "ratio"
    );
    let mut first = None;
    for (((name, _), times), found) in sides.iter().zip(&mut times).zip(&found) {
        times.sort_unstable_by(f64::total_cmp);
        let steps = times.len();
        let median = times[steps / 2] / 1e6;
        let ratio = median / *first.get_or_insert(median);
        let [pairs, contacts] = [found.pairs, found.contacts].map(|sum| sum as f64 / steps as f64);
        println!("{name:<34}{steps:>8}{pairs:>12.1}{contacts:>12.1}{median:>12.4}{ratio:>10.2}");
    }
}
