//! `impinge-papers NAME`: tables, files and answers of quick runs.

use impinge::shapes::Shape;
use impinge_formats::write_obj;
use serde_json::Value;

use crate::support::{Folder, check_help};

const SHAPES: [&str; 7] = ["door", "lock", "car", "pipes", "torus", "sphere", "cylinder"];
/// The kinds of trees, as tables and files name them.
const TREES: [&str; 7] = ["6", "8", "14", "18", "26", "6-paper", "obb"];

/// The rows of a CSV file as numbers, with the first column as text. Names of trees that are no numbers become negative ones.
fn rows(csv: &str) -> Vec<(String, Vec<f64>)> {
    let columns = csv.lines().next().expect("there is a header").split(',').count();
    let row = |line: &str| {
        let (first, others) = line.split_once(',').expect("there are columns");
        let named =
            |entry: &str| TREES.iter().position(|tree| *tree == entry).map(|place| -1.0 - place as f64);
        let number = |entry: &str| entry.parse().ok().or_else(|| named(entry)).expect("a number");
        let numbers: Vec<f64> = others.split(',').map(number).collect();
        assert_eq!(numbers.len() + 1, columns, "{line}");
        (first.to_owned(), numbers)
    };
    csv.lines().skip(1).map(row).collect()
}

#[test]
fn a_quick_run_fills_tables_and_files() {
    let folder = Folder::new("bench");
    let text = folder.run("dop-tree --quick --out results").expect(0);
    for shape in SHAPES {
        for tree in TREES {
            let has_row = |line: &str| {
                let words: Vec<&str> = line.split_whitespace().collect();
                words.len() == 12 && words[0] == shape && words[2] == tree
            };
            assert!(text.lines().any(has_row), "{shape} {tree}\n{text}");
        }
    }
    for part in ["Tables 1 to 3", "Tables 4 to 6", "leaves at each depth", "criteria of a good tree"] {
        assert!(text.contains(part), "{part}\n{text}");
    }
    assert!(text.contains("Why 8 directions do badly.") && text.contains("p: time ~ n^p"), "{text}");

    let read = |file: &str| {
        std::fs::read_to_string(folder.path("results").join(file)).expect("the file was written")
    };
    // shape,triangles,k,distance,mean_ns,hits,…
    let distances = rows(&read("distances.csv"));
    assert_eq!(distances.len(), SHAPES.len() * TREES.len() * 6);
    for of_object in distances.chunk_by(|a, b| a.0 == b.0) {
        let per_k: Vec<_> = of_object.chunk_by(|a, b| a.1[1] == b.1[1]).collect();
        assert_eq!(per_k.len(), TREES.len());
        for (rows, tree) in per_k.iter().zip(TREES) {
            assert!(tree.parse().map_or(rows[0].1[1] < 0.0, |k: f64| rows[0].1[1] == k), "{tree}");
            let hits = |rows: &[(String, Vec<f64>)]| rows.iter().map(|row| row.1[4]).collect::<Vec<_>>();
            assert_eq!(hits(rows), hits(per_k[0]), "{} {tree}", rows[0].0);
            // Equal objects in the same place meet; out of reach nothing does.
            assert!(rows[0].1[4] > 0.0 && rows[rows.len() - 1].1[4] == 0.0, "{}", rows[0].0);
        }
    }
    assert_eq!(rows(&read("objects.csv")).len(), SHAPES.len() * TREES.len());
    assert_eq!(rows(&read("growth.csv")).len(), 4 * TREES.len());
    assert_eq!(rows(&read("exponents.csv")).len(), TREES.len());
    // shape,triangles,k,start_ns,visit_ns,face_ns,…: costs are not negative, and something costs.
    let costs = rows(&read("costs.csv"));
    assert_eq!(costs.len(), SHAPES.len() * TREES.len());
    for (shape, row) in costs {
        assert!(
            row[2..5].iter().all(|cost| *cost >= 0.0) && row[2..5].iter().sum::<f64>() > 0.0,
            "{shape} {row:?}"
        );
    }
    // object,triangles,depth,leaves,paper: as many leaves as the sphere has triangles, in both.
    let construction = rows(&read("construction.csv"));
    let sphere: Vec<&Vec<f64>> =
        construction.iter().filter(|row| row.0 == "sphere").map(|row| &row.1).collect();
    for column in [2, 3] {
        assert_eq!(sphere.iter().map(|row| row[column]).sum::<f64>(), 23_104.0, "{sphere:?}");
    }
    assert_eq!(rows(&read("octahedra.csv")).len(), SHAPES.len());
    assert!(read("octahedra.txt").starts_with("Why 8 directions do badly. Octahedra (k = 8) have "));

    let names: Vec<String> = std::fs::read_dir(folder.path("results"))
        .expect("the folder is there")
        .map(|entry| entry.expect("a file").file_name().to_string_lossy().into_owned())
        .collect();
    assert!(read("alignment.svg").contains("Aligning a turned DOP"));
    assert!(read("considered.svg").contains("Polygons considered"));
    let pictures = ["alignment.svg", "considered.svg"];
    let is_plot = |name: &&String| name.ends_with(".svg") && !pictures.contains(&name.as_str());
    let plots: Vec<&String> = names.iter().filter(is_plot).collect();
    assert_eq!((names.len(), plots.len()), (11 + 2 * SHAPES.len() + 2, 2 * SHAPES.len() + 2), "{names:?}");
    for plot in plots {
        let svg = read(plot);
        assert!(svg.starts_with("<svg ") && svg.ends_with("</svg>\n"), "{plot}");
        let all = [">k = 6</text>", ">k = 6, built as in the paper</text>", ">OBB</text>"];
        assert!(all.iter().all(|label| svg.contains(label)), "{plot}");
        let others = [8, 14, 18, 26].map(|k| svg.contains(&format!(">k = {k}</text>")));
        assert_eq!(others, [!plot.starts_with("obb-"); 4], "{plot}");
        assert!(!svg.contains("NaN") && !svg.contains("inf"), "{plot}");
    }
}

