//! The results of an experiment: files in a folder, and tables or one JSON document on stdout.

use std::fs;
use std::path::{Path, PathBuf};

use impinge_formats::write_bytes;
use impinge_report::terminal::{Error, Output, Status};
use serde::Serialize;

/// Makes the folder, and makes sure that files can be written to it.
pub(crate) fn prepare(folder: &Path) -> Result<(), Error> {
    let probe = folder.join(".impinge-papers");
    fs::create_dir_all(folder)
        .and_then(|()| fs::write(&probe, ""))
        .and_then(|()| fs::remove_file(&probe))
        .map_err(|error| Error::unwritable(folder, &error))
}

/// The JSON document of an experiment.
#[derive(Serialize)]
pub(crate) struct Document<'r, R> {
    schema: u32,
    #[serde(flatten)]
    report: &'r R,
    files: &'r [PathBuf],
}

impl<'r, R> Document<'r, R> {
    pub(crate) fn new(report: &'r R, files: &'r [PathBuf]) -> Document<'r, R> {
        Document { schema: 1, report, files }
    }
}

/// The results of an experiment, and how they are printed.
pub(crate) struct Results<'r, R> {
    pub(crate) folder: &'r Path,
    pub(crate) report: &'r R,
    /// The tables for the terminal.
    pub(crate) tables: String,
    /// Whether there is one JSON document in place of the tables.
    pub(crate) json: bool,
}

impl<R: Serialize> Results<'_, R> {
    /// Writes the files, and prints the rest.
    pub(crate) fn write<C: AsRef<[u8]>>(
        self,
        files: impl IntoIterator<Item = (String, C)>,
        output: &mut Output,
    ) -> Result<Status, Error> {
        let mut written = Vec::new();
        for (name, content) in files {
            let file = self.folder.join(name);
            write_bytes(&file, content)?;
            written.push(file);
        }
        if self.json {
            output.json(&Document::new(self.report, &written))?;
        } else {
            output.print(&self.tables)?;
            let files = impinge_report::text::counted(written.len(), "file", "files");
            output.print(&format!("{files} in {}\n", self.folder.display()))?;
        }
        Ok(Status::Nothing)
    }
}
