//! A player's box, or capsule, walks and slides through a level: van Waveren 2005, §6.
//!
//! `cargo run --release --example 04_player -- FOLDER STEPS LEVEL.obj capsule`; without a folder it writes to the temporary one. Without steps it makes
//! 20,000 (a million take minutes), without a level, or with `-`, one is made. It needs z up and lengths as in the maps of old games. The page plays by itself;
//! the mouse turns it, the space bar stops it.

use std::error::Error;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Instant;

use impinge::math::{DAffine3, DVec3};
use impinge_examples::level::{Level, Reach, generated, seen_from_within};
use impinge_examples::movie::{Actor, Camera, FRAME_RATE, page};
use impinge_examples::walker::{body, capsule, walk};
use impinge_formats::read_mesh;

fn main() -> Result<(), Box<dyn Error>> {
    let mut words = std::env::args().skip(1);
    let folder = words.next().map_or_else(std::env::temp_dir, PathBuf::from);
    let steps = words.next().map_or(Ok(20_000), |word| word.parse())?;
    let file = words.next().filter(|word| word != "-");
    let is_round = words.next().is_some_and(|word| word == "capsule");
    let mesh = match &file {
        Some(file) => read_mesh(Path::new(file))?.mesh,
        None => generated()?,
    };
    let level = Level::new(&mesh)?;
    let body = body()?;
    let mut reach = match &file {
        Some(_) => Reach::largest(&body, &level, 1)?.ok_or("no place to stand under a roof")?,
        None => Reach::flood(&body, &level, [48.0, 48.0, 0.25])?,
    };
    println!("{} places can be reached", reach.counts()[0]);
    let clock = Instant::now();
    let walking = if is_round { capsule()? } else { Arc::clone(&body) };
    let done = walk(&walking, &level, &mut reach, steps, 1)?;
    let seconds = clock.elapsed().as_secs_f64();
    let [places, visited] = reach.counts();
    println!(
        "{} steps, {:.0} units: {} inside, {} sweeps begun inside; stuck {} times of {} judged",
        done.steps, done.length, done.inside, done.started_overlapping, done.stuck, done.judged
    );
    println!("{visited} of {places} places visited: {:.1} %", 100.0 * visited as f64 / places as f64);
    println!("{} sweeps; {:.1} µs a step with all tests", done.sweeps, seconds * 1e6 / done.steps as f64);

    // A file's level has a roof; the other is open.
    let seen = seen_from_within(&mesh, file.is_some())?;
    let mut actors = vec![Actor::new("player", body.mesh(), [225, 80, 35])];
    for (number, solid) in seen.iter().enumerate() {
        // Neighbors of one color are hard to tell apart.
        let color = [[206, 200, 182], [186, 192, 176], [196, 184, 160], [176, 186, 192]][number * 7 % 4];
        actors.push(Actor::new(format!("solid {number}"), solid, color));
    }
    let still = vec![DAffine3::IDENTITY; actors.len()];
    let frame = |place: &DVec3| {
        let mut poses = still.clone();
        poses[0] = DAffine3::from_translation(*place);
        poses
    };
    let frames: Vec<Vec<DAffine3>> = done.trail.iter().map(frame).collect();
    let target = done.trail.first().copied().unwrap_or_default();
    // Under a roof it looks down more steeply, so that the cut spares the floor.
    let (from, cutaway) = match &file {
        Some(_) => (DVec3::new(60.0, -220.0, 800.0), Some(110.0)),
        None => (DVec3::new(160.0, -500.0, 650.0), None),
    };
    let camera = Camera { place: target + from, target, follows: Some(0), cutaway };
    let caption = format!(
        "The first {:.0} s of {} steps; {} times inside by the exact test; {visited} of {places} places visited in all.",
        done.trail.len() as f64 / FRAME_RATE,
        done.steps,
        done.inside
    );
    let page = page(["A walk through a level", &caption], &actors, &frames, &camera)?;
    let out = folder.join("player.html");
    std::fs::write(&out, page)?;
    println!("wrote {}", out.display());
    Ok(())
}
