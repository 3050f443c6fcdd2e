//! Files that a command writes: never one that it reads.

use std::fs;
use std::path::{Path, PathBuf};

use super::error::Error;

/// Refuses to write a file that is one of those that are read, also by another name: a link of either kind, or another path to it.
///
/// To be asked before anything is read, so that a long run does not end so.
pub fn refuse_inputs<'p>(
    option: &'static str,
    target: Option<&Path>,
    inputs: impl IntoIterator<Item = &'p PathBuf>,
) -> Result<(), Error> {
    let Some(target) = target else { return Ok(()) };
    match inputs.into_iter().find(|input| is_same(target, input)) {
        Some(_) => Err(Error::file(target, format!("{option} would replace what is read"))),
        None => Ok(()),
    }
}

/// Whether two paths lead to one file. What is not there yet is none that could be read.
fn is_same(one: &Path, other: &Path) -> bool {
    let (Ok(one), Ok(other)) = (fs::canonicalize(one), fs::canonicalize(other)) else { return false };
    one == other || is_same_inode(&one, &other)
}

#[cfg(unix)]
fn is_same_inode(one: &Path, other: &Path) -> bool {
    use std::os::unix::fs::MetadataExt;
    let inode = |path: &Path| fs::metadata(path).map(|found| (found.dev(), found.ino())).ok();
    inode(one).is_some_and(|found| inode(other) == Some(found))
}

#[cfg(not(unix))]
fn is_same_inode(_: &Path, _: &Path) -> bool {
    false
}
