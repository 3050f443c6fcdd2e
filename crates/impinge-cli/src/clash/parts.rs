//! The parts of a scene: what they are called, where they come from, where they stand.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use impinge::bounds::Aabb;
use impinge::clash::tiles::Outline;
use impinge::math::DAffine3;
use impinge::{Mesh, Model, Placed, Placement};
use impinge_formats::{
    Animation, Deformation, Instance, Limits, Note, NoteKind, Properties, Scene, SceneMesh,
};
use impinge_report::Failure;
use impinge_report::terminal::Error;
use impinge_report::text::counted;
use rayon::prelude::*;

use super::contents::{AboutFiles, Contents};
use super::foreign::{ForeignReader, ForeignScene};
use super::split::models;
use crate::placement;

/// Open parts that a note names; of more it tells how many.
const MOST_NAMED: usize = 3;

/// All parts of all files.
#[derive(Default)]
pub(super) struct Parts {
    /// The models; none where they are stored elsewhere.
    pub(super) models: Vec<Arc<Model>>,
    /// Models that are stored elsewhere.
    pub(super) stored: Vec<StoredModel>,
    /// Models by the hash of their geometry: those with the same numbers are one.
    known: HashMap<u64, Vec<usize>>,
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
    pub(super) file_bytes: usize,
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
    /// The box around it in the world.
    pub(super) bounds: Aabb,
    /// How far a point of it may be off in the world, because of how its numbers are stored.
    pub(super) rounding: f64,
    /// The file, by its number.
    pub(super) file: usize,
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

/// A model that is stored elsewhere.
#[derive(Clone, Copy, Debug)]
pub struct StoredModel {
    /// Whether its surface is closed; see [`Model::is_closed`].
    pub closed: bool,
    /// The hash of its geometry; see [`Model::geometry_hash`].
    pub hash: u64,
    /// The number of its faces.
    pub faces: u64,
}

/// A part that could not be placed.
pub(super) struct Unplaced {
    pub(super) called: Called,
    /// A note that names it and says why.
    pub(super) note: String,
}

/// The models that a mesh became.
struct Pieces {
    models: Vec<usize>,
    names: Vec<String>,
    deformation: Option<usize>,
    rounding: f64,
}

impl Parts {
    /// Reads all files; each mesh node, or each file, is a part. With `split`, each connected component or group of a mesh. The reader is asked for files that
    /// it says to read.
    pub(super) fn read(
        files: &[PathBuf],
        split: bool,
        limits: Limits,
        reader: Option<&dyn ForeignReader>,
    ) -> Result<Parts, Error> {
        // One after the other: such readers have threads of their own.
        let foreign = |file: &PathBuf| Contents::read_foreign(file, reader);
        let foreign: Vec<Option<ForeignScene>> = files.iter().map(foreign).collect::<Result<_, _>>()?;
        let read = |(file, foreign): (&PathBuf, Option<ForeignScene>)| match foreign {
            Some(scene) => Ok(Contents::Foreign(scene)),
            None => Contents::read(file, limits),
        };
        let scenes: Result<Vec<Contents>, _> = files.par_iter().zip(foreign).map(read).collect();
        let mut parts = Parts::default();
        let mut about = AboutFiles::default();
        let shown = shown(files);
        for ((file, shown), contents) in files.iter().zip(&shown).zip(scenes?) {
            about.add(&contents, parts.list.len());
            parts.add_contents(file, shown, contents, split);
        }
        parts.complete(&about, files, &shown)?;
        Ok(parts)
    }

    /// What only all files together tell: the unit, how far parts of different files may be off, what differs in size.
    pub(super) fn complete(
        &mut self,
        about: &AboutFiles,
        files: &[PathBuf],
        shown: &[String],
    ) -> Result<(), Error> {
        if self.list.is_empty() {
            let file = files.first().cloned().unwrap_or_default();
            let reason = match self.unplaced.last() {
                Some(unplaced) => format!("no part that can be placed; {}", unplaced.note),
                None => "no part with a face in it".to_owned(),
            };
            return Err(Error::file(file, reason));
        }
        self.unit = about.unit();
        let added = about.added_rounding();
        let ends = added.iter().skip(1).map(|(first, _)| *first).chain([self.list.len()]);
        for (&(first, rounding), end) in added.iter().zip(ends) {
            self.list[first..end].iter_mut().for_each(|part| part.rounding += rounding);
        }
        self.note_sizes(shown);
        Ok(())
    }

