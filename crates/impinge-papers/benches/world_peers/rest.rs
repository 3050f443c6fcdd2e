//! Worlds in which nothing moves: a step costs nothing.

use impinge::math::DVec3;
use impinge_papers::stopwatch::Stopwatch;

use super::simulation::scene::{Play, Scene, Shape, Walls};
use super::simulation::{ByImpinge, ByRapier, Simulation};

/// Steps until all sleep, and steps that are measured.
const BEFORE: usize = 200;
const STEPS: usize = 101;

/// Lets bodies that stand still fall asleep, and measures what a step costs then.
pub(crate) fn run_all(is_quick: bool) {
    for count in if is_quick { vec![100] } else { vec![1_000, 10_000] } {
        let mut scene = Scene::new(Shape::Cube, Play::Flight, Walls::Boxes, count);
        for state in &mut scene.bodies {
            (state.velocity, state.spin) = (DVec3::ZERO, DVec3::ZERO);
        }
        let (mut ours, mut theirs) = (ByImpinge::new(&scene), ByRapier::sleeping(&scene));
        let mut times = [Vec::new(), Vec::new()];
        for step in 0..BEFORE + STEPS {
            let watch = Stopwatch::start();
            ours.stand_still();
            let first = watch.nanoseconds();
            let watch = Stopwatch::start();
            theirs.step();
            let second = watch.nanoseconds();
            if step >= BEFORE {
                times[0].push(first);
                times[1].push(second);
            }
        }
        let [ours, theirs] = times.map(|mut times| {
            times.sort_unstable_by(f64::total_cmp);
            times[STEPS / 2] / 1e3
        });
        println!("\nAt rest: {count} bodies asleep, median of {STEPS} steps");
        println!("impinge {ours:.3} µs, rapier {theirs:.3} µs, ratio {:.2}", ours / theirs);
    }
}
