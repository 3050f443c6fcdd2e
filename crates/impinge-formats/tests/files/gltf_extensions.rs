//! Extensions of glTF that say where surfaces are: instances, visibility, and those that are refused.

use crate::samples::{SQUARE, data_uri, error, floats, scene, square_buffer};
use impinge_formats::{Format, Scene, read_bytes, read_mesh_bytes};

/// An accessor over bytes of its own.
pub(crate) struct Column {
    pub(crate) bytes: Vec<u8>,
    pub(crate) component: u32,
    pub(crate) count: usize,
    pub(crate) shape: &'static str,
    pub(crate) normalized: bool,
}

impl Column {
    fn floats(values: &[f32], shape: &'static str) -> Column {
        let width = if shape == "VEC4" { 4 } else { 3 };
        Column {
            bytes: floats(values),
            component: 5126,
            count: values.len() / width,
            shape,
            normalized: false,
        }
    }
}

/// The square as accessors 0 and 1, and columns as those from 2 on.
fn document(nodes: &str, primitive: &str, columns: &[Column]) -> String {
    let mut buffer = square_buffer();
    let mut views = r#"{"buffer":0,"byteLength":48},{"buffer":0,"byteOffset":48,"byteLength":12}"#.to_owned();
    let mut accessors = r#"{"bufferView":0,"componentType":5126,"count":4,"type":"VEC3"},
        {"bufferView":1,"componentType":5123,"count":6,"type":"SCALAR"}"#
        .to_owned();
    for (number, column) in columns.iter().enumerate() {
        views +=
            &format!(r#",{{"buffer":0,"byteOffset":{},"byteLength":{}}}"#, buffer.len(), column.bytes.len());
        accessors += &format!(
            r#",{{"bufferView":{},"componentType":{},"count":{},"type":"{}","normalized":{}}}"#,
            number + 2,
            column.component,
            column.count,
            column.shape,
            column.normalized
        );
        buffer.extend(&column.bytes);
        buffer.resize(buffer.len().next_multiple_of(4), 0);
    }
    format!(
        r#"{{"asset":{{"version":"2.0"}},"scene":0,"scenes":[{{"nodes":[0]}}],"nodes":[{nodes}],
"meshes":[{{"name":"square","primitives":[{primitive}]}}],"accessors":[{accessors}],"bufferViews":[{views}],
"buffers":[{{{}"byteLength":{}}}]}}"#,
        data_uri(&buffer),
        buffer.len()
    )
}

fn instanced(attributes: &str) -> String {
    format!(
        r#"{{"name":"bolt","mesh":0,"translation":[0,0,9],"scale":[2,2,2],
        "extensions":{{"EXT_mesh_gpu_instancing":{{"attributes":{{{attributes}}}}}}}}}"#
    )
}

fn read(document: &str) -> Scene {
    scene(document, Format::Gltf)
}

fn fails(document: &str) -> String {
    error(document, Format::Gltf).strip_prefix("bad.file: ").unwrap().to_owned()
}

/// Where the instances put a point.
fn images(scene: &Scene, point: [f64; 3]) -> Vec<[f64; 3]> {
    let image = |i: &impinge_formats::Instance| i.world_from_mesh.transform_point3(point.into()).to_array();
    scene.nodes.iter().map(image).collect()
}

fn names(scene: &Scene) -> Vec<&str> {
    scene.nodes.iter().map(|node| node.name.as_str()).collect()
}

fn three() -> Column {
    Column::floats(&[0.0, 0.0, 0.0, 10.0, 0.0, 0.0, 0.0, 20.0, 0.0], "VEC3")
}