#[test]
fn json_has_the_chosen_objects_and_the_same_counts_in_every_run() {
    let folder = Folder::new("bench-json");
    let run = || folder.run("dop-tree --quick --shapes box,torus --triangles 200,400 --json --out r").json(0);
    let (first, second) = (run(), run());
    assert_eq!(first["schema"], 1);
    let objects = first["objects"].as_array().expect("a list");
    let names: Vec<&str> = objects.iter().filter_map(|object| object["shape"].as_str()).collect();
    assert_eq!(names, ["box", "box", "torus", "torus"]);
    let counts = |document: &Value| {
        let mut counts = Vec::new();
        for object in document["objects"].as_array().expect("a list") {
            for row in object["rows"].as_array().expect("a list") {
                for m in row["measurements"].as_array().expect("a list") {
                    counts.push(["hits", "visits", "box_tests", "face_tests"].map(|name| m[name].clone()));
                }
            }
        }
        counts
    };
    assert_eq!(counts(&first).len(), 4 * TREES.len() * 6);
    assert_eq!(counts(&first), counts(&second));
    for file in first["files"].as_array().expect("a list") {
        assert!(folder.path(file.as_str().expect("a name")).exists(), "{file}");
    }
}

/// The plug-in that the benchmarks' crate is, too; it lies beside the test.
fn own_plug_in() -> std::path::PathBuf {
    let test = std::env::current_exe().expect("the test has a file");
    let name = format!("{}impinge_papers{}", std::env::consts::DLL_PREFIX, std::env::consts::DLL_SUFFIX);
    test.with_file_name(name)
}

#[test]
fn a_peer_runs_beside_and_its_answers_are_compared() {
    let folder = Folder::new("bench-peer");
    let peer = own_plug_in();
    let arguments = "dop-tree --quick --shapes gear,lock --triangles 700 --out r --json --peer";
    let document = folder.run(&format!("{arguments} {}", peer.display())).json(0);
    let objects = document["objects"].as_array().expect("a list");
    assert_eq!(objects.len(), 2);
    for object in objects {
        let [row] = &object["peers"].as_array().expect("a list")[..] else { panic!("{object}") };
        assert!(row["name"].as_str().is_some_and(|name| name.ends_with("impinge_papers")), "{row}");
        assert!(row["info"].as_str().is_some_and(|info| info.contains("impinge")), "{row}");
        let theirs = row["measurements"].as_array().expect("a list");
        let ours = object["rows"][0]["measurements"].as_array().expect("a list");
        assert_eq!(theirs.len(), ours.len());
        for (theirs, ours) in theirs.iter().zip(ours) {
            assert_eq!((&theirs["hits"], &theirs["disagreements"]), (&ours["hits"], &Value::from(0)));
            assert!(theirs["mean_ns"].as_f64().is_some_and(|time| time > 0.0), "{theirs}");
        }
    }
    assert_eq!(document["peer_exponents"].as_array().map(Vec::len), Some(1));
    for file in ["peers.csv", "peers-growth.csv", "peers-gear-"] {
        let written = document["files"].as_array().expect("a list").iter();
        assert!(
            written.filter_map(Value::as_str).any(|name| name.contains(file)),
            "{file} {}",
            document["files"]
        );
    }
}

