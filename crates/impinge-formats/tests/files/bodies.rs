//! Bodies: primitives of a node together, cracks that rounding made, and what nodes are called.

use crate::rounding::Numbers;
use crate::samples::{SQUARE, data_uri, floats, only, scene, square_buffer, square_document, vertices};
use impinge::{Mesh, Model};
use impinge_formats::{Format, NoteKind, Scene, SceneMesh, read_mesh_bytes};

const CUBE: [[usize; 4]; 6] =
    [[0, 2, 3, 1], [4, 5, 7, 6], [0, 1, 5, 4], [2, 6, 7, 3], [0, 4, 6, 2], [1, 3, 7, 5]];

fn corner(number: usize) -> [f64; 3] {
    [0, 1, 2].map(|axis| if number >> axis & 1 == 1 { 0.3 } else { -0.7 })
}

/// A document with one primitive for each list of corners, written by its own component type: 5120, 5122 or 5126.
fn document(primitives: &[(u32, Vec<[f64; 3]>)]) -> String {
    let (mut buffer, mut views, mut accessors, mut described) =
        (Vec::new(), Vec::new(), Vec::new(), Vec::new());
    for (number, (component, points)) in primitives.iter().enumerate() {
        let start = buffer.len();
        for point in points {
            let written: Vec<u8> = match component {
                5120 => point.iter().map(|value| (value * 127.0).round() as i8 as u8).chain([0]).collect(),
                5122 => point
                    .iter()
                    .chain(&[0.0])
                    .flat_map(|value| ((value * 32767.0).round() as i16).to_le_bytes())
                    .collect(),
                _ => point.iter().flat_map(|value| (*value as f32).to_le_bytes()).collect(),
            };
            buffer.extend(written);
        }
        let stride = match component {
            5120 => 4,
            5122 => 8,
            _ => 12,
        };
        views.push(format!(
            r#"{{"buffer":0,"byteOffset":{start},"byteLength":{},"byteStride":{stride}}}"#,
            buffer.len() - start
        ));
        let normalized = *component != 5126;
        accessors.push(format!(
            r#"{{"bufferView":{number},"componentType":{component},"count":{},"type":"VEC3","normalized":{normalized}}}"#,
            points.len()
        ));
        described.push(format!(r#"{{"attributes":{{"POSITION":{number}}}}}"#));
    }
    format!(
        r#"{{"asset":{{"version":"2.0"}},"nodes":[{{"name":"a","mesh":0}},{{"name":"b","mesh":0,"translation":[5,0,0]}}],
        "meshes":[{{"primitives":[{}]}}],"accessors":[{}],"bufferViews":[{}],"buffers":[{{{}"byteLength":{}}}]}}"#,
        described.join(","),
        accessors.join(","),
        views.join(","),
        data_uri(&buffer),
        buffer.len()
    )
}

/// The six sides of a cube, each a primitive.
fn sides(component: impl Fn(usize) -> u32) -> String {
    let side = |(number, [a, b, c, d]): (usize, &[usize; 4])| {
        (component(number), [a, b, c, a, c, d].map(|one| corner(*one)).to_vec())
    };
    document(&CUBE.iter().enumerate().map(side).collect::<Vec<_>>())
}

fn is_closed(mesh: &Mesh) -> bool {
    Model::new(mesh.clone()).is_closed()
}

fn read(document: &str) -> Scene {
    scene(document, Format::Gltf)
}

#[test]
fn a_body_in_six_colors_is_one_mesh_that_is_closed() {
    let document = sides(|_| 5126);
    let scene = read(&document);
    assert_eq!((scene.meshes.len(), scene.nodes.len()), (1, 2));
    let mesh = &scene.meshes[0];
    assert!(is_closed(&mesh.mesh) && mesh.notes.is_empty());
    let runs: Vec<_> =
        mesh.primitives.iter().map(|run| (run.primitive, run.faces.clone(), run.vertices.clone())).collect();
    assert_eq!(runs[..2], [(0, 0..2, 0..6), (1, 2..4, 6..12)]);
    // In one mesh of all, faces keep their numbers and primitives, and bodies stay whole.
    let loaded = read_mesh_bytes(document.as_bytes(), Format::Gltf, "good").unwrap();
    assert!(is_closed(&loaded.mesh));
    assert_eq!(Model::new(loaded.mesh.clone()).part_count(), 2);
    let groups: Vec<_> =
        loaded.mesh.groups().iter().map(|group| (group.name.as_str(), group.first_face)).collect();
    assert_eq!(groups, [("a", 0), ("b", 12)]);
    assert_eq!(loaded.origins.len(), 12);
    let origin = &loaded.origins[7];
    assert_eq!(
        (origin.node, origin.primitive, origin.faces.clone(), origin.vertices.clone()),
        (Some(1), Some(1), 14..16, 42..48)
    );
}

