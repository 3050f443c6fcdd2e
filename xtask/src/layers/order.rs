//! The order of modules: `lib.rs` declares them from the lowest to the highest, and a module names only those
//! that stand above it in the file.

use std::collections::{BTreeMap, BTreeSet};

use super::File;
use crate::finding::Finding;
use crate::source::uses::Path;

/// A module of the library, in the order of `lib.rs`.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Layer {
    pub(super) name: String,
    /// The first sentence of its documentation; empty if there is none.
    pub(super) doc: String,
    /// The other modules that it names, in their order.
    pub(super) uses: Vec<String>,
}

/// The layers as they are, and every place where one names a later one.
pub(super) fn check(folder: &str, files: &[File]) -> (Vec<Layer>, Vec<Finding>) {
    let mut findings = Vec::new();
    let Some(root) = files.iter().find(|file| file.module.is_empty()) else {
        return (Vec::new(), vec![Finding::new(folder, 0, "has no lib.rs")]);
    };
    let order: Vec<&str> = root
        .scan
        .modules
        .iter()
        .filter_map(|module| match module.path.as_slice() {
            [name] => Some(name.as_str()),
            _ => None,
        })
        .collect();
    let place = |name: &str| order.iter().position(|&other| other == name);
    let exports = exports(root, &order, &mut findings);

    let mut uses: BTreeMap<usize, BTreeSet<usize>> = BTreeMap::new();
    for file in files {
        if let Some(name) = file.module.first()
            && place(name).is_none()
        {
            findings.push(Finding::new(
                &file.path,
                0,
                format!("lib.rs does not declare the module `{name}`"),
            ));
            continue;
        }
        for path in &file.scan.paths {
            let Some(user) = path.module.first().and_then(|name| place(name)) else { continue };
            let Some(from_root) = path.path_from_root() else { continue };
            let Some(name) = from_root.first() else {
                findings.extend(names_the_root(file, path));
                continue;
            };
            // `crate::Mesh`, where lib.rs has `pub use mesh::Mesh`, is a use of `mesh`.
            let name = exports.get(name.as_str()).copied().unwrap_or(name);
            let Some(used) = place(name) else { continue };
            if used == user {
                continue;
            }
            uses.entry(user).or_default().insert(used);
            if used > user {
                findings.push(Finding::new(&file.path, path.line, violation(path, user, used, &order)));
            }
        }
    }

    let layers = order.iter().enumerate().map(|(index, name)| Layer {
        name: (*name).to_owned(),
        doc: doc_of(files, name),
        uses: uses.get(&index).into_iter().flatten().map(|&used| order[used].to_owned()).collect(),
    });
    (layers.collect(), findings)
}

fn violation(path: &Path, user: usize, used: usize, order: &[&str]) -> String {
    format!(
        "module `{}` uses `{}` (`{}`), which stands below it; lib.rs has the order {}",
        order[user],
        order[used],
        path.written(),
        order.join(", ")
    )
}

/// The names that `lib.rs` re-exports from its modules. A glob would hide which module a name comes from.
fn exports<'a>(root: &'a File, order: &[&'a str], findings: &mut Vec<Finding>) -> BTreeMap<&'a str, &'a str> {
    let mut exports = BTreeMap::new();
    for path in root.scan.paths.iter().filter(|path| path.module.is_empty()) {
        let Some(binds) = path.binds.as_deref() else { continue };
        let mut segments = path.segments.iter().map(String::as_str);
        let first = segments.find(|&segment| segment != "crate" && segment != "self");
        let Some(&module) = order.iter().find(|&&name| Some(name) == first) else { continue };
        if binds == "*" {
            let message = format!("`{}` at the root hides which module a name comes from", path.written());
            findings.push(Finding::new(&root.path, path.line, message));
        } else if !order.contains(&binds) {
            exports.insert(binds, module);
        }
    }
    exports
}

/// An import of the root itself, under any name, would hide which module is used through it.
fn names_the_root(file: &File, path: &Path) -> Option<Finding> {
    path.binds.as_ref()?;
    let message =
        format!("`{}` imports the crate's root, which hides the modules used through it", path.written());
    Some(Finding::new(&file.path, path.line, message))
}

/// The first sentence of a module's documentation: the `//!` lines of its file, or the `///` lines above it in `lib.rs`.
fn doc_of(files: &[File], name: &str) -> String {
    let of_file = |file: &File| {
        let lines = file.text.lines().map_while(|line| line.trim().strip_prefix("//!").map(str::trim));
        lines.map(str::to_owned).collect::<Vec<_>>()
    };
    let in_root = |root: &File| {
        let lines: Vec<&str> = root.text.lines().collect();
        let at =
            lines.iter().position(|line| line.trim_start().starts_with(&format!("pub mod {name} {{")))?;
        let above = lines[..at].iter().rev().map_while(|line| line.trim().strip_prefix("///").map(str::trim));
        let mut doc: Vec<String> = above.map(str::to_owned).collect();
        doc.reverse();
        Some(doc)
    };
    let file = files.iter().find(|file| matches!(file.module.as_slice(), [only] if only == name));
    let root = files.iter().find(|file| file.module.is_empty());
    let doc = file.map(of_file).or_else(|| root.and_then(in_root)).unwrap_or_default();
    let paragraph: Vec<String> =
        doc.into_iter().skip_while(String::is_empty).take_while(|line| !line.is_empty()).collect();
    let paragraph = paragraph.join(" ");
    paragraph
        .split_once(". ")
        .map_or(paragraph.as_str(), |(sentence, _)| sentence)
        .trim_end_matches('.')
        .to_owned()
}
