//! The layer check: the order of modules inside the library, what the library may not touch, and which crate of
//! the workspace may depend on which.

mod order;
mod purity;
mod siblings;
mod table;
mod walls;

use std::fs;
use std::io;
use std::path::Path;

use crate::finding::{Finding, settle};
use crate::source::uses::{Scan, scan};
use crate::workspace::Workspace;

/// The libraries whose modules are layered, and the feature behind which they may use threads.
const LIBRARIES: [&str; 2] = ["impinge-core", "impinge"];
const THREADS_FEATURE: &str = "parallel";
const DOCUMENT: &str = "ARCHITECTURE.md";

/// One source file of the library, read and scanned.
struct File {
    /// Relative to the workspace's root.
    path: String,
    /// The module that the file is; empty for `lib.rs`.
    module: Vec<String>,
    text: String,
    scan: Scan,
}

impl File {
    /// A file at `path` below the folder `folder`.
    fn new(folder: &str, path: &str, text: String) -> Self {
        let module = module_of(path);
        let scan = scan(&text, &module, THREADS_FEATURE);
        Self { path: format!("{folder}/{path}"), module, text, scan }
    }
}

/// Checks everything; with `write`, brings the table in the document up to date instead of checking it.
pub(crate) fn check(workspace: &Workspace, write: bool) -> Result<(), String> {
    let document = workspace.root.join(DOCUMENT);
    let old = fs::read_to_string(&document).map_err(|error| format!("{DOCUMENT}: {error}"))?;
    let mut new = old.clone();
    let mut findings = walls::check(workspace);
    let mut modules = 0;
    for library in LIBRARIES {
        let folder = format!("crates/{library}/src");
        let mut files = Vec::new();
        read(&workspace.root, &folder, "", &mut files).map_err(|error| format!("{folder}: {error}"))?;
        let (layers, order_findings) = order::check(&folder, &files);
        findings.extend(order_findings);
        findings.extend(siblings::check(&files));
        findings.extend(purity::check(&files));
        new = table::replaced(&new, library, &layers).map_err(|error| format!("{DOCUMENT}: {error}"))?;
        modules += layers.len();
    }

    if new != old {
        if write {
            fs::write(&document, new).map_err(|error| format!("{DOCUMENT}: {error}"))?;
            println!("wrote the table of layers in {DOCUMENT}");
        } else {
            let line = 1 + old.lines().zip(new.lines()).take_while(|(old, new)| old == new).count();
            let message = "the table of layers is stale; run `cargo xtask layers --write`";
            findings.push(Finding::new(DOCUMENT, line, message));
        }
    }
    settle(&findings)?;
    println!("layers: {modules} modules in order, {} crates within their walls", workspace.packages.len());
    Ok(())
}

/// Reads the Rust files below `folder/below`, in the order of their names. Folders named `tests` are left out.
fn read(root: &Path, folder: &str, below: &str, files: &mut Vec<File>) -> io::Result<()> {
    let mut entries = fs::read_dir(root.join(folder).join(below))?.collect::<Result<Vec<_>, _>>()?;
    entries.sort_by_key(fs::DirEntry::file_name);
    for entry in entries {
        let name = entry.file_name().to_string_lossy().into_owned();
        let path = if below.is_empty() { name.clone() } else { format!("{below}/{name}") };
        if entry.file_type()?.is_dir() {
            if name != "tests" {
                read(root, folder, &path, files)?;
            }
        } else if name.ends_with(".rs") {
            let text = fs::read_to_string(entry.path())?;
            files.push(File::new(folder, &path, text));
        }
    }
    Ok(())
}

/// The module that a file is, by its place: `mesh/mod.rs` and `mesh.rs` are `mesh`, `lib.rs` is the root.
fn module_of(path: &str) -> Vec<String> {
    let mut names: Vec<_> = path.trim_end_matches(".rs").split('/').map(str::to_owned).collect();
    if path == "lib.rs" || names.last().is_some_and(|name| name == "mod") {
        names.pop();
    }
    names
}

#[cfg(test)]
mod tests;
