//! `impinge ray`: hits, documents, sentences, files of rays.

use serde_json::{Value, json};

use crate::support::{Folder, Run, TRIANGLE};

/// A folder with a cube from -1 to 1, of twelve triangles.
fn cube(name: &str) -> Folder {
    let folder = Folder::new(name);
    folder.make("box --triangles 12 cube.obj");
    folder
}

fn ray(folder: &Folder, arguments: &str) -> Run {
    folder.run(&format!("ray {arguments} --json"))
}

#[test]
fn a_triangle_is_hit_or_missed() {
    let folder = Folder::new("ray");
    folder.write(
        "flat.obj",
        format!("v 9 9 9\nv 9 8 9\nv 8 9 9\nf 1 2 3\n{}", TRIANGLE.replace("1 2 3", "4 5 6")),
    );
    let run = ray(&folder, "flat.obj --origin 1,1,2 --direction 0,0,-4");
    assert!(
        run.stdout.starts_with("{\"schema\":1,\"hit\":true,\"t\":0.5,\"face\":1,\"point\":["),
        "{}",
        run.stdout
    );
    let hit = json!({ "schema": 1, "hit": true, "t": 0.5, "face": 1, "point": [1.0, 1.0, 0.0],
                      "normal": [0.0, 0.0, 1.0], "front": true });
    assert_eq!(run.json(1), hit);
    let miss = json!({ "schema": 1, "hit": false, "t": null, "face": null, "point": null, "normal": null, "front": null });
    assert_eq!(ray(&folder, "flat.obj --origin 1,1,2 --direction 0,0,1").json(0), miss);
    assert_eq!(ray(&folder, "flat.obj --origin 3,3,2 --direction 0,0,-1").json(0), miss);
    // From behind.
    let behind = ray(&folder, "flat.obj --origin 1 1 -2 --direction 0 0 1").json(1);
    assert_eq!((&behind["front"], &behind["normal"]), (&json!(false), &json!([0.0, 0.0, 1.0])));
    assert_eq!(ray(&folder, "flat.obj --origin 1,1,-2 --direction 0,0,1 --cull-back").json(0), miss);
    // In the plane of the face: the first point that they share.
    let along = ray(&folder, "flat.obj --origin -1,1,0 --direction 2,0,0").json(1);
    assert_eq!((&along["t"], &along["point"]), (&json!(0.5), &json!([0.0, 1.0, 0.0])));

    let text = folder.run("ray flat.obj --origin 1,1,2 --direction 0,0,-4 --unit mm").expect(1);
    assert_eq!(text, "The ray hits flat.obj.\n  t 0.5, face 1 at (1, 1, 0) mm\n");
    let text = folder.run("ray flat.obj --origin 1,1,2 --direction 0,0,1").expect(0);
    assert_eq!(text, "The ray misses flat.obj.\n");
}

#[test]
fn all_hits_are_in_order_and_edges_belong_to_both_faces() {
    let folder = cube("ray-all");
    // Through the diagonals of two opposite sides: two faces each.
    let found = ray(&folder, "cube.obj --origin 0,0,5 --direction 0,0,-1 --all").json(1);
    let hits = found["hits"].as_array().expect("a list");
    let order: Vec<(f64, u64)> = hits
        .iter()
        .map(|hit| (hit["t"].as_f64().expect("a time"), hit["face"].as_u64().expect("a face")))
        .collect();
    assert!(order.len() == 4 && order.is_sorted(), "{found}");
    assert_eq!(order.iter().map(|hit| hit.0).collect::<Vec<_>>(), [4.0, 4.0, 6.0, 6.0]);
    assert!(found.get("t").is_none() && found["hit"] == true, "{found}");
    let nearest = ray(&folder, "cube.obj --origin 0,0,5 --direction 0,0,-1").json(1);
    assert_eq!((&nearest["t"], &nearest["face"]), (&json!(4.0), &hits[0]["face"]));
    let culled = ray(&folder, "cube.obj --origin 0,0,5 --direction 0,0,-1 --all --cull-back").json(1);
    assert_eq!(culled["hits"].as_array().map(Vec::len), Some(2));
    let none = ray(&folder, "cube.obj --origin 0,0,5 --direction 0,0,1 --all").json(0);
    assert_eq!(none, json!({ "schema": 1, "hit": false, "hits": [] }));
    let any = ray(&folder, "cube.obj --origin 0.25,0.5,5 --direction 0,0,-1 --any").json(1);
    assert!([4.0, 6.0].contains(&any["t"].as_f64().expect("a time")), "{any}");
    let text = folder.run("ray cube.obj --origin 0.25,0.5,5 --direction 0,0,-1 --all").expect(1);
    assert!(
        text.starts_with("The ray hits cube.obj 2 times.\n  t 4, face ") && text.lines().count() == 3,
        "{text}"
    );
}

