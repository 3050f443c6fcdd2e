//! Translation · rotation · scale: the form in which a transform has a meaning (Maia et al. 2006, §3.1, equation 1).

use super::error::{TransformError, TransformPart, check_finite, check_large, check_small};
use super::rotation;
use crate::math::{DAffine3, DMat3, DQuat, DVec3, IntoPoint};
use crate::tolerance::{LARGEST, SMALLEST_SCALE};

/// A transform that scales along the model's axes, then rotates, then translates.
///
/// Every value is finite, no scale is zero, the rotation has length 1. A negative scale mirrors.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Trs {
    position: DVec3,
    orientation: DQuat,
    scale: DVec3,
}

impl Trs {
    /// The transform that changes nothing.
    pub const IDENTITY: Trs = Trs { position: DVec3::ZERO, orientation: DQuat::IDENTITY, scale: DVec3::ONE };

    /// Scales, then rotates, then translates.
    ///
    /// The rotation is normalized when its length is 1 within
    /// [`ROTATION_LENGTH_TOLERANCE`](super::ROTATION_LENGTH_TOLERANCE), and refused otherwise. Scales reach from
    /// [`SMALLEST_SCALE`] to [`LARGEST`] in magnitude, translations up to [`LARGEST`].
    pub fn new(
        translation: impl IntoPoint,
        rotation: DQuat,
        scale: impl IntoPoint,
    ) -> Result<Trs, TransformError> {
        let (position, scale) = (translation.into_point(), scale.into_point());
        check_finite(position.to_array(), TransformPart::Translation)?;
        check_large(position.to_array(), LARGEST, TransformPart::Translation)?;
        check_finite(scale.to_array(), TransformPart::Scale)?;
        check_large(scale.to_array(), LARGEST, TransformPart::Scale)?;
        check_small(scale.to_array(), SMALLEST_SCALE, TransformPart::Scale)?;
        Ok(Trs { position, orientation: rotation::checked(rotation)?, scale })
    }

    /// Rotates, then translates.
    #[doc(alias = "isometry")]
    #[doc(alias = "pose")]
    pub fn rigid(translation: impl IntoPoint, rotation: DQuat) -> Result<Trs, TransformError> {
        Trs::new(translation, rotation, DVec3::ONE)
    }

    /// Translates.
    pub fn translation(by: impl IntoPoint) -> Result<Trs, TransformError> {
        Trs::rigid(by, DQuat::IDENTITY)
    }

    /// Scales along the axes, about the origin.
    pub fn scaling(by: impl IntoPoint) -> Result<Trs, TransformError> {
        Trs::new(DVec3::ZERO, DQuat::IDENTITY, by)
    }

    /// Turns about an axis through the origin, by the right-hand rule. The axis may have any length but 0.
    ///
    /// The bits are the same on every platform. Multiples of 90° about a coordinate axis, and of 120° about a diagonal of the
    /// cube, are exact: the [matrix](Self::matrix) has only the entries 0, 1 and -1.
    pub fn rotation_about_axis(axis: impl IntoPoint, degrees: f64) -> Result<Trs, TransformError> {
        check_finite([degrees], |_| TransformPart::Angle)?;
        let (sin, cos) = rotation::sin_cos_half_degrees(degrees);
        Ok(Trs { orientation: rotation::about_axis(axis.into_point(), sin, cos)?, ..Trs::IDENTITY })
    }

    /// Turns about an axis like [`rotation_about_axis`](Self::rotation_about_axis), by an angle in radians. No `f64`
    /// is exactly a quarter of a turn in radians, so no turn is exact but that by 0.
    pub fn rotation_about_axis_radians(axis: impl IntoPoint, radians: f64) -> Result<Trs, TransformError> {
        check_finite([radians], |_| TransformPart::Angle)?;
        let (sin, cos) = (libm::sin(radians / 2.0), libm::cos(radians / 2.0));
        Ok(Trs { orientation: rotation::about_axis(axis.into_point(), sin, cos)?, ..Trs::IDENTITY })
    }

    /// The position of the model's origin.
    #[inline]
    pub fn position(&self) -> DVec3 {
        self.position
    }

    /// The rotation; `q` and `-q` are the same one.
    #[inline]
    pub fn orientation(&self) -> DQuat {
        self.orientation
    }

    /// The scale along each of the model's axes.
    #[inline]
    pub fn scale(&self) -> DVec3 {
        self.scale
    }

    /// Whether the transform mirrors: an odd number of scales is negative.
    #[inline]
    pub fn is_mirrored(&self) -> bool {
        // Signs only: the product of three scales could underflow.
        (self.scale.is_negative_bitmask().count_ones() & 1) == 1
    }

    /// The rotation as a matrix, whose columns are the images of the axes.
    pub fn rotation_matrix(&self) -> DMat3 {
        rotation::matrix(self.orientation)
    }

    /// The matrix `[s_x r_0, s_y r_1, s_z r_2, t]`.
    pub fn matrix(&self) -> DAffine3 {
        let r = self.rotation_matrix();
        DAffine3::from_cols(
            r.x_axis * self.scale.x,
            r.y_axis * self.scale.y,
            r.z_axis * self.scale.z,
            self.position,
        )
    }
}

impl Default for Trs {
    fn default() -> Trs {
        Trs::IDENTITY
    }
}
