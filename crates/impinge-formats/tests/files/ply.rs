//! PLY: every encoding, every type, strips, and what errors say.

use crate::samples::{self, error, faces, labels, only, ply_binary, vertices};
use impinge::mesh::Faces;
use impinge_formats::Format;

#[test]
fn text_with_other_elements_and_properties() {
    let read = only(samples::PLY_TEXT, Format::Ply);
    assert!(matches!(read.mesh.faces(), Faces::Triangles(_)));
    assert_eq!(faces(&read.mesh), [[0, 1, 2], [0, 2, 3]]);
    assert_eq!(vertices(&read.mesh)[2], [1.0, 1.0, 0.0]);
    assert_eq!(read.notes.len(), 1);
    assert_eq!(read.notes[0].to_string(), "line 20: 1 elements of the kind `material` left out");
    assert_eq!(only(samples::PLY_TEXT.replace('\n', "\r\n"), Format::Ply), read);
}

#[test]
fn both_byte_orders_read_the_same() {
    let little = only(ply_binary(false), Format::Ply);
    let big = only(ply_binary(true), Format::Ply);
    assert_eq!(little.mesh, big.mesh);
    assert_eq!(vertices(&little.mesh)[2], [1.5, -3.0, 0.1]);
    assert_eq!(faces(&little.mesh), [[0, 1, 2], [0, 2, 3]]);
}

#[test]
fn faces_may_come_before_vertices_and_have_any_size() {
    let text = "ply\nformat ascii 1.0\nelement face 2\nproperty list int float vertex_index\nelement vertex 4\n\
                property int x\nproperty int y\nproperty int z\nend_header\n4 0 1 2 3\n4 0 1 3 2\n\
                0 0 0\n1 0 0\n1 1 0\n0 1 0\n";
    let read = only(text, Format::Ply);
    assert_eq!(labels(&read.mesh), [0, 1, 1]);
    assert_eq!(
        read.notes[0].to_string(),
        "line 11: face 1 crosses itself or has no area and became a fan of 2 triangles"
    );
}

const STRIPS: &str = "ply\nformat ascii 1.0\nelement vertex 5\nproperty float x\nproperty float y\nproperty float z\n\
    element tristrips 1\nproperty list int int vertex_indices\nend_header\n0 0 0\n1 0 0\n0 1 0\n1 1 0\n0 2 0\n\
    8 0 1 2 3 -1 2 3 4\n";

#[test]
fn strips_stay_strips() {
    let mesh = only(STRIPS, Format::Ply).mesh;
    assert!(matches!(mesh.faces(), Faces::Strips { count: 3, .. }));
    assert_eq!(faces(&mesh), [[0, 1, 2], [1, 3, 2], [2, 3, 4]]);
    let wrong = STRIPS.replace("2 3 4\n", "2 3 9\n");
    assert_eq!(error(wrong, Format::Ply), "bad.file: line 15: index 9 names no vertex: there are 5");
    let both = STRIPS
        .replace("end_header", "element face 1\nproperty list uchar int vertex_indices\nend_header")
        + "3 0 1 2\n";
    let read = only(both, Format::Ply);
    assert_eq!(read.mesh.face_count(), 1);
    assert_eq!(read.notes[0].to_string(), "line 17: 1 triangle strips beside the faces left out");
}

