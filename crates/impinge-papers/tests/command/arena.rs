//! `impinge-papers arena` and `filters`: a game is the same however it is worked out, and nothing interpenetrates.

use serde_json::Value;

use crate::support::{Folder, Run, data};

/// A short game with few bodies: these tests run without optimization, too.
const SMALL: &str = "arena --players 2 --objects 8 --seconds 8";

#[test]
fn the_document_is_to_the_letter_and_nothing_interpenetrates() {
    let folder = Folder::new("arena-letter");
    let document = folder.run(&format!("{SMALL} --json")).json(0);
    let text = document.to_string();
    let keys =
        ["schema", "steps", "bodies", "interpenetrations", "stuck", "stuck_at", "step_ms", "filters", "hash"];
    for key in keys {
        assert!(!document[key].is_null(), "{key}: {text}");
    }
    assert_eq!((&document["schema"], &document["steps"]), (&1.into(), &480.into()));
    assert_eq!((&document["interpenetrations"], &document["stuck"]), (&0.into(), &0.into()), "{text}");
    assert_eq!(document["stuck_at"].as_array().map(Vec::len), Some(0), "{text}");
    assert!(document["step_ms"]["median"].as_f64() <= document["step_ms"]["p99"].as_f64(), "{text}");
    let filters = document["filters"].as_array().expect("a list");
    let hard = filters.iter().find(|filter| filter["name"] == "hard case").expect("some came so far");
    assert!(hard["decided"].as_u64() > Some(0) && hard["mean_ns"].as_f64() > Some(0.0), "{text}");
}

#[test]
#[cfg_attr(debug_assertions, ignore = "long: runs in release")]
fn neither_broad_phase_nor_filters_nor_threads_change_the_game() {
    let folder = Folder::new("arena-ways");
    let hash = |options: &str| {
        let document = folder.run(&format!("{SMALL} --json --no-check {options}")).json(0);
        document["hash"].as_str().expect("a hash").to_owned()
    };
    let usual = hash("");
    let ways = [
        "--broad sweep-and-prune",
        "--broad columns",
        "--broad cells",
        "--broad brute",
        "--toggle spheres,boxes,plane",
        "--parallel",
    ];
    for way in ways {
        assert_eq!(hash(way), usual, "{way}");
    }
    assert_ne!(hash("--seed 2"), usual);
}

/// The hash of a short game with its first bodies on the ground, in debug and in release, on every system: places come from basic operations and `libm` alone. A change
/// of a sweep by one bit changes it; then it is to be looked at, and written anew.
const HASH: &str = "527b5c66c968350a";

#[test]
fn a_game_ends_in_the_same_bits_in_every_profile_and_with_any_number_of_threads() {
    let folder = Folder::new("arena-threads");
    let hash = |options: &str, threads: &str| {
        let game = format!("arena --players 4 --objects 40 --seconds 2 --json --no-check {options}");
        let mut command = folder.command(&game);
        command.env("RAYON_NUM_THREADS", threads);
        Run::of(command).json(0)["hash"].as_str().expect("a hash").to_owned()
    };
    assert_eq!(hash("", "1"), HASH, "without threads");
    for threads in ["1", "2", "8"] {
        assert_eq!(hash("--parallel", threads), HASH, "{threads} threads");
    }
}

#[test]
fn a_game_as_published_is_one_of_its_own() {
    let folder = Folder::new("arena-published");
    let game = "arena --players 2 --objects 4 --seconds 1 --as-published";
    let document = folder.run(&format!("{game} --json")).json(0);
    assert_eq!((&document["method"], &document["interpenetrations"]), (&"as published".into(), &0.into()));
    let names: Vec<&str> = document["filters"]
        .as_array()
        .expect("a list")
        .iter()
        .filter_map(|row| row["name"].as_str())
        .collect();
    assert_eq!(names[..2], ["grid", "bounding spheres"]);
    let other =
        folder.run(&format!("{game} --json --toggle spheres,boxes,plane,manhattan,early-vertex")).json(0);
    assert_eq!(other["hash"], document["hash"]);
    assert_eq!(other["filters"][1]["name"], "manhattan distance");
    assert!(folder.run(&format!("{game} --parallel")).error().contains("--parallel"));
}

#[test]
fn refusals_name_the_option_or_the_file() {
    let folder = Folder::new("arena-errors");
    assert_eq!(folder.run("arena --seconds -1").error(), "--seconds: -1 is not a time from 0 to 1000000");
    assert!(folder.run("arena --players 99999").error().contains("99999"));
    let error = folder.run("arena --seconds 0 --toggle manhattan").error();
    assert!(error.starts_with("--toggle: ") && error.contains("--as-published"), "{error}");
    let error = folder.run("arena --seconds 0 --report page.html --report-seconds 0").error();
    assert_eq!(error, "--report-seconds: 0 is not a time above 0");
    let error = folder.run("arena --players 0 --objects 0 --seconds 0 --report no/such/page.html").error();
    assert!(error.starts_with("no/such/page.html: "), "{error}");
    let error = folder.run("arena --seconds 0 --report no/such/folder.html").error();
    assert!(error.starts_with("no/such/folder.html: "), "{error}");
    assert!(folder.files().is_empty(), "{:?}", folder.files());
}

