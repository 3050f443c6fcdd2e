//! Reads translation, rotation and scale out of a matrix (Maia et al. 2006, §3.1), or says how far it is from having them.

use super::error::TransformError;
use super::inverse::{self, Invertible};
use super::{Trs, convert, rotation};
use crate::math::{DAffine3, DMat4, DQuat, DVec3};
use crate::tolerance::SHEAR_TOLERANCE;

impl Trs {
    /// Translation, rotation and scale of a matrix that is their product, within
    /// [`SHEAR_TOLERANCE`].
    ///
    /// The scales are positive, but that of x is negative when the matrix mirrors: which axis was mirrored cannot be
    /// read from a matrix, because mirroring another one differs only by a rotation. A sheared matrix is an error
    /// that says how far it is off; [`Placement`](super::Placement) takes it.
    #[doc(alias = "decompose")]
    #[doc(alias = "to_scale_rotation_translation")]
    pub fn extract(world_from_model: &DMat4) -> Result<Trs, TransformError> {
        Trs::extract_within(&convert::affine_of_matrix(world_from_model)?, SHEAR_TOLERANCE)
    }

    /// [`extract`](Self::extract) with a given largest accepted cosine between two columns. The extracted
    /// transform has the lengths of the columns, and some rotation near them.
    pub fn extract_within(world_from_model: &DAffine3, tolerance: f64) -> Result<Trs, TransformError> {
        inverse::check_range(world_from_model)?;
        // A singular matrix is sheared as well, but that it is singular is what its user must know.
        let Invertible { mirrored, .. } = inverse::check_invertible(&world_from_model.matrix3)?;
        let (columns, cosine_squared) = inverse::worst_cosine_squared(&world_from_model.matrix3);
        let cosine = cosine_squared.sqrt();
        let allowed = cosine <= tolerance;
        if !allowed {
            return Err(TransformError::Sheared { columns, cosine, tolerance });
        }
        Trs::extract_unchecked(world_from_model, mirrored)
    }

    /// Extraction from a matrix that is known to have the form: three square roots.
    pub(super) fn extract_unchecked(map: &DAffine3, mirrored: bool) -> Result<Trs, TransformError> {
        let linear = &map.matrix3;
        let mut scale = DVec3::new(linear.x_axis.length(), linear.y_axis.length(), linear.z_axis.length());
        if mirrored {
            scale.x = -scale.x;
        }
        let rotation = DQuat::from_rotation_axes(
            linear.x_axis / scale.x,
            linear.y_axis / scale.y,
            linear.z_axis / scale.z,
        );
        // Columns that are not quite at right angles make a quaternion that is not quite of length 1.
        Trs::new(map.translation, rotation::normalized(rotation), scale)
    }
}
