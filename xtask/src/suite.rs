//! The one test command: which steps it has, in which order.
//!
//! Building the library is most of what the command takes. In release it is built once: `build in release` makes the programs, the
//! examples and the tests from outside in one go, and what comes later finds them there. That holds as long as every later step
//! asks cargo for the same features. Features are unified over the packages that a command selects, so steps select the whole
//! workspace, or packages among which these bring the same: this one, for its tests, and whichever depends on the libraries
//! with their default features.

use std::env;
use std::fs;
use std::path::Path;
use std::process::{self, Command};

use crate::steps::{self, Step};
use crate::targets::Extent;
use crate::workspace::{Package, Workspace};
use crate::{api, figures, layers, needs, page, papers, python, readme, repository, targets};

const EXAMPLES: &str = "impinge-examples";

/// The Python module. A test program of it would have to link with an interpreter; its tests are a step of their own.
const PYTHON: &str = "impinge-python";

/// Files of the library's tests that are about threads and preparation.
const OF_THREADS: [&str; 4] = ["threads::", "prepare::", "clash::", "deformable::"];

/// The share of the cases of long tests in a plain run, in percent. By themselves, and in a long run, they have all.
const SHARE: (&str, &str) = ("IMPINGE_SHARE", "10");

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Options {
    /// Only say what is missing on the machine.
    pub(crate) no_install: bool,
    pub(crate) length: Length,
}

/// How much is tested.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Length {
    /// What needs no release build, and no documentation.
    Quick,
    /// Every promise.
    #[default]
    Plain,
    /// Also what is slow and repeats: all cases, tests from outside in debug, the papers' experiments in full, packages as others build them.
    Long,
}

pub(crate) fn run(options: Options) -> Result<(), String> {
    let workspace = Workspace::load()?;
    // What examples and the README write goes here.
    let out = env::temp_dir().join(format!("impinge-test-{}", process::id()));
    fs::create_dir_all(&out).map_err(|error| format!("{}: {error}", out.display()))?;
    let outcome = steps::run(&all_steps(&workspace, &out, options), &workspace.root);
    match outcome {
        Ok(()) => fs::remove_dir_all(&out).map_err(|error| format!("{}: {error}", out.display())),
        // What was written may show why. An empty folder shows nothing, and only such a one is removed here.
        Err(message) if fs::remove_dir(&out).is_ok() => Err(message),
        Err(message) => Err(format!("{message}\nWhat the steps wrote is left in {}", out.display())),
    }
}

fn all_steps<'a>(workspace: &'a Workspace, out: &'a Path, options: Options) -> Vec<Step<'a>> {
    let length = options.length;
    let mut steps = vec![
        Step::here("needs", "look for what the tests need", move || needs::meet(!options.no_install)),
        Step::cargo("formatting", &["fmt", "--all", "--", "--check"]),
        Step::cargo("lints", &["clippy", "--workspace", "--all-targets", "--", "-D", "warnings"]),
        Step::here("layers", "cargo xtask layers", || layers::check(workspace, false)),
        Step::here("repository", "cargo xtask repository", || {
            repository::check(workspace).and_then(|()| figures::check(workspace, false))
        }),
        tests_in_debug(workspace, length),
    ];
    if length == Length::Plain {
        steps.push(threads_in_debug(workspace));
    }
    if length == Length::Quick {
        steps.push(Step::here("page", "cargo xtask page", || page::test(workspace, page::Profile::Debug)));
    } else {
        steps.extend(steps_in_release(workspace, out, length));
        let extent = if length == Length::Long { Extent::All } else { Extent::Light };
        steps.push(Step::here("targets", "cargo xtask check-targets", move || {
            targets::check(workspace, extent)
        }));
    }
    if length == Length::Long {
        steps.extend(long_steps(workspace, out));
    }
    // With the same variable everywhere, the page is made once for each profile.
    steps.into_iter().map(|step| step.with(page::VARIABLE, page::REQUIRED)).collect()
}

/// Tests with overflow checks and debug assertions: those inside the libraries, and in a quick or a long run those from outside as
/// well, which are one more program to build.
fn tests_in_debug<'a>(workspace: &Workspace, length: Length) -> Step<'a> {
    let packages = workspace.libraries().flat_map(|package| ["--package", package.name.as_str()]);
    let kinds: &[&str] = if length == Length::Plain { &["--lib"] } else { &["--lib", "--tests"] };
    let arguments: Vec<_> = ["test"].into_iter().chain(packages).chain(kinds.iter().copied()).collect();
    Step::cargo("tests in debug", &arguments)
}

/// Tests from outside that enter the thread pool by every way. Only debug builds notice who holds something there.
fn threads_in_debug<'a>(workspace: &Workspace) -> Step<'a> {
    let packages = workspace.libraries().flat_map(|package| ["--package", package.name.as_str()]);
    let arguments: Vec<_> =
        ["test"].into_iter().chain(packages).chain(["--test", "all", "--"]).chain(OF_THREADS).collect();
    Step::cargo("threads in debug", &arguments)
}

