//! How far the places of nodes may be off, because their numbers were rounded when they were written.
//!
//! What a node's numbers may be off moves a point by a length and, the farther the point is from the node's origin, by more. Both go
//! down the tree once, however deep it is.

use impinge::math::{DAffine3, DVec3};

use super::json::{Document, Node};
use super::nodes::Nodes;
use crate::map_rounding::{MapRounding, greatest_scale};
use crate::rounding::of_number;

/// How far off translation, rotation and scale may take a point. Of the rotation, how far each number may be off is given.
pub(super) fn of_trs(
    translation: DVec3,
    rotation: [f64; 4],
    rotation_rounding: [f64; 4],
    scale: DVec3,
) -> MapRounding {
    let length = |numbers: [f64; 4]| numbers.map(|number| number * number).iter().sum::<f64>().sqrt();
    let norm = length(rotation);
    // A quaternion turns by twice its angle.
    let turn = if norm > 0.0 { 2.0 * length(rotation_rounding) / norm } else { 0.0 };
    MapRounding {
        length: rounded(translation).length(),
        share: turn * scale.abs().max_element() + rounded(scale).max_element(),
    }
}

/// How far the numbers of a vector may be off.
fn rounded(vector: DVec3) -> DVec3 {
    DVec3::from_array(vector.to_array().map(of_number))
}

/// The node that carries all instances.
#[derive(Default)]
pub(super) struct Carrier {
    pub(super) world_from_carrier: DAffine3,
    pub(super) rounding: MapRounding,
}

impl Carrier {
    /// How far it may take what is at these distances from the world's origin, at most.
    pub(super) fn at(&self, points: impl Iterator<Item = (DVec3, f64)>) -> f64 {
        let scale = greatest_scale(&self.world_from_carrier.matrix3);
        let from_here =
            |(center, reach): (DVec3, f64)| center.distance(self.world_from_carrier.translation) + reach;
        let reach = points.map(from_here).fold(0.0, f64::max);
        self.rounding.at(if scale > 0.0 { reach / scale } else { 0.0 })
    }
}

/// How far each node's place in the world may be off. `carries` says how many instances each node has of its own; nodes that carry all
/// of them move everything alike and count nothing.
pub(super) fn of_nodes(document: &Document, nodes: &Nodes, carries: &[usize]) -> (Vec<MapRounding>, Carrier) {
    let mut carried = carries.to_vec();
    for &node in nodes.order.iter().rev() {
        if let Some(parent) = nodes.parents[node] {
            carried[parent] += carried[node];
        }
    }
    let all: usize = carries.iter().sum();
    let mut roundings = vec![MapRounding::default(); carries.len()];
    let mut carrier = Carrier::default();
    for &node in &nodes.order {
        let parent = nodes.parents[node];
        if carried[node] == all {
            // Such nodes are in one line, each below the one before; without instances in nodes there are none to speak of.
            if all > 0 {
                let world_from_parent =
                    parent.map_or(DAffine3::IDENTITY, |parent| nodes.world_from_node[parent]);
                let own = of_node(&document.nodes[node]);
                let rounding = carrier.rounding.below(&world_from_parent, own, &nodes.parent_from_node[node]);
                carrier = Carrier { world_from_carrier: nodes.world_from_node[node], rounding };
            }
            continue;
        }
        let above = parent.map_or(MapRounding::default(), |parent| roundings[parent]);
        let world_from_parent = parent.map_or(DAffine3::IDENTITY, |parent| nodes.world_from_node[parent]);
        let own = of_node(&document.nodes[node]);
        roundings[node] = above.below(&world_from_parent, own, &nodes.parent_from_node[node]);
    }
    (roundings, carrier)
}

/// That of an instance: of its mesh, whose farthest vertex is at the distance `reach`, or of a copy of it in its node.
pub(super) fn of_instance(
    node: MapRounding,
    world_from_node: &DAffine3,
    copy: Option<&(DAffine3, MapRounding)>,
    reach: f64,
) -> f64 {
    let Some((node_from_copy, rounding)) = copy else { return node.at(reach) };
    let reach_in_node = node_from_copy.translation.length() + greatest_scale(&node_from_copy.matrix3) * reach;
    node.at(reach_in_node) + greatest_scale(&world_from_node.matrix3) * rounding.at(reach)
}

fn of_node(node: &Node) -> MapRounding {
    match &node.matrix {
        Some(matrix) => {
            let [x, y, z, translation] =
                std::array::from_fn(|column| rounded(DVec3::from_slice(&matrix[4 * column..4 * column + 3])));
            let divisor = matrix[15].abs();
            let share = (x.length_squared() + y.length_squared() + z.length_squared()).sqrt() / divisor;
            MapRounding { length: translation.length() / divisor, share }
        }
        None => {
            let rotation = node.rotation.unwrap_or([0.0, 0.0, 0.0, 1.0]);
            of_trs(
                DVec3::from_array(node.translation.unwrap_or_default()),
                rotation,
                rotation.map(of_number),
                DVec3::from_array(node.scale.unwrap_or([1.0; 3])),
            )
        }
    }
}
