//! The tests of the page of reports: its types, and what a browser shows.

use std::ffi::OsStr;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::workspace::cargo;

const SOURCES: &str = "crates/impinge-report/page";

/// Writes sample reports, opens them in a browser and looks at them. Reports and screenshots stay in `target/page`.
pub(crate) fn test(root: &Path) -> Result<(), String> {
    let out = root.join("target/page");
    let page = root.join(SOURCES);
    if !has_packages(&page) {
        run(Command::new("npm")
            .args(["ci", "--no-audit", "--no-fund", "--prefer-offline"])
            .current_dir(&page))?;
        fs::copy(page.join("package-lock.json"), installed(&page)).map_err(|error| error.to_string())?;
    }
    run(Command::new("npm").args(["run", "--silent", "check"]).current_dir(&page))?;
    let samples = ["run", "--quiet", "--package", "impinge-report", "--example", "sample_reports", "--"];
    // Without the 3D view there would be nothing to look at.
    run(Command::new(cargo())
        .args(samples)
        .arg(&out)
        .env("IMPINGE_REPORT_PAGE", "required")
        .current_dir(root))?;
    run(Command::new("npm").args(["run", "--silent", "test"]).env("IMPINGE_REPORTS", &out).current_dir(&page))
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
