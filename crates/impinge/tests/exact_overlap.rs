//! The exact narrow phase against whole-number arithmetic, over a million pairs of triangles and of polygons.

use crate::effort::share;
use crate::oracle;
use crate::oracle::cases::{self, FAMILIES, Random};
use impinge::math::DVec3;
use impinge_core::narrow::tri_tri::{Facet, Fan, Kind, point_polygon, polygons, segment_polygon, triangles};
use impinge_core::predicates::{Stage, orient3d_staged};

fn triangle_pairs_per_family() -> u64 {
    share(1_500, 110_000)
}
fn polygon_pairs() -> u64 {
    share(4_000, 220_000)
}

fn kind(a: [DVec3; 3], b: [DVec3; 3]) -> Option<Kind> {
    triangles(&Facet::from(a), &Facet::from(b)).map(|(kind, _)| kind)
}

/// Runs `work` for every index, on two threads, and adds up what it returns.
fn tally<const N: usize>(count: u64, work: impl Fn(u64) -> [u64; N] + Sync) -> [u64; N] {
    let part = |first: u64| {
        let add = |mut sum: [u64; N], i| {
            sum.iter_mut().zip(work(i)).for_each(|(s, x)| *s += x);
            sum
        };
        (first..count).step_by(2).fold([0; N], add)
    };
    std::thread::scope(|scope| {
        let other = scope.spawn(|| part(1));
        let own = part(0);
        let other = other.join().unwrap();
        std::array::from_fn(|i| own[i] + other[i])
    })
}

#[test]
fn triangles_agree_with_whole_numbers() {
    let (mut all, mut exact) = (0, 0);
    for (family, name) in FAMILIES.iter().enumerate() {
        let [touching, crossing, whole, expansion, dyadic] = tally(triangle_pairs_per_family(), |i| {
            let mut random = Random(i << 8 | family as u64);
            let [a, b] = cases::pair(family, &mut random);
            let truth = oracle::triangles(&a, &b);
            assert_eq!(kind(a, b), truth, "family {name}, case {i}: {a:?} {b:?}");
            // Neither the order of the two, nor of their corners, nor a common translation of signs matters.
            assert_eq!(kind(b, a), truth, "swapped: family {name}, case {i}");
            assert_eq!(
                kind([a[1], a[2], a[0]], [b[2], b[1], b[0]]),
                truth,
                "turned: family {name}, case {i}"
            );
            let mirrored = |t: [DVec3; 3]| t.map(|p| DVec3::new(-p.y, p.z, p.x));
            assert_eq!(kind(mirrored(a), mirrored(b)), truth, "mirrored: family {name}, case {i}");
            let reached = |stage| {
                let side = |t: [DVec3; 3], p| orient3d_staged(t[0], t[1], t[2], p).1 == stage;
                u64::from(b.iter().any(|&p| side(a, p)) || a.iter().any(|&p| side(b, p)))
            };
            let [whole, expansion, dyadic] = [Stage::Whole, Stage::Expansion, Stage::Dyadic].map(reached);
            [
                u64::from(truth == Some(Kind::Touching)),
                u64::from(truth == Some(Kind::Crossing)),
                whole & !expansion & !dyadic,
                expansion & !dyadic,
                dyadic,
            ]
        });
        println!(
            "{name:22} {} pairs: {touching} touching, {crossing} crossing; \
             decided by filter alone {}, whole numbers {whole}, expansions {expansion}, dyadic numbers {dyadic}",
            triangle_pairs_per_family(),
            triangle_pairs_per_family() - whole - expansion - dyadic
        );
        all += triangle_pairs_per_family();
        exact += whole + expansion + dyadic;
    }
    println!("{all} pairs, {exact} of them reached an exact stage");
    assert!(exact * 10 >= all * 3, "too few hard cases: {exact} of {all}");
}

