//! Rules of `impinge clash`: sets, the matrix, what is hosted or ignored, severities, and what goes wrong.

use std::fs;
use std::path::PathBuf;

use serde_json::{Value, json};

use crate::support::{Folder, write_cubes};

/// A file of rules that comes with the project, copied into the folder.
fn example(folder: &Folder, file: &str) {
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../examples/rules").join(file);
    folder.write(file, fs::read(path).expect("the example is there"));
}

/// Verdict, severity and names of each clash.
fn lines(document: &Value) -> Vec<String> {
    let name = |clash: &Value, side: &str| {
        let part = clash[side].as_u64().expect("an index") as usize;
        let name = document["parts"][part]["name"].as_str().expect("a name");
        name.rsplit('/').next().unwrap_or_default().to_owned()
    };
    let word = |value: &Value| value.as_str().unwrap_or("none").to_owned();
    let clashes = document["clashes"].as_array().expect("a list").iter();
    let line = |clash: &Value| {
        let [verdict, severity] = ["verdict", "severity"].map(|field| word(&clash[field]));
        format!("{severity} {verdict} {} {}", name(clash, "a"), name(clash, "b"))
    };
    clashes.map(line).collect()
}

fn notes(document: &Value) -> Vec<&str> {
    document["notes"].as_array().expect("a list").iter().filter_map(Value::as_str).collect()
}

/// Cubes of 1 m, so that a step of 0.96 along an axis overlaps by 0.04 and one of 1.04 leaves a gap of 0.04.
const BUILDING: &[(&str, [f64; 3], f64)] = &[
    ("b/IfcWall/wall", [0.0, 0.0, 0.0], 1.0),
    ("b/IfcDoor/door", [0.0, 0.0, 0.0], 0.5),
    ("b/IfcBeam/beam", [10.0, 0.0, 0.0], 1.0),
    ("b/IfcPipeSegment/pipe", [10.96, 0.0, 0.0], 1.0),
    ("b/IfcDuctSegment/duct", [10.0, 1.04, 0.0], 1.0),
    ("b/IfcCableSegment/cable", [10.0, 0.0, 1.04], 1.0),
    ("b/IfcFurniture/chair", [20.0, 0.0, 0.0], 1.0),
    ("b/IfcFurniture/table", [20.5, 0.0, 0.0], 1.0),
    ("b/IfcSlab/slab", [20.0, 0.99, 0.0], 1.0),
];

#[test]
fn the_matrix_of_a_building() {
    let folder = Folder::new("rules-building");
    write_cubes(&folder, "s.gltf", BUILDING);
    example(&folder, "building.toml");
    let document = folder.run("clash s.gltf --rules building.toml --json").json(1);
    // A gap of 0.04 is too small beside ducts and between pipes and cables, not between beams and cables. The slab is within the
    // tolerance, the furniture has no rule, the door is hosted.
    assert_eq!(
        lines(&document),
        ["critical overlapping beam pipe", "critical near beam duct", "major near pipe cable"]
    );
    let notes = notes(&document).join("\n");
    assert!(notes.contains("left out: 1 hosted, "), "{notes}");
    assert!(notes.contains("2 no deeper than a tolerance"), "{notes}");
    assert!(notes.contains("no part is in the set `openings`"), "{notes}");
    assert!(notes.contains("not looked at"), "{notes}");
    // Severities decide the status, and are in the other outputs.
    let run = |options: &str| folder.run(&format!("clash s.gltf --rules building.toml {options}"));
    run("--fail-on critical").expect(1);
    run("--fail-on minor,info").expect(0);
    let table = run("").expect(1);
    assert!(
        table.contains("verdict      severity  a ") && table.contains("overlapping  critical  b/IfcBeam"),
        "{table}"
    );
    let csv = run("--csv").expect(1);
    let header = csv.lines().next().expect("a header");
    assert!(header.contains(",group,severity,review_status,assignee,"), "{header}");
    assert!(csv.lines().nth(1).expect("a row").contains(",critical,"), "{csv}");
}