#[test]
fn grids_of_their_own_are_welded_within_a_step() {
    // Bytes, shorts and floats: 0.3 and -0.7 are something else in each.
    let scene = read(&sides(|number| [5120, 5122, 5126][number % 3]));
    let mesh = &scene.meshes[0];
    assert_eq!(mesh.rounding, 0.5 / 127.0);
    assert!(is_closed(&mesh.mesh));
    let NoteKind::Welded { vertices, within, open_edges: 0 } = mesh.notes[0].kind else {
        panic!("{:?}", mesh.notes)
    };
    assert!(vertices > 0 && within < 2.0 / 127.0);
    assert!(mesh.notes[0].to_string().ends_with("; the mesh is closed now"), "{}", mesh.notes[0]);
}

/// A sphere of rings, from pole to pole, with vertices of its own for each place.
fn sphere(radius: f64, center: f64) -> (Vec<[f64; 3]>, Vec<[usize; 3]>) {
    let (rings, around) = (10, 14);
    let mut points = Vec::new();
    for ring in 0..=rings {
        let (sine, cosine) = (std::f64::consts::PI * ring as f64 / rings as f64).sin_cos();
        for place in 0..=around {
            let (y, x) = (std::f64::consts::TAU * place as f64 / around as f64).sin_cos();
            points.push([sine * x, sine * y, cosine].map(|value| center + radius * value));
        }
    }
    let mut faces = Vec::new();
    for ring in 0..rings {
        for place in 0..around {
            let a = ring * (around + 1) + place;
            let [b, c, d] = [a + 1, a + around + 1, a + around + 2];
            faces.extend([[a, c, d], [a, d, b]]);
        }
    }
    (points, faces)
}

fn obj(points: &[[f64; 3]], faces: &[[usize; 3]], first: usize) -> String {
    let mut text: String = points.iter().map(|[x, y, z]| format!("v {x} {y} {z}\n")).collect();
    faces.iter().for_each(|face| {
        let [a, b, c] = face.map(|corner| corner + first);
        text += &format!("f {a} {b} {c}\n");
    });
    text
}

#[test]
fn spheres_are_solids_however_they_are_written() {
    for (radius, center) in [(1.0, 0.0), (1000.0, 0.0), (1.0, 33.3), (1000.0, -4e5)] {
        let (points, faces) = sphere(radius, center);
        let text = only(obj(&points, &faces, 1), Format::Obj);
        let corners: Vec<[f64; 3]> = faces.iter().flatten().map(|&vertex| points[vertex]).collect();
        let mut stl = vec![0; 80];
        stl.extend((faces.len() as u32).to_le_bytes());
        for facet in corners.chunks(3) {
            let numbers: Vec<f32> = facet.iter().flatten().map(|value| *value as f32).collect();
            stl.extend([floats(&[0.0; 3]), floats(&numbers), vec![0, 0]].concat());
        }
        let binary = only(stl, Format::Stl);
        let gltf = read(&document(&[(5126, corners)]));
        for mesh in [&text, &binary, &gltf.meshes[0]] {
            assert!(is_closed(&mesh.mesh), "{radius} {center} {:?}", mesh.notes);
        }
    }
    // One inside of the other: two solids.
    let ((outer, faces), (inner, _)) = (sphere(1.0, 0.0), sphere(0.5, 0.0));
    let both = obj(&outer, &faces, 1) + &obj(&inner, &faces, 1 + outer.len());
    let read = only(both, Format::Obj);
    assert!(is_closed(&read.mesh) && Model::new(read.mesh).part_count() == 2);
}

#[test]
fn what_needs_no_welding_stays_as_it_is() {
    let bits = |mesh: &SceneMesh| -> Vec<[u64; 3]> {
        vertices(&mesh.mesh).iter().map(|point| point.map(f64::to_bits)).collect()
    };
    let points: Vec<[f64; 3]> =
        CUBE.iter().flat_map(|&[a, b, c, d]| [a, b, c, a, c, d]).map(corner).collect();
    let faces: Vec<[usize; 3]> = (0..12).map(|face| [3 * face, 3 * face + 1, 3 * face + 2]).collect();
    // Split at its edges, closed; zeros of both signs stay.
    let zeros: Vec<[f64; 3]> =
        points.iter().map(|point| point.map(|value| if value < 0.0 { -0.0 } else { 1.0 })).collect();
    for points in [&points, &zeros] {
        let read = only(obj(points, &faces, 1), Format::Obj);
        assert!(is_closed(&read.mesh) && read.notes.is_empty());
        let expected: Vec<[u64; 3]> = points.iter().map(|point| point.map(f64::to_bits)).collect();
        assert_eq!(bits(&read), expected);
    }
    // Gaps that somebody made.
    let mut numbers = Numbers(9);
    let apart: Vec<[f64; 3]> =
        points.iter().map(|point| point.map(|value| value + 1e-4 * numbers.next())).collect();
    let read = only(obj(&apart, &faces, 1), Format::Obj);
    assert!(!is_closed(&read.mesh) && read.notes.is_empty());
    assert_eq!(vertices(&read.mesh), apart);
}

