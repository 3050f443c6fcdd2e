//! An articulated figure falls down a flight of stairs, at three update frequencies: van Waveren 2005, §6.
//!
//! `cargo run --release --example 05_figure -- FOLDER SEED`; without a folder it writes to the temporary one. Every seed is another fall. A
//! page plays by itself; the mouse turns it, the space bar stops it.

use std::error::Error;
use std::path::PathBuf;
use std::time::Instant;

use impinge::math::DVec3;
use impinge_examples::figure::{MOST_DRIFT, Models, Outcome, Plan, part_names, play};
use impinge_examples::movie::{Actor, Camera, page};
use impinge_report::Invalid;

fn main() -> Result<(), Box<dyn Error>> {
    let mut words = std::env::args().skip(1);
    let folder = words.next().map_or_else(std::env::temp_dir, PathBuf::from);
    let seed = words.next().map_or(Ok(1), |word| word.parse())?;
    let models = Models::new()?;
    for rate in [30, 60, 240] {
        let start = Instant::now();
        let outcome = play(&Plan { rate, seed, patience: 12.0 }, &models)?;
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
        std::fs::write(&file, movie(rate, &models, &outcome)?)?;
        println!("    wrote {}", file.display());
    }
    Ok(())
}

fn movie(rate: u32, models: &Models, outcome: &Outcome) -> Result<String, Invalid> {
    let colors = [[60, 85, 150], [70, 125, 205], [240, 190, 150]];
    let color = |number: usize| colors.get(number).copied().unwrap_or([225, 130, 65]);
    let parts = models.parts.iter().zip(part_names()).enumerate();
    let mut actors: Vec<Actor<'_>> =
        parts.map(|(number, (part, name))| Actor::new(name, part.mesh(), color(number))).collect();
    actors.push(Actor::new("ground", models.ground.mesh(), [176, 190, 160]));
    actors.push(Actor::new("stairs", models.stairs.mesh(), [225, 220, 205]));
    let camera = Camera {
        place: DVec3::new(-4.4, -7.2, 4.2),
        target: DVec3::new(0.8, 0.1, 1.45),
        follows: None,
        cutaway: None,
    };
    let title = format!("A figure falls down stairs at {rate} Hz");
    let caption = format!(
        "{} bodies; {} overlaps by the exact test in {} steps; joints drift by {:.2} mm at most.",
        outcome.bodies,
        outcome.tally.overlaps,
        outcome.tally.steps,
        outcome.most_drift * 1e3
    );
    page([&title, &caption], &actors, &outcome.frames, &camera)
}