#[test]
fn every_instance_is_a_part_of_its_own() {
    let half = std::f32::consts::FRAC_1_SQRT_2;
    let columns = [
        three(),
        // None, a quarter around z, and one that is twice too long.
        Column::floats(&[0.0, 0.0, 0.0, 1.0, 0.0, 0.0, half, half, 0.0, 0.0, 2.0, 2.0], "VEC4"),
        Column::floats(&[1.0, 1.0, 1.0, 3.0, 1.0, 1.0, 1.0, 1.0, -1.0], "VEC3"),
    ];
    let read = read(&document(&instanced(r#""TRANSLATION":2,"ROTATION":3,"SCALE":4"#), SQUARE, &columns));
    assert_eq!(names(&read), ["bolt#0", "bolt#1", "bolt#2"]);
    assert_eq!(read.meshes.len(), 1);
    assert!(read.nodes.iter().all(|node| node.node == Some(0) && node.mesh == 0));
    assert_eq!(read.nodes.iter().map(|node| node.copy).collect::<Vec<_>>(), [Some(0), Some(1), Some(2)]);
    // First the instance, then the node, whose scale is 2.
    let expected = [[2.0, 4.0, 15.0], [16.0, 6.0, 15.0], [-4.0, 42.0, 3.0]];
    for (found, expected) in images(&read, [1.0, 2.0, 3.0]).iter().zip(expected) {
        let off = found.iter().zip(expected).map(|(found, expected)| (found - expected).abs());
        assert!(off.fold(0.0, f64::max) < 1e-6, "{found:?} {expected:?}");
    }
    // Where an instance stands in its node is known, so that a node which moves takes it along.
    let local = read.nodes[1].node_from_mesh.transform_point3([0.0, 0.0, 0.0].into());
    assert_eq!(local.to_array(), [10.0, 0.0, 0.0]);
    assert!(read.notes.is_empty(), "{:?}", read.notes);
}

#[test]
fn instances_in_one_mesh_are_all_there() {
    let read = document(&instanced(r#""TRANSLATION":2"#), SQUARE, &[three()]);
    let loaded = read_mesh_bytes(read.as_bytes(), Format::Gltf, "good").unwrap();
    assert_eq!(loaded.mesh.face_count(), 6);
    let names: Vec<&str> = loaded.origins.iter().map(|origin| origin.name.as_str()).collect();
    assert_eq!(names, ["bolt#0", "bolt#1", "bolt#2"]);
}

#[test]
fn rotations_of_instances_may_be_normalized_integers() {
    let quarter = |bytes: Vec<u8>, component: u32| Column {
        bytes,
        component,
        count: 1,
        shape: "VEC4",
        normalized: true,
    };
    let shorts: Vec<u8> = [0_i16, 0, 23170, 23170].iter().flat_map(|value| value.to_le_bytes()).collect();
    for column in [quarter(vec![0, 0, 90, 90], 5120), quarter(shorts, 5122)] {
        let read = read(&document(&instanced(r#""ROTATION":2"#), SQUARE, &[column]));
        assert_eq!(names(&read), ["bolt#0"]);
        let [x, y, z] = images(&read, [1.0, 0.0, 0.0])[0];
        assert!(x.abs() < 1e-12 && (y - 2.0).abs() < 1e-12 && z == 9.0, "{x} {y} {z}");
    }
}

#[test]
fn names_of_instances_stay_unique() {
    let nodes = format!(
        r#"{{"children":[1,2,3,4]}},{},{},{{"name":"nut#0","mesh":0}},{}"#,
        instanced(r#""TRANSLATION":2"#),
        instanced(r#""TRANSLATION":2"#),
        instanced(r#""_ID":2"#).replace("bolt", "nut")
    );
    let primitives = format!("{SQUARE},{SQUARE}");
    let read = read(&document(&nodes, &primitives, &[three()]));
    let found = names(&read);
    let bolts = ["bolt#0", "bolt#1", "bolt#2", "bolt#0#2", "bolt#1#2", "bolt#2#2"];
    assert_eq!(found, [&bolts[..], &["nut#0", "nut#0#2", "nut#1", "nut#2"]].concat());
    assert_eq!((read.nodes[3].shared_path(), read.nodes[3].number), ("bolt#0", Some(2)));
    // Two primitives are one mesh, which all share.
    assert_eq!((read.meshes.len(), read.meshes[0].primitives.len()), (1, 2));
}

#[test]
fn bad_instances_are_refused_with_their_place() {
    let place = "/nodes/0/extensions/EXT_mesh_gpu_instancing/attributes";
    let two = || Column::floats(&[1.0; 6], "VEC3");
    let of = |attributes: &str, columns: &[Column]| fails(&document(&instanced(attributes), SQUARE, columns));
    let cases = [
        (of(r#""TRANSLATION":7"#, &[]), format!("{place}: index 7 names no accessor: there are 2")),
        (
            of(r#""TRANSLATION":2,"SCALE":3"#, &[three(), two()]),
            format!("{place}: SCALE has 2 elements, but TRANSLATION has 3"),
        ),
        (
            of(r#""TRANSLATION":1"#, &[]),
            format!("{place}: the component type of TRANSLATION is 5123, not 5126 (floats)"),
        ),
        (
            of(r#""ROTATION":2"#, &[three()]),
            format!("/accessors/2: the type is `VEC3`, but {place} needs `VEC4`"),
        ),
        (
            of(r#""ROTATION":2"#, &[Column { component: 5120, shape: "VEC4", ..three() }]),
            format!(
                "{place}: the component type of ROTATION is 5120, not 5126 (floats), or normalized 5120 or 5122"
            ),
        ),
        (
            of(r#""ROTATION":2"#, &[Column::floats(&[0.0; 4], "VEC4")]),
            format!("{place}: of instance 0, the rotation 0 0 0 0 is no direction"),
        ),
        (of("", &[]), format!("{place}: there is no instance: no attribute has an element")),
        (
            of(r#""SCALE":2"#, &[Column { count: 0, ..three() }]),
            format!("{place}: there is no instance: no attribute has an element"),
        ),
        (
            of(r#""SCALE":2"#, &[Column::floats(&[1.0, f32::NAN, 1.0], "VEC3")]),
            "/accessors/2: a component of element 0 is NaN, which is not a finite number".to_owned(),
        ),
        (
            of(r#""SCALE":2"#, &[Column { count: 4, ..three() }]),
            "/accessors/2: an accessor of 4 elements needs 48 bytes, but only 36 are left".to_owned(),
        ),
    ];
    for (found, expected) in cases {
        assert_eq!(found, expected);
    }
}

#[test]
fn instances_without_bound_are_refused() {
    // One accessor for the instances of many nodes, and a name that is long.
    let node = instanced(r#""TRANSLATION":2"#).replace("bolt", &"x".repeat(4000));
    let children: Vec<String> = (1..200).map(|node| node.to_string()).collect();
    let nodes = format!(r#"{{"children":[{}]}}{}"#, children.join(","), format!(",{node}").repeat(199));
    let column = Column::floats(&[0.0; 9000], "VEC3");
    let error = read_bytes(document(&nodes, SQUARE, &[column]).as_bytes(), Format::Gltf, "many").unwrap_err();
    assert!(error.to_string().contains("far more than the file has bytes"), "{error}");
}

#[test]
fn hidden_nodes_and_all_below_are_left_out_and_counted() {
    let hidden = r#""extensions":{"KHR_node_visibility":{"visible":false}}"#;
    let visible = r#""extensions":{"KHR_node_visibility":{"visible":true}}"#;
    // A hidden group with a mesh below it that claims to be visible, a hidden mesh, and two that are seen.
    let nodes = format!(
        r#"{{"children":[1,3,4,5]}},{{"children":[2],{hidden}}},{{"name":"below","mesh":0,{visible}}},
        {{"name":"hidden","mesh":0,{hidden}}},{{"name":"plain","mesh":0}},
        {{"name":"visible","mesh":0,"extensions":{{"KHR_node_visibility":{{}}}}}},
        {{"name":"elsewhere","mesh":0,{hidden}}}"#
    );
    let document = document(&nodes, SQUARE, &[]);
    let read = read(&document);
    assert_eq!(names(&read), ["plain", "visible"]);
    let notes: Vec<String> = read.notes.iter().map(ToString::to_string).collect();
    assert_eq!(notes, ["/nodes/2: 2 nodes with meshes that are not visible left out"]);
    let required =
        document.replacen(r#""scene":0"#, r#""extensionsRequired":["KHR_node_visibility"],"scene":0"#, 1);
    assert_eq!(scene(&required, Format::Gltf).nodes.len(), 2);
    let all = document.replace(r#""children":[1,3,4,5]"#, r#""children":[1,3]"#);
    let expected = "/nodes/2: there is no face that is visible: this node and maybe others are hidden by KHR_node_visibility";
    assert_eq!(fails(&all), expected);
}
