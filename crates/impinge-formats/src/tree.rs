//! Scenes of formats that place meshes by a tree of nodes: where each instance stands, and what it is called.

use std::sync::Arc;

use impinge::math::{DAffine3, DVec3};

use crate::error::{Fault, Place};
use crate::map_rounding::{MapRounding, greatest_scale};
use crate::memory;
use crate::scene::{Instance, SceneMesh};
use crate::unique_names::Taken;

/// What an instance takes, beside its names.
const BYTES_PER_INSTANCE: u64 = 256;

/// A tree of nodes, each after its parent.
pub(crate) struct Tree {
    nodes: Vec<TreeNode>,
    /// Bytes that may still be taken.
    memory_left: u64,
}

struct TreeNode {
    parent: Option<usize>,
    /// The name and those above it, joined by slashes; what has no name is left out.
    path: String,
    name: String,
    parent_from_node: DAffine3,
    world_from_node: DAffine3,
    /// How far its map to the parent may be off.
    own: MapRounding,
    meshes: Vec<usize>,
}

impl Tree {
    /// An empty tree that may take so many bytes.
    pub(crate) fn new(most_memory: u64) -> Tree {
        Tree { nodes: Vec::new(), memory_left: most_memory }
    }

    /// Adds a node and returns its number. The place is that of what describes it.
    pub(crate) fn push(
        &mut self,
        parent: Option<usize>,
        name: Option<&str>,
        (parent_from_node, own): (DAffine3, MapRounding),
        place: &Place,
    ) -> Result<usize, Fault> {
        let name = name.map(str::trim).unwrap_or_default();
        let above = parent.map_or("", |parent| self.nodes[parent].path.as_str());
        let path = match (above, name) {
            ("", name) => name.to_owned(),
            (above, "") => above.to_owned(),
            (above, name) => format!("{above}/{name}"),
        };
        // A few kilobytes can describe nodes without bound, by instances of instances.
        let bytes = BYTES_PER_INSTANCE + 4 * path.len() as u64;
        self.memory_left = self.memory_left.checked_sub(bytes).ok_or_else(|| {
            let what = "the nodes read so far take far more memory than the file has bytes";
            Fault::unsupported(place.clone(), what)
        })?;
        let world_from_parent =
            parent.map_or(DAffine3::IDENTITY, |parent| self.nodes[parent].world_from_node);
        let world_from_node = world_from_parent * parent_from_node;
        if !world_from_node.is_finite() {
            return Err(Fault::malformed(place.clone(), "the transforms overflow"));
        }
        let node = TreeNode {
            parent,
            path,
            name: name.to_owned(),
            parent_from_node,
            world_from_node,
            own,
            meshes: Vec::new(),
        };
        memory::push(&mut self.nodes, node)?;
        Ok(self.nodes.len() - 1)
    }

    /// Places a mesh in a node.
    pub(crate) fn place(&mut self, node: usize, mesh: usize) {
        self.nodes[node].meshes.push(mesh);
    }

    /// All instances, and what carries all of them: where that is, and how far it may be off. It moves everything alike, so that its rounding
    /// counts nothing in theirs.
    pub(crate) fn instances(self, meshes: &[SceneMesh]) -> (Vec<Instance>, (DAffine3, f64)) {
        let reach_of = |mesh: &SceneMesh| mesh.mesh.vertices().map(DVec3::length).fold(0.0, f64::max);
        let reaches: Vec<f64> = meshes.iter().map(reach_of).collect();
        let mut carried: Vec<usize> = self.nodes.iter().map(|node| node.meshes.len()).collect();
        let all: usize = carried.iter().sum();
        for (index, node) in self.nodes.iter().enumerate().rev() {
            if let Some(parent) = node.parent {
                carried[parent] += carried[index];
            }
        }
        let mut roundings = vec![MapRounding::default(); self.nodes.len()];
        let (mut taken, mut instances) = (Taken::default(), Vec::with_capacity(all));
        let (mut carrier, mut carrier_rounding) = (DAffine3::IDENTITY, MapRounding::default());
        let mut reach_in_carrier = 0.0_f64;
        for (index, node) in self.nodes.iter().enumerate() {
            let world_from_parent =
                node.parent.map_or(DAffine3::IDENTITY, |parent| self.nodes[parent].world_from_node);
            if carried[index] < all {
                let above = node.parent.map_or(MapRounding::default(), |parent| roundings[parent]);
                roundings[index] = above.below(&world_from_parent, node.own, &node.parent_from_node);
            } else {
                // Such nodes are in one line, each below the one before.
                carrier_rounding =
                    carrier_rounding.below(&world_from_parent, node.own, &node.parent_from_node);
                carrier = node.world_from_node;
            }
            for &mesh in &node.meshes {
                let of_mesh = &meshes[mesh].name;
                let (name, path) = match (node.name.is_empty(), of_mesh.is_empty()) {
                    (false, _) => (node.name.clone(), node.path.clone()),
                    (true, false) if node.path.is_empty() => (of_mesh.clone(), of_mesh.clone()),
                    (true, false) => (of_mesh.clone(), format!("{}/{of_mesh}", node.path)),
                    (true, true) => {
                        let name = format!("mesh {mesh}");
                        let path =
                            if node.path.is_empty() { name.clone() } else { format!("{}/{name}", node.path) };
                        (name, path)
                    }
                };
                let named = taken.name(name, path);
                let scale = greatest_scale(&node.world_from_node.matrix3);
                let from_carrier = node.world_from_node.translation.distance(carrier.translation);
                reach_in_carrier = reach_in_carrier.max(from_carrier + scale * reaches[mesh]);
                instances.push(Instance {
                    name: named.name,
                    path: named.path,
                    number: named.number,
                    mesh,
                    node: None,
                    copy: None,
                    node_from_mesh: DAffine3::IDENTITY,
                    world_from_mesh: node.world_from_node,
                    rounding: roundings[index].at(reaches[mesh]),
                    properties: Arc::default(),
                });
            }
        }
        let carrier_scale = greatest_scale(&carrier.matrix3);
        let reach = if carrier_scale > 0.0 { reach_in_carrier / carrier_scale } else { 0.0 };
        (instances, (carrier, carrier_rounding.at(reach)))
    }
}
