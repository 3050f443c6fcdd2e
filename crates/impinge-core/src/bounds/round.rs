//! Spheres and capsules: all points within a radius of a point or of a segment.

use super::error::{VolumeError, VolumePart, check_lengths, check_point};
use crate::math::{DVec3, IntoPoint};

/// A solid ball. Closed: points on its surface belong to it.
#[doc(alias = "ball")]
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Sphere {
    center: DVec3,
    radius: f64,
}

impl Sphere {
    /// The ball around a point. A radius of 0 makes it that point.
    pub fn new(center: impl IntoPoint, radius: f64) -> Result<Sphere, VolumeError> {
        let center = center.into_point();
        check_point(center, VolumePart::Center)?;
        check_lengths(&[radius], |_| VolumePart::Radius)?;
        Ok(Sphere { center, radius })
    }

    /// The center.
    #[inline]
    pub fn center(&self) -> DVec3 {
        self.center
    }

    /// The radius.
    #[inline]
    pub fn radius(&self) -> f64 {
        self.radius
    }
}

/// A solid capsule: all points within a radius of a segment. Closed.
#[doc(alias = "line swept sphere")]
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Capsule {
    start: DVec3,
    end: DVec3,
    radius: f64,
}

impl Capsule {
    /// The capsule around the segment from `start` to `end`, which may be one point.
    pub fn new(start: impl IntoPoint, end: impl IntoPoint, radius: f64) -> Result<Capsule, VolumeError> {
        let (start, end) = (start.into_point(), end.into_point());
        check_point(start, VolumePart::Start)?;
        check_point(end, VolumePart::End)?;
        check_lengths(&[radius], |_| VolumePart::Radius)?;
        Ok(Capsule { start, end, radius })
    }

    /// The first end of the axis.
    #[inline]
    pub fn start(&self) -> DVec3 {
        self.start
    }

    /// The last end of the axis.
    #[inline]
    pub fn end(&self) -> DVec3 {
        self.end
    }

    /// The radius.
    #[inline]
    pub fn radius(&self) -> f64 {
        self.radius
    }
}
