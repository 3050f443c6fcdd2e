//! The Python module: its wheel, built and installed into a virtual environment, and its tests and types there.

use std::env;
use std::ffi::OsStr;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::targets;
use crate::workspace::{Workspace, cargo};

/// What the tests install, each in one version.
const REQUIREMENTS: &str = "tests/requirements.txt";
const SOURCES: &str = "python";

/// The compiler and linker that builds for old systems and other processors, from the package index.
const ZIG: &str = "ziglang==0.17.0";
/// The oldest systems that wheels are for.
const MANYLINUX: &str = "manylinux2014";
const OF_LINUX: [&str; 2] = ["x86_64-unknown-linux-gnu", "aarch64-unknown-linux-gnu"];
/// What a module must do that was installed somewhere.
const GREETING: &str = "import impinge; box = impinge.box([0, 0, 0], [1, 1, 1]); \
assert box.verdict(box) == impinge.Verdict.OVERLAPPING and len(impinge.view(box).to_html()) > 1000";

/// Whether the command, with which answers are compared, was built in release already.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Peer {
    Built,
    Missing,
}

/// Builds the wheel, installs it, and runs the tests, the type checker and the comparison of stubs and module.
pub(crate) fn test(workspace: &Workspace, peer: Peer) -> Result<(), String> {
    let sources = workspace.root.join(SOURCES);
    let out = workspace.target.join("python");
    if peer == Peer::Missing {
        let build = ["build", "--quiet", "--release", "--package", "impinge-cli", "--bin", "impinge"];
        run(Command::new(cargo()).args(build).current_dir(&workspace.root))?;
    }
    let python = environment(&sources, &out.join("environment"))?;
    let wheel = maturin(workspace, &sources, &out.join("wheels"), &python, "build", &[])?;
    run(pip(&python).args(["install", "--force-reinstall", "--no-deps"]).arg(&wheel))?;
    let within = |arguments: &[&str]| {
        let mut command = Command::new(&python);
        command.args(arguments).current_dir(&sources);
        command
    };
    // Nothing but the installed package may be found, also by the workers of clusters, so tests do not run among the sources.
    let cache = format!("cache_dir={}", out.join("pytest").display());
    run(within(&["-P", "-m", "pytest", "--quiet", "-o", &cache])
        .arg(sources.join("tests"))
        .current_dir(&out)
        .env("PYTHONDONTWRITEBYTECODE", "1")
        .env("IMPINGE_COMMAND", workspace.program("impinge")))?;
    let cache = out.join("mypy");
    run(within(&["-m", "mypy", "--cache-dir"]).arg(&cache).args([
        "impinge",
        "tests",
        "benchmarks",
        "guide",
    ]))?;
    run(Command::new(&python).args(["-P", "-m", "mypy.stubtest", "impinge"]).current_dir(&out))?;
    guide(&python, &sources, &out)
}

/// Runs the tests of Spark on a cluster whose executors are processes of their own, with the module that is installed already.
pub(crate) fn cluster(workspace: &Workspace) -> Result<(), String> {
    let sources = workspace.root.join(SOURCES);
    let out = workspace.target.join("python");
    let python = environment(&sources, &out.join("environment"))?;
    let cache = format!("cache_dir={}", out.join("pytest").display());
    run(Command::new(&python)
        .args(["-P", "-m", "pytest", "--quiet", "-o", &cache])
        .arg(sources.join("tests/test_spark.py"))
        .env("PYTHONDONTWRITEBYTECODE", "1")
        .env("IMPINGE_SPARK_MASTER", "local-cluster[2,1,1024]")
        .current_dir(&out))
}

/// Builds the site of the guide, with its reference from the installed package; a link that leads nowhere is an error.
fn guide(python: &Path, sources: &Path, out: &Path) -> Result<(), String> {
    run(Command::new(python)
        .args(["-P", "-m", "mkdocs", "build", "--quiet", "--strict", "--config-file"])
        .arg(sources.join("guide/mkdocs.yml"))
        .arg("--site-dir")
        .arg(out.join("site"))
        .env("PYTHONDONTWRITEBYTECODE", "1")
        .current_dir(out))
}