#[test]
fn volumes_and_triangles_have_a_table_and_a_file() {
    let folder = Folder::new("bench-small");
    let text = folder.run("volumes --quick --triangles 500 --out r").expect(0);
    let csv = std::fs::read_to_string(folder.path("r").join("volumes.csv")).expect("the file was written");
    for volume in ["aabb", "obb", "sphere", "capsule", "plane", "half-space", "frustum"] {
        let of_volume = |line: &&str| line.starts_with(volume);
        assert_eq!(text.lines().filter(of_volume).count(), 3, "{volume}\n{text}");
        assert_eq!(csv.lines().filter(of_volume).count(), 3, "{volume}\n{csv}");
    }
    let document = folder.run("triangles --quick --json --out r").json(0);
    assert_eq!(document["rows"].as_array().map(Vec::len), Some(21));
    assert_eq!(rows(&csv).len(), 21);
    let error = folder.run("volumes --triangles 100000001").error();
    assert_eq!(error, "--triangles: 100000001 is too many; at most 100000000 can be made");
}

#[test]
fn rays_paint_pictures() {
    let folder = Folder::new("bench-rays");
    let document = folder.run("rays --quick --out pictures --json").json(0);
    assert_eq!((&document["schema"], &document["disagreements"]), (&1.into(), &0.into()), "{document}");
    let files: Vec<&str> =
        document["files"].as_array().expect("a list").iter().filter_map(Value::as_str).collect();
    assert_eq!(files, ["pictures/image-00.png", "pictures/image-01.png", "pictures/comparisons.json"]);
    let text = std::fs::read_to_string(folder.path(files[2])).expect("the file was written");
    let compared: Value = serde_json::from_str(&text).expect("JSON");
    assert_eq!(
        (&compared["quick"], compared["comparisons"].as_array().map(Vec::len)),
        (&true.into(), Some(2))
    );
    assert_eq!(compared["comparisons"][0]["printed"], "1.76 times as fast");
    for file in &files[..2] {
        let bytes = std::fs::read(folder.path(file)).expect("the file was written");
        assert!(bytes.starts_with(b"\x89PNG\r\n\x1a\n") && bytes.len() > 5000, "{file}");
    }
    assert!(document["gain"].as_f64().is_some_and(|gain| gain > 0.0), "{document}");
    let text = folder.run("rays --quick --images 1 --out more").expect(0);
    assert!(
        text.contains("the ray transformed to the model's frame") && text.ends_with("1 images in more\n"),
        "{text}"
    );
}

#[test]
fn the_semantics_have_a_table_and_files_for_each_section() {
    let folder = Folder::new("bench-semantics");
    let text = folder.run("semantics --quick --out results").expect(0);
    assert!(text.contains("eight corners") && text.contains("touched ones refitted"), "{text}");
    let read = |file: &str| {
        std::fs::read_to_string(folder.path("results").join(file)).expect("the file was written")
    };
    let names = ["global-box", "deformables", "lazy-refit", "random-pairs", "deep-contact", "frames"];
    let summary = read("semantics.csv");
    assert_eq!(summary.lines().count(), 1 + names.len(), "{summary}");
    for section in names {
        assert!(summary.lines().any(|line| line.starts_with(section)), "{summary}");
        assert!(read(&format!("{section}.svg")).starts_with("<svg "));
        assert!(read(&format!("{section}.csv")).lines().count() > 2);
    }
    let document = folder.run("semantics --quick --only lazy-refit --json --out results").json(0);
    assert_eq!(document["schema"], 1);
    let sections = document["sections"].as_array().expect("a list");
    assert_eq!(sections.len(), 1);
    assert!(sections[0]["ratio"].as_f64().expect("a number") > 1.0);
    let error = folder.run("semantics --quick --models nowhere").error();
    assert!(error.starts_with("nowhere/cow.obj: "), "{error}");
    for (shape, triangles, file) in
        [(Shape::Gear, 700, "cow.obj"), (Shape::Bumpy, 8000, "stanford-bunny.obj")]
    {
        write_obj(folder.path(file), &impinge::Mesh::from(shape.generate(triangles, 0)))
            .expect("a file can be written");
    }
    let text = folder.run("semantics --quick --only random-pairs --models . --out own").expect(0);
    assert!(text.contains("Random pairs of the cow and a coarse bunny"), "{text}");
    let error = folder.run("semantics --only nothing").error();
    assert!(error.contains("--only"), "{error}");
}

