//! Scenes on their way into tables: files are read one after the other, and their models leave memory as soon as they are written.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use impinge::Model;
use impinge_formats::Limits;
use impinge_report::terminal::Error;

use super::contents::{AboutFiles, Contents};
use super::folders;
use super::foreign::ForeignReader;
use super::parts::{Part, Parts, ScenePart, StoredModel, shown};
use super::stored::{StoredName, StoredPart};

/// Reads the files of a scene one after the other.
pub struct Packer {
    files: Vec<PathBuf>,
    shown: Vec<String>,
    split: bool,
    limits: Limits,
    next: usize,
    parts: Parts,
    models: usize,
    about: AboutFiles,
    title: String,
}

/// A scene without its models.
pub struct Packed {
    /// The heading of reports.
    pub title: String,
    /// What a length of 1 is called, where all files say so.
    pub unit: Option<String>,
    /// Whether the third axis points up in some file.
    pub z_up: bool,
    /// The parts; models are counted in the order in which they were handed out.
    pub parts: Vec<StoredPart>,
    /// Remarks of readers.
    pub notes: Vec<String>,
    /// The number of things with faces that nobody could read.
    pub left_out: usize,
    /// Parts that could not be placed, with remarks that say why.
    pub unplaced: Vec<(StoredName, String)>,
}

impl Packer {
    /// Looks for the files of scenes, which may be folders. With `split`, each group or connected component of a mesh is a part.
    pub fn new(scenes: &[PathBuf], split: bool, reader: Option<&dyn ForeignReader>) -> Result<Packer, Error> {
        let files = folders::files(scenes, reader)?;
        let mut parts = Parts::default();
        parts.leave_out_files(&files.foreign);
        Ok(Packer {
            shown: shown(&files.list),
            files: files.list,
            split,
            limits: Limits::default(),
            next: 0,
            parts,
            models: 0,
            about: AboutFiles::default(),
            title: super::question::title(&shown(scenes)),
        })
    }

    /// The files.
    pub fn files(&self) -> &[PathBuf] {
        &self.files
    }

    /// Reads the next file, and hands out its models; `None` after the last.
    pub fn read_next(
        &mut self,
        reader: Option<&dyn ForeignReader>,
    ) -> Result<Option<Vec<Arc<Model>>>, Error> {
        let Some(file) = self.files.get(self.next) else { return Ok(None) };
        let contents = Contents::of_file(file, self.limits, reader)?;
        let mut parts = Parts::default();
        self.about.add(&contents, self.parts.list.len());
        parts.add_contents(file, &self.shown[self.next], contents, self.split);
        let body = self.parts.list.last().map_or(0, |part| part.body + 1);
        for part in &mut parts.list {
            part.model += self.models;
            part.body += body;
            part.file = self.next;
        }
        self.next += 1;
        Ok(Some(self.take(parts)))
    }

    /// Adds a part that no file has, and hands out its model.
    pub fn push(&mut self, name: &str, part: ScenePart) -> Result<Arc<Model>, String> {
        let mut parts = Parts::default();
        let model = Arc::clone(&part.model);
        parts.push(name, part)?;
        for part in &mut parts.list {
            part.model = self.models;
            part.body = self.parts.list.last().map_or(0, |last| last.body + 1);
        }
        self.take(parts);
        Ok(model)
    }

    /// Keeps all of the parts but their models.
    fn take(&mut self, mut parts: Parts) -> Vec<Arc<Model>> {
        self.models += parts.models.len();
        self.parts.z_up |= parts.z_up;
        self.parts.unread += parts.unread;
        self.parts.list.append(&mut parts.list);
        self.parts.notes.append(&mut parts.notes);
        self.parts.unplaced.append(&mut parts.unplaced);
        parts.models
    }

    /// The scene, after the last file.
    pub fn finish(mut self) -> Result<Packed, Error> {
        if self.files.is_empty() {
            if self.parts.list.is_empty() {
                return Err(Error::file(Path::new(&self.title), "no part with a face in it".to_owned()));
            }
        } else {
            self.parts.complete(&self.about, &self.files, &self.shown)?;
        }
        let Parts { list, notes, unread, unplaced, unit, z_up, .. } = self.parts;
        let name = |called: super::parts::Called| StoredName {
            name: called.name,
            path: called.path,
            file_bytes: called.file_bytes,
        };
        Ok(Packed {
            title: self.title,
            unit,
            z_up,
            parts: list.into_iter().map(stored).collect(),
            notes,
            left_out: unread,
            unplaced: unplaced.into_iter().map(|part| (name(part.called), part.note)).collect(),
        })
    }
}

fn stored(part: Part) -> StoredPart {
    StoredPart {
        called: StoredName {
            name: part.called.name,
            path: part.called.path,
            file_bytes: part.called.file_bytes,
        },
        names: part.names,
        body: part.body,
        model: part.model,
        placement: part.placement,
        bounds: part.bounds,
        rounding: part.rounding,
        properties: part.properties,
    }
}

impl StoredModel {
    /// What tables keep of a model.
    pub fn of(model: &Model) -> StoredModel {
        StoredModel {
            closed: model.is_closed(),
            hash: model.geometry_hash(),
            faces: model.mesh().face_count() as u64,
        }
    }
}
