//! Small made-up crates, one for each rule, each with one violation; and a clean one.

use super::order::Layer;
use super::*;
use crate::workspace::Package;

const LIB: &str =
    "//! A crate.\npub mod low;\npub mod middle;\nmod high;\n\npub use middle::Thing;\npub use glam;\n";

/// A crate of `lib.rs` and one more file.
fn crate_with(path: &str, text: &str) -> Vec<File> {
    vec![File::new("src", "lib.rs", LIB.to_owned()), File::new("src", path, text.to_owned())]
}

fn order_findings(path: &str, text: &str) -> Vec<String> {
    order::check("src", &crate_with(path, text)).1.iter().map(ToString::to_string).collect()
}

fn purity_findings(path: &str, text: &str) -> Vec<String> {
    purity::check(&crate_with(path, text)).iter().map(ToString::to_string).collect()
}

/// One finding, at this place, with all of these in its message.
#[track_caller]
fn assert_one(findings: &[String], place: &str, parts: &[&str]) {
    let [finding] = findings else { panic!("expected one finding, got {findings:?}") };
    assert!(finding.starts_with(&format!("src/{place}: ")), "{finding}");
    for part in parts {
        assert!(finding.contains(part), "{finding} lacks {part}");
    }
}

#[test]
fn a_clean_crate_passes() {
    let files = vec![
        File::new("src", "lib.rs", LIB.to_owned()),
        File::new("src", "low.rs", "//! The [`Low`] end. More.\nfn f() { self::g() }\n".to_owned()),
        File::new(
            "src",
            "middle/mod.rs",
            "//!\n//! What is\n//! between | them.\n//!\n//! More.\nmod part;\nuse crate::low::X;\nuse crate::glam::Vec3;\nuse std::sync::Arc;\n"
                .to_owned(),
        ),
        File::new(
            "src",
            "middle/part.rs",
            "//! Not of [high](crate::high).\nuse super::X;\n#[cfg(test)]\nmod tests { use super::*; use crate::middle::Y; }\n"
                .to_owned(),
        ),
        File::new("src", "high.rs", "use crate::{low, Thing};\nuse super::middle::part;\n".to_owned()),
    ];
    let (layers, findings) = order::check("src", &files);
    assert_eq!(findings, []);
    assert_eq!(purity::check(&files), []);
    let layer = |name: &str, doc: &str, uses: &[&str]| Layer {
        name: name.to_owned(),
        doc: doc.to_owned(),
        uses: uses.iter().map(|&name| name.to_owned()).collect(),
    };
    assert_eq!(
        layers,
        [
            layer("low", "The [`Low`] end", &[]),
            layer("middle", "What is between | them", &["low"]),
            layer("high", "", &["low", "middle"]),
        ]
    );

    let document = "before\n<!-- layers:a:begin -->\nold\n<!-- layers:a:end -->\nafter\n";
    let written = table::replaced(document, "a", &layers).expect("the markers are there");
    assert_eq!(
        written,
        "before\n<!-- layers:a:begin -->\n| module | what it holds | uses |\n| --- | --- | --- |\n\
         | `low` | The `Low` end | – |\n| `middle` | What is between \\| them | `low` |\n\
         | `high` | – | `low`, `middle` |\n<!-- layers:a:end -->\nafter\n"
    );
    assert_eq!(
        table::replaced(&written, "a", &layers).as_deref(),
        Ok(written.as_str()),
        "writing twice changes nothing"
    );
}

#[test]
fn a_document_without_markers_is_an_error() {
    assert!(table::replaced("no markers", "a", &[]).is_err());
    assert!(table::replaced("<!-- layers:a:end --> <!-- layers:a:begin -->", "a", &[]).is_err());
}

#[test]
fn a_use_of_a_later_module_is_found() {
    let findings = order_findings("low.rs", "//! Low.\n\nuse crate::high::Top;\n");
    assert_one(&findings, "low.rs:3", &["`low`", "`high`", "crate::high::Top", "low, middle, high"]);
}

#[test]
fn a_use_in_a_nested_group_is_found_on_its_own_line() {
    let findings =
        order_findings("middle/mod.rs", "use crate::{\n    low::{A, B},\n    high::{self, C as D},\n};\n");
    assert_eq!(findings.len(), 2, "one for each leaf");
    assert_one(&findings[..1], "middle/mod.rs:3", &["`middle`", "`high`"]);
}

