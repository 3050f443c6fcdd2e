//! The main job in one command: builds, makes a sample assembly that moves, finds its clashes at rest and while it moves, and says
//! where the reports are.

use std::env;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::needs;
use crate::workspace::{Workspace, cargo};

/// Names a command that is built already: the test command has one.
pub(crate) const BUILT_COMMAND: &str = "IMPINGE_COMMAND";

/// The animation of the sample.
const ANIMATION: &str = "carriage";

pub(crate) fn run(workspace: &Workspace, install: bool) -> Result<(), String> {
    needs::meet_for_demo(install)?;
    let impinge = command(workspace)?;
    let folder = workspace.target.join("demo");
    fs::create_dir_all(&folder).map_err(|error| format!("{}: {error}", folder.display()))?;
    let path = |name: &str| folder.join(name).to_string_lossy().into_owned();
    let (scene, at_rest, moving) = (path("assembly.glb"), path("clashes.html"), path("moving.html"));
    let call = |what: &str, arguments: &[&str], fine: i32| {
        println!("\n{what}: impinge {}", arguments.join(" "));
        let mut command = Command::new(&impinge);
        step(command.args(arguments).current_dir(&workspace.root), what, fine)
    };
    call(
        "making an assembly with planted clashes that moves",
        &["make", "assembly", &scene, "--animated"],
        0,
    )?;
    call(
        "finding every clash at rest, and what is nearer than a millimeter",
        &["clash", &scene, "--unit", "mm", "--clearance", "1", "--report", &at_rest],
        1,
    )?;
    call(
        "finding every clash while it moves, and when each begins",
        &["clash", &scene, "--unit", "mm", "--animation", ANIMATION, "--report", &moving],
        1,
    )?;
    println!(
        "\nOpen these in a browser:\n  \
         {at_rest}\n  \
         {moving}\n\
         Click a row to see its clash, or go through them with the arrow keys.\n\
         In the second one, play the animation: the carriage comes down on cover 2 at 3.6 s.\n\n\
         Next, with models of your own:\n  \
         cargo run --release -- clash scene.glb --report clashes.html\n  \
         cargo run --release -- check a.stl b.stl --pairs\n  \
         cargo run --release -- sweep a.stl b.stl --translate 0,0,-1\n  \
         cargo run --release -- --help"
    );
    Ok(())
}

/// The command: the one that is named, or else built here.
fn command(workspace: &Workspace) -> Result<PathBuf, String> {
    if let Some(built) = env::var_os(BUILT_COMMAND) {
        let built = Path::new(&built);
        println!("taking the command {}", built.display());
        return Ok(built.to_owned());
    }
    let build = ["build", "--release", "--package", "impinge-cli"];
    println!("building the command: cargo {}", build.join(" "));
    step(Command::new(cargo()).args(build).current_dir(&workspace.root), "building the command", 0)?;
    Ok(workspace.program("impinge"))
}

/// Runs a command that is fine if it ends with that exit status.
fn step(command: &mut Command, what: &str, fine: i32) -> Result<(), String> {
    let status = command.status().map_err(|error| format!("{what}: {error}"))?;
    if status.code() == Some(fine) { Ok(()) } else { Err(format!("{what}: ended with {status}")) }
}