#[test]
fn refusals_name_the_option_or_the_folder() {
    let folder = Folder::new("bench-errors");
    folder.write("file", "");
    for (arguments, start) in [
        ("--out file/results", "file/results: cannot be written: "),
        ("--out file", "file: cannot be written: "),
        ("--shapes blob", "--shapes: there is no shape called \"blob\"; `impinge make --list` names all"),
        ("--peer none.so", "--peer: none.so: cannot be read: "),
        ("--peer file", "--peer: file: cannot be loaded: "),
        ("--triangles 100000001", "--triangles: 100000001 is too many; at most 100000000 can be made"),
    ] {
        let error = folder.run(&format!("dop-tree --quick {arguments}")).error();
        assert!(error.starts_with(start), "{error}");
    }
    let error = folder.run("dop-tree --triangles many").error();
    assert!(error.contains("--triangles"), "{error}");
    let error = folder.run("nothing").error();
    assert!(error.contains("nothing"), "{error}");
    assert_eq!(folder.files(), ["file"]);
}

#[test]
fn broad_measures_every_engine_and_writes_its_files() {
    let folder = Folder::new("bench-broad");
    let document = folder.run("broad --quick --boxes 50,200 --steps 3 --json --out r").json(0);
    let rows = document["rows"].as_array().expect("a list");
    let engines: Vec<&str> = rows.iter().filter_map(|row| row["engine"].as_str()).collect();
    assert_eq!(engines, ["tree", "sweep and prune", "brute"].repeat(4));
    assert!(rows.iter().all(|row| row["pairs"].as_u64() > Some(0)), "{document}");
    assert_eq!(document["deformables"]["models"], 64);
    for name in ["broad.csv", "deformables.csv", "growth.svg", "moving.svg"] {
        assert!(folder.path("r").join(name).exists(), "{name}");
    }
    let error = folder.run("broad --boxes 0").error();
    assert!(error.contains("--boxes"), "{error}");
}

/// A box as a group of an OBJ file, from its vertex `first` on; inside out where it is not a brush.
fn obj_box(name: &str, first: u32, [low, high]: [[f64; 3]; 2], is_brush: bool) -> String {
    let mut text = format!("g {name}\n");
    for k in 0..8 {
        let [x, y, z] = [0, 1, 2].map(|axis| if k >> axis & 1 == 1 { high[axis] } else { low[axis] });
        text += &format!("v {x} {y} {z}\n");
    }
    for mut quad in [[0, 2, 3, 1], [4, 5, 7, 6], [0, 1, 5, 4], [2, 6, 7, 3], [0, 4, 6, 2], [1, 3, 7, 5]] {
        if !is_brush {
            quad.reverse();
        }
        let words: Vec<String> = quad.iter().map(|corner| (first + corner).to_string()).collect();
        text += &format!("f {}\n", words.join(" "));
    }
    text
}

#[test]
#[cfg_attr(debug_assertions, ignore = "long: runs in release")]
fn sweeps_compare_engines_shortcuts_and_surfaces() {
    let folder = Folder::new("sweep-bench");
    let floor = obj_box("floor", 1, [[0.0, 0.0, 0.0], [4.0, 4.0, 1.0]], true);
    let step = [[1.0, 1.0, 1.0], [2.0, 4.0, 2.0]];
    folder.write("level.obj", format!("{floor}{}", obj_box("step", 9, step, true)));
    let document = folder.run("sweep --quick --level level.obj --json --out r").json(0);
    let rows = |name: &str| document[name].as_array().expect("a list").clone();
    // Twelve scenes and two in the level, with four engines each.
    let engines = rows("engines");
    assert_eq!(engines.len(), 14 * 4);
    for row in &engines {
        let count = |name: &str| row[name].as_u64().expect("a count");
        let kinds = ["equal", "late", "late_by_rounding", "early", "unclear"];
        assert_eq!(kinds.map(count).iter().sum::<u64>(), count("sweeps"), "{row}");
        if row["engine"] == "impinge" {
            assert_eq!(["late", "late_by_rounding"].map(count), [0, 0], "{row}");
        }
    }
    let shortcuts = rows("shortcuts");
    assert_eq!(shortcuts.len(), 8 * 11);
    assert!(shortcuts.iter().all(|row| row["differ"] == 0), "{shortcuts:?}");
    let surfaces = rows("surfaces");
    let shares: Vec<bool> = surfaces.iter().map(|row| row["internal"].as_f64() > Some(0.0)).collect();
    assert_eq!(shares, [false, true].repeat(4), "{surfaces:?}");
    for name in ["sweep.csv", "engines.csv", "shortcuts.csv", "surfaces.csv"] {
        assert!(folder.path("r").join(name).exists(), "{name}");
    }
    folder.write("hole.obj", obj_box("hole", 1, step, false));
    let error = folder.run("sweep --quick --level hole.obj --out r").error();
    assert_eq!(error, "--level: hole: a corner lies in front of a face");
    let error = folder.run("sweep --quick --level nowhere.obj --out r").error();
    assert!(error.starts_with("nowhere.obj: "), "{error}");
}

