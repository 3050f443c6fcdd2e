//! What people said about clashes: the files of `--status`.

use std::path::{Path, PathBuf};

use impinge_formats::read_regular;
use impinge_report::terminal::Error;
use impinge_report::text::counted;
use impinge_report::{Report, Reviews};

/// What zip files begin with, of files and of none.
const ZIP: [&[u8]; 2] = [b"PK\x03\x04", b"PK\x05\x06"];

/// Reads all files, each a BCF file or one of notes.
pub(super) fn read(files: &[PathBuf]) -> Result<Vec<(String, Reviews)>, Error> {
    files.iter().map(|file| Ok((file.display().to_string(), read_one(file)?))).collect()
}

fn read_one(file: &Path) -> Result<Reviews, Error> {
    let bytes = read_regular(file)?;
    if ZIP.iter().any(|start| bytes.starts_with(start)) {
        return Reviews::read_bcf(&bytes).map_err(|error| Error::file(file, error));
    }
    let text = String::from_utf8(bytes).map_err(|_| Error::file(file, "is neither a BCF file nor text"))?;
    Reviews::read_notes(&text).map_err(|error| Error::file(file, error))
}

/// Merges what was said, the later files over the earlier, and notes what is about nothing that is here.
pub(super) fn merge(reviews: &[(String, Reviews)], report: &mut Report) {
    for (file, said) in reviews {
        let unknown = report.merge(said);
        if unknown > 0 {
            let all = counted(said.len(), "entry is", "entries are");
            report.notes.push(format!("{file}: {unknown} of {all} of no clash that is here now"));
        }
    }
}
