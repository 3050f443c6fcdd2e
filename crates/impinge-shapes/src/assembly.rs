//! An assembly like an engine, with clashes planted in it: what a search for clashes must find, and nothing else.

use impinge::Mesh;
use impinge::clash::ClashKind;
use impinge::glam::{DAffine3, DQuat, DVec3};
use impinge::mesh::generate::{Gear, Random, ShapeError};
use impinge::query::Contained;

/// Closer than this is near; what is not planted is farther apart.
pub const CLEARANCE: f64 = 1.0;

/// How many stations there are at most, and at least.
pub const STATIONS: [u32; 2] = [1, 10_000];

/// Millimeters from one station to the next.
const STEP: f64 = 60.0;

/// A part of the assembly.
#[derive(Clone, Debug, PartialEq)]
pub struct Part {
    /// What it is called.
    pub name: String,
    /// Which mesh.
    pub mesh: usize,
    /// Where it stands.
    pub world_from_mesh: DAffine3,
}

/// Parts, and what is planted among them: lengths are in millimeters.
#[derive(Clone, Debug)]
pub struct Assembly {
    /// Each once.
    pub meshes: Vec<Mesh>,
    /// As they stand.
    pub parts: Vec<Part>,
    /// Pairs of parts that clash, the lesser first, sorted.
    pub planted: Vec<(usize, usize, ClashKind)>,
}

/// Meshes by number.
const BASE: usize = 0;
const HOUSING: usize = 1;
const BOLT: usize = 2;
const COVER: usize = 3;
const PIPE: usize = 4;
const GEAR: usize = 5;
const SHAFT: usize = 6;
const WASHER: usize = 7;

impl Assembly {
    /// An assembly of so many stations, all of it turned and moved at random. At each station a housing stands flush on the base, a
    /// bolt is inside of the housing, a pipe runs into it, a cover hovers half a millimeter above it, a shaft is too thick for its
    /// gear, and every other station has its washer twice.
    pub fn new(stations: u32, seed: u64) -> Result<Assembly, ShapeError> {
        let stations = stations.clamp(STATIONS[0], STATIONS[1]);
        let mut random = Random::new(seed);
        let turn = DQuat::from_axis_angle(random.direction(), random.between(0.3, 2.8));
        let world = DAffine3::from_rotation_translation(turn, random.in_cube() * 100.0);
        let mut assembly = Assembly { meshes: meshes(stations)?, parts: Vec::new(), planted: Vec::new() };
        let base = assembly.add("base plate", BASE, &world, DVec3::ZERO);
        for number in 0..stations {
            assembly.add_station(number, base, &world);
        }
        assembly.planted.sort_unstable();
        Ok(assembly)
    }

    fn add_station(&mut self, number: u32, base: usize, world: &DAffine3) {
        let x = f64::from(number) * STEP;
        let mut put = |name: &str, mesh: usize, y: f64, z: f64| {
            self.add(&format!("{name} {}", number + 1), mesh, world, DVec3::new(x, y, z))
        };
        let housing = put("housing", HOUSING, 0.0, 20.0);
        let bolt = put("bolt", BOLT, 10.0, 20.0);
        let cover = put("cover", COVER, 0.0, 43.5);
        let pipe = put("pipe", PIPE, 32.0, 20.0);
        let gear = put("gear", GEAR, -48.0, 30.0);
        let shaft = put("shaft", SHAFT, -48.0, 30.0);
        let washer = put("washer", WASHER, 0.0, 52.0);
        let copy = number.is_multiple_of(2).then(|| put("washer copy", WASHER, 0.0, 52.0));
        self.planted.extend([
            (base, housing, ClashKind::Touching),
            (housing, bolt, ClashKind::Inside(Contained::B)),
            (housing, cover, ClashKind::Near),
            (housing, pipe, ClashKind::Overlapping),
            (gear, shaft, ClashKind::Overlapping),
        ]);
        self.planted.extend(copy.map(|copy| (washer, copy, ClashKind::Duplicate)));
    }

    fn add(&mut self, name: &str, mesh: usize, world: &DAffine3, at: DVec3) -> usize {
        let world_from_mesh = *world * DAffine3::from_translation(at);
        self.parts.push(Part { name: name.to_owned(), mesh, world_from_mesh });
        self.parts.len() - 1
    }
}

fn meshes(stations: u32) -> Result<Vec<Mesh>, ShapeError> {
    let last = f64::from(stations - 1) * STEP;
    let gear = Gear {
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
        Mesh::cuboid([-40.0, -70.0, -20.0], [last + 40.0, 60.0, 0.0])?,
        Mesh::cuboid([-15.0, -30.0, -20.0], [15.0, 30.0, 20.0])?,
        Mesh::cylinder(4.0, 20.0, 24, 1)?,
        Mesh::cuboid([-15.0, -30.0, -3.0], [15.0, 30.0, 3.0])?,
        Mesh::capsule(5.0, 10.0, 20, 5)?,
        Mesh::gear(&gear)?,
        Mesh::cylinder(3.5, 30.0, 24, 1)?,
        Mesh::torus(6.0, 1.5, 24, 10)?,
    ])
}

#[cfg(test)]
mod tests {
    use super::*;
    use impinge::clash::{ClashOptions, detect};
    use impinge::{Model, Placed, Placement};
    use std::ops::ControlFlow;

    #[test]
    fn what_is_planted_is_found_and_nothing_else() {
        for seed in 0..3 {
            let assembly = Assembly::new(8, seed).expect("an assembly");
            assert!(assembly.planted.len() >= 40);
            let models: Vec<Model> = assembly.meshes.iter().cloned().map(Model::new).collect();
            let parts: Vec<Placed<'_>> = assembly
                .parts
                .iter()
                .map(|part| models[part.mesh].at(Placement::try_from(part.world_from_mesh).expect("a place")))
                .collect();
            let options = ClashOptions { touch: 1e-4, clearance: CLEARANCE, ..ClashOptions::default() };
            let found = detect(&parts, &options, |_, _| true, |_| ControlFlow::Continue(()));
            let found: Vec<_> =
                found.clashes.iter().map(|clash| (clash.a as usize, clash.b as usize, clash.kind)).collect();
            assert_eq!(found, assembly.planted, "seed {seed}");
        }
    }
}
