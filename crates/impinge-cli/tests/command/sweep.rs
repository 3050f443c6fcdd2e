//! `impinge sweep`: verdicts, documents, sentences, files of motions.

use serde_json::{Value, json};

use crate::support::{Folder, Run, TRIANGLE};

/// A folder with a cube from -1 to 1, of twelve triangles.
fn cube(name: &str) -> Folder {
    let folder = Folder::new(name);
    folder.make("box --triangles 12 cube.obj");
    folder
}

fn sweep(folder: &Folder, arguments: &str) -> Run {
    folder.run(&format!("sweep {arguments} --json"))
}

fn number(value: &Value) -> f64 {
    value.as_f64().expect("a number")
}

/// The fraction of a hit is at most the true one, and not much less.
fn assert_fraction(document: &Value, truth: f64, accuracy: f64) {
    let fraction = number(&document["fraction"]);
    assert!(fraction <= truth && fraction > truth - accuracy, "{fraction} {truth}: {document}");
}

/// The keys of a document in the order in which they are printed.
fn keys(text: &str) -> Vec<String> {
    let document: serde_json::Map<String, Value> = serde_json::from_str(text).expect("JSON");
    let mut keys: Vec<String> = document.keys().cloned().collect();
    keys.sort_by_key(|key| text.find(&format!("\"{key}\":")));
    keys
}

const KEYS: [&str; 14] = [
    "schema",
    "verdict",
    "fraction",
    "phase",
    "world_from_moving",
    "point",
    "normal",
    "feature_moving",
    "feature_stationary",
    "contacts",
    "bound",
    "lift",
    "wedged",
    "work",
];

#[test]
fn the_document_of_a_hit_is_to_the_letter() {
    let folder = Folder::new("sweep-letter");
    // A pin that points down, over a triangle after another one.
    folder.write("pin.obj", "v 1 1 2\nv 1 1.5 9\nv 1.5 1 9\nf 2 3 1\n");
    folder.write(
        "flat.obj",
        format!("v 9 9 9\nv 9 8 9\nv 8 9 9\nf 1 2 3\n{}", TRIANGLE.replace("1 2 3", "4 5 6")),
    );
    let run = sweep(&folder, "pin.obj flat.obj --translate 0,0,-8");
    assert_eq!(keys(&run.stdout), KEYS);
    let found = run.json(1);
    assert_eq!(
        (&found["schema"], &found["verdict"], &found["phase"]),
        (&json!(1), &json!("hit"), &json!("translation"))
    );
    assert_fraction(&found, 0.25, 1e-9);
    // The pose at the stop, row by row: the fraction of the way down, which leaves the tip above the plane by less than the bound.
    let pose: Vec<f64> =
        found["world_from_moving"].as_array().expect("a matrix").iter().map(number).collect();
    let [mut expected, z] = [
        vec![1.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 1.0],
        vec![pose[11]],
    ];
    expected[11] = z[0];
    assert_eq!(pose, expected);
    assert_eq!(z[0], -8.0 * number(&found["fraction"]));
    let bound = number(&found["bound"]);
    assert!(bound > 0.0 && bound < 1e-8 && z[0] > -2.0 && 2.0 + z[0] <= bound, "{found}");
    assert_eq!((&found["point"], &found["normal"]), (&json!([1.0, 1.0, 0.0]), &json!([0.0, 0.0, -1.0])));
    assert_eq!(found["feature_moving"], json!({ "kind": "vertex", "index": 0 }));
    assert_eq!(found["feature_stationary"], json!({ "kind": "face", "index": 1 }));
    let contacts = found["contacts"].as_array().expect("a list");
    assert_eq!(contacts.len(), 1, "{found}");
    let sides = ["point_a", "point_b", "normal", "distance", "feature_a", "feature_b"];
    assert!(sides.iter().all(|side| contacts[0].get(side).is_some()), "{found}");
    assert_eq!(
        (&contacts[0]["feature_a"], &contacts[0]["feature_b"]),
        (&found["feature_moving"], &found["feature_stationary"])
    );
    let work = found["work"].as_object().expect("counts");
    assert_eq!(work.len(), 3);
    for count in ["box_tests", "face_tests", "feature_tests"] {
        assert!(work[count].is_u64(), "{found}");
    }
    assert!(work["feature_tests"].as_u64() > Some(0), "{found}");
    // With the stop as the start of `check`, nothing meets.
    let matrix = pose.iter().map(f64::to_string).collect::<Vec<_>>().join(",");
    folder.run(&format!("check pin.obj flat.obj --matrix-a {matrix}")).expect(0);
}

