//! The parts of a scene: what they are called, where they come from, where they stand.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use impinge::math::DAffine3;
use impinge::{Model, Placed, Placement};
use impinge_formats::{
    Animation, Deformation, Instance, Limits, Note, NoteKind, Properties, Scene, SceneMesh, read_with,
};
use impinge_report::terminal::Error;
use impinge_report::text::counted;
use rayon::prelude::*;

use super::split::models;
use crate::placement;

/// Open parts that a note names; of more it tells how many.
const MOST_NAMED: usize = 3;

/// All parts of all files.
#[derive(Default)]
pub(super) struct Parts {
    pub(super) models: Vec<Arc<Model>>,
    /// The models of parts that no file has, by where they are in memory.
    known: HashMap<usize, usize>,
    pub(super) list: Vec<Part>,
    /// Of each file.
    pub(super) animations: Vec<Vec<Animation>>,
    pub(super) deformations: Vec<Deformation>,
    /// What the readers remarked, and what looks odd.
    pub(super) notes: Vec<String>,
    /// Files that were read beside those that were named.
    pub(super) files: Vec<PathBuf>,
    /// Parts that could not be placed.
    pub(super) unplaced: Vec<Unplaced>,
    /// Things with faces that readers left out; their notes tell.
    pub(super) unread: usize,
    /// What a length of 1 is called in all files, where they say so.
    pub(super) unit: Option<String>,
    /// Whether the third axis points up in some file.
    pub(super) z_up: bool,
}

/// What a part is called.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Called {
    /// The last piece of the path.
    pub(super) name: String,
    /// The file without its folders, and what leads to the part in it.
    pub(super) path: String,
    /// How many bytes of the path are the file's.
    file_bytes: usize,
}

impl Called {
    /// What leads to the part in its file; empty where the file is one part.
    pub(super) fn path_in_file(&self) -> &str {
        self.path.get(self.file_bytes..).map_or("", |rest| rest.strip_prefix('/').unwrap_or(rest))
    }
}

/// A part: a model that stands somewhere.
pub(super) struct Part {
    pub(super) called: Called,
    /// What leads to the part in its file, without the file, and without a number that tells it from others of the same name.
    pub(super) names: String,
    /// Parts of one body: components of the mesh of one node or of one of its copies.
    pub(super) body: usize,
    pub(super) model: usize,
    pub(super) placement: Placement,
    /// How far a point of it may be off in the world, because of how its numbers are stored.
    pub(super) rounding: f64,
    /// The file, by its number.
    file: usize,
    /// The node of the file.
    pub(super) node: Option<usize>,
    /// Where it stands in its node, where it is one of many copies there.
    pub(super) node_from_copy: Option<DAffine3>,
    /// How animations change its shape, as an index into [`Parts::deformations`].
    pub(super) deformation: Option<usize>,
    /// Its class and properties, as the file has them.
    pub(super) properties: Arc<Properties>,
}

impl Part {
    /// The file and its node.
    pub(super) fn node_of_file(&self) -> Option<[usize; 2]> {
        self.node.map(|node| [self.file, node])
    }
}

/// A part of a scene in memory.
pub struct ScenePart {
    /// The model, which other parts may have, too.
    pub model: Arc<Model>,
    /// Where it stands.
    pub placement: Placement,
    /// How far a point of it may be off in the world, because of how its numbers were stored.
    pub rounding: f64,
    /// Its class and properties, for rules.
    pub properties: Properties,
}

/// A part that could not be placed.
pub(super) struct Unplaced {
    pub(super) called: Called,
    /// A note that names it and says why.
    pub(super) note: String,
}

/// The models that a mesh became.
struct Pieces {
    first: usize,
    names: Vec<String>,
    deformation: Option<usize>,
    rounding: f64,
}

