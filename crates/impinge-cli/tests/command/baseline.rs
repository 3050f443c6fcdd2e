//! Baselines of `impinge clash`: what keeps its id from run to run, wherever files lie and whatever moved.

use std::fs;

use serde_json::Value;

use crate::support::{Folder, write_cubes};

const SCENE: &[(&str, [f64; 3], f64)] =
    &[("base", [0.0, 0.0, 0.0], 10.0), ("bolt", [0.0, 0.0, 5.0], 1.0), ("bolt", [3.0, 0.0, 5.0], 1.0)];

fn ids(document: &Value) -> Vec<String> {
    let clashes = document["clashes"].as_array().expect("a list");
    clashes.iter().map(|clash| clash["id"].as_str().expect("an id").to_owned()).collect()
}

fn statuses(document: &Value) -> Vec<&str> {
    let clashes = document["clashes"].as_array().expect("a list");
    clashes.iter().map(|clash| clash["status"].as_str().expect("a status")).collect()
}

#[test]
fn ids_do_not_depend_on_the_path_that_was_typed() {
    let folder = Folder::new("baseline-paths");
    for place in ["yesterday", "today"] {
        fs::create_dir_all(folder.path(place)).expect("a folder can be made");
        write_cubes(&folder, &format!("{place}/s.gltf"), SCENE);
    }
    write_cubes(&folder, "s.gltf", SCENE);
    let first = folder.run("clash s.gltf --json");
    folder.write("old.json", &first.stdout);
    let first = first.json(1);
    assert_eq!(first["clashes"].as_array().map(Vec::len), Some(2));
    let whole = fs::canonicalize(folder.path("s.gltf")).expect("it is there").display().to_string();
    for path in ["./s.gltf", "yesterday/s.gltf", "today/../today/s.gltf", whole.as_str()] {
        assert_eq!(ids(&folder.run(&format!("clash {path} --json")).json(1)), ids(&first), "{path}");
        let compared = folder.run(&format!("clash {path} --json --baseline old.json")).json(1);
        assert_eq!(statuses(&compared), ["active", "active"], "{path}");
        assert_eq!(compared["resolved"], serde_json::json!([]), "{path}");
    }
}

#[test]
fn parts_that_move_and_parts_that_come_shift_nothing() {
    let folder = Folder::new("baseline-moves");
    write_cubes(&folder, "s.gltf", SCENE);
    let first = folder.run("clash s.gltf --json");
    folder.write("old.json", &first.stdout);
    let old = ids(&first.json(1));

    // A millimeter, in meters.
    let mut moved = SCENE.to_vec();
    (moved[1].1[0], moved[2].1[1]) = (0.001, 0.001);
    write_cubes(&folder, "s.gltf", &moved);
    let compared = folder.run("clash s.gltf --json --baseline old.json").json(1);
    assert_eq!((ids(&compared), statuses(&compared)), (old.clone(), vec!["active", "active"]));

    // Much more than that, and another of the same name and shape in front, which overlaps as well.
    (moved[1].1[0], moved[2].1[0]) = (-0.4, 3.4);
    moved.insert(0, ("bolt", [-3.0, 0.0, 5.0], 1.0));
    write_cubes(&folder, "s.gltf", &moved);
    let new = folder.run("clash s.gltf --json --baseline old.json");
    folder.write("new.json", &new.stdout);
    let compared = new.json(1);
    assert_eq!(statuses(&compared), ["new", "active", "active"]);
    assert_eq!(ids(&compared)[1..], old);
    assert_eq!(compared["resolved"], serde_json::json!([]));

    // Renamed, with all else as it was; and without the one that came.
    moved.remove(0);
    moved[1].0 = "screw";
    write_cubes(&folder, "s.gltf", &moved);
    let compared = folder.run("clash s.gltf --json --baseline new.json").json(1);
    assert_eq!((ids(&compared), statuses(&compared)), (old, vec!["active", "active"]));
    assert_eq!(compared["resolved"].as_array().map(Vec::len), Some(1));
}

#[test]
fn an_equal_part_in_front_renames_nothing_without_a_baseline() {
    let folder = Folder::new("baseline-front");
    write_cubes(&folder, "s.gltf", SCENE);
    let old = ids(&folder.run("clash s.gltf --json").json(1));
    let mut more = SCENE.to_vec();
    more.insert(0, ("bolt", [-3.0, 0.0, 5.0], 1.0));
    write_cubes(&folder, "s.gltf", &more);
    let new = ids(&folder.run("clash s.gltf --json").json(1));
    assert_eq!((new.len(), &new[1..]), (3, old.as_slice()));
}