#[test]
fn images_are_measured_and_write_their_files() {
    let folder = Folder::new("image-bench");
    let run = "image --quick --device cpu --objects 10,20 --polygons 100,200 --trials 1 --json --out r";
    let document = folder.run(run).json(0);
    assert_eq!(document["device"], "the processor");
    for figure in ["objects", "polygons"] {
        let growths = document[figure].as_array().expect("a list");
        assert_eq!(growths.len(), 6);
        assert!(
            growths.iter().all(|growth| growth["rows"].as_array().map(Vec::len) == Some(2)),
            "{document}"
        );
    }
    let files = [
        "objects.csv",
        "polygons.csv",
        "misses.csv",
        "setup.csv",
        "differences.csv",
        "objects.svg",
        "polygons.svg",
        "misses.svg",
    ];
    for name in files {
        assert!(folder.path("r").join(name).exists(), "{name}");
    }
    let error = folder.run("image --objects 1").error();
    assert!(error.contains("--objects"), "{error}");
    let error = folder.run("image --polygons 100000001").error();
    assert_eq!(error, "--polygons: 100000001 is too many; at most 100000000 can be made");
}

#[test]
#[cfg_attr(debug_assertions, ignore = "long: runs in release")]
fn all_experiments_run_one_after_the_other_into_folders_of_their_own() {
    let folder = Folder::new("all");
    let text = folder.run("all --quick --out results").expect(0);
    let names = [
        ("dop-tree", "objects.csv"),
        ("rays", "image-00.png"),
        ("semantics", "semantics.csv"),
        ("broad", "broad.csv"),
        ("volumes", "volumes.csv"),
        ("triangles", "triangles.csv"),
        ("sweep", "sweep.csv"),
        ("filters", "filters.csv"),
        ("world", "world.csv"),
        ("image", "objects.csv"),
        ("arena", "arena.html"),
    ];
    let mut from = 0;
    for (name, file) in names {
        // In this order, each under its name.
        let heading = format!("{name}\n\n");
        from += text[from..].find(&heading).unwrap_or_else(|| panic!("{name}: {text}"));
        assert!(folder.path("results").join(name).join(file).exists(), "{name}/{file}");
    }
    let error = folder.run("all --quick --out results/rays/image-00.png").error();
    assert!(error.starts_with("results/rays/image-00.png: cannot be written: "), "{error}");
}

#[test]
fn help_names_and_explains_every_option() {
    check_help(
        "papers-help",
        &[
            (
                "",
                &[
                    "all",
                    "arena",
                    "broad",
                    "dop-tree",
                    "filters",
                    "image",
                    "rays",
                    "semantics",
                    "sweep",
                    "triangles",
                    "volumes",
                    "world",
                    "--help",
                    "--version",
                ],
            ),
            ("all", &["--quick", "--out", "--help"]),
            (
                "arena",
                &["--players", "--objects", "--seconds", "--report", "--report-seconds", "--json", "--help"],
            ),
            ("volumes", &["--quick", "--out", "--triangles", "--json", "--help"]),
            ("sweep", &["--quick", "--out", "--peer", "--level", "--json", "--help"]),
            ("triangles", &["--quick", "--out", "--json", "--help"]),
            ("rays", &["--quick", "--out", "--images", "--json", "--help"]),
            ("dop-tree", &["--quick", "--out", "--shapes", "--triangles", "--rotations", "--json", "--help"]),
            (
                "image",
                &[
                    "--quick",
                    "--out",
                    "--device",
                    "--trials",
                    "--seconds",
                    "--objects",
                    "--polygons",
                    "--json",
                    "--help",
                ],
            ),
        ],
    );
}
