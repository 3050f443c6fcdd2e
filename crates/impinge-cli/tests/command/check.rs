//! `impinge check`: verdicts, documents, sentences.

use serde_json::{Value, json};

use crate::support::{Folder, Run, TRIANGLE, UPRIGHT};

/// A folder with a cube from -1 to 1.
fn cube(name: &str) -> Folder {
    let folder = Folder::new(name);
    folder.make("box --triangles 12 cube.obj");
    folder
}

fn check(folder: &Folder, arguments: &str) -> Run {
    folder.run(&format!("check {arguments} --json"))
}

/// The document without the counts of work, which engines may change.
fn without_work(mut document: Value) -> Value {
    let work = document.as_object_mut().and_then(|fields| fields.remove("work")).expect("work is counted");
    let counts = work.as_object().expect("work is an object");
    assert!(counts.len() == 2 && work["box_tests"].is_u64() && work["face_tests"].is_u64(), "{work}");
    document
}

#[test]
fn clear_models() {
    let folder = cube("clear");
    let run = check(&folder, "cube.obj cube.obj --translate-b 3,0,0");
    assert!(run.stdout.starts_with("{\"schema\":1,\"verdict\":\"clear\","), "{}", run.stdout);
    let clear = json!({ "schema": 1, "verdict": "clear", "contained": null, "witness": null });
    assert_eq!(without_work(run.json(0)), clear);
    let text = folder.run("check cube.obj cube.obj --translate-b 3,0,0").expect(0);
    assert!(text.starts_with("A (cube.obj) and B (cube.obj) are clear of each other.\n"), "{text}");
}

#[test]
fn faces_that_cross() {
    let folder = Folder::new("cross");
    folder.write("flat.obj", format!("# first\n{TRIANGLE}v 9 9 9\nv 9 8 9\nv 8 9 9\nf 4 5 6\n"));
    folder.write("upright.obj", UPRIGHT);
    let found = json!({
        "schema": 1,
        "verdict": "overlapping",
        "contained": null,
        "witness": { "face_a": 0, "face_b": 0, "point": [1.0, 1.0, 0.0] },
        "pairs": [[0, 0]],
    });
    assert_eq!(without_work(check(&folder, "flat.obj upright.obj --pairs").json(1)), found);
    let mut without_pairs = found.clone();
    without_pairs.as_object_mut().expect("an object").remove("pairs");
    assert_eq!(without_work(check(&folder, "flat.obj upright.obj").json(1)), without_pairs);

    let text = folder.run("check flat.obj upright.obj --pairs --unit mm").expect(1);
    let lines: Vec<&str> = text.lines().collect();
    assert_eq!(
        lines[..5],
        [
            "flat.obj and upright.obj overlap.",
            "  at     (1, 1, 0) mm",
            "  faces  face 0 of flat.obj, face 0 of upright.obj",
            "  pairs  1 pair of faces",
            "         0 0",
        ]
    );
    assert!(lines[5].starts_with("  work   ") && lines.len() == 6, "{text}");
}

#[test]
fn half_shifted_cubes_overlap_though_no_faces_cross() {
    let folder = cube("half");
    let found = check(&folder, "cube.obj cube.obj --translate-b 1,0,0").json(1);
    assert_eq!((&found["verdict"], &found["contained"]), (&json!("overlapping"), &Value::Null));
    let pairs = check(&folder, "cube.obj cube.obj --translate-b 1,0,0 --pairs").json(1);
    let list = pairs["pairs"].as_array().expect("there are pairs");
    let as_numbers = |pair: &Value| [pair[0].as_u64(), pair[1].as_u64()];
    assert!(list.len() > 10 && list.is_sorted_by_key(as_numbers), "{list:?}");
    // With the surfaces alone there is no interior to meet.
    assert_eq!(
        check(&folder, "cube.obj cube.obj --translate-b 1,0,0 --surface").json(1)["verdict"],
        "touching"
    );
    // They still overlap when touching counts for nothing, but none of their faces cross.
    let ignored = check(&folder, "cube.obj cube.obj --translate-b 1,0,0 --pairs --ignore-touching").json(1);
    assert_eq!((&ignored["verdict"], &ignored["pairs"]), (&json!("overlapping"), &json!([])));
}