#[test]
fn the_matrix_of_a_plant_in_another_unit() {
    let folder = Folder::new("rules-plant");
    let cubes: &[(&str, [f64; 3], f64)] = &[
        ("pipe 1", [0.0, 0.0, 0.0], 0.1),
        ("pipe 1 insulation", [0.0, 0.0, 0.0], 0.2),
        // 20 mm off the pipe in all that follows.
        ("beam 1", [0.12, 0.0, 0.0], 0.1),
        ("pump 7", [1.0, 0.0, 0.0], 0.1),
        ("beam 2", [1.104, 0.0, 0.0], 0.1),
        ("hanger", [2.0, 0.0, 0.0], 0.1),
        ("pipe 2", [2.099, 0.0, 0.0], 0.1),
        ("crate", [3.0, 0.0, 0.0], 0.1),
        ("main walkway", [3.05, 0.0, 0.0], 0.1),
    ];
    write_cubes(&folder, "s.gltf", cubes);
    example(&folder, "plant.toml");
    let document = folder.run("clash s.gltf --rules plant.toml --json").json(1);
    assert_eq!(
        lines(&document),
        [
            "critical near pipe 1 beam 1",
            "major overlapping pipe 1 insulation beam 1",
            "critical near pump 7 beam 2",
            "critical overlapping crate main walkway",
        ]
    );
    let notes = notes(&document).join("\n");
    assert!(notes.contains("2 clashes left out: 1 hosted, 1 no deeper than a tolerance"), "{notes}");
}

const TWO: &[(&str, [f64; 3], f64)] =
    &[("wall", [0.0; 3], 1.0), ("door", [0.0; 3], 0.5), ("door 2", [0.4, 0.0, 0.0], 0.5)];

#[test]
fn what_is_hosted_is_so_one_way() {
    let folder = Folder::new("rules-hosted");
    write_cubes(&folder, "s.gltf", TWO);
    let sets = "[sets.walls]\nmatch = [\"wall\"]\n[sets.doors]\nmatch = [\"door*\"]\n";
    let run = |rules: &str, status: i32| {
        folder.write("r.toml", format!("{sets}{rules}"));
        lines(&folder.run("clash s.gltf --rules r.toml --json").json(status))
    };
    let hosted = "[[rules]]\nbetween = [\"walls\", \"doors\"]\nhosted = true\n";
    assert_eq!(run(hosted, 1), ["major overlapping door door 2"]);
    let wrong_way = "[[rules]]\nbetween = [\"doors\", \"walls\"]\nhosted = true\n";
    assert_eq!(run(wrong_way, 1), ["major inside wall door", "major overlapping door door 2"]);
    // The first rule that names a pair counts, and ignored pairs are not looked at.
    let ignored = format!("{hosted}[[rules]]\nbetween = [\"*\", \"*\"]\nignore = true\n");
    assert_eq!(run(&ignored, 0), [""; 0]);
    let only = "unlisted = \"ignore\"\n".to_owned()
        + sets
        + "[[rules]]\nbetween = [\"walls\", \"doors\"]\nseverity = \"info\"\n";
    folder.write("r.toml", only);
    let found = lines(&folder.run("clash s.gltf --rules r.toml --json").json(1));
    assert_eq!(found, ["info inside wall door", "info overlapping wall door 2"]);
}

