//! The image of a box holds the image of every point of it, for every size of numbers.

use dashu_ratio::RBig;
use proptest::prelude::*;

use super::Aabb;
use crate::math::{DAffine3, DMat3, DVec3};

/// Numbers of every size from 1e-300 to 1e300, both signs, and zero.
fn number() -> impl Strategy<Value = f64> + Clone {
    prop_oneof![
        1 => Just(0.0),
        4 => -10.0..10.0f64,
        4 => (-300.0..300.0f64, any::<bool>()).prop_map(|(e, negative)| {
            let value = 10f64.powf(e);
            if negative { -value } else { value }
        }),
    ]
}

fn vector(number: impl Strategy<Value = f64> + Clone) -> impl Strategy<Value = DVec3> {
    [number.clone(), number.clone(), number].prop_map(DVec3::from_array)
}

fn map(number: impl Strategy<Value = f64> + Clone) -> impl Strategy<Value = DAffine3> {
    [vector(number.clone()), vector(number.clone()), vector(number.clone()), vector(number)]
        .prop_map(|[x, y, z, t]| DAffine3::from_cols(x, y, z, t))
}

fn unit() -> impl Strategy<Value = DVec3> {
    vector(prop_oneof![Just(0.0), Just(1.0), 0.0..=1.0f64])
}

/// A point of the box: a corner, on a side, or inside.
fn point_at(aabb: &Aabb, at: DVec3) -> DVec3 {
    // Rounding may leave the box by an ulp.
    (aabb.min * (DVec3::ONE - at) + aabb.max * at).clamp(aabb.min, aabb.max)
}

fn exact(value: f64) -> RBig {
    RBig::try_from(value).expect("the value is finite")
}

fn exact_image(map: &DAffine3, point: DVec3, row: usize) -> RBig {
    (0..3).fold(exact(map.translation[row]), |sum, column| {
        sum + exact(map.matrix3.col(column)[row]) * exact(point[column])
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2000))]

    #[test]
    fn image_holds_the_computed_and_the_exact_image(
        corners in [vector(number()), vector(number())],
        map in map(number()),
        at in unit(),
    ) {
        let aabb = Aabb::around(corners);
        let point = point_at(&aabb, at);
        let image = aabb.image(&map);
        prop_assert!(!image.is_empty());
        let computed = map.transform_point3(point);
        for row in 0..3 {
            // A sum can overflow on its way to a finite coordinate; only the exact image counts then.
            if computed[row].is_finite() {
                prop_assert!(image.min[row] <= computed[row] && computed[row] <= image.max[row],
                    "row {row} of {point} is {} outside {image:?}", computed[row]);
            }
            let true_image = exact_image(&map, point, row);
            prop_assert!(!image.min[row].is_finite() || exact(image.min[row]) <= true_image);
            prop_assert!(!image.max[row].is_finite() || exact(image.max[row]) >= true_image);
        }
    }

    /// The box is not only true but tight: each side is within 30 units of 2⁻⁵³ of the sum of the terms of the farthest
    /// corner (16 of the slack, 4 of the middle, 8 of the extent, 1 each of the center and the bound).
    #[test]
    fn image_is_tight(
        corners in [vector(-1e3..1e3f64), vector(-1e3..1e3f64)],
        map in map(-1e3..1e3f64),
    ) {
        let aabb = Aabb::around(corners);
        let image = aabb.image(&map);
        let corner = |i: usize| DVec3::select(
            glam::BVec3::new(i & 1 != 0, i & 2 != 0, i & 4 != 0), aabb.max, aabb.min);
        for row in 0..3 {
            let images: Vec<RBig> = (0..8).map(|i| exact_image(&map, corner(i), row)).collect();
            let farther = aabb.min.abs().max(aabb.max.abs());
            let terms: f64 = (0..3).map(|c| map.matrix3.col(c)[row].abs() * farther[c]).sum::<f64>()
                + map.translation[row].abs();
            let allowed = exact(terms * 30.0 * f64::EPSILON / 2.0);
            let (least, greatest) = (images.iter().min(), images.iter().max());
            prop_assert!(least.expect("eight") - exact(image.min[row]) <= allowed);
            prop_assert!(exact(image.max[row]) - greatest.expect("eight") <= allowed);
        }
    }
}

#[test]
fn empty_stays_empty() {
    let map = DAffine3::from_scale(DVec3::new(-1e300, 1e-300, 0.0));
    assert_eq!(Aabb::EMPTY.image(&map), Aabb::EMPTY);
    let hollow = Aabb { min: DVec3::new(0.0, 1.0, 0.0), max: DVec3::new(1.0, 0.0, 1.0) };
    assert!(hollow.image(&DAffine3::IDENTITY).is_empty());
    assert_eq!((Aabb::EMPTY.volume(), Aabb::EMPTY.area()), (0.0, 0.0));
}

#[test]
fn overflow_extends_to_infinity() {
    let aabb = Aabb { min: DVec3::splat(1e200), max: DVec3::splat(2e200) };
    let image = aabb.image(&DAffine3::from_scale(DVec3::new(1e200, -1e200, 1.0)));
    for row in 0..2 {
        assert_eq!((image.min[row], image.max[row]), (f64::NEG_INFINITY, f64::INFINITY));
    }
    assert!(image.min.z.is_finite() && image.max.z.is_finite());
    // The largest finite numbers need no overflow.
    let largest = Aabb { min: DVec3::splat(1e307), max: DVec3::splat(2e307) };
    assert!(largest.image(&DAffine3::IDENTITY).max.is_finite());
    // inf - inf within one coordinate: nothing is known of it.
    let mixed = DMat3::from_cols(DVec3::splat(1e200), DVec3::splat(-1e200), DVec3::Z);
    let image = aabb.image(&DAffine3::from_mat3(mixed));
    assert_eq!((image.min.x, image.max.x), (f64::NEG_INFINITY, f64::INFINITY));
}

#[test]
fn infinite_and_nan_numbers_stay_conservative() {
    let all = Aabb { min: DVec3::NEG_INFINITY, max: DVec3::INFINITY };
    assert_eq!(all.image(&DAffine3::IDENTITY), all);
    let one = Aabb { min: DVec3::ZERO, max: DVec3::ONE };
    let image = one.image(&DAffine3::from_translation(DVec3::new(f64::NAN, 0.0, 0.0)));
    assert_eq!((image.min.x, image.max.x), (f64::NEG_INFINITY, f64::INFINITY));
    assert!(image.max.y.is_finite());
}

#[test]
fn volume_and_area() {
    let aabb = Aabb { min: DVec3::ZERO, max: DVec3::new(1.0, 2.0, 3.0) };
    assert_eq!((aabb.volume(), aabb.area()), (6.0, 22.0));
}
