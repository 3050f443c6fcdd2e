//! The help: every option of every command is in it.

use crate::support::Folder;

const OPTIONS: [(&str, &[&str]); 17] = [
    (
        "",
        &[
            "make",
            "inspect",
            "check",
            "clash",
            "distance",
            "overlap",
            "ray",
            "sweep",
            "view",
            "image",
            "arena",
            "bench",
            "--help",
            "--version",
        ],
    ),
    ("make", &["SHAPE", "OUT", "--triangles", "--seed", "--list", "--help"]),
    ("bench", &["dop-tree", "volumes", "triangles", "rays", "broad", "image", "--help"]),
    (
        "bench image",
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
    (
        "image",
        &[
            "<MESH>...",
            "--poses",
            "--png",
            "--resolution",
            "--views",
            "--layers",
            "--precision",
            "--device",
            "--exact",
            "--perspective",
            "--offset",
            "--coarse",
            "--unit",
            "--json",
            "--help",
        ],
    ),
    (
        "view",
        &[
            "<A>",
            "<B>",
            "--port",
            "--no-open",
            "--unit",
            "--matrix-a",
            "--matrix-b",
            "--translate-a",
            "--translate-b",
            "--rotate-a",
            "--rotate-b",
            "--scale-a",
            "--scale-b",
            "--help",
        ],
    ),
    (
        "sweep",
        &[
            "<MOVING>",
            "<STATIONARY>",
            "--translate",
            "--rotate",
            "--to-matrix",
            "--motions",
            "--report",
            "--json",
        ],
    ),
    ("arena", &["--players", "--objects", "--seconds", "--report", "--report-seconds", "--json", "--help"]),
    ("bench volumes", &["--quick", "--out", "--triangles", "--json", "--help"]),
    ("bench triangles", &["--quick", "--out", "--json", "--help"]),
    ("bench rays", &["--quick", "--out", "--images", "--json", "--help"]),
    (
        "ray",
        &[
            "<MESH>",
            "--origin",
            "--direction",
            "--end",
            "--max-t",
            "--rays",
            "--any",
            "--all",
            "--cull-back",
            "--unit",
            "--json",
            "--matrix",
            "--translate",
            "--rotate",
            "--scale",
            "--help",
            "AX,AY,AZ,DEG",
        ],
    ),
    ("bench dop-tree", &["--quick", "--out", "--shapes", "--triangles", "--rotations", "--json", "--help"]),
    ("inspect", &["MESH", "--json", "--unit", "--weld", "--help"]),
    (
        "overlap",
        &[
            "<MESH>",
            "--aabb",
            "--obb",
            "--sphere",
            "--capsule",
            "--plane",
            "--half-space",
            "--frustum",
            "--depth",
            "--matrix",
            "--translate",
            "--rotate",
            "--scale",
            "--engine",
            "--json",
            "--help",
        ],
    ),
    (
        "distance",
        &[
            "<A>",
            "<B>",
            "--matrix-a",
            "--matrix-b",
            "--translate-a",
            "--translate-b",
            "--rotate-a",
            "--rotate-b",
            "--scale-a",
            "--scale-b",
            "--poses-b",
            "--at-most",
            "--surface",
            "--engine",
            "--unit",
            "--json",
            "--help",
        ],
    ),
    (
        "check",
        &[
            "<A>",
            "<B>",
            "--matrix-a",
            "--matrix-b",
            "--translate-a",
            "--translate-b",
            "--rotate-a",
            "--rotate-b",
            "--scale-a",
            "--scale-b",
            "--poses-b",
            "--pairs",
            "--report",
            "--surface",
            "--touch",
            "--ignore-touching",
            "--engine",
            "--resolution",
            "--views",
            "--layers",
            "--precision",
            "--device",
            "--exact",
            "--unit",
            "--json",
            "--help",
            "brute",
            "AX,AY,AZ,DEG",
        ],
    ),
];

#[test]
fn help_names_and_explains_every_option() {
    let folder = Folder::new("help");
    for (command, options) in OPTIONS {
        for flag in ["--help", "-h"] {
            let help = folder.run(&format!("{command} {flag}")).expect(0);
            for option in options {
                assert!(help.contains(option), "{command} {flag}: {option}\n{help}");
                assert!(!option.starts_with('-') || is_explained(&help, option), "{option}\n{help}");
            }
            assert!(help.contains("Exit status"), "{command} {flag}");
        }
        if !command.is_empty() {
            let help = folder.run(&format!("{command} --help")).expect(0);
            assert!(help.contains("Examples:\n  impinge "), "{help}");
        }
    }
}

/// Whether a text stands behind the option and its value, or in the line below.
fn is_explained(help: &str, option: &str) -> bool {
    let mut lines = help.lines().skip_while(|line| {
        let words = line.trim_start();
        !(words.starts_with('-') && words.split_whitespace().any(|word| word == option))
    });
    let (Some(line), below) = (lines.next(), lines.next().unwrap_or_default()) else { return false };
    let behind = line.split_once(option).map_or(0, |(_, behind)| behind.split_whitespace().count());
    behind > 1 || !below.trim().is_empty()
}

#[test]
fn the_version_is_that_of_the_crate() {
    let version = concat!("impinge ", env!("CARGO_PKG_VERSION"), "\n");
    let folder = Folder::new("version");
    assert_eq!(folder.run("--version").expect(0), version);
    assert_eq!(folder.run("-V").expect(0), version);
}
