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
mod body;
mod buffers;
#[cfg(feature = "draco")]
mod draco;
#[cfg(not(feature = "draco"))]
#[path = "draco_absent.rs"]
mod draco;
#[cfg(feature = "draco")]
mod draco_step;
mod extensions;
mod extras;
mod glb;
mod instancing;
mod json;
mod meshopt;
mod names;
mod nodes;
mod place_rounding;
mod primitive;
mod skin;

use std::collections::{HashMap, HashSet};
use std::rc::Rc;
use std::sync::Arc;

use impinge::math::{DAffine3, DVec3};

use self::accessor::Accessors;
use self::body::Body;
use self::buffers::{Buffers, get};
use self::extras::Extras;
use self::json::{Document, Node};
use self::names::Names;
use self::nodes::Nodes;
use self::primitive::Shaping;
use self::skin::Binding;
use crate::beside::Beside;
use crate::error::{Fault, Place};
use crate::limits::Limits;
use crate::map_rounding::{MapRounding, greatest_scale};
use crate::note::Note;
use crate::properties::Properties;
use crate::scene::{Instance, SceneMesh};
use crate::unique_names::Named;
use crate::{Format, Scene};

/// What an instance takes, with its name.
const BYTES_PER_INSTANCE: u64 = 256;

/// Reads either form; buffers beside the document are looked for where `beside` says.
pub(crate) fn read(bytes: &[u8], beside: Beside<'_>, limits: Limits) -> Result<Scene, Fault> {
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
    let buffers = Buffers::new(&document, binary, beside, bytes.len(), limits)?;
    let accessors = Accessors { document: &document, buffers };
    let mut nodes = Nodes::read(&document)?;
    let hidden = std::mem::take(&mut nodes.hidden).note("nodes with meshes that are not visible");
    let (names, extras) = (Names::new(&document, &nodes), Extras::new(&document, &nodes));
    let mut reader = Reader {
        document: &document,
        accessors,
        nodes,
        names,
        extras,
        shared: HashMap::new(),
        bindings: HashMap::new(),
        with_weights: animation::nodes_with_weights(&document.animations),
        meshes: Vec::new(),
        placed: Vec::new(),
        notes,
    };
    for (index, node) in document.nodes.iter().enumerate() {
        if reader.nodes.shown[index] {
            reader.node(index, node)?;
        }
    }
    match hidden {
        Some(Note { place, .. }) if reader.placed.is_empty() => {
            let what = "there is no face that is visible: this node and maybe others are hidden by KHR_node_visibility";
            return Err(Fault::unsupported(place, what));
        }
        None if reader.placed.is_empty() => return Err(Fault::no_faces()),
        note => reader.notes.extend(note),
    }
    let mut animations = Vec::with_capacity(document.animations.len());
    for (index, entry) in document.animations.iter().enumerate() {
        animations.push(animation::read(&reader.accessors, &reader.nodes, index, entry, &mut reader.notes)?);
    }
    let files = reader.accessors.buffers.files();
    let (nodes, common) = reader.instances();
    Ok(Scene {
        format,
        unit: Some("m".to_owned()),
        common,
        z_up: false,
        meshes: reader.meshes,
        nodes,
        animations,
        notes: reader.notes,
        files,
    })
}

struct Reader<'a> {
    document: &'a Document,
    accessors: Accessors<'a>,
    nodes: Nodes,
    names: Names<'a>,
    extras: Extras<'a>,
    /// The meshes of each shape, however often it stands somewhere.
    shared: HashMap<Shape, Rc<[Shared]>>,
    bindings: HashMap<usize, Rc<Binding>>,
    /// The nodes whose morph targets move.
    with_weights: HashSet<usize>,
    meshes: Vec<SceneMesh>,
    placed: Vec<PlacedMesh>,
    notes: Vec<Note>,
}

/// What the shape of a mesh depends on.
#[derive(PartialEq, Eq, Hash)]
struct Shape {
    mesh: usize,
    skin: Option<usize>,
    /// Bit by bit; none where there are no morph targets.
    weights: Vec<u64>,
    /// Whether an animation moves the weights.
    has_moving_weights: bool,
}

/// What a glTF mesh became: all its primitives, but for those with a skin, which are another.
#[derive(Clone, Copy)]
struct Shared {
    mesh: usize,
    has_skin: bool,
}

/// A mesh in a node.
struct PlacedMesh {
    mesh: usize,
    node: usize,
    /// Where a skin takes the vertices, whatever its node does.
    world_from_skin: Option<DAffine3>,
    /// Its number among the copies, where it stands in the node, and how far that may be off.
    copy: Option<(usize, (DAffine3, MapRounding))>,
    named: Named,
    properties: Arc<Properties>,
}

