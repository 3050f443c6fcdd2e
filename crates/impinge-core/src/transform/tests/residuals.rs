//! How far a computed inverse may be from the true one, with every bound derived and every residual exact.

use dashu_ratio::RBig;
use proptest::prelude::*;

use super::{UNIT, exact, matrix, rotation, scale, trs, vector};
use crate::math::{DAffine3, DMat3, DVec3};
use crate::transform::inverse::{Balanced, balance};
use crate::transform::{ORTHOGONAL, Placement, SINGULAR, TransformError, Trs, inverse_of_trs, relative};

/// Entry (i, j) of `inverse · linear - 1`, exactly.
fn residual(inverse: &DMat3, linear: &DMat3, i: usize, j: usize) -> RBig {
    let product = (0..3).fold(RBig::ZERO, |sum, k| sum + exact(inverse.col(k)[i]) * exact(linear.col(j)[k]));
    product - exact(if i == j { 1.0 } else { 0.0 })
}

fn magnitude(value: RBig) -> RBig {
    if value < RBig::ZERO { -value } else { value }
}

/// Checks `|residual(i, j)| · unit_i <= bound · unit_j` for all entries.
fn assert_residuals(inverse: &DMat3, linear: &DMat3, unit: DVec3, bound: f64) {
    for i in 0..3 {
        for j in 0..3 {
            let found = magnitude(residual(inverse, linear, i, j)) * exact(unit[i]);
            let allowed = exact(bound) * exact(unit[j]);
            assert!(found <= allowed, "({i}, {j}) of {inverse} times {linear}");
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1000))]

    /// A row is column · 1/n with three roundings in n, and one each in the reciprocal and the product: 5 units and
    /// terms of second order, times |c_j| / |c_i|. The cosine between two columns comes on top.
    #[test]
    fn inverse_without_roots(trs in trs(100.0)) {
        let linear = trs.matrix().matrix3;
        let lengths = DVec3::new(linear.x_axis.length(), linear.y_axis.length(), linear.z_axis.length());
        // 2 more for the lengths that are measured here.
        assert_residuals(&inverse_of_trs(&trs.matrix()).matrix3, &linear, lengths, ORTHOGONAL + 8.0 * UNIT);
    }

    /// In the balanced matrix every entry is below 2, so a sum of six products is below 48. Cofactors are off by 2 units
    /// of their terms, the determinant by 5, the divisions by 1: (2 + 5 + 1) · 48 units over the determinant.
    #[test]
    fn inverse_by_cofactors(
        dense in matrix(-2.0..2.0f64),
        rows in vector(scale(40.0)),
        columns in vector(scale(40.0)),
    ) {
        let linear = DMat3::from_diagonal(rows) * dense * DMat3::from_diagonal(columns);
        let Balanced { column_scale, columns: [a, b, c], row_scale } = balance(&linear);
        prop_assert!([a, b, c].iter().all(|column| (1.0..2.0).contains(&column.abs().max_element())));
        let determinant = DMat3::from_cols(a, b, c).determinant();
        match Placement::try_from(DAffine3::from_mat3(linear)) {
            Ok(placement) => {
                let bound = 400.0 * UNIT / determinant.abs();
                assert_residuals(&placement.model_from_world_linear(), &linear, column_scale, bound);
                prop_assert_eq!(placement.is_mirrored(), determinant < 0.0);
            }
            Err(TransformError::Singular { .. }) => prop_assert!(determinant.abs() < 48.0 * SINGULAR),
            Err(error) => panic!("{error} for {linear}, {row_scale}"),
        }
    }

    /// Composed rotations are orthogonal well below the bound at which they are inverted as such.
    #[test]
    fn rotations_are_orthogonal_up_to_rounding(rotation in rotation()) {
        let r = Trs::rigid(DVec3::ZERO, rotation).expect("a rotation").rotation_matrix();
        for (a, b) in [(r.x_axis, r.y_axis), (r.x_axis, r.z_axis), (r.y_axis, r.z_axis)] {
            prop_assert!(a.dot(b).abs() <= 20.0 * UNIT);
        }
        for column in [r.x_axis, r.y_axis, r.z_axis] {
            prop_assert!((column.length_squared() - 1.0).abs() <= 20.0 * UNIT);
        }
    }

    /// Whatever the numbers, an accepted placement is finite, and so is every relation of two.
    #[test]
    fn accepted_placements_never_overflow(
        linears in [matrix(wild()), matrix(wild())],
        translations in [vector(wild()), vector(wild())],
    ) {
        let place = |i: usize| {
            Placement::try_from(DAffine3::from_mat3_translation(linears[i], translations[i]))
        };
        for placement in [place(0), place(1)].into_iter().flatten() {
            prop_assert!(placement.model_from_world().is_finite());
            prop_assert!(placement.world_from_model().is_finite());
            // Not just finite, but an inverse: rows of the inverse meet their own columns in 1.
            for i in 0..3 {
                let one = residual(&placement.model_from_world_linear(), &placement.world_from_model().matrix3, i, i);
                prop_assert!(magnitude(one) < exact(1e-6));
            }
        }
        if let (Ok(host), Ok(guest)) = (place(0), place(1)) {
            prop_assert!(relative(&host, &guest).is_finite());
            prop_assert!(relative(&guest, &host).is_finite());
        }
    }
}

/// Every kind of number: zero, subnormal, tiny, usual, huge, not finite.
fn wild() -> impl Strategy<Value = f64> + Clone {
    prop_oneof![
        20 => scale(150.0),
        10 => -10.0..10.0f64,
        4 => Just(0.0),
        1 => scale(300.0),
        1 => (0u64..1 << 52).prop_map(f64::from_bits),
        1 => any::<f64>(),
    ]
}