impl Parts {
    /// Reads all files; each mesh node, or each file, is a part. With `split`, each connected component or group of a mesh.
    pub(super) fn read(files: &[PathBuf], split: bool, limits: Limits) -> Result<Parts, Error> {
        let scenes: Result<Vec<Scene>, _> = files.par_iter().map(|file| read_with(file, limits)).collect();
        let mut parts = Parts::default();
        let shown = shown(files);
        let scenes = scenes?;
        let unit = scenes.first().and_then(|scene| scene.unit.clone());
        parts.unit = unit.filter(|unit| scenes.iter().all(|scene| scene.unit.as_ref() == Some(unit)));
        // What carries all of a file moves it as a whole: among files that differ in that, it counts.
        let is_common = scenes.windows(2).all(|pair| pair[0].common.0 == pair[1].common.0);
        for ((file, shown), scene) in files.iter().zip(&shown).zip(scenes) {
            parts.z_up |= scene.z_up;
            let first = parts.list.len();
            let rounding = if is_common { 0.0 } else { scene.common.1 };
            parts.add(file, shown, scene, split);
            parts.list[first..].iter_mut().for_each(|part| part.rounding += rounding);
        }
        if parts.list.is_empty() {
            let file = files.first().cloned().unwrap_or_default();
            let reason = match parts.unplaced.last() {
                Some(unplaced) => format!("no part that can be placed; {}", unplaced.note),
                None => "no part with a face in it".to_owned(),
            };
            return Err(Error::file(file, reason));
        }
        parts.note_sizes(&shown);
        Ok(parts)
    }

    /// Counts files of formats that are not read, and names them.
    pub(super) fn leave_out_files(&mut self, files: &[PathBuf]) {
        self.unread += files.len();
        for name in shown(files) {
            self.notes.push(format!("{name} is left out: its format is not read"));
        }
    }

    fn add(&mut self, file: &Path, shown: &str, scene: Scene, split: bool) {
        let stem =
            file.file_stem().map_or_else(|| shown.to_owned(), |stem| stem.to_string_lossy().into_owned());
        self.files.extend(scene.files);
        let all_notes = scene.notes.iter().chain(scene.meshes.iter().flat_map(|mesh| &mesh.notes));
        self.unread += all_notes.map(Note::left_out_count).sum::<usize>();
        self.notes.extend(scene.notes.iter().map(|note| format!("{shown}: {note}")));
        let of_meshes = scene.meshes.iter().flat_map(|mesh| &mesh.notes);
        let left_out = of_meshes.clone().filter(|note| note.left_out_count() > 0);
        self.notes.extend(left_out.map(|note| format!("{shown}: {note}")));
        self.notes.extend(welding(of_meshes).map(|note| format!("{shown}: {note}")));
        let meshes = self.add_meshes(scene.meshes, split);
        let file_number = self.animations.len();
        self.animations.push(scene.animations);
        let mut body = self.list.last().map_or(0, |part| part.body + 1);
        let mut before: Option<&Instance> = None;
        for instance in &scene.nodes {
            // Meshes of one node, or of one of its copies, follow each other and are one body.
            let is_same = |other: &Instance| {
                instance.node.is_some() && (other.node, other.copy) == (instance.node, instance.copy)
            };
            body += usize::from(before.replace(instance).is_some_and(|before| !is_same(before)));
            let (node, names, path) = if instance.path.is_empty() {
                (stem.clone(), stem.clone(), shown.to_owned())
            } else {
                let path = format!("{shown}/{}", instance.path);
                (instance.name.clone(), instance.shared_path().to_owned(), path)
            };
            let pieces = &meshes[instance.mesh];
            let placement = Placement::try_from(instance.world_from_mesh).map_err(|error| error.to_string());
            for (offset, component) in pieces.names.iter().enumerate() {
                let is_whole = component.is_empty();
                let called = Called {
                    name: if is_whole { node.clone() } else { component.clone() },
                    path: if is_whole { path.clone() } else { format!("{path}/{component}") },
                    file_bytes: shown.len(),
                };
                let model = pieces.first + offset;
                let in_range = |placement: Placement| {
                    placement::check_range(&self.models[model].at(placement)).map(|()| placement)
                };
                match placement.clone().and_then(in_range) {
                    Ok(placement) => self.list.push(Part {
                        called,
                        names: if is_whole { names.clone() } else { format!("{names}/{component}") },
                        body,
                        model,
                        placement,
                        rounding: pieces.rounding * placement.stretch() + instance.rounding,
                        file: file_number,
                        node: instance.node,
                        node_from_copy: instance.copy.map(|_| instance.node_from_mesh),
                        deformation: pieces.deformation,
                        properties: Arc::clone(&instance.properties),
                    }),
                    Err(reason) => {
                        let note = format!("{shown}: part {node} is left out: {reason}");
                        self.unplaced.push(Unplaced { called, note });
                        // What has no place has none in any of its pieces.
                        if placement.is_err() {
                            break;
                        }
                    }
                }
            }
        }
    }

