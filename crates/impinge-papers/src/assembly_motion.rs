//! A motion of the sample assembly: gears turn, and a carriage comes down on a cover at a known time.

use std::f64::consts::FRAC_PI_2;

use impinge::Mesh;
use impinge::glam::{DAffine3, DQuat, DVec3};
use impinge::mesh::generate::ShapeError;

use crate::assembly::{Assembly, Part};

/// The name of the animation.
pub const NAME: &str = "carriage";

/// The second at which the carriage first meets a cover, but for what rounding a file costs.
pub const FIRST_CONTACT: f64 = 3.6;

/// Millimeters of the carriage from its middle to its faces.
const HALF: DVec3 = DVec3::new(8.0, 8.0, 5.0);

/// Where the carriage rests beside the first station, and how high it travels: in millimeters, and clear of everything.
const REST: DVec3 = DVec3::new(-27.0, 20.0, HIGH);
const HIGH: f64 = 59.5;

/// The height of the carriage's middle when it is lowest: two millimeters inside of the cover, whose top is at 46.5.
const LOW: f64 = 49.5;

/// When the carriage leaves, is above a cover, is lowest, is up again, and is back: in seconds.
const TIMES: [f64; 5] = [0.0, 2.0, 4.0, 5.0, 7.0];

/// The keys of a part: where its frame is in the world.
#[derive(Clone, Debug, PartialEq)]
pub struct PartKeys {
    /// The part that moves.
    pub part: usize,
    /// The times in seconds, ascending.
    pub times: Vec<f64>,
    /// A translation for each time, or none at all.
    pub translations: Vec<DVec3>,
    /// A rotation for each time, or none at all.
    pub rotations: Vec<DQuat>,
}

/// An assembly that moves.
#[derive(Clone, Debug)]
pub struct AnimatedAssembly {
    /// The assembly at rest. Its last part is the carriage, which clashes with nothing there.
    pub assembly: Assembly,
    /// The motion. Gears turn once about their shafts. The carriage goes along the covers to the second one, or the first where there is
    /// one only, comes down on it, and goes back.
    pub keys: Vec<PartKeys>,
    /// The cover on which the carriage comes down.
    pub cover: usize,
}

impl AnimatedAssembly {
    /// An [`Assembly`] of so many stations, with a carriage and a motion.
    pub fn new(stations: u32, seed: u64) -> Result<AnimatedAssembly, ShapeError> {
        let mut assembly = Assembly::new(stations, seed)?;
        // The base plate is first, and its frame is the one in which the assembly stands upright.
        let world = assembly.parts[0].world_from_mesh;
        let turn = DQuat::from_mat3(&world.matrix3);
        let covers = ["cover 2", "cover 1"];
        let cover = covers.iter().find_map(|name| assembly.parts.iter().position(|part| part.name == *name));
        let cover = cover.unwrap_or_default();
        let x = world.inverse().transform_point3(assembly.parts[cover].world_from_mesh.translation).x;

        let mut keys = Vec::new();
        let gears = assembly.parts.iter().enumerate().filter(|(_, part)| part.name.starts_with("gear "));
        for (number, (part, gear)) in gears.enumerate() {
            let step = if number.is_multiple_of(2) { FRAC_PI_2 } else { -FRAC_PI_2 };
            let rotations = (0..5).map(|quarter| {
                DQuat::from_mat3(&gear.world_from_mesh.matrix3)
                    * DQuat::from_rotation_z(f64::from(quarter) * step)
            });
            let last = TIMES[TIMES.len() - 1];
            keys.push(PartKeys {
                part,
                times: (0..5).map(|quarter| f64::from(quarter) / 4.0 * last).collect(),
                translations: Vec::new(),
                rotations: rotations.collect(),
            });
        }
        let above = DVec3::new(x, REST.y, HIGH);
        let places = [REST, above, DVec3::new(x, REST.y, LOW), above, REST];
        keys.push(PartKeys {
            part: assembly.parts.len(),
            times: TIMES.to_vec(),
            translations: places.iter().map(|place| world.transform_point3(*place)).collect(),
            rotations: Vec::new(),
        });
        assembly.parts.push(Part {
            name: "carriage".to_owned(),
            mesh: assembly.meshes.len(),
            world_from_mesh: DAffine3::from_rotation_translation(turn, world.transform_point3(REST)),
        });
        assembly.meshes.push(Mesh::cuboid(-HALF, HALF)?);
        Ok(AnimatedAssembly { assembly, keys, cover })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::assembly::CLEARANCE;
    use impinge::clash::{ClashOptions, detect};
    use impinge::{Model, Placed, Placement};
    use std::ops::ControlFlow;

    #[test]
    fn at_rest_it_has_the_clashes_of_the_assembly() {
        for (stations, seed) in [(1, 1), (5, 2)] {
            let AnimatedAssembly { assembly, .. } =
                AnimatedAssembly::new(stations, seed).expect("an assembly");
            assert_eq!(assembly.planted, Assembly::new(stations, seed).expect("an assembly").planted);
            let models: Vec<Model> = assembly.meshes.iter().cloned().map(Model::new).collect();
            let place = |part: &Part| Placement::try_from(part.world_from_mesh).expect("a place");
            let parts: Vec<Placed<'_>> =
                assembly.parts.iter().map(|part| models[part.mesh].at(place(part))).collect();
            let options = ClashOptions { touch: 1e-4, clearance: CLEARANCE, ..ClashOptions::default() };
            let found = detect(&parts, &options, |_, _| true, |_| ControlFlow::Continue(()));
            let found: Vec<_> =
                found.clashes.iter().map(|clash| (clash.a as usize, clash.b as usize, clash.kind)).collect();
            assert_eq!(found, assembly.planted);
        }
    }

    #[test]
    fn the_first_contact_is_where_heights_say() {
        let animated = AnimatedAssembly::new(3, 4).expect("an assembly");
        let (assembly, keys) = (&animated.assembly, &animated.keys[animated.keys.len() - 1]);
        let upright = assembly.parts[0].world_from_mesh.inverse();
        let height = |place: &DVec3| upright.transform_point3(*place).z - HALF.z;
        let cover = &assembly.parts[animated.cover];
        let vertices = assembly.meshes[cover.mesh].vertices();
        let top = vertices.map(|vertex| (upright * cover.world_from_mesh).transform_point3(vertex).z);
        let top = top.fold(f64::NEG_INFINITY, f64::max);
        let (from, to) = (height(&keys.translations[1]), height(&keys.translations[2]));
        let share = (from - top) / (from - to);
        let time = keys.times[1] + share * (keys.times[2] - keys.times[1]);
        assert!((time - FIRST_CONTACT).abs() < 1e-9, "{time}");
        assert_eq!(cover.name, "cover 2");
    }
}