impl<'a> Reader<'a> {
    /// Places the mesh of a node, or copies of it.
    fn node(&mut self, index: usize, node: &'a Node) -> Result<(), Fault> {
        let Some(mesh_index) = node.mesh else { return Ok(()) };
        let place = nodes::place_of(index);
        let entry = get(&self.document.meshes, mesh_index, "mesh", &place)?;
        let skin = match node.skin {
            None => None,
            Some(skin) => Some(self.binding(skin, &place)?),
        };
        let copies = match &node.extensions.instancing {
            None => None,
            Some(_) if skin.is_some() => {
                let what = format!("{} of a mesh with a skin is not supported", instancing::NAME);
                return Err(Fault::unsupported(place, what));
            }
            Some(described) => Some(instancing::read(&self.accessors, described, &place)?),
        };
        let weights = node.weights.as_ref().unwrap_or(&entry.weights);
        let targets = entry.primitives.iter().map(|primitive| primitive.targets.len()).max().unwrap_or(0);
        let hangs = entry.primitives.iter().any(|primitive| primitive.attributes.joints_0.is_some());
        let shape = Shape {
            mesh: mesh_index,
            skin: node.skin.filter(|_| hangs),
            weights: weights.iter().take(targets).map(|weight| weight.to_bits()).collect(),
            has_moving_weights: self.with_weights.contains(&index),
        };
        let meshes = match self.shared.get(&shape) {
            Some(known) => Rc::clone(known),
            None => {
                let read: Rc<[Shared]> = self.bodies(&shape, weights, skin.as_deref())?.into();
                self.shared.insert(shape, Rc::clone(&read));
                read
            }
        };
        // Many nodes times many copies are more than they look in the file, and so are long names above them.
        let count = copies.as_ref().map_or(1, Vec::len).saturating_mul(meshes.len());
        self.accessors.buffers.will_take(count, BYTES_PER_INSTANCE + self.names.bytes(index), &place)?;
        let properties = self.extras.of(index, mesh_index, &self.accessors.buffers)?;
        let copies =
            copies.map_or_else(|| vec![None], |list| list.into_iter().enumerate().map(Some).collect());
        for copy in copies {
            for shared in meshes.iter() {
                let world_from_skin =
                    skin.as_deref().filter(|_| shared.has_skin).map(Binding::world_from_applied);
                let named = self.names.name(index, copy.as_ref().map(|(number, _)| *number));
                let properties = Arc::clone(&properties);
                self.placed.push(PlacedMesh {
                    mesh: shared.mesh,
                    node: index,
                    world_from_skin,
                    copy,
                    named,
                    properties,
                });
            }
        }
        Ok(())
    }

    /// Everything that was placed, in the world, and what carries all of it.
    fn instances(&mut self) -> (Vec<Instance>, (DAffine3, f64)) {
        let placed = std::mem::take(&mut self.placed);
        let mut carries = vec![0; self.document.nodes.len()];
        placed.iter().filter(|one| one.world_from_skin.is_none()).for_each(|one| carries[one.node] += 1);
        let (roundings, carrier) = place_rounding::of_nodes(self.document, &self.nodes, &carries);
        let reach_of = |mesh: &SceneMesh| mesh.mesh.vertices().map(DVec3::length).fold(0.0, f64::max);
        let reaches: Vec<f64> = self.meshes.iter().map(reach_of).collect();
        let instance = |placed: PlacedMesh| {
            let world_from_node = &self.nodes.world_from_node[placed.node];
            let (copy, place_in_node) = placed.copy.unzip();
            let node_from_mesh = place_in_node.map(|(node_from_copy, _)| node_from_copy);
            let rounding = match placed.world_from_skin {
                // The mesh is in the world already, and its rounding is that of what joints made of it.
                Some(_) => 0.0,
                None => place_rounding::of_instance(
                    roundings[placed.node],
                    world_from_node,
                    place_in_node.as_ref(),
                    reaches[placed.mesh],
                ),
            };
            Instance {
                name: placed.named.name,
                path: placed.named.path,
                number: placed.named.number,
                mesh: placed.mesh,
                node: Some(placed.node),
                copy,
                node_from_mesh: node_from_mesh.unwrap_or(DAffine3::IDENTITY),
                // A skin takes its vertices to the world by itself; the node's own transform does not count.
                world_from_mesh: match (placed.world_from_skin, node_from_mesh) {
                    (Some(world_from_skin), _) => world_from_skin,
                    (None, None) => *world_from_node,
                    (None, Some(node_from_mesh)) => *world_from_node * node_from_mesh,
                },
                rounding,
                properties: placed.properties,
            }
        };
        let instances: Vec<Instance> = placed.into_iter().map(instance).collect();
        let around = instances.iter().map(|instance| {
            let DAffine3 { matrix3, translation } = instance.world_from_mesh;
            (translation, greatest_scale(&matrix3) * reaches[instance.mesh])
        });
        let common = (carrier.world_from_carrier, carrier.at(around));
        (instances, common)
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

    /// Reads the primitives of a mesh: those that follow their node as one body, those with a skin as another.
    fn bodies(
        &mut self,
        shape: &Shape,
        weights: &[f64],
        skin: Option<&Binding>,
    ) -> Result<Vec<Shared>, Fault> {
        let place = Place::json(format!("/meshes/{}", shape.mesh));
        let entry = &self.document.meshes[shape.mesh];
        let mut bodies = [Body::default(), Body::default()];
        for (primitive, described) in entry.primitives.iter().enumerate() {
            let place = Place::json(format!("{place}/primitives/{primitive}"));
            let skin = skin.filter(|_| described.attributes.joints_0.is_some());
            let changes =
                !self.document.animations.is_empty() && (skin.is_some() || shape.has_moving_weights);
            let shaping = Shaping { weights, skin, changes };
            let mut notes = Vec::new();
            match primitive::read(&self.accessors, described, &shaping, &place, &mut notes)? {
                Some(shaped) => bodies[usize::from(skin.is_some())].push(primitive, shaped, &mut notes),
                None => self.notes.append(&mut notes),
            }
        }
        let mut meshes = Vec::new();
        for (body, has_skin) in bodies.into_iter().zip([false, true]) {
            let name = entry.name.clone().unwrap_or_default();
            if let Some(mesh) = body.join(name, &place)? {
                self.meshes.push(mesh);
                meshes.push(Shared { mesh: self.meshes.len() - 1, has_skin });
            }
        }
        Ok(meshes)
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