/// Cubes beside each other, each overlapping the next by a half, with extras as converters write them.
fn write_classes(folder: &Folder) {
    let names = ["a", "b", "c", "d", "e/IfcBeam/guid", "f"];
    let cubes: Vec<_> =
        names.iter().zip(0..).map(|(name, k)| (*name, [0.5 * f64::from(k), 0.0, 0.0], 0.9)).collect();
    write_cubes(folder, "s.gltf", &cubes);
    let mut document: Value =
        serde_json::from_slice(&fs::read(folder.path("s.gltf")).expect("it is there")).expect("JSON");
    let extras = [
        json!({"class": "IfcWall", "Pset_WallCommon": {"IsExternal": true, "Width": 0.30}}),
        json!({"GlobalId": "x", "IfcType": "IFCWALLSTANDARDCASE", "Pset_WallCommon": {"IsExternal": false}}),
        json!({"ifc_class": "IfcPipeSegment", "Tags": ["hot", "steel"], "Empty": null}),
        json!("anything at all"),
        json!(7),
        json!({}),
    ];
    for (node, extras) in extras.into_iter().enumerate() {
        document["nodes"][node]["extras"] = extras;
    }
    // The last hangs below a node that says what it is, and its mesh says more.
    document["nodes"].as_array_mut().expect("a list").push(json!({
        "name": "above", "children": [5], "extras": {"ifcClass": "IfcDoor", "Fire": "EI30"},
    }));
    document["nodes"][5].as_object_mut().expect("an object").remove("extras");
    let mut mesh = document["meshes"][0].clone();
    mesh["extras"] = json!({"class": "mesh", "Fire": "none", "Maker": "Smith & Sons"});
    document["meshes"].as_array_mut().expect("a list").push(mesh);
    document["nodes"][5]["mesh"] = json!(1);
    folder.write("s.gltf", document.to_string());
}

#[test]
fn sets_by_class_and_properties() {
    let folder = Folder::new("rules-classes");
    write_classes(&folder);
    // The parts of a set are those whose clashes with all others stay.
    let parts = |set: &str| {
        folder.write(
            "r.toml",
            format!("unlisted = \"ignore\"\n[sets.s]\n{set}\n[[rules]]\nbetween = [\"s\", \"*\"]\n"),
        );
        let document =
            folder.run("clash s.gltf --rules r.toml --json").json(if set.contains("none") { 0 } else { 1 });
        let clashes = document["clashes"].as_array().expect("a list").iter();
        let mut pairs: Vec<[u64; 2]> =
            clashes.map(|clash| ["a", "b"].map(|side| clash[side].as_u64().expect("an index"))).collect();
        pairs.sort_unstable();
        pairs
    };
    assert_eq!(parts("class = \"IfcWall\""), [[0, 1]]);
    assert_eq!(parts("class = [\"IfcWall*\"]"), [[0, 1], [1, 2]]);
    assert_eq!(parts("class = \"ifcpipesegment\""), [[1, 2], [2, 3]]);
    // By the path where the file says no class.
    assert_eq!(parts("class = \"IfcBeam\""), [[3, 4], [4, 5]]);
    assert_eq!(parts("class = [\"IfcDoor\", \"IfcWall\"]"), [[0, 1], [4, 5]]);
    assert_eq!(parts("properties = { \"Pset_WallCommon.IsExternal\" = true }"), [[0, 1]]);
    assert_eq!(parts("properties = { \"Pset_WallCommon.IsExternal\" = \"false\" }"), [[0, 1], [1, 2]]);
    assert_eq!(parts("properties.Pset_WallCommon = { IsExternal = true, Width = 0.3 }"), [[0, 1]]);
    assert_eq!(parts("properties.\"Tags.1\" = \"steel\""), [[1, 2], [2, 3]]);
    assert_eq!(parts("properties.Fire = \"EI*\""), [[4, 5]]);
    assert_eq!(parts("properties.Maker = \"Smith*\""), [[4, 5]]);
    assert_eq!(parts("properties.Fire = \"none\""), [[0; 2]; 0]);
    // All that is said has to hold.
    assert_eq!(parts("match = \"b\"\nclass = \"IfcWall*\""), [[0, 1], [1, 2]]);
    assert_eq!(parts("class = \"IfcWall*\"\nexcept = [\"b\"]"), [[0, 1]]);
    assert_eq!(parts("match = \"none\"\nclass = \"IfcWall*\""), [[0; 2]; 0]);
}

