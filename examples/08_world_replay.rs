//! Rollback and replay: a world goes back to a snapshot, plays on, and is made again, bit by bit, from a log of its calls.
//!
//! `cargo run --example 08_world_replay`

use std::error::Error;
use std::sync::Arc;

use impinge::shapes::{self, Random};
use impinge::world::{Body, Handle, World};
use impinge::{Model, Motion, TransformError, Trs};

fn main() -> Result<(), Box<dyn Error>> {
    let mut world = World::new();
    world.record();
    let room = Model::new(shapes::cuboid([-8.0, -8.0, -1.0], [8.0, 8.0, 0.0])?);
    world.insert(Body::fixed(room, Trs::IDENTITY))?;
    let gear = Arc::new(Model::new(shapes::torus(0.6, 0.2, 16, 8)?));
    for i in 0..25 {
        let place = [2.0 * f64::from(i % 5) - 4.0, 2.0 * f64::from(i / 5) - 4.0, 2.0];
        world.insert(Body::moving(gear.clone(), Trs::translation(place)?))?;
    }

    play(&mut world, 1, 30)?;
    let snapshot = world.snapshot();
    println!("after 30 steps: {:016x}, {} contacts", world.hash(), world.contacts().len());

    // As in a network game: what was foreseen turns out wrong, so the world goes back and plays what really happened.
    let mut foreseen = world.clone();
    play(&mut foreseen, 2, 30)?;
    println!("as foreseen:    {:016x}", foreseen.hash());
    foreseen.restore(&snapshot);
    play(&mut foreseen, 3, 30)?;
    play(&mut world, 3, 30)?;
    println!("as it was:      {:016x}, rolled back {:016x}", world.hash(), foreseen.hash());
    assert_eq!(world.hash(), foreseen.hash());

    let log = world.take_log().ok_or("calls were noted")?;
    for (name, parallel) in [("one thread", false), ("all cores", true)] {
        let again = log.replay(parallel);
        println!("{} calls again on {name}: {:016x}", log.len(), again.hash());
        assert_eq!(again.hash(), world.hash());
    }
    Ok(())
}

/// Everything tumbles about.
fn play(world: &mut World, seed: u64, steps: u32) -> Result<(), Box<dyn Error>> {
    let mut random = Random::new(seed);
    for _ in 0..steps {
        let bodies: Vec<Handle> = world.iter().map(|(handle, _)| handle).skip(1).collect();
        let mut moves = Vec::new();
        for body in bodies {
            let center = world.get(body)?.placement().world_from_model().translation;
            moves.push((body, tumble(&mut random, center.into())?));
        }
        world.step(&moves)?;
    }
    Ok(())
}

fn tumble(random: &mut Random, center: [f64; 3]) -> Result<Motion, TransformError> {
    let way = random.in_cube() * 0.3;
    Motion::rigid([way.x, way.y, way.z - 0.05], center, random.direction(), 20.0 * random.unit())
}
