//! Errors of transforms: the reasons why one was refused, as data and in plain words.

use std::convert::Infallible;
use std::fmt;

/// A number inside the input of a transform. Axes, rows and columns count from 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum TransformPart {
    /// The translation along an axis.
    Translation(usize),
    /// A component of the rotation quaternion, in the order x, y, z, w.
    Rotation(usize),
    /// The scale along an axis.
    Scale(usize),
    /// A component of the axis to rotate about.
    RotationAxis(usize),
    /// The angle to rotate by.
    Angle,
    /// An entry of the matrix.
    Entry {
        /// The row of the entry.
        row: usize,
        /// The column of the entry.
        column: usize,
    },
    /// The largest entry in a row of the linear part of the matrix.
    Row(usize),
    /// The largest entry in a column of the linear part of the matrix.
    Column(usize),
    /// An entry of the inverse of the linear part.
    InverseEntry {
        /// The row of the entry.
        row: usize,
        /// The column of the entry.
        column: usize,
    },
}

impl fmt::Display for TransformPart {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        const NAMES: [&str; 4] = ["x", "y", "z", "w"];
        let name = |component: usize| NAMES.get(component).copied().unwrap_or("?");
        match *self {
            TransformPart::Translation(axis) => write!(f, "the translation in {}", name(axis)),
            TransformPart::Rotation(component) => {
                write!(f, "the component {} of the rotation", name(component))
            }
            TransformPart::Scale(axis) => write!(f, "the scale in {}", name(axis)),
            TransformPart::RotationAxis(axis) => {
                write!(f, "the component {} of the rotation's axis", name(axis))
            }
            TransformPart::Angle => write!(f, "the rotation's angle"),
            TransformPart::Entry { row, column } => {
                write!(f, "the entry in row {row}, column {column} of the matrix (counted from 0)")
            }
            TransformPart::Row(row) => {
                write!(f, "the largest entry in row {row} of the matrix (counted from 0)")
            }
            TransformPart::Column(column) => {
                write!(f, "the largest entry in column {column} of the matrix (counted from 0)")
            }
            TransformPart::InverseEntry { row, column } => {
                write!(f, "the entry in row {row}, column {column} of the inverse matrix (counted from 0)")
            }
        }
    }
}

/// The reason why numbers do not make a transform.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum TransformError {
    /// A number is NaN or infinite.
    #[error("{part} is {value}, which is not a finite number")]
    NotFinite {
        /// The number that is at fault.
        part: TransformPart,
        /// The value that was given.
        value: f64,
    },
    /// A number is so large that products with it could overflow.
    #[error("{part} is {value:e}, but may be at most {limit:e}")]
    TooLarge {
        /// The number that is at fault.
        part: TransformPart,
        /// The value that was given.
        value: f64,
        /// The largest accepted magnitude.
        limit: f64,
    },
    /// A number is not zero, but so small that the inverse could overflow.
    #[error("{part} is {value:e}, but must be at least {limit:e} in magnitude")]
    TooSmall {
        /// The number that is at fault.
        part: TransformPart,
        /// The value that was given.
        value: f64,
        /// The smallest accepted magnitude.
        limit: f64,
    },
    /// A scale, a row or a column is zero: every model would become flat.
    #[error("{part} is 0, which flattens every model")]
    Flat {
        /// The number that is at fault.
        part: TransformPart,
    },
    /// The columns of a matrix lie in one plane, or so nearly that the inverse has no digits.
    #[error(
        "the matrix has no inverse: its determinant is {ratio:e} of what its entries could make, \
         and must be more than {limit:e}"
    )]
    Singular {
        /// The magnitude of the determinant over the sum of the magnitudes of its six products.
        ratio: f64,
        /// The limit that the ratio must exceed.
        limit: f64,
    },
    /// The last row of a 4×4 matrix is not 0, 0, 0, 1.
    #[error(
        "the bottom row of the matrix is {}, {}, {}, {}, but must be 0, 0, 0, 1{}",
        row[0], row[1], row[2], row[3],
        if *looks_transposed {
            "; its last column is 0, 0, 0, 1, so it looks transposed, rows given as columns or columns as rows: a \
             translation belongs in the last column"
        } else {
            ""
        }
    )]
    BottomRow {
        /// The row that was found.
        row: [f64; 4],
        /// Whether the translation seems to stand in the bottom row.
        looks_transposed: bool,
    },
    /// The axis of a rotation has no length.
    #[error("the rotation's axis is 0, 0, 0, which is no direction")]
    NoAxis,
    /// A quaternion is no rotation.
    #[error("the rotation quaternion has length {length}, but must have length 1 within {tolerance}")]
    RotationLength {
        /// The length that was found.
        length: f64,
        /// The largest accepted difference of the length from 1.
        tolerance: f64,
    },
    /// The columns of a matrix are not at right angles: it is not translation · rotation · scale.
    #[error(
        "the matrix is sheared: the cosine between its columns {} and {} (counted from 0) is {cosine:e}, \
         and translation · rotation · scale allows {tolerance:e}",
        columns[0], columns[1]
    )]
    Sheared {
        /// The numbers of the two columns that are farthest from a right angle.
        columns: [usize; 2],
        /// The magnitude of the cosine of the angle between the two columns.
        cosine: f64,
        /// The largest cosine that was allowed.
        tolerance: f64,
    },
    /// Two placements do not differ by a translation and a rotation.
    #[error(
        "the two placements do not differ by a rigid motion: their ratio times its transpose differs from the \
         identity by {excess:e}, and {tolerance:e} is allowed (0 where one is mirrored)"
    )]
    NotRigid {
        /// The difference of the ratio from a rotation.
        excess: f64,
        /// The largest accepted difference from a rotation.
        tolerance: f64,
    },
}

/// Lets code that takes "anything that becomes a placement" use `?` on conversions that cannot fail.
impl From<Infallible> for TransformError {
    fn from(never: Infallible) -> TransformError {
        match never {}
    }
}

/// The first number of `values` that is not finite, as an error.
pub(super) fn check_finite<const N: usize>(
    values: [f64; N],
    part: impl Fn(usize) -> TransformPart,
) -> Result<(), TransformError> {
    match values.iter().position(|value| !value.is_finite()) {
        Some(i) => Err(TransformError::NotFinite { part: part(i), value: values[i] }),
        None => Ok(()),
    }
}

/// The first number of `values` above `limit` in magnitude, as an error.
pub(super) fn check_large<const N: usize>(
    values: [f64; N],
    limit: f64,
    part: impl Fn(usize) -> TransformPart,
) -> Result<(), TransformError> {
    match values.iter().position(|value| value.abs() > limit) {
        Some(i) => Err(TransformError::TooLarge { part: part(i), value: values[i], limit }),
        None => Ok(()),
    }
}

/// The first number of `values` that is zero or below `limit` in magnitude, as an error.
pub(super) fn check_small<const N: usize>(
    values: [f64; N],
    limit: f64,
    part: impl Fn(usize) -> TransformPart,
) -> Result<(), TransformError> {
    match values.iter().position(|value| value.abs() < limit) {
        Some(i) if values[i] == 0.0 => Err(TransformError::Flat { part: part(i) }),
        Some(i) => Err(TransformError::TooSmall { part: part(i), value: values[i], limit }),
        None => Ok(()),
    }
}
