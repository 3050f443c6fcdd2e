//! What is refused, and with which words.

use proptest::prelude::*;

use super::{matrix, vector};
use crate::math::{DAffine3, DMat3, DMat4, DQuat, DVec3};
use crate::transform::{LARGEST, Placement, TransformError, TransformPart, Trs};

const ROWS: [[f64; 4]; 4] =
    [[1.0, 0.0, 0.0, 5.0], [0.0, 1.0, 0.0, 6.0], [0.0, 0.0, 1.0, 7.0], [0.0, 0.0, 0.0, 1.0]];

fn refusal(rows: [[f64; 4]; 4]) -> TransformError {
    let error = Placement::from_rows(rows).expect_err("not a placement");
    // The same words from both doors.
    // As text, because NaN is not equal to itself.
    assert_eq!(Trs::from_rows(rows).expect_err("no Trs either").to_string(), error.to_string());
    error
}

fn with(row: usize, column: usize, value: f64) -> [[f64; 4]; 4] {
    let mut rows = ROWS;
    rows[row][column] = value;
    rows
}

#[test]
fn numbers_that_are_not_finite() {
    for value in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY] {
        for row in 0..3 {
            for column in 0..4 {
                let TransformError::NotFinite { part, .. } = refusal(with(row, column, value)) else {
                    panic!("{row}, {column}, {value}")
                };
                assert_eq!(part, TransformPart::Entry { row, column });
            }
        }
        assert!(matches!(refusal(with(3, 3, value)), TransformError::BottomRow { .. }));
        assert!(Trs::translation([value, 0.0, 0.0]).is_err());
        assert!(Trs::scaling([1.0, value, 1.0]).is_err());
        assert!(Trs::rotation_about_axis([1.0, value, 1.0], 1.0).is_err());
        assert!(Trs::rotation_about_axis([1.0, 0.0, 1.0], value).is_err());
        assert!(Trs::rotation_about_axis_radians([1.0, 0.0, 1.0], value).is_err());
        assert!(Trs::rigid(DVec3::ZERO, DQuat::from_xyzw(0.0, 0.0, value, 1.0)).is_err());
    }
    let error = refusal(with(1, 3, f64::NAN)).to_string();
    assert_eq!(
        error,
        "the entry in row 1, column 3 of the matrix (counted from 0) is NaN, which is not a finite number"
    );
}

#[test]
fn a_transposed_matrix_is_named_so() {
    let columns: [[f64; 4]; 4] = std::array::from_fn(|i| std::array::from_fn(|j| ROWS[j][i]));
    let error = refusal(columns);
    assert_eq!(error, TransformError::BottomRow { row: [5.0, 6.0, 7.0, 1.0], looks_transposed: true });
    let message = error.to_string();
    assert!(message.contains("5, 6, 7, 1") && message.contains("looks transposed"), "{message}");
    // A projection is no transposed placement.
    let message = refusal(with(3, 2, -1.0)).to_string();
    assert_eq!(message, "the bottom row of the matrix is 0, 0, -1, 1, but must be 0, 0, 0, 1");
    assert!(Trs::extract(&DMat4::from_translation(DVec3::ONE).transpose()).is_err());
}

#[test]
fn flat_and_singular_matrices() {
    assert_eq!(refusal(with(1, 1, 0.0)), TransformError::Flat { part: TransformPart::Column(1) });
    let mut level = ROWS;
    level[2] = [0.0; 4];
    level[0][2] = 1.0;
    assert_eq!(refusal(level), TransformError::Flat { part: TransformPart::Row(2) });
    let message = Trs::scaling([1.0, 0.0, 1.0]).expect_err("flat").to_string();
    assert_eq!(message, "the scale in y is 0, which flattens every model");
    let counted = [[1.0, 2.0, 3.0, 0.0], [4.0, 5.0, 6.0, 0.0], [7.0, 8.0, 9.0, 0.0], [0.0, 0.0, 0.0, 1.0]];
    let TransformError::Singular { ratio, limit } = refusal(counted) else { panic!("{counted:?}") };
    assert!(ratio < limit);
}

