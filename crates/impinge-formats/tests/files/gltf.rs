//! glTF and GLB: hierarchy, modes, strides, sparse accessors, morphs, skins, and what errors say.

use crate::samples::{
    self, SQUARE, data_uri, error, faces, floats, glb_of, scene, square_buffer, square_document, vertices,
};
use impinge::mesh::Faces;
use impinge_formats::{Format, Scene};

fn read(document: &str) -> Scene {
    scene(document, Format::Gltf)
}

fn fails(document: &str) -> String {
    error(document, Format::Gltf).strip_prefix("bad.file: ").unwrap().to_owned()
}

fn square(nodes: &str, primitive: &str) -> String {
    square_document(&data_uri(&square_buffer()), nodes, primitive)
}

/// Where the instances put a point.
fn images(scene: &Scene, point: [f64; 3]) -> Vec<[f64; 3]> {
    let image = |i: &impinge_formats::Instance| i.world_from_mesh.transform_point3(point.into()).to_array();
    scene.nodes.iter().map(image).collect()
}

#[test]
fn a_square_in_both_containers() {
    let read = read(&samples::gltf());
    assert_eq!(faces(&read.meshes[0].mesh), [[0, 1, 2], [0, 2, 3]]);
    assert_eq!(read.meshes[0].name, "square");
    assert_eq!(
        (read.nodes[0].name.as_str(), read.nodes[0].node, read.meshes[0].primitives[0].primitive),
        ("square", Some(0), 0)
    );
    let binary = scene(samples::glb(), Format::Glb);
    assert_eq!(binary.meshes, read.meshes);
    assert_eq!(images(&binary, [1.0, 0.0, 0.0]), [[1.0, 0.0, 2.0]]);
}

#[test]
fn instances_share_a_mesh_and_transforms_multiply_down_the_tree() {
    let nodes = r#"{"children":[1,2],"translation":[100,0,0],"scale":[2,3,4]},
        {"name":"turned","mesh":0,"rotation":[0,0,0.7071067811865476,0.7071067811865476]},
        {"name":"sheared","mesh":0,"matrix":[1,0,0,0, 0.5,1,0,0, 0,0,-1,0, 5,6,7,1],"children":[3]},
        {"mesh":0,"translation":[0,0,1]}"#;
    let read = read(&square(nodes, SQUARE));
    assert_eq!(read.meshes.len(), 1);
    let names: Vec<&str> = read.nodes.iter().map(|node| node.name.as_str()).collect();
    assert_eq!(names, ["turned", "sheared", "square"]);
    let found = images(&read, [1.0, 2.0, 3.0]);
    assert!((found[0][0] - 96.0).abs() < 1e-12 && (found[0][1] - 3.0).abs() < 1e-12, "{:?}", found[0]);
    assert_eq!(found[1], [114.0, 24.0, 16.0]);
    assert_eq!(found[2], [114.0, 24.0, 12.0]);
}