#[test]
fn the_documents_of_the_other_verdicts_are_to_the_letter() {
    let folder = cube("sweep-verdicts");
    let run = sweep(&folder, "cube.obj cube.obj --translate-a -5,0,0 --translate 2.5 0 -4");
    assert_eq!(keys(&run.stdout), KEYS);
    let mut found = run.json(0);
    let work = found.as_object_mut().and_then(|found| found.remove("work")).expect("counts");
    assert!(work["box_tests"].is_u64(), "{work}");
    let expected = json!({
        "schema": 1, "verdict": "clear", "fraction": 1.0, "phase": null,
        "world_from_moving": [1.0, 0.0, 0.0, -2.5, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 1.0, -4.0, 0.0, 0.0, 0.0, 1.0],
        "point": null, "normal": null, "feature_moving": null, "feature_stationary": null, "contacts": [], "bound": 0.0,
        "lift": null, "wedged": false,
    });
    assert_eq!(found, expected);
    for start in ["--translate-a 1,0,0", "--scale-a 0.5", "--scale-a 3", "--scale-a 1"] {
        let run = sweep(&folder, &format!("cube.obj cube.obj {start} --translate 9,0,0"));
        assert_eq!(keys(&run.stdout), KEYS);
        let found = run.json(1);
        assert_eq!(
            (&found["verdict"], &found["fraction"]),
            (&json!("started_overlapping"), &json!(0.0)),
            "{start}"
        );
        for none in ["phase", "point", "normal", "feature_moving", "feature_stationary"] {
            assert!(found[none].is_null(), "{found}");
        }
        assert_eq!(found["contacts"], json!([]));
    }
    // The pose of a start that overlaps is the start.
    let found = sweep(&folder, "cube.obj cube.obj --translate-a 1,0,0 --translate 9,0,0").json(1);
    assert_eq!(found["world_from_moving"][3], 1.0);
}

#[test]
fn phases_share_the_fraction() {
    let folder = cube("sweep-phases");
    let swept = |options: &str| sweep(&folder, &format!("cube.obj cube.obj --translate-a -5,0,0 {options}"));
    // A gap of 3; turned about the origin by 90°, the cube at -5 comes to y = -5 and meets nothing.
    let translation = swept("--translate 6,0,0").json(1);
    assert_eq!(translation["phase"], "translation");
    assert_fraction(&translation, 0.5, 1e-9);
    let both = swept("--translate 6,0,0 --rotate 0,0,0,0,0,1,90").json(1);
    assert_eq!(both["phase"], "translation");
    assert_fraction(&both, 0.25, 1e-9);
    // About (-5, -5): the right upper corner (-4, 1) is at radius √37 and angle atan(6/1), the left side of the other at x = -1.
    let center = [-5.0_f64, -5.0];
    let (radius, angle) = ((1.0_f64 + 36.0).sqrt(), 6.0_f64.atan2(1.0));
    // The corner gets to x = -1 at this angle; its height there is within the other's side.
    let met = (4.0_f64 / radius).acos();
    let height = center[1] + radius * met.sin();
    assert!(height > -1.0 && height < 1.0, "{height}");
    let share = (angle - met).to_degrees() / 90.0;
    let rotation = swept("--rotate -5,-5,0,0,0,1,-90").json(1);
    assert_eq!(rotation["phase"], "rotation");
    assert_fraction(&rotation, share, 1e-9);
    // The translation only lifts: the rotation is the second half.
    let second = swept("--translate 0,0,0.5 --rotate -5,-5,0,0,0,-2,90").json(1);
    assert_eq!(second["phase"], "rotation");
    assert_fraction(&second, 0.5 + share / 2.0, 1e-9);
    assert_eq!(number(&second["world_from_moving"][11]), 0.5);
    // The other way round it gets there from the other side, and stops at nothing within a quarter.
    swept("--rotate -5,-5,0,0,0,1,90").json(0);
}

