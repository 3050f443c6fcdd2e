//! Animations out: keys of nodes, as samplers and channels of a GLB file.

use std::io;

use impinge::math::{DAffine3, DQuat, DVec3};
use serde_json::{Value, json};

use crate::Node;
use crate::glb_binary::Binary;

/// How far the product of translation, rotation and scale may be from a node's map, as a share of its largest number.
const TRS_ERROR: f64 = 1e-9;

/// An animation to write: the keys of the nodes that it moves.
#[derive(Clone, Copy, Debug)]
pub struct NodeAnimation<'n> {
    /// The name of the animation.
    pub name: &'n str,
    /// The keys, each node once.
    pub keys: &'n [NodeKeys<'n>],
}

/// The keys of a node: where its frame is in the world at some times. Between two keys it moves along a line and turns at a constant
/// speed, the shorter way round; before the first and after the last it stands still.
#[derive(Clone, Copy, Debug)]
pub struct NodeKeys<'n> {
    /// The node that moves, whose own map must have no shear.
    pub node: usize,
    /// The times in seconds, ascending.
    pub times: &'n [f64],
    /// A translation for each time, or none at all where the node keeps its own.
    pub translations: &'n [DVec3],
    /// A rotation for each time, or none at all where the node keeps its own.
    pub rotations: &'n [DQuat],
}

/// An animation as the document has it. Marks the nodes that it moves.
pub(crate) fn animation_value(
    animation: &NodeAnimation<'_>,
    moves: &mut [bool],
    binary: &mut Binary,
) -> io::Result<Value> {
    let fault = |what: String| io::Error::other(format!("animation {}: {what}", animation.name));
    let (mut samplers, mut channels) = (Vec::new(), Vec::new());
    for (number, keys) in animation.keys.iter().enumerate() {
        let node = keys.node;
        if node >= moves.len() {
            return Err(fault(format!("there is no node {node}")));
        }
        if animation.keys[..number].iter().any(|other| other.node == node) {
            return Err(fault(format!("node {node} has keys twice")));
        }
        moves[node] = true;
        let times = times(keys.times).map_err(|what| fault(format!("node {node}: {what}")))?;
        let input = binary.rows(&times, "SCALAR", true);
        let translations: Vec<[f32; 3]> =
            keys.translations.iter().map(|place| place.as_vec3().to_array()).collect();
        let rotations: Vec<[f32; 4]> =
            keys.rotations.iter().map(|turn| turn.normalize().as_quat().to_array()).collect();
        check(&translations, times.len())
            .map_err(|what| fault(format!("node {node}: {what} translations")))?;
        check(&rotations, times.len()).map_err(|what| fault(format!("node {node}: {what} rotations")))?;
        let mut add = |path: &str, output: usize| {
            channels.push(json!({"sampler": samplers.len(), "target": {"node": node, "path": path}}));
            samplers.push(json!({"input": input, "output": output, "interpolation": "LINEAR"}));
        };
        if !translations.is_empty() {
            add("translation", binary.rows(&translations, "VEC3", false));
        }
        if !rotations.is_empty() {
            add("rotation", binary.rows(&rotations, "VEC4", false));
        }
    }
    if channels.is_empty() {
        return Err(fault("it has no keys".to_owned()));
    }
    Ok(json!({"name": animation.name, "samplers": samplers, "channels": channels}))
}

/// Times as the format has them: not negative, ascending also after they are rounded.
fn times(times: &[f64]) -> Result<Vec<[f32; 1]>, String> {
    let rounded: Vec<[f32; 1]> = times.iter().map(|time| [*time as f32]).collect();
    let is_fine = |time: &[f32; 1]| time[0].is_finite() && time[0] >= 0.0;
    match rounded.iter().position(|time| !is_fine(time)) {
        Some(key) => return Err(format!("the time {} is no time of the format", times[key])),
        None if !rounded.is_sorted_by(|a, b| a[0] < b[0]) => {
            return Err("times do not ascend in 32 bits".to_owned());
        }
        None => {}
    }
    Ok(rounded)
}

/// As many rows as there are times, or none, all of them finite.
fn check<const N: usize>(rows: &[[f32; N]], times: usize) -> Result<(), String> {
    if !rows.is_empty() && rows.len() != times {
        return Err(format!("there are {times} times for {}", rows.len()));
    }
    if rows.as_flattened().iter().any(|number| !number.is_finite()) {
        return Err("32 bits do not hold its".to_owned());
    }
    Ok(())
}

