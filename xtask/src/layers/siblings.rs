//! Modules of one folder: no two of them use each other both ways.
//!
//! A name that the folder re-exports from one of its modules is a use of that module.

use std::collections::BTreeMap;

use super::File;
use crate::finding::Finding;

/// Where one module of a folder first uses another.
type Uses<'f> = BTreeMap<(&'f [String], &'f str, String), (&'f File, usize)>;

pub(super) fn check(files: &[File]) -> Vec<Finding> {
    let exports: BTreeMap<&[String], BTreeMap<&str, &str>> =
        files.iter().map(|file| (file.module.as_slice(), exports(file))).collect();
    let mut uses = Uses::new();
    for file in files {
        for path in &file.scan.paths {
            let Some(target) = path.path_from_root() else { continue };
            // The deepest folder that both are in.
            let shared = path.module.iter().zip(&target).take_while(|(a, b)| a == b).count();
            let (Some(user), Some(name)) = (path.module.get(shared), target.get(shared)) else { continue };
            // The top of a crate has an order of its own.
            if shared == 0 {
                continue;
            }
            let folder = &path.module[..shared];
            let exported = exports.get(folder).and_then(|names| names.get(name.as_str()));
            let used = exported.map_or(name.clone(), |module| (*module).to_owned());
            let is_module = files.iter().any(|file| is_in(&file.module, folder, &used));
            if used != *user && is_module {
                uses.entry((folder, user, used)).or_insert((file, path.line));
            }
        }
    }
    let mut findings = Vec::new();
    for ((folder, user, used), (file, line)) in &uses {
        let Some((_, (other, other_line))) =
            uses.iter().find(|((at, back, to), _)| at == folder && *back == used.as_str() && to == *user)
        else {
            continue;
        };
        if *user < used.as_str() {
            let message = format!(
                "`{user}` and `{used}` in `{}` use each other; the other way in {} line {other_line}",
                folder.join("::"),
                other.path
            );
            findings.push(Finding::new(&file.path, *line, message));
        }
    }
    findings
}

/// The names that a folder re-exports or imports from its own modules, and from which.
fn exports(file: &File) -> BTreeMap<&str, &str> {
    let own = |path: &&crate::source::uses::Path| path.module == file.module;
    let modules: Vec<&str> =
        file.scan.modules.iter().filter_map(|module| module.path.last()).map(String::as_str).collect();
    let named = file.scan.paths.iter().filter(own).filter_map(|path| {
        let binds = path.binds.as_deref()?;
        let first = path.segments.iter().map(String::as_str).find(|segment| *segment != "self")?;
        (modules.contains(&first) && path.segments.len() > 1 && binds != first).then_some((binds, first))
    });
    named.collect()
}

/// Whether a module is, or is in, the child of that name.
fn is_in(module: &[String], folder: &[String], child: &str) -> bool {
    module.starts_with(folder) && module.get(folder.len()).is_some_and(|name| name == child)
}