#[test]
fn touching_is_a_verdict_and_can_be_ignored() {
    let folder = cube("touch");
    let beside = "cube.obj cube.obj --translate-b 2,0,0";
    let touching = check(&folder, &format!("{beside} --pairs")).json(1);
    assert_eq!(touching["verdict"], "touching");
    assert!(touching["witness"]["face_a"].is_u64() && touching["witness"]["point"][0] == 1.0, "{touching}");
    assert!(touching["pairs"].as_array().is_some_and(|pairs| !pairs.is_empty()), "{touching}");
    let clear = json!({ "schema": 1, "verdict": "clear", "contained": null, "witness": null, "pairs": [] });
    assert_eq!(without_work(check(&folder, &format!("{beside} --pairs --ignore-touching")).json(0)), clear);
    let sentence = |options: &str, status| folder.run(&format!("check {beside} {options}")).expect(status);
    assert!(sentence("", 1).starts_with("A (cube.obj) and B (cube.obj) touch.\n"));
    assert!(sentence("--ignore-touching", 0).contains(" only touch, which is ignored: clear.\n"));
}

/// The same pairs of files, told by `check --touch` and by `clash --touch`.
#[test]
fn touch_means_what_it_means_in_clash() {
    let folder = cube("tolerance");
    let word = |by: &str, touch: &str| {
        let found = check(&folder, &format!("cube.obj cube.obj --translate-b {by},0,0 --touch {touch}"));
        let status = i32::from(!found.stdout.contains("clear"));
        found.json(status)["verdict"].as_str().expect("a word").to_owned()
    };
    // Apart by 0.01, overlapping by 0.01.
    for by in ["2.01", "1.99"] {
        let exact = if by == "2.01" { "clear" } else { "overlapping" };
        assert_eq!(["0", "0.009", "0.011"].map(|touch| word(by, touch)), [exact, exact, "touching"], "{by}");
        folder
            .run(&format!("check cube.obj cube.obj --translate-b {by},0,0"))
            .expect(i32::from(by == "1.99"));
        let corners = |x: f64| {
            (0..8)
                .map(|i| format!("v {} {} {}\n", x + f64::from(i & 1), i >> 1 & 1, i >> 2))
                .collect::<String>()
        };
        let quads = "f 1 5 7 3\nf 2 4 8 6\nf 1 2 6 5\nf 3 7 8 4\nf 1 3 4 2\nf 5 6 8 7\n";
        folder.write("unit.obj", corners(0.0) + quads);
        folder.write("next.obj", corners(by.parse::<f64>().expect("a number") - 1.0) + quads);
        for touch in ["0.009", "0.011"] {
            let clash = folder.run(&format!("clash unit.obj next.obj --touch {touch} --json"));
            let clashes: Value = serde_json::from_str(&clash.stdout).expect("a document");
            let of_clash = clashes["clashes"].get(0).map_or(json!("clear"), |clash| clash["verdict"].clone());
            let found = folder.run(&format!("check unit.obj next.obj --touch {touch} --json"));
            let of_check: Value = serde_json::from_str(&found.stdout).expect("a document");
            assert_eq!((&of_check["verdict"], found.status), (&of_clash, clash.status), "{by} {touch}");
        }
    }
    // Inside stays inside, and deep overlaps stay.
    assert_eq!(check(&folder, "cube.obj cube.obj --scale-b 0.5 --touch 0.1").json(1)["verdict"], "inside");
    assert_eq!(word("0.5", "0.1"), "overlapping");
}

