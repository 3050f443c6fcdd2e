//! The name of the unit in which a file's coordinates are.

use impinge_formats::Format;
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

/// The unit that the user names, or else the one that all the files' formats prescribe.
pub(crate) fn of<'a>(named: Option<&'a str>, formats: &[Format]) -> Option<&'a str> {
    let in_meters = formats.iter().all(|format| matches!(format, Format::Gltf | Format::Glb));
    named.or(if in_meters { Some("m") } else { None })
}
