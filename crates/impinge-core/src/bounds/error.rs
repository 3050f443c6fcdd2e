//! Errors of volumes: the reasons why numbers do not make one, as data and in plain words.

use std::fmt;

use crate::math::DVec3;
use crate::tolerance::LARGEST;

/// A number inside the description of a volume. Axes, rows and columns count from 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum VolumePart {
    /// The least corner of a box, along an axis.
    Min(usize),
    /// The greatest corner of a box, along an axis.
    Max(usize),
    /// The center, along an axis.
    Center(usize),
    /// Half of a side of a box.
    Half(usize),
    /// The first end of a capsule's axis.
    Start(usize),
    /// The last end of a capsule's axis.
    End(usize),
    /// The radius.
    Radius,
    /// The normal of a plane.
    Normal(usize),
    /// The distance of a plane from the origin, in lengths of its normal.
    Offset,
    /// An entry of the matrix of a frustum.
    Entry {
        /// The row of the entry.
        row: usize,
        /// The column of the entry.
        column: usize,
    },
}

impl fmt::Display for VolumePart {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let axis = |axis: usize| ["x", "y", "z"].get(axis).copied().unwrap_or("?");
        match *self {
            VolumePart::Min(i) => write!(f, "the least {} of the box", axis(i)),
            VolumePart::Max(i) => write!(f, "the greatest {} of the box", axis(i)),
            VolumePart::Center(i) => write!(f, "the {} of the center", axis(i)),
            VolumePart::Half(i) => write!(f, "half side {i} of the box (counted from 0)"),
            VolumePart::Start(i) => write!(f, "the {} of the axis' start", axis(i)),
            VolumePart::End(i) => write!(f, "the {} of the axis' end", axis(i)),
            VolumePart::Radius => write!(f, "the radius"),
            VolumePart::Normal(i) => write!(f, "the {} of the normal", axis(i)),
            VolumePart::Offset => write!(f, "the offset of the plane"),
            VolumePart::Entry { row, column } => {
                write!(f, "the entry in row {row}, column {column} of the matrix (counted from 0)")
            }
        }
    }
}

/// The reason why numbers do not make a volume.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum VolumeError {
    /// A number is NaN or infinite.
    #[error("{part} is {value}, which is not a finite number")]
    NotFinite {
        /// The number that is at fault.
        part: VolumePart,
        /// The value that was given.
        value: f64,
    },
    /// A number is so large that differences and products with it could overflow.
    #[error("{part} is {value:e}, but may be at most {limit:e} in magnitude")]
    TooLarge {
        /// The number that is at fault.
        part: VolumePart,
        /// The value that was given.
        value: f64,
        /// The largest accepted magnitude.
        limit: f64,
    },
    /// A radius or a half side is below 0.
    #[error("{part} is {value}, but must not be negative")]
    Negative {
        /// The number that is at fault.
        part: VolumePart,
        /// The value that was given.
        value: f64,
    },
    /// The least corner of a box exceeds its greatest.
    #[error("the box is empty: its least {} is {min}, and its greatest is {max}", ["x", "y", "z"][*axis % 3])]
    EmptyBox {
        /// The axis along which the corners are exchanged: 0, 1 or 2.
        axis: usize,
        /// The least coordinate along the axis.
        min: f64,
        /// The greatest coordinate along the axis.
        max: f64,
    },
    /// The normal of a plane has no length.
    #[error("the plane's normal is 0, 0, 0, which is no direction")]
    NoNormal,
    /// The matrix of a frustum has no inverse.
    #[error("the frustum's matrix is singular: it flattens space")]
    SingularFrustum,
    /// No point of the world is in the frustum.
    #[error("the frustum holds no point: every point has a clip coordinate outside of -w to w")]
    EmptyFrustum,
}

/// The first number that is not finite, or above `limit` in magnitude, as an error.
pub(super) fn check(
    values: &[f64],
    limit: f64,
    part: impl Fn(usize) -> VolumePart,
) -> Result<(), VolumeError> {
    for (i, &value) in values.iter().enumerate() {
        if !value.is_finite() {
            return Err(VolumeError::NotFinite { part: part(i), value });
        }
        if value.abs() > limit {
            return Err(VolumeError::TooLarge { part: part(i), value, limit });
        }
    }
    Ok(())
}

/// Checks a point whose differences with others must not overflow.
pub(super) fn check_point(point: DVec3, part: impl Fn(usize) -> VolumePart) -> Result<(), VolumeError> {
    check(&point.to_array(), LARGEST, part)
}

/// Checks that lengths are finite, in range and not negative.
pub(super) fn check_lengths(values: &[f64], part: impl Fn(usize) -> VolumePart) -> Result<(), VolumeError> {
    check(values, LARGEST, &part)?;
    match values.iter().position(|&value| value < 0.0) {
        Some(i) => Err(VolumeError::Negative { part: part(i), value: values[i] }),
        None => Ok(()),
    }
}