#[test]
fn to_a_matrix() {
    let folder = cube("sweep-matrix");
    // Straight through, without a turn: a translation.
    let found =
        sweep(&folder, "cube.obj cube.obj --translate-a -5,0,0 --to-matrix 1,0,0,7,0,1,0,0,0,0,1,0,0,0,0,1")
            .json(1);
    assert_eq!(found["phase"], "translation");
    assert_fraction(&found, 0.25, 1e-9);
    // A quarter turn about z on the way: rigid. At fraction f the half width along x is cos + sin of 90° f: 1 - 5 + 12 f ...
    let options = "--translate-a -5,0,0 --to-matrix 0,-1,0,7,1,0,0,0,0,0,1,0,0,0,0,1";
    let found = sweep(&folder, &format!("cube.obj cube.obj {options}")).json(1);
    assert_eq!(found["phase"], "rigid");
    let gap = |fraction: f64| {
        let (sin, cos) = (fraction * std::f64::consts::FRAC_PI_2).sin_cos();
        // From the cube's farthest corner to the side at x = -1.
        -1.0 - (-5.0 + 12.0 * fraction + sin + cos)
    };
    let fraction = number(&found["fraction"]);
    assert!(gap(fraction) >= 0.0 && gap(fraction) <= number(&found["bound"]), "{} {found}", gap(fraction));
    // A turn in place.
    let found = sweep(
        &folder,
        "cube.obj cube.obj --translate-a -2.2,0,0 --to-matrix 0,-1,0,-2.2,1,0,0,0,0,0,1,0,0,0,0,1",
    )
    .json(1);
    assert_eq!(found["phase"], "rotation");
    // The corner of the moving cube at √2 gets to 1.2 first: 45° before which it is at cos(45° - a) √2.
    let truth = (45.0 - (1.2_f64 / 2.0_f64.sqrt()).acos().to_degrees()) / 90.0;
    assert_fraction(&found, truth, 1e-9);
    // To the end, where it stays clear.
    let found = sweep(
        &folder,
        "cube.obj cube.obj --translate-a -5,0,0 --to-matrix 0,-1,0,-4,1,0,0,0,0,0,1,0,0,0,0,1",
    )
    .json(0);
    let end: Vec<f64> = found["world_from_moving"].as_array().expect("a matrix").iter().map(number).collect();
    let expected = [0.0, -1.0, 0.0, -4.0, 1.0, 0.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 1.0];
    assert!(end.iter().zip(expected).all(|(a, b)| (a - b).abs() < 1e-15), "{found}");
}

#[test]
fn the_zone_is_as_thick_as_asked_for() {
    let folder = cube("sweep-expel");
    let stop = |options: &str| {
        let found =
            sweep(&folder, &format!("cube.obj cube.obj --translate-a -5,0,0 --translate 6,0,0 {options}"))
                .json(1);
        (number(&found["world_from_moving"][3]), number(&found["bound"]))
    };
    let (thin, bound) = stop("");
    assert!(thin < -2.0 && -2.0 - thin <= bound && bound < 1e-8, "{thin} {bound}");
    let (thick, bound) = stop("--margin 0.25");
    assert!((thick + 2.25).abs() < 1e-9 && bound >= -2.0 - thick && bound < 0.2501, "{thick} {bound}");
    assert_eq!(stop("--expel 0.25"), (thick, bound), "the old name of --margin");
    assert_eq!(stop("--margin 0"), stop(""));
    // In the zone from the start, it may go away and along, but not nearer.
    let start = "cube.obj cube.obj --translate-a -2.125,0,0 --expel 0.25";
    sweep(&folder, &format!("{start} --translate -1,0,0")).json(0);
    sweep(&folder, &format!("{start} --translate 0,9,0")).json(0);
    let found = sweep(&folder, &format!("{start} --translate 1,0,0")).json(1);
    assert!(number(&found["fraction"]) < 1e-9, "{found}");
}

