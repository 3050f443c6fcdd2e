//! A motion of the sample assembly: gears turn, and a carriage comes down on a cover at a known time.

use std::f64::consts::FRAC_PI_2;

use crate::scene::{Part, Scene};
use crate::{ShapeError, assembly, cuboid};
use glam::{DAffine3, DQuat, DVec3};

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

/// A scene that moves.
#[derive(Clone, Debug, PartialEq)]
pub struct AnimatedScene {
    /// The scene at rest.
    pub scene: Scene,
    /// The name of the animation.
    pub name: &'static str,
    /// The motion of all parts that move.
    pub keys: Vec<PartKeys>,
    /// The two parts that first come into contact while the animation plays, and clash neither before nor at rest.
    pub meeting: [usize; 2],
    /// The second at which they first touch, but for what rounding a file costs.
    pub first_contact: f64,
}

/// An [`assembly`] of so many stations that moves. Gears turn once about their shafts. A carriage goes along the covers to the second one, or the
/// first where there is one only, comes down on it, and goes back; at rest it clashes with nothing.
///
/// ```
/// let engine = impinge_shapes::animated_assembly(3, 0)?;
/// assert_eq!((engine.name, engine.first_contact), ("carriage", 3.6));
/// assert_eq!(engine.scene.planted, impinge_shapes::assembly(3, 0)?.planted);
/// # Ok::<(), impinge_shapes::ShapeError>(())
/// ```
pub fn animated_assembly(stations: u32, seed: u64) -> Result<AnimatedScene, ShapeError> {
    let mut assembly = assembly(stations, seed)?;
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
    assembly.meshes.push(cuboid(-HALF, HALF)?);
    let meeting = [cover, assembly.parts.len() - 1];
    Ok(AnimatedScene { scene: assembly, name: "carriage", keys, meeting, first_contact: 3.6 })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_contact_is_where_heights_say() {
        let animated = animated_assembly(3, 4).expect("an assembly");
        let (assembly, keys) = (&animated.scene, &animated.keys[animated.keys.len() - 1]);
        let upright = assembly.parts[0].world_from_mesh.inverse();
        let height = |place: &DVec3| upright.transform_point3(*place).z - HALF.z;
        let cover = &assembly.parts[animated.meeting[0]];
        let vertices = assembly.meshes[cover.mesh].vertices().iter();
        let top = vertices.map(|&vertex| (upright * cover.world_from_mesh).transform_point3(vertex).z);
        let top = top.fold(f64::NEG_INFINITY, f64::max);
        let (from, to) = (height(&keys.translations[1]), height(&keys.translations[2]));
        let share = (from - top) / (from - to);
        let time = keys.times[1] + share * (keys.times[2] - keys.times[1]);
        assert!((time - animated.first_contact).abs() < 1e-9, "{time}");
        assert_eq!(cover.name, "cover 2");
    }
}
