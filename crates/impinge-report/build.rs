//! Builds the page with npm where it is present. Where it is not, the crate is built all the same, with a page without pictures.
//!
//! `IMPINGE_REPORT_PAGE=plain` does not try, and `IMPINGE_REPORT_PAGE=required` fails where the page cannot be built.

use std::env;
use std::ffi::OsStr;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

const MODE: &str = "IMPINGE_REPORT_PAGE";

/// What the page is made of. The lock comes last: its copy says that the packages are those that it names.
const MANIFESTS: [&str; 4] = [".npmrc", "package.json", "tsconfig.json", LOCK];
const LOCK: &str = "package-lock.json";
const SOURCES: &str = "src";

fn main() -> Result<(), String> {
    println!("cargo::rerun-if-env-changed={MODE}");
    println!("cargo::rerun-if-changed=build.rs");
    for name in MANIFESTS.iter().chain([&SOURCES]) {
        println!("cargo::rerun-if-changed=page/{name}");
    }
    let out = PathBuf::from(env::var_os("OUT_DIR").ok_or("cargo sets OUT_DIR")?);
    let mode = env::var(MODE).unwrap_or_default();
    let built = if mode == "plain" { Err("it is not wanted".to_owned()) } else { build(&out) };
    match built {
        Ok(()) => Ok(()),
        Err(reason) if mode == "required" => Err(format!("the report's page cannot be built: {reason}")),
        Err(reason) => {
            if mode != "plain" {
                println!("cargo::warning=reports will have tables but no 3D view: {reason}");
                // Tried again once something is installed.
                for folder in
                    ["/usr/bin", "/usr/local/bin"].iter().filter(|folder| Path::new(folder).exists())
                {
                    println!("cargo::rerun-if-changed={folder}");
                }
            }
            for file in ["page.js", "page.css"] {
                fs::write(out.join(file), "").map_err(|error| format!("{file}: {error}"))?;
            }
            Ok(())
        }
    }
}

/// Copies the sources beside the output, gets the packages that they need, and bundles all into one script and one style.
fn build(out: &Path) -> Result<(), String> {
    let page = out.join("page");
    let is_installed = matches!(
        (fs::read(page.join("installed.json")), fs::read(Path::new("page").join(LOCK))),
        (Ok(installed), Ok(wanted)) if installed == wanted
    );
    copy(&page).map_err(|error| format!("its sources cannot be copied: {error}"))?;
    if !is_installed {
        // Packages need no scripts of their own. Without a network this ends soon.
        let options = ["--omit=dev", "--ignore-scripts", "--no-audit", "--no-fund", "--prefer-offline"];
        let patience =
            ["--fetch-retries=1", "--fetch-retry-mintimeout=1000", "--fetch-retry-maxtimeout=3000"];
        let npm = if cfg!(windows) { "npm.cmd" } else { "npm" };
        run(Command::new(npm).arg("ci").args(options).args(patience).current_dir(&page))?;
        fs::copy(page.join(LOCK), page.join("installed.json")).map_err(|error| error.to_string())?;
    }
    let outdir = format!("--outdir={}", out.display());
    let bundle = ["--bundle", "--minify", "--format=esm", "--target=es2022", "--legal-comments=inline"];
    let names = ["page=src/main.ts", "--log-level=warning", &outdir];
    run(Command::new("node")
        .arg("node_modules/esbuild/bin/esbuild")
        .args(names)
        .args(bundle)
        .current_dir(&page))
}

fn copy(page: &Path) -> io::Result<()> {
    // What was renamed since must not stay.
    if page.join(SOURCES).exists() {
        fs::remove_dir_all(page.join(SOURCES))?;
    }
    fs::create_dir_all(page.join(SOURCES))?;
    for name in MANIFESTS {
        fs::copy(Path::new("page").join(name), page.join(name))?;
    }
    for entry in fs::read_dir(Path::new("page").join(SOURCES))? {
        let entry = entry?;
        if entry.file_type()?.is_file() {
            fs::copy(entry.path(), page.join(SOURCES).join(entry.file_name()))?;
        }
    }
    Ok(())
}

/// Runs a program; the error has the first lines that it said.
fn run(command: &mut Command) -> Result<(), String> {
    let name =
        Path::new(command.get_program()).file_stem().and_then(OsStr::to_str).unwrap_or("it").to_owned();
    let output = command.stdin(Stdio::null()).output().map_err(|error| format!("{name}: {error}"))?;
    if output.status.success() {
        return Ok(());
    }
    let said = String::from_utf8_lossy(&output.stderr);
    let is_telling = |line: &&str| !line.is_empty() && !line.starts_with("npm warn");
    let said: Vec<&str> = said.lines().map(str::trim).filter(is_telling).take(3).collect();
    Err(format!("{name} ended with {}: {}", output.status, said.join("; ")))
}
