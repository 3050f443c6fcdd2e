//! The help: every option of every command is in it.

use crate::support::{Folder, check_help};

const OPTIONS: [(&str, &[&str]); 11] = [
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
            "--help",
            "--version",
        ],
    ),
    (
        "clash",
        &[
            "<SCENE>...",
            "--clearance",
            "--touch",
            "--tolerance",
            "--split",
            "--set",
            "--ignore",
            "--rules",
            "--ignore-same-body",
            "--self",
            "--animation",
            "--every",
            "--unit",
            "--no-depth",
            "--ignore-touching",
            "--baseline",
            "--fail-on",
            "--ungrouped",
            "--report",
            "--bcf",
            "--bcf-version",
            "--status",
            "--json",
            "--csv",
            "--help",
        ],
    ),
    ("make", &["SHAPE", "OUT", "--triangles", "--seed", "--list", "--help"]),
    (
        "image",
        &[
            "<MESH>...",
            "--poses",
            "--png",
            "--detail",
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
            "--report",
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
    check_help("help", &OPTIONS);
}

#[test]
fn experiments_are_elsewhere() {
    let folder = Folder::new("moved");
    for (arguments, name) in [
        ("bench", "NAME"),
        ("bench dop-tree --quick --out results", "dop-tree"),
        ("bench rays --help", "rays"),
        ("arena --players 4 --json", "arena"),
    ] {
        assert_eq!(folder.run(arguments).error(), format!("moved: use impinge-papers {name}"));
    }
    let help = folder.run("--help").expect(0);
    assert!(!help.contains("arena") && !help.contains("bench"), "{help}");
    assert!(folder.files().is_empty(), "{:?}", folder.files());
}

#[test]
fn the_version_is_that_of_the_crate() {
    let version = concat!("impinge ", env!("CARGO_PKG_VERSION"), "\n");
    let folder = Folder::new("version");
    assert_eq!(folder.run("--version").expect(0), version);
    assert_eq!(folder.run("-V").expect(0), version);
}
