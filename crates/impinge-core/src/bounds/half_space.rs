//! Planes and half-spaces.

use super::error::{VolumeError, VolumePart, check};
use crate::math::{DVec3, IntoPoint};

/// A half-space: all points x with `normal · x ≤ offset`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct HalfSpace {
    normal: DVec3,
    offset: f64,
}

impl HalfSpace {
    /// The half-space behind a plane. The normal may have any length but 0; the offset is in multiples of it.
    pub fn new(normal: impl IntoPoint, offset: f64) -> Result<HalfSpace, VolumeError> {
        let normal = normal.into_point();
        check(&normal.to_array(), f64::MAX, VolumePart::Normal)?;
        check(&[offset], f64::MAX, |_| VolumePart::Offset)?;
        if normal == DVec3::ZERO {
            return Err(VolumeError::NoNormal);
        }
        Ok(HalfSpace { normal, offset })
    }

    /// The outward normal of the bounding plane, of the length that was given.
    #[inline]
    pub fn normal(&self) -> DVec3 {
        self.normal
    }

    /// The offset of the bounding plane, in multiples of the normal.
    #[inline]
    pub fn offset(&self) -> f64 {
        self.offset
    }

    /// The half-space on the other side of the same plane.
    #[must_use]
    pub fn opposite(&self) -> HalfSpace {
        HalfSpace { normal: -self.normal, offset: -self.offset }
    }

    /// A half-space of a frustum; `None` where the normal is 0.
    pub(super) fn of_row(normal: DVec3, offset: f64) -> Option<HalfSpace> {
        (normal != DVec3::ZERO).then_some(HalfSpace { normal, offset })
    }
}

/// A plane: all points x with `normal · x = offset`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Plane(HalfSpace);

impl Plane {
    /// A plane. The normal may have any length but 0; the offset is in multiples of it.
    pub fn new(normal: impl IntoPoint, offset: f64) -> Result<Plane, VolumeError> {
        HalfSpace::new(normal, offset).map(Plane)
    }

    /// The closed half-space behind the plane.
    #[inline]
    pub fn behind(&self) -> HalfSpace {
        self.0
    }

    /// The closed half-space before the plane.
    #[inline]
    pub fn before(&self) -> HalfSpace {
        self.0.opposite()
    }
}