#[test]
fn a_path_in_code_is_found() {
    assert_one(
        &order_findings("low.rs", "fn f() {\n    crate::middle::g();\n}"),
        "low.rs:2",
        &["`low`", "`middle`"],
    );
}

#[test]
fn a_climb_to_the_root_is_found() {
    assert_one(&order_findings("low.rs", "use super::high;"), "low.rs:1", &["`high`"]);
    assert_one(
        &order_findings("low/deep/x.rs", "use super::super::super::high;"),
        "low/deep/x.rs:1",
        &["`high`"],
    );
    assert_one(
        &order_findings("low/x.rs", "mod m {\n use super::super::super::high;\n}"),
        "low/x.rs:2",
        &["`high`"],
    );
    assert!(order_findings("low/x.rs", "mod m { use super::super::high; }").is_empty(), "that is low::high");
}

#[test]
fn a_use_through_a_root_export_is_found() {
    assert_one(
        &order_findings("low.rs", "use crate::Thing;"),
        "low.rs:1",
        &["`low`", "`middle`", "crate::Thing"],
    );
}

#[test]
fn test_modules_obey_as_well() {
    let findings = order_findings("low.rs", "#[cfg(test)]\nmod tests {\n    use crate::high::Top;\n}");
    assert_one(&findings, "low.rs:3", &["`high`"]);
}

#[test]
fn imports_of_the_root_are_found() {
    for source in
        ["use crate::*;", "use super::*;", "use crate as c;", "use crate::{self as c};", "use super as c;"]
    {
        assert_one(&order_findings("low.rs", source), "low.rs:1", &["root"]);
    }
    assert!(order_findings("low.rs", "pub(crate) fn f() {} pub(super) fn g() {}").is_empty());
}

#[test]
fn globs_in_lib_and_undeclared_files_are_found() {
    let lib = |text: &str| vec![File::new("src", "lib.rs", text.to_owned())];
    let findings = order::check("src", &lib("mod low;\npub use low::*;")).1;
    assert_one(&[findings[0].to_string()], "lib.rs:2", &["low::*"]);
    assert_one(&order_findings("stray/x.rs", ""), "stray/x.rs", &["`stray`"]);
    let inline = order::check("src", &lib("pub mod low {\n  use crate::high;\n}\npub mod high;")).1;
    assert_one(&[inline[0].to_string()], "lib.rs:2", &["`low`", "`high`"]);
}

#[test]
fn siblings_that_use_each_other_are_found() {
    let files = |left: &str, right: &str| {
        vec![
            File::new("src", "lib.rs", "pub mod low;\n".to_owned()),
            File::new("src", "low/mod.rs", "mod left;\nmod right;\npub use right::Right;\n".to_owned()),
            File::new("src", "low/left.rs", left.to_owned()),
            File::new("src", "low/right/mod.rs", right.to_owned()),
        ]
    };
    let found = |left: &str, right: &str| -> Vec<String> {
        siblings::check(&files(left, right)).iter().map(ToString::to_string).collect()
    };
    // Directly, through what the folder re-exports, and by the path from the root.
    for left in ["use super::right::X;\n", "use super::Right;\n", "fn f() { crate::low::right::x() }\n"] {
        let findings = found(left, "use super::left::Left;\n");
        assert_one(&findings, "low/left.rs:1", &["`left`", "`right`", "src/low/right/mod.rs"]);
        assert!(found(left, "").is_empty(), "one way is allowed");
    }
    assert!(found("", "use crate::low::left;\n").is_empty());
}

/// A folder `low` with a file for each name and text.
fn folder_findings(modules: &[(&str, &str)]) -> Vec<String> {
    let mut files = vec![
        File::new("src", "lib.rs", "pub mod low;\n".to_owned()),
        File::new("src", "low/mod.rs", modules.iter().map(|(name, _)| format!("mod {name};\n")).collect()),
    ];
    files.extend(
        modules.iter().map(|(name, text)| File::new("src", &format!("low/{name}.rs"), (*text).to_owned())),
    );
    siblings::check(&files).iter().map(ToString::to_string).collect()
}

