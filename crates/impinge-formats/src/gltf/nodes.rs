//! The tree of nodes: which belong to the default scene, and where each stands.

use impinge::animation::{Local, Value};
use impinge::math::{DAffine3, DMat4, DQuat, DVec3};

use super::buffers::get;
use super::json::{Document, Node};
use crate::error::{Fault, Place};
use crate::note::Tally;

/// Every node's place in the world, and whether the scene shows it.
pub(super) struct Nodes {
    pub(super) parents: Vec<Option<usize>>,
    /// All nodes, each after its parent.
    pub(super) order: Vec<usize>,
    pub(super) parent_from_node: Vec<DAffine3>,
    pub(super) world_from_node: Vec<DAffine3>,
    pub(super) shown: Vec<bool>,
    /// The nodes with meshes that the scene has, but hides (`KHR_node_visibility`).
    pub(super) hidden: Tally,
}

impl Nodes {
    pub(super) fn read(document: &Document) -> Result<Nodes, Fault> {
        let parents = parents(document)?;
        let count = document.nodes.len();
        let mut world_from_node = vec![DAffine3::IDENTITY; count];
        let mut parent_from_node = vec![DAffine3::IDENTITY; count];
        // Parents come before their children in this list; a node of a circle never gets into it.
        let mut order: Vec<usize> = (0..count).filter(|&node| parents[node].is_none()).collect();
        let mut done = 0;
        while let Some(&node) = order.get(done) {
            done += 1;
            parent_from_node[node] = local(node, &document.nodes[node])?.at(0.0);
            let world_from_parent =
                parents[node].map_or(DAffine3::IDENTITY, |parent| world_from_node[parent]);
            world_from_node[node] = world_from_parent * parent_from_node[node];
            if !world_from_node[node].is_finite() {
                return Err(Fault::malformed(place_of(node), "the transforms overflow"));
            }
            order.extend(&document.nodes[node].children);
        }
        if order.len() < count {
            let mut reached = vec![false; count];
            for &node in &order {
                reached[node] = true;
            }
            let circular = reached.iter().position(|reached| !reached).unwrap_or(0);
            return Err(Fault::malformed(place_of(circular), "the node is among its own ancestors"));
        }
        let mut shown = vec![false; count];
        for root in roots(document, &parents)? {
            shown[root] = true;
        }
        let mut hides = vec![false; count];
        for &node in &order {
            shown[node] |= parents[node].is_some_and(|parent| shown[parent]);
            // What is visible below a hidden node is hidden.
            let visibility = document.nodes[node].extensions.visibility.as_ref();
            hides[node] = parents[node].is_some_and(|parent| hides[parent])
                || visibility.is_some_and(|visibility| visibility.visible == Some(false));
        }
        let mut hidden = Tally::default();
        for node in (0..count).filter(|&node| hides[node]) {
            if std::mem::take(&mut shown[node]) && document.nodes[node].mesh.is_some() {
                hidden.add(place_of(node));
            }
        }
        Ok(Nodes { parents, order, parent_from_node, world_from_node, shown, hidden })
    }
}

/// The place of a node in the document.
pub(super) fn place_of(node: usize) -> Place {
    Place::json(format!("/nodes/{node}"))
}

fn parents(document: &Document) -> Result<Vec<Option<usize>>, Fault> {
    let mut parents = vec![None; document.nodes.len()];
    for (parent, node) in document.nodes.iter().enumerate() {
        for &child in &node.children {
            get(&document.nodes, child, "node", &place_of(parent))?;
            if let Some(other) = parents[child].replace(parent) {
                let what = format!("the node is a child of both {other} and {parent}");
                return Err(Fault::malformed(place_of(child), what));
            }
        }
    }
    Ok(parents)
}

/// The roots of the scene that is to be shown: the default one, else the first, else the whole document.
fn roots(document: &Document, parents: &[Option<usize>]) -> Result<Vec<usize>, Fault> {
    if document.scenes.is_empty() && document.scene.is_none() {
        return Ok((0..parents.len()).filter(|&node| parents[node].is_none()).collect());
    }
    let index = document.scene.unwrap_or(0);
    let scene = get(&document.scenes, index, "scene", &Place::json("/scene"))?;
    let place = Place::json(format!("/scenes/{index}"));
    for &root in &scene.nodes {
        get(&document.nodes, root, "node", &place)?;
        if let Some(parent) = parents[root] {
            let what = format!("node {root} is a root of the scene, but also a child of node {parent}");
            return Err(Fault::malformed(place, what));
        }
    }
    Ok(scene.nodes.clone())
}

/// Where a node stands in its parent, at rest.
pub(super) fn local(index: usize, node: &Node) -> Result<Local, Fault> {
    if let Some(matrix) = &node.matrix {
        // The last number divides all others; exporters write it with a rounding error at times.
        let divisor = matrix[15];
        if [matrix[3], matrix[7], matrix[11]] != [0.0; 3] || divisor == 0.0 {
            let what = "the last row of the matrix is not 0 0 0 1";
            return Err(Fault::malformed(place_of(index), what));
        }
        let matrix = DMat4::from_cols_array(&matrix.map(|value| value / divisor));
        return Ok(Local::Matrix(DAffine3::from_mat4(matrix)));
    }
    let translation = DVec3::from_array(node.translation.unwrap_or_default());
    let scale = DVec3::from_array(node.scale.unwrap_or([1.0; 3]));
    let rotation = unit_rotation(node.rotation.unwrap_or([0.0, 0.0, 0.0, 1.0]))
        .map_err(|what| Fault::malformed(place_of(index), what))?;
    Ok(Local::Trs {
        translation: Value::Still(translation),
        rotation: Value::Still(rotation),
        scale: Value::Still(scale),
    })
}

/// A quaternion of length 1; what is wrong with it where it has no direction.
pub(super) fn unit_rotation([x, y, z, w]: [f64; 4]) -> Result<DQuat, String> {
    // Written with few digits, a quaternion is not quite of length 1 and would scale a little.
    let length = DQuat::from_xyzw(x, y, z, w).length();
    if !(length > 0.0 && length.is_finite()) {
        return Err(format!("the rotation {x} {y} {z} {w} is no direction"));
    }
    Ok(DQuat::from_xyzw(x / length, y / length, z / length, w / length))
}
