//! What must hold for every file: a good mesh, or an error that names the file.

use impinge::Mesh;
use impinge_formats::{Format, read_bytes, read_mesh_bytes};

pub fn read(bytes: &[u8], format: Format) {
    match read_bytes(bytes, format, "fuzzed") {
        Err(error) => assert!(error.to_string().starts_with("fuzzed: ")),
        Ok(scene) => {
            assert!(!scene.nodes.is_empty());
            for part in &scene.meshes {
                check(&part.mesh);
                for note in &part.notes {
                    assert!(!note.to_string().is_empty());
                }
            }
            assert!(scene.nodes.iter().all(|node| node.mesh < scene.meshes.len()));
        }
    }
    // Only glTF has more to do for one mesh than for a scene.
    if let (Format::Gltf | Format::Glb, Ok(loaded)) = (format, read_mesh_bytes(bytes, format, "fuzzed")) {
        check(&loaded.mesh);
        let mut next = 0;
        for origin in &loaded.origins {
            assert_eq!(origin.faces.start, next);
            next = origin.faces.end;
        }
        assert_eq!(next as usize, loaded.mesh.face_count());
    }
}

fn check(mesh: &Mesh) {
    assert!(mesh.face_count() > 0);
    assert!(mesh.vertices().all(|point| point.is_finite()));
    let mut last_label = 0;
    for face in 0..mesh.face_count() as u32 {
        assert!(mesh.corner_count(face) > 0);
        assert!(mesh.corners(face).all(|corner| (corner as usize) < mesh.vertex_count()));
        let label = mesh.label(face);
        assert!(label == last_label || label == last_label + 1, "pieces keep the order of their polygons");
        last_label = label;
    }
}