#[test]
fn a_cycle_of_three_is_found_with_every_use() {
    let a = ("a", "//! A.\nuse super::b::B;\n");
    let b = ("b", "fn f() { super::c::g() }\n");
    let c = ("c", "\n\nuse crate::low::a::A;\n");
    let findings = folder_findings(&[a, b, c, ("top", "use super::a;\nuse super::c;\n")]);
    assert_eq!(
        findings,
        ["src/low/a.rs:2: a cycle of modules in `low`, `a` → `b` → `c` → `a`:\
          \n    src/low/a.rs:2: super::b::B\
          \n    src/low/b.rs:1: super::c::g\
          \n    src/low/c.rs:3: crate::low::a::A"]
    );
    let from_top = ("d", "use super::a;\n");
    assert_eq!(folder_findings(&[a, b, ("c", "use super::super::high;\n"), from_top]), [""; 0]);
}

#[test]
fn cycles_that_share_no_use_are_found_each() {
    // Four in a ring, two of which also use each other, and a pair beside it.
    let ring =
        [("a", "use super::b;"), ("b", "use super::{a, c};"), ("c", "use super::d;"), ("d", "use super::a;")];
    let pair = [("x", "use super::y;"), ("y", "use super::x;")];
    let findings = folder_findings(&[&ring[..], &pair].concat());
    assert_eq!(findings.len(), 2, "{findings:?}");
    assert!(findings[0].contains("`a` → `b` → `a`"), "{findings:?}");
    assert!(findings[1].contains("`x` → `y` → `x`"), "{findings:?}");
    // Without the short way back, the ring is left.
    let ring =
        [("a", "use super::b;"), ("b", "use super::c;"), ("c", "use super::d;"), ("d", "use super::a;")];
    assert_one(&folder_findings(&ring), "low/a.rs:1", &["`a` → `b` → `c` → `d` → `a`"]);
}

proptest::proptest! {
    /// Whatever uses whatever: cycles are found where taking away modules that use no other leaves some.
    #[test]
    fn cycles_are_found_where_there_is_no_order(uses in proptest::collection::vec((0..6_usize, 0..6_usize), 0..12)) {
        const NAMES: [&str; 6] = ["a", "b", "c", "d", "e", "f"];
        let text = |user: usize| -> String {
            let own = uses.iter().filter(|(from, to)| *from == user && *to != user);
            own.map(|(_, to)| format!("use super::{};\n", NAMES[*to])).collect()
        };
        let texts: Vec<String> = (0..NAMES.len()).map(text).collect();
        let modules: Vec<(&str, &str)> = NAMES.into_iter().zip(texts.iter().map(String::as_str)).collect();
        let mut left: Vec<usize> = (0..NAMES.len()).collect();
        for _ in NAMES {
            let others = left.clone();
            left.retain(|user| uses.iter().any(|(from, to)| from == user && to != user && others.contains(to)));
        }
        proptest::prop_assert_eq!(folder_findings(&modules).is_empty(), left.is_empty());
    }
}

#[test]
fn each_impurity_is_found() {
    for (line, part) in [
        ("use std::fs::File;", "std::fs"),
        ("use std::{io, net::TcpStream};", "std::net"),
        ("let t = std::time::Instant::now();", "std::time"),
        ("use ::std::{env};", "std::env"),
        ("use std as s;", "hides"),
        ("use std::*;", "hides"),
        ("println!();", "println!"),
        ("std::eprintln!();", "eprintln!"),
        ("dbg!(x);", "dbg!"),
        ("static mut COUNT: u32 = 0;", "static mut"),
        ("unsafe { x() }", "unsafe"),
        ("std::thread::spawn(f);", "std::thread"),
        ("use std::{sync::Arc, thread};", "std::thread"),
        ("use rayon::prelude::*;", "rayon"),
        ("#[cfg(not(feature = \"parallel\"))] use rayon::join;", "rayon"),
        ("#[cfg(feature = \"parallel\")] use rayon::join;", "rayon"),
        ("let n = rayon::current_num_threads();", "rayon"),
        ("use std::sync::{Arc, Mutex};", "std::sync::Mutex"),
        ("use std::sync::OnceLock;", "std::sync::OnceLock"),
        ("static X: std::sync::LazyLock<u8> = f();", "std::sync::LazyLock"),
        ("use std::sync;", "std::sync"),
        ("use std::cell::{Cell, RefCell};", "std::cell::RefCell"),
        ("use std::cell;", "hides"),
    ] {
        assert_one(&purity_findings("low.rs", &format!("//! Low.\n{line}\n")), "low.rs:2", &[part]);
    }
}

