//! An articulated figure falls down a flight of stairs, at three update frequencies: paper 000 §6.
//!
//! `cargo run --release --example 05_figure -- FOLDER`; without a folder it writes to the temporary one. The pages can be turned
//! and stopped with the mouse.

use std::error::Error;
use std::path::PathBuf;
use std::time::Instant;

use impinge::math::DVec3;
use impinge_examples::figure::{MOST_DRIFT, Models, Outcome, Plan, play};
use impinge_examples::movie::{Actor, Camera, Paint, page};

fn main() -> Result<(), Box<dyn Error>> {
    let folder = std::env::args().nth(1).map_or_else(std::env::temp_dir, PathBuf::from);
    let models = Models::new()?;
    for rate in [30, 60, 240] {
        let start = Instant::now();
        let outcome = play(&Plan { rate, seed: 1, patience: 12.0 }, &models)?;
        let tally = outcome.tally;
        println!(
            "{rate} Hz: {} bodies, {:.1} steps down, {}; {} after {:.1} s; overlaps {}, sweeps begun inside {}",
            outcome.bodies,
            outcome.steps_down,
            if outcome.is_at_the_bottom() { "to the bottom" } else { "NOT to the bottom" },
            if outcome.is_at_rest { "at rest" } else { "NOT at rest" },
            outcome.seconds,
            tally.overlaps,
            tally.started_overlapping,
        );
        println!(
            "    joints drift by {:.2} mm at most ({:.1} mm allowed); {} steps, {} sweeps with {} stops, {} contacts; {:.2} ms a step",
            outcome.most_drift * 1e3,
            MOST_DRIFT * 1e3,
            tally.steps,
            tally.sweeps,
            tally.hits,
            tally.contacts,
            start.elapsed().as_secs_f64() * 1e3 / tally.steps as f64,
        );
        let file = folder.join(format!("figure_{rate}.html"));
        std::fs::write(&file, movie(rate, &models, &outcome))?;
        println!("    wrote {}", file.display());
    }
    Ok(())
}

fn movie(rate: u32, models: &Models, outcome: &Outcome) -> String {
    let solid = |mesh, colour| Actor { mesh, colour, paint: Paint::Solid };
    let colours = [[70, 95, 150], [75, 120, 190], [235, 190, 150]];
    let mut actors: Vec<Actor<'_>> = models
        .parts
        .iter()
        .enumerate()
        .map(|(number, part)| solid(part.mesh(), colours.get(number).copied().unwrap_or([215, 130, 80])))
        .collect();
    // What stands on the ground is painted after it.
    actors.push(Actor { paint: Paint::Ground, ..solid(models.ground.mesh(), [175, 190, 170]) });
    actors.push(Actor { paint: Paint::Ground, ..solid(models.stairs.mesh(), [215, 212, 200]) });
    let camera = Camera { target: DVec3::new(0.8, -0.2, 1.7), distance: 10.0, turn: -40.0, height: 22.0 };
    page(&format!("A figure falls down stairs, {rate} Hz"), &actors, &outcome.frames, &camera)
}
