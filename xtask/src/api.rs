//! The public items of the library, as rustdoc lists them, beside the list that is committed; and items of the kernel that nobody uses.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::finding::{Finding, settle};
use crate::workspace::{Workspace, cargo};

/// The list that is committed, so that a change of the API is seen in review.
const LIST: &str = "docs/api.txt";
const LIBRARY: &str = "impinge";
const KERNEL: &str = "impinge_core";

/// Compares the items with the list; with `write`, makes the list anew.
pub(crate) fn check(workspace: &Workspace, write: bool) -> Result<(), String> {
    let items = documented(workspace, LIBRARY)?;
    let kernel = documented(workspace, KERNEL)?;
    let new = format!("{}\n", items.join("\n"));
    let path = workspace.root.join(LIST);
    let old = fs::read_to_string(&path).unwrap_or_default();
    let mut findings = unused(workspace, &kernel)?;
    if write && new != old {
        fs::write(&path, &new).map_err(|error| format!("{LIST}: {error}"))?;
        println!("wrote {LIST}");
    } else if new != old {
        let lines: Vec<&str> = old.lines().collect();
        let added =
            items.iter().filter(|item| !lines.contains(&item.as_str())).map(|item| format!("+ {item}"));
        let removed = lines.iter().filter(|line| !items.iter().any(|item| item == *line));
        let changes: Vec<String> = added.chain(removed.map(|line| format!("- {line}"))).collect();
        let message = format!("the API has changed; run `cargo xtask api --write`: {}", changes.join(", "));
        findings.push(Finding::new(LIST, 0, message));
    }
    settle(&findings)?;
    println!("api: {} public items of {LIBRARY}, {} of {KERNEL}", items.len(), kernel.len());
    Ok(())
}

/// The items of a crate, by their paths, as its documentation lists them.
fn documented(workspace: &Workspace, name: &str) -> Result<Vec<String>, String> {
    let status = Command::new(cargo())
        .args(["doc", "--quiet", "--no-deps", "--lib", "--package", &name.replace('_', "-")])
        .current_dir(&workspace.root)
        .status()
        .map_err(|error| format!("cargo doc: {error}"))?;
    if !status.success() {
        return Err(format!("cargo doc ended with {status}"));
    }
    let page = workspace.target.join("doc").join(name).join("all.html");
    let text = fs::read_to_string(&page).map_err(|error| format!("{}: {error}", page.display()))?;
    let mut items = listed(&text);
    items.sort_unstable();
    Ok(items)
}

/// What stands in the lists of the page of all items: `<li><a href="…">path</a></li>`.
fn listed(page: &str) -> Vec<String> {
    let entries = page.split("<li><a href=\"").skip(1);
    let names = entries.filter_map(|entry| {
        let (place, rest) = entry.split_once("\">")?;
        // The page links to its own sections, too.
        if place.starts_with('#') {
            return None;
        }
        let (name, _) = rest.split_once("</a></li>")?;
        Some(name.to_owned())
    });
    names.collect()
}

/// Public items of the kernel whose name occurs only once in all sources: what is public is not seen by the compiler's own lint.
fn unused(workspace: &Workspace, items: &[String]) -> Result<Vec<Finding>, String> {
    let mut count: BTreeMap<&str, usize> =
        items.iter().filter_map(|item| item.rsplit("::").next()).map(|name| (name, 0)).collect();
    let mut folders = vec![workspace.root.join("crates"), workspace.root.join("examples")];
    while let Some(folder) = folders.pop() {
        for path in entries(&folder)? {
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|extension| extension == "rs") {
                let text =
                    fs::read_to_string(&path).map_err(|error| format!("{}: {error}", path.display()))?;
                let code = text
                    .lines()
                    .map(str::trim_start)
                    .filter(|line| !line.starts_with("//") && !line.starts_with("pub use"));
                for word in code.flat_map(|line| line.split(|c: char| !c.is_alphanumeric() && c != '_')) {
                    if let Some(count) = count.get_mut(word) {
                        *count += 1;
                    }
                }
            }
        }
    }
    let unused = count.into_iter().filter(|(_, count)| *count < 2);
    Ok(unused
        .map(|(name, _)| Finding::new("crates/impinge-core", 0, format!("nobody uses `{name}`")))
        .collect())
}

/// The entries of a folder, without what tools have put there.
fn entries(folder: &Path) -> Result<Vec<PathBuf>, String> {
    let list = fs::read_dir(folder).map_err(|error| format!("{}: {error}", folder.display()))?;
    let paths = list.map(|entry| entry.map(|entry| entry.path()).map_err(|error| error.to_string()));
    let kept = |path: &Result<PathBuf, String>| {
        !path.as_ref().is_ok_and(|path| path.ends_with("node_modules") || path.ends_with("target"))
    };
    paths.filter(kept).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn items_are_read_from_the_page() {
        let page = "<li><a href=\"#structs\">Structs</a></li><h3>Structs</h3><ul class=\"all-items\"><li><a href=\"struct.A.html\">A</a></li>\
                    <li><a href=\"m/struct.B.html\">m::B</a></li></ul><a href=\"x\">no item</a>";
        assert_eq!(listed(page), ["A", "m::B"]);
    }
}
