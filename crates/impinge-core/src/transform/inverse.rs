//! The inverse of the linear part of a transform.
//!
//! Two ways, chosen by the matrix alone, so that one matrix has one inverse however it was made. Where the columns
//! are at right angles up to rounding, a row of the inverse is a column divided by its squared length (Maia et al. 2006, §3.1,
//! equation 2): 18 multiplications, 3 divisions, no square root. Otherwise the inverse is made of cofactors, with rows
//! and columns first scaled by powers of two. Both are exact where the true inverse is made of
//! powers of two and zeros, one to a row.

use super::error::{TransformError, TransformPart, check_finite, check_large, check_small};
use crate::math::{DAffine3, DMat3, DVec3};
use crate::tolerance::{LARGEST, ORTHOGONAL, SINGULAR, SMALLEST_SCALE, UNIT_LENGTH};

/// The inverse of a translation · rotation · scale in matrix form, without square roots: 27 multiplications, 3
/// divisions and 12 additions.
///
/// Nothing is checked: for other matrices the result is no inverse. A checked one is
/// [`Placement::model_from_world`](super::Placement::model_from_world).
#[inline]
pub fn inverse_of_trs(world_from_model: &DAffine3) -> DAffine3 {
    let linear = invert_orthogonal(&world_from_model.matrix3);
    DAffine3 { matrix3: linear, translation: linear * -world_from_model.translation }
}

/// The properties of a linear part that has an inverse.
#[derive(Clone, Copy)]
pub(super) struct Invertible {
    pub(super) mirrored: bool,
    /// Whether the columns are at right angles up to rounding, as those of a `Trs` are.
    pub(super) orthogonal: bool,
}

/// Refuses affine maps with numbers that are not finite or outside the range in which nothing overflows.
#[inline]
pub(super) fn check_range(map: &DAffine3) -> Result<(), TransformError> {
    let [x, y, z] = [map.matrix3.x_axis.abs(), map.matrix3.y_axis.abs(), map.matrix3.z_axis.abs()];
    let columns = DVec3::new(x.element_sum(), y.element_sum(), z.element_sum());
    let rows = x + y + z;
    // A sum of magnitudes is at most three times its largest term; with NaN in it, every comparison is false.
    let clear = columns.element_sum() <= 2.0 * LARGEST
        && map.translation.abs().element_sum() <= LARGEST
        && columns.min_element() >= 1.5 * SMALLEST_SCALE
        && rows.min_element() >= 1.5 * SMALLEST_SCALE;
    if clear { Ok(()) } else { find_out_of_range(map) }
}

/// Looks at every number on its own and names the first that is out of range, if any is.
#[cold]
fn find_out_of_range(map: &DAffine3) -> Result<(), TransformError> {
    let rows = map.matrix3.transpose();
    for (row, axis) in [rows.x_axis, rows.y_axis, rows.z_axis].into_iter().enumerate() {
        let [x, y, z] = axis.to_array();
        let entry = |column| TransformPart::Entry { row, column };
        check_finite([x, y, z, map.translation[row]], entry)?;
        // Twice the limit of a scale, because the entries of a rotated scale are rounded.
        check_large([x, y, z], 2.0 * LARGEST, entry)?;
    }
    check_large(map.translation.to_array(), LARGEST, |row| TransformPart::Entry { row, column: 3 })?;
    // A column of length s has an entry of at least s / √3, and so has each row.
    check_small(largest_of_columns(&map.matrix3).to_array(), 0.5 * SMALLEST_SCALE, TransformPart::Column)?;
    check_small(largest_of_columns(&rows).to_array(), 0.5 * SMALLEST_SCALE, TransformPart::Row)
}

/// Refuses a linear part that passed [`check_range`] and has no inverse within range.
#[inline]
pub(super) fn check_invertible(linear: &DMat3) -> Result<Invertible, TransformError> {
    if is_orthogonal(linear) {
        return Ok(Invertible { mirrored: is_mirrored_orthogonal(linear), orthogonal: true });
    }
    let (inverse, cofactors) = invert_by_cofactors(linear);
    cofactors.check_regular()?;
    let rows = inverse.transpose();
    for (row, entries) in [rows.x_axis, rows.y_axis, rows.z_axis].into_iter().enumerate() {
        let entry = |column| TransformPart::InverseEntry { row, column };
        check_finite(entries.to_array(), entry)?;
        check_large(entries.to_array(), 2.0 * LARGEST, entry)?;
    }
    Ok(Invertible { mirrored: cofactors.determinant < 0.0, orthogonal: false })
}

/// The inverse of a linear part that passed [`check_invertible`], which knows whether it is orthogonal.
#[inline]
pub(super) fn invert(linear: &DMat3, orthogonal: bool) -> DMat3 {
    if orthogonal { invert_orthogonal(linear) } else { invert_by_cofactors(linear).0 }
}

/// Whether the columns are at right angles up to rounding.
#[inline]
fn is_orthogonal(linear: &DMat3) -> bool {
    let [x, y, z] = [linear.x_axis, linear.y_axis, linear.z_axis];
    let squares = DVec3::new(x.length_squared(), y.length_squared(), z.length_squared());
    let dots = DVec3::new(x.dot(y), x.dot(z), y.dot(z));
    // The usual case, without divisions; in this range no product overflows.
    let products = DVec3::new(squares.x * squares.y, squares.x * squares.z, squares.y * squares.z);
    let usual = squares.min_element() > 1e-100 && squares.max_element() < 1e100;
    usual && (dots * dots).cmple(products * (ORTHOGONAL * ORTHOGONAL)).all()
        || worst_cosine_squared(linear).1 <= ORTHOGONAL * ORTHOGONAL
}

