//! A character that walks over a floor, steps up a curb, slides along a wall and is stopped in a corner.
//!
//! `cargo run --release --example 14_character`

use std::error::Error;

use impinge::math::DVec3;
use impinge::world::{Body, Handle, SlideOptions, World};
use impinge::{Mesh, Model, Trs};

fn main() -> Result<(), Box<dyn Error>> {
    let mut world = World::new();
    let mut build = |min: [f64; 3], max: [f64; 3]| -> Result<Handle, Box<dyn Error>> {
        Ok(world.insert(Body::fixed(Model::new(Mesh::cuboid(min, max)?), Trs::IDENTITY))?)
    };
    let floor = build([-10.0, -10.0, -1.0], [10.0, 10.0, 0.0])?;
    let curb = build([2.0, -10.0, 0.0], [10.0, 10.0, 0.25])?;
    let wall = build([6.0, -10.0, 0.0], [6.5, 10.0, 3.0])?;
    let end = build([-10.0, 4.0, 0.0], [10.0, 4.5, 3.0])?;
    let names = [(floor, "floor"), (curb, "curb"), (wall, "wall"), (end, "end wall")];

    // The character is a box. Its origin is between its feet, and it begins a little above the floor.
    let shape = Model::new(Mesh::cuboid([-0.5, -0.5, 0.0], [0.5, 0.5, 1.75])?);
    let player = world.insert(Body::moving(shape, Trs::translation([0.0, 0.0, 0.5])?))?;

    // It steps up what is no higher than 0.3. The way up is z.
    let options = SlideOptions { step_up: 0.3, ..SlideOptions::default() };
    let wishes = [
        ("walks", [1.0, 0.0, 0.0]),
        ("walks to the curb", [1.0, 0.0, 0.0]),
        ("walks at an angle", [4.0, 1.0, 0.0]),
        ("goes on at an angle", [1.0, 1.0, 0.0]),
        ("goes on into the corner", [1.0, 1.0, 0.0]),
        ("tries once more", [1.0, 1.0, 0.0]),
    ];
    let mut place = DVec3::ZERO;
    let mut trail = Vec::new();
    for (what, wish) in wishes {
        // Down first, as gravity wants; who falls takes no steps. Then along the wish.
        world.slide(player, [0.0, 0.0, -1.0], &SlideOptions::default())?;
        let slide = world.slide(player, wish, &options)?;
        place = slide.placement.world_from_model().translation;
        let met = slide.met.iter().filter_map(|(met, _)| names.iter().find(|(handle, _)| handle == met));
        let met: Vec<_> = met.map(|(_, name)| *name).collect();
        let step = if slide.stepped { ", takes a step" } else { "" };
        println!("{what}: now at {place:.2}, moved {:.2}, met {met:?}{step}", slide.moved);
        trail.push(slide);
        assert!(world.overlaps().is_empty());
    }
    println!("{place:.3} {:?}", trail.len());
    Ok(())
}
