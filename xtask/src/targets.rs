//! Checks what the tests do not build: every set of features, the oldest compiler that is promised, other processors, and the
//! predicates under Miri. What is not installed is skipped, and said.

use std::collections::BTreeSet;
use std::process::Command;

use crate::workspace::{Package, Workspace, cargo};

/// What users build for, besides what the tests run on.
const TARGETS: [&str; 2] = ["wasm32-unknown-unknown", "aarch64-unknown-linux-gnu"];

/// Features that are not checked, and why.
const UNCHECKED: [(&str, &str, &str); 1] = [("impinge-papers", "peers", "rapier takes minutes to build")];

/// Up to so many features, every set of them is checked; of more, none, each by itself, and all.
const FEW_FEATURES: usize = 3;

/// Where Miri looks: tests in this module of the kernel, whose arithmetic everything rests on.
const MIRI: [&str; 2] = ["impinge-core", "predicates"];
const MIRI_TOOLCHAIN: &str = "nightly";
/// Miri is some hundred times as slow as the processor.
const MIRI_CASES: &str = "2";

/// How much is checked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Extent {
    /// The libraries that need nothing of the machine: none of their features, each alone and all, and other processors.
    Light,
    /// The features of all packages, the oldest compiler and Miri as well.
    All,
}

pub(crate) fn check(workspace: &Workspace, extent: Extent) -> Result<(), String> {
    check_features(workspace, extent)?;
    check_processors(workspace)?;
    if extent == Extent::All {
        check_oldest_compiler(workspace)?;
        check_by_miri(workspace)?;
    }
    Ok(())
}

/// No warning with any set of features, package by package: what a package forgets to ask for, another may bring.
fn check_features(workspace: &Workspace, extent: Extent) -> Result<(), String> {
    let packages: Vec<&Package> = match extent {
        Extent::Light => workspace.libraries().collect(),
        Extent::All => workspace.packages.iter().collect(),
    };
    for package in packages {
        let skipped = UNCHECKED.iter().filter(|(name, ..)| *name == package.name);
        for (name, feature, why) in skipped.clone() {
            println!("SKIPPED {name} with {feature}: {why}");
        }
        let skipped: Vec<&str> = skipped.map(|(_, feature, _)| *feature).collect();
        let few = if extent == Extent::All { FEW_FEATURES } else { 1 };
        for set in feature_sets(package, &skipped, few) {
            let mut command = Command::new(cargo());
            // Clippy, as the lints: what they have checked is not checked again, and warnings of dependencies are left alone.
            command.args(["clippy", "--quiet", "--package", &package.name]);
            command.args(&set).args(["--", "-D", "warnings"]).current_dir(&workspace.root);
            run(&mut command, &format!("{} {}", package.name, set.join(" ")))?;
        }
    }
    Ok(())
}

/// The options that choose sets of features of a package, the defaults first: every set of up to `few` features, else none, each and all.
fn feature_sets(package: &Package, skipped: &[&str], few: usize) -> Vec<Vec<String>> {
    let is_own = |name: &&str| *name != "default" && !skipped.contains(name);
    let names: Vec<&str> = package.features.keys().map(String::as_str).filter(is_own).collect();
    let count = names.len();
    let chosen = |bits: usize| -> Vec<&str> {
        names.iter().enumerate().filter(|(place, _)| bits >> place & 1 == 1).map(|(_, name)| *name).collect()
    };
    let sets: Vec<Vec<&str>> = if count <= few {
        (0..1 << count).map(chosen).collect()
    } else {
        let each = names.iter().map(|name| vec![*name]);
        [Vec::new()].into_iter().chain(each).chain([names.clone()]).collect()
    };
    let mut seen = BTreeSet::from([brought(package, &["default"])]);
    let mut options = vec![Vec::new()];
    for set in sets {
        // Sets that bring the same are one.
        if seen.insert(brought(package, &set)) {
            let mut words = vec!["--no-default-features".to_owned()];
            if !set.is_empty() {
                words.extend(["--features".to_owned(), set.join(",")]);
            }
            options.push(words);
        }
    }
    options
}

/// All features that some bring, themselves among them, but for `default`, which has no meaning of its own.
fn brought(package: &Package, features: &[&str]) -> BTreeSet<String> {
    let mut all = BTreeSet::new();
    let mut open: Vec<&str> = features.to_vec();
    while let Some(name) = open.pop() {
        if let Some(brings) = package.features.get(name)
            && (name == "default" || all.insert(name.to_owned()))
        {
            open.extend(brings.iter().map(String::as_str).filter(|next| *next != name));
        }
    }
    all
}

/// No warning for any processor, with default features and without.
fn check_processors(workspace: &Workspace) -> Result<(), String> {
    for target in TARGETS {
        if !is_installed(target) {
            println!("SKIPPED {target}: rustup target add {target}");
            continue;
        }
        for features in [&[][..], &["--no-default-features"]] {
            let mut command = Command::new(cargo());
            command.args(["check", "--target", target]).args(features);
            command.args(workspace.libraries().flat_map(|package| ["--package", package.name.as_str()]));
            command.env("RUSTFLAGS", "-D warnings").current_dir(&workspace.root);
            run(&mut command, &format!("{target} {}", features.concat()))?;
        }
    }
    Ok(())
}

