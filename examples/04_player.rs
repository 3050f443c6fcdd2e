//! A player's box walks and slides through a level: van Waveren 2005, §6.
//!
//! `cargo run --release --example 04_player -- STEPS LEVEL.obj`; without steps it makes 20,000 (a million take minutes), without a level, one
//! is made. It needs z up and lengths as in the maps of old games. The last lines tell where the animation is.

use std::error::Error;
use std::path::Path;
use std::time::Instant;

use impinge::math::{DAffine3, DVec3};
use impinge_examples::level::{Level, Reach, generated};
use impinge_examples::movie::{Actor, Camera, Paint, page};
use impinge_examples::walker::{body, walk};
use impinge_formats::read_mesh;

fn main() -> Result<(), Box<dyn Error>> {
    let mut words = std::env::args().skip(1);
    let steps = words.next().map_or(Ok(20_000), |word| word.parse())?;
    let file = words.next();
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
    let done = walk(&body, &level, &mut reach, steps, 1)?;
    let seconds = clock.elapsed().as_secs_f64();
    let [places, visited] = reach.counts();
    println!(
        "{} steps, {:.0} units: {} inside, {} sweeps begun inside; stuck {} times of {} judged",
        done.steps, done.length, done.inside, done.started_overlapping, done.stuck, done.judged
    );
    println!("{visited} of {places} places visited: {:.1} %", 100.0 * visited as f64 / places as f64);
    println!("{} sweeps; {:.1} µs a step with all tests", done.sweeps, seconds * 1e6 / done.steps as f64);

    let bounds = level.bounds();
    // A file's level has a roof to look through; the other is made from the ground up, in the order to paint it.
    let paint = if file.is_some() { Paint::Outline } else { Paint::Ground };
    let level = Actor::new(&mesh, [205, 208, 198], paint);
    let walker = Actor { leaves_trail: true, ..Actor::new(body.mesh(), [225, 100, 55], Paint::Solid) };
    let frames: Vec<Vec<DAffine3>> =
        done.trail.iter().map(|place| vec![DAffine3::IDENTITY, DAffine3::from_translation(*place)]).collect();
    let distance = bounds.size().length();
    let target = bounds.center() - DVec3::new(0.0, 0.06 * distance, 0.0);
    let camera = Camera { target, distance: 1.1 * distance, turn: 15.0, height: 55.0 };
    let caption = format!(
        "The first of {} steps; {} times inside by the exact test; {visited} of {places} places visited in all",
        done.steps, done.inside
    );
    let page = page(["A walk through a level", &caption], &[level, walker], &frames, &camera);
    let out = std::env::temp_dir().join("player.html");
    std::fs::write(&out, page)?;
    println!("wrote {}", out.display());
    Ok(())
}