    /// Counts files of formats that are not read, and names them.
    pub(super) fn leave_out_files(&mut self, files: &[PathBuf]) {
        self.unread += files.len();
        for name in shown(files) {
            self.notes.push(format!("{name} is left out: its format is not read"));
        }
    }

    /// Adds the parts of a file.
    pub(super) fn add_contents(&mut self, file: &Path, shown: &str, contents: Contents, split: bool) {
        self.z_up |= contents.z_up();
        match contents {
            Contents::Scene(scene) => self.add(file, shown, *scene, split),
            Contents::Foreign(scene) => self.add_foreign(shown, scene, split),
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
                let model = pieces.models[offset];
                let in_range = |placement: Placement| {
                    let placed = self.models[model].at(placement);
                    placement::check_range(&placed).map(|()| (placement, placed.bounds()))
                };
                match placement.clone().and_then(in_range) {
                    Ok((placement, bounds)) => self.list.push(Part {
                        called,
                        names: if is_whole { names.clone() } else { format!("{names}/{component}") },
                        body,
                        model,
                        placement,
                        bounds,
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

    fn add_foreign(&mut self, shown: &str, scene: ForeignScene, split: bool) {
        self.unread += scene.left_out.len();
        self.notes.extend(scene.left_out.iter().map(|note| format!("{shown}: {note}")));
        let file = self.animations.len();
        self.animations.push(Vec::new());
        for (path, part) in scene.parts {
            let body = self.list.last().map_or(0, |part| part.body + 1);
            let properties = Arc::new(part.properties);
            let pieces = if split { models(part.model.mesh().clone(), true) } else { Vec::new() };
            let whole = (String::new(), Arc::clone(&part.model));
            let pieces = match pieces.len() {
                0 | 1 => vec![whole],
                _ => pieces.into_iter().map(|(name, model)| (name, Arc::new(model))).collect(),
            };
            for (component, model) in pieces {
                let names = if component.is_empty() { path.clone() } else { format!("{path}/{component}") };
                let called = Called {
                    name: names.rsplit('/').next().unwrap_or(&names).to_owned(),
                    path: format!("{shown}/{names}"),
                    file_bytes: shown.len(),
                };
                if let Err(reason) = placement::check_range(&model.at(part.placement)) {
                    let note = format!("{shown}: part {} is left out: {reason}", called.name);
                    self.unplaced.push(Unplaced { called, note });
                    continue;
                }
                let properties = Arc::clone(&properties);
                self.push_part(called, names, model, (part.placement, part.rounding), properties);
                if let Some(part) = self.list.last_mut() {
                    (part.file, part.body) = (file, body);
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
            let names = models.iter().map(|(name, _)| name.clone()).collect();
            let is_rigid = deformation.is_none();
            let add =
                |(_, model)| if is_rigid { self.share(Arc::new(model)) } else { self.keep(Arc::new(model)) };
            let models = models.into_iter().map(add).collect();
            let deformation = deformation.map(|deformation| {
                self.deformations.push(deformation);
                self.deformations.len() - 1
            });
            all.push(Pieces { models, names, deformation, rounding });
        }
        all
    }

    /// Adds a part that no file has. Of a path it is called by the last piece.
    pub(super) fn push(&mut self, name: &str, part: ScenePart) -> Result<(), String> {
        placement::check_range(&part.model.at(part.placement))?;
        let called = Called {
            name: name.rsplit('/').next().unwrap_or(name).to_owned(),
            path: name.to_owned(),
            file_bytes: 0,
        };
        let place = (part.placement, part.rounding);
        self.push_part(called, name.to_owned(), part.model, place, Arc::new(part.properties));
        Ok(())
    }

    /// Adds a part that is a body of its own; parts that share a model share it here, too.
    fn push_part(
        &mut self,
        called: Called,
        names: String,
        model: Arc<Model>,
        (placement, rounding): (Placement, f64),
        properties: Arc<Properties>,
    ) {
        let bounds = model.at(placement).bounds();
        let model = self.share(model);
        self.list.push(Part {
            called,
            names,
            body: self.list.last().map_or(0, |part| part.body + 1),
            model,
            placement,
            bounds,
            rounding,
            file: 0,
            node: None,
            node_from_copy: None,
            deformation: None,
            properties,
        });
    }

    /// The number of a model, or of one with the same numbers.
    fn share(&mut self, model: Arc<Model>) -> usize {
        let hash = model.geometry_hash();
        let is_same = |number: &&usize| {
            Arc::ptr_eq(&self.models[**number], &model)
                || is_same_mesh(self.models[**number].mesh(), model.mesh())
        };
        if let Some(number) = self.known.get(&hash).and_then(|numbers| numbers.iter().find(is_same)) {
            return *number;
        }
        self.known.entry(hash).or_default().push(self.models.len());
        self.keep(model)
    }

    /// The number of a model of its own.
    fn keep(&mut self, model: Arc<Model>) -> usize {
        self.models.push(model);
        self.models.len() - 1
    }

    /// All parts where they stand; none where the models are stored elsewhere.
    pub(super) fn placed(&self) -> Vec<Placed<'_>> {
        let placed = |part: &Part| Some(self.models.get(part.model)?.at(part.placement));
        self.list.iter().filter_map(placed).collect()
    }

    /// All parts without their meshes.
    pub(super) fn outlines(&self) -> Vec<Outline> {
        let faces = |model: usize| match self.models.get(model) {
            Some(model) => model.mesh().face_count() as u64,
            None => self.stored[model].faces,
        };
        let outline = |part: &Part| Outline {
            bounds: part.bounds,
            placement: part.placement,
            model: part.model as u64,
            faces: faces(part.model),
        };
        self.list.iter().map(outline).collect()
    }

    /// Whether the surface of a part is closed, so that it has an inside.
    pub(super) fn is_closed(&self, part: &Part) -> bool {
        match self.models.get(part.model) {
            Some(model) => model.is_closed(),
            None => self.stored[part.model].closed,
        }
    }

    /// The hash of the geometry of a part.
    pub(super) fn geometry_hash(&self, part: &Part) -> u64 {
        match self.models.get(part.model) {
            Some(model) => model.geometry_hash(),
            None => self.stored[part.model].hash,
        }
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

    /// Pairs that nobody could test.
    pub(super) fn note_of_failure(&self, failure: &Failure) -> String {
        let name = |part: usize| self.list[part].called.name.as_str();
        let named =
            failure.pairs.iter().take(MOST_NAMED).map(|&[a, b]| format!("{} and {}", name(a), name(b)));
        let named: Vec<String> = named.collect();
        let more = failure.pairs.len() - named.len();
        let more = if more == 0 { String::new() } else { format!(", and {more} more") };
        let count = counted(failure.pairs.len(), "pair", "pairs");
        format!("{count} not tested: {}: {}{more}", failure.reason, named.join("; "))
    }

    /// Files that differ in size by about a thousand are often in different units.
    fn note_sizes(&mut self, files: &[String]) {
        let mut largest = vec![0.0_f64; files.len()];
        for part in &self.list {
            let size = part.bounds.size().max_element();
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

/// Whether two meshes have the same numbers in the same order, bit for bit.
fn is_same_mesh(one: &Mesh, other: &Mesh) -> bool {
    let bits = |mesh: &Mesh, vertex: u32| mesh.vertex(vertex).to_array().map(f64::to_bits);
    let has_same_face =
        |face: u32| one.label(face) == other.label(face) && one.corners(face).eq(other.corners(face));
    one.vertex_count() == other.vertex_count()
        && one.face_count() == other.face_count()
        && (0..one.vertex_count() as u32).all(|vertex| bits(one, vertex) == bits(other, vertex))
        && (0..one.face_count() as u32).all(has_same_face)
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
