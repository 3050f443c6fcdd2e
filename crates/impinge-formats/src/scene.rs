//! What a file holds: meshes and where they stand, or all of it as one mesh.

use std::ops::Range;
use std::path::PathBuf;
use std::sync::Arc;

use impinge::Mesh;
use impinge::animation::{Rig, Track};
use impinge::math::{DAffine3, DVec3};
use impinge::mesh::Group;

use crate::deformation::Deformation;
use crate::error::Fault;
use crate::limits::{BYTES_PER_FACE, BYTES_PER_VERTEX};
use crate::properties::Properties;
use crate::{Format, Note, Place, memory};

/// A file's meshes and every place where one of them stands.
///
/// An OBJ, STL, PLY or OFF file is one mesh with one instance that stands where it is. In a glTF file all primitives of a mesh are one
/// mesh, and each node of the default scene is an instance of it. A glTF mesh of which only some primitives hang on a skin is two.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Scene {
    /// The format that was read.
    pub format: Format,
    /// What a length of 1 is called, where the file or its format says: `m` of glTF.
    pub unit: Option<String>,
    /// Where what carries all instances stands, and how far that may be off, as a length in the world. It moves everything in this file alike, so
    /// that it counts only beside other files: see [`Instance::rounding`].
    pub common: (DAffine3, f64),
    /// Whether the third axis points up, and not the second: as glTF or the file says, or as most files of CAD have it.
    pub z_up: bool,
    /// The meshes, each once however often it is placed.
    pub meshes: Vec<SceneMesh>,
    /// Where the meshes stand, in document order: by node, then by copy.
    pub nodes: Vec<Instance>,
    /// How the nodes move.
    pub animations: Vec<Animation>,
    /// Remarks that belong to no mesh.
    pub notes: Vec<Note>,
    /// The files beside this one that were read: buffers of a glTF file.
    pub files: Vec<PathBuf>,
}

/// An animation of a glTF file.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Animation {
    /// Its name, or `animation 0`.
    pub name: String,
    /// All nodes of the file, by their numbers, with the keys that they have in this animation.
    pub rig: Rig,
    /// What it does to the weights of morph targets.
    pub weights: Vec<WeightTrack>,
}

/// The weights of a node's morph targets through time.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct WeightTrack {
    /// The node.
    pub node: usize,
    /// One for each morph target; the weight is the first number.
    pub tracks: Vec<Track<DVec3>>,
}

impl Animation {
    /// The time of the last key, in seconds.
    pub fn duration(&self) -> f64 {
        let of_weights = self.weights.iter().flat_map(|weights| &weights.tracks);
        let last = of_weights.filter_map(|track| track.times().last()).copied();
        last.fold(self.rig.duration(), f64::max)
    }
}

/// One mesh of a file.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct SceneMesh {
    /// The name in the file; empty where it has none.
    pub name: String,
    /// The mesh in its own frame.
    pub mesh: Mesh,
    /// How its shape changes in the file's animations, where it does.
    pub deformation: Option<Deformation>,
    /// The primitives of a glTF mesh that it is made of, in ascending order; empty in other formats.
    pub primitives: Vec<PrimitiveRun>,
    /// How far a coordinate may be off because of how it is stored, in the frame of the mesh.
    ///
    /// Whole steps (`KHR_mesh_quantization`, Draco, meshopt's exponential filter): half a step. `f32`: 2⁻²⁴ of the largest coordinate.
    /// `f64`: 2⁻⁵³ of it. Text: half of the last digit of the largest coordinate, by the most digits and the most decimals that any
    /// coordinate has; with less than six digits the numbers were chosen, not rounded, and count as `f32`. Of several primitives, the most.
    pub rounding: f64,
    /// Remarks about this mesh.
    pub notes: Vec<Note>,
}

impl SceneMesh {
    /// A mesh of a format without primitives and animations.
    pub(crate) fn new(name: String, mesh: Mesh, rounding: f64, notes: Vec<Note>) -> SceneMesh {
        SceneMesh { name, mesh, deformation: None, primitives: Vec::new(), rounding, notes }
    }
}

/// The faces and vertices of a glTF primitive among those of its mesh.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct PrimitiveRun {
    /// Its number in the glTF mesh.
    pub primitive: usize,
    /// Its faces.
    pub faces: Range<u32>,
    /// Its vertices.
    pub vertices: Range<u32>,
}

