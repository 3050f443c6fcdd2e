//! `impinge overlap`: faces that touch volumes.

use serde_json::{Value, json};

use crate::support::{Folder, data};

/// Three triangles of side 1 in the planes z = 0, 1 and 2, the last as a quadrilateral.
fn floors(name: &str) -> Folder {
    let folder = Folder::new(name);
    folder.write(
        "floors.obj",
        "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nv 1 0 1\nv 0 1 1\nv 0 0 2\nv 1 0 2\nv 1 1 2\nv 0 1 2\n\
         f 1 2 3\nf 4 5 6\nf 7 8 9 10\n",
    );
    folder
}

/// The faces that the command finds, by JSON; the exit status must fit.
fn faces(folder: &Folder, options: &str) -> Vec<u64> {
    let run = folder.run(&format!("overlap floors.obj --json {options}"));
    let status = run.status;
    let document = run.json(status);
    let fields: Vec<&String> = document.as_object().expect("an object").keys().collect();
    assert_eq!(fields.len(), 4, "{fields:?}");
    assert_eq!(document["schema"], 1);
    let faces: Vec<u64> =
        document["faces"].as_array().expect("a list").iter().filter_map(Value::as_u64).collect();
    assert_eq!(document["touches"], json!(!faces.is_empty()));
    assert_eq!(status, i32::from(!faces.is_empty()));
    faces
}

#[test]
fn every_kind_of_volume() {
    let folder = floors("overlap");
    for (options, expected) in [
        ("--aabb -1,-1,-1,2,2,0.5", vec![0]),
        ("--aabb 0.2,0.2,0,0.3,0.3,1", vec![0, 1]),
        ("--aabb 0.75,0.75,0,1,1,2", vec![2]),
        ("--aabb 2,2,0,3,3,3", vec![]),
        ("--obb 1,1,0,0.75,1,3,0,0,1,45", vec![0, 1, 2]),
        ("--obb 1.25,1.25,1,0.5,0.5,3,0,0,1,45", vec![2]),
        ("--sphere 0.25,0.25,-1,1", vec![0]),
        ("--sphere 0.25,0.25,1.5,0.5", vec![1, 2]),
        ("--sphere -1,-1,0,1.4", vec![]),
        ("--capsule 0.25,0.25,-1,0.25,0.25,1.5,0.1", vec![0, 1]),
        ("--capsule 0,-1,1 1,-1,1 1", vec![1]),
        ("--plane 0,0,2,2", vec![1]),
        ("--plane 1,0,0,-0.5", vec![]),
        ("--plane 1,1,0,1.5", vec![2]),
        ("--half-space 0,0,1,1", vec![0, 1]),
        ("--half-space 0,0,-1,-2", vec![2]),
        ("--frustum 1,0,0,0 0,1,0,0 0,0,1,0 0,0,0,1", vec![0, 1]),
        ("--frustum 1,0,0,0 0,1,0,0 0,0,1,0.5 0,0,0,1 --depth zero", vec![0]),
    ] {
        assert_eq!(faces(&folder, options), expected, "{options}");
        assert_eq!(faces(&folder, &format!("{options} --engine brute")), expected, "{options}");
        assert_eq!(faces(&folder, &format!("{options} --engine dop14")), expected, "{options}");
    }
}

#[test]
fn a_page_shows_the_volume_and_the_faces_that_it_touches() {
    let folder = floors("overlap-page");
    for (options, name, touched) in [
        ("--aabb -1,-1,-1,2,2,0.5", "box", 1),
        ("--obb 1,1,0,0.75,1,3,0,0,1,45", "box", 3),
        ("--sphere 0.25,0.25,1.5,0.5", "sphere", 2),
        ("--capsule 0.25,0.25,-1,0.25,0.25,1.5,0.1", "capsule", 2),
        ("--plane 1,1,0,1.5", "plane", 1),
        ("--half-space 0,0,1,1", "half-space", 2),
        ("--frustum 1,0,0,0 0,1,0,0 0,0,1,0 0,0,0,1", "frustum", 2),
        ("--sphere -1,-1,0,1.4", "sphere", 0),
    ] {
        let status = i32::from(touched > 0);
        folder.run(&format!("overlap floors.obj {options} --report page.html --unit mm")).expect(status);
        let Some(page) = data(&folder, "page.html") else { return };
        assert_eq!(page["title"], json!(format!("floors.obj and a {name}")), "{options}");
        assert_eq!(page["parts"]["names"], json!(["floors.obj", name]), "{options}");
        let clashes = page["clashes"].as_array().expect("a list");
        assert_eq!(clashes.len(), status as usize, "{options}");
        assert!(clashes.iter().all(|clash| clash["face_pairs"] == json!(touched)), "{options}: {clashes:?}");
    }
    let refused = folder.run("overlap floors.obj --sphere 0,0,0,1 --report floors.obj").error();
    assert!(refused.contains("--report would replace what is read"), "{refused}");
}

