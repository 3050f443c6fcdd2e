//! `impinge clash`: kinds, selection, outputs, baselines, and what goes wrong.

use serde_json::Value;

use crate::support::Folder;

/// Boxes as groups of one OBJ file, each from one corner to another.
fn boxes(list: &[(&str, [f64; 3], [f64; 3])]) -> String {
    let mut text = String::new();
    for (number, (name, min, max)) in list.iter().enumerate() {
        text += &format!("o {name}\n");
        for corner in 0..8_usize {
            let [x, y, z] = [0, 1, 2].map(|axis| if corner >> axis & 1 == 1 { max[axis] } else { min[axis] });
            text += &format!("v {x} {y} {z}\n");
        }
        let faces = [[1, 3, 4, 2], [5, 6, 8, 7], [1, 2, 6, 5], [3, 7, 8, 4], [1, 5, 7, 3], [2, 4, 8, 6]];
        for face in faces {
            let [a, b, c, d] = face.map(|corner| corner + 8 * number);
            text += &format!("f {a} {b} {c} {d}\n");
        }
    }
    text
}

/// One of each kind, along a line.
fn scene(folder: &Folder) {
    let text = boxes(&[
        ("base", [0.0, 0.0, 0.0], [10.0, 1.0, 1.0]),
        ("base_again", [0.0, 0.0, 0.0], [10.0, 1.0, 1.0]),
        ("plate", [0.0, 1.0, 0.0], [1.0, 2.0, 1.0]),
        ("pin", [2.3, 0.7, 0.3], [2.6, 2.0, 0.6]),
        ("bolt", [4.1, 0.2, 0.2], [4.4, 0.6, 0.6]),
        ("cover", [6.0, 1.05, 0.0], [7.0, 2.0, 1.0]),
        ("far", [20.0, 0.0, 0.0], [21.0, 1.0, 1.0]),
    ]);
    folder.write("scene.obj", text);
}

/// Ends with an error that says this.
fn refuses(folder: &Folder, arguments: &str, message: &str) {
    let error = folder.run(arguments).error();
    assert!(error.contains(message), "{arguments}: {error}");
}

fn kinds(document: &Value) -> Vec<String> {
    let name = |clash: &Value, side: &str| {
        let part = clash[side].as_u64().expect("an index") as usize;
        document["parts"][part]["name"].as_str().expect("a name").to_owned()
    };
    let clashes = document["clashes"].as_array().expect("a list");
    let line = |clash: &Value| {
        format!("{} {} {}", clash["verdict"].as_str().expect("a word"), name(clash, "a"), name(clash, "b"))
    };
    clashes.iter().map(line).collect()
}

#[test]
fn every_kind_is_found_and_nothing_else() {
    let folder = Folder::new("clash-kinds");
    scene(&folder);
    let document = folder.run("clash scene.obj --split --clearance 0.1 --unit mm --json").json(1);
    assert_eq!((&document["schema"], &document["partial"]), (&1.into(), &false.into()));
    assert_eq!(document["unit"], "mm");
    assert_eq!(
        kinds(&document),
        [
            "duplicate base base_again",
            "touching base plate",
            "overlapping base pin",
            "inside base bolt",
            "near base cover",
            "touching base_again plate",
            "overlapping base_again pin",
            "inside base_again bolt",
            "near base_again cover",
        ]
    );
    let pin = &document["clashes"][2];
    let depth = pin["depth"].as_f64().expect("a depth");
    assert!((0.3..0.301).contains(&depth), "{pin}");
    assert_eq!(document["clashes"][3]["contained"], "b");
    let near = document["clashes"][4]["distance"].as_f64().expect("a gap");
    assert!((near - 0.05).abs() < 1e-9, "{near}");
    // Without splitting, the file is one part.
    let whole = folder.run("clash scene.obj --json").json(0);
    assert_eq!(whole["parts"].as_array().map(Vec::len), Some(1));
}

