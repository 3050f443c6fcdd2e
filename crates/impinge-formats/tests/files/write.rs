//! Writing, and reading back bit by bit.

use std::fs;

use crate::paths::Folder;
use crate::samples::{faces, groups, vertices};
use impinge::Mesh;
use impinge::mesh::{Group, Terrain};
use impinge_formats::{read_mesh, write_obj, write_ply};

fn bits(mesh: &Mesh) -> Vec<[u64; 3]> {
    vertices(mesh).into_iter().map(|point| point.map(f64::to_bits)).collect()
}

fn awkward() -> Mesh {
    let tiny = f64::from_bits(1);
    let corners = [
        [0.1, -0.0, 1.0 / 3.0],
        [f64::MAX, f64::MIN_POSITIVE, tiny],
        [-1e-310, 123_456_789.123_456_79, 5e22],
        [0.0, 0.0, 0.0],
        [1.0, 0.0, 0.0],
        [1.0, 1.0, 0.0],
        [0.0, 1.0, 0.0],
    ];
    let polygons: [&[u32]; 4] = [&[0, 1, 2], &[3, 4, 5, 6], &[6, 5], &[1]];
    let groups = vec![
        Group { name: "first # one".into(), first_face: 0 },
        Group { name: "second".into(), first_face: 2 },
    ];
    Mesh::polygons(corners, polygons).unwrap().with_groups(groups).unwrap()
}

#[test]
fn obj_and_ply_read_back_bit_by_bit() {
    let folder = Folder::new("write");
    let mesh = awkward();
    write_obj(folder.0.join("a.obj"), &mesh).unwrap();
    write_ply(folder.0.join("a.ply"), &mesh).unwrap();
    for name in ["a.obj", "a.ply"] {
        let read = read_mesh(&folder.0.join(name)).unwrap();
        assert!(read.notes.is_empty());
        assert_eq!(bits(&read.mesh), bits(&mesh), "{name}");
        assert_eq!(faces(&read.mesh), faces(&mesh), "{name}");
        let expected = if name == "a.obj" { groups(&mesh) } else { Vec::new() };
        assert_eq!(groups(&read.mesh), expected);
    }
    // Nothing but the two files is left in the folder.
    assert_eq!(fs::read_dir(&folder.0).unwrap().count(), 2);
}

#[test]
fn random_bits_survive() {
    let folder = Folder::new("bits");
    let mut state = 0x9e37_79b9_7f4a_7c15_u64;
    let mut number = || loop {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        let value = f64::from_bits(state);
        if value.is_finite() {
            return value;
        }
    };
    let points: Vec<[f64; 3]> = (0..3000).map(|_| [number(), number(), number()]).collect();
    // Each triangle from both sides: closed, so that nothing is welded.
    let both = points.chunks(3).flat_map(|face| [face[0], face[1], face[2], face[2], face[1], face[0]]);
    let mesh = Mesh::soup(both).unwrap();
    write_obj(folder.0.join("a.obj"), &mesh).unwrap();
    assert_eq!(bits(&read_mesh(&folder.0.join("a.obj")).unwrap().mesh), bits(&mesh));
}

#[test]
fn polygons_of_more_than_255_corners_fit_in_ply() {
    let folder = Folder::new("large");
    // Corners on a parabola: convex and exact.
    let mesh = Mesh::polygon((0..300).map(|i| [f64::from(i), f64::from(i * i), 0.0])).unwrap();
    write_ply(folder.0.join("a.ply"), &mesh).unwrap();
    assert_eq!(faces(&read_mesh(&folder.0.join("a.ply")).unwrap().mesh), faces(&mesh));
}

#[test]
fn every_form_of_faces_is_written() {
    let folder = Folder::new("forms");
    let terrain = Terrain {
        origin: [0.0; 3],
        spacing: [1.0, 1.0],
        columns: 3,
        heights: vec![0.0, 1.0, 2.0, 3.0, 4.0, 5.0],
        holes: vec![0],
    };
    let strip =
        Mesh::triangle_strip([[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [1.0, 1.0, 0.0]]).unwrap();
    for (mesh, expected) in [(Mesh::terrain(terrain).unwrap(), 2), (strip, 2)] {
        for name in ["a.obj", "a.ply"] {
            let path = folder.0.join(name);
            if name == "a.obj" { write_obj(&path, &mesh) } else { write_ply(&path, &mesh) }.unwrap();
            let read = read_mesh(&path).unwrap().mesh;
            assert_eq!(read.face_count(), expected);
            assert_eq!(bits(&read), bits(&mesh));
        }
    }
}

#[test]
fn names_cannot_break_the_file() {
    let folder = Folder::new("names");
    let group = Group { name: "two\nlines and a \\".into(), first_face: 0 };
    let mesh = Mesh::soup([[0.0; 3]; 3]).unwrap().with_groups(vec![group]).unwrap();
    write_obj(folder.0.join("a.obj"), &mesh).unwrap();
    let read = read_mesh(&folder.0.join("a.obj")).unwrap().mesh;
    assert_eq!(groups(&read), [("two lines and a", 0)]);
}

#[test]
fn a_failure_leaves_the_old_file_and_says_which() {
    let folder = Folder::new("failure");
    let old = folder.file("old.obj", "old");
    let error = write_obj(old.join("below.obj"), &awkward()).unwrap_err().to_string();
    assert!(
        error.starts_with(&format!("{}: cannot be written: ", old.join("below.obj").display())),
        "{error}"
    );
    assert_eq!(fs::read(&old).unwrap(), b"old");
    let missing = folder.0.join("no/such/folder.ply");
    assert!(write_ply(&missing, &awkward()).is_err());
    assert!(write_ply(&folder.0, &awkward()).is_err());
    write_obj(&old, &awkward()).unwrap();
    assert!(fs::read(&old).unwrap().starts_with(b"v 0.1 -0.0 0.33"));
}
