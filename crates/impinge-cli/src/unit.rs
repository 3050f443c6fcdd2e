//! The name of the unit in which a file's coordinates are.

use impinge_report::terminal::Error;

/// What lengths are called where nobody says.
pub(crate) const UNNAMED: &str = "units";

/// Checks the value of `--unit`: any name that stands in a line will do.
pub(crate) fn check(unit: Option<&str>) -> Result<(), Error> {
    match unit {
        Some(name) if name.trim().is_empty() || name.chars().any(char::is_control) => {
            Err(Error::option("--unit", format!("{name:?} is no name of a unit")))
        }
        _ => Ok(()),
    }
}

/// The unit that the user names, or else the one that all files have.
pub(crate) fn of<'a>(named: Option<&'a str>, files: &[Option<&'a str>]) -> Option<&'a str> {
    let first = files.first().copied().flatten();
    named.or_else(|| first.filter(|_| files.iter().all(|unit| *unit == first)))
}
