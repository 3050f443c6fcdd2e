//! Checks the libraries for other processors, where their standard library is installed.

use std::process::Command;

use crate::workspace::{Workspace, cargo};

/// What users build for, besides what the tests run on.
const TARGETS: [&str; 2] = ["wasm32-unknown-unknown", "aarch64-unknown-linux-gnu"];
/// Libraries that need nothing of the machine.
const LIBRARIES: [&str; 3] = ["impinge-core", "impinge", "impinge-formats"];

/// No warning for any target, with threads and without.
pub(crate) fn check(workspace: &Workspace) -> Result<(), String> {
    let installed = installed();
    for target in TARGETS {
        if !installed.lines().any(|line| line == target) {
            println!("SKIPPED {target}: rustup target add {target}");
            continue;
        }
        for features in [&[][..], &["--no-default-features"]] {
            let mut command = Command::new(cargo());
            command.args(["check", "--target", target]).args(features);
            command.args(LIBRARIES.iter().flat_map(|name| ["--package", name]));
            command.env("RUSTFLAGS", "-D warnings").current_dir(&workspace.root);
            let status = command.status().map_err(|error| format!("cargo: {error}"))?;
            if !status.success() {
                return Err(format!("{target} {}: cargo ended with {status}", features.concat()));
            }
        }
    }
    Ok(())
}

/// The targets that rustup has, a line each; none where there is no rustup.
fn installed() -> String {
    let output = Command::new("rustup").args(["target", "list", "--installed"]).output();
    output.map(|output| String::from_utf8_lossy(&output.stdout).into_owned()).unwrap_or_default()
}
