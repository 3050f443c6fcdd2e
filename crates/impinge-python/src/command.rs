//! The command `impinge`, as `python -m impinge` runs it.

use std::ffi::OsString;
use std::iter;

use pyo3::prelude::*;

/// Runs a command line, without a program's name, and returns the status that the process should end with.
#[pyfunction]
#[pyo3(signature = (arguments))]
pub(crate) fn _run(py: Python<'_>, arguments: Vec<OsString>) -> u8 {
    py.detach(|| impinge_cli::run(iter::once(OsString::from("impinge")).chain(arguments)).code())
}
