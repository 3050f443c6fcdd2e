//! A brick wall that is shot at until it lies about, at three update frequencies: van Waveren 2005, Figure 6.
//!
//! `cargo run --release --example 03_brick_wall -- FOLDER`; without a folder it writes to the temporary one. The pages can be turned
//! and stopped with the mouse.

use std::error::Error;
use std::path::PathBuf;
use std::time::Instant;

use impinge::math::DVec3;
use impinge_examples::movie::{Actor, Camera, Paint, page};
use impinge_examples::wall::{Models, Outcome, Plan, play};

fn main() -> Result<(), Box<dyn Error>> {
    let folder = std::env::args().nth(1).map_or_else(std::env::temp_dir, PathBuf::from);
    let models = Models::new()?;
    for rate in [30, 60, 240] {
        let plan = Plan { columns: 8, rows: 9, shots: 6, rate };
        let start = Instant::now();
        let outcome = play(&plan, &models)?;
        let tally = outcome.tally;
        println!(
            "{rate} Hz: {} of {} bricks moved farther than their length; {} after {:.1} s; overlaps {}, sweeps begun inside {}",
            outcome.far_away,
            outcome.bricks,
            if outcome.is_at_rest { "at rest" } else { "NOT at rest" },
            outcome.seconds,
            tally.overlaps,
            tally.started_overlapping,
        );
        println!(
            "    {} steps, {} sweeps with {} hits, {} contacts; {:.2} ms a step with the exact test of all neighbors",
            tally.steps,
            tally.sweeps,
            tally.hits,
            tally.contacts,
            start.elapsed().as_secs_f64() * 1e3 / tally.steps as f64,
        );
        let file = folder.join(format!("brick_wall_{rate}.html"));
        std::fs::write(&file, movie(&plan, &models, &outcome))?;
        println!("    wrote {}", file.display());
    }
    Ok(())
}

fn movie(plan: &Plan, models: &Models, outcome: &Outcome) -> String {
    let mut actors = Vec::new();
    for brick in 0..plan.columns * plan.rows {
        // A wall of one color is hard to read.
        let shade = (brick * 7 % 5) as u8 * 9;
        actors.push(Actor::new(models.brick.mesh(), [185 + shade, 92 + shade, 70 + shade], Paint::Solid));
    }
    actors.push(Actor::new(models.ground.mesh(), [190, 200, 185], Paint::Ground));
    actors.extend((0..4).map(|_| Actor::new(models.fence.mesh(), [150, 160, 165], Paint::Outline)));
    actors.extend((0..plan.shots).map(|_| Actor::new(models.ball.mesh(), [70, 80, 95], Paint::Solid)));
    let camera = Camera { target: DVec3::new(0.0, 0.8, 0.5), distance: 8.5, turn: 28.0, height: 22.0 };
    let title = format!("A brick wall at {} Hz", plan.rate);
    let caption = format!(
        "{} bricks and {} shots; {} overlaps by the exact test after {} steps",
        outcome.bricks, plan.shots, outcome.tally.overlaps, outcome.tally.steps
    );
    page([&title, &caption], &actors, &outcome.frames, &camera)
}