/// A node that moves, with a translation, a rotation and a scale in place of a matrix.
pub(crate) fn trs_value(node: &Node<'_>) -> io::Result<Value> {
    let map = node.world_from_mesh;
    let (scale, rotation, translation) = map.to_scale_rotation_translation();
    let again = DAffine3::from_scale_rotation_translation(scale, rotation, translation);
    let largest = map.to_cols_array().iter().fold(0.0, |most: f64, number| most.max(number.abs()));
    // Also false for what is not a number.
    if !again.abs_diff_eq(map, TRS_ERROR * largest) {
        let message = format!("node {}: what moves must have no shear and no scale of 0", node.name);
        return Err(io::Error::other(message));
    }
    let (translation, rotation, scale) =
        (translation.as_vec3().to_array(), rotation.as_quat().to_array(), scale.as_vec3().to_array());
    if translation.iter().chain(&scale).any(|number| !number.is_finite()) {
        return Err(io::Error::other(format!("node {}: its place is beyond what 32 bits hold", node.name)));
    }
    let mut value =
        json!({"name": node.name, "mesh": node.mesh, "translation": translation, "rotation": rotation});
    if scale != [1.0; 3] {
        value["scale"] = scale.as_slice().into();
    }
    Ok(value)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{read, write_animated_glb};
    use impinge::Mesh;
    use std::f64::consts::FRAC_PI_2;
    use std::path::PathBuf;

    fn file(name: &str) -> PathBuf {
        std::env::temp_dir().join(format!("impinge-animation-{name}-{}.glb", std::process::id()))
    }

    fn meshes() -> [Mesh; 1] {
        [Mesh::from(impinge::shapes::cuboid([0.0; 3], [1.0, 2.0, 3.0]).expect("a box"))]
    }

    #[test]
    fn keys_read_back() {
        let at = DVec3::new(1.0, -2.0, 0.5);
        let turn = DQuat::from_rotation_z(FRAC_PI_2);
        let still = DAffine3::from_scale_rotation_translation(DVec3::new(2.0, 1.0, 0.5), turn, at);
        let nodes = [
            Node { name: "still", mesh: 0, world_from_mesh: still },
            Node { name: "slides", mesh: 0, world_from_mesh: still },
            Node { name: "turns", mesh: 0, world_from_mesh: DAffine3::from_translation(at) },
        ];
        let (times, places) = ([0.25, 1.0, 3.0], [at, at + DVec3::X, at - DVec3::Y]);
        let turns = [DQuat::IDENTITY, turn];
        let slide = NodeKeys { node: 1, times: &times, translations: &places, rotations: &[] };
        let spin = NodeKeys { node: 2, times: &[0.0, 2.0], translations: &[], rotations: &turns };
        let animations = [
            NodeAnimation { name: "both", keys: &[slide, spin] },
            NodeAnimation { name: "one", keys: &[spin] },
        ];
        let out = file("back");
        write_animated_glb(&out, &meshes(), &nodes, &animations).expect("it is written");
        let scene = read(&out).expect("it reads back");
        std::fs::remove_file(&out).expect("it is there");
        // Nodes that move have no matrix; where they rest is as near as 32 bits are.
        for (read, written) in scene.nodes.iter().zip(&nodes) {
            assert!(read.world_from_mesh.abs_diff_eq(written.world_from_mesh, 1e-6), "{read:?}");
        }
        let names: Vec<&str> = scene.animations.iter().map(|animation| animation.name.as_str()).collect();
        assert_eq!(names, ["both", "one"]);
        let both = &scene.animations[0].rig;
        assert_eq!(both.duration(), 3.0);
        let close = |a: DVec3, b: DVec3| assert!(a.abs_diff_eq(b, 1e-6), "{a} and {b}");
        for (time, place) in
            [(0.0, at), (0.25, at), (1.0, at + DVec3::X), (2.0, at + (DVec3::X - DVec3::Y) / 2.0)]
        {
            let pose = both.world_from_joint(1, time);
            close(pose.translation, place);
            close(pose.matrix3 * DVec3::X, still.matrix3 * DVec3::X);
        }
        for rig in [both, &scene.animations[1].rig] {
            let half = rig.world_from_joint(2, 1.0);
            close(half.translation, at);
            close(half.matrix3 * DVec3::X, DQuat::from_rotation_z(FRAC_PI_2 / 2.0) * DVec3::X);
        }
        close(scene.animations[1].rig.world_from_joint(1, 3.0).translation, at);
    }

    #[test]
    fn what_the_format_does_not_hold_is_refused() {
        let sheared = DAffine3::from_cols(DVec3::X, DVec3::new(1.0, 1.0, 0.0), DVec3::Z, DVec3::ZERO);
        let nodes = [
            Node { name: "fine", mesh: 0, world_from_mesh: DAffine3::IDENTITY },
            Node { name: "sheared", mesh: 0, world_from_mesh: sheared },
        ];
        let places = [DVec3::ZERO, DVec3::X];
        let keys = NodeKeys { node: 0, times: &[0.0, 1.0], translations: &places, rotations: &[] };
        let out = file("no");
        let refused = |keys: &[NodeKeys<'_>]| {
            let animation = NodeAnimation { name: "a", keys };
            let written = write_animated_glb(&out, &meshes(), &nodes, &[animation]);
            assert!(!out.exists());
            written.expect_err("refused").to_string()
        };
        for (keys, part) in [
            (vec![], "it has no keys"),
            (vec![NodeKeys { translations: &[], ..keys }], "it has no keys"),
            (vec![NodeKeys { node: 2, ..keys }], "there is no node 2"),
            (vec![keys, keys], "node 0 has keys twice"),
            (vec![NodeKeys { times: &[0.0], ..keys }], "there are 1 times for 2 translations"),
            (vec![NodeKeys { times: &[1.0, 1.0 + 1e-12], ..keys }], "do not ascend"),
            (vec![NodeKeys { times: &[-1.0, 1.0], ..keys }], "-1 is no time"),
            (vec![NodeKeys { times: &[0.0, f64::NAN], ..keys }], "NaN is no time"),
            (vec![NodeKeys { translations: &[DVec3::ZERO, DVec3::MAX], ..keys }], "32 bits do not hold"),
            (vec![NodeKeys { rotations: &[DQuat::IDENTITY; 3], ..keys }], "2 times for 3 rotations"),
            (vec![NodeKeys { rotations: &[DQuat::from_array([0.0; 4]); 2], ..keys }], "32 bits do not hold"),
            (vec![NodeKeys { node: 1, ..keys }], "node sheared: what moves must have no shear"),
        ] {
            let message = refused(&keys);
            assert!(message.contains(part), "{message} lacks {part}");
        }
    }
}
