//! Skins: every vertex follows the joints that it hangs on.

use impinge::math::{DAffine3, DMat4, DVec3};

use super::accessor::Accessors;
use super::attributes::Source;
use super::buffers::get;
use super::json::{Attributes, Skin};
use super::nodes::Nodes;
use crate::deformation::Skinned;
use crate::error::{Fault, Place, ReadErrorKind};
use crate::map_rounding::greatest_scale;

/// The joints of a skin, where the mesh was when they were bound to it, and where they stand at rest.
pub(super) struct Binding {
    pub(super) joints: Vec<usize>,
    pub(super) joint_from_mesh: Vec<DAffine3>,
    world_from_mesh: Vec<DAffine3>,
}

impl Binding {
    pub(super) fn read(
        accessors: &Accessors<'_>,
        skin: &Skin,
        nodes: &Nodes,
        place: &Place,
    ) -> Result<Binding, Fault> {
        let inverse_bind = match skin.inverse_bind_matrices {
            None => None,
            Some(index) => Some(accessors.read::<16>(index, "MAT4", place)?),
        };
        let mut binding =
            Binding { joints: skin.joints.clone(), joint_from_mesh: Vec::new(), world_from_mesh: Vec::new() };
        for (i, &joint) in skin.joints.iter().enumerate() {
            let world_from_joint = *get(&nodes.world_from_node, joint, "node", place)?;
            let joint_from_mesh = match &inverse_bind {
                None => DAffine3::IDENTITY,
                Some(matrices) => {
                    let matrix = get(matrices, i, "inverse bind matrix", place)?;
                    DAffine3::from_mat4(DMat4::from_cols_array(matrix))
                }
            };
            binding.joint_from_mesh.push(joint_from_mesh);
            binding.world_from_mesh.push(world_from_joint * joint_from_mesh);
        }
        Ok(binding)
    }

    /// What the vertices of a primitive hang on.
    pub(super) fn hang(
        &self,
        source: &Source<'_, '_>,
        attributes: &Attributes,
        vertices: usize,
    ) -> Result<Skinned, Fault> {
        let place = source.place;
        let mut sets = Vec::new();
        for (set, joints, weights) in
            [(0, attributes.joints_0, attributes.weights_0), (1, attributes.joints_1, attributes.weights_1)]
        {
            let (Some(joints), Some(weights)) = (joints, weights) else { continue };
            let joints = source.read::<4>(&format!("JOINTS_{set}"), joints, "VEC4")?;
            let weights = source.read::<4>(&format!("WEIGHTS_{set}"), weights, "VEC4")?;
            if joints.len() != vertices || weights.len() != vertices {
                let what = "joints, weights and vertices are not equally many";
                return Err(Fault::malformed(place.clone(), what));
            }
            sets.push((joints, weights));
        }
        let (mut hanging, mut ends) = (Vec::new(), Vec::with_capacity(vertices));
        for vertex in 0..vertices {
            for (joints, weights) in &sets {
                for (&joint, &weight) in joints[vertex].iter().zip(&weights[vertex]) {
                    if weight != 0.0 {
                        hanging.push((self.joint(joint, place)?, weight));
                    }
                }
            }
            ends.push(hanging.len() as u32);
        }
        self.joint(0.0, place)?;
        Ok(Skinned {
            joints: self.joints.clone(),
            joint_from_mesh: self.joint_from_mesh.clone(),
            hanging,
            ends,
            is_mirrored: self.is_mirrored(),
        })
    }

    /// Moves vertices to where they are at rest, up to [`world_from_applied`](Self::world_from_applied).
    pub(super) fn apply(&self, skinned: &Skinned, vertices: &mut [DVec3]) {
        skinned.apply(&self.world_from_mesh, vertices);
    }

    /// The greatest factor by which a joint makes lengths longer.
    pub(super) fn greatest_scale(&self) -> f64 {
        self.world_from_mesh.iter().map(|map| greatest_scale(&map.matrix3)).fold(0.0, f64::max)
    }

    /// Where the vertices stand after [`apply`](Self::apply).
    pub(super) fn world_from_applied(&self) -> DAffine3 {
        if self.is_mirrored() { DAffine3::from_scale(DVec3::new(-1.0, 1.0, 1.0)) } else { DAffine3::IDENTITY }
    }

    /// Whether the joints turn the mesh inside out. Its vertices are then left mirrored, without rounding, and the
    /// mirror goes into the placement, which is where everybody looks for it.
    fn is_mirrored(&self) -> bool {
        self.world_from_mesh.first().is_some_and(|first| first.matrix3.determinant() < 0.0)
    }

    fn joint(&self, joint: f64, place: &Place) -> Result<u32, Fault> {
        let count = self.joints.len();
        if joint >= 0.0 && (joint as usize) < count {
            return Ok(joint as u32);
        }
        let kind = ReadErrorKind::IndexOutOfRange { what: "joint", index: joint as i64, count };
        Err(Fault::new(place.clone(), kind))
    }
}
