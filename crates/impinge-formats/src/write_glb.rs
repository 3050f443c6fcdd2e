//! Scenes out, as GLB: meshes once, nodes as often as they stand somewhere, and how they move.

use std::io::{self, Write};
use std::path::Path;

use impinge::Mesh;
use impinge::math::DAffine3;
use serde_json::{Value, json};

use crate::WriteError;
use crate::glb_animation::{NodeAnimation, animation_value, trs_value};
use crate::glb_binary::Binary;
use crate::write::write_whole;

/// A mesh that stands somewhere, under a name.
#[derive(Clone, Copy, Debug)]
pub struct Node<'n> {
    /// What it is called.
    pub name: &'n str,
    /// Which of the meshes.
    pub mesh: usize,
    /// Where it stands. Rounded to `f32`, as the format has it.
    pub world_from_mesh: DAffine3,
}

/// Numbers that mark the file and its parts.
const MAGIC: &[u8; 4] = b"glTF";
const VERSION: u32 = 2;
const JSON: &[u8; 4] = b"JSON";
const BINARY: &[u8; 4] = b"BIN\0";

/// Writes meshes and the nodes where they stand as one GLB file. Coordinates are rounded to `f32`; polygons become triangles.
pub fn write_glb(path: impl AsRef<Path>, meshes: &[Mesh], nodes: &[Node<'_>]) -> Result<(), WriteError> {
    write_animated_glb(path, meshes, nodes, &[])
}

/// Writes meshes, the nodes where they stand and the animations that move nodes as one GLB file. Coordinates, times and keys are
/// rounded to `f32`; polygons become triangles.
///
/// ```
/// use impinge::{Mesh, shapes};
/// use impinge::glam::{DAffine3, DVec3};
/// use impinge_formats::{Node, NodeAnimation, NodeKeys, read, write_animated_glb};
///
/// let meshes = [Mesh::from(shapes::cuboid([0.0; 3], [1.0; 3])?)];
/// let lift = Node { name: "lift", mesh: 0, world_from_mesh: DAffine3::IDENTITY };
/// let keys = NodeKeys { node: 0, times: &[0.0, 2.0], translations: &[DVec3::ZERO, 5.0 * DVec3::Z], rotations: &[] };
/// let up = NodeAnimation { name: "up", keys: &[keys] };
///
/// let file = std::env::temp_dir().join(format!("lift-{}.glb", std::process::id()));
/// write_animated_glb(&file, &meshes, &[lift], &[up])?;
/// let scene = read(&file)?;
/// assert_eq!(scene.animations[0].rig.world_from_joint(0, 1.0).translation, [0.0, 0.0, 2.5].into());
/// # std::fs::remove_file(&file)?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn write_animated_glb(
    path: impl AsRef<Path>,
    meshes: &[Mesh],
    nodes: &[Node<'_>],
    animations: &[NodeAnimation<'_>],
) -> Result<(), WriteError> {
    write_whole(path.as_ref(), |out| {
        let mut binary = Binary::default();
        let mut listed = Vec::new();
        for (number, mesh) in meshes.iter().enumerate() {
            let positions = positions(mesh, number, &mut binary)?;
            let faces = 0..mesh.face_count() as u32;
            let indices = binary.indices(faces.flat_map(|face| mesh.fan(face)).flatten());
            listed.push(json!({
                "primitives": [{"attributes": {"POSITION": positions}, "indices": indices, "mode": 4}]
            }));
        }
        let mut moves = vec![false; nodes.len()];
        let mut moving = Vec::new();
        for animation in animations {
            moving.push(animation_value(animation, &mut moves, &mut binary)?);
        }
        let values: io::Result<Vec<Value>> =
            nodes.iter().zip(&moves).map(|(node, moves)| node_value(node, *moves, meshes.len())).collect();
        let mut document = json!({
            "asset": {"version": "2.0", "generator": "impinge"},
            "scene": 0,
            "scenes": [{"nodes": (0..nodes.len()).collect::<Vec<_>>()}],
            "nodes": values?,
            "meshes": listed,
            "accessors": binary.accessors,
            "bufferViews": binary.views,
            "buffers": [{"byteLength": binary.bytes.len()}],
        });
        if !moving.is_empty() {
            document["animations"] = Value::Array(moving);
        }
        write_chunks(out, &document, binary.bytes)
    })
}

fn write_chunks(out: &mut dyn Write, document: &Value, mut binary: Vec<u8>) -> io::Result<()> {
    let mut text = serde_json::to_vec(document)?;
    text.resize(text.len().next_multiple_of(4), b' ');
    binary.resize(binary.len().next_multiple_of(4), 0);
    let total = 12 + 8 + text.len() + 8 + binary.len();
    let size =
        |bytes: usize| u32::try_from(bytes).map_err(|_| io::Error::other("more than 4 GiB in one GLB file"));
    out.write_all(MAGIC)?;
    out.write_all(&VERSION.to_le_bytes())?;
    out.write_all(&size(total)?.to_le_bytes())?;
    for (kind, chunk) in [(JSON, &text), (BINARY, &binary)] {
        out.write_all(&size(chunk.len())?.to_le_bytes())?;
        out.write_all(kind)?;
        out.write_all(chunk)?;
    }
    Ok(())
}

/// The accessor of a mesh's vertices.
fn positions(mesh: &Mesh, number: usize, binary: &mut Binary) -> io::Result<usize> {
    let places: Vec<[f32; 3]> = mesh.vertices().map(|place| place.as_vec3().to_array()).collect();
    if let Some(vertex) = places.iter().position(|place| place.iter().any(|number| !number.is_finite())) {
        let message = format!("vertex {vertex} of mesh {number} is beyond what 32 bits hold");
        return Err(io::Error::other(message));
    }
    Ok(binary.positions(&places))
}

fn node_value(node: &Node<'_>, moves: bool, meshes: usize) -> io::Result<Value> {
    if node.mesh >= meshes {
        return Err(io::Error::other(format!("node {}: there is no mesh {}", node.name, node.mesh)));
    }
    // The format lets only nodes without a matrix move.
    if moves {
        return trs_value(node);
    }
    let map = node.world_from_mesh;
    let columns = [map.matrix3.x_axis, map.matrix3.y_axis, map.matrix3.z_axis, map.translation];
    let numbers: Vec<f32> = columns
        .iter()
        .zip([0.0, 0.0, 0.0, 1.0])
        .flat_map(|(column, last)| column.as_vec3().extend(last).to_array())
        .collect();
    if numbers.iter().any(|number| !number.is_finite()) {
        return Err(io::Error::other(format!("node {}: its matrix is beyond what 32 bits hold", node.name)));
    }
    Ok(json!({"name": node.name, "mesh": node.mesh, "matrix": numbers}))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::read;
    use impinge::math::DVec3;
    use impinge::shapes;

    #[test]
    fn what_is_written_reads_back() {
        let meshes = [
            Mesh::from(shapes::cuboid([0.0; 3], [1.0, 2.0, 3.0]).expect("a box")),
            Mesh::from(shapes::tetrahedron(1.0).expect("a shape")),
        ];
        let at = |x: f64| DAffine3::from_translation(DVec3::new(x, 0.5, -2.0));
        let nodes = [
            Node { name: "first", mesh: 0, world_from_mesh: at(0.25) },
            Node {
                name: "second \"quoted\"",
                mesh: 1,
                world_from_mesh: DAffine3::from_scale(DVec3::new(-1.0, 2.0, 0.5)),
            },
            Node { name: "first again", mesh: 0, world_from_mesh: at(4.0) },
        ];
        let file = std::env::temp_dir().join(format!("impinge-glb-{}.glb", std::process::id()));
        write_glb(&file, &meshes, &nodes).expect("it is written");
        let scene = read(&file).expect("it reads back");
        std::fs::remove_file(&file).expect("it is there");
        assert_eq!((scene.meshes.len(), scene.nodes.len()), (2, 3));
        for (read, written) in scene.nodes.iter().zip(&nodes) {
            assert_eq!((read.name.as_str(), read.mesh), (written.name, written.mesh));
            assert_eq!(read.world_from_mesh, written.world_from_mesh);
        }
        for (read, written) in scene.meshes.iter().zip(&meshes) {
            let single = |mesh: &Mesh| mesh.vertices().map(DVec3::as_vec3).collect::<Vec<_>>();
            assert_eq!(single(&read.mesh), single(written));
            assert_eq!(read.mesh.face_count(), written.triangle_count());
        }
    }

    #[test]
    fn what_does_not_fit_is_refused() {
        let mesh = [Mesh::from(shapes::cuboid([0.0; 3], [1e300; 3]).expect("a box"))];
        let file = std::env::temp_dir().join(format!("impinge-glb-no-{}.glb", std::process::id()));
        let error = write_glb(&file, &mesh, &[]).expect_err("too large").to_string();
        assert!(error.contains("vertex 1 of mesh 0") || error.contains("of mesh 0 is beyond"), "{error}");
        let nowhere = [Node { name: "n", mesh: 3, world_from_mesh: DAffine3::IDENTITY }];
        let error = write_glb(&file, &[], &nowhere).expect_err("no mesh").to_string();
        assert!(error.contains("there is no mesh 3"), "{error}");
        assert!(!file.exists());
    }
}