#[test]
fn header_errors_name_the_line() {
    let cases = [
        ("", "bad.file: has no faces"),
        ("plyx\n", "bad.file: line 1: the first line is not `ply`"),
        ("ply\nformat ascii 1.0\n", "bad.file: line 2: the file ends within the header"),
        ("ply\nformat morse 1.0\n", "bad.file: line 2: the format is `morse`, which is not a format of PLY"),
        ("ply\nend_header\n", "bad.file: line 2: the header does not tell the format"),
        ("ply\nelement vertex\n", "bad.file: line 2: the number of elements is missing"),
        ("ply\nelement vertex -4\n", "bad.file: line 2: the number of elements is -4, which is negative"),
        ("ply\nproperty int x\n", "bad.file: line 2: a property belongs to no element"),
        (
            "ply\nelement a 1\nproperty list int128 int x\n",
            "bad.file: line 3: the type of a property is `int128`, which is not a type of PLY",
        ),
        ("ply\nvertex 3\n", "bad.file: line 2: `vertex` is not a word of a PLY header"),
        ("ply\nformat ascii 1.0\nend_header\n", "bad.file: has no faces"),
        (
            "ply\nformat ascii 1.0\nelement vertex 1\nproperty int x\nend_header\n1\n",
            "bad.file: line 3: the vertices have no x, y and z",
        ),
        (
            "ply\nformat ascii 1.0\nelement face 1\nproperty int x\nend_header\n1\n",
            "bad.file: line 3: the element `face` has no list `vertex_indices`",
        ),
    ];
    for (text, expected) in cases {
        assert_eq!(error(text, Format::Ply), expected, "{text:?}");
    }
}

#[test]
fn errors_in_text_rows_name_the_line() {
    let cases = [
        ("1 1 0 0\n", "1 nan 0 0\n", "line 18: y is NaN, which is not a finite number"),
        ("1 1 0 0\n", "1 1 x 0\n", "line 18: the value of `z` is `x`, which is not a number"),
        ("1 1 0 0\n", "1 1 0\n", "line 18: the value of `red` is missing"),
        ("1 1 0 0\n", "1 1 0 0 7\n", "line 18: `7` is more than the header promises"),
        ("3 0 2 3 9\n", "3 0 2 4 9\n", "line 22: index 4 names no vertex: there are 4"),
        ("3 0 2 3 9\n", "3 0 2 -1 9\n", "line 22: a vertex index is -1"),
        ("3 0 2 3 9\n", "3 0 2 1.5 9\n", "line 22: a vertex index is 1.5"),
        ("3 0 2 3 9\n", "0 9\n", "line 22: a face has no corners"),
        ("3 0 2 3 9\n", "-3 9\n", "line 22: the length of a list is -3, which is negative"),
        ("3 0 2 3 9\n", "900000000000 0 2 3 9\n", "line 22: the value of `vertex_indices` is missing"),
        (
            "vertex 4\n",
            "vertex 40\n",
            "line 16: a table of 40 rows of the kind `vertex` needs 320 bytes, but only 66 are left",
        ),
        ("face 2\n", "face 3\n", "line 22: the file ends within the element `face`"),
    ];
    for (good, bad, expected) in cases {
        let text = samples::PLY_TEXT.replacen(good, bad, 1);
        assert_eq!(error(text, Format::Ply), format!("bad.file: {expected}"), "{bad:?}");
    }
}

#[test]
fn binary_errors_name_the_byte() {
    let good = ply_binary(false);
    let body = good.windows(12).position(|window| window == b"end_header\r\n").unwrap() + 12;
    // Two edges of 20 and 4 bytes, four vertices of 15, two faces of 20.
    let face = body + 24 + 60;
    let with = |at: usize, new: &[u8]| {
        let mut bytes = good.clone();
        bytes[at..at + new.len()].copy_from_slice(new);
        error(bytes, Format::Ply)
    };
    let expected = format!("bad.file: byte {}: z is inf, which is not a finite number", body + 24);
    assert_eq!(with(body + 24, &f64::INFINITY.to_le_bytes()), expected);
    let expected = format!("bad.file: byte {face}: index 77 names no vertex: there are 4");
    assert_eq!(with(face + 8, &77_u32.to_le_bytes()), expected);
    let expected =
        format!("bad.file: byte {}: a list needs 8589934588 bytes, but only 32 are left", face + 8);
    assert_eq!(with(face + 4, &i32::MAX.to_le_bytes()), expected);
    let expected = format!("bad.file: byte {}: the length of a list is -1", face + 4);
    assert_eq!(with(face + 4, &(-1_i32).to_le_bytes()), expected);
    let expected = format!("bad.file: byte {}: a list needs 12 bytes, but only 11 are left", face + 28);
    assert_eq!(error(&good[..good.len() - 1], Format::Ply), expected);
}