/// A mesh that stands somewhere.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Instance {
    /// The last part of its path: the node's name, or the mesh's, or `node 7`. Copies that one node makes of its mesh have a number
    /// behind it: `bolt#0`. Empty in files that are one mesh.
    pub name: String,
    /// The names of all nodes above it that have one, and its own: `frame/bolt#0`. Where several have the same, the second in the order
    /// of the document ends with `#2` and so on, so that each instance has a path of its own. Empty in files that are one mesh.
    pub path: String,
    /// The number that ends its name and path where others have the same: 2 for `#2`.
    pub number: Option<usize>,
    /// The mesh, as an index into [`Scene::meshes`].
    pub mesh: usize,
    /// The glTF node; `None` in other formats.
    pub node: Option<usize>,
    /// Which of the copies it is that the node makes of its mesh by `EXT_mesh_gpu_instancing`; `None` where it makes none.
    pub copy: Option<usize>,
    /// Where the mesh stands in its node: the identity, but for copies.
    pub node_from_mesh: DAffine3,
    /// Where it stands. Any affine map: it may be sheared, mirrored or singular.
    pub world_from_mesh: DAffine3,
    /// How far its place may be off because of how the numbers of its nodes are stored, as a length in the world. Nodes that carry all
    /// instances move everything alike and count nothing.
    ///
    /// A number that is an `f32` of 20 bits or more was rounded to one; others are doubles or were chosen.
    pub rounding: f64,
    /// Its class and properties. In glTF they are the `extras` of the nearest node that has some, itself or above it, and those of its mesh where the node lacks them;
    /// the class is called `class`, `ifc_class` or `IfcType` there, in any case. Other formats have none.
    pub properties: Arc<Properties>,
}

/// All of a file in one mesh.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Loaded {
    /// The mesh, in the frame of the file or scene.
    pub mesh: Mesh,
    /// Everything that the reader has to remark.
    pub notes: Vec<Note>,
    /// The format that was read.
    pub format: Format,
    /// What a length of 1 is called, where the file or its format says.
    pub unit: Option<String>,
    /// Whether the third axis points up; see [`Scene::z_up`].
    pub z_up: bool,
    /// Where the faces come from, in ascending order; together they are all faces.
    pub origins: Vec<Origin>,
    /// The files beside this one that were read: buffers of a glTF file.
    pub files: Vec<PathBuf>,
}

/// The part of a file that a run of faces comes from.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Origin {
    /// The faces of [`Loaded::mesh`].
    pub faces: Range<u32>,
    /// The vertices of [`Loaded::mesh`]; vertex `vertices.start + i` is vertex `i` of the primitive.
    pub vertices: Range<u32>,
    /// The glTF node; `None` in other formats.
    pub node: Option<usize>,
    /// The primitive of the glTF mesh; `None` in other formats.
    pub primitive: Option<usize>,
    /// The name of the [`Instance`].
    pub name: String,
}

impl Instance {
    /// The path as the file has it, which others may share: without the number that tells them apart.
    pub fn shared_path(&self) -> &str {
        let ending = self.number.map_or(String::new(), |number| format!("#{number}"));
        self.path.strip_suffix(&ending).unwrap_or(&self.path)
    }
}

/// Faces and vertices that a flattened scene may have, so that indices fit.
const MOST_FLATTENED: usize = 1 << 31;

impl Scene {
    /// The scene of a file that is one mesh.
    pub(crate) fn of_mesh(format: Format, mesh: Mesh, rounding: f64, notes: Vec<Note>) -> Scene {
        let instance = Instance {
            name: String::new(),
            path: String::new(),
            number: None,
            mesh: 0,
            node: None,
            copy: None,
            node_from_mesh: DAffine3::IDENTITY,
            world_from_mesh: DAffine3::IDENTITY,
            rounding: 0.0,
            properties: Arc::default(),
        };
        let mesh = SceneMesh::new(String::new(), mesh, rounding, notes);
        Scene {
            format,
            unit: None,
            common: (DAffine3::IDENTITY, 0.0),
            z_up: true,
            meshes: vec![mesh],
            nodes: vec![instance],
            animations: Vec::new(),
            notes: Vec::new(),
            files: Vec::new(),
        }
    }

    /// All instances in one mesh, in the world's frame. Instances make it easy to ask for more than any memory holds with a file of a
    /// few kilobytes; such a file gets an error where its model would take more than `most_memory` bytes.
    pub(crate) fn flatten(mut self, most_memory: u64) -> Result<Loaded, Fault> {
        let origins = self.origins(most_memory)?;
        let mut notes = std::mem::take(&mut self.notes);
        for mesh in &mut self.meshes {
            notes.append(&mut mesh.notes);
        }
        let (format, files) = (self.format, std::mem::take(&mut self.files));
        let mesh = match (self.nodes.as_slice(), self.meshes.as_mut_slice()) {
            // A file that is one mesh: it stays as it is, with its groups.
            ([Instance { path, .. }], [_]) if path.is_empty() => self.meshes.remove(0).mesh,
            _ => self.concatenate(&origins)?,
        };
        Ok(Loaded { mesh, notes, format, unit: self.unit, z_up: self.z_up, origins, files })
    }

