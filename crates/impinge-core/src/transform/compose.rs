//! One transform after another.

use super::error::TransformError;
use super::{Placement, Trs};
use crate::math::{DMat3, DVec3};

impl Trs {
    /// This transform, followed by `next`.
    ///
    /// It is translation · rotation · scale again when `next` scales all axes alike, or when this rotation takes
    /// axes to axes; the placement then has a [`Trs`](Placement::trs). Otherwise it is sheared.
    pub fn then(&self, next: &Trs) -> Result<Placement, TransformError> {
        let Some(next_scale) = scale_seen_through(next.scale(), self.rotation_matrix()) else {
            return Placement::try_from(next.matrix() * self.matrix());
        };
        let position = next.matrix().transform_point3(self.position());
        let orientation = next.orientation() * self.orientation();
        Trs::new(position, orientation, next_scale * self.scale()).map(Placement::from)
    }
}

impl Placement {
    /// This placement, followed by `next`, as when a part stands in an assembly and the assembly in the world.
    pub fn then(&self, next: &Placement) -> Result<Placement, TransformError> {
        match (self.trs(), next.trs()) {
            (Some(trs), Some(next)) => trs.then(&next),
            _ => Placement::try_from(*next.world_from_model() * *self.world_from_model()),
        }
    }
}

/// The scale `S'` with `S · R = R · S'` for a scale `S` and a rotation `R`, where there is one.
fn scale_seen_through(scale: DVec3, rotation: DMat3) -> Option<DVec3> {
    if scale == DVec3::splat(scale.x) {
        return Some(scale);
    }
    let axes = [rotation.x_axis, rotation.y_axis, rotation.z_axis].map(DVec3::abs);
    let to_axes = axes.iter().all(|axis| axis.max_element() == 1.0 && axis.element_sum() == 1.0);
    to_axes.then(|| DVec3::from_array(axes.map(|axis| axis.dot(scale))))
}
