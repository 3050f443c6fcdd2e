//! Classes and properties of glTF nodes and meshes.

use std::sync::Arc;

use crate::samples::{SQUARE, data_uri, error, scene, square_buffer, square_document};
use impinge_formats::{Format, Scene};

/// A document all of whose nodes are in no scene, so that all are shown.
fn document(nodes: &str) -> String {
    square_document(&data_uri(&square_buffer()), nodes, SQUARE)
        .replace(r#""scene":0,"scenes":[{"nodes":[0]}],"#, "")
}

fn read(nodes: &str) -> Scene {
    scene(document(nodes), Format::Gltf)
}

/// The class and the properties of each instance.
fn properties(nodes: &str) -> Vec<(Option<String>, String)> {
    let of = |node: &impinge_formats::Instance| {
        let values = node.properties.values.iter().map(|(name, value)| format!("{name}={value}"));
        (node.properties.class.clone(), values.collect::<Vec<_>>().join(" "))
    };
    read(nodes).nodes.iter().map(of).collect()
}

#[test]
fn names_within_names_are_joined() {
    let found = properties(
        r#"{"mesh":0,"extras":{"IfcType":"IfcWall","Pset":{"A":true,"B":{"C":1.50,"D":null}},"List":["x",2],"E":""}}"#,
    );
    let expected = "E= IfcType=IfcWall List.0=x List.1=2 Pset.A=true Pset.B.C=1.5";
    assert_eq!(found, [(Some("IfcWall".to_owned()), expected.to_owned())]);
}

#[test]
fn the_nearest_node_counts() {
    let nodes = r#"{"mesh":0},{"mesh":0,"extras":{"class":"own"}},{"children":[0,1],"extras":{"ifc_class":"above","x":1}},
        {"mesh":0,"extras":"text"},{"mesh":0,"extras":[{"class":"list"}]},{"mesh":0,"extras":{"class":7}},{"mesh":0,"extras":null}"#;
    let expected = [
        (Some("above"), "ifc_class=above x=1"),
        (Some("own"), "class=own"),
        (None, ""),
        (None, ""),
        (None, "class=7"),
        (None, ""),
    ];
    assert_eq!(
        properties(nodes),
        expected.map(|(class, values)| (class.map(str::to_owned), values.to_owned()))
    );
    let found = read(nodes);
    assert!(Arc::ptr_eq(&found.nodes[2].properties, &found.nodes[3].properties));
}

/// A long name in front of many short ones would fill any memory, and deep nesting any stack.
#[test]
fn hostile_extras_are_refused() {
    let (name, list) = ("n".repeat(1 << 20), vec!["0"; 1 << 17].join(","));
    let text = error(document(&format!(r#"{{"mesh":0,"extras":{{"{name}":[{list}]}}}}"#)), Format::Gltf);
    assert!(text.contains("/nodes/0/extras") && text.contains("bytes of memory"), "{text}");
    let deep = format!("{}{}", "[".repeat(200), "]".repeat(200));
    let text = error(document(&format!(r#"{{"mesh":0,"extras":{{"a":{deep}}}}}"#)), Format::Gltf);
    assert!(text.contains("recursion limit exceeded"), "{text}");
}