/// All that is planted, by kind, and nothing else; the scene went through a file of f32.
#[test]
fn the_assembly_has_what_was_planted() {
    let folder = Folder::new("clash-assembly");
    for seed in 0..3 {
        folder.make(&format!("assembly engine.glb --seed {seed}"));
        let document = folder.run("clash engine.glb --unit mm --clearance 1 --json").json(1);
        let found = kinds(&document);
        let count = |kind: &str| found.iter().filter(|line| line.starts_with(kind)).count();
        let counts = ["duplicate", "overlapping", "inside", "touching", "near"].map(count);
        assert_eq!((found.len(), counts), (44, [4, 16, 8, 8, 8]), "seed {seed}: {found:?}");
        assert!(
            found.contains(&"overlapping gear 3 shaft 3".to_owned())
                && found.contains(&"inside housing 8 bolt 8".to_owned())
        );
        for clash in document["clashes"].as_array().expect("a list") {
            if clash["verdict"] == "near" {
                assert!((clash["distance"].as_f64().expect("a gap") - 0.5).abs() < 1e-3, "{clash}");
            }
        }
    }
    refuses(&folder, "make assembly engine.obj", ".glb");
}

/// As many parts and clashes as are asked for: just those that were planted, each told rightly.
#[test]
fn a_crowd_has_what_was_planted() {
    let folder = Folder::new("clash-crowd");
    for options in ["--seed 1", "--seed 2 --instanced"] {
        folder.make(&format!("parts crowd.glb --parts 300 --faces 60 --clashes 60 {options}"));
        let document = folder.run("clash crowd.glb --clearance 0.02 --json").json(1);
        assert_eq!(document["parts"].as_array().map(Vec::len), Some(300));
        let found = kinds(&document);
        let count = |kind: &str| found.iter().filter(|line| line.starts_with(kind)).count();
        let counts = ["duplicate", "overlapping", "inside", "touching", "near"].map(count);
        assert_eq!((found.len(), counts), (60, [12; 5]), "{options}: {found:?}");
        let clashes = document["clashes"].as_array().expect("a list");
        // Planted one after the other, kinds by turns.
        let turns = ["overlapping", "inside", "touching", "duplicate", "near"].into_iter().cycle();
        for (clash, kind) in clashes.iter().zip(turns) {
            assert_eq!(clash["verdict"], kind, "{options}: {clash}");
            assert_eq!(clash["a"].as_u64().map(|a| a + 1), clash["b"].as_u64(), "{options}: {clash}");
        }
    }
    refuses(&folder, "make parts crowd.glb --parts 10 --clashes 6", "--clashes: 6 needs twice as many parts");
    refuses(&folder, "make parts crowd.obj", ".glb");
}

#[test]
fn sets_and_patterns_choose() {
    let folder = Folder::new("clash-sets");
    scene(&folder);
    let run = |options: &str, status: i32| {
        kinds(&folder.run(&format!("clash scene.obj --split --json {options}")).json(status))
    };
    assert_eq!(run("--set a=base --set b=p*", 1), ["touching base plate", "overlapping base pin"]);
    assert_eq!(run("--set all=base*", 1), ["duplicate base base_again"]);
    assert_eq!(run("--ignore base*", 0), [""; 0]);
    assert_eq!(run("--ignore-same-body", 0), [""; 0]);
    assert_eq!(run("--ignore base_again --ignore-touching", 1), ["overlapping base pin", "inside base bolt"]);
    refuses(&folder, "clash scene.obj --split --set a=nothing", "--set a: no part is called `nothing`");
    refuses(&folder, "clash scene.obj --split --set base", "--set: `base` is not NAME=PATTERN");
}

