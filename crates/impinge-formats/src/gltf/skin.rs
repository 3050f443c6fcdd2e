//! Skins at rest: every vertex follows the joints that it hangs on, as a viewer shows it before any animation.

use impinge::math::{DAffine3, DMat4, DVec3};

use super::accessor::Accessors;
use super::buffers::get;
use super::json::{Attributes, Skin};
use super::nodes::Nodes;
use crate::error::{Fault, Place, ReadErrorKind};

/// Where each joint takes the vertices that hang on it: from the mesh's frame straight to the world's.
pub(super) struct Pose {
    world_from_mesh: Vec<DAffine3>,
}

impl Pose {
    pub(super) fn read(
        accessors: &Accessors<'_>,
        skin: &Skin,
        nodes: &Nodes,
        place: &Place,
    ) -> Result<Pose, Fault> {
        let inverse_bind = match skin.inverse_bind_matrices {
            None => None,
            Some(index) => Some(accessors.read::<16>(index, "MAT4", place)?),
        };
        let mut world_from_mesh = Vec::with_capacity(skin.joints.len());
        for (i, &joint) in skin.joints.iter().enumerate() {
            let world_from_joint = *get(&nodes.world_from_node, joint, "node", place)?;
            let joint_from_mesh = match &inverse_bind {
                None => DAffine3::IDENTITY,
                Some(matrices) => {
                    let matrix = get(matrices, i, "inverse bind matrix", place)?;
                    DAffine3::from_mat4(DMat4::from_cols_array(matrix))
                }
            };
            world_from_mesh.push(world_from_joint * joint_from_mesh);
        }
        Ok(Pose { world_from_mesh })
    }

    /// Moves the vertices of a primitive into the world's frame, up to [`world_from_applied`](Self::world_from_applied).
    pub(super) fn apply(
        &self,
        accessors: &Accessors<'_>,
        attributes: &Attributes,
        place: &Place,
        vertices: &mut [DVec3],
    ) -> Result<(), Fault> {
        let sets = [(attributes.joints_0, attributes.weights_0), (attributes.joints_1, attributes.weights_1)];
        let mut moved = vec![(DVec3::ZERO, 0.0); vertices.len()];
        for (joints, weights) in sets {
            let (Some(joints), Some(weights)) = (joints, weights) else { continue };
            let joints = accessors.read::<4>(joints, "VEC4", place)?;
            let weights = accessors.read::<4>(weights, "VEC4", place)?;
            if joints.len() != vertices.len() || weights.len() != vertices.len() {
                let what = "joints, weights and vertices are not equally many";
                return Err(Fault::malformed(place.clone(), what));
            }
            for (vertex, (joints, weights)) in joints.iter().zip(&weights).enumerate() {
                for (&joint, &weight) in joints.iter().zip(weights) {
                    if weight != 0.0 {
                        let world_from_mesh = self.joint(joint, place)?;
                        moved[vertex].0 += weight * world_from_mesh.transform_point3(vertices[vertex]);
                        moved[vertex].1 += weight;
                    }
                }
            }
        }
        let first = self.joint(0.0, place)?;
        for (vertex, (sum, weight)) in vertices.iter_mut().zip(moved) {
            // Weights are rounded and rarely add up to 1; a vertex without any follows the first joint.
            *vertex = if weight > 0.0 { sum / weight } else { first.transform_point3(*vertex) };
            if self.is_mirrored() {
                vertex.x = -vertex.x;
            }
        }
        Ok(())
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

    fn joint(&self, joint: f64, place: &Place) -> Result<&DAffine3, Fault> {
        let found = self.world_from_mesh.get(joint as usize).filter(|_| joint >= 0.0);
        found.ok_or_else(|| {
            let count = self.world_from_mesh.len();
            let kind = ReadErrorKind::IndexOutOfRange { what: "joint", index: joint as i64, count };
            Fault::new(place.clone(), kind)
        })
    }
}