#[test]
#[cfg_attr(debug_assertions, ignore = "long: runs in release")]
fn the_script_of_the_paper_ends_well_in_every_way() {
    let folder = Folder::new("bench-filters");
    let document = folder.run("filters --json --out r").json(0);
    let runs = document["runs"].as_array().expect("a list");
    assert_eq!(runs.len(), 5);
    assert_eq!(runs[0]["way"]["name"], "as published");
    for run in runs {
        assert_eq!(run["interpenetrations"], 0, "{run}");
        assert!(run["landed"].as_f64() >= Some(1.0) && run["asleep_at"].as_f64() > Some(1.0), "{run}");
    }
    // Filters change nothing.
    assert_eq!(runs[0]["hash"], runs[1]["hash"]);
    assert_eq!(runs[0]["hash"], runs[2]["hash"]);
    assert_eq!(runs[3]["hash"], runs[4]["hash"]);
    assert_eq!(document["varied"].as_array().map(Vec::len), Some(9));
    let cuts: Vec<u64> = document["cuts"]
        .as_array()
        .expect("a list")
        .iter()
        .filter_map(|row| row["before"].as_u64())
        .collect();
    assert_eq!(cuts, [97, 12, 69]);
    let text = folder.run("filters --out r").expect(0);
    assert!(text.contains("plane divides entities") && text.contains("450.98"), "{text}");
    assert!(folder.path("r").join("filters.csv").exists());
}

#[test]
fn a_world_at_rest_has_a_table() {
    let folder = Folder::new("bench-world");
    let document = folder.run("world --quick --boxes 100 --json --out r").json(0);
    let awake: Vec<u64> =
        document["rows"].as_array().expect("a list").iter().filter_map(|row| row["awake"].as_u64()).collect();
    assert_eq!(awake, [0, 1, 10, 50, 100]);
    assert!(folder.path("r").join("world.csv").exists());
    let error = folder.run("world --boxes 0").error();
    assert!(error.contains('0'), "{error}");
}

#[test]
fn an_arena_is_played_back() {
    let folder = Folder::new("report-arena");
    let game = "arena --players 2 --objects 8 --seconds 2";
    let text = folder.run(&format!("{game} --report game.html")).expect(0);
    assert!(text.contains("interpenetrations: 0") && text.ends_with("wrote game.html\n"), "{text}");
    let Some(all) = data(&folder, "game.html") else { return };
    assert_eq!((&all["kind"], &all["title"]), (&"arena".into(), &"2 players, 8 objects, seed 1".into()));
    let names = all["parts"]["names"].as_array().expect("a list");
    let named = |what: &str| {
        names.iter().filter(|name| name.as_str().is_some_and(|name| name.starts_with(what))).count()
    };
    assert_eq!(named("player"), 2);
    assert!(named("ground") > 4 && named("ground") + 10 <= names.len());
    // Bodies share three shapes; tiles of the ground have one each.
    assert_eq!(all["models"].as_array().map(Vec::len), Some(named("ground") + 3));
    let animation = &all["animation"];
    assert_eq!(animation["duration"], 2.0);
    let lengths = |data: &Value| -> Vec<usize> {
        let tracks = data["animation"]["tracks"].as_array().expect("a list");
        tracks.iter().map(|track| track["times"].as_str().map_or(0, str::len)).collect()
    };
    // The page follows the players.
    let followed: Vec<&str> = animation["followed"]
        .as_array()
        .expect("a list")
        .iter()
        .filter_map(|part| names[part.as_u64()? as usize].as_str())
        .collect();
    assert!(followed.len() == 2 && followed.iter().all(|name| name.starts_with("player")), "{followed:?}");
    // 61 times of eight bytes in base64 for who always moves; much less for who rests.
    let longest = 61_usize.div_ceil(3) * 8 * 4;
    assert!(lengths(&all).iter().all(|length| *length <= longest), "{:?}", lengths(&all));
    assert!(lengths(&all).iter().filter(|length| **length < longest / 4).count() >= 3, "{:?}", lengths(&all));
    assert_eq!(all["notes"], serde_json::json!(["0 interpenetrations in 120 steps, by the exact test."]));

    folder
        .run(&format!("{game} --as-published --no-check --report game.html --report-seconds 0.5"))
        .expect(0);
    let Some(some) = data(&folder, "game.html") else { return };
    assert_eq!(some["animation"]["duration"], 0.5);
    let table = &some["tables"][0];
    assert_eq!((&table["columns"][0], &table["rows"][0][0]), (&"filter".into(), &"grid".into()), "{table}");
    assert_eq!(table["rows"][1][0], "bounding spheres", "{table}");
    assert_eq!(some["notes"], serde_json::json!(["The first 0.5 s of 2.0 s are shown."]));
}
