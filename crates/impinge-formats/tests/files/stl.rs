//! STL: text, binary, and telling them apart.

use crate::samples::{self, error, faces, groups, only, stl_binary, vertices};
use impinge::mesh::Faces;
use impinge_formats::Format;

#[test]
fn text_is_a_soup_with_one_group_per_solid() {
    let mesh = only(samples::STL_TEXT, Format::Stl).mesh;
    assert!(matches!(mesh.faces(), Faces::Soup { count: 2 }));
    assert_eq!(faces(&mesh), [[0, 1, 2], [3, 4, 5]]);
    assert_eq!(mesh.vertex(5).to_array(), [0.0, 1.0, 5.0]);
    assert_eq!(groups(&mesh), [("one", 0), ("two", 1)]);
    let shouting = samples::STL_TEXT.to_uppercase().replace('\n', "\r\n");
    assert_eq!(only(shouting, Format::Stl).mesh.face_count(), 2);
}

#[test]
fn binary_may_start_with_solid() {
    let mesh = only(stl_binary(), Format::Stl).mesh;
    assert_eq!(vertices(&mesh), [[0.0, 0.0, 0.0], [1.5, 0.0, 0.0], [0.0, f64::from(0.1_f32), 0.0]]);
    assert_eq!(Format::from_content(&stl_binary()), Some(Format::Stl));
}

#[test]
fn bytes_behind_a_binary_file_are_noted() {
    let mut bytes = stl_binary();
    bytes.extend(b"tail");
    let read = only(bytes, Format::Stl);
    assert_eq!(read.notes[0].to_string(), "byte 134: 4 bytes behind the last facet left out");
}

#[test]
fn errors_name_file_and_place() {
    let facet =
        |vertices: &str| format!("solid s\nfacet normal 0 0 1\nouter loop\n{vertices}endloop\nendfacet\n");
    let cases = [
        (
            String::new(),
            "bad.file: byte 0: the header of a binary STL file needs 80 bytes, but only 0 are left",
        ),
        ("solid nothing\nendsolid\n".into(), "bad.file: has no faces"),
        (facet("vertex 0 0 0\nvertex 0 0 0\n"), "bad.file: line 6: a facet has 2 vertices instead of 3"),
        (facet(&"vertex 0 0 0\n".repeat(6)), "bad.file: line 10: a facet has 6 vertices instead of 3"),
        (facet("vertex 0 0 inf\n"), "bad.file: line 4: z is inf, which is not a finite number"),
        (facet("vertex 0 0\n"), "bad.file: line 4: z is missing"),
        (facet("corner 0 0 0\n"), "bad.file: line 4: `corner` is not a word of STL"),
        ("solid\nvertex 1 2 3\n".into(), "bad.file: line 2: the file ends within a facet"),
    ];
    for (text, expected) in cases {
        assert_eq!(error(&text, Format::Stl), expected, "{text:?}");
    }
}

#[test]
fn binary_errors_name_the_byte() {
    let mut none = stl_binary();
    none[80] = 0;
    assert_eq!(error(&none, Format::Stl), "bad.file: has no faces");
    let mut many = stl_binary();
    many[80..84].copy_from_slice(&u32::MAX.to_le_bytes());
    let expected =
        "bad.file: byte 84: a list of 4294967295 facets needs 214748364750 bytes, but only 50 are left";
    assert_eq!(error(&many, Format::Stl), expected);
    let mut nan = stl_binary();
    nan[112..116].copy_from_slice(&f32::NAN.to_le_bytes());
    assert_eq!(error(&nan, Format::Stl), "bad.file: byte 112: y is NaN, which is not a finite number");
}