#[test]
fn numbers_out_of_range() {
    let part = TransformPart::Entry { row: 0, column: 0 };
    assert_eq!(
        refusal(with(0, 0, 1e300)),
        TransformError::TooLarge { part, value: 1e300, limit: 2.0 * LARGEST }
    );
    assert!(matches!(
        refusal(with(0, 0, 1e-300)),
        TransformError::TooSmall { part: TransformPart::Column(0), .. }
    ));
    assert!(matches!(
        refusal(with(2, 2, 5e-324)),
        TransformError::TooSmall { part: TransformPart::Column(2), .. }
    ));
    assert!(matches!(refusal(with(2, 3, -1e200)), TransformError::TooLarge { .. }));
    let message = Trs::scaling([1e-200, 1.0, 1.0]).expect_err("too small").to_string();
    assert_eq!(message, "the scale in x is 1e-200, but must be at least 1e-150 in magnitude");
    // A subnormal entry beside usual ones harms nothing.
    assert!(Placement::from_rows(with(0, 1, 5e-324)).is_ok());
    // The ends of the range themselves are inside.
    let ends = Trs::new(DVec3::splat(-1e150), DQuat::from_xyzw(0.1, 0.2, 0.3, 0.927), [1e150, -1e-150, 1.0]);
    let placement = Placement::from(ends.expect("in range"));
    assert!(placement.model_from_world().matrix3.is_finite());
    assert_eq!(Placement::try_from(*placement.world_from_model()).map(|p| p.is_mirrored()), Ok(true));
}

#[test]
fn things_that_are_no_rotation() {
    assert_eq!(Trs::rotation_about_axis(DVec3::ZERO, 90.0), Err(TransformError::NoAxis));
    let error = Trs::rigid(DVec3::ZERO, DQuat::from_xyzw(0.0, 0.0, 0.0, 2.0)).expect_err("too long");
    assert_eq!(
        error.to_string(),
        "the rotation quaternion has length 2, but must have length 1 within 0.001"
    );
    assert!(Trs::rigid(DVec3::ZERO, DQuat::from_xyzw(0.0, 0.0, 0.0, 0.0)).is_err());
    assert!(Trs::rigid(DVec3::ZERO, DQuat::from_xyzw(f64::MAX, 0.0, 0.0, 1.0)).is_err());
    let drifted = Trs::rigid(DVec3::ZERO, DQuat::from_xyzw(0.0, 0.0, 0.0, 1.0005)).expect("drifted");
    assert_eq!(drifted.orientation(), DQuat::IDENTITY);
}

#[test]
fn shear_in_words() {
    let error = Trs::from_rows(with(0, 1, 1.0)).expect_err("sheared");
    let TransformError::Sheared { columns, cosine, .. } = error else { panic!("{error}") };
    assert_eq!(columns, [0, 1]);
    // 1 / √2, after two divisions and a square root.
    assert!((cosine - std::f64::consts::FRAC_1_SQRT_2).abs() < 1e-15);
    let message = error.to_string();
    assert!(message.contains("columns 0 and 1") && message.contains("1e-6"), "{message}");
}

proptest! {
    /// Columns in a plane have no inverse, at every scale, up to what rounding adds to the plane.
    #[test]
    fn columns_in_a_plane_are_singular(
        columns in [vector(-1.0..1.0f64), vector(-1.0..1.0f64)],
        weights in [-1.0..1.0f64, -1.0..1.0],
        size in super::scale(100.0),
    ) {
        let [a, b] = columns.map(|column| column * size);
        let map = DAffine3::from_mat3(DMat3::from_cols(a, b, a * weights[0] + b * weights[1]));
        let error = Placement::try_from(map).expect_err("in a plane");
        prop_assert!(matches!(error, TransformError::Singular { .. }), "{error}");
    }

    /// No input at all makes it panic.
    #[test]
    fn any_bits_get_an_answer(linear in matrix(any::<f64>()), t in vector(any::<f64>())) {
        let map = DAffine3::from_mat3_translation(linear, t);
        let _ = (Placement::try_from(map), Trs::try_from(map));
    }
}
