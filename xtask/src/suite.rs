//! The one test command: which steps it has, in which order.

use std::env;
use std::fs;
use std::path::Path;
use std::process;

use crate::steps::{self, Step};
use crate::workspace::{Package, Workspace};
use crate::{api, layers, needs, page, readme, repository, targets};

/// Crates that are tested in debug as well, for overflow and debug assertions.
const TESTED_IN_DEBUG: [&str; 4] = [KERNEL, LIBRARY, "impinge-formats", "impinge-report"];
const KERNEL: &str = "impinge-core";
const LIBRARY: &str = "impinge";
const EXAMPLES: &str = "impinge-examples";

#[derive(Clone, Copy, Default)]
pub(crate) struct Options {
    /// Only say what is missing on the machine.
    pub(crate) no_install: bool,
    /// Leave out what needs a release build, and the documentation.
    pub(crate) quick: bool,
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
    let mut steps = vec![
        Step::here("needs", "look for what the tests need", move || needs::meet(!options.no_install)),
        Step::cargo("formatting", &["fmt", "--all", "--", "--check"]),
        Step::cargo("lints", &["clippy", "--workspace", "--all-targets", "--", "-D", "warnings"]),
        Step::here("layers", "cargo xtask layers", || layers::check(workspace, false)),
        Step::here("repository", "cargo xtask repository", || repository::check(workspace)),
        debug_tests(workspace),
    ];
    if options.quick {
        steps.push(Step::here("page", "cargo xtask page", || page::test(workspace, page::Profile::Debug)));
        return steps;
    }
    let tools =
        ["test", "--workspace", "--exclude", KERNEL, "--exclude", LIBRARY, "--release", "--lib", "--bins"];
    steps.extend([
        // Tests inside the library ran in debug. In release they would take one more build of the whole library, and the
        // tests from outside do the long runs.
        Step::cargo("tests in release", &["test", "--workspace", "--release", "--test", "*"])
            .with(page::VARIABLE, page::REQUIRED),
        // The command is there already.
        Step::here("page", "cargo xtask page", || page::test(workspace, page::Profile::Release)),
        Step::cargo("tests of the tools", &tools).with(page::VARIABLE, page::REQUIRED),
        Step::cargo("tests in documentation", &["test", "--workspace", "--release", "--doc"])
            .with(page::VARIABLE, page::REQUIRED),
        // Libraries only: the command's page would overwrite that of the library, whose name it has.
        Step::cargo("documentation", &["doc", "--workspace", "--no-deps", "--lib"])
            .with("RUSTDOCFLAGS", "-D warnings"),
    ]);
    // Not verified: that would build every crate once more.
    let package = ["package", "--workspace", "--quiet", "--no-verify", "--allow-dirty"];
    steps.push(Step::cargo("packages", &package));
    steps.push(Step::here("api", "cargo xtask api", || api::check(workspace, false)));
    steps.extend(workspace.package(EXAMPLES).into_iter().flat_map(|package| examples(package, out)));
    steps.push(Step::here("other processors", "cargo xtask targets", || targets::check(workspace)));
    steps.push(Step::here("main job", "the block `sh main-job` of README.md", || {
        readme::run_main_job(&workspace.root, out)
    }));
    steps
}

fn debug_tests<'a>(workspace: &Workspace) -> Step<'a> {
    let present = TESTED_IN_DEBUG.into_iter().filter(|name| workspace.package(name).is_some());
    let packages = present.flat_map(|name| ["--package", name]);
    let arguments: Vec<_> = ["test"].into_iter().chain(packages).chain(["--lib", "--tests"]).collect();
    Step::cargo("tests in debug", &arguments)
}

/// Builds all examples, then runs each.
fn examples<'a>(package: &Package, out: &Path) -> Vec<Step<'a>> {
    let mut steps = Vec::new();
    for example in &package.examples {
        let features = example.features.join(",");
        let mut arguments = vec!["run", "--release", "--package", EXAMPLES, "--example", &example.name];
        if !features.is_empty() {
            arguments.extend(["--features", &features]);
        }
        let name = format!("example {}", example.name);
        // Examples write their pictures to the temporary folder.
        steps.push(Step::cargo(&name, &arguments).with("TMPDIR", &out.to_string_lossy()));
    }
    if !steps.is_empty() {
        let build = ["build", "--release", "--package", EXAMPLES, "--examples"];
        steps.insert(0, Step::cargo("examples", &build));
    }
    steps
}
