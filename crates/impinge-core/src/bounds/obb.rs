//! Boxes that stand in any direction.

use super::error::{VolumeError, VolumePart, check_lengths, check_point};
use crate::math::{DMat3, DVec3, IntoPoint};
use crate::transform::Trs;

/// A solid box of any orientation. Closed.
#[doc(alias = "oriented bounding box")]
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Obb {
    centre: DVec3,
    half: DVec3,
    /// The columns are the box's axes in the world.
    axes: DMat3,
}

impl Obb {
    /// The box around `centre` that reaches `half` along each of its axes, which are the world's axes turned as
    /// `rotation` turns them. Only the rotation of the transform counts; [`Trs::rotation_about_axis`] makes one that is
    /// exact for quarter turns.
    pub fn new(centre: impl IntoPoint, half: impl IntoPoint, rotation: &Trs) -> Result<Obb, VolumeError> {
        let (centre, half) = (centre.into_point(), half.into_point());
        check_point(centre, VolumePart::Centre)?;
        check_lengths(&half.to_array(), VolumePart::Half)?;
        Ok(Obb { centre, half, axes: rotation.rotation_matrix() })
    }

    /// The centre.
    #[inline]
    pub fn centre(&self) -> DVec3 {
        self.centre
    }

    /// Half of each side.
    #[inline]
    pub fn half(&self) -> DVec3 {
        self.half
    }

    /// The directions of the sides, as columns of length 1.
    #[inline]
    pub fn axes(&self) -> &DMat3 {
        &self.axes
    }
}