/// A closed part is met from outside; two-sided, from inside of its surface too. What is inside of a solid overlaps it, so the room
/// is made of a box with its faces looking inward: nothing is in a solid there.
#[test]
fn two_sided() {
    let folder = cube("sweep-two-sided");
    let box_text = std::fs::read_to_string(folder.path("cube.obj")).expect("the cube");
    let inward: String = box_text
        .lines()
        .map(|line| {
            match line.strip_prefix("f ").map(|rest| rest.split_whitespace().rev().collect::<Vec<_>>()) {
                Some(corners) => format!("f {}\n", corners.join(" ")),
                None => format!("{line}\n"),
            }
        })
        .collect();
    folder.write("room.obj", inward);
    // From the middle to a wall of the room, which is met with its front.
    let inside = "cube.obj room.obj --scale-b 4 --translate 6,0,0";
    for options in ["", " --two-sided"] {
        let found = sweep(&folder, &format!("{inside}{options}")).json(1);
        assert_eq!(found["verdict"], "hit");
        assert_fraction(&found, 0.5, 1e-9);
    }
    // From outside, the wall shows its back, which is met only if that is asked for.
    let outside = "cube.obj room.obj --translate-a -9,0,0 --translate 4.5,0,0";
    sweep(&folder, outside).json(0);
    let outside = "cube.obj room.obj --translate-a -5,0,0 --translate 6,0,0 --two-sided";
    assert_fraction(&sweep(&folder, outside).json(1), 0.5, 1e-9);
    // Open surfaces are met from both sides anyway.
    folder.write("flat.obj", TRIANGLE);
    folder.write("point.obj", "v 1 1 0\nf 1\n");
    for from in [1.0, -1.0] {
        for options in ["", " --two-sided"] {
            let found = sweep(
                &folder,
                &format!(
                    "point.obj flat.obj --translate-a 0,0,{from} --translate 0,0,{}{options}",
                    -2.0 * from
                ),
            )
            .json(1);
            assert_fraction(&found, 0.5, 1e-9);
            assert_eq!(found["normal"], json!([0.0, 0.0, -from]));
        }
    }
}

#[test]
fn each_row_is_answered_like_a_motion_of_its_own() {
    let folder = cube("sweep-rows");
    let rows = ["6,0,0", "-5 -5 0  0 0 1 -90", "0 0 0.5, -5 -5 0, 0 0 -2, 90", "0 0 9"];
    folder.write(
        "motions.txt",
        format!(
            "# by; center, axis, angle; all\n{}\n\n  {} # turns\r\n{}\n{}",
            rows[0], rows[1], rows[2], rows[3]
        ),
    );
    let options = [
        "--translate 6,0,0",
        "--rotate -5,-5,0,0,0,1,-90",
        "--translate 0,0,0.5 --rotate -5,-5,0,0,0,-2,90",
        "--translate 0,0,9",
    ];
    for more in ["", " --expel 0.125", " --two-sided", " --unit mm"] {
        let common = format!("cube.obj cube.obj --translate-a -5,0,0{more}");
        let text = sweep(&folder, &format!("{common} --motions motions.txt")).expect(1);
        let lines: Vec<&str> = text.lines().collect();
        assert_eq!(lines.len(), options.len());
        for (index, (line, option)) in lines.into_iter().zip(options).enumerate() {
            let single = sweep(&folder, &format!("{common} {option}"));
            // The same document, with the index in front.
            assert_eq!(format!("{line}\n"), single.stdout.replacen('{', &format!("{{\"index\":{index},"), 1));
        }
    }
    let text = folder.run("sweep cube.obj cube.obj --translate-a -5,0,0 --motions motions.txt").expect(1);
    let lines: Vec<&str> = text.lines().collect();
    assert!(lines[0].starts_with("0  hit at 0.5, ") || lines[0].starts_with("0  hit at 0.49999"), "{text}");
    assert_eq!((lines.len(), lines[3]), (4, "3  clear"));
    folder.write("away.txt", "-1 0 0\n0 0 0\n");
    let away = folder.run("sweep cube.obj cube.obj --translate-a -5,0,0 --motions away.txt").expect(0);
    assert_eq!(away, "0  clear\n1  clear\n");
    let started = folder.run("sweep cube.obj cube.obj --translate-a 1,0,0 --motions away.txt").expect(1);
    assert_eq!(started, "0  started overlapping\n1  started overlapping\n");
}

