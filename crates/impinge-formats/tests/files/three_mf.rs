//! 3MF: objects, components, items, units, paths, and what errors say.

use crate::samples::{MODEL, error, faces, scene, three_mf};
use impinge::Model;
use impinge_formats::{Format, Scene};

fn package(model: &str) -> Vec<u8> {
    three_mf(&[("3D/3dmodel.model", model)])
}

fn images(scene: &Scene, point: [f64; 3]) -> Vec<[f64; 3]> {
    scene.nodes.iter().map(|node| node.world_from_mesh.transform_point3(point.into()).to_array()).collect()
}

fn fails(model: &str) -> String {
    error(package(model), Format::ThreeMf).strip_prefix("bad.file: 3D/3dmodel.model: ").unwrap().to_owned()
}

#[test]
fn items_and_components_are_placed() {
    let read = scene(package(MODEL), Format::ThreeMf);
    assert_eq!((read.format, read.unit.as_deref(), read.z_up), (Format::ThreeMf, Some("in"), true));
    assert_eq!(read.meshes.len(), 1);
    assert_eq!(faces(&read.meshes[0].mesh).len(), 4);
    assert!(Model::new(read.meshes[0].mesh.clone()).is_closed());
    let paths: Vec<&str> = read.nodes.iter().map(|node| node.path.as_str()).collect();
    assert_eq!(paths, ["pair/tip", "pair/tip#2", "tip"]);
    // Points are rows: x goes to y, and y to -x.
    assert_eq!(images(&read, [1.0, 2.0, 3.0]), [[102.0, 4.0, 6.0], [106.0, 14.0, 20.0], [1.0, 2.0, 3.0]]);
    // By whatever extension, and without relationships where the model is at its usual place.
    assert_eq!(scene(package(MODEL), Format::Zip), read);
    let bare = crate::samples::zip(&[("3D/3dmodel.model", MODEL.as_bytes())]);
    assert_eq!(scene(bare, Format::ThreeMf), read);
}

/// Beams are bodies, too: nobody may take a mesh without them for the whole.
#[test]
fn beams_of_a_lattice_are_left_out_and_counted() {
    let lattice =
        "<beamlattice><beams><beam v1=\"0\" v2=\"1\"/><beam v1=\"1\" v2=\"2\"/></beams></beamlattice></mesh>";
    let read = scene(package(&MODEL.replacen("</mesh>", lattice, 1)), Format::ThreeMf);
    let notes: Vec<String> = read.meshes[0].notes.iter().map(ToString::to_string).collect();
    assert!(notes.len() == 1 && notes[0].ends_with("2 beams of a lattice left out"), "{notes:?}");
    assert_eq!(read.meshes[0].notes[0].left_out_count(), 2);
    let start = MODEL.find("<triangles>").unwrap();
    let end = MODEL.find("</triangles>").unwrap() + "</triangles>".len();
    let bare = format!("{}{}", &MODEL[..start], &MODEL[end..]);
    let error = fails(&bare.replacen("</mesh>", lattice, 1));
    assert!(error.ends_with("a mesh of beams alone, a lattice, is not supported"), "{error}");
}

#[test]
fn paths_of_the_production_extension_are_followed() {
    let root = r#"<model xmlns="x" xmlns:p="http://schemas.microsoft.com/3dmanufacturing/production/2015/06"><resources>
        <object id="9"><components><component objectid="2" p:path="/3D/parts/a.model"/></components></object></resources>
        <build><item objectid="9"/><item objectid="1" p:path="/3D/parts/a.model"/></build></model>"#;
    let read = scene(three_mf(&[("3D/3dmodel.model", root), ("3D/parts/a.model", MODEL)]), Format::ThreeMf);
    assert_eq!((read.nodes.len(), read.unit.as_deref()), (3, Some("mm")));
    let lost = error(three_mf(&[("3D/3dmodel.model", root)]), Format::ThreeMf);
    assert_eq!(lost, "bad.file: there is no `3D/parts/a.model` in the archive");
    let out = root.replace("/3D/parts", "../../..");
    let found = error(three_mf(&[("3D/3dmodel.model", &out)]), Format::ThreeMf);
    assert!(found.contains("leads out of the package"), "{found}");
}

#[test]
fn errors_name_the_line() {
    let cases = [
        (r#"v3="1"/>"#, r#"v3="4"/>"#, "line 4: index 4 names no vertex: there are 4"),
        (r#"v3="1"/>"#, r#"v3="-1"/>"#, "line 4: v3 is `-1`, which is not a whole number"),
        (r#"v3="1"/>"#, "/>", "line 4: <triangle> has no attribute `v3`"),
        (r#"<vertex x="1""#, r#"<vertex x="inf""#, "line 3: x is inf, which is not a finite number"),
        (r#"<vertex x="1""#, r#"<vertex x="one""#, "line 3: x is `one`, which is not a number"),
        (r#"unit="inch""#, r#"unit="cubit""#, "line 2: the unit `cubit` is none of 3MF's"),
        (
            r#"transform="2 0 0 0 2 0 0 0 2 100 0 0""#,
            r#"transform="2 0 0""#,
            "line 6: <item> has 3 numbers of 12",
        ),
        (r#"transform="2 0 0 0 2 0 0 0 2 100 0 0""#, r#"transform="1e200 0 0 0 2 0 0 0 2 1e308 0 0""#, ""),
        (r#"<item objectid="1"/>"#, r#"<item objectid="7"/>"#, "line 6: there is no object with the id 7"),
        (
            r#"<component objectid="1"/>"#,
            r#"<component objectid="2"/>"#,
            "line 5: the object 2 is among its own components",
        ),
        (r#"<object id="2""#, r#"<object id="1""#, "line 5: there are two objects with the id 1"),
        ("</build></model>", "</build>", "line 1: the XML is wrong"),
    ];
    for (good, bad, message) in cases {
        assert!(MODEL.contains(good), "{good}");
        let bad = MODEL.replacen(good, bad, 1);
        if message.is_empty() {
            // Far away, but still a number.
            scene(package(&bad), Format::ThreeMf);
            continue;
        }
        let found = fails(&bad);
        assert!(found.starts_with(message), "{bad}: {found}");
    }
    assert!(fails("<x/>").starts_with("line 1: the root is <x> instead of <model>"));
    let laughs = MODEL.replacen("<model", "<!DOCTYPE a [<!ENTITY b \"ha\">]><model", 1);
    assert!(fails(&laughs).contains("the XML is wrong"));
}

#[test]
fn components_without_bound_are_refused() {
    let level = |number: usize| {
        let next = format!("<component objectid=\"{}\"/>", number - 1).repeat(2);
        format!("<object id=\"{number}\"><components>{next}</components></object>")
    };
    let levels: String = (3..50).map(level).collect();
    let bomb = MODEL.replacen("</resources>", &format!("{levels}</resources>"), 1).replacen(
        r#"<item objectid="1"/>"#,
        r#"<item objectid="49"/>"#,
        1,
    );
    assert!(fails(&bomb).contains("far more memory than the file has bytes"), "{}", fails(&bomb));
    let chain: String = (3..200)
        .map(|number| {
            format!(
                "<object id=\"{number}\"><components><component objectid=\"{}\"/></components></object>",
                number - 1
            )
        })
        .collect();
    let deep = MODEL.replacen("</resources>", &format!("{chain}</resources>"), 1).replacen(
        r#"<item objectid="1"/>"#,
        r#"<item objectid="199"/>"#,
        1,
    );
    assert!(fails(&deep).contains("nested deeper than 64 levels"), "{}", fails(&deep));
}
