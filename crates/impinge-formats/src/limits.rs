//! What a file may ask for beyond its own bytes.

/// Memory that a face takes once its model is prepared, its corners and its share of trees and edges included: measured.
pub(crate) const BYTES_PER_FACE: u64 = 176;
/// Memory that a vertex takes.
pub(crate) const BYTES_PER_VERTEX: u64 = 24;
/// Memory for each byte of a file that is never too much: real files stay far below.
const BYTES_PER_FILE_BYTE: u64 = 64;
/// Memory for each byte of a glTF file whose accessors are shared among primitives, and which is still believed.
const SHARED_BYTES_PER_FILE_BYTE: u64 = 512;
/// The share of [`Limits::memory`] that sharing accessors may take in any file.
const SHARE_FOR_SHARING: u64 = 32;

/// What a file may ask for beyond its own bytes. A small file can describe a scene without bound, by instances and by accessors
/// that share bytes, and it can name any file of the machine.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Limits {
    /// Bytes that the models of all instances together may take where they are brought into one mesh, as
    /// [`read_mesh`](crate::read_mesh) does. [`read`](crate::read) has each mesh once. What a file's own size explains is always
    /// allowed. What gzip and ZIP files unpack to may take a quarter of it. 2 GiB by default.
    pub memory: u64,
    /// Whether buffers of a glTF file may lie outside of its folder. Not so by default.
    pub outside_folder: bool,
}

impl Default for Limits {
    fn default() -> Limits {
        Limits { memory: 2 << 30, outside_folder: false }
    }
}

impl Limits {
    /// Sets the limit of memory, in bytes.
    #[must_use]
    pub const fn with_memory(self, memory: u64) -> Limits {
        Limits { memory, ..self }
    }

    /// Allows or refuses buffers outside of the folder of a glTF file.
    #[must_use]
    pub const fn with_outside_folder(self, outside_folder: bool) -> Limits {
        Limits { outside_folder, ..self }
    }

    /// What one mesh of all instances may take.
    pub(crate) fn flattened(self, file_bytes: u64) -> u64 {
        self.memory.max(file_bytes.saturating_mul(BYTES_PER_FILE_BYTE))
    }

    /// What files within a file may unpack to: a quarter of the memory, since meshes take more than their files.
    pub(crate) fn unpacked(self, file_bytes: u64) -> u64 {
        (self.memory / 4).max(file_bytes.saturating_mul(BYTES_PER_FILE_BYTE))
    }

    /// What the meshes of a glTF file may take.
    pub(crate) fn shared(self, file_bytes: u64) -> u64 {
        let explained = file_bytes.saturating_mul(SHARED_BYTES_PER_FILE_BYTE);
        explained.saturating_add(self.memory / SHARE_FOR_SHARING)
    }
}
