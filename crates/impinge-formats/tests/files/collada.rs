//! COLLADA: geometries, nodes, transforms, and what errors say.

use crate::samples::{DAE, error, faces, scene, vertices};
use impinge_formats::{Format, Scene, read_mesh_bytes};

fn read(document: &str) -> Scene {
    scene(document, Format::Collada)
}

fn fails(document: &str) -> String {
    error(document, Format::Collada).strip_prefix("bad.file: ").unwrap().to_owned()
}

fn images(scene: &Scene, point: [f64; 3]) -> Vec<[f64; 3]> {
    scene.nodes.iter().map(|node| node.world_from_mesh.transform_point3(point.into()).to_array()).collect()
}

#[test]
fn nodes_place_geometries() {
    let read = read(DAE);
    assert_eq!((read.unit.as_deref(), read.z_up, read.meshes.len()), (Some("cm"), true, 2));
    let paths: Vec<&str> = read.nodes.iter().map(|node| node.path.as_str()).collect();
    assert_eq!(paths, ["outer", "outer/copy/inner", "inner"]);
    // First scaled by 2, then a quarter about z, then moved.
    assert_eq!(images(&read, [1.0, 2.0, 3.0]), [[6.0, 2.0, 6.0], [6.0, 12.0, 6.0], [1.0, 2.0, 3.0]]);
    assert_eq!(faces(&read.meshes[0].mesh), [[0, 1, 2], [0, 2, 3]]);
    assert_eq!(faces(&read.meshes[1].mesh), [[0, 1, 2, 3]]);
    assert!(read.notes.is_empty());
    let loaded = read_mesh_bytes(DAE.as_bytes(), Format::Collada, "good").unwrap();
    assert_eq!(loaded.mesh.face_count(), 4);
    assert_eq!(vertices(&loaded.mesh)[1], [10.0, 2.0, 0.0]);
    let groups: Vec<&str> = loaded.mesh.groups().iter().map(|group| group.name.as_str()).collect();
    assert_eq!(groups, ["outer", "inner", "inner"]);
}

#[test]
fn utf_16_is_read_where_its_mark_stands_first() {
    let text = DAE.replace("outer", "außen 𝄞");
    let expected = read(&text);
    for unit in [u16::to_le_bytes, u16::to_be_bytes] {
        let bytes: Vec<u8> = "\u{feff}".encode_utf16().chain(text.encode_utf16()).flat_map(unit).collect();
        assert_eq!(scene(&bytes, Format::Collada), expected);
        // Half a character at the end, and half a pair.
        for wrong in [[bytes.clone(), vec![0]].concat(), [bytes.clone(), unit(0xd834).to_vec()].concat()] {
            let error = error(&wrong, Format::Collada);
            assert_eq!(error, format!("bad.file: byte {}: the XML is not in UTF-16", bytes.len()));
        }
    }
}

#[test]
fn every_primitive_is_read() {
    let with = |primitive: &str| {
        let start = DAE.find("<polylist").unwrap();
        let end = DAE.find("<lines").unwrap();
        format!("{}{primitive}{}", &DAE[..start], &DAE[end..])
    };
    let input = r##"<input semantic="VERTEX" source="#w" offset="0"/>"##;
    for (primitive, expected) in [
        (
            format!("<tristrips count=\"1\">{input}<p>0 1 2 3</p></tristrips>"),
            vec![vec![0, 1, 2], vec![2, 1, 3]],
        ),
        (format!("<trifans count=\"1\">{input}<p>0 1 2 3</p></trifans>"), vec![vec![0, 1, 2], vec![0, 2, 3]]),
        (
            format!("<polygons count=\"2\">{input}<p>0 1 2 3</p><p>0 2 1</p></polygons>"),
            vec![vec![0, 1, 2, 3], vec![0, 2, 1]],
        ),
    ] {
        assert_eq!(faces(&read(&with(&primitive)).meshes[1].mesh), expected, "{primitive}");
    }
    let holes =
        format!("<polygons count=\"2\">{input}<p>0 1 2 3</p><ph><p>0 1 2 3</p><h>0 1 2</h></ph></polygons>");
    let read = read(&with(&holes));
    assert_eq!(read.notes[0].to_string(), "line 14: 1 polygons with holes left out");
    assert_eq!(read.notes[0].left_out_count(), 1);
}