    fn origins(&self, most_memory: u64) -> Result<Vec<Origin>, Fault> {
        let (mut first_face, mut first_vertex) = (0, 0);
        let mut origins = Vec::with_capacity(self.nodes.len());
        for instance in &self.nodes {
            let mesh = &self.meshes[instance.mesh].mesh;
            let (end_face, end_vertex) = (first_face + mesh.face_count(), first_vertex + mesh.vertex_count());
            let memory = end_face as u64 * BYTES_PER_FACE + end_vertex as u64 * BYTES_PER_VERTEX;
            if self.nodes.len() > 1 && (memory > most_memory || end_face.max(end_vertex) > MOST_FLATTENED) {
                let mebibytes = most_memory >> 20;
                let what = format!(
                    "all instances in one model take more than the {mebibytes} MiB of memory allowed"
                );
                return Err(Fault::unsupported(Place::File, what));
            }
            let whole = PrimitiveRun {
                primitive: 0,
                faces: 0..mesh.face_count() as u32,
                vertices: 0..mesh.vertex_count() as u32,
            };
            let primitives = &self.meshes[instance.mesh].primitives;
            let runs = if primitives.is_empty() { std::slice::from_ref(&whole) } else { primitives };
            let shifted = |run: &Range<u32>, by: usize| run.start + by as u32..run.end + by as u32;
            origins.extend(runs.iter().map(|run| Origin {
                faces: shifted(&run.faces, first_face),
                vertices: shifted(&run.vertices, first_vertex),
                node: instance.node,
                primitive: (!primitives.is_empty()).then_some(run.primitive),
                name: instance.name.clone(),
            }));
            (first_face, first_vertex) = (end_face, end_vertex);
        }
        Ok(origins)
    }

    /// Each instance is a group: what hangs together in a file does so in one mesh, however many primitives it is made of.
    fn concatenate(&self, origins: &[Origin]) -> Result<Mesh, Fault> {
        let end = origins.last().map_or((0, 0), |last| (last.vertices.end, last.faces.end));
        let mut vertices: Vec<DVec3> = memory::with_capacity(end.0 as usize)?;
        let mut triangles: Vec<[u32; 3]> = memory::with_capacity(end.1 as usize)?;
        let used = || self.nodes.iter().map(|instance| &self.meshes[instance.mesh].mesh);
        let is_plain = |mesh: &Mesh| {
            (0..mesh.face_count() as u32).all(|face| mesh.corner_count(face) == 3 && mesh.label(face) == face)
        };
        if !self.meshes.iter().all(|mesh| is_plain(&mesh.mesh)) {
            return self.concatenate_polygons(used().map(Mesh::face_count).sum());
        }
        let mut groups = Vec::with_capacity(self.nodes.len());
        for instance in &self.nodes {
            let (first_face, first_vertex) = (triangles.len() as u32, vertices.len() as u32);
            let (mesh, world_from_mesh) = (&self.meshes[instance.mesh].mesh, instance.world_from_mesh);
            vertices.extend(mesh.vertices().map(|point| world_from_mesh.transform_point3(point)));
            // A mirrored mesh is inside out; turning its faces keeps the outside of a solid outside.
            let mirrored = world_from_mesh.matrix3.determinant() < 0.0;
            for face in 0..mesh.face_count() as u32 {
                let [a, b, c] = mesh.fan_triangle(face, 0).map(|vertex| vertex + first_vertex);
                triangles.push(if mirrored { [a, c, b] } else { [a, b, c] });
            }
            groups.extend(instance_groups(instance, mesh, first_face));
        }
        Ok(Mesh::triangles(vertices, triangles)?.with_groups(groups)?)
    }

    /// Polygons of all instances. Pieces of one polygon keep a label of their own.
    fn concatenate_polygons(&self, face_count: usize) -> Result<Mesh, Fault> {
        let (mut vertices, mut groups) = (Vec::new(), Vec::new());
        let mut polygons: Vec<Vec<u32>> = memory::with_capacity(face_count)?;
        let mut labels = memory::with_capacity(face_count)?;
        for instance in &self.nodes {
            let (first_face, first_vertex) = (polygons.len() as u32, vertices.len() as u32);
            let (mesh, world_from_mesh) = (&self.meshes[instance.mesh].mesh, instance.world_from_mesh);
            vertices.extend(mesh.vertices().map(|point| world_from_mesh.transform_point3(point)));
            let mirrored = world_from_mesh.matrix3.determinant() < 0.0;
            for face in 0..mesh.face_count() as u32 {
                let mut corners: Vec<u32> = mesh.corners(face).map(|vertex| vertex + first_vertex).collect();
                if mirrored {
                    corners[1..].reverse();
                }
                polygons.push(corners);
                labels.push(first_face + mesh.label(face));
            }
            groups.extend(instance_groups(instance, mesh, first_face));
        }
        Ok(Mesh::polygons(vertices, polygons)?.with_labels(labels)?.with_groups(groups)?)
    }
}

/// The groups that an instance has among those of all: its own, or one of its name.
fn instance_groups(instance: &Instance, mesh: &Mesh, first_face: u32) -> Vec<Group> {
    let name = &instance.name;
    let own = mesh.groups().iter().map(|group| Group {
        name: format!("{name}/{}", group.name),
        first_face: first_face + group.first_face,
    });
    let starts_grouped = mesh.groups().first().is_some_and(|group| group.first_face == 0);
    let whole = (!starts_grouped).then(|| Group { name: name.clone(), first_face });
    whole.into_iter().chain(own).collect()
}