    fn add_meshes(&mut self, meshes: Vec<SceneMesh>, split: bool) -> Vec<Pieces> {
        // What changes its shape does so as a whole.
        let prepare = |mesh: SceneMesh| {
            let rounding = mesh.rounding;
            (models(mesh.mesh, split && mesh.deformation.is_none()), mesh.deformation, rounding)
        };
        let prepared: Vec<_> = meshes.into_par_iter().map(prepare).collect();
        let mut all = Vec::with_capacity(prepared.len());
        for (models, deformation, rounding) in prepared {
            let first = self.models.len();
            let names = models.iter().map(|(name, _)| name.clone()).collect();
            self.models.extend(models.into_iter().map(|(_, model)| Arc::new(model)));
            let deformation = deformation.map(|deformation| {
                self.deformations.push(deformation);
                self.deformations.len() - 1
            });
            all.push(Pieces { first, names, deformation, rounding });
        }
        all
    }

    /// Adds a part that no file has. Of a path it is called by the last piece.
    pub(super) fn push(&mut self, name: &str, part: ScenePart) -> Result<(), String> {
        placement::check_range(&part.model.at(part.placement))?;
        let model = *self.known.entry(Arc::as_ptr(&part.model) as usize).or_insert(self.models.len());
        if model == self.models.len() {
            self.models.push(part.model);
        }
        self.list.push(Part {
            called: Called {
                name: name.rsplit('/').next().unwrap_or(name).to_owned(),
                path: name.to_owned(),
                file_bytes: 0,
            },
            names: name.to_owned(),
            body: self.list.len(),
            model,
            placement: part.placement,
            rounding: part.rounding,
            file: 0,
            node: None,
            node_from_copy: None,
            deformation: None,
            properties: Arc::new(part.properties),
        });
        Ok(())
    }

    pub(super) fn placed(&self, part: &Part) -> Placed<'_> {
        self.models[part.model].at(part.placement)
    }

    /// Whether the surface of a part is closed, so that it has an inside.
    pub(super) fn is_closed(&self, part: &Part) -> bool {
        self.models[part.model].is_closed()
    }

    /// A line about the parts that have no inside.
    pub(super) fn note_of_open(&self) -> Option<String> {
        // Which edges faces share takes a while to find out, once for each model.
        self.models.par_iter().for_each(|model| {
            model.is_closed();
        });
        let open: Vec<&str> = self
            .list
            .iter()
            .filter(|part| !self.is_closed(part))
            .map(|part| part.called.name.as_str())
            .collect();
        let (named, more) = open.split_at(open.len().min(MOST_NAMED));
        let all = counted(self.list.len(), "part", "parts");
        let are = if open.len() == 1 { "is" } else { "are" };
        let more = if more.is_empty() { String::new() } else { format!(" and {} more", more.len()) };
        (!open.is_empty()).then(|| format!("{} of {all} {are} open: {}{more}", open.len(), named.join(", ")))
    }

    /// Pairs of which one part may be inside of the other, which is open.
    pub(super) fn note_of_unknown(&self, pairs: &[[usize; 2]]) -> Option<String> {
        let name = |part: usize| self.list[part].called.name.as_str();
        let named: Vec<String> =
            pairs.iter().take(MOST_NAMED).map(|&[a, b]| format!("{} and {}", name(a), name(b))).collect();
        let more = pairs.len() - named.len();
        let more = if more == 0 { String::new() } else { format!(", and {more} more") };
        let count = counted(pairs.len(), "pair", "pairs");
        let text = format!(
            "{count} unknown, one part may be inside of the other, which is open: {}{more}",
            named.join("; ")
        );
        (!pairs.is_empty()).then_some(text)
    }

    /// Files that differ in size by about a thousand are often in different units.
    fn note_sizes(&mut self, files: &[String]) {
        let mut largest = vec![0.0_f64; files.len()];
        for part in &self.list {
            let size = self.placed(part).bounds().size().max_element();
            largest[part.file] = largest[part.file].max(size);
        }
        let mut sizes: Vec<(f64, &String)> =
            largest.into_iter().zip(files).filter(|(size, _)| *size > 0.0).collect();
        sizes.sort_by(|a, b| a.0.total_cmp(&b.0));
        if let ([(small, smaller), ..], [.., (large, larger)]) = (sizes.as_slice(), sizes.as_slice())
            && large / small >= 300.0
        {
            let factor = large / small;
            self.notes.push(format!(
                "the parts of {larger} are {factor:.0} times as large as those of {smaller}: millimeters against meters?"
            ));
        }
    }
}

