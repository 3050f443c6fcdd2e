//! The parts of a scene: what they are called, where they come from, where they stand.

use std::path::{Path, PathBuf};

use impinge::math::DAffine3;
use impinge::mesh::Group;
use impinge::{Mesh, Model, Placed, Placement};
use impinge_formats::{Animation, Deformation, Format, Instance, Limits, Scene, SceneMesh, read_with};
use impinge_report::terminal::Error;
use rayon::prelude::*;

use crate::placement;

/// All parts of all files.
pub(super) struct Parts {
    pub(super) models: Vec<Model>,
    pub(super) list: Vec<Part>,
    /// Of each file.
    pub(super) animations: Vec<Vec<Animation>>,
    pub(super) deformations: Vec<Deformation>,
    /// What the readers remarked, and what looks odd.
    pub(super) notes: Vec<String>,
    /// Files that were read beside those that were named.
    pub(super) files: Vec<PathBuf>,
    /// Parts that could not be placed; a note names each.
    left_out: usize,
    /// Whether all lengths are in meters, because all files say so.
    pub(super) in_meters: bool,
}

/// A part: a model that stands somewhere.
pub(super) struct Part {
    pub(super) name: String,
    /// The file, and what leads to the part in it.
    pub(super) path: String,
    /// What leads to the part in its file, without the file.
    pub(super) names: String,
    /// Parts of one body: primitives of one node or of one of its copies, components of one mesh.
    pub(super) body: usize,
    pub(super) model: usize,
    pub(super) placement: Placement,
    /// The file and its node.
    pub(super) node: Option<[usize; 2]>,
    /// Where it stands in its node, where it is one of many copies there.
    pub(super) node_from_copy: Option<DAffine3>,
    /// How animations change its shape, as an index into [`Parts::deformations`].
    pub(super) deformation: Option<usize>,
}

impl Parts {
    /// Reads all files; each mesh node, or each file, is a part. With `split`, each connected component or group of a mesh.
    pub(super) fn read(files: &[PathBuf], split: bool, limits: Limits) -> Result<Parts, Error> {
        let scenes: Result<Vec<Scene>, _> = files.par_iter().map(|file| read_with(file, limits)).collect();
        let mut parts = Parts {
            models: Vec::new(),
            list: Vec::new(),
            animations: Vec::new(),
            deformations: Vec::new(),
            notes: Vec::new(),
            files: Vec::new(),
            left_out: 0,
            in_meters: true,
        };
        for (file, scene) in files.iter().zip(scenes?) {
            parts.in_meters &= matches!(scene.format, Format::Gltf | Format::Glb);
            parts.add(file, scene, split);
        }
        if parts.list.is_empty() {
            let file = files.first().cloned().unwrap_or_default();
            let reason = match parts.notes.last().filter(|_| parts.left_out > 0) {
                Some(note) => format!("no part that can be placed; {note}"),
                None => "no part with a face in it".to_owned(),
            };
            return Err(Error::file(file, reason));
        }
        parts.note_sizes(files);
        Ok(parts)
    }

    /// A part that cannot be placed is named, and the others are looked at.
    fn leave_out(&mut self, file: &str, node: &str, reason: &str) {
        self.left_out += 1;
        self.notes.push(format!("{file}: part {node} is left out: {reason}"));
    }

    fn add(&mut self, file: &Path, scene: Scene, split: bool) {
        let shown = file.display().to_string();
        let stem = file.file_stem().map_or_else(|| shown.clone(), |stem| stem.to_string_lossy().into_owned());
        self.files.extend(scene.files);
        self.notes.extend(scene.notes.iter().map(|note| format!("{shown}: {note}")));
        let mut models_of = Vec::with_capacity(scene.meshes.len());
        // What changes its shape does so as a whole.
        let prepare =
            |mesh: SceneMesh| (models(mesh.mesh, split && mesh.deformation.is_none()), mesh.deformation);
        let prepared: Vec<_> = scene.meshes.into_par_iter().map(prepare).collect();
        for (models, deformation) in prepared {
            let first = self.models.len();
            let names: Vec<String> = models.iter().map(|(name, _)| name.clone()).collect();
            self.models.extend(models.into_iter().map(|(_, model)| model));
            let deformation = deformation.map(|deformation| {
                self.deformations.push(deformation);
                self.deformations.len() - 1
            });
            models_of.push((first, names, deformation));
        }
        let file_number = self.animations.len();
        self.animations.push(scene.animations);
        let mut body = self.list.last().map_or(0, |part| part.body + 1);
        let mut before: Option<&Instance> = None;
        for instance in &scene.nodes {
            // Primitives of one node, or of one of its copies, follow each other and are one body.
            let is_same = |other: &Instance| {
                instance.node.is_some() && (other.node, other.copy) == (instance.node, instance.copy)
            };
            body += usize::from(before.replace(instance).is_some_and(|before| !is_same(before)));
            let node = if instance.name.is_empty() { stem.clone() } else { instance.name.clone() };
            let path = if instance.node.is_some() { format!("{shown}/{node}") } else { shown.clone() };
            let placement = match Placement::try_from(instance.world_from_mesh) {
                Ok(placement) => placement,
                Err(error) => {
                    self.leave_out(&shown, &node, &error.to_string());
                    continue;
                }
            };
            let (first, names, deformation) = &models_of[instance.mesh];
            for (offset, component) in names.iter().enumerate() {
                let model = first + offset;
                if let Err(reason) = placement::check_range(&self.models[model].at(placement)) {
                    self.leave_out(&shown, &node, &reason);
                    continue;
                }
                let is_whole = component.is_empty();
                self.list.push(Part {
                    name: if is_whole { node.clone() } else { component.clone() },
                    path: if is_whole { path.clone() } else { format!("{path}/{component}") },
                    names: if is_whole { node.clone() } else { format!("{node}/{component}") },
                    body,
                    model,
                    placement,
                    node: instance.node.map(|node| [file_number, node]),
                    node_from_copy: instance.copy.map(|_| instance.node_from_mesh),
                    deformation: *deformation,
                });
            }
        }
    }