#[test]
fn what_goes_through_is_never_forgiven() {
    let folder = Folder::new("rules-thickness");
    // Two sheets, one through the other: as deep as they are thick, which is less than the tolerance.
    folder.write(
        "s.obj",
        "o a\nv 0 0 0\nv 10 0 0\nv 10 10 0\nv 0 10 0\nv 0 0 .1\nv 10 0 .1\nv 10 10 .1\nv 0 10 .1\n\
         f 4 3 2 1\nf 5 6 7 8\nf 1 2 6 5\nf 2 3 7 6\nf 3 4 8 7\nf 4 1 5 8\n\
         o b\nv 5 1 -5\nv 5.1 1 -5\nv 5.1 9 -5\nv 5 9 -5\nv 5 1 5\nv 5.1 1 5\nv 5.1 9 5\nv 5 9 5\n\
         f 12 11 10 9\nf 13 14 15 16\nf 9 10 14 13\nf 10 11 15 14\nf 11 12 16 15\nf 12 9 13 16\n",
    );
    folder.write("r.toml", "[[rules]]\nbetween = [\"*\", \"*\"]\ntolerance = 1\n");
    let document = folder.run("clash s.obj --split --rules r.toml --json").json(1);
    assert_eq!(document["clashes"][0]["limited_by_thickness"], true, "{document}");
    let error = folder.run("clash s.obj --split --rules r.toml --no-depth").error();
    assert!(error.contains("r.toml: tolerances need depths"), "{error}");
}

#[test]
fn errors_name_file_line_and_key() {
    let folder = Folder::new("rules-errors");
    write_cubes(&folder, "s.gltf", TWO);
    let rule = "[[rules]]\nbetween = [\"*\", \"*\"]\n";
    let cases = [
        (String::new(), "r.toml: line 1: has no [[rules]]"),
        ("x".to_owned(), "r.toml: line 1: "),
        (format!("{rule}clearence = 1\n"), "r.toml: line 3: unknown field `clearence`"),
        (format!("{rule}clearance = -1\n"), "r.toml: line 3: clearance: -1 is no length"),
        (format!("{rule}tolerance = nan\n"), "r.toml: line 3: tolerance: NaN is no length"),
        (format!("{rule}verdicts = [\"clear\"]\n"), "r.toml: line 3: unknown variant `clear`"),
        (format!("{rule}verdicts = []\n"), "r.toml: line 3: verdicts: there are none"),
        (
            format!("{rule}ignore = true\nseverity = \"info\"\n"),
            "r.toml: line 1: ignore: the rule says something else",
        ),
        (
            "[[rules]]\nbetween = [\"pipes\", \"*\"]\n".to_owned(),
            "r.toml: line 2: between: there is no set `pipes`",
        ),
        ("[[rules]]\nbetween = [\"*\"]\n".to_owned(), "r.toml: line 2: "),
        (format!("{rule}\n{rule}"), "r.toml: line 4: between: line 1 has a rule for `*` and `*` already"),
        (format!("[sets.a]\nmatch = []\n{rule}"), "r.toml: line 1: sets.a: match has no pattern"),
        (format!("[sets.a]\nclass = []\n{rule}"), "r.toml: line 1: sets.a: class has no pattern"),
        (
            format!("[sets.a]\nexcept = [\"b\"]\n{rule}"),
            "r.toml: line 1: sets.a: says neither match nor class nor properties",
        ),
        (
            format!("[sets.a]\nclass = 7\n{rule}"),
            "r.toml: line 2: invalid type: integer `7`, expected a pattern or a list of patterns",
        ),
        (format!("[sets.a]\nproperties = \"x\"\n{rule}"), "r.toml: line 2: invalid type: string"),
        (
            format!("[sets.a]\nproperties.x = [1]\n{rule}"),
            "r.toml: line 2: invalid type: sequence, expected a pattern, a number, true, false, or a table",
        ),
        (format!("[sets.a]\nclasses = \"x\"\n{rule}"), "r.toml: line 2: unknown field `classes`"),
        (format!("unit = \"ell\"\n{rule}"), "r.toml: line 1: unit: ell cannot be converted to m"),
    ];
    for (text, expected) in cases {
        folder.write("r.toml", &text);
        let error = folder.run("clash s.gltf --rules r.toml").error();
        assert!(error.contains(expected), "{text}: {error}");
    }
    folder.write("r.toml", b"\xff");
    assert!(folder.run("clash s.gltf --rules r.toml").error().contains("r.toml: "));
    let error = folder.run("clash s.gltf --fail-on critical").error();
    assert!(error.contains("--fail-on: severities need --rules"), "{error}");
}
