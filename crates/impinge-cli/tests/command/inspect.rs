//! `impinge inspect`: what is in a file, and what is wrong with it.

use serde_json::{Value, json};

use crate::support::{Folder, TRIANGLE};

/// A cube from 0 to 1 of six squares, in a group.
const CUBE: &str = "v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nv 0 0 1\nv 1 0 1\nv 1 1 1\nv 0 1 1\ng body\n\
    f 4 3 2 1\nf 5 6 7 8\nf 1 2 6 5\nf 2 3 7 6\nf 3 4 8 7\nf 4 1 5 8\n";

fn report(folder: &Folder, arguments: &str) -> Value {
    let document = folder.run(&format!("inspect {arguments} --json")).json(0);
    assert_eq!(document["schema"], 1);
    document["files"][0].clone()
}

fn problem(report: &Value, kind: &str) -> Value {
    let problems = report["problems"].as_array().expect("problems are a list");
    problems.iter().find(|problem| problem["kind"] == kind).cloned().unwrap_or(Value::Null)
}

#[test]
fn a_cube_field_by_field() {
    let folder = Folder::new("cube");
    folder.write("cube.obj", CUBE);
    let bounds = json!({ "min": [0.0, 0.0, 0.0], "max": [1.0, 1.0, 1.0] });
    let expected = json!({
        "file": "cube.obj",
        "format": "OBJ",
        "unit": "cm",
        "vertices": 8,
        "positions": 8,
        "faces": 6,
        "pieces": 6,
        "triangles": 12,
        "corners": { "4": 6 },
        "bounds": bounds,
        "size": [1.0, 1.0, 1.0],
        "closed": true,
        "part_counts": { "all": 1, "closed": 1, "open": 0, "outward": 1, "inward": 0 },
        "parts": [{
            "index": 0, "name": "body", "first_face": 0, "pieces": 6, "closed": true, "orientation": "outward",
            "bounds": bounds,
        }],
        "edges": {
            "all": 12, "convex": 12, "internal": 0, "coplanar": 0, "dangling": 0, "irregular": 0,
            "internal_share": 0.0,
        },
        "internal_vertices": 0,
        // 24 corners and 7 starts; 12 triangles of 3 indices would be 144 bytes.
        "memory": { "index_bytes": 124, "vertex_bytes": 192, "table_bytes": 336, "saved_bytes": 20 },
        "problems": [],
    });
    assert_eq!(report(&folder, "cube.obj --unit cm"), expected);
}

#[test]
fn a_cube_for_people() {
    let folder = Folder::new("cube-text");
    folder.write("cube.obj", CUBE);
    let text = "\
cube.obj: OBJ
  vertices   8
  faces      6: 6 with 4 corners
  triangles  12
  bounds     (0, 0, 0) to (1, 1, 1)
  size       1 × 1 × 1 units
  parts      1: 1 closed (1 outward), 0 open
             #0 \"body\": closed, outward, 6 faces from 0 on, (0, 0, 0) to (1, 1, 1)
  edges      12: 12 convex, 0 internal, 0 coplanar, 0 dangling, 0 irregular
  internal   0.0 % of the edges, 0 vertices
  memory     124 bytes of indices and 192 of vertices, 20 less than a plain table of triangles
  problems   none
";
    assert_eq!(folder.run("inspect cube.obj").expect(0), text);
    let twice = folder.run("inspect cube.obj cube.obj").expect(0);
    assert_eq!(twice, format!("{text}\n{text}"));
}

#[test]
fn every_problem_is_found() {
    let folder = Folder::new("problems");
    // Faces: 0 and 1 share an edge but disagree on the front, 2 repeats 0, 3 and 4 make edge 1–2 crowded, 5 has no
    // area, 6 is bent, 7 is not convex, 8 crosses itself; vertex 6 is not used, and a line is left out.
    let mesh = "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 1 1 0\nv 2 2 0\nv 3 3 0\nv 9 9 9\n\
        v 10 0 0\nv 11 0 0\nv 11 1 0.5\nv 10 1 0\n\
        v 20 0 0\nv 24 0 0\nv 24 1 0\nv 21 1 0\nv 21 4 0\nv 20 4 0\n\
        v 30 0 0\nv 31 1 0\nv 31 0 0\nv 30 1 0\nv 0 0 5\n\
        f 1 2 3\nf 4 2 3\nf 2 3 1\nf 3 2 22\nf 2 3 5\nf 4 5 6\nf 8 9 10 11\nf 12 13 14 15 16 17\nf 18 19 20 21\nl 1 2\n";
    folder.write("bad.obj", mesh);
    let report = report(&folder, "bad.obj");
    let faces = |kind: &str| problem(&report, kind)["faces"].clone();
    assert_eq!(faces("not_planar_faces"), json!([6]));
    assert_eq!(faces("not_convex_faces"), json!([7]));
    assert_eq!(faces("self_crossing_faces"), json!([8]));
    assert!(faces("zero_area_faces").as_array().is_some_and(|faces| faces.contains(&json!(5))), "{report}");
    assert_eq!(faces("duplicate_faces"), json!([2]));
    assert_eq!(problem(&report, "unused_vertices")["vertices"], json!([6]));
    assert_eq!(problem(&report, "left_out")["count"], 1);
    let edges = |kind: &str| problem(&report, kind)["edges"].clone();
    assert!(edges("non_manifold_edges").as_array().is_some_and(|edges| edges.contains(&json!([1, 2]))));
    assert!(edges("dangling_edges").as_array().is_some_and(|edges| edges.contains(&json!([1, 3]))));
    assert_eq!(report["faces"], 9);
    assert_eq!(report["closed"], false);
    let text = folder.run("inspect bad.obj").expect(0);
    for line in [
        "  problems   1 polygon that is not planar, split into triangles: face 6\n",
        "             1 face with the corners of an earlier one: face 2\n",
        "             1 vertex that no face uses: vertex 6\n",
    ] {
        assert!(text.contains(line), "{text}");
    }
    assert!(text.contains(" left out, the first at line 32\n"), "{text}");
}