#[test]
fn only_the_default_scene_is_read() {
    let document = square(r#"{"mesh":0},{"name":"other","mesh":0}"#, SQUARE);
    let second = document.replace(r#""scene":0,"scenes":["#, r#""scene":1,"scenes":[{"nodes":[0]},"#);
    let second = second.replace(r#"{"nodes":[0]}],"#, r#"{"nodes":[1]}],"#);
    let read_second = read(&second);
    assert_eq!(read_second.nodes.len(), 1);
    assert_eq!(read_second.nodes[0].name, "other");
    assert_eq!(read_second.notes[0].to_string(), "/scenes: 1 scenes beside the default one left out");
    // Without a default the first one is shown, and without scenes everything.
    assert_eq!(read(&second.replace(r#""scene":1,"#, "")).nodes[0].node, Some(0));
    let none = document.replace(r#""scene":0,"scenes":[{"nodes":[0]}],"#, "");
    assert_eq!(read(&none).nodes.len(), 2);
}

#[test]
fn strips_fans_and_lists_with_and_without_indices() {
    let faces_of = |primitive: &str| {
        let read = read(&square(r#"{"mesh":0}"#, primitive));
        let mesh = &read.meshes[0].mesh;
        let form = match mesh.faces() {
            Faces::Triangles(_) => "triangles",
            Faces::Soup { .. } => "soup",
            Faces::Strips { .. } => "strip",
            Faces::Fans { .. } => "fan",
            _ => "other",
        };
        let notes: Vec<String> = read.meshes[0].notes.iter().map(ToString::to_string).collect();
        (form, faces(mesh).concat(), notes.join(";"))
    };
    let attributes = r#"{"attributes":{"POSITION":0}"#;
    let left_over = "/meshes/0/primitives/0: 1 corners behind the last triangle left out";
    assert_eq!(faces_of(&format!("{attributes}}}")), ("soup", vec![0, 1, 2], left_over.into()));
    assert_eq!(
        faces_of(&format!("{attributes},\"mode\":5}}")),
        ("strip", vec![0, 1, 2, 1, 3, 2], String::new())
    );
    assert_eq!(
        faces_of(&format!("{attributes},\"mode\":6}}")),
        ("fan", vec![0, 1, 2, 0, 2, 3], String::new())
    );
    let strip = faces_of(&format!("{attributes},\"indices\":1,\"mode\":5}}"));
    assert_eq!(strip, ("strip", vec![0, 1, 2, 1, 0, 2, 2, 0, 2, 0, 3, 2], String::new()));
    let fan = faces_of(&format!("{attributes},\"indices\":1,\"mode\":6}}"));
    assert_eq!(fan, ("fan", vec![0, 1, 2, 0, 2, 0, 0, 0, 2, 0, 2, 3], String::new()));
}

#[test]
fn what_has_no_faces_is_noted() {
    let primitives = format!(
        r#"{{"attributes":{{"POSITION":0}},"mode":0}},{{"attributes":{{"POSITION":0}},"mode":1}},{{"attributes":{{}}}},{SQUARE}"#
    );
    let read = read(&square(r#"{"name":"n","mesh":0}"#, &primitives));
    let notes: Vec<String> = read.notes.iter().map(ToString::to_string).collect();
    let expected = [
        "/meshes/0/primitives/0: 1 primitives of points left out",
        "/meshes/0/primitives/1: 1 primitives of lines left out",
        "/meshes/0/primitives/2: 1 primitives without positions left out",
    ];
    assert_eq!(notes, expected);
    assert_eq!((read.nodes[0].name.as_str(), read.meshes[0].primitives[0].primitive), ("n", 3));
    let left_out: Vec<usize> = read.notes.iter().map(impinge_formats::Note::left_out_count).collect();
    assert_eq!(left_out, [0, 0, 1]);
}

/// A document of one mesh over accessors and views that the test describes, all in one buffer.
fn custom(primitive: &str, more: &str, accessors: &str, views: &[(&[u8], &str)]) -> String {
    let (mut buffer, mut described) = (Vec::new(), Vec::new());
    for (bytes, extra) in views {
        described.push(format!(
            r#"{{"buffer":0,"byteOffset":{},"byteLength":{}{extra}}}"#,
            buffer.len(),
            bytes.len()
        ));
        buffer.extend_from_slice(bytes);
    }
    format!(
        r#"{{"asset":{{"version":"2.0"}},"meshes":[{{"primitives":[{primitive}]}}],{more},"accessors":[{accessors}],
        "bufferViews":[{}],"buffers":[{{{}"byteLength":{}}}]}}"#,
        described.join(","),
        data_uri(&buffer),
        buffer.len()
    )
}

const TRIANGLE: [f32; 9] = [0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0, 0.0];
const NODE: &str = r#""nodes":[{"mesh":0}]"#;
const PLAIN: &str = r#"{"attributes":{"POSITION":0}}"#;

#[test]
fn strides_offsets_and_integer_types() {
    // Positions of 12 bytes in rows of 20, the first row 4 bytes in.
    let mut rows = Vec::new();
    for point in TRIANGLE.chunks(3) {
        rows.extend([9; 4]);
        rows.extend(floats(point));
        rows.extend([9; 4]);
    }
    let accessor = r#"{"bufferView":0,"byteOffset":4,"componentType":5126,"count":3,"type":"VEC3"}"#;
    let read_rows = read(&custom(PLAIN, NODE, accessor, &[(&rows, r#","byteStride":20"#)]));
    assert_eq!(vertices(&read_rows.meshes[0].mesh)[1], [1.0, 0.0, 0.0]);

    let quantized: Vec<u8> =
        [0_i16, 0, 0, i16::MAX, -3, 0, i16::MIN, 1, 0].iter().flat_map(|value| value.to_le_bytes()).collect();
    let accessor = r#"{"bufferView":0,"componentType":5122,"count":3,"type":"VEC3"}"#;
    let read_raw = read(&custom(PLAIN, NODE, accessor, &[(&quantized, "")]));
    assert_eq!(vertices(&read_raw.meshes[0].mesh)[1], [32767.0, -3.0, 0.0]);
    let accessor = r#"{"bufferView":0,"componentType":5122,"normalized":true,"count":3,"type":"VEC3"}"#;
    let read_unit = read(&custom(PLAIN, NODE, accessor, &[(&quantized, "")]));
    assert_eq!(vertices(&read_unit.meshes[0].mesh)[1], [1.0, -3.0 / 32767.0, 0.0]);
    assert_eq!(vertices(&read_unit.meshes[0].mesh)[2][0], -1.0);
}

#[test]
fn sparse_accessors_replace_elements_or_fill_zeros() {
    let (base, new) = (floats(&TRIANGLE), floats(&[7.0, 8.0, 9.0]));
    let sparse =
        r#""sparse":{"count":1,"indices":{"bufferView":1,"componentType":5121},"values":{"bufferView":2}}"#;
    let views: &[(&[u8], &str)] = &[(&base, ""), (&[2], ""), (&new, "")];
    let over = format!(r#"{{"bufferView":0,"componentType":5126,"count":3,"type":"VEC3",{sparse}}}"#);
    let found = read(&custom(PLAIN, NODE, &over, views));
    assert_eq!(vertices(&found.meshes[0].mesh), [[0.0; 3], [1.0, 0.0, 0.0], [7.0, 8.0, 9.0]]);
    let zeros = format!(r#"{{"componentType":5126,"count":3,"type":"VEC3",{sparse}}}"#);
    let found = read(&custom(PLAIN, NODE, &zeros, views));
    assert_eq!(vertices(&found.meshes[0].mesh), [[0.0; 3], [0.0; 3], [7.0, 8.0, 9.0]]);
    let views: &[(&[u8], &str)] = &[(&base, ""), (&[3], ""), (&new, "")];
    let expected = "/accessors/0: a sparse index is 3, but there are 3 elements";
    assert_eq!(fails(&custom(PLAIN, NODE, &over, views)), expected);
}

#[test]
fn morph_targets_have_their_default_weights() {
    let base = floats(&TRIANGLE);
    let target = floats(&[0.0, 0.0, 1.0, 0.0, 0.0, 2.0, 0.0, 0.0, 4.0]);
    let accessors = r#"{"bufferView":0,"componentType":5126,"count":3,"type":"VEC3"},
        {"bufferView":1,"componentType":5126,"count":3,"type":"VEC3"}"#;
    let primitive = r#"{"attributes":{"POSITION":0},"targets":[{"POSITION":1},{"NORMAL":1}]}"#;
    let nodes = r#""nodes":[{"mesh":0},{"mesh":0,"weights":[0.5,1]},{"mesh":0}]"#;
    let document = custom(primitive, nodes, accessors, &[(&base, ""), (&target, "")]);
    let heights = |document: &str| -> Vec<f64> {
        let read = read(document);
        read.nodes.iter().map(|node| vertices(&read.meshes[node.mesh].mesh)[2][2]).collect()
    };
    assert_eq!(heights(&document), [0.0, 2.0, 0.0]);
    let weighted = document.replace(r#""primitives":"#, r#""weights":[2],"primitives":"#);
    assert_eq!(heights(&weighted), [8.0, 2.0, 8.0]);
    assert_eq!(read(&weighted).meshes.len(), 2);
    let short = document.replace(
        r#"{"bufferView":1,"componentType":5126,"count":3"#,
        r#"{"bufferView":1,"componentType":5126,"count":2"#,
    );
    assert_eq!(fails(&short), "/meshes/0/primitives/0: a morph target has 2 vertices of 3");
}

#[test]
fn skins_stand_as_their_joints_do() {
    let base = floats(&TRIANGLE);
    let joints = [0, 1, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0];
    // The second vertex has weights that do not add up to 1, the third hangs on both joints.
    let weights = floats(&[1.0, 0.0, 0.0, 0.0, 0.5, 0.0, 0.0, 0.0, 0.25, 0.75, 0.0, 0.0]);
    let mut bind = floats(&[1.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 1.0]);
    bind.extend(floats(&[1.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0, -1.0, 0.0, 0.0, 1.0]));
    let accessors = r#"{"bufferView":0,"componentType":5126,"count":3,"type":"VEC3"},
        {"bufferView":1,"componentType":5121,"count":3,"type":"VEC4"},
        {"bufferView":2,"componentType":5126,"count":3,"type":"VEC4"},
        {"bufferView":3,"componentType":5126,"count":2,"type":"MAT4"}"#;
    let primitive = r#"{"attributes":{"POSITION":0,"JOINTS_0":1,"WEIGHTS_0":2}}"#;
    let nodes = r#""skins":[{"joints":[1,2],"inverseBindMatrices":3}],
        "nodes":[{"mesh":0,"skin":0,"translation":[50,50,50]},{"translation":[0,0,10],"children":[2]},{"scale":[2,2,2]}]"#;
    let views: &[(&[u8], &str)] = &[(&base, ""), (&joints, ""), (&weights, ""), (&bind, "")];
    let document = custom(primitive, nodes, accessors, views);
    let found = read(&document);
    // Joint 1 is at (0, 0, 10); joint 2 scales by 2 there, after moving by (-1, 0, 0).
    let expected = [[0.0, 0.0, 10.0], [0.0, 0.0, 10.0], [-1.5, 1.75, 10.0]];
    assert_eq!(vertices(&found.meshes[0].mesh), expected);
    assert_eq!(images(&found, [1.0, 2.0, 3.0]), [[1.0, 2.0, 3.0]]);

    // Mirrored joints: the vertices stand where they should, and the placement says that they are mirrored.
    let mirrored =
        read(&document.replace(r#"{"translation":[0,0,10]"#, r#"{"scale":[1,1,-1],"translation":[0,0,10]"#));
    let instance = &mirrored.nodes[0];
    assert!(instance.world_from_mesh.matrix3.determinant() < 0.0);
    let stands =
        |vertex| instance.world_from_mesh.transform_point3(mirrored.meshes[0].mesh.vertex(vertex)).to_array();
    assert_eq!([0, 1, 2].map(stands), expected);

    let one_joint = document.replace(r#""joints":[1,2]"#, r#""joints":[1]"#);
    assert_eq!(fails(&one_joint), "/meshes/0/primitives/0: index 1 names no joint: there are 1");
    let no_node = document.replace(r#""joints":[1,2]"#, r#""joints":[1,9]"#);
    assert_eq!(fails(&no_node), "/skins/0: index 9 names no node: there are 3");
}

#[test]
fn errors_name_the_json_value() {
    let good = samples::gltf();
    let cases = [
        (
            r#""version":"2.0""#,
            r#""version":"1.0""#,
            "/asset/version: the version is 1.0; only 2 is supported",
        ),
        (r#"{"nodes":[0]}"#, r#"{"nodes":[4]}"#, "/scenes/0: index 4 names no node: there are 1"),
        (r#""scene":0"#, r#""scene":3"#, "/scene: index 3 names no scene: there are 1"),
        (r#"{"mesh":0}"#, r#"{"mesh":7}"#, "/nodes/0: index 7 names no mesh: there are 1"),
        (r#"{"mesh":0}"#, r#"{"mesh":0,"skin":0}"#, "/nodes/0: index 0 names no skin: there are 0"),
        (r#"{"mesh":0}"#, r#"{"children":[5]}"#, "/nodes/0: index 5 names no node: there are 1"),
        (r#"{"mesh":0}"#, r#"{"children":[0]}"#, "/nodes/0: the node is among its own ancestors"),
        (
            r#"{"mesh":0}"#,
            r#"{"children":[1]},{"mesh":0},{"children":[1]}"#,
            "/nodes/1: the node is a child of both 0 and 2",
        ),
        (
            r#"{"mesh":0}"#,
            r#"{"mesh":0},{"children":[0]}"#,
            "/scenes/0: node 0 is a root of the scene, but also a child of node 1",
        ),
        (r#"{"mesh":0}"#, r#"{"rotation":[0,0,0,0]}"#, "/nodes/0: the rotation 0 0 0 0 is no direction"),
        (
            r#"{"mesh":0}"#,
            r#"{"matrix":[1,0,0,0,0,1,0,0,0,0,1,0,0,0,0,0]}"#,
            "/nodes/0: the last row of the matrix is not 0 0 0 1",
        ),
        (
            r#"{"mesh":0}"#,
            r#"{"scale":[1e300,1,1],"children":[1]},{"scale":[1e300,1,1]}"#,
            "/nodes/1: the transforms overflow",
        ),
        (r#"{"mesh":0}"#, "{}", "has no faces"),
        (
            r#""POSITION":0"#,
            r#""POSITION":5"#,
            "/meshes/0/primitives/0: index 5 names no accessor: there are 2",
        ),
        (
            r#""POSITION":0"#,
            r#""POSITION":1"#,
            "/accessors/1: the type is `SCALAR`, but /meshes/0/primitives/0 needs `VEC3`",
        ),
        (r#""indices":1"#, r#""indices":0"#, "/accessors/0: the component type of indices is 5126"),
        (
            r#""indices":1"#,
            r#""indices":1,"mode":7"#,
            "/meshes/0/primitives/0: the mode is 7, which is none of glTF's",
        ),
        (
            r#""count":4"#,
            r#""count":5"#,
            "/accessors/0: an accessor of 5 elements needs 60 bytes, but only 48 are left",
        ),
        (r#""count":4"#, r#""count":3"#, "/accessors/1: index 3 names no vertex: there are 3"),
        ("5126", "5124", "/accessors/0: the component type is 5124, which is none of glTF's"),
        (
            r#"{"bufferView":0"#,
            r#"{"bufferView":2"#,
            "/accessors/0: index 2 names no buffer view: there are 2",
        ),
        (
            r#"{"buffer":0,"byteLength":48"#,
            r#"{"buffer":1,"byteLength":48"#,
            "/bufferViews/0: index 1 names no buffer: there are 1",
        ),
        (
            r#""byteLength":48"#,
            r#""byteLength":48,"byteStride":8"#,
            "/accessors/0: elements of 12 bytes stand only 8 bytes apart",
        ),
        (
            r#""byteOffset":48"#,
            r#""byteOffset":49"#,
            "/bufferViews/1: the view of 12 bytes at 49 needs 61 bytes, but only 60 are left",
        ),
        (
            r#""byteLength":60"#,
            r#""byteLength":61"#,
            "/buffers/0: the buffer needs 61 bytes, but only 60 are left",
        ),
        (";base64,", ";base64,?", "/buffers/0: the base64 data is wrong: Invalid symbol 63, offset 0."),
        (";base64,", ",", "/buffers/0: the data URI is not in base64"),
        (
            r#""meshes""#,
            r#""extensionsRequired":["VENDOR_terrain"],"meshes""#,
            "/extensionsRequired: the file requires the extension VENDOR_terrain, which is not read; export the model without it from \
             the program that made it",
        ),
    ];
    for (from, to, expected) in cases {
        let changed = good.replacen(from, to, 1);
        assert_ne!(changed, good, "{from}");
        assert_eq!(fails(&changed), expected, "{to}");
    }
    let nan = square_document(&data_uri(&floats(&[f32::NAN; 15])), r#"{"mesh":0}"#, SQUARE);
    assert_eq!(fails(&nan), "/accessors/0: a component of element 0 is NaN, which is not a finite number");
}

#[test]
fn broken_json_is_placed_by_line_or_byte() {
    let broken = samples::gltf().replace(r#""count":4"#, r#""count":-4"#);
    let message = fails(&broken);
    assert!(message.starts_with("line 3: the JSON is wrong: invalid value: integer `-4`"), "{message}");
    let json = broken.replace(&data_uri(&square_buffer()), "");
    let message = error(glb_of(&json, &square_buffer()), Format::Glb);
    let place: usize =
        message.strip_prefix("bad.file: byte ").unwrap().split(':').next().unwrap().parse().unwrap();
    assert_eq!(place, 20 + json.find("-4").unwrap() + 1);
}

#[test]
fn broken_containers_are_placed_by_byte() {
    let good = samples::glb();
    let with = |at: usize, new: &[u8]| {
        let mut bytes = good.clone();
        bytes[at..at + new.len()].copy_from_slice(new);
        error(bytes, Format::Glb).strip_prefix("bad.file: ").unwrap().to_owned()
    };
    assert_eq!(with(0, b"FTlg"), "byte 0: the file starts neither with `{` nor with `glTF`");
    assert_eq!(with(4, &[1]), "byte 4: the version is 1; only 2 is supported");
    assert_eq!(with(8, &8_u32.to_le_bytes()), "byte 8: the length of the file is 8, less than its header's");
    let expected =
        format!("byte 8: the file by its own header needs 9999 bytes, but only {} are left", good.len());
    assert_eq!(with(8, &9999_u32.to_le_bytes()), expected);
    assert_eq!(with(16, b"BIN\0"), "byte 12: the first chunk is not JSON");
    let expected = format!("byte 20: a chunk needs 4294967295 bytes, but only {} are left", good.len() - 20);
    assert_eq!(with(12, &[0xff; 4]), expected);
    let binary_length = good.len() - 60 - 8;
    let cut = error(&good[..8], Format::Glb);
    assert_eq!(cut, "bad.file: byte 8: the length of the file needs 4 bytes, but only 0 are left");
    let other_chunk = {
        let mut bytes = good.clone();
        bytes[binary_length + 4..binary_length + 8].copy_from_slice(b"WHAT");
        error(bytes, Format::Glb)
    };
    assert_eq!(other_chunk, "bad.file: /buffers/0: the buffer has neither a URI nor a binary chunk");
}

#[test]
fn extensions_that_are_not_required_are_noted() {
    let document = samples::gltf().replacen(
        r#""meshes""#,
        r#""extensionsUsed":["KHR_materials_unlit","VENDOR_terrain"],"extensionsRequired":["KHR_mesh_quantization"],"meshes""#,
        1,
    );
    let notes: Vec<String> = read(&document).notes.iter().map(ToString::to_string).collect();
    assert_eq!(notes, ["/extensionsUsed: 1 uses of the extension VENDOR_terrain left out"]);
}

/// A triangle whose node has a parent that slides, turns and grows, and morph targets whose weights change.
fn animated() -> String {
    let base = floats(&TRIANGLE);
    let target = floats(&[0.0, 0.0, 1.0, 0.0, 0.0, 2.0, 0.0, 0.0, 4.0]);
    let times = floats(&[0.0, 1.0]);
    let slide = floats(&[0.0, 0.0, 0.0, 4.0, 0.0, 0.0]);
    // Half a turn about z, not quite of length 1.
    let turn = floats(&[0.0, 0.0, 0.0, 2.0, 0.0, 0.0, 1.0, 0.0]);
    let grow =
        floats(&[0.0, 0.0, 0.0, 1.0, 1.0, 1.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 3.0, 3.0, 3.0, 0.0, 0.0, 0.0]);
    let weights = floats(&[0.0, 1.0]);
    let scalar = |view: usize, count: usize| {
        format!(r#"{{"bufferView":{view},"componentType":5126,"count":{count},"type":"SCALAR"}}"#)
    };
    let vectors = |view: usize, count: usize, shape: &str| {
        format!(r#"{{"bufferView":{view},"componentType":5126,"count":{count},"type":"{shape}"}}"#)
    };
    let accessors = [
        vectors(0, 3, "VEC3"),
        vectors(1, 3, "VEC3"),
        scalar(2, 2),
        vectors(3, 2, "VEC3"),
        vectors(4, 2, "VEC4"),
        vectors(5, 6, "VEC3"),
        scalar(6, 2),
    ];
    let primitive = r#"{"attributes":{"POSITION":0},"targets":[{"POSITION":1}]}"#;
    let more = r#""nodes":[{"children":[1],"translation":[9,9,9]},{"mesh":0,"translation":[0,1,0]}],
        "animations":[{"name":"work","samplers":[
            {"input":2,"output":3,"interpolation":"STEP"},{"input":2,"output":4},
            {"input":2,"output":5,"interpolation":"CUBICSPLINE"},{"input":2,"output":6}],
        "channels":[{"sampler":0,"target":{"node":0,"path":"translation"}},
            {"sampler":1,"target":{"node":0,"path":"rotation"}},
            {"sampler":2,"target":{"node":0,"path":"scale"}},
            {"sampler":3,"target":{"node":1,"path":"weights"}},
            {"sampler":3,"target":{"path":"pointer"}}]},
        {"samplers":[{"input":2,"output":3}],"channels":[{"sampler":0,"target":{"node":1,"path":"translation"}}]}]"#;
    let views: [(&[u8], &str); 7] =
        [(&base, ""), (&target, ""), (&times, ""), (&slide, ""), (&turn, ""), (&grow, ""), (&weights, "")];
    custom(primitive, more, &accessors.join(","), &views)
}

#[test]
fn animations_move_nodes_and_weights() {
    let read = read(&animated());
    // At rest nothing of it shows.
    assert_eq!(images(&read, [0.0; 3]), [[9.0, 10.0, 9.0]]);
    let [work, slide] = read.animations.as_slice() else { panic!("{} animations", read.animations.len()) };
    assert_eq!([&*work.name, &*slide.name], ["work", "animation 1"]);
    assert_eq!(work.duration(), 1.0);
    let at = |time: f64| work.rig.world_from_joint(1, time).transform_point3([0.0; 3].into());
    // The parent has not jumped yet, is turned by a quarter and is twice as large.
    assert!(at(0.5).distance([-2.0, 0.0, 0.0].into()) < 1e-12, "{}", at(0.5));
    assert!(at(1.0).distance([4.0, -3.0, 0.0].into()) < 1e-12, "{}", at(1.0));
    assert_eq!(slide.rig.world_from_joint(1, 0.25).translation.to_array(), [10.0, 9.0, 9.0]);
    let deformation = read.meshes[0].deformation.as_ref().expect("morph targets");
    assert_eq!((deformation.targets(), deformation.has_skin(), work.weights[0].node), (1, false, 1));
    let weight = work.weights[0].tracks[0].at(0.5).x;
    let moved = deformation.vertices(&work.rig, Some(vec![weight]), 0.5);
    assert_eq!(moved[2].to_array(), [0.0, 1.0, 2.0]);
    assert_eq!(deformation.vertices(&work.rig, None, 0.5)[2].to_array(), [0.0, 1.0, 0.0]);
    assert_eq!(read.notes[0].to_string(), "/animations/0: 1 channels that move no node left out");
}

#[test]
fn skins_follow_their_joints() {
    let base = floats(&TRIANGLE);
    let joints = [0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0];
    let weights = floats(&[1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0]);
    let (times, ways) = (floats(&[0.0, 2.0]), floats(&[0.0, 0.0, 0.0, 0.0, 0.0, 8.0]));
    let accessors = r#"{"bufferView":0,"componentType":5126,"count":3,"type":"VEC3"},
        {"bufferView":1,"componentType":5121,"count":3,"type":"VEC4"},
        {"bufferView":2,"componentType":5126,"count":3,"type":"VEC4"},
        {"bufferView":3,"componentType":5126,"count":2,"type":"SCALAR"},
        {"bufferView":4,"componentType":5126,"count":2,"type":"VEC3"}"#;
    let more = r#""skins":[{"joints":[1,2]}],"nodes":[{"mesh":0,"skin":0},{"children":[2]},{}],
        "animations":[{"samplers":[{"input":3,"output":4}],"channels":[{"sampler":0,"target":{"node":2,"path":"translation"}}]}]"#;
    let primitive = r#"{"attributes":{"POSITION":0,"JOINTS_0":1,"WEIGHTS_0":2}}"#;
    let views: &[(&[u8], &str)] = &[(&base, ""), (&joints, ""), (&weights, ""), (&times, ""), (&ways, "")];
    let read = read(&custom(primitive, more, accessors, views));
    let deformation = read.meshes[0].deformation.as_ref().expect("a skin");
    assert_eq!(deformation.joints(), [1, 2]);
    let moved = deformation.vertices(&read.animations[0].rig, None, 1.0);
    assert_eq!(moved.iter().map(|vertex| vertex.z).collect::<Vec<_>>(), [0.0, 0.0, 4.0]);
}

#[test]
fn errors_in_animations_name_the_channel() {
    let good = animated();
    for (from, to, message) in [
        (
            r#""node":0,"path":"translation""#,
            r#""node":7,"path":"translation""#,
            "/animations/0/channels/0: index 7 names no node: there are 2",
        ),
        (
            r#""channels":[{"sampler":0"#,
            r#""channels":[{"sampler":9"#,
            "/animations/0/channels/0: index 9 names no sampler: there are 4",
        ),
        (
            "STEP",
            "SPLINE",
            "/animations/0/channels/0: the interpolation is `SPLINE`, which is none of glTF's",
        ),
        (
            r#","interpolation":"CUBICSPLINE""#,
            "",
            "/animations/0/channels/2: there are 6 values where the keys need 2",
        ),
        (
            r#"{"input":2,"output":6}"#,
            r#"{"input":2,"output":3}"#,
            "/accessors/3: the type is `VEC3`, but /animations/0/channels/3 needs `SCALAR`",
        ),
        (
            r#""translation":[9,9,9]"#,
            r#""matrix":[1,0,0,0,0,1,0,0,0,0,1,0,0,0,0,1]"#,
            "/animations/0/channels/0: node 0 has a matrix, and what is animated must not have one",
        ),
    ] {
        let bad = good.replacen(from, to, 1);
        assert_ne!(bad, good, "{from}");
        assert_eq!(fails(&bad), message);
    }
}
