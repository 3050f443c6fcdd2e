//! `impinge distance`: documents, sentences, limits, poses.

use serde_json::{Value, json};

use crate::support::{Folder, Run, TRIANGLE};

/// A folder with a cube from -1 to 1.
fn cube(name: &str) -> Folder {
    let folder = Folder::new(name);
    folder.make("box --triangles 12 cube.obj");
    folder
}

fn distance(folder: &Folder, arguments: &str) -> Run {
    folder.run(&format!("distance {arguments} --json"))
}

#[test]
fn the_document_is_to_the_letter() {
    let folder = Folder::new("distance-letter");
    folder.write("flat.obj", format!("# first\n{TRIANGLE}v 9 9 9\nv 9 8 9\nv 8 9 9\nf 4 5 6\n"));
    folder.write("pin.obj", "v 5 5 5\nv 1 1 2\nv 5 5 9\nf 1 2 3\n");
    let run = distance(&folder, "flat.obj pin.obj");
    assert!(
        run.stdout.starts_with("{\"schema\":1,\"distance\":2.0,\"point_a\":[1.0,1.0,0.0],"),
        "{}",
        run.stdout
    );
    let found = json!({
        "schema": 1,
        "distance": 2.0,
        "point_a": [1.0, 1.0, 0.0],
        "point_b": [1.0, 1.0, 2.0],
        "feature_a": { "kind": "face", "index": 0 },
        "feature_b": { "kind": "vertex", "index": 1 },
    });
    assert_eq!(run.json(0), found);
    // Beside an edge, which has its lesser vertex first.
    folder.write("side.obj", "v 5 -9 5\nv 1 -3 0\nv 5 -9 -5\nf 1 2 3\n");
    let beside = distance(&folder, "flat.obj side.obj").json(0);
    assert_eq!(beside["distance"], 3.0);
    assert_eq!(beside["feature_a"], json!({ "kind": "edge", "vertices": [0, 1], "face": 0 }));
    assert_eq!(beside["point_a"], json!([1.0, 0.0, 0.0]));
    let text = folder.run("distance flat.obj side.obj --unit mm").expect(0);
    let lines: Vec<&str> = text.lines().collect();
    assert_eq!(
        lines,
        [
            "flat.obj and side.obj are 3 mm apart.",
            "  flat.obj  (1, 0, 0), edge 0–1 of face 0",
            "  side.obj  (1, -3, 0), vertex 1",
        ]
    );
}

#[test]
fn zero_exactly_when_check_finds_something() {
    let folder = cube("distance-zero");
    for (place, inside) in [
        ("--translate-b 2,0,0", false),
        ("--translate-b 1,0,0", false),
        ("--translate-b 2,2,2", false),
        ("--scale-b 0.5", true),
        ("--translate-b 0,0,0", false),
    ] {
        let found = distance(&folder, &format!("cube.obj cube.obj {place}")).json(1);
        assert_eq!((&found["distance"], &found["point_a"]), (&json!(0.0), &found["point_b"]), "{place}");
        assert_eq!(found["feature_a"].is_null() && found["feature_b"].is_null(), inside, "{found}");
        folder.run(&format!("check cube.obj cube.obj {place}")).expect(1);
    }
    let inner = distance(&folder, "cube.obj cube.obj --scale-b 0.5 --surface").json(0);
    assert_eq!(inner["distance"], 0.5);
    let text = folder.run("distance cube.obj cube.obj --scale-b 0.5").expect(1);
    assert!(text.starts_with("A (cube.obj) and B (cube.obj) meet: their distance is 0.\n"), "{text}");
    assert!(text.contains(", inside\n"), "{text}");
}

#[test]
fn exchanging_the_models_exchanges_the_names_only() {
    let folder = Folder::new("distance-symmetry");
    folder.make("bumpy --triangles 300 a.obj");
    folder.make("torus --triangles 300 b.obj");
    let [first, second] = [
        "a.obj b.obj --rotate-a 1,2,3,40 --translate-b 3.3,-0.1,0.2 --scale-b 1,-1.5,0.7",
        "b.obj a.obj --rotate-b 1,2,3,40 --translate-a 3.3,-0.1,0.2 --scale-a 1,-1.5,0.7",
    ]
    .map(|arguments| distance(&folder, arguments).json(0));
    let sides = |document: &Value, names: [&str; 5]| names.map(|name| document[name].clone());
    assert_eq!(
        sides(&first, ["distance", "point_a", "point_b", "feature_a", "feature_b"]),
        sides(&second, ["distance", "point_b", "point_a", "feature_b", "feature_a"])
    );
    let brute = distance(
        &folder,
        "a.obj b.obj --rotate-a 1,2,3,40 --translate-b 3.3,-0.1,0.2 --scale-b 1,-1.5,0.7 --engine brute",
    )
    .json(0);
    let [fast, slow] = [&first, &brute].map(|document| document["distance"].as_f64().expect("a distance"));
    assert!((fast - slow).abs() <= 1e-12 * slow, "{fast} {slow}");
}

