//! Conversions of matrices: glam in `f32` and `f64`, arrays, `mint`, and pairs of rotation and translation.
//!
//! glam and `mint` know the order of their numbers. Arrays do not, and a rotation in the wrong order is its inverse, which nothing can tell; so
//! whoever has an array says which order it is.

use glam::{Affine3, Affine3A, Mat4, Quat, Vec3};

use super::{Placement, TransformError, Trs};
use crate::math::{DAffine3, DMat4, DQuat, DVec3};

/// A 4×4 matrix in rows as an affine map; refuses a bottom row other than 0, 0, 0, 1.
#[inline]
fn affine_of_rows([x, y, z, bottom]: [[f64; 4]; 4]) -> Result<DAffine3, TransformError> {
    if bottom != [0.0, 0.0, 0.0, 1.0] {
        let looks_transposed = [x[3], y[3], z[3]] == [0.0; 3] && bottom[3] == 1.0;
        return Err(TransformError::BottomRow { row: bottom, looks_transposed });
    }
    Ok(affine_of_upper_rows([x, y, z]))
}

/// The upper three rows of a 4×4 matrix as an affine map.
#[inline]
fn affine_of_upper_rows([x, y, z]: [[f64; 4]; 3]) -> DAffine3 {
    let column = |i: usize| DVec3::new(x[i], y[i], z[i]);
    DAffine3::from_cols(column(0), column(1), column(2), column(3))
}

#[inline]
pub(super) fn affine_of_matrix(matrix: &DMat4) -> Result<DAffine3, TransformError> {
    affine_of_rows([0, 1, 2, 3].map(|row| matrix.row(row).to_array()))
}

/// The numbers of a 4×4 matrix in an array: four by four or sixteen, `f32` or `f64`. [`Placement::from_rows`] and
/// [`Placement::from_columns`] say in which order they are.
pub trait MatrixArray: sealed::Sealed {
    /// The numbers, four by four, in the order of the array.
    #[doc(hidden)]
    fn four_by_four(self) -> [[f64; 4]; 4];
}

mod sealed {
    pub trait Sealed {}
}

macro_rules! matrix_array {
    ($($array:ty, $value:ident => $four_by_four:expr;)*) => {$(
        impl sealed::Sealed for $array {}

        impl MatrixArray for $array {
            #[inline]
            fn four_by_four(self) -> [[f64; 4]; 4] {
                let $value = self;
                $four_by_four
            }
        }
    )*};
}

matrix_array! {
    [[f64; 4]; 4], m => m;
    [[f32; 4]; 4], m => wide(m);
    [f64; 16], m => cut(m);
    [f32; 16], m => cut(m);
}

/// Cuts a flat list into fours.
#[inline]
fn cut(flat: [impl Into<f64> + Copy; 16]) -> [[f64; 4]; 4] {
    std::array::from_fn(|four| std::array::from_fn(|number| flat[4 * four + number].into()))
}

#[inline]
fn transposed(matrix: [[f64; 4]; 4]) -> [[f64; 4]; 4] {
    std::array::from_fn(|row| std::array::from_fn(|column| matrix[column][row]))
}

impl Placement {
    /// Converts the rows of a 4×4 matrix, as it is written on paper: the translation is the last number of each of the first
    /// three rows, and the last row is 0, 0, 0, 1.
    ///
    /// ```
    /// use impinge_core::transform::Placement;
    ///
    /// let rows = [[2.0, 0.0, 0.0, 10.0], [0.0, 1.0, 0.0, 0.0], [0.0, 0.0, 1.0, 0.0], [0.0, 0.0, 0.0, 1.0]];
    /// let placement = Placement::from_rows(rows)?;
    /// assert_eq!(placement.point_to_world([1.0, 0.0, 0.0].into()), [12.0, 0.0, 0.0].into());
    /// # Ok::<(), impinge_core::transform::TransformError>(())
    /// ```
    #[doc(alias = "row_major")]
    #[inline]
    pub fn from_rows(rows: impl MatrixArray) -> Result<Placement, TransformError> {
        Placement::try_from(affine_of_rows(rows.four_by_four())?)
    }

    /// Converts the columns of a 4×4 matrix, as OpenGL and glTF store it: the translation is the last column, and the
    /// last number of each column is that of the row 0, 0, 0, 1.
    ///
    /// ```
    /// use impinge_core::transform::Placement;
    ///
    /// let numbers = [2.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0, 10.0, 0.0, 0.0, 1.0];
    /// let placement = Placement::from_columns(numbers)?;
    /// assert_eq!(placement.point_to_world([1.0, 0.0, 0.0].into()), [12.0, 0.0, 0.0].into());
    /// # Ok::<(), impinge_core::transform::TransformError>(())
    /// ```
    #[doc(alias = "column_major")]
    #[inline]
    pub fn from_columns(columns: impl MatrixArray) -> Result<Placement, TransformError> {
        Placement::try_from(affine_of_rows(transposed(columns.four_by_four()))?)
    }
}

