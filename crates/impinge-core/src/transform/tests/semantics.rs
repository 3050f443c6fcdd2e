//! What transforms mean: extraction, composition, mirroring, normals, and the forms in which they arrive.

use glam::{Affine3, Affine3A, Mat4, Quat, Vec3};
use proptest::prelude::*;

use super::{UNIT, matrix, rotation, scale, trs, vector};
use crate::math::{DAffine3, DMat3, DMat4, DQuat, DVec3};
use crate::transform::{Placement, TransformError, Trs};

/// Checks that matrices agree column by column, within `units` roundings of the column's length.
fn assert_near(found: &DAffine3, expected: &DAffine3, units: f64) {
    for i in 0..3 {
        let (found, expected) = (found.matrix3.col(i), expected.matrix3.col(i));
        assert!((found - expected).length() <= units * UNIT * expected.length(), "{found} for {expected}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1000))]

    /// Normalized columns are off by some 8 units; the quaternion's components by up to 20 each, 40 together; its
    /// matrix by twice that and 4 more.
    #[test]
    fn extraction_undoes_composition(trs in trs(100.0)) {
        let map = trs.matrix();
        let found = Trs::extract(&DMat4::from(map)).expect("not sheared");
        assert_near(&found.matrix(), &map, 100.0);
        prop_assert_eq!(found.position(), trs.position());
        prop_assert_eq!(found.is_mirrored(), trs.is_mirrored());
        prop_assert!(found.scale().y > 0.0 && found.scale().z > 0.0);
        let error = (found.scale().abs() - trs.scale().abs()).abs() / trs.scale().abs();
        prop_assert!(error.max_element() <= 16.0 * UNIT);
    }

    /// Rotations are rigid, mirrored or not, and what is known of them is what a closer look finds; scaled by a little, they are not.
    #[test]
    fn rotations_are_known_to_be_rigid(r in rotation(), t in vector(-1e3..1e3f64), mirrored: bool, x in vector(-1.0..1.0f64)) {
        let mirror = if mirrored { DVec3::new(1.0, -1.0, 1.0) } else { DVec3::ONE };
        let trs = Trs::new(t, r, mirror).expect("valid");
        let placement = Placement::try_from(trs.matrix()).expect("invertible");
        prop_assert!(placement.is_rigid());
        prop_assert_eq!(placement, Placement::from(trs));
        prop_assert_eq!(placement.is_mirrored(), mirrored);
        prop_assert!(placement.vector_to_world(x).length() <= placement.stretch() * x.length());
        let back = placement.model_from_world_linear() - trs.matrix().matrix3.transpose();
        prop_assert!(back.abs().to_cols_array().into_iter().all(|off| off <= 80.0 * UNIT));
        for factor in [1.0 + 1e-13, 1.0 - 1e-13, 2.0] {
            let scaled = DAffine3 { matrix3: trs.matrix().matrix3 * factor, translation: t };
            prop_assert!(!Placement::try_from(scaled).expect("invertible").is_rigid());
        }
    }

    /// In the form that extraction chooses, the parts themselves come back.
    #[test]
    fn extraction_finds_the_parts(r in rotation(), s in vector(0.01..100.0f64), mirrored: bool) {
        let s = if mirrored { DVec3::new(-s.x, s.y, s.z) } else { s };
        let trs = Trs::new(DVec3::Y, r, s).expect("valid");
        let found = Trs::try_from(trs.matrix()).expect("not sheared");
        prop_assert!((found.scale() - s).abs().cmple(s.abs() * 16.0 * UNIT).all());
        prop_assert!(found.orientation().dot(r).abs() >= 1.0 - 100.0 * UNIT);
    }

    #[test]
    fn shear_is_recognized_and_measured(trs in trs(2.0), cosine in 1e-5..0.9f64, sign: bool) {
        let cosine = if sign { cosine } else { -cosine };
        // The y axis leans towards x by a known angle, before anything else.
        let lean = DMat3::from_cols(DVec3::X, DVec3::new(cosine, (1.0 - cosine * cosine).sqrt(), 0.0), DVec3::Z);
        let linear = trs.rotation_matrix() * lean * DMat3::from_diagonal(trs.scale());
        let map = DAffine3::from_mat3(linear);
        let Err(TransformError::Sheared { columns, cosine: found, tolerance }) = Trs::try_from(map) else {
            panic!("{:?}", Trs::try_from(map))
        };
        prop_assert_eq!(columns, [0, 1]);
        prop_assert!((found - cosine.abs()).abs() <= 40.0 * UNIT);
        prop_assert!(Trs::extract_within(&map, 0.95).is_ok() && tolerance < found);
        let placement = Placement::try_from(map).expect("sheared, but invertible");
        prop_assert!(placement.trs().is_none());
        prop_assert_eq!(placement.is_mirrored(), trs.is_mirrored());
    }

    /// `then` is the product of the matrices, and keeps its parts where they exist. The product's entries are sums of
    /// three terms with rounding of the factors, in units of the whole matrix.
    #[test]
    fn then_is_the_product(first in trs(1.0), second in trs(1.0), uniform in scale(1.0)) {
        let even = Trs::new(second.position(), second.orientation(), DVec3::splat(uniform)).expect("valid");
        let joined = first.then(&even).expect("in range");
        prop_assert!(joined.trs().is_some());
        assert_near(joined.world_from_model(), &(even.matrix() * first.matrix()), 60.0);
        let joined = first.then(&second).expect("in range");
        prop_assert_eq!(*joined.world_from_model(), second.matrix() * first.matrix());
        let quarter = Trs::rotation_about_axis(DVec3::X, 90.0).expect("valid");
        let joined = quarter.then(&second).expect("in range");
        prop_assert!(joined.trs().is_some());
        assert_near(joined.world_from_model(), &(second.matrix() * quarter.matrix()), 60.0);
        prop_assert_eq!(joined.is_mirrored(), second.is_mirrored());
    }

    /// A normal stays perpendicular to its plane and on its side; the cross product of edges changes side with mirroring.
    #[test]
    fn normals_keep_their_side(linear in matrix(-2.0..2.0f64), edges in [vector(-1.0..1.0f64), vector(-1.0..1.0f64)]) {
        prop_assume!(linear.determinant().abs() > 0.1);
        let normal = edges[0].cross(edges[1]);
        prop_assume!(normal.length() > 0.1);
        let placement = Placement::try_from(DAffine3::from_mat3(linear)).expect("invertible");
        let normal_in_world = placement.normal_to_world(normal);
        let edges_in_world = edges.map(|edge| placement.vector_to_world(edge));
        for edge in edges_in_world {
            prop_assert!(normal_in_world.dot(edge).abs() <= 1e-9 * normal_in_world.length());
        }
        prop_assert!(normal_in_world.dot(placement.vector_to_world(normal)) > 0.0);
        let crossed = edges_in_world[0].cross(edges_in_world[1]);
        prop_assert_eq!(crossed.dot(normal_in_world) < 0.0, placement.is_mirrored());
        prop_assert!((placement.normal_to_model(normal_in_world) - normal).length() <= 1e-9);
        let point = edges[0] + edges[1];
        prop_assert!((placement.point_to_model(placement.point_to_world(point)) - point).length() <= 1e-9);
        prop_assert!((placement.vector_to_model(placement.vector_to_world(point)) - point).length() <= 1e-9);
    }
}

#[test]
fn a_non_uniform_scale_after_a_rotation_is_a_shear() {
    let turn = Trs::rotation_about_axis([0.0, 0.0, 1.0], 30.0).expect("valid");
    let stretch = Trs::scaling([2.0, 1.0, 1.0]).expect("valid");
    assert!(turn.then(&stretch).expect("invertible").trs().is_none());
    assert!(stretch.then(&turn).expect("invertible").trs().is_some());
}

#[test]
fn every_door_leads_to_the_same_placement() {
    let map = DAffine3::from_cols(
        DVec3::new(0.0, 2.0, 0.5),
        DVec3::new(-1.0, 0.25, 0.0),
        DVec3::new(0.0, 0.0, 4.0),
        DVec3::new(10.0, -20.0, 30.0),
    );
    let expected = Placement::try_from(map).expect("invertible");
    let wide = DMat4::from(map);
    let narrow = wide.as_mat4();
    let rows = wide.transpose().to_cols_array_2d();
    let narrow_rows = narrow.transpose().to_cols_array_2d();
    let found = [
        Placement::try_from(wide),
        Placement::try_from(narrow),
        Placement::try_from(Affine3::from_mat4(narrow)),
        Placement::try_from(Affine3A::from_mat4(narrow)),
        Placement::from_rows(rows),
        Placement::from_rows(narrow_rows),
        Placement::from_rows(wide.transpose().to_cols_array()),
        Placement::from_rows(narrow.transpose().to_cols_array()),
        Placement::from_columns(wide.to_cols_array_2d()),
        Placement::from_columns(narrow.to_cols_array_2d()),
        Placement::from_columns(wide.to_cols_array()),
        Placement::from_columns(narrow.to_cols_array()),
        Placement::try_from(mint::RowMatrix4::from(rows)),
        Placement::try_from(mint::RowMatrix4::from(narrow_rows)),
        Placement::try_from(mint::ColumnMatrix4::from(wide.to_cols_array_2d())),
        Placement::try_from(mint::ColumnMatrix4::from(narrow.to_cols_array_2d())),
        Placement::try_from(mint::RowMatrix3x4::from([rows[0], rows[1], rows[2]])),
        Placement::try_from(mint::ColumnMatrix3x4::from(mint::RowMatrix3x4::from([
            rows[0], rows[1], rows[2],
        ]))),
    ];
    for (i, found) in found.into_iter().enumerate() {
        assert_eq!(found, Ok(expected), "door {i}");
    }
}

/// Of a rotation no number tells whether it is written in rows or in columns: the caller does.
#[test]
fn rows_and_columns_of_a_rotation_are_inverse_to_each_other() {
    let turn = Trs::rotation_about_axis([0.3, -0.5, 0.8], 40.0).expect("valid");
    let numbers = DMat4::from(turn.matrix()).to_cols_array();
    let by_columns = Placement::from_columns(numbers).expect("a rotation");
    let by_rows = Placement::from_rows(numbers).expect("a rotation");
    let point = DVec3::new(1.0, 2.0, 3.0);
    assert_eq!(by_columns.point_to_world(point), turn.matrix().transform_point3(point));
    assert!((by_rows.point_to_world(by_columns.point_to_world(point)) - point).length() < 1e-14);
    assert!((by_rows.point_to_world(point) - by_columns.point_to_world(point)).length() > 0.1);
    assert_eq!(Trs::from_columns(numbers).map(Placement::from).map(|p| p.is_mirrored()), Ok(false));
    assert_eq!(Trs::from_rows(numbers), Trs::try_from(DMat4::from(turn.matrix()).transpose()));
}

#[test]
fn every_pose_leads_to_the_same_placement() {
    let expected =
        Placement::from(Trs::rigid([1.0, 2.0, 3.0], DQuat::from_xyzw(0.5, 0.5, 0.5, 0.5)).expect("valid"));
    let (q, t) = (DQuat::from_xyzw(0.5, 0.5, 0.5, 0.5), DVec3::new(1.0, 2.0, 3.0));
    let (narrow_q, narrow_t): (Quat, Vec3) = (q.as_quat(), t.as_vec3());
    let mint_q = mint::Quaternion { s: 0.5, v: mint::Vector3::from([0.5, 0.5, 0.5]) };
    let mint_narrow = mint::Quaternion { s: 0.5f32, v: mint::Vector3::from([0.5f32, 0.5, 0.5]) };
    let found = [
        Placement::try_from((q, t)),
        Placement::try_from((t, q)),
        Placement::try_from((narrow_q, narrow_t)),
        Placement::try_from((narrow_t, narrow_q)),
        Placement::try_from((mint_q, mint::Vector3::from([1.0, 2.0, 3.0]))),
        Placement::try_from((mint_narrow, mint::Vector3::from([1.0f32, 2.0, 3.0]))),
    ];
    for found in found {
        assert_eq!(found, Ok(expected));
    }
}

/// A rotation in `f32` is not one in `f64`: extraction takes it, a placement keeps it as it is.
#[test]
fn matrices_in_f32_are_extracted_but_not_changed() {
    let narrow =
        Mat4::from_rotation_translation(Quat::from_rotation_y(0.3) * Quat::from_rotation_x(1.1), Vec3::X);
    assert!(Trs::try_from(narrow).is_ok());
    let placement = Placement::try_from(narrow).expect("invertible");
    assert!(placement.trs().is_none());
    assert_eq!(DMat4::from(*placement.world_from_model()), narrow.as_dmat4());
}
