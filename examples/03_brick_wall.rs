//! A brick wall that is shot at until it lies about, at three update frequencies: van Waveren 2005, Figure 6.
//!
//! `cargo run --release --example 03_brick_wall -- FOLDER`; without a folder it writes to the temporary one. A page
//! plays by itself; the mouse turns it, the space bar stops it.

use std::error::Error;
use std::path::PathBuf;
use std::time::Instant;

use impinge::math::DVec3;
use impinge_examples::movie::{Actor, Camera, Look, page};
use impinge_examples::wall::{Models, Outcome, Plan, play};
use impinge_report::Invalid;

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
        std::fs::write(&file, movie(&plan, &models, &outcome)?)?;
        println!("    wrote {}", file.display());
    }
    Ok(())
}

fn movie(plan: &Plan, models: &Models, outcome: &Outcome) -> Result<String, Invalid> {
    let mut actors = Vec::new();
    for brick in 0..plan.columns * plan.rows {
        // A wall of one color is hard to read.
        let shade = (brick * 7 % 5) as u8 * 14;
        let color = [165 + shade, 75 + shade, 50 + shade];
        actors.push(Actor::new(format!("brick {brick}"), models.brick.mesh(), color));
    }
    actors.push(Actor::new("ground", models.ground.mesh(), [176, 190, 160]));
    let fence = |_| Actor { look: Look::Wall, ..Actor::new("fence", models.fence.mesh(), [214, 219, 224]) };
    actors.extend((0..4).map(fence));
    let ball = |shot| Actor::new(format!("ball {shot}"), models.ball.mesh(), [60, 75, 105]);
    actors.extend((0..plan.shots).map(ball));
    let camera = Camera {
        place: DVec3::new(4.6, -6.8, 3.4),
        target: DVec3::new(0.0, 0.4, 0.7),
        follows: None,
        cutaway: None,
    };
    let title = format!("A brick wall at {} Hz", plan.rate);
    let caption = format!(
        "{} bricks and {} shots; {} overlaps by the exact test in {} steps.",
        outcome.bricks, plan.shots, outcome.tally.overlaps, outcome.tally.steps
    );
    page([&title, &caption], &actors, &outcome.frames, &camera)
}