#[test]
fn what_touches_within_a_length_has_a_place() {
    let folder = cube("tolerated");
    let gap = check(&folder, "cube.obj cube.obj --translate-b 2.5,0,0 --touch 1 --pairs").json(1);
    assert_eq!(gap["witness"]["face_a"], Value::Null);
    assert_eq!((&gap["witness"]["point"][0], &gap["pairs"]), (&json!(1.25), &json!([])));
    let pressed = check(&folder, "cube.obj cube.obj --translate-b 1.99,0.1,0.2 --touch 0.1 --pairs").json(1);
    assert_eq!(pressed["verdict"], "touching");
    assert!(pressed["pairs"].as_array().is_some_and(|pairs| !pairs.is_empty()), "{pressed}");
    for by in ["2.5,0,0", "1.5,0.1,0.2"] {
        let ignored = check(
            &folder,
            &format!("cube.obj cube.obj --translate-b {by} --touch 1 --pairs --ignore-touching"),
        );
        let clear =
            json!({ "schema": 1, "verdict": "clear", "contained": null, "witness": null, "pairs": [] });
        assert_eq!(without_work(ignored.json(0)), clear, "{by}");
    }
    for engine in ["dop14", "brute", "bsp"] {
        let found =
            check(&folder, &format!("cube.obj cube.obj --translate-b 2.5,0,0 --touch 1 --engine {engine}"));
        assert_eq!(found.json(1)["verdict"], "touching", "{engine}");
    }
    folder.write(
        "poses.txt",
        "1 0 0 2.5 0 1 0 0 0 0 1 0\n1 0 0 3.5 0 1 0 0 0 0 1 0\n1 0 0 0.5 0 1 0 0 0 0 1 0\n",
    );
    let rows = folder.run("check cube.obj cube.obj --poses-b poses.txt --touch 0.6 --json").expect(1);
    let verdicts: Vec<Value> = rows
        .lines()
        .map(|line| serde_json::from_str::<Value>(line).expect("each line is JSON")["verdict"].clone())
        .collect();
    assert_eq!(verdicts, ["touching", "clear", "overlapping"]);
    for bad in ["-1", "nan", "inf"] {
        let run = folder.run(&format!("check cube.obj cube.obj --touch {bad}"));
        assert!(run.status == 2 && run.stderr.contains("--touch"), "{}", run.stderr);
    }
    let run = folder.run("check cube.obj cube.obj --touch 1 --engine image");
    assert!(run.status == 2 && run.stderr.contains("--touch"), "{}", run.stderr);
}

/// A matrix of determinant 5, whose inverse rounds: the numbers are exact in the world.
#[test]
fn flush_cubes_under_a_whole_matrix_touch() {
    let folder = cube("whole");
    let places = "--matrix-a 3,1,0,7,1,2,0,0,0,1,1,0,0,0,0,1 --matrix-b 3,1,0,13,1,2,0,2,0,1,1,0,0,0,0,1";
    for engine in ["dop6", "dop8", "dop14", "bsp", "brute"] {
        let found = check(&folder, &format!("cube.obj cube.obj {places} --engine {engine}")).json(1);
        assert_eq!(found["verdict"], "touching", "{engine}");
    }
    assert_eq!(folder.run(&format!("distance cube.obj cube.obj {places} --json")).json(1)["distance"], 0.0);
}

#[test]
fn spheres_one_percent_apart_are_inside_each_other() {
    let folder = Folder::new("inside");
    folder.make("icosphere --triangles 320 ball.obj");
    folder.make("icosphere --triangles 320 other.ply");
    let inner = check(&folder, "ball.obj other.ply --scale-b 0.99").json(1);
    assert_eq!((&inner["verdict"], &inner["contained"]), (&json!("inside"), &json!("b")));
    assert_eq!((&inner["witness"]["face_a"], &inner["witness"]["face_b"]), (&Value::Null, &Value::Null));
    let point: Vec<f64> = serde_json::from_value(inner["witness"]["point"].clone()).expect("a point");
    assert!(point.iter().all(|x| x.abs() <= 0.99), "{point:?}");
    assert_eq!(check(&folder, "ball.obj other.ply --scale-a 0.99").json(1)["contained"], "a");
    assert_eq!(check(&folder, "ball.obj other.ply --scale-b 0.99 --surface").json(0)["verdict"], "clear");
    // Touching is not what inside is about.
    let ignored = check(&folder, "ball.obj other.ply --scale-b 0.99 --ignore-touching").json(1);
    assert_eq!(ignored["verdict"], "inside");
    let sentence = |option: &str| folder.run(&format!("check ball.obj other.ply {option} 0.99")).expect(1);
    assert!(sentence("--scale-b").starts_with("other.ply is inside ball.obj.\n"));
    assert!(sentence("--scale-a").starts_with("ball.obj is inside other.ply.\n"));
}