/// Whether the columns are at right angles and of length 1 up to rounding. Implies that [`check_invertible`] finds them at
/// right angles.
#[inline(always)]
pub(super) fn is_rigid(linear: &DMat3) -> bool {
    let [x, y, z] = [linear.x_axis, linear.y_axis, linear.z_axis];
    let squares = DVec3::new(x.length_squared(), y.length_squared(), z.length_squared());
    let dots = DVec3::new(x.dot(y), x.dot(z), y.dot(z));
    // A little less than the limit, because lengths may be a little less than 1. No number is at most another that is NaN.
    (squares - 1.0).abs().cmple(DVec3::splat(UNIT_LENGTH)).all()
        && dots.abs().cmple(DVec3::splat(ORTHOGONAL * (1.0 - 4.0 * UNIT_LENGTH))).all()
}

/// The rows of the inverse are the columns over their squared lengths. In the checked range no square overflows, and
/// none that matters underflows.
#[inline]
fn invert_orthogonal(linear: &DMat3) -> DMat3 {
    let over_square = |column: DVec3| column * (1.0 / column.length_squared());
    DMat3::from_cols(over_square(linear.x_axis), over_square(linear.y_axis), over_square(linear.z_axis))
        .transpose()
}

#[inline]
fn is_mirrored_orthogonal(linear: &DMat3) -> bool {
    // The cross product is at most 8e300; the first column is brought near 1, so that the product of the three does
    // not overflow. It is far from 0, because the columns are at right angles.
    let first = linear.x_axis / power_of_two_below(linear.x_axis.abs().max_element());
    first.dot(linear.y_axis.cross(linear.z_axis)) < 0.0
}

/// A matrix as `diagonal(row_scale) · (a b c) · diagonal(column_scale)`.
pub(super) struct Balanced {
    pub(super) row_scale: DVec3,
    pub(super) column_scale: DVec3,
    pub(super) columns: [DVec3; 3],
}

/// Scales rows, then columns, by powers of two, so that nothing is rounded. Afterwards every row and every column has
/// its largest entry in [1, 2), whatever the units of the two frames.
#[inline]
pub(super) fn balance(linear: &DMat3) -> Balanced {
    let columns = [linear.x_axis, linear.y_axis, linear.z_axis];
    let row_scale = largest_of_columns(&linear.transpose()).map(power_of_two_below);
    let columns = columns.map(|column| column / row_scale);
    let column_scale = columns.map(|column| power_of_two_below(column.abs().max_element()));
    let columns = [0, 1, 2].map(|i| columns[i] / column_scale[i]);
    Balanced { row_scale, column_scale: DVec3::from_array(column_scale), columns }
}

/// How far a matrix is from being singular, seen in its determinant.
struct Cofactors {
    determinant: f64,
    /// The sum of the magnitudes of the products that it is made of.
    products: f64,
}

impl Cofactors {
    #[inline]
    fn check_regular(&self) -> Result<(), TransformError> {
        let Cofactors { determinant, products } = *self;
        // A row of a single tiny entry can have been scaled away; then both are 0 or NaN, and the comparison is false.
        if determinant.abs() > SINGULAR * products {
            return Ok(());
        }
        let ratio = if products > 0.0 { determinant.abs() / products } else { 0.0 };
        Err(TransformError::Singular { ratio, limit: SINGULAR })
    }
}

/// The inverse where the matrix is regular, and what tells whether it is.
#[inline]
fn invert_by_cofactors(linear: &DMat3) -> (DMat3, Cofactors) {
    let Balanced { row_scale, column_scale, columns: [a, b, c] } = balance(linear);
    let cofactors = [b.cross(c), c.cross(a), a.cross(b)];
    let determinant = a.dot(cofactors[0]);
    let products = a.abs().dot(cross_of_magnitudes(b.abs(), c.abs()));
    let row = |i: usize| cofactors[i] / determinant / column_scale[i] / row_scale;
    let inverse = DMat3::from_cols(row(0), row(1), row(2)).transpose();
    (inverse, Cofactors { determinant, products })
}

/// The two columns that are farthest from a right angle, and the square of the cosine between them.
#[inline]
pub(super) fn worst_cosine_squared(linear: &DMat3) -> ([usize; 2], f64) {
    let columns = [linear.x_axis, linear.y_axis, linear.z_axis];
    let squares = columns.map(DVec3::length_squared);
    let mut worst = ([0, 1], 0.0);
    for [i, j] in [[0, 1], [0, 2], [1, 2]] {
        let dot = columns[i].dot(columns[j]);
        // Divided one after the other: the product of two squared lengths could overflow.
        let cosine_squared = (dot / squares[i]) * (dot / squares[j]);
        if cosine_squared > worst.1 {
            worst = ([i, j], cosine_squared);
        }
    }
    worst
}

/// The largest magnitude in each column.
#[inline]
fn largest_of_columns(matrix: &DMat3) -> DVec3 {
    DVec3::new(
        matrix.x_axis.abs().max_element(),
        matrix.y_axis.abs().max_element(),
        matrix.z_axis.abs().max_element(),
    )
}

/// The cross product with all its minus signs made plus.
#[inline]
fn cross_of_magnitudes(a: DVec3, b: DVec3) -> DVec3 {
    DVec3::new(a.y * b.z + b.y * a.z, a.z * b.x + b.z * a.x, a.x * b.y + b.x * a.y)
}

/// The largest power of two not above a normal positive number: its exponent without its digits.
#[inline]
fn power_of_two_below(value: f64) -> f64 {
    f64::from_bits(value.to_bits() & f64::INFINITY.to_bits())
}