#[test]
fn a_baseline_tells_what_is_new() {
    let folder = Folder::new("clash-baseline");
    scene(&folder);
    let old = folder.run("clash scene.obj --split --json");
    assert_eq!(old.status, 1);
    folder.write("old.json", &old.stdout);
    let same = "clash scene.obj --split --baseline old.json";
    folder.run(&format!("{same} --fail-on new --json")).json(0);
    folder.run(&format!("{same} --fail-on overlapping --json")).json(1);
    let text = std::fs::read_to_string(folder.path("scene.obj")).expect("it is there");
    folder
        .write("scene.obj", text + &boxes(&[("nail", [8.0, 0.5, 0.5], [8.1, 3.0, 0.6])]).replace("f ", "# "));
    // Vertices alone are no part; a real one more is new.
    folder.run(&format!("{same} --fail-on new --json")).json(0);
    folder.write(
        "scene.obj",
        boxes(&[("base", [0.0, 0.0, 0.0], [10.0, 1.0, 1.0]), ("nail", [8.0, 0.5, 0.5], [8.1, 3.0, 0.6])]),
    );
    let document = folder.run(&format!("{same} --fail-on new --json")).json(1);
    assert_eq!(kinds(&document), ["overlapping base nail"]);
    assert_eq!(document["clashes"][0]["status"], "new");
    assert!(document["resolved"].as_array().is_some_and(|list| list.len() > 3), "{document}");
    folder.write("old.json", "{\"schema\": 1, \"clashes\": [{}]}");
    refuses(&folder, same, "old.json");
    refuses(&folder, "clash scene.obj --fail-on new", "--baseline");
}

#[test]
fn tables_values_and_pages_are_written() {
    let folder = Folder::new("clash-outputs");
    scene(&folder);
    let table = folder.run("clash scene.obj --split --clearance 0.1").expect(1);
    assert!(table.contains("9 clashes among 7 parts") && table.contains("near: up to 0.1 units"), "{table}");
    let values = folder.run("clash scene.obj --split --csv").expect(1);
    assert_eq!(values.lines().count(), 8, "{values}");
    folder.run("clash scene.obj --split --report page.html").expect(1);
    let page = std::fs::read_to_string(folder.path("page.html")).expect("it was written");
    assert!(page.contains("base_again") && page.len() > 10_000);
    if let Some(data) = crate::support::data(&folder, "page.html") {
        let clashes = data["clashes"].as_array().map_or(0, Vec::len) as u64;
        let groups = data["groups"].as_array().expect("groups").iter();
        let members = groups.flat_map(|group| group["members"].as_array().expect("members"));
        let mut members: Vec<u64> = members.filter_map(Value::as_u64).collect();
        members.sort_unstable();
        assert_eq!(members, (0..clashes).collect::<Vec<_>>(), "every clash is in one group");
    }
    let count = |text: &str| text.matches("http://").count() + text.matches("https://").count();
    // Addresses in the page are names of formats and licences, none is loaded.
    assert!(!page.contains("src=\"http") && count(&page) < 200);
}

#[test]
fn what_crosses_itself_is_found_when_asked() {
    let folder = Folder::new("clash-self");
    folder.write(
        "crossed.obj",
        "v 0 0 0\nv 2 0 0\nv 0 2 0\nv 0.5 0.5 -1\nv 0.5 0.5 1\nv 1 0.2 1\nf 1 2 3\nf 4 5 6\n",
    );
    folder.run("clash crossed.obj --json").json(0);
    let document = folder.run("clash crossed.obj --self --json").json(1);
    assert_eq!(kinds(&document), ["overlapping crossed crossed"]);
}

#[test]
fn bad_input_is_named_and_nothing_is_written() {
    let folder = Folder::new("clash-bad");
    scene(&folder);
    folder.write("torn.glb", b"glTF\x02\x00\x00\x00\xff\x00\x00\x00");
    folder.write("empty.obj", "v 0 0 0\n");
    folder.write("nan.obj", "v 0 0 nan\nv 1 0 0\nv 0 1 0\nf 1 2 3\n");
    for (options, message) in [
        ("missing.glb", "missing.glb"),
        ("torn.glb --report out.html", "torn.glb"),
        ("empty.obj --report out.html", "empty.obj"),
        ("nan.obj --report out.html", "nan.obj"),
        ("scene.obj --clearance -1 --report out.html", "--clearance"),
        ("scene.obj --touch nan --report out.html", "--touch"),
        ("scene.obj --baseline missing.json --report out.html", "missing.json"),
        ("scene.obj --report no/such/folder/out.html", "out.html"),
    ] {
        refuses(&folder, &format!("clash {options}"), message);
    }
    assert!(folder.files().iter().all(|file| !file.starts_with("out.html")), "{:?}", folder.files());
}

