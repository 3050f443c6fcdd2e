//! A model that a command is about: read from a file, and the file's own words for its faces.

use std::path::Path;

use impinge::Model;
use impinge_formats::{Format, Origin, read_mesh};

use crate::error::Error;

/// A model and the file that it comes from.
pub(crate) struct Subject {
    /// The file as the user named it.
    pub(crate) name: String,
    pub(crate) format: Format,
    pub(crate) model: Model,
    origins: Vec<Origin>,
}

impl Subject {
    pub(crate) fn read(file: &Path) -> Result<Subject, Error> {
        let loaded = read_mesh(file)?;
        Ok(Subject {
            name: file.display().to_string(),
            format: loaded.format,
            model: Model::new(loaded.mesh),
            origins: loaded.origins,
        })
    }

    /// The glTF node and primitive of a face; neither in other formats.
    pub(crate) fn node_and_primitive(&self, face: u32) -> (Option<usize>, Option<usize>) {
        origin(&self.origins, face).map_or((None, None), |origin| (origin.node, origin.primitive))
    }
}

/// Where a face comes from. Origins are in ascending order of their faces.
pub(crate) fn origin(origins: &[Origin], face: u32) -> Option<&Origin> {
    origins.get(origins.partition_point(|origin| origin.faces.end <= face))
}
