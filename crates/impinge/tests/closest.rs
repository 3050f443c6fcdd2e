//! Closest points of triangles and points, against rational arithmetic: slivers, parallel edges, no area, one unit in
//! the last place apart.

use crate::effort::share;
use crate::oracle;
use crate::oracle::cases::{self, FAMILIES, Random};
use crate::oracle::metric::{between, exact, root, to_segment, to_triangle};
use impinge::math::DVec3;
use impinge_core::narrow::distance::{Place, point_triangle, triangles};

fn all_pairs() -> u64 {
    share(40, 1_500)
}

/// How far a place may be from its point: the point is rounded.
fn check_place(triangle: &[DVec3; 3], point: DVec3, place: Place, room: f64) {
    let distance = match place {
        Place::Corner(i) => triangle[i as usize].distance(point),
        Place::Edge(i) => {
            let ends = [triangle[i as usize], triangle[(i as usize + 1) % 3]].map(exact);
            root(&to_segment(&exact(point), &ends[0], &ends[1]))
        }
        Place::Inside => root(&to_triangle(&exact(point), &triangle.map(exact))),
    };
    assert!(distance <= room, "{place:?} of {triangle:?} is {distance} from {point}");
}

fn extent(points: &[DVec3]) -> f64 {
    points.iter().map(|p| p.abs().max_element()).fold(0.0, f64::max)
}

/// The share of the stated error that is left for this: placing takes the rest.
const ABSOLUTE: f64 = impinge::tolerance::DISTANCE_ABSOLUTE / 4.0;

#[test]
fn pairs_of_triangles() {
    let mut random = Random(11);
    let mut worst: f64 = 0.0;
    for (family, name) in FAMILIES.iter().enumerate().filter(|(_, name)| **name != "extreme exponents") {
        for _ in 0..all_pairs() {
            let [a, b] = cases::pair(family, &mut random);
            if oracle::triangles(&a, &b).is_some() {
                continue;
            }
            let truth = root(&between(&a.map(exact), &b.map(exact)));
            let found = triangles(&a, &b);
            let size = extent(&[a, b].concat());
            let error = (found.squared.sqrt() - truth).abs();
            worst = worst.max(error / size);
            assert!(
                error <= ABSOLUTE * size,
                "{name}: {a:?} {b:?}: {error:e} of {size:e}, {found:?}, {truth}"
            );
            assert!((found.offset.length_squared() - found.squared).abs() <= 1e-15 * found.squared);
            let gap = (found.points[1] - found.points[0] - found.offset).length();
            assert!(gap <= ABSOLUTE * size, "{name}: {found:?}");
            check_place(&a, found.points[0], found.places[0], ABSOLUTE * size);
            check_place(&b, found.points[1], found.places[1], ABSOLUTE * size);
            let exchanged = (triangles(&b, &a).squared.sqrt() - truth).abs();
            assert!(exchanged <= ABSOLUTE * size, "{name}: {a:?} {b:?}: {exchanged:e}");
        }
    }
    println!("largest error of triangles: {worst:e} of the extent");
}

#[test]
fn points_and_triangles() {
    let mut random = Random(12);
    for (family, name) in FAMILIES.iter().enumerate().filter(|(_, name)| **name != "extreme exponents") {
        for _ in 0..all_pairs() {
            let [[point, ..], b] = cases::pair(family, &mut random);
            let truth = root(&to_triangle(&exact(point), &b.map(exact)));
            let found = point_triangle(point, &b);
            let size = extent(&[&b[..], &[point]].concat());
            let error = (found.squared.sqrt() - truth).abs();
            assert!(
                error <= ABSOLUTE * size,
                "{name}: {point} {b:?}: {error:e} of {size:e}, {found:?}, {truth}"
            );
            check_place(&b, found.points[1], found.places[1], ABSOLUTE * size);
        }
    }
}

/// Edges that cross at a small angle, close to each other: half of the digits of their parameters are gone in f64.
#[test]
fn edges_at_small_angles() {
    let mut random = Random(13);
    for _ in 0..all_pairs() * 4 {
        let angle = 10f64.powi(-(random.below(16) as i32));
        let gap = 10f64.powi(-(random.below(16) as i32));
        let along = random.vector();
        let across = along.any_orthogonal_vector().normalize();
        let up = along.cross(across).normalize();
        let a = [along * -1.0, along, along * 0.3 - up];
        let tilted = along * 0.9 + across * angle;
        let shift = along * (0.4 * random.unit()) + up * gap;
        let b = [shift - tilted, shift + tilted, shift + up];
        let truth = root(&between(&a.map(exact), &b.map(exact)));
        let found = triangles(&a, &b).squared.sqrt();
        assert!((found - truth).abs() <= ABSOLUTE * 2.0, "{a:?} {b:?}: {found} {truth}");
    }
}

#[test]
fn features_are_those_of_fewest_dimensions() {
    let flat = [DVec3::ZERO, DVec3::new(4.0, 0.0, 0.0), DVec3::new(0.0, 4.0, 0.0)];
    let at = |corners: [[f64; 3]; 3]| triangles(&flat, &corners.map(DVec3::from_array));
    let above = at([[1.0, 1.0, 2.0], [1.0, 2.0, 5.0], [2.0, 1.0, 5.0]]);
    assert_eq!((above.squared, above.places), (4.0, [Place::Inside, Place::Corner(0)]));
    let corner = at([[-3.0, -4.0, 0.0], [-6.0, -4.0, 0.0], [-3.0, -9.0, 0.0]]);
    assert_eq!((corner.squared, corner.places), (25.0, [Place::Corner(0), Place::Corner(0)]));
    let crossing = at([[2.0, -1.0, -3.0], [2.0, -1.0, 3.0], [2.0, -9.0, 0.0]]);
    assert_eq!((crossing.squared, crossing.places), (1.0, [Place::Edge(0), Place::Edge(0)]));
    // Parallel faces: some corner is as close as any inside.
    let parallel = at([[1.0, 1.0, 3.0], [2.0, 1.0, 3.0], [1.0, 2.0, 3.0]]);
    assert_eq!((parallel.squared, parallel.places[0]), (9.0, Place::Inside));
    assert!(matches!(parallel.places[1], Place::Corner(_)));
    // Without area: a segment and a point.
    let segment = at([[1.0, 1.0, 1.0], [1.0, 1.0, 7.0], [1.0, 1.0, 7.0]]);
    assert_eq!((segment.squared, segment.places), (1.0, [Place::Inside, Place::Corner(0)]));
    let point = at([[5.0, 5.0, 0.0]; 3]);
    assert_eq!((point.squared, point.places[0]), (18.0, Place::Edge(1)));
}