#[test]
fn answers_are_the_same_for_every_number_of_threads() {
    let folder = Folder::new("sweep-threads");
    folder.make("bumpy --triangles 200 ball.obj");
    folder.make("torus --triangles 200 ring.obj");
    let rows: String = (0..200_u32)
        .map(|i| {
            let x = f64::from(i % 17) * 0.3 - 2.0;
            match i % 3 {
                0 => format!("6 {x} 0\n"),
                1 => format!("0 0 0 {x} 1 2 {}\n", i * 3),
                _ => format!("1 {x} 0 0 0 0 0 1 {x} -200\n"),
            }
        })
        .collect();
    folder.write("motions.txt", rows);
    let outputs = ["1", "2", "5"].map(|threads| {
        let mut command =
            folder.command("sweep ball.obj ring.obj --translate-a -4,0,0 --motions motions.txt --json");
        command.env("RAYON_NUM_THREADS", threads);
        Run::of(command).expect(1)
    });
    assert_eq!(outputs[0], outputs[1]);
    assert_eq!(outputs[0], outputs[2]);
    for (index, line) in outputs[0].lines().enumerate() {
        let document: Value = serde_json::from_str(line).expect("each line is JSON");
        assert_eq!(document["index"], index);
    }
    assert_eq!(outputs[0].lines().count(), 200);
}

#[test]
fn sentences() {
    let folder = Folder::new("sweep-text");
    folder.write("pin.obj", "v 1 1 2\nv 1 1.5 9\nv 1.5 1 9\nf 2 3 1\n");
    folder.write("flat.obj", TRIANGLE);
    let text = folder.run("sweep pin.obj flat.obj --translate 0,0,-8 --expel 0.5 --unit mm").expect(1);
    let lines: Vec<&str> = text.lines().collect();
    assert_eq!(
        lines[..3],
        [
            "pin.obj is stopped by flat.obj at 0.1875 of its way, moving along the line.",
            "  pin.obj   (1, 1, 0.5), vertex 0",
            "  flat.obj  (1, 1, 0), face 0",
        ]
    );
    assert_eq!(lines[3..], ["  They are at most 0.5 mm apart there; the normal is (0, 0, -1)."]);
    let text = folder.run("sweep pin.obj flat.obj --translate 0,0,8").expect(0);
    assert_eq!(text, "pin.obj does not meet flat.obj on its way.\n");
    let text = folder.run("sweep pin.obj flat.obj --translate-a 0,0,-3 --translate 0,0,8").expect(1);
    assert_eq!(text, "pin.obj and flat.obj overlap before anything moves.\n");
}

#[test]
fn refusals_name_the_option_or_the_line() {
    let folder = cube("sweep-errors");
    let good = "--translate 1,0,0";
    for (arguments, message) in [
        ("--translate 1,0", "--translate: 2 numbers were given, but it must be 3"),
        ("--translate 1,0,x", "--translate: \"x\" is not a number"),
        ("--translate 0,nan,0", "--translate: the translation in y is NaN, which is not a finite number"),
        ("--rotate 0,0,0,0,0,1", "--rotate: 6 numbers were given, but it must be 7"),
        ("--rotate 0,0,0,0,0,0,90", "--rotate: the rotation's axis is 0, 0, 0, which is no direction"),
        ("--rotate 0,0,0,0,0,1,inf", "--rotate: the rotation's angle is inf, which is not a finite number"),
        ("--to-matrix 1,0,0,0", "--to-matrix: 4 numbers were given, but it must be 16"),
        (
            "--translate 1,0,0 --margin -1",
            "--margin: -1 is no thickness: it must be a finite number of at least 0",
        ),
        (
            "--translate 1,0,0 --expel nan",
            "--margin: NaN is no thickness: it must be a finite number of at least 0",
        ),
        ("--translate 1,0,0 --expel 1,2", "--margin: 2 numbers were given, but it must be 1"),
    ] {
        for more in ["", " --json"] {
            let error = folder.run(&format!("sweep cube.obj cube.obj {arguments}{more}")).error();
            assert_eq!(error, message, "{arguments}");
        }
    }
    let nothing = folder.run("sweep cube.obj cube.obj").error();
    assert_eq!(nothing, "sweep: nothing moves: --translate, --rotate, --to-matrix or --motions is missing");
    // Scaled on the way: no rigid motion.
    let scaled = folder.run("sweep cube.obj cube.obj --to-matrix 2,0,0,0,0,2,0,0,0,0,2,0,0,0,0,1").error();
    assert!(scaled.starts_with("--to-matrix: ") && scaled.contains("rigid"), "{scaled}");
    let mirrored = folder.run("sweep cube.obj cube.obj --to-matrix -1,0,0,9,0,1,0,0,0,0,1,0,0,0,0,1").error();
    assert!(mirrored.starts_with("--to-matrix: "), "{mirrored}");
    folder.write("motions.txt", "1 0 0\n");
    for (arguments, named) in [
        ("--to-matrix 1 --translate 1,0,0", ["--to-matrix", "--translate"]),
        ("--to-matrix 1 --rotate 1", ["--to-matrix", "--rotate"]),
        ("--motions motions.txt --translate 1,0,0", ["--motions", "--translate"]),
        ("--motions motions.txt --rotate 1", ["--motions", "--rotate"]),
        ("--motions motions.txt --to-matrix 1", ["--motions", "--to-matrix"]),
        ("--translate 1,0,0 --matrix-a 1 --translate-a 1,0,0", ["--matrix-a", "--translate-a"]),
        ("--translate 1,0,0 --poses-b motions.txt", ["--poses-b", "--poses-b"]),
    ] {
        let error = folder.run(&format!("sweep cube.obj cube.obj {arguments}")).error();
        assert!(named.iter().all(|name| error.contains(name)), "{error}");
    }
    for (files, named) in [("none.obj cube.obj", "none.obj: "), ("cube.obj none.obj", "none.obj: ")] {
        let error = folder.run(&format!("sweep {files} {good}")).error();
        assert!(error.starts_with(named), "{error}");
    }
    assert!(folder.run(&format!("sweep cube.obj {good}")).error().contains("<STATIONARY>"));
}

