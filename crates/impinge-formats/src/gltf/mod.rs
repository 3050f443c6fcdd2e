//! glTF 2.0, as JSON with buffers inside or beside it, or as one binary file (GLB).
//!
//! Read are all triangles, strips and fans of the default scene, at rest: node transforms of the whole hierarchy,
//! morph targets by their default weights, skins in the pose that the nodes have in the file; and the animations, by
//! which all of these move. Coordinates are widened from `f32` before anything is computed. Points and lines are counted in the notes.
//!
//! Compression is undone where bytes are handed out: meshopt's in [`buffers`], Draco's in [`attributes`].

mod accessor;
mod animation;
mod attributes;
mod buffers;
#[cfg(feature = "draco")]
mod draco;
#[cfg(not(feature = "draco"))]
#[path = "draco_absent.rs"]
mod draco;
#[cfg(feature = "draco")]
mod draco_step;
mod extensions;
mod glb;
mod instancing;
mod json;
mod meshopt;
mod names;
mod nodes;
mod primitive;
mod skin;

use std::collections::{HashMap, HashSet};
use std::path::Path;
use std::rc::Rc;

use impinge::math::DAffine3;

use self::accessor::Accessors;
use self::buffers::{Buffers, get};
use self::json::{Document, Node};
use self::names::Names;
use self::nodes::Nodes;
use self::primitive::{Shaped, Shaping};
use self::skin::Binding;
use crate::error::{Fault, Place};
use crate::limits::Limits;
use crate::note::Note;
use crate::scene::{Instance, SceneMesh};
use crate::{Format, Scene};

/// What an instance takes, with its name.
const BYTES_PER_INSTANCE: u64 = 256;

/// Reads either form; `folder` is where buffers beside the document are looked for.
pub(crate) fn read(bytes: &[u8], folder: Option<&Path>, limits: Limits) -> Result<Scene, Fault> {
    if bytes.is_empty() {
        return Err(Fault::no_faces());
    }
    let text = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
    let (format, json, json_offset, binary) = if text.trim_ascii_start().starts_with(b"{") {
        (Format::Gltf, text, None, None)
    } else if bytes.starts_with(b"glTF") {
        let chunks = glb::Chunks::read(bytes)?;
        (Format::Glb, chunks.json, Some(chunks.json_offset), chunks.binary)
    } else {
        return Err(Fault::malformed(Place::Byte(0), "the file starts neither with `{` nor with `glTF`"));
    };
    let document: Document =
        serde_json::from_slice(json).map_err(|error| json_fault(&error, json, json_offset))?;
    check_version(&document)?;
    let mut notes = extensions::check(&document)?;
    if document.scenes.len() > 1 {
        let place = Place::json("/scenes");
        notes.push(Note::skipped(place, "scenes beside the default one", document.scenes.len() - 1));
    }
    let buffers = Buffers::new(&document, binary, folder, bytes.len(), limits)?;
    let accessors = Accessors { document: &document, buffers };
    let mut nodes = Nodes::read(&document)?;
    let hidden = std::mem::take(&mut nodes.hidden).note("nodes with meshes that are not visible");
    let mut reader = Reader {
        document: &document,
        accessors,
        nodes,
        names: Names::new(&document),
        shared: HashMap::new(),
        bindings: HashMap::new(),
        with_weights: animation::nodes_with_weights(&document.animations),
        meshes: Vec::new(),
        notes,
    };
    let mut instances = Vec::new();
    for (index, node) in document.nodes.iter().enumerate() {
        if reader.nodes.shown[index] {
            reader.node(index, node, &mut instances)?;
        }
    }
    match hidden {
        Some(Note { place, .. }) if instances.is_empty() => {
            let what = "there is no face that is visible: this node and maybe others are hidden by KHR_node_visibility";
            return Err(Fault::unsupported(place, what));
        }
        None if instances.is_empty() => return Err(Fault::no_faces()),
        note => reader.notes.extend(note),
    }
    let mut animations = Vec::with_capacity(document.animations.len());
    for (index, entry) in document.animations.iter().enumerate() {
        animations.push(animation::read(&reader.accessors, &reader.nodes, index, entry, &mut reader.notes)?);
    }
    let files = reader.accessors.buffers.files();
    Ok(Scene { format, meshes: reader.meshes, nodes: instances, animations, notes: reader.notes, files })
}