impl Trs {
    /// Converts the rows of a 4×4 matrix that is translation · rotation · scale; see [`Placement::from_rows`].
    #[inline]
    pub fn from_rows(rows: impl MatrixArray) -> Result<Trs, TransformError> {
        Trs::try_from(affine_of_rows(rows.four_by_four())?)
    }

    /// Converts the columns of a 4×4 matrix that is translation · rotation · scale; see [`Placement::from_columns`].
    #[inline]
    pub fn from_columns(columns: impl MatrixArray) -> Result<Trs, TransformError> {
        Trs::try_from(affine_of_rows(transposed(columns.four_by_four()))?)
    }
}

#[inline]
fn wide<const ROWS: usize>(rows: [[f32; 4]; ROWS]) -> [[f64; 4]; ROWS] {
    rows.map(|row| row.map(f64::from))
}

/// Conversions that may fail, given how each source becomes an affine map or the reason why not.
macro_rules! from_matrix {
    ($($source:ty, $value:ident => $affine:expr;)*) => {$(
        impl TryFrom<$source> for Placement {
            type Error = TransformError;

            #[inline]
            fn try_from($value: $source) -> Result<Placement, TransformError> {
                Placement::try_from($affine)
            }
        }

        impl TryFrom<$source> for Trs {
            type Error = TransformError;

            #[inline]
            fn try_from($value: $source) -> Result<Trs, TransformError> {
                Trs::try_from($affine)
            }
        }
    )*};
}

from_matrix! {
    DMat4, m => affine_of_matrix(&m)?;
    Mat4, m => affine_of_matrix(&m.as_dmat4())?;
    Affine3, m => m.as_daffine3();
    Affine3A, m => m.as_daffine3();
}

#[cfg(feature = "mint")]
from_matrix! {
    mint::RowMatrix4<f64>, m => affine_of_rows(m.into())?;
    mint::RowMatrix4<f32>, m => affine_of_rows(wide(m.into()))?;
    mint::RowMatrix3x4<f64>, m => affine_of_upper_rows(m.into());
    mint::RowMatrix3x4<f32>, m => affine_of_upper_rows(wide(m.into()));
    mint::ColumnMatrix4<f64>, m => affine_of_rows(mint::RowMatrix4::from(m).into())?;
    mint::ColumnMatrix4<f32>, m => affine_of_rows(wide(mint::RowMatrix4::from(m).into()))?;
    mint::ColumnMatrix3x4<f64>, m => affine_of_upper_rows(mint::RowMatrix3x4::from(m).into());
    mint::ColumnMatrix3x4<f32>, m => affine_of_upper_rows(wide(mint::RowMatrix3x4::from(m).into()));
}

impl TryFrom<DAffine3> for Trs {
    type Error = TransformError;

    #[inline]
    fn try_from(world_from_model: DAffine3) -> Result<Trs, TransformError> {
        Trs::extract_within(&world_from_model, super::SHEAR_TOLERANCE)
    }
}

/// Conversions of a rotation with a translation.
macro_rules! from_pose {
    ($($source:ty, $value:pat => $translation:expr, $rotation:expr;)*) => {$(
        impl TryFrom<$source> for Trs {
            type Error = TransformError;

            #[inline]
            fn try_from($value: $source) -> Result<Trs, TransformError> {
                Trs::rigid($translation, $rotation)
            }
        }

        impl TryFrom<$source> for Placement {
            type Error = TransformError;

            #[inline]
            fn try_from(pose: $source) -> Result<Placement, TransformError> {
                Trs::try_from(pose).map(Placement::from)
            }
        }
    )*};
}

from_pose! {
    (DQuat, DVec3), (rotation, translation) => translation, rotation;
    (DVec3, DQuat), (translation, rotation) => translation, rotation;
    (Quat, Vec3), (rotation, translation) => translation, rotation.as_dquat();
    (Vec3, Quat), (translation, rotation) => translation, rotation.as_dquat();
}

#[cfg(feature = "mint")]
from_pose! {
    (mint::Quaternion<f64>, mint::Vector3<f64>), (q, translation) => translation,
        DQuat::from_xyzw(q.v.x, q.v.y, q.v.z, q.s);
    (mint::Quaternion<f32>, mint::Vector3<f32>), (q, translation) => translation,
        DQuat::from_xyzw(q.v.x.into(), q.v.y.into(), q.v.z.into(), q.s.into());
}
