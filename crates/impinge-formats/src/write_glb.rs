//! Scenes out, as GLB: meshes once, nodes as often as they stand somewhere.

use std::io::{self, Write};
use std::path::Path;

use impinge::Mesh;
use impinge::math::DAffine3;
use serde_json::{Value, json};

use crate::WriteError;
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
    write_whole(path.as_ref(), |out| {
        let mut binary = Vec::new();
        let (mut accessors, mut views, mut listed) = (Vec::new(), Vec::new(), Vec::new());
        for (number, mesh) in meshes.iter().enumerate() {
            let first = accessors.len();
            positions(mesh, number, &mut binary, &mut accessors, &mut views)?;
            indices(mesh, &mut binary, &mut accessors, &mut views);
            listed.push(json!({
                "primitives": [{"attributes": {"POSITION": first}, "indices": first + 1, "mode": 4}]
            }));
        }
        let nodes: io::Result<Vec<Value>> = nodes.iter().map(|node| node_value(node, meshes.len())).collect();
        let nodes = nodes?;
        let document = json!({
            "asset": {"version": "2.0", "generator": "impinge"},
            "scene": 0,
            "scenes": [{"nodes": (0..nodes.len()).collect::<Vec<_>>()}],
            "nodes": nodes,
            "meshes": listed,
            "accessors": accessors,
            "bufferViews": views,
            "buffers": [{"byteLength": binary.len()}],
        });
        let mut text = serde_json::to_vec(&document)?;
        text.resize(text.len().next_multiple_of(4), b' ');
        binary.resize(binary.len().next_multiple_of(4), 0);
        let total = 12 + 8 + text.len() + 8 + binary.len();
        let size = |bytes: usize| {
            u32::try_from(bytes).map_err(|_| io::Error::other("more than 4 GiB in one GLB file"))
        };
        out.write_all(MAGIC)?;
        out.write_all(&VERSION.to_le_bytes())?;
        out.write_all(&size(total)?.to_le_bytes())?;
        for (kind, chunk) in [(JSON, &text), (BINARY, &binary)] {
            out.write_all(&size(chunk.len())?.to_le_bytes())?;
            out.write_all(kind)?;
            out.write_all(chunk)?;
        }
        Ok(())
    })
}

fn positions(
    mesh: &Mesh,
    number: usize,
    binary: &mut Vec<u8>,
    accessors: &mut Vec<Value>,
    views: &mut Vec<Value>,
) -> io::Result<()> {
    let start = binary.len();
    let (mut least, mut most) = ([f32::INFINITY; 3], [f32::NEG_INFINITY; 3]);
    for (vertex, place) in mesh.vertices().enumerate() {
        let place = place.as_vec3().to_array();
        if place.iter().any(|number| !number.is_finite()) {
            let message = format!("vertex {vertex} of mesh {number} is beyond what 32 bits hold");
            return Err(io::Error::other(message));
        }
        for axis in 0..3 {
            least[axis] = least[axis].min(place[axis]);
            most[axis] = most[axis].max(place[axis]);
            binary.extend(place[axis].to_le_bytes());
        }
    }
    accessors.push(json!({
        "bufferView": views.len(), "componentType": 5126, "count": mesh.vertex_count(), "type": "VEC3",
        "min": least, "max": most,
    }));
    views
        .push(json!({"buffer": 0, "byteOffset": start, "byteLength": binary.len() - start, "target": 34962}));
    Ok(())
}

fn indices(mesh: &Mesh, binary: &mut Vec<u8>, accessors: &mut Vec<Value>, views: &mut Vec<Value>) {
    let start = binary.len();
    let faces = 0..mesh.face_count() as u32;
    binary.extend(faces.flat_map(|face| mesh.fan(face)).flatten().flat_map(u32::to_le_bytes));
    let bytes = binary.len() - start;
    accessors.push(json!({
        "bufferView": views.len(), "componentType": 5125, "count": bytes / 4, "type": "SCALAR",
    }));
    views.push(json!({"buffer": 0, "byteOffset": start, "byteLength": bytes, "target": 34963}));
}

fn node_value(node: &Node<'_>, meshes: usize) -> io::Result<Value> {
    if node.mesh >= meshes {
        return Err(io::Error::other(format!("node {}: there is no mesh {}", node.name, node.mesh)));
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