#[test]
fn units_and_axes_are_told() {
    let unit = |text: &str| read(&DAE.replace(r#"<unit name="centimeter" meter="0.01"/>"#, text)).unit;
    assert_eq!(unit("").as_deref(), Some("m"));
    assert_eq!(unit(r#"<unit meter="0.0254"/>"#).as_deref(), Some("in"));
    assert_eq!(unit(r#"<unit meter="5.5" name="rod"/>"#).as_deref(), Some("rod"));
    assert!(!read(&DAE.replace("Z_UP", "Y_UP")).z_up);
}

#[test]
fn errors_name_the_line() {
    let cases = [
        ("<scale>2 2 2</scale>", "<scale>2 2</scale>", "line 18: <scale> has 2 numbers of 3"),
        (
            "<scale>2 2 2</scale>",
            "<scale>2 2 nan</scale>",
            "line 18: a number is NaN, which is not a finite number",
        ),
        ("<scale>2 2 2</scale>", "<scale>2 2 2 2</scale>", "line 18: <scale> has more than 3 numbers"),
        ("<rotate>0 0 1 90", "<rotate>0 0 0 90", "line 18: the axis of a rotation has no direction"),
        ("<scale>2 2 2</scale>", "<skew>1 2 3 4 5 6 7</skew>", "line 18: <skew> is not supported"),
        ("<p>0 1 2 3</p>", "<p>0 1 2 4</p>", "line 14: index 4 names no vertex: there are 4"),
        (
            "<p>0 1 2 3</p>",
            "<p>0 1 2 -1</p>",
            "line 14: a vertex is `-1`, which is not a whole number of 0 or more",
        ),
        ("<vcount>4</vcount>", "<vcount>5</vcount>", "line 14: a face of 5 corners, but 4 are left"),
        ("<vcount>4</vcount>", "<vcount>3</vcount>", "line 14: 1 corners belong to no face"),
        ("<vcount>4</vcount>", "<vcount>4 0</vcount>", "line 14: a face of 0 corners, but 0 are left"),
        ("9 3 9</p>", "9 3</p>", "line 9: 11 indices are no multiple of the 2 that a corner has"),
        ("2 9 3 9</p>", "2 9</p>", "line 9: 5 corners are no whole number of triangles"),
        (
            r#"count="4" stride="3"/>"#,
            r#"count="5" stride="3"/>"#,
            "line 12: the accessor of 5 positions needs more numbers than the 12 of its array",
        ),
        (
            r#"count="4" stride="3"/>"#,
            r#"count="18446744073709551615" stride="3"/>"#,
            "line 12: the accessor of 18446744073709551615 positions",
        ),
        (r#"count="4" stride="3"/>"#, r#"count="4" stride="2"/>"#, "line 12: the stride of positions is 2"),
        (
            "0 1 0</float_array><technique_common><",
            "0 x 0</float_array><technique_common><",
            "line 12: y is `x`, which is not a number",
        ),
        (r##"url="#q"/>"##, r##"url="#nobody"/>"##, "line 17: there is no <geometry> with the id `nobody`"),
        (r##"url="#q"/>"##, r#"url="other.dae\#q"/>"#, "line 17: `other.dae"),
        (
            r##"<instance_geometry url="#q"/>"##,
            r##"<instance_node url="#shared"/>"##,
            "line 17: the node is among its own ancestors",
        ),
        (r#"version="1.4.1""#, r#"version="1.3""#, "line 2: the version is 1.3; 1.4 and 1.5 are supported"),
        ("</scene></COLLADA>", "</scene>", "line 1: the XML is wrong"),
    ];
    for (good, bad, message) in cases {
        assert!(DAE.contains(good), "{good}");
        let found = fails(&DAE.replacen(good, &bad.replace('\\', ""), 1));
        assert!(found.starts_with(message), "{bad}: {found}");
    }
    assert!(fails("<x/>").starts_with("line 1: the root is <x> instead of <COLLADA>"));
    // Skins alone are nothing to look at.
    let skins = DAE.replace("instance_geometry", "instance_controller");
    assert_eq!(fails(&skins), "line 19: there is no face to read: 3 skins and morphs left out");
}

#[test]
fn entities_and_nodes_without_bound_are_refused() {
    let laughs =
        DAE.replacen("<COLLADA", "<!DOCTYPE a [<!ENTITY b \"ha\"><!ENTITY c \"&b;&b;&b;&b;\">]><COLLADA", 1);
    assert!(fails(&laughs).contains("the XML is wrong"), "{}", fails(&laughs));
    // Each node has the next one twice: 2^40 instances.
    let level = |number: usize| {
        let next = format!("<instance_node url=\"#n{}\"/>", number + 1).repeat(2);
        format!("<node id=\"n{number}\">{next}</node>")
    };
    let levels: String = (0..40).map(level).collect();
    let last = r##"<node id="n40"><instance_geometry url="#q"/></node>"##;
    let bomb = DAE.replacen("<library_nodes>", &format!("<library_nodes>{levels}{last}"), 1);
    let bomb = bomb.replacen(
        r##"<node><instance_node url="#shared"/></node>"##,
        r##"<node><instance_node url="#n0"/></node>"##,
        1,
    );
    assert!(fails(&bomb).contains("far more memory than the file has bytes"), "{}", fails(&bomb));
    let deep = format!("{}{}", "<node>".repeat(300), "</node>".repeat(300));
    let deep = DAE.replacen(
        "<library_visual_scenes><visual_scene id=\"s\">",
        &format!("<library_visual_scenes><visual_scene id=\"s\">{deep}"),
        1,
    );
    assert!(fails(&deep).contains("nested deeper than 128 levels"), "{}", fails(&deep));
}
