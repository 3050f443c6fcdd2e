//! OBJ: what is read, and what errors say.

use crate::samples::{self, error, faces, groups, labels, only, vertices};
use impinge::mesh::Faces;
use impinge_formats::{Format, NoteKind, Place};

fn read(text: &str) -> impinge_formats::SceneMesh {
    only(text, Format::Obj)
}

fn fails(text: &str) -> String {
    error(text, Format::Obj)
}

const CORNERS: &str = "v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\n";

#[test]
fn everything_around_the_triangles_is_passed_over() {
    let read = read(samples::OBJ);
    assert!(matches!(read.mesh.faces(), Faces::Triangles(_)));
    assert_eq!(faces(&read.mesh), [[0, 1, 2], [0, 2, 3]]);
    assert_eq!(vertices(&read.mesh), [[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [1.0, 1.0, 0.0], [0.0, 1.0, 0.0]]);
    assert_eq!(groups(&read.mesh), [("left", 0), ("right", 1)]);
    assert_eq!(read.notes.len(), 1);
    assert_eq!(read.notes[0].to_string(), "line 15: 1 line elements left out");
}

#[test]
fn line_ends_of_every_system_read_the_same() {
    let expected = read(samples::OBJ);
    for end in ["\r\n", "\r"] {
        assert_eq!(read(&samples::OBJ.replace('\n', end)), expected);
    }
    assert_eq!(read(&format!("\u{feff}{}", samples::OBJ)), expected);
    assert_eq!(read(samples::OBJ.trim_end()).mesh, expected.mesh);
}

#[test]
fn numbers_are_read_exactly() {
    let mesh = read("v 0.1 -1e-300 5e-324\nv +1.7976931348623157e308 -.5 3.\nv 0 1 0\nf 1 2 3").mesh;
    assert_eq!(vertices(&mesh)[0], [0.1, -1e-300, 5e-324]);
    assert_eq!(vertices(&mesh)[1], [f64::MAX, -0.5, 3.0]);
}

#[test]
fn unused_vertices_and_later_vertices_count() {
    let mesh = read("v 9 9 9\nf 2 3 4\nv 0 0 0\nv 1 0 0\nv 0 1 0\nv 8 8 8").mesh;
    assert_eq!(mesh.vertex_count(), 5);
    assert_eq!(faces(&mesh), [[1, 2, 3]]);
}

#[test]
fn planar_convex_polygons_stay() {
    let read = read(&format!("{CORNERS}f 1 2 3 4\nf 1 2 3\n"));
    assert!(matches!(read.mesh.faces(), Faces::Polygons { .. }));
    assert_eq!(faces(&read.mesh), [vec![0, 1, 2, 3], vec![0, 1, 2]]);
    assert!(read.notes.is_empty());
}

#[test]
fn faces_of_one_and_two_corners_stay() {
    assert_eq!(faces(&read(&format!("{CORNERS}f 1 2\nf 3\n")).mesh), [vec![0, 1], vec![2]]);
}

#[test]
fn polygons_that_are_not_planar_or_not_convex_are_split_and_labeled() {
    let text = format!(
        "{CORNERS}v 1 1 0.1\nv 0.8 0.8 0\ng a\nf 1 2 3 4\ng b\nf 1 2 5 4\nf 2 3 4 6\ng c\nf 1 2 3\nf 1 3 2 4\ng d\n"
    );
    let read = read(&text);
    let expected = [
        vec![0, 1, 2, 3],
        vec![0, 1, 4],
        vec![0, 4, 3],
        vec![5, 1, 2],
        vec![5, 2, 3],
        vec![0, 1, 2],
        vec![0, 2, 1],
        vec![0, 1, 3],
    ];
    let mut found = faces(&read.mesh);
    // An ear may start at any of its corners.
    for face in &mut found[3..5] {
        let least = face.iter().position(|&corner| corner == 5).unwrap();
        face.rotate_left(least);
    }
    found[3..5].sort();
    assert_eq!(found, expected);
    assert_eq!(labels(&read.mesh), [0, 1, 1, 2, 2, 3, 4, 4]);
    assert_eq!(groups(&read.mesh), [("a", 0), ("b", 1), ("c", 5)]);
    let kinds: Vec<_> = read.notes.iter().map(|note| (note.place.clone(), note.kind.clone())).collect();
    let expected = [
        (Place::Line(10), NoteKind::NotPlanar { face: 1, pieces: 2 }),
        (Place::Line(11), NoteKind::NotConvex { face: 2, pieces: 2 }),
        (Place::Line(14), NoteKind::NotSimple { face: 4, pieces: 2 }),
    ];
    assert_eq!(kinds, expected);
    assert_eq!(read.notes[1].to_string(), "line 11: face 2 is not convex and was split into 2 triangles");
}

#[test]
fn where_only_triangles_remain_the_mesh_has_triangles() {
    let mesh = read("v 0 0 0\nv 1 0 0\nv 1 1 1\nv 0 1 0\nf 1 2 3 4").mesh;
    assert!(matches!(mesh.faces(), Faces::Triangles(_)));
    assert_eq!(labels(&mesh), [0, 0]);
}

#[test]
fn groups_start_once_and_empty_ones_are_dropped() {
    let text =
        format!("{CORNERS}f 1 2 3\no thing\ng  part #1 \nf 1 2 3\ng part #1\nf 1 2 3\ng\nf 1 2 3\ng end");
    assert_eq!(groups(&read(&text).mesh), [("part #1", 1), ("", 3)]);
}

#[test]
fn what_is_no_face_is_counted() {
    let read =
        read(&format!("{CORNERS}f 1 2 3\np 1\np 2\nl 1 2\ncstype bezier\ncurv 0 1 1 2\nwhat 1\n# p 1\n"));
    let notes: Vec<String> = read.notes.iter().map(ToString::to_string).collect();
    let expected = [
        "line 8: 1 line elements left out",
        "line 6: 2 point elements left out",
        "line 9: 2 statements for curves and surfaces left out",
        "line 11: 1 statements that are not understood left out",
    ];
    assert_eq!(notes, expected);
}

#[test]
fn a_backslash_in_a_comment_ends_with_the_comment() {
    assert_eq!(faces(&read(&format!("{CORNERS}# end \\\nf 1 2 3\nf 1 \\\r\n 2 \\\r\n 4\n")).mesh).len(), 2);
}

#[test]
fn errors_name_file_and_line() {
    let cases = [
        ("", "bad.file: has no faces"),
        (CORNERS, "bad.file: has no faces"),
        ("v 0 0\n", "bad.file: line 1: z is missing"),
        ("\n\nv 0 x 0", "bad.file: line 3: y is `x`, which is not a number"),
        ("v 0 0 nan", "bad.file: line 1: z is NaN, which is not a finite number"),
        ("v -inf 0 0", "bad.file: line 1: x is -inf, which is not a finite number"),
        ("v 0 1e999 0", "bad.file: line 1: y is inf, which is not a finite number"),
        ("v 0 0 0\nf 1 0 1", "bad.file: line 2: a face's corner is vertex 0, but OBJ counts from 1"),
        ("v 0 0 0\nf 1 1 2", "bad.file: line 2: index 2 names no vertex: there are 1"),
        ("v 0 0 0\nf 1 1 1\nf 1 1 -2", "bad.file: line 3: index -2 names no vertex: there are 1"),
        ("v 0 0 0\nf 1 1 9999999999", "bad.file: line 2: index 9999999999 names no vertex: there are 1"),
        ("v 0 0 0\nf 1 1 4294967296", "bad.file: line 2: index 4294967296 names no vertex: there are 1"),
        ("v 0 0 0\nf 1 a 1", "bad.file: line 2: a face's corner is `a`, which is not a vertex index"),
        ("v 0 0 0\nf 1 /1 1", "bad.file: line 2: a face's corner is `/1`, which is not a vertex index"),
        ("v 0 0 0\nf", "bad.file: line 2: a face has no corners"),
        ("v 0 0 0\nf 1 \\\n1 \\\n5", "bad.file: line 2: index 5 names no vertex: there are 1"),
    ];
    for (text, expected) in cases {
        assert_eq!(fails(text), expected, "{text:?}");
    }
    let huge = "f 99999999999999999999999999999999999999999999999999 1 1";
    assert!(fails(huge).starts_with("bad.file: line 1: a face's corner is `99999"), "{}", fails(huge));
}
