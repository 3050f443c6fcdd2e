//! Where files beside another are looked for.

use std::path::Path;

use crate::error::Fault;

/// Files by their names, as archives have them.
pub(crate) trait Files {
    /// Whether there is a file of this name.
    fn has(&self, name: &str) -> bool;

    /// The bytes of a file.
    fn read(&self, name: &str) -> Result<Vec<u8>, Fault>;
}

/// Where files beside the one that is read are looked for.
#[derive(Clone, Copy)]
pub(crate) enum Beside<'a> {
    /// Nowhere: only bytes were given.
    Nothing,
    /// In a folder of the machine.
    Folder(&'a Path),
    /// In an archive, in the folder of an entry.
    Archive {
        /// The archive.
        files: &'a dyn Files,
        /// The folder in it.
        folder: &'a str,
    },
}