#[test]
fn segments_end() {
    let folder = cube("ray-segment");
    let hit =
        |options: &str| ray(&folder, &format!("cube.obj --origin 0.25,0.5,5 {options}")).json(1)["t"].clone();
    assert_eq!(hit("--end 0.25,0.5,-3"), 0.5);
    // An end on the surface counts.
    assert_eq!(hit("--end 0.25,0.5,1"), 1.0);
    assert_eq!(hit("--direction 0,0,-2 --max-t 2"), 2.0);
    ray(&folder, "cube.obj --origin 0.25,0.5,5 --end 0.25,0.5,1.0000001").json(0);
    ray(&folder, "cube.obj --origin 0.25,0.5,5 --direction 0,0,-2 --max-t 1.9999").json(0);
}

#[test]
fn models_are_placed() {
    let folder = cube("ray-placed");
    let cast = |options: &str| {
        ray(&folder, &format!("cube.obj --origin 0.25,0.5,9 --direction 0,0,-1 {options}")).json(1)
    };
    assert_eq!(cast("--translate 0,0,2")["t"], 6.0);
    let scaled = cast("--scale 1,1,-3 --translate 0 0 1");
    assert_eq!((&scaled["t"], &scaled["normal"]), (&json!(5.0), &json!([0.0, 0.0, 1.0])));
    assert_eq!(cast("--rotate 1,0,0,90 --scale 1,4,1")["t"], 5.0);
    // Sheared: the top moves along x, and stays where it is along z.
    let sheared = cast("--matrix 1,0,3,-3,0,1,0,0,0,0,1,0,0,0,0,1");
    assert_eq!((&sheared["t"], &sheared["point"]), (&json!(8.0), &json!([0.25, 0.5, 1.0])));
}

#[test]
fn each_row_is_answered_like_a_ray_of_its_own() {
    let folder = cube("ray-rows");
    let rows = ["0.1,0.2,5,0,0,-1", "0 0 0  1 0.25 0.125", "5 5 5 1 0 0", "-3,0.5,0.25,2,0,0"];
    folder.write(
        "rays.txt",
        format!("# origin, direction\n{}\n\n{} # inside\n{}\r\n{}", rows[0], rows[1], rows[2], rows[3]),
    );
    let text = ray(&folder, "cube.obj --rays rays.txt --translate 0,0,0.25").expect(1);
    assert_eq!(text.lines().count(), rows.len());
    for (index, (line, row)) in text.lines().zip(rows).enumerate() {
        let numbers: Vec<&str> = row.split([',', ' ']).filter(|word| !word.is_empty()).collect();
        let (origin, direction) = (numbers[..3].join(","), numbers[3..].join(","));
        let single =
            ray(&folder, &format!("cube.obj --origin {origin} --direction {direction} --translate 0,0,0.25"));
        // The same document, with the index in front.
        assert_eq!(format!("{line}\n"), single.stdout.replacen('{', &format!("{{\"index\":{index},"), 1));
    }
    let text = folder.run("ray cube.obj --rays rays.txt").expect(1);
    let lines: Vec<&str> = text.lines().collect();
    assert!(lines[0].starts_with("0  t 4, face ") && lines[0].ends_with(" at (0.1, 0.2, 1) units"), "{text}");
    assert_eq!(lines[2], "2  no hit");
    folder.write("misses.txt", "5 5 5 1 0 0\n5 5 5 0 1 0\n");
    folder.run("ray cube.obj --rays misses.txt").expect(0);
}

