//! Meshes that change their shape with time: morph targets and skins.

use impinge::animation::Rig;
use impinge::math::{DAffine3, DVec3};

/// What moves the vertices of a mesh beside where it stands: morph targets, a skin, or both.
#[derive(Clone, Debug, PartialEq)]
pub struct Deformation {
    pub(crate) at_rest: Vec<DVec3>,
    /// By how much each morph target moves each vertex.
    pub(crate) targets: Vec<Vec<DVec3>>,
    /// Of the targets, at rest.
    pub(crate) weights: Vec<f64>,
    pub(crate) skin: Option<Skinned>,
}

/// Vertices that hang on joints.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Skinned {
    pub(crate) joints: Vec<usize>,
    pub(crate) joint_from_mesh: Vec<DAffine3>,
    /// The joints that vertices hang on, by their place in the skin, and how much on each: first those of vertex 0.
    pub(crate) hanging: Vec<(u32, f64)>,
    /// Where in the list the joints of each vertex end.
    pub(crate) ends: Vec<u32>,
    /// The mesh is kept mirrored, and its placement mirrors it back.
    pub(crate) is_mirrored: bool,
}

impl Skinned {
    /// Leaves the first vertices only.
    fn cut(&mut self, vertices: usize) {
        self.ends.truncate(vertices);
        self.hanging.truncate(self.ends.last().map_or(0, |end| *end as usize));
    }

    /// Moves vertices to where joints take them.
    pub(crate) fn apply(&self, world_from_mesh: &[DAffine3], vertices: &mut [DVec3]) {
        let mut from = 0;
        for (vertex, end) in vertices.iter_mut().zip(&self.ends) {
            let (mut sum, mut all) = (DVec3::ZERO, 0.0);
            let to = *end as usize;
            for &(joint, weight) in &self.hanging[std::mem::replace(&mut from, to)..to] {
                sum += weight * world_from_mesh[joint as usize].transform_point3(*vertex);
                all += weight;
            }
            // Weights are rounded and rarely add up to 1; a vertex without any follows the first joint.
            *vertex = if all > 0.0 { sum / all } else { world_from_mesh[0].transform_point3(*vertex) };
            if self.is_mirrored {
                vertex.x = -vertex.x;
            }
        }
    }
}

impl Deformation {
    /// Adds vertices that change their shape by the same weights and joints.
    pub(crate) fn append(&mut self, mut other: Deformation) {
        let (before, more) = (self.at_rest.len(), other.at_rest.len());
        let count = self.targets.len().max(other.targets.len());
        self.targets.resize(count, Vec::new());
        other.targets.resize(count, Vec::new());
        for (all, mut moves) in self.targets.iter_mut().zip(other.targets) {
            // A primitive without this target, or with vertices behind its last triangle.
            all.resize(before, DVec3::ZERO);
            moves.resize(more, DVec3::ZERO);
            all.append(&mut moves);
        }
        if let (Some(all), Some(mut skin)) = (&mut self.skin, other.skin) {
            all.cut(before);
            skin.cut(more);
            let first = all.hanging.len() as u32;
            all.hanging.append(&mut skin.hanging);
            all.ends.extend(skin.ends.iter().map(|end| end + first));
        }
        self.at_rest.append(&mut other.at_rest);
    }

    /// Whether joints move the vertices, and not where the mesh itself stands.
    pub fn has_skin(&self) -> bool {
        self.skin.is_some()
    }

    /// How many morph targets it has.
    pub fn targets(&self) -> usize {
        self.targets.len()
    }

    /// The joints of the skin.
    pub fn joints(&self) -> &[usize] {
        self.skin.as_ref().map_or(&[], |skin| &skin.joints)
    }

    /// Where the vertices are at a time, in the frame of the mesh. The weights of morph targets are those given, or else
    /// those at rest; those that are missing are 0.
    pub fn vertices(&self, rig: &Rig, weights: Option<Vec<f64>>, time: f64) -> Vec<DVec3> {
        let weights = weights.unwrap_or_else(|| self.weights.clone());
        let mut vertices = self.at_rest.clone();
        for (moves, &weight) in self.targets.iter().zip(&weights) {
            if weight != 0.0 {
                vertices.iter_mut().zip(moves).for_each(|(vertex, by)| *vertex += weight * *by);
            }
        }
        if let Some(skin) = &self.skin {
            let joints = skin.joints.iter().zip(&skin.joint_from_mesh);
            let world_from_mesh: Vec<DAffine3> =
                joints.map(|(joint, from_mesh)| rig.world_from_joint(*joint, time) * *from_mesh).collect();
            skin.apply(&world_from_mesh, &mut vertices);
        }
        vertices
    }
}
