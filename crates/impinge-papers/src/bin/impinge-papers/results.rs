//! The results of an experiment: files in a folder, and tables or one JSON document on stdout.

use std::fs;
use std::path::{Path, PathBuf};

use impinge_formats::write_bytes;
use impinge_papers::comparison::{Comparison, Comparisons};
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
    /// The paper's figures beside ours, and whether the run was a quick one.
    pub(crate) compared: (bool, Vec<Comparison>),
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
        let (quick, comparisons) = self.compared;
        written.extend(write_comparisons(self.folder, quick, comparisons)?);
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

/// Writes the comparisons of an experiment to its folder, where it has any.
pub(crate) fn write_comparisons(
    folder: &Path,
    quick: bool,
    comparisons: Vec<Comparison>,
) -> Result<Option<PathBuf>, Error> {
    if comparisons.is_empty() {
        return Ok(None);
    }
    let file = folder.join(Comparisons::FILE);
    let text = serde_json::to_string_pretty(&Comparisons::new(quick, comparisons));
    let text = text.map_err(|error| Error::file(&file, error.to_string()))?;
    write_bytes(&file, text + "\n")?;
    Ok(Some(file))
}
