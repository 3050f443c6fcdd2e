//! What the library may not touch: it takes numbers and gives numbers. No files, no network, no clock, no
//! environment, nothing printed, no mutable globals; threads behind a feature only; `unsafe` in `simd` only.
//!
//! The check reads text. It sees what is written out in the library's own source, not what a dependency does, what
//! a macro expands to, or what reaches the code under another name.

use super::{File, THREADS_FEATURE};
use crate::finding::Finding;
use crate::source::uses::Path;

/// Modules of `std` that reach outside, and what each is.
const OUTSIDE: [(&str, &str); 4] =
    [("fs", "files"), ("net", "the network"), ("time", "the clock"), ("env", "the environment")];
const PRINTING: [&str; 5] = ["println", "eprintln", "print", "eprint", "dbg"];
const UNSAFE_MODULE: &str = "simd";

pub(super) fn check(files: &[File]) -> Vec<Finding> {
    let mut findings = Vec::new();
    // Files that are compiled only with the feature because their `mod` line is.
    let gated_modules: Vec<_> =
        files.iter().flat_map(|file| &file.scan.modules).filter(|module| module.gated).collect();
    for file in files {
        for path in &file.scan.paths {
            let gated =
                path.gated || gated_modules.iter().any(|module| path.module.starts_with(&module.path));
            if let Some(message) = complaint(path, gated) {
                findings.push(Finding::new(&file.path, path.line, message));
            }
        }
    }
    findings
}

fn complaint(path: &Path, gated: bool) -> Option<String> {
    let segments: Vec<&str> = path.segments.iter().map(String::as_str).collect();
    let imported = path.binds.as_deref();
    match segments.as_slice() {
        ["unsafe"] if path.module.iter().all(|name| name != UNSAFE_MODULE) => {
            Some(format!("`unsafe` is allowed only in a module named `{UNSAFE_MODULE}`"))
        }
        ["static"] if path.next == "mut" => {
            Some("`static mut`: the library has no mutable globals".to_owned())
        }
        [.., name] if PRINTING.contains(name) && path.next == "!" => {
            Some(format!("`{name}!`: the library prints nothing"))
        }
        // `use std as s` and `use std::*` would hide what is used.
        ["std"] if imported.is_some() => {
            Some(format!("`use {}` hides which part of std is used", path.written()))
        }
        ["std", "thread", ..] => threads("std::thread", gated),
        ["rayon", _, ..] => threads("rayon", gated),
        ["rayon"] if imported.is_some() => threads("rayon", gated),
        ["std", part, ..] => {
            let (name, what) = OUTSIDE.iter().find(|(name, _)| name == part)?;
            Some(format!("`std::{name}`: the library does not touch {what}"))
        }
        _ => None,
    }
}

fn threads(what: &str, gated: bool) -> Option<String> {
    (!gated).then(|| format!("`{what}` outside `#[cfg(feature = \"{THREADS_FEATURE}\")]`"))
}