#[test]
fn convex_polygons_agree_with_whole_numbers() {
    let [touching, crossing] = tally(polygon_pairs(), |i| {
        let mut random = Random(i << 8 | 0xa5);
        // Every fourth pair lies in one plane.
        let plane = (i % 4 == 0).then(|| cases::frame(&mut random));
        let a = cases::convex_polygon(&mut random, plane);
        let b = cases::convex_polygon(&mut random, plane);
        let truth = oracle::convex_polygons(&a, &b);
        let found =
            |a: &[DVec3], b: &[DVec3]| polygons(&Fan::new(a), &Fan::new(b)).map(|meeting| meeting.kind);
        assert_eq!(found(&a, &b), truth, "case {i}: {a:?} {b:?}");
        assert_eq!(found(&b, &a), truth, "swapped: case {i}");
        [u64::from(truth == Some(Kind::Touching)), u64::from(truth == Some(Kind::Crossing))]
    });
    println!("{} pairs of polygons: {touching} touching, {crossing} crossing", polygon_pairs());
    assert!(touching > polygon_pairs() / 20 && crossing > polygon_pairs() / 20);
}

#[test]
fn segments_and_points_agree_with_whole_numbers() {
    tally(polygon_pairs() / 4, |i| {
        let mut random = Random(i << 8 | 0x5a);
        let polygon = cases::convex_polygon(&mut random, None);
        let fan = Fan::new(&polygon);
        let (p, q) = (random.lattice(6), random.lattice(6));
        // The oracle takes the polygon as its triangles; interior to the polygon means interior to the oracle's
        // half-spaces of the whole outline, so a segment is compared as a polygon without area.
        let truth = |corners: [DVec3; 3]| {
            let mut best = None;
            for k in 1..polygon.len() - 1 {
                best = best.max(oracle::triangles(&corners, &[polygon[0], polygon[k], polygon[k + 1]]));
            }
            best
        };
        let found = segment_polygon([p, q], &fan).map(|meeting| meeting.kind);
        let by_triangles = truth([p, q, q]);
        assert_eq!(found.is_some(), by_triangles.is_some(), "case {i}: {p} {q} {polygon:?}");
        // A crossing exactly through a diagonal is seen by no triangle alone.
        assert!(found >= by_triangles, "case {i}: {p} {q} {polygon:?}");
        if polygon.len() == 3 {
            assert_eq!(found, by_triangles, "case {i}: {p} {q} {polygon:?}");
        }
        let touch = point_polygon(p, &fan).map(|meeting| meeting.kind);
        assert_eq!(touch, truth([p, p, p]), "case {i}: {p} {polygon:?}");
        []
    });
}

/// The shared point must lie on both triangles, up to the rounding of its own coordinates.
#[test]
fn witness_points_lie_on_both() {
    for i in 0..20_000 {
        let mut random = Random(i << 8 | 0x77);
        let [a, b] = cases::pair(2 + (i % 2) as usize * 5, &mut random);
        let Some((_, shared)) = triangles(&Facet::from(a), &Facet::from(b)) else { continue };
        for end in shared.ends(&a, &b) {
            for t in [a, b] {
                let (distance, size) = distance_to_triangle(end, t);
                // Each end is an exact parameter, rounded to a point: three roundings of coordinates of at most `size`,
                // seen at the other plane through the edge's slope, which is at most one.
                assert!(distance <= 16.0 * f64::EPSILON * size, "case {i}: {distance:e} from {t:?}");
            }
        }
    }
}

/// The distance of a point from a triangle, and the largest coordinate involved.
fn distance_to_triangle(p: DVec3, [a, b, c]: [DVec3; 3]) -> (f64, f64) {
    let size = [p, a, b, c].iter().map(|q| q.abs().max_element()).fold(0.0, f64::max);
    let segment = |a: DVec3, b: DVec3| {
        let t = ((p - a).dot(b - a) / (b - a).length_squared()).clamp(0.0, 1.0);
        p.distance(a + (b - a) * t)
    };
    let edges = segment(a, b).min(segment(b, c)).min(segment(c, a));
    let normal = (b - a).cross(c - a);
    let inside = [(a, b), (b, c), (c, a)].iter().all(|&(s, e)| normal.cross(e - s).dot(p - s) >= 0.0);
    let plane = ((p - a).dot(normal) / normal.length()).abs();
    (if inside { plane.min(edges) } else { edges }, size)
}