fn steps_in_release<'a>(workspace: &'a Workspace, out: &'a Path, length: Length) -> Vec<Step<'a>> {
    let build = ["build", "--workspace", "--release", "--bins", "--examples", "--test", "*"];
    let mut steps = vec![
        Step::cargo("build in release", &build),
        tests_in_release(length),
        Step::here("page", "cargo xtask page", || page::test(workspace, page::Profile::Release)),
        tests_of_tools(workspace, length),
        Step::cargo("tests in documentation", &["test", "--workspace", "--release", "--doc"]),
        // Libraries only: the command's page would overwrite that of the library, whose name it has.
        Step::cargo("documentation", &["doc", "--workspace", "--no-deps", "--lib"])
            .with("RUSTDOCFLAGS", "-D warnings"),
        // Not verified: that would build every crate once more.
        Step::cargo("packages", &["package", "--workspace", "--quiet", "--no-verify", "--allow-dirty"]),
        Step::here("api", "cargo xtask api", || api::check(workspace, false)),
    ];
    if let Some(package) = workspace.package(EXAMPLES) {
        let run = || run_examples(workspace, package, out);
        steps.push(Step::here(
            "examples",
            "cargo run --release --package impinge-examples --example NAME",
            run,
        ));
        steps.extend(examples_with_features(package, out));
    }
    steps.push(Step::here("python", "cargo xtask python", || python::test(workspace, python::Peer::Built)));
    steps.push(Step::here("main job", "the block `sh main-job` of README.md", || {
        readme::run_main_job(&workspace.root, out, Some(&workspace.program("impinge")))
    }));
    steps
}

/// Tests from outside.
fn tests_in_release<'a>(length: Length) -> Step<'a> {
    shared(Step::cargo("tests in release", &["test", "--workspace", "--release", "--test", "*"]), length)
}

/// The step with a share of the cases of long tests in a plain run, unless the caller has set it.
fn shared(step: Step<'_>, length: Length) -> Step<'_> {
    let (name, percent) = SHARE;
    if length == Length::Plain && env::var_os(name).is_none() { step.with(name, percent) } else { step }
}

/// Features that the library's own tests switch on.
const FEATURES_IN_TESTS: &str = "impinge/serde,impinge/shapes,impinge-core/mint";

/// Tests inside of what was not tested in debug. Those inside the libraries would take one more build of the whole library in release,
/// and the tests from outside do the long runs. Without the libraries their features have to be named, or all would be built anew.
fn tests_of_tools<'a>(workspace: &Workspace, length: Length) -> Step<'a> {
    let others = workspace.libraries().map(|package| package.name.as_str()).chain([PYTHON]);
    let others = others.flat_map(|name| ["--exclude", name]);
    let arguments: Vec<_> =
        ["test", "--workspace"].into_iter().chain(others).chain(["--features", FEATURES_IN_TESTS]).collect();
    let arguments = [arguments, vec!["--release", "--lib", "--bins"]].concat();
    shared(Step::cargo("tests of the tools", &arguments), length)
}

/// The steps that are slow and repeat others.
fn long_steps<'a>(workspace: &'a Workspace, out: &'a Path) -> Vec<Step<'a>> {
    let libraries = workspace.libraries().flat_map(|package| ["--package", package.name.as_str()]);
    let inside: Vec<_> = ["test", "--release", "--lib"].into_iter().chain(libraries).collect();
    vec![
        Step::cargo("libraries in release", &inside),
        Step::here("wheels", "cargo xtask wheels", || python::wheels(workspace)),
        Step::here("cluster", "the tests of Spark with executors of their own", || {
            python::cluster(workspace)
        }),
        Step::here("papers", "every experiment of the papers", || papers::run_all(workspace, out)),
        Step::cargo("packages, built", &["package", "--workspace", "--quiet", "--allow-dirty"]),
        Step::here("main job, built anew", "the block `sh main-job` of README.md", || {
            readme::run_main_job(&workspace.root, out, None)
        }),
    ]
}

/// Runs the examples that are built already.
fn run_examples(workspace: &Workspace, package: &Package, out: &Path) -> Result<(), String> {
    for example in package.examples.iter().filter(|example| example.features.is_empty()) {
        let name = &example.name;
        println!("$ cargo run --release --package {} --example {name}", package.name);
        let program = workspace.program(&format!("examples/{name}"));
        // Examples write their pictures to the temporary folder.
        let status = Command::new(&program).env("TMPDIR", out).current_dir(&workspace.root).status();
        match status {
            Ok(status) if status.success() => {}
            Ok(status) => return Err(format!("example {name} ended with {status}")),
            Err(error) => return Err(format!("{}: {error}", program.display())),
        }
    }
    Ok(())
}

/// Examples that need features which nothing else asks for: each is built by itself.
fn examples_with_features<'a>(package: &Package, out: &Path) -> Vec<Step<'a>> {
    let with_features = package.examples.iter().filter(|example| !example.features.is_empty());
    let step = |example: &crate::workspace::Example| {
        let (name, features) = (example.name.as_str(), example.features.join(","));
        let run = ["run", "--release", "--package", EXAMPLES, "--example", name, "--features", &features];
        Step::cargo(&format!("example {name}"), &run).with("TMPDIR", &out.to_string_lossy())
    };
    with_features.map(step).collect()
}
