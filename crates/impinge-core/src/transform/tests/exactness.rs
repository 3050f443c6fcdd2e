//! Where the answer is made of few bits, there is no rounding at all.

use proptest::prelude::*;

use super::{exact, trs, vector};
use crate::math::{DAffine3, DMat3, DVec3};
use crate::transform::{Placement, Trs, relative};

fn is_signed_permutation(matrix: DMat3) -> bool {
    let entries = matrix.to_cols_array();
    entries.iter().all(|e| [0.0, 1.0, -1.0].contains(e))
        && entries.iter().filter(|e| **e != 0.0).count() == 3
        && matrix.determinant().abs() == 1.0
}

/// The 48 maps of the cube onto itself.
fn signed_permutations() -> Vec<DMat3> {
    let mut maps = Vec::new();
    for order in [[0, 1, 2], [0, 2, 1], [1, 0, 2], [1, 2, 0], [2, 0, 1], [2, 1, 0]] {
        for signs in 0..8 {
            let column = |i: usize| DVec3::AXES[order[i]] * if signs & (1 << i) == 0 { 1.0 } else { -1.0 };
            maps.push(DMat3::from_cols(column(0), column(1), column(2)));
        }
    }
    maps
}

#[test]
fn quarter_turns_are_signed_permutations() {
    for axis in DVec3::AXES {
        for quarters in -9..=9 {
            let turn = Trs::rotation_about_axis(axis * 7.0, 90.0 * f64::from(quarters)).expect("valid");
            assert!(is_signed_permutation(turn.rotation_matrix()), "{quarters} quarters about {axis}");
        }
    }
    let z = Trs::rotation_about_axis([0.0, 0.0, 1.0], 90.0).expect("valid").matrix();
    assert_eq!(z.matrix3, DMat3::from_cols(DVec3::Y, DVec3::NEG_X, DVec3::Z));
    let z = Trs::rotation_about_axis([0.0, 0.0, -3e-310], -90.0).expect("valid").matrix();
    assert_eq!(z.matrix3, DMat3::from_cols(DVec3::Y, DVec3::NEG_X, DVec3::Z));
}

#[test]
fn turns_about_diagonals_are_signed_permutations() {
    for third in [-240.0, -120.0, 120.0, 240.0, 480.0] {
        let turn = Trs::rotation_about_axis([1.0, -1.0, 1.0], third).expect("valid");
        assert!(is_signed_permutation(turn.rotation_matrix()), "{third}: {}", turn.rotation_matrix());
    }
    for axis in [[1.0, 1.0, 0.0], [0.0, -1.0, 1.0], [-5.0, 0.0, 5.0]] {
        let turn = Trs::rotation_about_axis(axis, 180.0).expect("valid");
        assert!(is_signed_permutation(turn.rotation_matrix()));
    }
}

#[test]
fn degrees_agree_with_radians() {
    for tenths in -7200..=7200 {
        let degrees = f64::from(tenths) / 10.0;
        let a = Trs::rotation_about_axis([1.0, 2.0, 3.0], degrees).expect("valid").rotation_matrix();
        let b = Trs::rotation_about_axis_radians([1.0, 2.0, 3.0], degrees.to_radians())
            .expect("valid")
            .rotation_matrix();
        // The angle in radians is off by up to 1.5 roundings of 4π, the rest by some 20 of 1.
        assert!((a - b).to_cols_array().iter().all(|e| e.abs() < 50.0 * super::UNIT), "{degrees}");
    }
}

#[test]
fn permutations_and_powers_of_two_are_inverted_and_extracted_exactly() {
    for permutation in signed_permutations() {
        for scale in [DVec3::ONE, DVec3::new(0.125, 1024.0, -2.0), DVec3::splat(2f64.powi(-400))] {
            let linear = permutation * DMat3::from_diagonal(scale);
            let map = DAffine3::from_mat3_translation(linear, DVec3::new(0.5, -7.25, 3.0));
            let placement = Placement::try_from(map).expect("invertible");
            assert_eq!(placement.model_from_world_linear() * linear, DMat3::IDENTITY);
            assert_eq!(placement.model_from_world() * map, DAffine3::IDENTITY);
            assert_eq!(placement.is_mirrored(), (permutation.determinant() < 0.0) != (scale.z < 0.0));
            let trs = placement.trs().expect("axes go to axes");
            assert_eq!(trs.matrix(), map);
            assert_eq!(trs.is_mirrored(), placement.is_mirrored());
            assert_eq!(Placement::from(trs).world_from_model(), &map);
        }
    }
}