struct Reader<'a> {
    document: &'a Document,
    accessors: Accessors<'a>,
    nodes: Nodes,
    names: Names,
    /// The mesh of each primitive in each of its shapes, however often it stands somewhere.
    shared: HashMap<Shape, Option<usize>>,
    bindings: HashMap<usize, Rc<Binding>>,
    /// The nodes whose morph targets move.
    with_weights: HashSet<usize>,
    meshes: Vec<SceneMesh>,
    notes: Vec<Note>,
}

/// What the shape of a primitive depends on.
#[derive(PartialEq, Eq, Hash)]
struct Shape {
    mesh: usize,
    primitive: usize,
    skin: Option<usize>,
    /// Bit by bit; none where there are no morph targets.
    weights: Vec<u64>,
    changes: bool,
}

/// A primitive that stands somewhere: its number in its mesh, and the mesh that it became.
struct Part {
    primitive: usize,
    mesh: usize,
    world_from_mesh: DAffine3,
}

/// A node whose parts are to be placed.
struct Placing {
    index: usize,
    name: String,
    has_many_primitives: bool,
}

impl Placing {
    /// Adds the parts of the node, or of one of its copies, whose number and place in the node are given.
    fn place(&self, parts: &[Part], copy: Option<(usize, DAffine3)>, instances: &mut Vec<Instance>) {
        let (copy, node_from_mesh) = copy.unzip();
        let node_from_mesh = node_from_mesh.unwrap_or(DAffine3::IDENTITY);
        for part in parts {
            let mut name = self.name.clone();
            if let Some(copy) = copy {
                name.push_str(&format!("#{copy}"));
            }
            if self.has_many_primitives {
                name.push_str(&format!(".{}", part.primitive));
            }
            let world_from_mesh =
                if copy.is_some() { part.world_from_mesh * node_from_mesh } else { part.world_from_mesh };
            instances.push(Instance {
                name,
                mesh: part.mesh,
                node: Some(self.index),
                primitive: Some(part.primitive),
                copy,
                node_from_mesh,
                world_from_mesh,
            });
        }
    }
}

