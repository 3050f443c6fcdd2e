//! The command `impinge`, as `python -m impinge` runs it, with files that Python reads for it.

use std::ffi::OsString;
use std::iter;
use std::path::Path;

use impinge_cli::{ForeignReader, ForeignScene};
use pyo3::prelude::*;

use crate::scene::{PartFields, scene_part};

/// What a function of Python returns for a file: the unit, whether z points up, the parts, and a line for each thing that was left out.
type ReadFields<'py> = (Option<String>, bool, Vec<PartFields<'py>>, Vec<String>);

/// A function of Python that reads files with certain endings.
pub(crate) struct PythonReader {
    pub(crate) endings: Vec<String>,
    pub(crate) read: Py<PyAny>,
}

impl ForeignReader for PythonReader {
    fn reads(&self, file: &Path) -> bool {
        let name = file.to_string_lossy().to_lowercase();
        self.endings.iter().any(|ending| name.ends_with(ending))
    }

    fn read(&self, file: &Path) -> Result<ForeignScene, String> {
        Python::attach(|py| self.call(py, file).map_err(|error| message(&error.value(py).to_string(), file)))
    }
}

impl PythonReader {
    fn call(&self, py: Python<'_>, file: &Path) -> PyResult<ForeignScene> {
        let (unit, z_up, fields, left_out): ReadFields<'_> = self.read.bind(py).call1((file,))?.extract()?;
        let parts = fields.into_iter().map(scene_part).collect::<PyResult<_>>()?;
        Ok(ForeignScene { unit, z_up, parts, left_out })
    }
}

/// The first line of an error, without the name of the file, which the command names itself.
fn message(text: &str, file: &Path) -> String {
    let line = text.lines().next().unwrap_or("cannot be read");
    let name = file.display().to_string();
    line.strip_prefix(&name).map_or(line, |rest| rest.trim_start_matches(": ")).to_owned()
}

/// Runs a command line, without a program's name, and returns the status that the process should end with. Scenes of `clash` whose names end so are
/// read by the function.
#[pyfunction]
#[pyo3(signature = (arguments, endings, read))]
pub(crate) fn _run(py: Python<'_>, arguments: Vec<OsString>, endings: Vec<String>, read: Py<PyAny>) -> u8 {
    let words = iter::once(OsString::from("impinge")).chain(arguments);
    let reader = PythonReader { endings, read };
    py.detach(|| impinge_cli::run_with(words, Some(&reader)).code())
}
