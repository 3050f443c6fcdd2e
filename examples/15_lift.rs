//! A lift takes a character up, a door pushes a row of crates up to a wall and stops, and a press does not stop.
//!
//! `cargo run --release --example 15_lift`

use std::error::Error;
use std::sync::Arc;

use impinge::world::{Body, Character, CrushRule, Handle, StepOptions, World};
use impinge::{Model, Motion, Trs, shapes};

const RATE: f64 = 60.0;

fn block(min: [f64; 3], max: [f64; 3]) -> Result<Arc<Model>, Box<dyn Error>> {
    Ok(Arc::new(Model::new(shapes::cuboid(min, max)?)))
}

fn main() -> Result<(), Box<dyn Error>> {
    let mut world = World::new();
    world.insert(Body::fixed(block([-20.0, -20.0, -1.0], [20.0, 20.0, 0.0])?, Trs::IDENTITY))?;
    world.insert(Body::fixed(block([6.0, -20.0, 0.0], [7.0, 20.0, 3.0])?, Trs::IDENTITY))?;
    let place_of = |world: &World, body: Handle| -> Result<_, Box<dyn Error>> {
        Ok(world.get(body)?.placement().world_from_model().translation)
    };

    // The lift's plate lies on the floor, and a character walks onto it while it rises.
    let plate = world.insert(Body::kinematic(block([-1.5, -1.5, 0.0], [1.5, 1.5, 0.2])?, Trs::IDENTITY))?;
    let shape = block([-0.3, -0.3, 0.0], [0.3, 0.3, 1.8])?;
    let body = world.insert(Body::moving(shape, Trs::translation([0.0, -2.5, 0.0])?))?;
    let mut character = Character::new(body);
    for k in 0..240 {
        let wish = if k < 60 { [0.0, 2.0, 0.0] } else { [0.0; 3] };
        let step = character.update(&mut world, wish, 1.0 / RATE)?;
        let speed = if k < 60 { 0.0 } else { 1.0 / RATE };
        let made = world.step(&[(plate, Motion::translation([0.0, 0.0, speed])?)])?;
        assert_eq!(made.moves[0].fraction, 1.0);
        if k % 60 == 59 {
            let on = step.ground.is_some_and(|ground| ground.body == plate);
            println!(
                "at {:.2}, on the lift: {on}, which moves at {:.2}",
                place_of(&world, body)?,
                step.ground_velocity
            );
        }
    }
    assert!((place_of(&world, body)?.z - 3.2).abs() < 1e-6);

    // A door pushes three crates that stand on the floor, as far as there is room.
    let door = world.insert(Body::kinematic(
        block([-0.1, -1.0, 0.05], [0.1, 1.0, 2.0])?,
        Trs::translation([0.0, 5.0, 0.0])?,
    ))?;
    let crates = (0..3).map(|k| {
        let place = Trs::translation([1.0 + 1.3 * f64::from(k), 5.0, 0.5])?;
        Ok(world.insert(Body::moving(block([-0.5; 3], [0.5; 3])?, place))?)
    });
    let crates = crates.collect::<Result<Vec<Handle>, Box<dyn Error>>>()?;
    let push = Motion::translation([0.1, 0.0, 0.0])?;
    let mut updates = 0;
    while world.step(&[(door, push)])?.moves[0].fraction == 1.0 {
        updates += 1;
    }
    println!("the door stops after {updates} updates, at {:.2}", place_of(&world, door)?);
    assert!((place_of(&world, door)?.x - 2.9).abs() < 1e-6 && world.overlaps().is_empty());

    // By another rule it goes on, and what is crushed is told: the game takes it away.
    let crush = StepOptions::new().crush(CrushRule::Crush);
    for _ in 0..25 {
        for crushed in world.step_with(&[(door, push)], &crush)?.crushed {
            println!("{} is crushed", crushed.body);
            world.remove(crushed.body)?;
        }
    }
    let left = crates.iter().filter(|body| world.get(**body).is_ok()).count();
    println!("{left} crates are left, and the door is at {:.2}", place_of(&world, door)?);
    assert!(left < 3 && world.overlaps().is_empty());
    Ok(())
}
