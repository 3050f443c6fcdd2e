//! The page of reports: its tests, which are its types and what a browser shows, and its picture in the README.

use std::env;
use std::ffi::OsStr;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::workspace::{Workspace, cargo};

/// Tells the build of reports whether the page must have its 3D view.
pub(crate) const VARIABLE: &str = "IMPINGE_REPORT_PAGE";
pub(crate) const REQUIRED: &str = "required";

/// How the command is built that writes reports.
#[derive(Clone, Copy)]
pub(crate) enum Profile {
    Debug,
    Release,
}

/// The example that writes reports made by hand.
const SAMPLES: &str = "sample_reports";
const SOURCES: &str = "crates/impinge-report/page";

/// Writes sample reports and has the command write some, opens them in a browser and looks at them. Reports and screenshots stay in
/// `target/page`.
pub(crate) fn test(workspace: &Workspace, profile: Profile) -> Result<(), String> {
    let out = workspace.root.join("target/page");
    let page = with_packages(workspace)?;
    run(Command::new("npm").args(["run", "--silent", "check"]).current_dir(&page))?;
    match profile {
        Profile::Debug => {
            let samples = ["run", "--quiet", "--package", "impinge-report", "--example", SAMPLES, "--"];
            run(cargo_with_page(workspace).args(samples).arg(&out))?;
        }
        // The test command has built it with all other examples.
        Profile::Release => {
            run(Command::new(workspace.program(&format!("examples/{SAMPLES}"))).arg(&out))?;
        }
    }
    let command = built_command(workspace, profile)?;
    run(Command::new("npm")
        .args(["run", "--silent", "test"])
        .env("IMPINGE_REPORTS", &out)
        .env("IMPINGE_COMMAND", command)
        .current_dir(&page))
}

/// Makes the picture of the README: the report of a generated assembly.
pub(crate) fn take_picture(workspace: &Workspace) -> Result<(), String> {
    let out = workspace.root.join("target/page");
    let page = with_packages(workspace)?;
    let command = built_command(workspace, Profile::Debug)?;
    run(Command::new("npm")
        .args(["run", "--silent", "picture"])
        .env("IMPINGE_REPORTS", &out)
        .env("IMPINGE_COMMAND", command)
        .env("IMPINGE_PICTURE", workspace.root.join("docs/assembly.png"))
        .current_dir(&page))
}

/// The command with the 3D view, without which there would be nothing to look at. That of the papers' experiments is built beside it.
fn built_command(workspace: &Workspace, profile: Profile) -> Result<PathBuf, String> {
    let (arguments, folder): (&[&str], &str) = match profile {
        Profile::Debug => (&["--package", "impinge-cli", "--package", "impinge-papers", "--bins"], "debug"),
        // With the features of the whole workspace and its tests, as the test command has built it.
        Profile::Release => (
            &["--release", "--workspace", "--bin", "impinge", "--bin", "impinge-papers", "--test", "*"],
            "release",
        ),
    };
    run(cargo_with_page(workspace).args(["build", "--quiet"]).args(arguments))?;
    Ok(workspace.target.join(folder).join(format!("impinge{}", env::consts::EXE_SUFFIX)))
}

fn cargo_with_page(workspace: &Workspace) -> Command {
    let mut command = Command::new(cargo());
    command.env(VARIABLE, REQUIRED).current_dir(&workspace.root);
    command
}

/// The folder of the page, with the packages that it needs.
fn with_packages(workspace: &Workspace) -> Result<PathBuf, String> {
    let page = workspace.root.join(SOURCES);
    if !has_packages(&page) {
        run(Command::new("npm")
            .args(["ci", "--no-audit", "--no-fund", "--prefer-offline"])
            .current_dir(&page))?;
        fs::copy(page.join("package-lock.json"), installed(&page)).map_err(|error| error.to_string())?;
    }
    Ok(page)
}

/// Whether the packages that the lock names were installed already.
fn has_packages(page: &Path) -> bool {
    let lock = fs::read(page.join("package-lock.json"));
    matches!((lock, fs::read(installed(page))), (Ok(wanted), Ok(installed)) if wanted == installed)
}

fn installed(page: &Path) -> PathBuf {
    page.join("node_modules/installed.json")
}

fn run(command: &mut Command) -> Result<(), String> {
    let words = [command.get_program()].into_iter().chain(command.get_args());
    let line = words.map(OsStr::to_string_lossy).collect::<Vec<_>>().join(" ");
    println!("$ {line}");
    match command.status() {
        Ok(status) if status.success() => Ok(()),
        Ok(status) => Err(format!("`{line}` ended with {status}")),
        Err(error) => Err(format!("`{line}`: {error}")),
    }
}
