//! A pane bursts, and its shards, single polygons, fly through a room with steps: van Waveren 2005, §6.
//!
//! `cargo run --release --example 06_debris -- SHARDS`; without a number there are 60. The last line tells where the animation is.

use std::error::Error;
use std::time::Instant;

use impinge::math::DVec3;
use impinge_examples::debris::{Models, Outcome, Plan, play};
use impinge_examples::movie::{Actor, Camera, Paint, page};

fn main() -> Result<(), Box<dyn Error>> {
    let shards = std::env::args().nth(1).map_or(Ok(60), |word| word.parse())?;
    let plan = Plan { shards, rate: 60, seed: 1, seconds: 8.0 };
    let models = Models::new(&plan)?;
    let start = Instant::now();
    let outcome = play(&plan, &models)?;
    let tally = outcome.tally;
    println!(
        "{} shards, {} in the room and {} at rest after {:.1} s; overlaps {}, sweeps begun inside {}",
        outcome.shards,
        outcome.in_the_room,
        outcome.at_rest,
        outcome.seconds,
        tally.overlaps,
        tally.started_overlapping
    );
    println!(
        "{} steps of up to {:.2} m, {} sweeps with {} hits, {} contacts; {:.2} ms a step with the exact test of all neighbors",
        tally.steps,
        outcome.longest_way,
        tally.sweeps,
        tally.hits,
        tally.contacts,
        start.elapsed().as_secs_f64() * 1e3 / tally.steps as f64,
    );
    let out = std::env::temp_dir().join("debris.html");
    std::fs::write(&out, movie(&models, &outcome))?;
    println!("wrote {}", out.display());
    Ok(())
}

fn movie(models: &Models, outcome: &Outcome) -> String {
    let mut actors = Vec::new();
    for (number, (shard, _)) in models.shards.iter().enumerate() {
        let shade = (number * 7 % 5) as u8 * 12;
        actors.push(Actor::new(shard.mesh(), [80 + shade, 160 + shade, 215], Paint::Sheet));
    }
    for (number, (side, _)) in models.sides.iter().enumerate() {
        // The floor is seen, and of all else the edges.
        let paint = if number == 0 { Paint::Ground } else { Paint::Outline };
        actors.push(Actor::new(side.mesh(), [205, 208, 200], paint));
    }
    actors.push(Actor::new(models.steps.mesh(), [225, 215, 200], Paint::Ground));
    let camera = Camera { target: DVec3::new(0.3, -0.2, 1.1), distance: 11.0, turn: -35.0, height: 28.0 };
    let caption = format!(
        "{} polygons without thickness; {} overlaps by the exact test after {} steps, {} still in the room",
        outcome.shards, outcome.tally.overlaps, outcome.tally.steps, outcome.in_the_room
    );
    page(["The shards of a pane", &caption], &actors, &outcome.frames, &camera)
}