/// A box by its corners, as an OBJ file.
fn cuboid(min: [f64; 3], max: [f64; 3]) -> String {
    let corner = |number: usize| {
        let at = |axis: usize| if number >> axis & 1 == 1 { max[axis] } else { min[axis] };
        format!("v {} {} {}\n", at(0), at(1), at(2))
    };
    let faces = "f 1 3 4 2\nf 5 6 8 7\nf 1 2 6 5\nf 3 7 8 4\nf 1 5 7 3\nf 2 4 8 6\n";
    (0..8).map(corner).collect::<String>() + faces
}

/// How deep overlaps are, and what a tolerance leaves out: never what goes through a thin part.
#[test]
fn depths_and_a_tolerance() {
    let folder = Folder::new("clash-tolerance");
    folder.write("table.obj", cuboid([0.0; 3], [100.0, 100.0, 10.0]));
    for (number, depth) in [0.001, 0.002, 0.003].into_iter().enumerate() {
        let x = 20.0 * number as f64;
        folder.write(&format!("foot{number}.obj"), cuboid([x, 0.0, -20.0], [x + 10.0, 10.0, depth]));
    }
    folder.write("deep.obj", cuboid([70.0, 0.0, 6.0], [90.0, 20.0, 30.0]));
    folder.write("sheet.obj", cuboid([200.0, 0.0, 0.0], [200.002, 50.0, 50.0]));
    folder.write("cross.obj", cuboid([150.0, 20.0, 0.0], [250.0, 20.002, 50.0]));
    let files = "table.obj foot0.obj foot1.obj foot2.obj deep.obj sheet.obj cross.obj --touch 0.0001";
    let document = folder.run(&format!("clash {files} --json")).json(1);
    let clashes = document["clashes"].as_array().expect("a list");
    assert_eq!(clashes.len(), 5, "{document}");
    for (clash, depth) in clashes.iter().zip([0.001, 0.002, 0.003, 4.0, 0.001]) {
        let [at_least, at_most] = [0, 1].map(|end| clash["penetration"][end].as_f64().expect("a length"));
        assert!(at_least <= depth + 1e-9 && depth <= at_most + 1e-9, "{clash}");
        assert!(at_most <= at_least * 1.011 + 0.00011, "{clash}");
        assert_eq!(clash["separation"], clash["depth"]);
    }
    let limited: Vec<_> = clashes.iter().map(|clash| clash["limited_by_thickness"] == true).collect();
    assert_eq!(limited, [false, false, false, false, true]);
    let text = folder.run(&format!("clash {files}")).expect(1);
    assert!(
        text.contains("3 of 5 overlaps are no deeper than 0.004 units; --tolerance 0.004 leaves them out\n"),
        "{text}"
    );
    let text = folder.run(&format!("clash {files} --tolerance 0.004")).expect(1);
    assert!(text.contains("3 overlaps no deeper than 0.004 units left out by --tolerance"), "{text}");
    assert!(text.contains(" deep ") && text.contains(" cross ") && !text.contains("foot1"), "{text}");
    let refused = folder.run(&format!("clash {files} --tolerance -1")).error();
    assert!(refused.starts_with("--tolerance: "), "{refused}");
    let csv = folder.run(&format!("clash {files} --csv")).expect(1);
    assert!(
        csv.starts_with("id,")
            && csv.contains(",penetration_at_least,penetration_at_most,limited_by_thickness"),
        "{csv}"
    );
    // Depths change no verdict.
    let verdicts = |document: &serde_json::Value| -> Vec<_> {
        document["clashes"].as_array().into_iter().flatten().map(|clash| clash["verdict"].clone()).collect()
    };
    let quick = folder.run(&format!("clash {files} --no-depth --json")).json(1);
    assert_eq!(verdicts(&document), verdicts(&quick));
    assert!(quick["clashes"][0]["penetration"].is_null());
}
