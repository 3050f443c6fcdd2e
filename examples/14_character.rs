//! A character walks through a small level: over a floor, up stairs, over a bridge, down a ramp, past one that is too steep, and through a tunnel.
//!
//! `cargo run --release --example 14_character`

use std::error::Error;
use std::sync::Arc;

use impinge::math::DVec3;
use impinge::world::{Body, Character, Handle, World};
use impinge::{Mesh, Model, Trs, shapes};

const RATE: f64 = 60.0;

/// A wedge that rises along x from one point to another.
fn ramp(from: [f64; 2], to: [f64; 2], width: [f64; 2]) -> Result<Mesh, Box<dyn Error>> {
    let outline = [from, to, [to[0], from[1].min(to[1]) - 0.5], [from[0], from[1].min(to[1]) - 0.5]];
    let corners = width.iter().flat_map(|y| outline.iter().map(move |[x, z]| DVec3::new(*x, *y, *z)));
    let faces = [[0, 1, 5, 4], [1, 2, 6, 5], [2, 3, 7, 6], [3, 0, 4, 7], [0, 3, 2, 1], [4, 5, 6, 7]];
    Ok(Mesh::polygons(corners.collect::<Vec<_>>(), faces)?)
}

fn level(world: &mut World) -> Result<Vec<(Handle, &'static str)>, Box<dyn Error>> {
    let mut names = Vec::new();
    let mut build = |name: &'static str, mesh: Mesh| -> Result<(), Box<dyn Error>> {
        names.push((world.insert(Body::fixed(Model::new(mesh), Trs::IDENTITY))?, name));
        Ok(())
    };
    let block = |min: [f64; 3], max: [f64; 3]| shapes::cuboid(min, max).map(Mesh::from);
    build("floor", block([-10.0, -10.0, -1.0], [20.0, 10.0, 0.0])?)?;
    for step in 0..6 {
        let [x, z] = [2.0 + 0.3 * f64::from(step), 0.2 * f64::from(step)];
        build("stairs", block([x, -1.0, 0.0], [x + 0.3, 1.0, z + 0.2])?)?;
    }
    build("bridge", block([3.8, -1.0, 1.0], [6.0, 1.0, 1.2])?)?;
    build("ramp", ramp([6.0, 1.2], [9.0, 0.0], [-1.0, 1.0])?)?;
    build("steep ramp", ramp([12.0, 0.0], [14.0, 4.0], [-3.0, 1.0])?)?;
    build("tunnel", block([10.5, 1.0, 1.2], [12.5, 3.0, 3.0])?)?;
    build("wall", block([15.0, -10.0, 0.0], [16.0, 10.0, 3.0])?)?;
    Ok(names)
}

fn main() -> Result<(), Box<dyn Error>> {
    let mut world = World::new();
    let names = level(&mut world)?;

    // The character has its origin between its feet, and begins exactly on the floor.
    let shape = Model::new(shapes::cuboid([-0.3, -0.3, 0.0], [0.3, 0.3, 1.8])?);
    let body = world.insert(Body::moving(shape, Trs::IDENTITY))?;
    let low = Arc::new(Model::new(shapes::cuboid([-0.3, -0.3, 0.0], [0.3, 0.3, 0.9])?));
    let mut character = Character::new(body);

    // What it wishes to do, in m/s, for how many seconds; where that leads.
    let walks = [
        ("walks to the stairs", [1.7, 0.0], 1.0, [1.7, 0.0, 0.0]),
        ("climbs them", [2.0, 0.0], 1.0, [3.7, 0.0, 1.2]),
        ("walks over the bridge", [2.0, 0.0], 1.0, [5.7, 0.0, 1.2]),
        ("and down the ramp", [2.0, 0.0], 2.0, [9.7, 0.0, 0.0]),
        ("does not get up the steep ramp", [3.0, 0.0], 2.0, [11.7, 0.0, 0.0]),
        ("slides along it", [1.0, 2.0], 0.6, [11.7, 0.7, 0.0]),
        ("is too tall for the tunnel", [0.0, 2.0], 1.0, [11.7, 0.7, 0.0]),
    ];
    let walk = |world: &mut World,
                character: &mut Character,
                (what, wish, seconds, expected): (&str, [f64; 2], f64, [f64; 3])|
     -> Result<(), Box<dyn Error>> {
        let mut met: Vec<&str> = Vec::new();
        for _ in 0..(seconds * RATE) as u32 {
            let step = character.update(world, [wish[0], wish[1], 0.0], 1.0 / RATE)?;
            met.extend(
                names.iter().filter(|(name, _)| step.met.iter().any(|(m, _)| m == name)).map(|(_, n)| n),
            );
            world.step(&[])?;
            // Wherever it went, the exact test finds it free of everything.
            assert!(world.overlaps().is_empty());
        }
        met.sort_unstable();
        met.dedup();
        let place = world.get(body)?.placement().world_from_model().translation;
        println!("{what}: is at {place:.2}, grounded {}, met {met:?}", character.is_grounded());
        assert!(place.distance(expected.into()) < 0.02 && character.is_grounded(), "{place} {expected:?}");
        Ok(())
    };
    for one in walks {
        walk(&mut world, &mut character, one)?;
    }
    assert!(character.crouch(&mut world, low)?);
    walk(&mut world, &mut character, ("crouches into the tunnel", [0.0, 1.0], 1.0, [11.7, 1.7, 0.0]))?;
    assert!(!character.stand_up(&mut world)?);
    walk(
        &mut world,
        &mut character,
        ("cannot stand up there, and crawls on", [0.0, 1.0], 2.0, [11.7, 3.7, 0.0]),
    )?;
    assert!(character.stand_up(&mut world)?);
    character.jump(4.0);
    walk(&mut world, &mut character, ("stands up, and jumps", [1.0, 0.0], 1.0, [12.7, 3.7, 0.0]))
}