#[test]
fn files_of_motions_are_checked_whole() {
    let folder = cube("sweep-lines");
    for (row, message) in [
        ("1 0", "2 numbers were given, but it must be 3, 7 or 10"),
        ("1 0 0 0 0 0 1 90", "8 numbers were given, but it must be 3, 7 or 10"),
        ("1 0 one", "\"one\" is not a number"),
        ("1 nan 0", "the translation in y is NaN, which is not a finite number"),
        ("0 0 0 0 0 0 90", "the rotation's axis is 0, 0, 0, which is no direction"),
        ("1 0 0 0 0 0 0 0 0 90", "the rotation's axis is 0, 0, 0, which is no direction"),
        ("0 0 0 0 0 1 inf", "the rotation's angle is inf, which is not a finite number"),
        ("0 0 0 0 0 1 nan", "the rotation's angle is NaN, which is not a finite number"),
    ] {
        folder.write("motions.txt", format!("# motions\n6 0 0\n\n6 0 0 # again\n{row}\n6 0 0\n"));
        for more in ["", " --json"] {
            // The first rows are good, and yet nothing is printed.
            let error = folder
                .run(&format!("sweep cube.obj cube.obj --translate-a -5,0,0 --motions motions.txt{more}"))
                .error();
            assert_eq!(error, format!("motions.txt: line 5: {message}"));
        }
    }
    folder.write("motions.txt", "# none\n\n");
    assert_eq!(
        folder.run("sweep cube.obj cube.obj --motions motions.txt").error(),
        "motions.txt: has no rows"
    );
    let error = folder.run("sweep cube.obj cube.obj --motions none.txt").error();
    assert!(error.starts_with("none.txt: cannot be read: "), "{error}");
    assert_eq!(folder.files(), ["cube.obj", "motions.txt"]);
}

/// A motion out of the range of placements is no panic, and no lie: it goes as far as there are placements.
#[test]
fn motions_of_any_size() {
    let folder = cube("sweep-range");
    for motion in [
        "1e150 0 0",
        "0 1e-300 0",
        "0 0 0 1e-300 0 0 90",
        "0 0 0 0 0 1 1e18",
        "1e300 0 0 0 0 0 1e300 1 1 1e5",
    ] {
        folder.write("motions.txt", motion);
        let run = folder.run("sweep cube.obj cube.obj --translate-a -5,0,0 --motions motions.txt --json");
        if run.status == 2 {
            assert!(run.error().starts_with("motions.txt: line 1: "));
            continue;
        }
        let status = run.status;
        let found = run.json(status);
        let fraction = number(&found["fraction"]);
        assert!((0.0..=1.0).contains(&fraction), "{found}");
        assert_eq!(found["verdict"] == "clear", status == 0, "{found}");
    }
}