/// One line about all meshes that were welded.
fn welding<'a>(notes: impl Iterator<Item = &'a Note>) -> Option<String> {
    let (mut meshes, mut closed, mut all, mut widest) = (0, 0, 0, 0.0_f64);
    for note in notes {
        if let NoteKind::Welded { vertices, within, open_edges } = note.kind {
            meshes += 1;
            closed += usize::from(open_edges == 0);
            all += vertices;
            widest = widest.max(within);
        }
    }
    let vertices = counted(all, "vertex", "vertices");
    let of = counted(meshes, "mesh", "meshes");
    (meshes > 0)
        .then(|| format!("welded {vertices} of {of} within {widest:.1e}; {closed} of them closed now"))
}

/// What files are called in reports: by their names, with as many folders as tell them from others of the same name.
pub(super) fn shown(files: &[PathBuf]) -> Vec<String> {
    let pieces: Vec<Vec<String>> = files
        .iter()
        .map(|file| file.components().map(|piece| piece.as_os_str().to_string_lossy().into_owned()).collect())
        .collect();
    let ending = |file: usize, count: usize| {
        let all = &pieces[file];
        &all[all.len().saturating_sub(count)..]
    };
    let mut by_name: HashMap<Option<&String>, Vec<usize>> = HashMap::new();
    for (file, pieces) in pieces.iter().enumerate() {
        by_name.entry(pieces.last()).or_default().push(file);
    }
    let name = |file: usize| {
        let mut count = 1;
        let is_alone = |count: usize| {
            let same = |other: &usize| {
                pieces[*other] != pieces[file] && ending(*other, count) == ending(file, count)
            };
            !by_name[&pieces[file].last()].iter().any(same)
        };
        while count < pieces[file].len() && !is_alone(count) {
            count += 1;
        }
        let shown = ending(file, count).join("/");
        if shown.is_empty() { files[file].display().to_string() } else { shown }
    };
    (0..files.len()).map(name).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_are_shown_without_the_folders_of_the_machine() {
        let names = |files: &[&str]| shown(&files.iter().map(PathBuf::from).collect::<Vec<_>>());
        assert_eq!(names(&["/x/work/engine.glb"]), ["engine.glb"]);
        assert_eq!(names(&["a/b.obj", "c/d.obj"]), ["b.obj", "d.obj"]);
        assert_eq!(names(&["/x/old/b.obj", "/x/new/b.obj", "z.obj"]), ["old/b.obj", "new/b.obj", "z.obj"]);
        assert_eq!(names(&["/x/old/1/b.obj", "/x/new/1/b.obj"]), ["old/1/b.obj", "new/1/b.obj"]);
        assert_eq!(names(&["b.obj", "x/b.obj"]), ["b.obj", "x/b.obj"]);
        assert_eq!(names(&["x/b.obj", "x/b.obj"]), ["b.obj", "b.obj"]);
        assert_eq!(names(&["."]), ["."]);
    }
}