#[test]
fn exchanging_the_models_exchanges_the_names_only() {
    let folder = Folder::new("symmetry");
    folder.make("bumpy --triangles 300 a.obj");
    folder.make("torus --triangles 300 b.obj");
    let [first, second] = [
        "a.obj b.obj --rotate-a 1,2,3,40 --translate-b 0.3,-0.1,0.2 --scale-b 1,-1.5,0.7 --pairs",
        "b.obj a.obj --rotate-b 1,2,3,40 --translate-a 0.3,-0.1,0.2 --scale-a 1,-1.5,0.7 --pairs",
    ]
    .map(|arguments| check(&folder, arguments).json(1));
    let pairs = |document: &Value| -> Vec<[u32; 2]> {
        serde_json::from_value(document["pairs"].clone()).expect("there are pairs")
    };
    assert_eq!((&first["verdict"], &second["verdict"]), (&json!("overlapping"), &json!("overlapping")));
    let witness = |document: &Value, names: [&str; 3]| names.map(|name| document["witness"][name].clone());
    assert_eq!(
        witness(&first, ["face_a", "face_b", "point"]),
        witness(&second, ["face_b", "face_a", "point"])
    );
    let mut exchanged: Vec<[u32; 2]> = pairs(&second).into_iter().map(|[a, b]| [b, a]).collect();
    exchanged.sort_unstable();
    assert!(!exchanged.is_empty());
    assert_eq!(pairs(&first), exchanged);
}

#[test]
fn split_polygons_keep_their_index() {
    let folder = Folder::new("labels");
    // A triangle far away, then an L, which is not convex, and its far arm.
    let l = "v 8 8 8\nv 9 8 8\nv 8 9 8\nv 0 0 0\nv 4 0 0\nv 4 1 0\nv 1 1 0\nv 1 4 0\nv 0 4 0\nf 1 2 3\nf 4 5 6 7 8 9\n";
    folder.write("l.obj", l);
    folder.write("pin.obj", "v 0.5 3 -1\nv 0.6 3 1\nv 0.4 3 1\nf 1 2 3\n");
    let found = check(&folder, "l.obj pin.obj --pairs").json(1);
    assert_eq!((&found["witness"]["face_a"], &found["pairs"]), (&json!(1), &json!([[1, 0]])));
    assert_eq!(check(&folder, "l.obj pin.obj --translate-b 2,0,0").json(0)["verdict"], "clear");
}

#[test]
fn numbers_read_back_bit_by_bit() {
    let folder = Folder::new("digits");
    folder.write("point.obj", "v 0.1 0.2 0.30000000000000004\nf 1\n");
    let found = check(&folder, "point.obj point.obj").json(1);
    assert_eq!(found["witness"]["point"], json!([0.1, 0.2, 0.1 + 0.2]));
    let far =
        check(&folder, "point.obj point.obj --translate-a 0.7,1e17,-5e-324 --translate-b 0.7,1e17,-5e-324");
    assert_eq!(far.json(1)["witness"]["point"], json!([0.1 + 0.7, 1e17 + 0.2, 0.1 + 0.2]));
}

#[test]
fn gltf_faces_name_their_node_and_primitive() {
    let folder = Folder::new("gltf");
    // One triangle, placed by two nodes; the second stands 10 further along x.
    let triangle: [f32; 9] = [0.0, 0.0, 0.0, 4.0, 0.0, 0.0, 0.0, 4.0, 0.0];
    let bytes: Vec<u8> = triangle.iter().flat_map(|x| x.to_le_bytes()).collect();
    folder.write("scene.bin", &bytes);
    let scene = json!({
        "asset": { "version": "2.0" },
        "buffers": [{ "uri": "scene.bin", "byteLength": 36 }],
        "bufferViews": [{ "buffer": 0, "byteLength": 36 }],
        "accessors": [{ "bufferView": 0, "componentType": 5126, "count": 3, "type": "VEC3",
                        "min": [0, 0, 0], "max": [4, 4, 0] }],
        "meshes": [{ "primitives": [{ "attributes": { "POSITION": 0 } }] }],
        "nodes": [{ "mesh": 0, "name": "here" }, { "mesh": 0, "name": "there", "translation": [10, 0, 0] }],
        "scenes": [{ "nodes": [0, 1] }],
        "scene": 0,
    });
    folder.write("scene.gltf", scene.to_string());
    folder.write("upright.obj", UPRIGHT);
    let found = check(&folder, "upright.obj scene.gltf --translate-a 10,0,0").json(1);
    let witness =
        json!({ "face_a": 0, "face_b": 1, "point": [11.0, 1.0, 0.0], "node_b": 1, "primitive_b": 0 });
    assert_eq!(found["witness"], witness);
    assert!(found.get("unit").is_none());
    let twice = check(&folder, "scene.gltf scene.gltf --rotate-b 1,0,0,90").json(1);
    assert_eq!(twice["unit"], "m");
    assert!(twice["witness"]["node_a"].is_u64() && twice["witness"]["primitive_b"].is_u64(), "{twice}");
    let text = folder.run("check upright.obj scene.gltf --translate-a 10,0,0").expect(1);
    assert!(text.contains("face 0 of upright.obj, face 1 (node 1, primitive 0) of scene.gltf\n"), "{text}");
}

