//! Rotations as quaternions: from axis and angle, normalized, and as matrices.
//!
//! Everything here treats the components alike, so that components of equal magnitude give equal bits. That is what
//! makes the 24 rotations of a cube come out as matrices of 0, 1 and -1, with no rounding left and no snapping.

use super::error::{TransformError, TransformPart, check_finite};
use crate::math::{DMat3, DQuat, DVec3};
use crate::tolerance::{ROTATION_LENGTH_TOLERANCE, UNIT};

/// √3 / 2, the sine of 60°, to the nearest `f64`.
const SIN_60: f64 = 0.866_025_403_784_438_6;

/// The unit quaternion of a turn about `axis` by the angle whose half has this sine and cosine.
pub(super) fn about_axis(axis: DVec3, sin_half: f64, cos_half: f64) -> Result<DQuat, TransformError> {
    check_finite(axis.to_array(), TransformPart::RotationAxis)?;
    let largest = axis.abs().max_element();
    if largest == 0.0 {
        return Err(TransformError::NoAxis);
    }
    // The axis may be of any length, 1e300 and subnormal included: its largest component becomes 1.
    let axis = axis / largest;
    let vector = axis * sin_half;
    // Scaling cos by the axis' length instead of dividing the axis by it keeps the components of a third of a turn
    // about a diagonal equal bit by bit.
    Ok(normalized(DQuat::from_xyzw(vector.x, vector.y, vector.z, cos_half * axis.length())))
}

/// The unit quaternion near `rotation`, or why there is none.
pub(super) fn checked(rotation: DQuat) -> Result<DQuat, TransformError> {
    check_finite(rotation.to_array(), TransformPart::Rotation)?;
    let length = norm_squared(rotation).sqrt();
    let tolerance = ROTATION_LENGTH_TOLERANCE;
    if (length - 1.0).abs() > tolerance {
        return Err(TransformError::RotationLength { length, tolerance });
    }
    Ok(normalized(rotation))
}

/// Normalizes a rotation to length 1 up to rounding. A quaternion that has it already keeps its bits.
pub(super) fn normalized(rotation: DQuat) -> DQuat {
    let norm_squared = norm_squared(rotation);
    if (norm_squared - 1.0).abs() <= 8.0 * UNIT { rotation } else { rotation / norm_squared.sqrt() }
}

/// Summed in pairs: four equal squares add up without rounding, which a running sum of three would spoil.
fn norm_squared(q: DQuat) -> f64 {
    (q.w * q.w + q.x * q.x) + (q.y * q.y + q.z * q.z)
}

/// The matrix of a rotation. Divides by the squared length, so it is a rotation for every length of `q`.
pub(super) fn matrix(q: DQuat) -> DMat3 {
    let (xx, yy, zz, ww) = (q.x * q.x, q.y * q.y, q.z * q.z, q.w * q.w);
    let n = norm_squared(q);
    let off = |a: f64, b: f64| 2.0 * (a + b) / n;
    DMat3::from_cols(
        DVec3::new(((ww + xx) - (yy + zz)) / n, off(q.x * q.y, q.w * q.z), off(q.x * q.z, -(q.w * q.y))),
        DVec3::new(off(q.x * q.y, -(q.w * q.z)), ((ww + yy) - (xx + zz)) / n, off(q.y * q.z, q.w * q.x)),
        DVec3::new(off(q.x * q.z, q.w * q.y), off(q.y * q.z, -(q.w * q.x)), ((ww + zz) - (xx + yy)) / n),
    )
}

/// Sine and cosine of half of a finite angle in degrees, correctly rounded where the half is a multiple of 30° or 45°.
pub(super) fn sin_cos_half_degrees(degrees: f64) -> (f64, f64) {
    // The remainder is exact. A full turn changes the sign of the quaternion, but not the rotation.
    let half = (degrees % 360.0) / 2.0;
    let quarters = (half / 90.0).round();
    // Exact: both numbers are multiples of the last place of `half`, and the difference is not larger.
    let rest = half - 90.0 * quarters;
    let (sin, cos) = match rest.abs() {
        45.0 => (std::f64::consts::FRAC_1_SQRT_2, std::f64::consts::FRAC_1_SQRT_2),
        30.0 => (0.5, SIN_60),
        rest => (libm::sin(rest.to_radians()), libm::cos(rest.to_radians())),
    };
    let sin = sin.copysign(rest);
    match quarters as i32 {
        0 => (sin, cos),
        1 => (cos, -sin),
        -1 => (-cos, sin),
        // Half a full turn of the half angle: ±180°.
        _ => (-sin, -cos),
    }
}
