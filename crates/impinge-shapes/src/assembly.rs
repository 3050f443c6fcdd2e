//! An assembly like an engine, with clashes planted in it: what a search for clashes must find, and nothing else.

use crate::scene::{Part, Planted, PlantedKind, Scene};
use crate::{Gear, Polyhedron, Random, ShapeError, capsule, cuboid, cylinder, gear, torus};
use glam::{DAffine3, DQuat, DVec3};

/// Millimeters within which parts are near.
const CLEARANCE: f64 = 1.0;

/// The least and the greatest number of stations.
const STATIONS: [u32; 2] = [1, 10_000];

/// Millimeters from one station to the next.
const STEP: f64 = 60.0;

/// Meshes by number.
const BASE: usize = 0;
const HOUSING: usize = 1;
const BOLT: usize = 2;
const COVER: usize = 3;
const PIPE: usize = 4;
const GEAR: usize = 5;
const SHAFT: usize = 6;
const WASHER: usize = 7;

/// An assembly of 1 to 10,000 stations, all of it turned and moved at random; lengths are in millimeters. At each station a
/// housing stands flush on the base, a bolt is inside of the housing, a pipe runs into it, a cover hovers half a millimeter above
/// it, a shaft is too thick for its gear, and every other station has its washer twice.
///
/// ```
/// let engine = impinge_shapes::assembly(8, 0)?;
/// assert_eq!((engine.meshes.len(), engine.parts.len(), engine.planted.len()), (8, 61, 44));
/// # Ok::<(), impinge_shapes::ShapeError>(())
/// ```
pub fn assembly(stations: u32, seed: u64) -> Result<Scene, ShapeError> {
    let stations = stations.clamp(STATIONS[0], STATIONS[1]);
    let mut random = Random::new(seed);
    let turn = DQuat::from_axis_angle(random.direction(), random.between(0.3, 2.8));
    let world = DAffine3::from_rotation_translation(turn, random.in_cube() * 100.0);
    let mut scene = Scene { meshes: meshes(stations)?, ..Scene::new(CLEARANCE) };
    let base = add(&mut scene, "base plate", BASE, &world, DVec3::ZERO);
    for number in 0..stations {
        add_station(&mut scene, number, base, &world);
    }
    scene.planted.sort_unstable();
    Ok(scene)
}

fn add_station(scene: &mut Scene, number: u32, base: usize, world: &DAffine3) {
    let x = f64::from(number) * STEP;
    let mut put = |name: &str, mesh: usize, y: f64, z: f64| {
        add(scene, &format!("{name} {}", number + 1), mesh, world, DVec3::new(x, y, z))
    };
    let housing = put("housing", HOUSING, 0.0, 20.0);
    let bolt = put("bolt", BOLT, 10.0, 20.0);
    let cover = put("cover", COVER, 0.0, 43.5);
    let pipe = put("pipe", PIPE, 32.0, 20.0);
    let gear = put("gear", GEAR, -48.0, 30.0);
    let shaft = put("shaft", SHAFT, -48.0, 30.0);
    let washer = put("washer", WASHER, 0.0, 52.0);
    let copy = number.is_multiple_of(2).then(|| put("washer copy", WASHER, 0.0, 52.0));
    let planted = |(first, second, kind)| Planted { first, second, kind };
    let all = [
        (base, housing, PlantedKind::Touching),
        (housing, bolt, PlantedKind::SecondInside),
        (housing, cover, PlantedKind::Near),
        (housing, pipe, PlantedKind::Overlapping),
        (gear, shaft, PlantedKind::Overlapping),
    ];
    scene.planted.extend(all.map(planted));
    scene.planted.extend(copy.map(|copy| planted((washer, copy, PlantedKind::Duplicate))));
}

fn add(scene: &mut Scene, name: &str, mesh: usize, world: &DAffine3, at: DVec3) -> usize {
    let world_from_mesh = *world * DAffine3::from_translation(at);
    scene.parts.push(Part { name: name.to_owned(), mesh, world_from_mesh });
    scene.parts.len() - 1
}

fn meshes(stations: u32) -> Result<Vec<Polyhedron>, ShapeError> {
    let last = f64::from(stations - 1) * STEP;
    let parameters = Gear {
        tip_radius: 14.0,
        root_radius: 11.0,
        bore_radius: 3.0,
        thickness: 8.0,
        teeth: 16,
        pieces: 1,
        layers: 1,
        rings: 1,
    };
    Ok(vec![
        cuboid([-40.0, -70.0, -20.0], [last + 40.0, 60.0, 0.0])?,
        cuboid([-15.0, -30.0, -20.0], [15.0, 30.0, 20.0])?,
        cylinder(4.0, 20.0, 24, 1)?,
        cuboid([-15.0, -30.0, -3.0], [15.0, 30.0, 3.0])?,
        capsule(5.0, 10.0, 20, 5)?,
        gear(&parameters)?,
        cylinder(3.5, 30.0, 24, 1)?,
        torus(6.0, 1.5, 24, 10)?,
    ])
}