#[test]
fn a_dyadic_shear_is_inverted_exactly() {
    let map =
        DAffine3::from_cols(DVec3::X, DVec3::new(0.5, 1.0, 0.0), DVec3::new(0.0, 0.25, 2.0), DVec3::ZERO);
    let placement = Placement::try_from(map).expect("invertible");
    assert_eq!(placement.model_from_world() * map, DAffine3::IDENTITY);
    assert!(placement.trs().is_none());
}

/// Numbers with ten bits before and after the point.
fn dyadic() -> impl Strategy<Value = f64> + Clone {
    (-(1i32 << 20)..1 << 20).prop_map(|n| f64::from(n) / 1024.0)
}

proptest! {
    #[test]
    fn relative_is_exact_for_dyadic_placements(
        which in 0..48usize,
        exponents in [-60..60i32, -60..60, -60..60],
        translations in [vector(dyadic()), vector(dyadic())],
        columns in [vector(dyadic()), vector(dyadic()), vector(dyadic())],
    ) {
        let scale = DVec3::from_array(exponents.map(|e| libm::ldexp(1.0, e)));
        let linear = signed_permutations()[which] * DMat3::from_diagonal(scale);
        let host_map = DAffine3::from_mat3_translation(linear, translations[0]);
        let guest_map = DAffine3::from_cols(columns[0], columns[1], columns[2], translations[1]);
        let host = Placement::try_from(host_map).expect("invertible");
        let Ok(guest) = Placement::try_from(guest_map) else { return Ok(()) };
        let host_from_guest = relative(&host, &guest);
        // Multiplying back by a signed permutation of powers of two rounds nothing either.
        prop_assert_eq!(linear * host_from_guest.matrix3, guest_map.matrix3);
        prop_assert_eq!(linear * host_from_guest.translation, translations[1] - translations[0]);
        for axis in 0..3 {
            let difference = exact(translations[1][axis]) - exact(translations[0][axis]);
            prop_assert_eq!(exact((translations[1] - translations[0])[axis]), difference);
        }
    }

    #[test]
    fn relative_to_itself_is_the_identity(trs in trs(50.0)) {
        let placement = Placement::from(trs);
        prop_assert_eq!(relative(&placement, &placement), DAffine3::IDENTITY);
    }

    #[test]
    fn relative_to_a_translated_host_keeps_the_guest(at in vector(-1e9..1e9f64), guest in trs(50.0)) {
        let host = Placement::from(Trs::translation(at).expect("in range"));
        let guest = Placement::from(guest);
        let host_from_guest = relative(&host, &guest);
        prop_assert_eq!(host_from_guest.matrix3, guest.world_from_model().matrix3);
        prop_assert_eq!(host_from_guest.translation, guest.world_from_model().translation - at);
    }

    /// Dyadic translations of both change no bit.
    #[test]
    fn relative_does_not_know_the_origin(host in trs(3.0), guest in trs(3.0), at in [vector(dyadic()), vector(dyadic())]) {
        let place = |trs: &Trs, at: DVec3| {
            Placement::from(Trs::new(at, trs.orientation(), trs.scale()).expect("in range"))
        };
        let far = DVec3::splat(1073741824.0);
        let here = relative(&place(&host, at[0]), &place(&guest, at[1]));
        let there = relative(&place(&host, at[0] + far), &place(&guest, at[1] + far));
        prop_assert_eq!(here, there);
    }

    /// However a placement is handed over, its inverse has the same bits.
    #[test]
    fn trs_and_its_matrix_have_one_inverse(trs in trs(149.0)) {
        let a = Placement::from(trs);
        let b = Placement::try_from(trs.matrix()).expect("invertible");
        prop_assert_eq!(a.world_from_model(), b.world_from_model());
        prop_assert_eq!(a.model_from_world_linear(), b.model_from_world_linear());
        prop_assert_eq!(a.is_mirrored(), b.is_mirrored());
        prop_assert!(b.trs().is_some());
    }
}
