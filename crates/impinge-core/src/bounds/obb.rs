//! Oriented bounding boxes (OBBs).

use super::error::{VolumeError, VolumePart, check_lengths, check_point};
use crate::math::{DMat3, DVec3, IntoPoint};
use crate::transform::Trs;

/// A solid box of any orientation. Closed.
#[doc(alias = "oriented bounding box")]
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Obb {
    center: DVec3,
    half: DVec3,
    /// The columns are the box's axes in the world.
    axes: DMat3,
}

impl Obb {
    /// The box around `center` that reaches `half` along each of its axes, which are the world's axes turned as
    /// `rotation` turns them. Only the rotation of the transform counts; [`Trs::rotation_about_axis`] makes one that is
    /// exact for quarter turns.
    pub fn new(center: impl IntoPoint, half: impl IntoPoint, rotation: &Trs) -> Result<Obb, VolumeError> {
        let (center, half) = (center.into_point(), half.into_point());
        check_point(center, VolumePart::Center)?;
        check_lengths(&half.to_array(), VolumePart::Half)?;
        Ok(Obb { center, half, axes: rotation.rotation_matrix() })
    }

    /// The center of the box.
    #[inline]
    pub fn center(&self) -> DVec3 {
        self.center
    }

    /// The half-extents: half of each side.
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