#[test]
fn paths_name_the_nodes_above() {
    let nodes = r#"{"children":[1,5,7,8]},{"name":"copy0","children":[2]},{"children":[3,4]},{"name":"bolt","mesh":0},
        {"name":"bolt","mesh":0},{"name":"copy1","children":[6]},{"name":"bolt","mesh":0},{"name":"","mesh":0},
        {"name":"copy0","children":[9,10]},{"name":"bolt","mesh":0},{"name":"bolt#2","mesh":0}"#;
    let square = |nodes: &str| square_document(&data_uri(&square_buffer()), nodes, SQUARE);
    let scene = read(&square(nodes));
    let found: Vec<(&str, &str)> =
        scene.nodes.iter().map(|node| (node.name.as_str(), node.path.as_str())).collect();
    let expected = [
        ("bolt", "copy0/bolt"),
        ("bolt#2", "copy0/bolt#2"),
        ("bolt", "copy1/bolt"),
        ("square", "square"),
        ("bolt#3", "copy0/bolt#3"),
        ("bolt#2#2", "copy0/bolt#2#2"),
    ];
    assert_eq!(found, expected);
    assert_eq!(scene.nodes[1].shared_path(), "copy0/bolt");
    assert_eq!(scene.nodes[5].shared_path(), "copy0/bolt#2");
    // Without any name, the number.
    let scene = read(&square(r#"{"mesh":0}"#).replace(r#""name":"square","#, ""));
    assert_eq!(scene.nodes[0].path, "node 0");
}

#[test]
fn names_above_many_nodes_cannot_take_all_memory() {
    // A chain of nodes with long names, each with a mesh.
    let name = "n".repeat(400);
    let node = |number: usize| format!(r#"{{"name":"{name}","mesh":0,"children":[{}]}}"#, number + 1);
    let nodes: Vec<String> = (0..4000).map(node).chain([r#"{"mesh":0}"#.to_owned()]).collect();
    let document = square_document(&data_uri(&square_buffer()), &nodes.join(","), SQUARE);
    let error = crate::samples::error(document, Format::Gltf);
    assert!(error.contains("far more than the file has bytes"), "{error}");
}

#[test]
fn primitives_that_change_their_shape_do_so_together() {
    // Two triangles of one node with a morph target each, which an animation moves; the second has a corner too many.
    let base = floats(&[0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 9.0, 9.0, 9.0]);
    let moves = floats(&[0.0, 0.0, 1.0, 0.0, 0.0, 2.0, 0.0, 0.0, 3.0, 0.0, 0.0, 4.0]);
    let times = floats(&[0.0, 1.0]);
    let weights = floats(&[0.0, 1.0]);
    let buffer = [base, moves, times, weights].concat();
    let document = format!(
        r#"{{"asset":{{"version":"2.0"}},"nodes":[{{"mesh":0}}],"meshes":[{{"weights":[0.5],"primitives":[
        {{"attributes":{{"POSITION":0}},"targets":[{{"POSITION":1}}]}},{{"attributes":{{"POSITION":0}},"targets":[{{"POSITION":1}}]}}]}}],
        "animations":[{{"channels":[{{"sampler":0,"target":{{"node":0,"path":"weights"}}}}],"samplers":[{{"input":2,"output":3}}]}}],
        "accessors":[{{"bufferView":0,"componentType":5126,"count":4,"type":"VEC3"}},{{"bufferView":1,"componentType":5126,"count":4,"type":"VEC3"}},
        {{"bufferView":2,"componentType":5126,"count":2,"type":"SCALAR"}},{{"bufferView":3,"componentType":5126,"count":2,"type":"SCALAR"}}],
        "bufferViews":[{{"buffer":0,"byteLength":48}},{{"buffer":0,"byteOffset":48,"byteLength":48}},{{"buffer":0,"byteOffset":96,"byteLength":8}},
        {{"buffer":0,"byteOffset":104,"byteLength":8}}],"buffers":[{{{}"byteLength":112}}]}}"#,
        data_uri(&buffer)
    );
    let scene = read(&document);
    let [mesh] = scene.meshes.as_slice() else { panic!("one mesh") };
    assert_eq!((mesh.mesh.face_count(), mesh.mesh.vertex_count()), (2, 6));
    let deformation = mesh.deformation.as_ref().unwrap();
    let rig = &scene.animations[0].rig;
    let heights = |weights: Option<Vec<f64>>| -> Vec<f64> {
        deformation.vertices(rig, weights, 0.0).iter().map(|point| point.z).collect()
    };
    assert_eq!(heights(None), [0.5, 1.0, 1.5, 0.5, 1.0, 1.5]);
    assert_eq!(heights(Some(vec![1.0])), [1.0, 2.0, 3.0, 1.0, 2.0, 3.0]);
    assert_eq!(vertices(&mesh.mesh).iter().map(|point| point[2]).collect::<Vec<_>>(), heights(None));
}