#[test]
fn engine_and_unit() {
    let folder = cube("engine");
    // The work differs from engine to engine, and so may the witness; the answer does not.
    let answer = |options: &str| {
        let found =
            check(&folder, &format!("cube.obj cube.obj --translate-b 0.5,0,0 --pairs {options}")).json(1);
        (found["verdict"].clone(), found["pairs"].clone())
    };
    for engine in ["dop6", "dop8", "dop14", "dop18", "dop26", "bsp", "brute"] {
        assert_eq!(answer(&format!("--engine {engine}")), answer(""), "{engine}");
    }
    let error = check(&folder, "cube.obj cube.obj --engine warp").error();
    assert!(error.contains("'warp'") && error.contains("--engine") && error.contains("brute"), "{error}");
    assert_eq!(check(&folder, "cube.obj cube.obj --unit mm").json(1)["unit"], "mm");
    let mut empty = folder.command("check cube.obj cube.obj --unit");
    empty.arg(" ");
    assert_eq!(Run::of(empty).error(), "--unit: \" \" is no name of a unit");
}

#[test]
fn the_curve_is_written() {
    let folder = Folder::new("curve");
    folder.make("icosphere --triangles 320 ball.obj");
    check(&folder, "ball.obj ball.obj --translate-b 0.5,0.1,0.2 --curve curve.obj").json(1);
    let text = std::fs::read_to_string(folder.path("curve.obj")).expect("the curve was written");
    let lines: Vec<Vec<&str>> = text.lines().map(|line| line.split(' ').collect()).collect();
    let loops: Vec<&Vec<&str>> = lines.iter().filter(|line| line[0] == "l").collect();
    assert_eq!(loops.len(), 1, "two balls meet in one loop");
    assert_eq!(loops[0][1], loops[0][loops[0].len() - 1], "it is closed");
    assert_eq!(lines.iter().filter(|line| line[0] == "v").count(), loops[0].len() - 2);
    let error = check(&folder, "ball.obj ball.obj --curve missing/curve.obj").error();
    assert!(error.contains("missing/curve.obj"), "{error}");
}

/// The bodies of Blow 1997 through the engine that it describes, with every option that changes the answer.
#[test]
fn the_planes_of_the_faces_answer_everything() {
    let folder = Folder::new("bsp");
    for shape in ["hovertank", "cargo-box", "repair-pad"] {
        folder.make(&format!("{shape} {shape}.obj"));
    }
    folder.write(
        "poses.txt",
        "1 0 0 0  0 1 0 0  0 0 1 0.4\n0 1 0 0.5  1 0 0 0  0 0 1 0.1875\n1 0 0 5  0 1 0 0  0 0 1 0\n",
    );
    let pad = "repair-pad.obj hovertank.obj --scale-a 2 --pairs";
    for options in [
        "--translate-b 0,0,0.1875",
        "--translate-b 0,0,0.1875 --surface",
        "--translate-b 0,0,0.1875 --ignore-touching",
        "--translate-b 0.1,0.2,0.15 --rotate-b 0,0,1,30 --curve bsp.obj",
        "--poses-b poses.txt",
    ] {
        let answers = ["bsp", "brute"].map(|engine| {
            let run = folder.run(&format!("check {pad} {options} --engine {engine} --json"));
            let lines = run.expect(1);
            let documents = lines.lines().map(|line| {
                let document: serde_json::Value = serde_json::from_str(line).expect("JSON");
                [document["verdict"].clone(), document["contained"].clone(), document["pairs"].clone()]
            });
            documents.collect::<Vec<_>>()
        });
        assert_eq!(answers[0], answers[1], "{options}");
    }
    assert!(folder.files().contains(&"bsp.obj".to_owned()));
}
