//! The brick wall that is shot at (van Waveren 2005, Figure 6): a step of impinge's world, in which everything moves at once, beside rapier with continuous
//! collision detection.
//!
//! impinge has no solver. What becomes of velocities is the user's: here impulses with friction at contacts before each step, impulses with restitution at hits
//! after it, and rest for what is slow and held.

mod impinge_side;
mod rapier_side;

use super::brick_wall::{BETWEEN_SHOTS, BRICK, Models, Plan, build};
use impinge::math::DVec3;
use impinge::{Model, Placed, Placement, Verdict};
use impinge_papers::stopwatch::Stopwatch;
use impinge_side::ByImpinge;
use rapier_side::ByRapier;

/// Steps in a second, and seconds.
const RATE: u32 = 60;
const SECONDS: f64 = 5.0;

/// The radius of a ball.
const RADIUS: f64 = 0.22;

/// The walls of 72 and of 1,000 bricks.
pub(crate) fn run_all(is_quick: bool) {
    let small = Plan { columns: 8, rows: 9, shots: 4, rate: RATE };
    let large = Plan { columns: 40, rows: 25, shots: 4, rate: RATE };
    for plan in if is_quick { vec![small] } else { vec![small, large] } {
        run(&plan);
    }
}

/// A side that plays the wall.
trait Play {
    fn shoot(&mut self, ball: usize);

    /// Makes a step: this is measured.
    fn step(&mut self);

    /// Where the bodies are.
    fn placements(&self) -> Vec<Placement>;

    /// The number of bodies that move by themselves.
    fn awake(&self) -> usize;
}

fn run(plan: &Plan) {
    let models = Models::new().expect("valid sizes");
    let start = build(plan, &models).expect("a wall").bodies;
    let first_ball = start.len() - plan.shots as usize;
    let ball = Model::ball(RADIUS).expect("a ball");
    let model_of = |number: usize| if number < first_ball { start[number].placed.model() } else { &ball };
    let shapes: Vec<&Model> = (0..start.len()).map(model_of).collect();
    let mut sides: [(&str, Box<dyn Play + '_>); 2] = [
        ("impinge", Box::new(ByImpinge::new(start.clone(), &shapes))),
        ("rapier with CCD", Box::new(ByRapier::new(&start, first_ball))),
    ];
    let (mut times, mut most) = ([Vec::new(), Vec::new()], [0, 0]);
    let mut shot = 0_u32;
    let steps = (SECONDS * f64::from(RATE)) as usize;
    for step in 0..steps {
        let now = step as f64 / f64::from(RATE);
        let shoots = shot < plan.shots && now >= BETWEEN_SHOTS * f64::from(shot);
        for (number, (_, side)) in sides.iter_mut().enumerate() {
            if shoots {
                side.shoot(first_ball + shot as usize);
            }
            let watch = Stopwatch::start();
            side.step();
            times[number].push(watch.nanoseconds());
            if step % 30 == 29 {
                most[number] = most[number].max(overlaps(&shapes, &side.placements()));
            }
        }
        shot += u32::from(shoots);
    }
    println!(
        "\nBrick wall: {} bricks, {} shots, {steps} steps of 1/{RATE} s",
        plan.columns * plan.rows,
        plan.shots
    );
    println!(
        "{:<18}{:>10}{:>11}{:>12}{:>17}{:>9}{:>11}{:>8}",
        "side", "mean ms", "median ms", "longest ms", "overlaps at end", "at most", "far bricks", "awake"
    );
    for ((name, side), (times, most)) in sides.iter().zip(times.iter_mut().zip(most)) {
        let mean = times.iter().sum::<f64>() / times.len() as f64 / 1e6;
        times.sort_unstable_by(f64::total_cmp);
        let [median, longest] = [steps / 2, steps - 1].map(|at| times[at] / 1e6);
        let places = side.placements();
        // Bricks that end farther than their length from where they stood.
        let center = |place: &Placement| -> DVec3 { place.world_from_model().translation };
        let far = start.iter().zip(&places).take((plan.columns * plan.rows) as usize);
        let far = far.filter(|(body, place)| body.center().distance(center(place)) > BRICK.x).count();
        let overlaps = overlaps(&shapes, &places);
        let awake = side.awake();
        println!(
            "{name:<18}{mean:>10.3}{median:>11.3}{longest:>12.2}{overlaps:>17}{most:>9}{far:>11}{awake:>8}"
        );
    }
}

/// The pairs that interpenetrate, by the exact test; what is fixed is so on both sides.
fn overlaps(shapes: &[&Model], places: &[Placement]) -> usize {
    let placed: Vec<Placed<'_>> = shapes.iter().zip(places).map(|(shape, place)| shape.at(*place)).collect();
    let boxes: Vec<_> = placed.iter().map(Placed::bounds).collect();
    let mut overlaps = 0;
    for i in 0..placed.len() {
        for j in 0..i {
            let is_overlap = boxes[i].overlaps(&boxes[j])
                && !matches!(placed[i].verdict(&placed[j]), Verdict::Clear | Verdict::Touching);
            overlaps += usize::from(is_overlap);
        }
    }
    overlaps
}
