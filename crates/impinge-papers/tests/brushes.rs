//! Brushes merged into one surface: the union's inside and outside, its closed surface, and sweeps against it.

use crate::oracle::cases::Random;
use impinge::math::{DAffine3, DQuat, DVec3};
use impinge::{Mesh, Motion, Placement};
use impinge_papers::van_waveren::brushes::{Brush, BrushError, generated, merge, separate};
use impinge_papers::van_waveren::narrow::{Options, Scratch, sweep};
use impinge_papers::van_waveren::polyhedron::{Fold, Polyhedron};

const CASES: u64 = if cfg!(debug_assertions) { 12 } else { 300 };

/// How often the surface goes around a point: 1 inside of a solid, 0 outside. By solid angles, without the planes of the brushes.
fn winding(surface: &Polyhedron, point: DVec3) -> f64 {
    let point = point - surface.center();
    let mut angle = 0.0;
    for polygon in 0..surface.polygon_count() as u32 {
        let corners: Vec<DVec3> =
            surface.corners(polygon).iter().map(|&v| surface.vertices()[v as usize] - point).collect();
        for k in 2..corners.len() {
            let [a, b, c] = [corners[0], corners[k - 1], corners[k]];
            let [x, y, z] = [a.length(), b.length(), c.length()];
            let below = x * y * z + a.dot(b) * z + b.dot(c) * x + c.dot(a) * y;
            angle += 2.0 * a.dot(b.cross(c)).atan2(below);
        }
    }
    angle / (4.0 * std::f64::consts::PI)
}

fn turned_box(random: &mut Random) -> Brush {
    let half = DVec3::new(0.3, 0.4, 0.5) + random.vector().abs();
    let axis = random.vector().normalize_or(DVec3::Z);
    let at = DAffine3::from_rotation_translation(DQuat::from_axis_angle(axis, 3.0), random.vector() * 2.0);
    let corner = |k: usize| {
        let sign = |axis: usize| if k >> axis & 1 == 1 { 1.0 } else { -1.0 };
        at.transform_point3(half * DVec3::new(sign(0), sign(1), sign(2)))
    };
    let quads = [[0, 2, 3, 1], [4, 5, 7, 6], [0, 1, 5, 4], [2, 6, 7, 3], [0, 4, 6, 2], [1, 3, 7, 5]];
    Brush::new("box", quads.iter().map(|quad| quad.map(corner).to_vec()).collect(), 1e-9).unwrap()
}

/// Boxes of many kinds: on a lattice so that they touch, overlap, repeat and share planes; wedged among each other; and in any position.
fn brushes(random: &mut Random) -> Vec<Brush> {
    let count = 1 + random.below(9);
    let kind = random.below(4);
    let mut made: Vec<Brush> = (0..count)
        .map(|_| {
            let low = random.lattice(3);
            let size = DVec3::ONE + random.lattice(2).abs();
            match kind {
                0 => Brush::cuboid(low, low + size),
                // Half steps: T-junctions everywhere.
                1 => Brush::cuboid(low * 0.5, low * 0.5 + size),
                2 => turned_box(random),
                _ if random.below(2) == 0 => turned_box(random),
                _ => Brush::cuboid(low, low + size),
            }
        })
        .collect();
    if random.below(4) == 0 {
        made.push(made[0].clone());
    }
    made
}

#[test]
fn the_union_has_the_inside_of_the_brushes() {
    let [mut inside, mut outside] = [0, 0];
    for case in 0..CASES {
        let mut random = Random(case << 8 | 0xb0);
        let brushes = brushes(&mut random);
        let merged = merge(&brushes).unwrap();
        assert_eq!(merged.share(Fold::Dangling), 0.0, "case {case} has a rim");
        for _ in 0..40 {
            let point = random.vector() * 3.5;
            if brushes.iter().any(|brush| brush.distance_to_planes(point) < 1e-3) {
                continue;
            }
            let expected = brushes.iter().any(|brush| brush.contains(point));
            let winding = winding(&merged, point);
            let difference = winding - f64::from(u8::from(expected));
            assert!(difference.abs() < 1e-2, "case {case}: {point} has winding {winding}, not {expected}");
            *(if expected { &mut inside } else { &mut outside }) += 1;
        }
    }
    assert!(inside as u64 > CASES && outside as u64 > CASES, "{inside} {outside}");
}

