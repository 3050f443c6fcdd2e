//! A pane bursts, and its shards, single polygons, fly through a room with steps: van Waveren 2005, §6.
//!
//! `cargo run --release --example 06_debris -- FOLDER SHARDS`; without a folder it writes to the temporary one, without a number there are
//! 60 shards. The page plays by itself; the mouse turns it, the space bar stops it.

use std::error::Error;
use std::path::PathBuf;
use std::time::Instant;

use impinge::math::DVec3;
use impinge_examples::debris::{Models, Outcome, Plan, play};
use impinge_examples::movie::{Actor, Camera, Look, page};
use impinge_report::Invalid;

fn main() -> Result<(), Box<dyn Error>> {
    let mut words = std::env::args().skip(1);
    let folder = words.next().map_or_else(std::env::temp_dir, PathBuf::from);
    let shards = words.next().map_or(Ok(60), |word| word.parse())?;
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
    let out = folder.join("debris.html");
    std::fs::write(&out, movie(&models, &outcome)?)?;
    println!("wrote {}", out.display());
    Ok(())
}

fn movie(models: &Models, outcome: &Outcome) -> Result<String, Invalid> {
    let mut actors = Vec::new();
    for (number, (shard, _)) in models.shards.iter().enumerate() {
        let shade = (number * 7 % 5) as u8 * 18;
        let color = [20 + shade, 110 + shade, 205];
        actors
            .push(Actor { look: Look::Sheet, ..Actor::new(format!("shard {number}"), shard.mesh(), color) });
    }
    for (name, (side, _)) in
        ["floor", "ceiling", "wall", "wall", "wall", "wall"].into_iter().zip(&models.sides)
    {
        let color = if name == "floor" { [176, 190, 160] } else { [214, 219, 224] };
        actors.push(Actor { look: Look::Wall, ..Actor::new(name, side.mesh(), color) });
    }
    actors.push(Actor::new("steps", models.steps.mesh(), [228, 212, 184]));
    let camera = Camera {
        place: DVec3::new(-5.4, -9.2, 6.6),
        target: DVec3::new(0.2, -0.5, 0.55),
        follows: None,
        cutaway: None,
    };
    let caption = format!(
        "{} polygons without thickness; {} overlaps by the exact test in {} steps; {} still in the room.",
        outcome.shards, outcome.tally.overlaps, outcome.tally.steps, outcome.in_the_room
    );
    page(["The shards of a pane", &caption], &actors, &outcome.frames, &camera)
}