#[test]
fn what_only_looks_impure_passes() {
    let source = "//! println!() and unsafe\n#![deny(unsafe_code)]\n// std::fs\nfn f(x: &'static mut T) { g(\"std::env\"); self.dbg; }\n
        use std::{fmt, io}; use std::sync::{Arc, atomic::AtomicBool}; use std::cell::Cell; static TABLE: [u8; 2] = [0, 1]; writeln!(f, \"\"); struct Unsafe; let time = x.time;";
    assert_eq!(purity_findings("low.rs", source), [""; 0]);
}

#[test]
fn unsafe_is_allowed_in_simd() {
    assert!(purity_findings("low/simd.rs", "unsafe fn f() {}").is_empty());
    assert!(purity_findings("low/simd/avx.rs", "unsafe fn f() {}").is_empty());
    assert!(purity_findings("low.rs", "mod simd { unsafe fn f() {} }").is_empty());
    assert_one(&purity_findings("low/simd_like.rs", "unsafe fn f() {}"), "low/simd_like.rs:1", &["simd"]);
}

#[test]
fn threads_are_allowed_behind_the_feature() {
    let behind = "#[cfg(feature = \"parallel\")]\nuse rayon::{join, prelude::*};";
    assert!(purity_findings("low/parallel.rs", behind).is_empty());
    assert_one(&purity_findings("low/parallel.rs", "use rayon::join;"), "low/parallel.rs:1", &["parallel"]);
    assert_eq!(purity_findings("low.rs", behind).len(), 2, "in a module of its own only");
    assert!(purity_findings("low/parallel/lazy.rs", "use std::sync::{Mutex, OnceLock};").is_empty());
    assert!(purity_findings("low/simd/level.rs", "fn f() { std::env::var_os(\"X\"); }").is_empty());
    assert!(
        purity_findings("low.rs", "#![cfg(feature = \"parallel\")]\nfn f() { std::thread::yield_now(); }")
            .is_empty()
    );
    let mut files = crate_with("low/mod.rs", "#[cfg(feature = \"parallel\")]\nmod parallel;\nmod other;");
    files.push(File::new("src", "low/parallel/mod.rs", "use rayon::join;".to_owned()));
    assert!(purity::check(&files).is_empty(), "its mod line is gated");
    files.push(File::new("src", "low/other.rs", "use rayon::join;".to_owned()));
    assert_eq!(purity::check(&files).len(), 1);
}

fn package(name: &str, manifest_text: &str, dependencies: &[&str]) -> Package {
    Package {
        name: name.to_owned(),
        manifest: format!("{name}/Cargo.toml"),
        manifest_text: manifest_text.to_owned(),
        dependencies: dependencies.iter().map(|&name| name.to_owned()).collect(),
        ..Package::default()
    }
}

fn wall_findings(packages: Vec<Package>) -> Vec<String> {
    let workspace = Workspace { root: "".into(), target: "".into(), packages };
    walls::check(&workspace).iter().map(ToString::to_string).collect()
}

#[test]
fn a_crate_inside_its_walls_passes() {
    let packages = vec![
        package("impinge", "", &["glam", "proptest"]),
        package("impinge-formats", "", &["impinge"]),
        package("impinge-cli", "", &["impinge", "impinge-formats", "clap"]),
    ];
    assert_eq!(wall_findings(packages), [""; 0]);
}

#[test]
fn a_crate_outside_its_walls_is_found() {
    let formats =
        "[package]\nname = \"impinge-formats\"\n\n[dev-dependencies]\nimpinge-cli.workspace = true\n";
    let renamed = "[dependencies]\nio = { package = \"impinge-formats\", path = \"\" }\n";
    let findings = wall_findings(vec![
        package("impinge", renamed, &["impinge-formats"]),
        package("impinge-formats", formats, &["impinge-cli"]),
        package("impinge-cli", "", &[]),
        package("impinge-new", "", &[]),
    ]);
    let expected = [
        "impinge/Cargo.toml:2: `impinge` depends on `impinge-formats`; it may depend on only impinge-core, impinge-shapes",
        "impinge-formats/Cargo.toml:5: `impinge-formats` depends on `impinge-cli`; it may depend on only impinge, impinge-core",
        "impinge-new/Cargo.toml: the crate `impinge-new` has no row in xtask/src/layers/walls.rs",
    ];
    assert_eq!(findings, expected);
}