impl<'a> Reader<'a> {
    /// Adds an instance for each primitive of a node's mesh.
    fn node(&mut self, index: usize, node: &'a Node, instances: &mut Vec<Instance>) -> Result<(), Fault> {
        let Some(mesh_index) = node.mesh else { return Ok(()) };
        let place = nodes::place_of(index);
        let entry = get(&self.document.meshes, mesh_index, "mesh", &place)?;
        let skin = match node.skin {
            None => None,
            Some(skin) => Some(self.binding(skin, &place)?),
        };
        let name = names::of_node(self.document, index);
        let copies = match &node.extensions.instancing {
            None => None,
            Some(_) if skin.is_some() => {
                let what = format!("{} of a mesh with a skin is not supported", instancing::NAME);
                return Err(Fault::unsupported(place, what));
            }
            Some(described) => Some(instancing::read(&self.accessors, described, &place)?),
        };
        let mut parts: Vec<Part> = Vec::with_capacity(entry.primitives.len());
        for (primitive, described) in entry.primitives.iter().enumerate() {
            let skin = skin.as_deref().filter(|_| described.attributes.joints_0.is_some());
            let changes = !self.document.animations.is_empty()
                && (skin.is_some() || self.with_weights.contains(&index));
            let weights = node.weights.as_ref().unwrap_or(&entry.weights);
            let shape = Shape {
                mesh: mesh_index,
                primitive,
                skin: node.skin.filter(|_| skin.is_some()),
                weights: weights
                    .iter()
                    .take(described.targets.len())
                    .map(|weight| weight.to_bits())
                    .collect(),
                changes,
            };
            let mesh = match self.shared.get(&shape) {
                Some(&known) => known,
                None => {
                    let shaping = Shaping { weights, skin, changes };
                    let read = self.primitive([mesh_index, primitive], &shaping)?;
                    self.shared.insert(shape, read);
                    read
                }
            };
            let Some(mesh) = mesh else { continue };
            // A skin takes its vertices to the world by itself; the node's own transform does not count.
            let world_from_mesh = skin.map_or(self.nodes.world_from_node[index], Binding::world_from_applied);
            parts.push(Part { primitive, mesh, world_from_mesh });
        }
        // Many nodes times many copies times many primitives are more than they look in the file.
        let count = copies.as_ref().map_or(1, Vec::len).saturating_mul(parts.len());
        self.accessors.buffers.will_take(count, BYTES_PER_INSTANCE + name.len() as u64, &place)?;
        let node = Placing { index, name, has_many_primitives: entry.primitives.len() > 1 };
        match copies {
            None => node.place(&parts, None, instances),
            Some(copies) => {
                let node = Placing { name: self.names.of_copies(node.name, index), ..node };
                for copy in copies.into_iter().enumerate() {
                    node.place(&parts, Some(copy), instances);
                }
            }
        }
        Ok(())
    }

    fn binding(&mut self, skin: usize, from: &Place) -> Result<Rc<Binding>, Fault> {
        if let Some(known) = self.bindings.get(&skin) {
            return Ok(Rc::clone(known));
        }
        let entry = get(&self.document.skins, skin, "skin", from)?;
        let place = Place::json(format!("/skins/{skin}"));
        let binding = Rc::new(Binding::read(&self.accessors, entry, &self.nodes, &place)?);
        self.bindings.insert(skin, Rc::clone(&binding));
        Ok(binding)
    }

    /// Reads a primitive and returns its number among the meshes, if it has faces.
    fn primitive(
        &mut self,
        [mesh, primitive]: [usize; 2],
        shaping: &Shaping<'_>,
    ) -> Result<Option<usize>, Fault> {
        let place = Place::json(format!("/meshes/{mesh}/primitives/{primitive}"));
        let entry = &self.document.meshes[mesh];
        let described = &entry.primitives[primitive];
        let mut notes = Vec::new();
        let read = primitive::read(&self.accessors, described, shaping, &place, &mut notes)?;
        let Some(Shaped { mesh, deformation, precision }) = read else {
            self.notes.append(&mut notes);
            return Ok(None);
        };
        let name = entry.name.clone().unwrap_or_default();
        self.meshes.push(SceneMesh { name, mesh, deformation, precision, notes });
        Ok(Some(self.meshes.len() - 1))
    }
}

fn check_version(document: &Document) -> Result<(), Fault> {
    let version = &document.asset.version;
    if !version.starts_with("2.") {
        let what = format!("the version is {version}; only 2 is supported");
        return Err(Fault::unsupported(Place::json("/asset/version"), what));
    }
    Ok(())
}

/// Where the JSON itself is wrong: the line of a text file, or the byte of a binary one.
fn json_fault(error: &serde_json::Error, json: &[u8], offset: Option<u64>) -> Fault {
    let place = match offset {
        None => Place::Line(error.line() as u32),
        Some(offset) => {
            let lines = json.split(|&byte| byte == b'\n').take(error.line().saturating_sub(1));
            let before: usize = lines.map(|line| line.len() + 1).sum();
            Place::Byte(offset + before as u64 + error.column().saturating_sub(1) as u64)
        }
    };
    Fault::malformed(place, format!("the JSON is wrong: {error}"))
}