    pub(super) fn placed(&self, part: &Part) -> Placed<'_> {
        self.models[part.model].at(part.placement)
    }

    /// The largest coordinate of any part, by size.
    pub(super) fn largest_coordinate(&self) -> f64 {
        let of_part = |part: &Part| {
            let bounds = self.placed(part).bounds();
            bounds.min.abs().max(bounds.max.abs()).max_element()
        };
        self.list.iter().map(of_part).fold(0.0, f64::max)
    }

    /// Files that differ in size by about a thousand are often in different units.
    fn note_sizes(&mut self, files: &[PathBuf]) {
        let mut sizes: Vec<(f64, String)> = Vec::new();
        for file in files {
            let shown = file.display().to_string();
            let of_file = self.list.iter().filter(|part| part.path.starts_with(&shown));
            let size =
                of_file.map(|part| self.placed(part).bounds().size().max_element()).fold(0.0, f64::max);
            if size > 0.0 {
                sizes.push((size, shown));
            }
        }
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

/// The models of a mesh and what they are called: one without a name, or one for each group, or component of a mesh without groups.
fn models(mesh: Mesh, split: bool) -> Vec<(String, Model)> {
    let model = Model::new(mesh);
    if !split {
        return vec![(String::new(), model)];
    }
    let groups = model.mesh().groups();
    let parts: Vec<(String, Vec<u32>)> = if groups.is_empty() {
        (0..model.part_count() as u32)
            .map(|part| (format!("component {part}"), model.part_faces(part).to_vec()))
            .collect()
    } else {
        faces_of_groups(groups, model.mesh().face_count() as u32)
    };
    if parts.len() < 2 {
        return vec![(String::new(), model)];
    }
    let piece = |(name, faces): (String, Vec<u32>)| Some((name, Model::new(extract(model.mesh(), &faces)?)));
    parts.into_iter().filter_map(piece).collect()
}

fn faces_of_groups(groups: &[Group], faces: u32) -> Vec<(String, Vec<u32>)> {
    let mut parts: Vec<(String, Vec<u32>)> = Vec::new();
    let ends = groups.iter().skip(1).map(|group| group.first_face).chain([faces]);
    if groups[0].first_face > 0 {
        parts.push(("no group".to_owned(), (0..groups[0].first_face).collect()));
    }
    for (number, (group, end)) in groups.iter().zip(ends).enumerate() {
        let name = if group.name.is_empty() { format!("group {number}") } else { group.name.clone() };
        // A group may come back later in a file.
        match parts.iter_mut().find(|(known, _)| *known == name) {
            Some((_, list)) => list.extend(group.first_face..end),
            None => parts.push((name, (group.first_face..end).collect())),
        }
    }
    parts.retain(|(_, faces)| !faces.is_empty());
    parts
}

/// Some faces of a mesh, as a mesh whose faces are known by their numbers in the whole.
fn extract(mesh: &Mesh, faces: &[u32]) -> Option<Mesh> {
    let mut renamed = vec![u32::MAX; mesh.vertex_count()];
    let mut vertices = Vec::new();
    let mut polygons: Vec<Vec<u32>> = Vec::with_capacity(faces.len());
    for face in faces {
        let corners = mesh.corners(*face).map(|vertex| {
            let name = &mut renamed[vertex as usize];
            if *name == u32::MAX {
                *name = vertices.len() as u32;
                vertices.push(mesh.vertex(vertex));
            }
            *name
        });
        polygons.push(corners.collect());
    }
    let labels = faces.iter().map(|face| mesh.label(*face)).collect();
    Mesh::polygons(vertices, polygons).and_then(|mesh| mesh.with_labels(labels)).ok()
}
