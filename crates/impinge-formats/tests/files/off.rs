//! OFF and its variants.

use crate::samples::{error, faces, only};
use impinge_formats::Format;

const ROWS: &str = "0 0 0\n1 0 0\n1 1 0\n0 1 0\n4 0 1 2 3\n";

#[test]
fn variants_read_the_same() {
    let expected = only(format!("OFF\n4 1 4\n{ROWS}"), Format::Off).mesh;
    assert_eq!(faces(&expected), [[0, 1, 2, 3]]);
    let colored = "0 0 0 255 0 0 255\n1 0 0 0 0 0 0\n1 1 0 1 1 1 1\n0 1 0 0 0 0 0\n4 0 1 2 3 0.5 0.5 0.5\n";
    let files = [
        format!("OFF 4 1 4\n{ROWS}"),
        format!("# made by hand\n\nOFF # header\n# counts\n4 1\n\n{ROWS}"),
        format!("4 1 4\n{ROWS}"),
        format!("COFF\r\n4 1 4\r\n{}", colored.replace('\n', "\r\n")),
        format!("NOFF\n4 1 4\n{}", colored.replace(" 255\n", "\n")),
    ];
    for file in files {
        assert_eq!(only(&file, Format::Off).mesh, expected, "{file:?}");
    }
    assert_eq!(Format::from_content(b"# remark\nCOFF\n"), Some(Format::Off));
}

#[test]
fn bent_polygons_are_split() {
    let read = only("OFF\n4 1 0\n0 0 0\n1 0 0\n1 1 1\n0 1 0\n4 0 1 2 3\n", Format::Off);
    assert_eq!(read.mesh.face_count(), 2);
    assert_eq!(read.notes[0].to_string(), "line 7: face 0 is not planar and was split into 2 triangles");
}

#[test]
fn errors_name_file_and_line() {
    let cases = [
        ("", "bad.file: has no faces"),
        ("OFF\n3 0 0\n0 0 0\n0 0 0\n0 0 0\n", "bad.file: has no faces"),
        ("COLLADA", "bad.file: line 1: the file starts with `COLLADA` instead of `OFF`"),
        ("4OFF\n1 1 1\n", "bad.file: line 1: `4OFF` has vertices of other than three dimensions"),
        ("OFF BINARY\n", "bad.file: line 1: binary OFF files are not supported"),
        ("OFF\n", "bad.file: line 1: the numbers of vertices and faces are missing"),
        ("OFF\n1\n", "bad.file: line 2: the number of faces is missing"),
        ("OFF\n-1 1 0\n", "bad.file: line 2: the number of vertices is -1, which is negative"),
        ("OFF\n1 1 0\n0 0 0\n", "bad.file: line 3: the file ends after 0 of 1 faces"),
        ("OFF\n1 1 0\n0 0 0\n0\n", "bad.file: line 4: a face has no corners"),
        ("OFF\n1 1 0\n0 0 0\n3 0 0\n", "bad.file: line 4: a corner of a face is missing"),
        ("OFF\n1 1 0\n0 0 0\n3 0 0 1\n", "bad.file: line 4: index 1 names no vertex: there are 1"),
        ("OFF\n1 1 0\n0 0 0\n3 0 0 -1\n", "bad.file: line 4: index -1 names no vertex: there are 1"),
        ("OFF\n1 1 0\n0 0 NaN\n3 0 0 0\n", "bad.file: line 3: z is NaN, which is not a finite number"),
        (
            "OFF\n9000000000000000000 1 0\n0 0 0\n",
            "bad.file: line 2: a list of 9000000000000000000 vertices and 1 faces needs 18000000000000000002 bytes, \
             but only 6 are left",
        ),
    ];
    for (text, expected) in cases {
        assert_eq!(error(text, Format::Off), expected, "{text:?}");
    }
}
