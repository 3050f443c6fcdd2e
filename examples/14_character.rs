//! A character that walks over a floor, steps up a curb, slides along a wall and is stopped in a corner.
//!
//! `cargo run --release --example 14_character`

use std::error::Error;

use impinge::world::{Body, Handle, SlideOptions, World};
use impinge::{Model, Trs, shapes};

fn main() -> Result<(), Box<dyn Error>> {
    let mut world = World::new();
    let mut build = |min: [f64; 3], max: [f64; 3]| -> Result<Handle, Box<dyn Error>> {
        Ok(world.insert(Body::fixed(Model::new(shapes::cuboid(min, max)?), Trs::IDENTITY))?)
    };
    let names = [
        (build([-10.0, -10.0, -1.0], [10.0, 10.0, 0.0])?, "floor"),
        (build([2.0, -10.0, 0.0], [10.0, 10.0, 0.25])?, "curb"),
        (build([6.0, -10.0, 0.0], [6.5, 10.0, 3.0])?, "wall"),
        (build([-10.0, 3.0, 0.0], [10.0, 3.5, 3.0])?, "end wall"),
    ];

    // The character is a box with its origin between its feet. It begins a little above the floor.
    let shape = Model::new(shapes::cuboid([-0.5, -0.5, 0.0], [0.5, 0.5, 1.75])?);
    let player = world.insert(Body::moving(shape, Trs::translation([0.0, 0.0, 0.5])?))?;

    // What it wishes to do, and where that leads.
    let wishes = [
        ("walks", [1.0, 0.0, 0.0], [1.0, 0.0, 0.0]),
        ("walks on, up the curb", [1.0, 0.0, 0.0], [2.0, 0.0, 0.25]),
        ("walks to the wall, and along it", [4.0, 1.0, 0.0], [5.5, 1.0, 0.25]),
        ("slides along the wall", [1.0, 1.0, 0.0], [5.5, 2.0, 0.25]),
        ("slides on, into the corner", [1.0, 1.0, 0.0], [5.5, 2.5, 0.25]),
        ("is stopped", [1.0, 1.0, 0.0], [5.5, 2.5, 0.25]),
    ];
    for (what, wish, expected) in wishes {
        // Gravity comes first. A slide down ends on what is below.
        world.slide(player, [0.0, 0.0, -1.0], &SlideOptions::default())?;
        // Then it goes along its wish, and takes steps that are no higher than 0.3.
        let walk = SlideOptions::new().step_up(0.3);
        let slide = world.slide(player, wish, &walk)?;

        let place = slide.placement.world_from_model().translation;
        let met = names.iter().filter(|(body, _)| slide.met.iter().any(|(other, _)| other == body));
        let met: Vec<_> = met.map(|(_, name)| *name).collect();
        println!("{what}: wishes {wish:?}, is at {place:.2}, met {met:?}");
        assert!(place.distance(expected.into()) < 1e-6);
        assert_eq!(slide.stepped, expected == [2.0, 0.0, 0.25]);
        // Wherever it went, the exact test finds it free of everything.
        assert!(world.overlaps().is_empty());
    }
    Ok(())
}
