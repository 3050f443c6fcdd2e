//! The walls between crates: which crate of the workspace may depend on which, for building and for testing.

use crate::finding::Finding;
use crate::workspace::{Package, Workspace};

enum Allowed {
    Only(&'static [&'static str]),
    AllBut(&'static [&'static str]),
}

const WALLS: [(&str, Allowed); 11] = [
    ("impinge-core", Allowed::Only(&[])),
    ("impinge-shapes", Allowed::Only(&[])),
    ("impinge", Allowed::Only(&["impinge-core", "impinge-shapes"])),
    ("impinge-formats", Allowed::Only(&["impinge", "impinge-core"])),
    ("impinge-image", Allowed::Only(&["impinge", "impinge-core"])),
    ("impinge-report", Allowed::Only(&[])),
    ("impinge-cli", Allowed::AllBut(&["xtask"])),
    ("impinge-python", Allowed::AllBut(&["xtask"])),
    ("impinge-papers", Allowed::AllBut(&["impinge-cli", "xtask"])),
    ("impinge-examples", Allowed::Only(&["impinge", "impinge-formats", "impinge-report", "impinge-image"])),
    ("xtask", Allowed::Only(&[])),
];

pub(super) fn check(workspace: &Workspace) -> Vec<Finding> {
    workspace.packages.iter().flat_map(|package| check_package(workspace, package)).collect()
}

fn check_package(workspace: &Workspace, package: &Package) -> Vec<Finding> {
    let name = package.name.as_str();
    let Some((_, allowed)) = WALLS.iter().find(|(crate_name, _)| *crate_name == name) else {
        let message = format!("the crate `{name}` has no row in xtask/src/layers/walls.rs");
        return vec![Finding::new(&package.manifest, 0, message)];
    };
    let mut findings = Vec::new();
    for dependency in &package.dependencies {
        // A crate may name itself: that is how its tests switch on its own features.
        if dependency == name || workspace.packages.iter().all(|other| other.name != *dependency) {
            continue;
        }
        let (ok, rule) = match allowed {
            Allowed::Only([]) => (false, "no crate of the workspace".to_owned()),
            Allowed::Only(names) => {
                (names.contains(&dependency.as_str()), format!("only {}", names.join(", ")))
            }
            Allowed::AllBut(names) => {
                (!names.contains(&dependency.as_str()), format!("all but {}", names.join(", ")))
            }
        };
        if !ok {
            let message = format!("`{name}` depends on `{dependency}`; it may depend on {rule}");
            findings.push(Finding::new(&package.manifest, package.line_of_dependency(dependency), message));
        }
    }
    findings
}
