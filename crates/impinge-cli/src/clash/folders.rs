//! Folders as scenes: the files in them.

use std::path::{Path, PathBuf};

use impinge_formats::{Format, needs_conversion};
use impinge_report::terminal::Error;

use super::foreign::ForeignReader;

/// The files of a scene.
#[derive(Default)]
pub(super) struct Files {
    pub(super) list: Vec<PathBuf>,
    /// Files of folders that have faces, but are of formats that are not read.
    pub(super) foreign: Vec<PathBuf>,
}

/// The files that were named, and those of folders that were named: all of known formats, in the order of their names, and not those of
/// folders within.
pub(super) fn files(scenes: &[PathBuf], reader: Option<&dyn ForeignReader>) -> Result<Files, Error> {
    let mut files = Files::default();
    for scene in scenes {
        if scene.is_dir() { add_folder(scene, reader, &mut files)? } else { files.list.push(scene.clone()) }
    }
    Ok(files)
}

fn add_folder(folder: &Path, reader: Option<&dyn ForeignReader>, files: &mut Files) -> Result<(), Error> {
    let failed = |error: std::io::Error| Error::file(folder, format!("cannot be read: {error}"));
    let mut inside = Vec::new();
    for entry in std::fs::read_dir(folder).map_err(failed)? {
        let path = entry.map_err(failed)?.path();
        if path.is_file() {
            inside.push(path);
        }
    }
    inside.sort();
    let before = files.list.len();
    for path in inside {
        let is_foreign = reader.is_some_and(|reader| reader.reads(&path));
        if is_foreign || Format::from_file_name(&path).is_some() {
            files.list.push(path);
        } else if needs_conversion(&path) {
            files.foreign.push(path);
        }
    }
    if files.list.len() == before {
        return Err(Error::file(folder, "has no file of a known format in it".to_owned()));
    }
    Ok(())
}
