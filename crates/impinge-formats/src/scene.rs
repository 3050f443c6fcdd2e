//! What a file holds: meshes and where they stand, or all of it as one mesh.

use std::ops::Range;
use std::path::PathBuf;

use impinge::Mesh;
use impinge::animation::{Rig, Track};
use impinge::math::{DAffine3, DVec3};
use impinge::mesh::Group;

use crate::deformation::Deformation;
use crate::error::Fault;
use crate::limits::{BYTES_PER_FACE, BYTES_PER_VERTEX};
use crate::{Format, Note, Place, memory};

/// A file's meshes and every place where one of them stands.
///
/// An OBJ, STL, PLY or OFF file is one mesh with one instance that stands where it is. In a glTF file each primitive
/// is a mesh, and each node of the default scene is an instance of its mesh's primitives.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Scene {
    /// The format that was read.
    pub format: Format,
    /// The meshes, each once however often it is placed.
    pub meshes: Vec<SceneMesh>,
    /// Where the meshes stand, in document order: by node, then by primitive.
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
    /// One step of its coordinates, in its own frame, where the file has rounded them to whole steps: `KHR_mesh_quantization`, Draco,
    /// meshopt's exponential filter. A coordinate is off by half a step at most. `None` for floating-point numbers as they are.
    pub precision: Option<f64>,
    /// Remarks about this mesh.
    pub notes: Vec<Note>,
}

/// A mesh that stands somewhere.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Instance {
    /// The node's name, or the mesh's, or `node 7`. Copies that one node makes of its mesh have a number behind it: `bolt#0`.
    pub name: String,
    /// The mesh, as an index into [`Scene::meshes`].
    pub mesh: usize,
    /// The glTF node; `None` in other formats.
    pub node: Option<usize>,
    /// The primitive of the glTF mesh; `None` in other formats.
    pub primitive: Option<usize>,
    /// Which of the copies it is that the node makes of its mesh by `EXT_mesh_gpu_instancing`; `None` where it makes none.
    pub copy: Option<usize>,
    /// Where the mesh stands in its node: the identity, but for copies.
    pub node_from_mesh: DAffine3,
    /// Where it stands. Any affine map: it may be sheared, mirrored or singular.
    pub world_from_mesh: DAffine3,
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

/// Faces and vertices that a flattened scene may have, so that indices fit.
const MOST_FLATTENED: usize = 1 << 31;

impl Scene {
    /// The scene of a file that is one mesh.
    pub(crate) fn of_mesh(format: Format, mesh: Mesh, notes: Vec<Note>) -> Scene {
        let instance = Instance {
            name: String::new(),
            mesh: 0,
            node: None,
            primitive: None,
            copy: None,
            node_from_mesh: DAffine3::IDENTITY,
            world_from_mesh: DAffine3::IDENTITY,
        };
        let mesh = SceneMesh { name: String::new(), mesh, deformation: None, precision: None, notes };
        Scene {
            format,
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
            // Other formats than glTF: the mesh stays as it is, with its groups.
            ([Instance { node: None, .. }], [_]) => self.meshes.remove(0).mesh,
            _ => self.concatenate(&origins)?,
        };
        Ok(Loaded { mesh, notes, format, origins, files })
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
            origins.push(Origin {
                faces: first_face as u32..end_face as u32,
                vertices: first_vertex as u32..end_vertex as u32,
                node: instance.node,
                primitive: instance.primitive,
                name: instance.name.clone(),
            });
            (first_face, first_vertex) = (end_face, end_vertex);
        }
        Ok(origins)
    }

    fn concatenate(&self, origins: &[Origin]) -> Result<Mesh, Fault> {
        let end = origins.last().map_or((0, 0), |last| (last.vertices.end, last.faces.end));
        let mut vertices: Vec<DVec3> = memory::with_capacity(end.0 as usize)?;
        let mut triangles: Vec<[u32; 3]> = memory::with_capacity(end.1 as usize)?;
        let mut groups = Vec::with_capacity(origins.len());
        for (instance, origin) in self.nodes.iter().zip(origins) {
            let (mesh, world_from_mesh) = (&self.meshes[instance.mesh].mesh, instance.world_from_mesh);
            vertices.extend(mesh.vertices().map(|point| world_from_mesh.transform_point3(point)));
            // A mirrored mesh is inside out; turning its faces keeps the outside of a solid outside.
            let mirrored = world_from_mesh.matrix3.determinant() < 0.0;
            for face in 0..mesh.face_count() as u32 {
                let [a, b, c] = mesh.fan_triangle(face, 0).map(|vertex| vertex + origin.vertices.start);
                triangles.push(if mirrored { [a, c, b] } else { [a, b, c] });
            }
            groups.push(Group { name: origin.name.clone(), first_face: origin.faces.start });
        }
        Ok(Mesh::triangles(vertices, triangles)?.with_groups(groups)?)
    }
}
