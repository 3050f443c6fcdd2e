//! Files that somebody else reads for the command: as the Python module does with IFC and STEP files.

use std::path::Path;

use super::parts::ScenePart;

/// Reads files of formats that the command does not read itself.
pub trait ForeignReader: Sync {
    /// Whether the file is of such a format, by its name.
    fn reads(&self, file: &Path) -> bool;

    /// The parts of a file; or why it cannot be read, in one line without the name of the file.
    fn read(&self, file: &Path) -> Result<ForeignScene, String>;
}

/// The contents of a file that somebody else has read.
#[derive(Default)]
pub struct ForeignScene {
    /// What a length of 1 is called, where the file says so.
    pub unit: Option<String>,
    /// Whether the third axis points up.
    pub z_up: bool,
    /// The parts with their paths in the file, each unlike the others.
    pub parts: Vec<(String, ScenePart)>,
    /// A line for each thing with faces that could not be read.
    pub left_out: Vec<String>,
}
