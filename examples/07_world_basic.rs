//! A world in fifteen lines: a floor, and balls that fall on it.
//!
//! `cargo run --example 07_world_basic`

use std::error::Error;
use std::sync::Arc;

use impinge::world::{Body, World};
use impinge::{Model, Motion, Trs, shapes};

fn main() -> Result<(), Box<dyn Error>> {
    let mut world = World::new();
    let floor = Model::new(shapes::cuboid([-9.0, -9.0, -1.0], [9.0, 9.0, 0.0])?);
    let floor = world.insert(Body::fixed(floor, Trs::IDENTITY))?;
    let ball = Arc::new(Model::new(shapes::icosphere(0.5, 4)?));
    for i in 0..3 {
        let height = 3.0 + 2.0 * f64::from(i);
        world.insert(Body::moving(ball.clone(), Trs::translation([0.3 * f64::from(i), 0.0, height])?))?;
    }
    for step in 0..8 {
        let down = Motion::translation([0.0, 0.0, -1.5])?;
        let moves: Vec<_> = world.awake().map(|ball| (ball, down)).collect();
        for contact in world.step(&moves)?.began {
            let what = if contact.bodies.contains(&floor) { "the floor" } else { "another ball" };
            println!("step {step}: {} hits {what}", contact.bodies[1]);
        }
    }
    assert!(world.overlaps().is_empty());
    print!("\n{}", world.statistics().table());
    Ok(())
}