/// The oldest compiler that the manifests promise builds everything that is published.
fn check_oldest_compiler(workspace: &Workspace) -> Result<(), String> {
    let published: Vec<&Package> = workspace.packages.iter().filter(|package| package.is_published).collect();
    let versions: BTreeSet<&str> =
        published.iter().filter_map(|package| package.rust_version.as_deref()).collect();
    let installed = rustup(&["toolchain", "list"]);
    for version in versions {
        let Some(toolchain) = toolchain(&installed, version) else {
            println!("SKIPPED Rust {version}: rustup toolchain install {version}");
            continue;
        };
        let own = published.iter().filter(|package| package.rust_version.as_deref() == Some(version));
        let mut command = Command::new("rustup");
        command.args(["run", &toolchain, "cargo", "check"]);
        command.args(own.flat_map(|package| ["--package", package.name.as_str()]));
        // In a folder of its own, so that the artifacts of the usual compiler stay.
        command.env("CARGO_TARGET_DIR", workspace.target.join("oldest")).current_dir(&workspace.root);
        run(&mut command, &format!("Rust {version}"))?;
    }
    Ok(())
}

/// The installed toolchain of a version: `1.88` is `1.88.0` too, but not `1.8`.
fn toolchain(installed: &str, version: &str) -> Option<String> {
    let names = installed.lines().filter_map(|line| line.split_whitespace().next());
    let is_it = |name: &&str| {
        let rest = name.strip_prefix(version);
        rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('-') || rest.starts_with(".0-"))
    };
    names.into_iter().find(is_it).map(str::to_owned)
}

fn check_by_miri(workspace: &Workspace) -> Result<(), String> {
    let installed = rustup(&["component", "list", "--installed", "--toolchain", MIRI_TOOLCHAIN]);
    let has = |component: &str| installed.lines().any(|line| line.starts_with(component));
    if !has("miri") || !has("rust-src") {
        println!("SKIPPED Miri: rustup component add --toolchain {MIRI_TOOLCHAIN} miri rust-src");
        return Ok(());
    }
    let [package, module] = MIRI;
    let mut command = Command::new("rustup");
    command.args(["run", MIRI_TOOLCHAIN, "cargo", "miri", "test", "--package", package, "--lib", module]);
    // Failures are not recorded in files, which Miri would have to reach.
    command.env("PROPTEST_CASES", MIRI_CASES).env("PROPTEST_DISABLE_FAILURE_PERSISTENCE", "1");
    command.env("CARGO_TARGET_DIR", workspace.target.join("miri")).current_dir(&workspace.root);
    run(&mut command, "Miri")
}

/// What rustup answers; nothing where there is no rustup.
/// Whether the standard library for a target is there.
pub(crate) fn is_installed(target: &str) -> bool {
    rustup(&["target", "list", "--installed"]).lines().any(|line| line == target)
}

fn rustup(arguments: &[&str]) -> String {
    let output = Command::new("rustup").args(arguments).output();
    output.map(|output| String::from_utf8_lossy(&output.stdout).into_owned()).unwrap_or_default()
}

fn run(command: &mut Command, what: &str) -> Result<(), String> {
    println!("checking {}", what.trim_end());
    let status = command.status().map_err(|error| format!("{what}: {error}"))?;
    if status.success() { Ok(()) } else { Err(format!("{what}: cargo ended with {status}")) }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn package(features: &[(&str, &[&str])]) -> Package {
        let brings = |list: &[&str]| list.iter().map(|&name| name.to_owned()).collect();
        Package {
            features: features.iter().map(|(name, list)| ((*name).to_owned(), brings(list))).collect(),
            ..Package::default()
        }
    }

    fn sets(features: &[(&str, &[&str])], skipped: &[&str]) -> Vec<String> {
        feature_sets(&package(features), skipped, FEW_FEATURES).iter().map(|words| words.join(" ")).collect()
    }

    #[test]
    fn every_set_of_few_features_is_checked_once() {
        assert_eq!(sets(&[], &[]), [""]);
        let threads: &[(&str, &[&str])] = &[("default", &["parallel"]), ("parallel", &["dep:rayon"])];
        assert_eq!(sets(threads, &[]), ["", "--no-default-features"]);
        let two = [threads, &[("serde", &["dep:serde", "kernel/serde"])]].concat();
        assert_eq!(
            sets(&two, &[]),
            [
                "",
                "--no-default-features",
                "--no-default-features --features serde",
                "--no-default-features --features parallel,serde"
            ]
        );
        assert_eq!(sets(&two, &["serde"]), ["", "--no-default-features"]);
    }

    #[test]
    fn features_that_bring_others_make_no_set_twice() {
        let both = [("default", &[][..]), ("a", &["b"]), ("b", &[])];
        let expected = ["", "--no-default-features --features a", "--no-default-features --features b"];
        assert_eq!(sets(&both, &[]), expected, "a and b together are a");
    }

    #[test]
    fn many_features_are_checked_alone_and_together() {
        let many = [("a", &[][..]), ("b", &[]), ("c", &[]), ("d", &[]), ("default", &["a"])];
        let expected = ["", "", " --features b", " --features c", " --features d", " --features a,b,c,d"];
        let mut expected = expected.map(|features| format!("--no-default-features{features}"));
        expected[0].clear();
        assert_eq!(sets(&many, &[]), expected);
    }

    #[test]
    fn toolchains_are_told_apart() {
        let installed = "stable-x86_64 (default)\n1.88.0-x86_64-unknown-linux-gnu\n1.9-x\nnightly-x\n";
        assert_eq!(toolchain(installed, "1.88").as_deref(), Some("1.88.0-x86_64-unknown-linux-gnu"));
        assert_eq!(toolchain(installed, "1.9").as_deref(), Some("1.9-x"));
        assert_eq!(toolchain(installed, "1.8"), None);
    }
}