#[test]
fn faces_that_disagree_on_the_front() {
    let folder = Folder::new("disagree");
    folder.write("bad.obj", format!("{TRIANGLE}v 4 4 0\nf 2 3 4\n"));
    let report = report(&folder, "bad.obj");
    assert_eq!(problem(&report, "inconsistent_edges")["edges"], json!([[1, 2]]));
    assert_eq!(problem(&report, "dangling_edges")["count"], 4);
}

#[test]
fn solids_side_by_side_are_in_order() {
    let folder = Folder::new("beside");
    // The second cube shares the edges of the side x = 1, in a group of its own.
    let second = "v 2 0 0\nv 2 1 0\nv 2 0 1\nv 2 1 1\ng next\n\
        f 3 10 9 2\nf 6 11 12 7\nf 2 9 11 6\nf 9 10 12 11\nf 10 3 7 12\nf 3 2 6 7\n";
    folder.write("two.obj", format!("{CUBE}{second}"));
    let report = report(&folder, "two.obj");
    assert_eq!(report["part_counts"]["closed"], 2);
    assert_eq!(problem(&report, "non_manifold_edges"), Value::Null);
    assert_eq!(problem(&report, "duplicate_faces")["faces"], json!([11]));
    assert_eq!(report["edges"]["irregular"], 4);
}

#[test]
fn welding_closes_cracks() {
    let folder = Folder::new("weld");
    // A tetrahedron whose last face stands a little off.
    folder.write(
        "crack.obj",
        "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nv 1.001 0 0\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 5 3 4\n",
    );
    assert_eq!(report(&folder, "crack.obj")["closed"], false);
    let welded = report(&folder, "crack.obj --weld 0.01");
    assert_eq!(
        (&welded["closed"], &welded["positions"], &welded["welded"]),
        (&json!(true), &json!(4), &json!(0.01))
    );
    assert!(folder.run("inspect crack.obj --weld 0.01").expect(0).contains("  welded     within 0.01\n"));
    for wrong in ["-1", "nan", "1,2", "much"] {
        let error = folder.run(&format!("inspect crack.obj --weld {wrong}")).error();
        assert!(error.starts_with("--weld: "), "{error}");
    }
}

#[test]
fn files_that_can_be_read_are_shown_where_others_cannot() {
    let folder = Folder::new("some");
    folder.write("cube.obj", CUBE);
    folder.write("empty.obj", "");
    let run = folder.run("inspect none.obj cube.obj empty.obj --json");
    assert_eq!(run.status, 2);
    let document: Value = serde_json::from_str(&run.stdout).expect("the output is JSON");
    assert_eq!(document["files"].as_array().map(Vec::len), Some(1));
    let lines: Vec<&str> = run.stderr.lines().collect();
    assert!(lines[0].starts_with("impinge: none.obj: cannot be read: "), "{lines:?}");
    assert_eq!(lines[1..], ["impinge: empty.obj: has no faces"]);
    folder.run("inspect none.obj --json").error();
}

#[test]
fn long_lists_are_cut_for_people_only() {
    let folder = Folder::new("long");
    folder.make("soup --triangles 40 soup.obj");
    let text = folder.run("inspect soup.obj").expect(0);
    assert!(text.contains("             … and 35 more\n") && text.contains(", …\n"), "{text}");
    let report = report(&folder, "soup.obj");
    assert_eq!(report["parts"].as_array().map(Vec::len), Some(40));
    assert_eq!(problem(&report, "dangling_edges")["edges"].as_array().map(Vec::len), Some(120));
}