#[test]
fn the_model_is_placed_first() {
    let folder = floors("overlap-placed");
    assert_eq!(faces(&folder, "--sphere 10,0,2,0.1 --translate 10,0,0 --scale 1,1,2"), [1]);
    assert_eq!(faces(&folder, "--sphere -10,0,-2,0.1 --scale -10,1,-1"), [2]);
    // A quarter turn about x takes z to -y.
    assert_eq!(faces(&folder, "--plane 0,1,0,-2 --rotate 1,0,0,90"), [2]);
    // Sheared: one to the right for each one up.
    let shear = "--matrix 1,0,1,0 0,1,0,0 0,0,1,0 0,0,0,1";
    assert_eq!(faces(&folder, &format!("--half-space -1,0,0,-2.5 {shear}")), [2]);
}

#[test]
fn sentences() {
    let folder = floors("overlap-text");
    let text = folder.run("overlap floors.obj --sphere 0.25,0.25,1.5,0.5").expect(1);
    assert!(
        text.starts_with("floors.obj touches the sphere with 2 faces.\n  faces  1 2\n  work   "),
        "{text}"
    );
    let text = folder.run("overlap floors.obj --plane 0,0,1,9").expect(0);
    assert!(text.starts_with("floors.obj does not touch the plane.\n  work   "), "{text}");
    folder.make("torus --triangles 2000 ring.obj");
    let text = folder.run("overlap ring.obj --half-space 0,0,1,0").expect(1);
    assert!(text.lines().count() > 50 && text.lines().all(|line| line.len() < 100), "{text}");
}

#[test]
fn refusals_name_the_option() {
    let folder = floors("overlap-errors");
    for (options, message) in [
        ("--sphere 0,0,0", "--sphere: 3 numbers were given, but it must be 4"),
        ("--sphere 0,0,0,-1", "--sphere: the radius is -1, but must not be negative"),
        ("--aabb 0,0,1,1,1,0", "--aabb: the box is empty: its least z is 1, and its greatest is 0"),
        ("--obb 0,0,0,1,1,1,0,0,0,30", "--obb: the rotation's axis is 0, 0, 0, which is no direction"),
        (
            "--capsule 0,0,0,0,nan,0,1",
            "--capsule: the y of the axis' end is NaN, which is not a finite number",
        ),
        ("--plane 0,0,0,1", "--plane: the plane's normal is 0, 0, 0, which is no direction"),
        ("--half-space=1,0,0,x", "--half-space: \"x\" is not a number"),
        (
            "--frustum 1,0,0,0 0,1,0,0 0,0,0,0 0,0,0,1",
            "--frustum: the frustum's matrix is singular: it flattens space",
        ),
        ("--sphere 0,0,0,1 --scale 0", "--scale: the scale in x is 0, which flattens every model"),
    ] {
        assert_eq!(folder.run(&format!("overlap floors.obj {options}")).error(), message);
    }
    let error = folder.run("overlap floors.obj").error();
    assert!(error.contains("--aabb") && error.contains("--frustum"), "{error}");
    let error = folder.run("overlap floors.obj --sphere 0,0,0,1 --plane 0,0,1,0").error();
    assert!(error.contains("--sphere") && error.contains("--plane"), "{error}");
    let error = folder.run("overlap nothing.obj --sphere 0,0,0,1").error();
    assert!(error.starts_with("nothing.obj: "), "{error}");
}
