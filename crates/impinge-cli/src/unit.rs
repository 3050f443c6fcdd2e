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

/// How many meters a length of 1 is, by the unit's name; none for names that say nothing.
pub(crate) fn in_meters(unit: &str) -> Option<f64> {
    let unit = unit.trim().to_lowercase();
    Some(match unit.as_str() {
        "m" | "meter" | "meters" | "metre" | "metres" => 1.0,
        "dm" | "decimeter" | "decimeters" | "decimetre" | "decimetres" => 0.1,
        "cm" | "centimeter" | "centimeters" | "centimetre" | "centimetres" => 0.01,
        "mm" | "millimeter" | "millimeters" | "millimetre" | "millimetres" => 0.001,
        "um" | "µm" | "μm" | "micrometer" | "micrometers" | "micron" | "microns" => 1e-6,
        "km" | "kilometer" | "kilometers" | "kilometre" | "kilometres" => 1000.0,
        "in" | "\"" | "inch" | "inches" => 0.0254,
        "ft" | "'" | "foot" | "feet" => 0.3048,
        "yd" | "yard" | "yards" => 0.9144,
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn known_units_have_a_length() {
        assert_eq!(in_meters("mm"), Some(0.001));
        assert_eq!(in_meters(" Inch "), Some(0.0254));
        assert_eq!([in_meters("units"), in_meters("")], [None; 2]);
    }
}
