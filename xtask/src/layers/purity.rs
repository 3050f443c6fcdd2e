//! What the library may not touch: it takes numbers and gives numbers. No files, no network, no clock, nothing printed, no
//! `static mut`. Threads behind a feature only; the thread pool, locks and what is made once in `parallel` only, where every entry into
//! the pool is checked; the environment, which forces a level, and `unsafe` in `simd` only; `RefCell` nowhere, so that nothing is
//! borrowed twice.
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
/// The module with `unsafe` code, and the one that reads the environment.
const SIMD_MODULE: &str = "simd";
/// The module that enters the thread pool.
const POOL_MODULE: &str = "parallel";
/// What waits for other threads, or is borrowed until it is let go.
const LOCKS: [&str; 8] = ["Mutex", "RwLock", "OnceLock", "LazyLock", "Once", "Condvar", "Barrier", "mpsc"];

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
        ["unsafe"] if !is_in(path, SIMD_MODULE) => {
            Some(format!("`unsafe` is allowed only in a module named `{SIMD_MODULE}`"))
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
        ["rayon", _, ..] => pool("rayon", path).or_else(|| threads("rayon", gated)),
        ["rayon"] if imported.is_some() => pool("rayon", path).or_else(|| threads("rayon", gated)),
        ["std", "sync"] if imported.is_some() => pool("use std::sync", path),
        ["std", "sync", "*"] => pool("use std::sync::*", path),
        ["std", "sync", name, ..] if LOCKS.contains(name) => pool(&format!("std::sync::{name}"), path),
        ["std", "cell"] | ["std", "cell", "*"] if imported.is_some() => {
            Some(format!("`use {}` hides which cell is used", path.written()))
        }
        ["std", "cell", "RefCell", ..] => Some(
            "`std::cell::RefCell`: what a job borrows, the next on the same thread cannot; take it out"
                .to_owned(),
        ),
        ["std", "env", ..] if is_in(path, SIMD_MODULE) => None,
        ["std", part, ..] => {
            let (name, what) = OUTSIDE.iter().find(|(name, _)| name == part)?;
            Some(format!("`std::{name}`: the library does not touch {what}"))
        }
        _ => None,
    }
}

/// Whether a path stands in a module of that name, or below it.
fn is_in(path: &Path, module: &str) -> bool {
    path.module.iter().any(|name| name == module)
}

fn pool(what: &str, path: &Path) -> Option<String> {
    (!is_in(path, POOL_MODULE))
        .then(|| format!("`{what}` outside of `{POOL_MODULE}`, which checks who enters the pool"))
}

fn threads(what: &str, gated: bool) -> Option<String> {
    (!gated).then(|| format!("`{what}` outside `#[cfg(feature = \"{THREADS_FEATURE}\")]`"))
}