/// Builds the wheels of a release for Linux by zig, and the source distribution. What runs here is installed into new virtual environments.
pub(crate) fn wheels(workspace: &Workspace) -> Result<(), String> {
    let sources = workspace.root.join(SOURCES);
    let out = workspace.target.join("python");
    let python = environment(&sources, &out.join("environment"))?;
    run(pip(&python).args(["install", ZIG]))?;
    for target in OF_LINUX {
        if !targets::is_installed(target) {
            println!("SKIPPED the wheel for {target}: rustup target add {target}");
            continue;
        }
        let folder = out.join("release").join(target);
        let how = ["--zig", "--compatibility", MANYLINUX, "--target", target];
        let wheel = maturin(workspace, &sources, &folder, &python, "build", &how)?;
        if !wheel.to_string_lossy().contains("manylinux_2_17") {
            return Err(format!("{} is not for {MANYLINUX}", wheel.display()));
        }
        if target.starts_with(env::consts::ARCH) && cfg!(target_os = "linux") {
            try_out(&out, &wheel)?;
        }
    }
    let sdist = maturin(workspace, &sources, &out.join("release/sdist"), &python, "sdist", &[])?;
    try_out(&out, &sdist)
}

/// Installs a distribution into a virtual environment that has nothing else.
fn try_out(out: &Path, distribution: &Path) -> Result<(), String> {
    let folder = out.join("fresh");
    run(Command::new("python3").args(["-m", "venv", "--clear"]).arg(&folder))?;
    let python = interpreter(&folder);
    // Not in the workspace's own folder for targets: cargo would take what was built of a copy for what is here.
    run(pip(&python).arg("install").arg(distribution).env("CARGO_TARGET_DIR", out.join("built")))?;
    run(Command::new(&python).args(["-P", "-c", GREETING]).current_dir(&folder))
}

fn interpreter(environment: &Path) -> PathBuf {
    let programs = environment.join(if cfg!(windows) { "Scripts" } else { "bin" });
    programs.join(format!("python{}", env::consts::EXE_SUFFIX))
}

/// The interpreter of a virtual environment that has what the tests need; it stays from run to run.
fn environment(sources: &Path, folder: &Path) -> Result<PathBuf, String> {
    let python = interpreter(folder);
    let wanted = fs::read_to_string(sources.join(REQUIREMENTS)).map_err(|error| error.to_string())?;
    let installed = folder.join("installed.txt");
    let works = Command::new(&python).arg("--version").output().is_ok_and(|output| output.status.success());
    if works && fs::read_to_string(&installed).is_ok_and(|found| found == wanted) {
        return Ok(python);
    }
    run(Command::new("python3").args(["-m", "venv", "--clear"]).arg(folder))?;
    run(pip(&python).args(["install", "--requirement", REQUIREMENTS]).current_dir(sources))?;
    fs::write(&installed, wanted).map_err(|error| error.to_string())?;
    Ok(python)
}

fn pip(python: &Path) -> Command {
    let mut command = Command::new(python);
    command.args(["-m", "pip", "--quiet", "--disable-pip-version-check"]);
    command
}

/// Builds a wheel or the source distribution in the workspace's own folder for targets, and says which file it is.
fn maturin(
    workspace: &Workspace,
    sources: &Path,
    out: &Path,
    python: &Path,
    what: &str,
    how: &[&str],
) -> Result<PathBuf, String> {
    if out.exists() {
        fs::remove_dir_all(out).map_err(|error| format!("{}: {error}", out.display()))?;
    }
    let mut command = Command::new(python);
    command.args(["-m", "maturin", what]);
    if what == "build" {
        command.args(["--quiet", "--locked", "--release", "--interpreter"]).arg(python);
    }
    // Zig is looked for as a module of the first python3 there is.
    let programs = python.parent().map(Path::to_path_buf);
    let usual = env::var_os("PATH").unwrap_or_default();
    let path = env::join_paths(programs.into_iter().chain(env::split_paths(&usual)));
    run(command
        .env("PATH", path.map_err(|error| error.to_string())?)
        .args(how)
        .arg("--out")
        .arg(out)
        .env("CARGO_TARGET_DIR", &workspace.target)
        .current_dir(sources))?;
    let mut files = fs::read_dir(out).map_err(|error| format!("{}: {error}", out.display()))?;
    match (files.next(), files.next()) {
        (Some(Ok(file)), None) => Ok(file.path()),
        _ => Err(format!("{}: there should be one file", out.display())),
    }
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
