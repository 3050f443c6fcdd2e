//! What goes to the registry: what the manifest of each package tells people, and the files that it must hold.

use std::path::Path;
use std::process::Command;

use crate::finding::Finding;
use crate::workspace::{About, Package, Workspace, cargo};

/// The registry takes no more of each.
const MOST_KEYWORDS: usize = 5;
const MOST_CATEGORIES: usize = 5;
/// The registry's limit for one keyword.
const LONGEST_KEYWORD: usize = 20;

/// Files of every package; its readme comes by this name wherever it is kept.
const FILES: [&str; 4] = ["Cargo.toml", "README.md", "LICENSE-MIT", "LICENSE-APACHE"];

pub(crate) fn check(workspace: &Workspace) -> Result<Vec<Finding>, String> {
    let mut findings = Vec::new();
    for package in workspace.packages.iter().filter(|package| package.is_published) {
        let files = files(&workspace.root, &package.name)?;
        let problems =
            lacking(&package.about).into_iter().chain(missing(&files)).chain(unpublished(workspace, package));
        findings.extend(problems.map(|problem| Finding::new(&package.manifest, 0, problem)));
    }
    Ok(findings)
}

/// The files that a package would hold, a line each.
fn files(root: &Path, package: &str) -> Result<String, String> {
    let arguments = ["package", "--list", "--allow-dirty", "--package", package];
    let output = Command::new(cargo()).args(arguments).current_dir(root).output();
    let output = output.map_err(|error| format!("cargo package: {error}"))?;
    if !output.status.success() {
        return Err(String::from_utf8_lossy(&output.stderr).trim().to_owned());
    }
    Ok(String::from_utf8_lossy(&output.stdout).into_owned())
}

/// What a manifest does not tell, or tells too much of.
fn lacking(about: &About) -> Vec<String> {
    let fields = [
        ("description", about.description.is_some()),
        ("repository", about.repository.is_some()),
        ("readme", about.readme.is_some()),
        ("license", about.license.is_some()),
        ("keywords", !about.keywords.is_empty()),
        ("categories", !about.categories.is_empty()),
    ];
    let absent = fields.iter().filter(|(_, is_there)| !is_there);
    let mut problems: Vec<String> =
        absent.map(|(field, _)| format!("is published and has no {field}")).collect();
    for (what, count, most) in [
        ("keywords", about.keywords.len(), MOST_KEYWORDS),
        ("categories", about.categories.len(), MOST_CATEGORIES),
    ] {
        if count > most {
            problems.push(format!("has {count} {what}; the registry takes {most}"));
        }
    }
    let long = about.keywords.iter().filter(|keyword| keyword.len() > LONGEST_KEYWORD);
    problems.extend(long.map(|keyword| format!("the keyword `{keyword}` is too long for the registry")));
    problems
}

fn missing(files: &str) -> Vec<String> {
    let has = |file: &str| files.lines().any(|line| line == file);
    FILES.iter().filter(|file| !has(file)).map(|file| format!("the package lacks {file}")).collect()
}

/// Packages of the workspace that a published one builds with and that are not published themselves.
fn unpublished(workspace: &Workspace, package: &Package) -> Vec<String> {
    let needs = package.dependencies.iter().filter_map(|name| workspace.package(name));
    let problems = needs.filter(|need| !need.is_published);
    problems.map(|need| format!("is published and depends on `{}`, which is not", need.name)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn full() -> About {
        let text = || Some("x".to_owned());
        About {
            description: text(),
            repository: text(),
            readme: text(),
            license: text(),
            keywords: vec!["mesh".to_owned()],
            categories: vec!["simulation".to_owned()],
        }
    }

    #[test]
    fn what_a_manifest_lacks_is_found() {
        assert_eq!(lacking(&full()), [""; 0]);
        assert_eq!(lacking(&About::default()).len(), 6);
        assert_eq!(lacking(&About { repository: None, ..full() }), ["is published and has no repository"]);
        let keywords = ["a", "b", "c", "d", "e", "a-keyword-of-many-letters"].map(str::to_owned).to_vec();
        assert_eq!(
            lacking(&About { keywords, ..full() }),
            [
                "has 6 keywords; the registry takes 5",
                "the keyword `a-keyword-of-many-letters` is too long for the registry"
            ]
        );
    }

    #[test]
    fn files_that_a_package_lacks_are_found() {
        let files = "Cargo.toml\nCargo.toml.orig\nLICENSE-APACHE\nREADME.md\nsrc/lib.rs\n";
        assert_eq!(missing(files), ["the package lacks LICENSE-MIT"]);
        assert_eq!(missing(&format!("{files}LICENSE-MIT\n")), [""; 0]);
    }

    #[test]
    fn a_dependency_that_is_not_published_is_found() {
        let package = |name: &str, is_published, dependencies: &[&str]| Package {
            name: name.to_owned(),
            is_published,
            dependencies: dependencies.iter().map(|&name| name.to_owned()).collect(),
            ..Package::default()
        };
        let packages =
            vec![package("a", true, &["b", "c", "glam"]), package("b", false, &[]), package("c", true, &[])];
        let workspace = Workspace { root: "".into(), target: "".into(), packages };
        let found = unpublished(&workspace, &workspace.packages[0]);
        assert_eq!(found, ["is published and depends on `b`, which is not"]);
    }
}
