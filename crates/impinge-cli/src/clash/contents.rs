//! What files hold, whoever reads them, and what matters of each beside the others.

use std::path::Path;

use impinge::math::DAffine3;
use impinge_formats::{Limits, Scene, read_with};
use impinge_report::terminal::Error;

use super::foreign::{ForeignReader, ForeignScene};

/// What a file holds, whoever read it.
pub(super) enum Contents {
    Scene(Box<Scene>),
    Foreign(ForeignScene),
}

impl Contents {
    /// Reads a file.
    pub(super) fn read(file: &Path, limits: Limits) -> Result<Contents, Error> {
        Ok(Contents::Scene(Box::new(read_with(file, limits)?)))
    }

    /// Has a file read by the reader, where it says to read it.
    pub(super) fn read_foreign(
        file: &Path,
        reader: Option<&dyn ForeignReader>,
    ) -> Result<Option<ForeignScene>, Error> {
        let Some(reader) = reader.filter(|reader| reader.reads(file)) else { return Ok(None) };
        reader.read(file).map(Some).map_err(|reason| Error::file(file, reason))
    }

    /// Reads a file, or has it read.
    pub(super) fn of_file(
        file: &Path,
        limits: Limits,
        reader: Option<&dyn ForeignReader>,
    ) -> Result<Contents, Error> {
        match Contents::read_foreign(file, reader)? {
            Some(scene) => Ok(Contents::Foreign(scene)),
            None => Contents::read(file, limits),
        }
    }

    fn unit(&self) -> Option<&String> {
        match self {
            Contents::Scene(scene) => scene.unit.as_ref(),
            Contents::Foreign(scene) => scene.unit.as_ref(),
        }
    }

    pub(super) fn z_up(&self) -> bool {
        match self {
            Contents::Scene(scene) => scene.z_up,
            Contents::Foreign(scene) => scene.z_up,
        }
    }

    /// Where what carries all of the file stands, and how far that may be off.
    fn common(&self) -> (DAffine3, f64) {
        match self {
            Contents::Scene(scene) => scene.common,
            Contents::Foreign(_) => (DAffine3::IDENTITY, 0.0),
        }
    }
}

/// Of each file what matters beside other files.
#[derive(Default)]
pub(super) struct AboutFiles {
    units: Vec<Option<String>>,
    /// What carries all of a file, how far that may be off, and the first of its parts.
    common: Vec<(DAffine3, f64, usize)>,
}

impl AboutFiles {
    /// Adds a file, whose first part has the given number.
    pub(super) fn add(&mut self, contents: &Contents, first: usize) {
        self.units.push(contents.unit().cloned());
        let (carrier, rounding) = contents.common();
        self.common.push((carrier, rounding, first));
    }

    /// The unit, where all have the same.
    pub(super) fn unit(&self) -> Option<String> {
        let unit = self.units.first()?.clone();
        unit.filter(|unit| self.units.iter().all(|other| other.as_ref() == Some(unit)))
    }

    /// Of each file the first of its parts, and what is added to their rounding. What carries all of a file moves it as a whole: among files that differ in that, it
    /// counts.
    pub(super) fn added_rounding(&self) -> Vec<(usize, f64)> {
        let is_common = self.common.windows(2).all(|pair| pair[0].0 == pair[1].0);
        let rounding = |rounding: f64| if is_common { 0.0 } else { rounding };
        self.common.iter().map(|&(_, added, first)| (first, rounding(added))).collect()
    }
}