/// Sweeps from outside stop at the union where they stop at the brushes.
#[test]
fn sweeps_stop_at_the_union_where_they_stop_at_the_brushes() {
    let cube = Polyhedron::of(&Mesh::from(impinge::shapes::cuboid([-0.2; 3], [0.2; 3]).unwrap())).unwrap();
    let mut scratch = Scratch::default();
    let mut hits = 0;
    for case in 0..CASES {
        let mut random = Random(case << 8 | 0x5e);
        let brushes = brushes(&mut random);
        let (apart, merged) = (separate(&brushes).unwrap(), merge(&brushes).unwrap());
        for _ in 0..4 {
            let way = random.vector().normalize_or(DVec3::X);
            let turn = DQuat::from_axis_angle(random.vector().normalize_or(DVec3::Y), 1.0);
            let start = DAffine3::from_rotation_translation(turn, way * 12.0);
            let start = Placement::try_from(start).unwrap();
            let motion = Motion::translation(way * -12.0 + random.vector() * 2.0).unwrap();
            let [a, b] = [&apart, &merged].map(|still| {
                sweep(&cube, &start, &motion, still, &Options::default(), &mut scratch).unwrap()
            });
            assert!((a.fraction - b.fraction).abs() < 1e-5, "case {case}: {a:?} {b:?}");
            hits += u64::from(a.collision.is_some());
        }
    }
    assert!(hits > CASES, "{hits}");
}

#[test]
fn merging_makes_edges_internal() {
    let brushes = generated(16, 1);
    let (apart, merged) = (separate(&brushes).unwrap(), merge(&brushes).unwrap());
    assert_eq!(apart.share(Fold::Internal), 0.0);
    assert!(merged.share(Fold::Internal) > 0.3, "{}", merged.share(Fold::Internal));
    assert_eq!(merged.share(Fold::Dangling), 0.0);
    assert!(merged.polygon_count() < apart.polygon_count());
}

/// An L of two boxes has one internal edge; a box in a box and a box twice are the box.
#[test]
fn small_unions_are_what_they_should_be() {
    let cuboid = |low: [f64; 3], high: [f64; 3]| Brush::cuboid(low.into(), high.into());
    let unit = cuboid([0.0; 3], [1.0; 3]);
    let counts = |brushes: &[Brush]| {
        let merged = merge(brushes).unwrap();
        let internal = merged.edges().iter().filter(|edge| edge.fold == Fold::Internal).count();
        (merged.polygon_count(), merged.edge_count(), internal)
    };
    assert_eq!(counts(&[unit.clone(), unit.clone()]), (6, 12, 0));
    assert_eq!(counts(&[unit.clone(), cuboid([0.25; 3], [0.75; 3])]), (6, 12, 0));
    // The two sides of the L are two rectangles each.
    let (polygons, _, internal) = counts(&[unit.clone(), cuboid([1.0, 0.0, 0.0], [2.0, 1.0, 2.0])]);
    assert_eq!((polygons, internal), (10, 1));
    // Apart, touching at an edge only, and touching at a vertex only: nothing is left out.
    for high in [[3.0, 1.0, 1.0], [2.0, 2.0, 1.0], [2.0, 2.0, 2.0]] {
        let low = high.map(|c: f64| c - 1.0);
        assert_eq!(counts(&[unit.clone(), cuboid(low, high)]).0, 12);
    }
}

#[test]
fn what_is_no_brush_is_named() {
    let quad = |z: f64, up: bool| {
        let mut corners = vec![
            DVec3::new(0.0, 0.0, z),
            DVec3::new(1.0, 0.0, z),
            DVec3::new(1.0, 1.0, z),
            DVec3::new(0.0, 1.0, z),
        ];
        if !up {
            corners.reverse();
        }
        corners
    };
    let inside_out = Brush::new("lid", vec![quad(0.0, true), quad(1.0, false)], 1e-9);
    assert_eq!(inside_out.unwrap_err(), BrushError::NotConvex { brush: "lid".to_owned() });
    let line = vec![vec![DVec3::ZERO, DVec3::X, DVec3::X * 2.0]];
    assert_eq!(Brush::new("line", line, 1e-9).unwrap_err(), BrushError::Empty { brush: "line".to_owned() });
    assert_eq!(merge(&[]).unwrap().polygon_count(), 0);
}
