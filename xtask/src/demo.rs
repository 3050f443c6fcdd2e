//! The main job in one command: builds, makes a sample assembly, finds its clashes and says where the report is.

use std::fs;
use std::process::Command;

use crate::needs;
use crate::workspace::{Workspace, cargo};

pub(crate) fn run(workspace: &Workspace, install: bool) -> Result<(), String> {
    needs::meet_for_demo(install)?;
    let folder = workspace.target.join("demo");
    fs::create_dir_all(&folder).map_err(|error| format!("{}: {error}", folder.display()))?;
    let scene = folder.join("assembly.glb").to_string_lossy().into_owned();
    let report = folder.join("clashes.html").to_string_lossy().into_owned();
    step(workspace, "building the command", &["build", "--release", "--package", "impinge-cli"], &[0])?;
    let impinge = ["run", "--quiet", "--release", "--package", "impinge-cli", "--"];
    let make = [&impinge[..], &["make", "assembly", &scene]].concat();
    step(workspace, "making an assembly with planted clashes", &make, &[0])?;
    let clash = [&impinge[..], &["clash", &scene, "--report", &report]].concat();
    step(workspace, "finding every clash", &clash, &[1])?;
    println!(
        "\nOpen {report} in a browser: click a row to see its clash, or go through them with the arrow keys.\n\
         Next, with a model of your own:\n  \
         cargo run --release -- clash scene.glb --report clashes.html\n  \
         cargo run --release -- check a.stl b.stl --pairs\n  \
         cargo run --release -- sweep a.stl b.stl --translate 0,0,-1\n  \
         cargo run --release -- --help"
    );
    Ok(())
}

/// Says what is done, and does it; the exit statuses that mean success are those given.
fn step(workspace: &Workspace, what: &str, arguments: &[&str], fine: &[i32]) -> Result<(), String> {
    println!("{what}: cargo {}", arguments.join(" "));
    let status = Command::new(cargo())
        .args(arguments)
        .current_dir(&workspace.root)
        .status()
        .map_err(|error| format!("cargo: {error}"))?;
    if status.code().is_some_and(|code| fine.contains(&code)) {
        Ok(())
    } else {
        Err(format!("{what}: cargo ended with {status}"))
    }
}