#[test]
fn a_limit_tests_clearance() {
    let folder = cube("distance-limit");
    let within = distance(&folder, "cube.obj cube.obj --translate-b 5,0,0 --at-most 3").json(1);
    assert_eq!((&within["distance"], &within["at_most"]), (&json!(3.0), &json!(3.0)));
    let beyond = distance(&folder, "cube.obj cube.obj --translate-b 5,0,0 --at-most 2.5").json(0);
    let nothing = json!({
        "schema": 1, "distance": null, "point_a": null, "point_b": null, "feature_a": null, "feature_b": null,
        "at_most": 2.5,
    });
    assert_eq!(beyond, nothing);
    let text = folder.run("distance cube.obj cube.obj --translate-b 5,0,0 --at-most 2.5").expect(0);
    assert_eq!(text, "A (cube.obj) and B (cube.obj) are more than 2.5 units apart.\n");
    for (value, reason) in [
        ("-1", "-1 is no distance: it must be finite and at least 0"),
        ("inf", "inf is no distance: it must be finite and at least 0"),
        ("near", "\"near\" is not a number"),
    ] {
        let error = distance(&folder, &format!("cube.obj cube.obj --at-most {value}")).error();
        assert_eq!(error, format!("--at-most: {reason}"));
    }
}

#[test]
fn poses() {
    let folder = cube("distance-poses");
    folder.write(
        "poses.txt",
        "1 0 0 5 0 1 0 0 0 0 1 0\n1 0 0 2 0 1 0 0 0 0 1 0\n0.5 0 0 9 0 0.5 0 0 0 0 0.5 0 0 0 0 1\n",
    );
    let text = folder.run("distance cube.obj cube.obj --poses-b poses.txt --json").expect(1);
    let lines: Vec<Value> = text.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect();
    let distances: Vec<&Value> = lines.iter().map(|line| &line["distance"]).collect();
    assert_eq!(distances, [&json!(3.0), &json!(0.0), &json!(7.5)]);
    for (index, line) in lines.iter().enumerate() {
        assert_eq!(line["index"], index);
    }
    let rows = folder.run("distance cube.obj cube.obj --poses-b poses.txt --at-most 4 --unit mm").expect(1);
    let rows: Vec<&str> = rows.lines().collect();
    assert!(rows[0].starts_with("0  3 mm, ") && rows[0].contains(" and "), "{rows:?}");
    assert_eq!(rows[2], "2  more than 4 mm");
    folder.write("poses.txt", "1 0 0 5 0 1 0 0 0 0 1\n");
    let error = folder.run("distance cube.obj cube.obj --poses-b poses.txt").error();
    assert_eq!(error, "poses.txt: line 1: 11 numbers were given, but it must be 12 or 16");
}

/// Corners of triangle soups are counted through: vertex 3 · face + corner.
#[test]
fn vertices_of_stl_files() {
    let folder = Folder::new("distance-stl");
    let facet = |x: f64| {
        format!(
            "facet normal 0 0 1\nouter loop\nvertex {x} 0 0\nvertex {} 1 0\nvertex {} -1 0\nendloop\nendfacet\n",
            x - 1.0,
            x - 1.0
        )
    };
    folder.write("two.stl", format!("solid two\n{}{}endsolid two\n", facet(-5.0), facet(0.0)));
    folder.write("point.obj", "v 3 0 0\nf 1\n");
    let found = distance(&folder, "two.stl point.obj").json(0);
    assert_eq!(
        (&found["distance"], &found["feature_a"]),
        (&json!(3.0), &json!({ "kind": "vertex", "index": 3 }))
    );
    assert_eq!(found["feature_b"], json!({ "kind": "vertex", "index": 0 }));
}