#[test]
fn answers_are_the_same_for_every_number_of_threads() {
    let folder = Folder::new("ray-threads");
    folder.make("bumpy --triangles 500 ball.obj");
    let row = |i: u32| format!("{} {} 3 {} 0.01 -1\n", i % 71, i % 13, f64::from(i % 100) * 0.001);
    let rows: String = (0..9000).map(row).map(|row| row.replacen(' ', "e-2 ", 1)).collect();
    folder.write("rays.txt", rows);
    let outputs = ["1", "2"].map(|threads| {
        let mut command = folder.command("ray ball.obj --rays rays.txt --json");
        command.env("RAYON_NUM_THREADS", threads);
        Run::of(command).expect(1)
    });
    assert_eq!(outputs[0], outputs[1]);
    for (index, line) in outputs[0].lines().enumerate() {
        let document: Value = serde_json::from_str(line).expect("each line is JSON");
        assert_eq!(document["index"], index);
    }
    assert_eq!(outputs[0].lines().count(), 9000);
}

#[test]
fn refusals_name_the_option_or_the_line() {
    let folder = cube("ray-errors");
    for (arguments, message) in [
        ("--origin 0,0 --direction 0,0,1", "--origin: 2 numbers were given, but it must be 3"),
        ("--origin 0,0,0 --direction 0,0,0", "--direction: the direction is zero, which points nowhere"),
        ("--origin 0,0,0 --end 0,0,0", "--end: the direction is zero, which points nowhere"),
        (
            "--origin 0,0,0 --direction 0,0,nan",
            "--direction: the direction in z is NaN, which is not a finite number",
        ),
        (
            "--origin 0,inf,0 --direction 0,0,1",
            "--origin: the origin in y is inf, which is not a finite number",
        ),
        ("--origin 0,0,0 --direction 0,0,x", "--direction: \"x\" is not a number"),
        (
            "--origin 0,0,0 --direction 0,0,1 --max-t -1",
            "--max-t: the largest t is -1, but must be at least 0",
        ),
        (
            "--origin 0,0,0 --direction 0,0,1 --scale 0",
            "--scale: the scale in x is 0, which flattens every model",
        ),
    ] {
        let error = folder.run(&format!("ray cube.obj {arguments}")).error();
        assert_eq!(error, message, "{arguments}");
    }
    for (row, message) in [
        ("0 0 0 1 1", "5 numbers were given, but it must be 6"),
        ("0 0 0 0 0 0", "the direction is zero, which points nowhere"),
        ("0 0 0 0 0 one", "\"one\" is not a number"),
    ] {
        folder.write("rays.txt", format!("0 0 5 0 0 -1\n\n{row}\n"));
        assert_eq!(
            folder.run("ray cube.obj --rays rays.txt").error(),
            format!("rays.txt: line 3: {message}")
        );
    }
    for (arguments, named) in [
        ("--direction 0,0,1", "--origin"),
        ("--origin 0,0,1", "--direction"),
        ("--rays rays.txt --origin 0,0,1", "--origin"),
        ("--origin 0,0,1 --direction 0,0,1 --any --all", "--all"),
    ] {
        let error = folder.run(&format!("ray cube.obj {arguments}")).error();
        assert!(error.contains(named), "{error}");
    }
    assert!(folder.run("ray none.obj --origin 0,0,0 --direction 0,0,1").error().starts_with("none.obj: "));
}
