//! Many parts that touch face to face, as in assemblies: the quick way of looking around edges gives the verdicts of
//! rational arithmetic, and the least step makes a difference.

use crate::effort::share;
use crate::engine_set::{ALL, Memory, Trees, intersect};
use crate::oracle::cases::Random;
use impinge::math::{DAffine3, DMat3, DQuat, DVec3};
use impinge::query::{Contained, Engine, IntersectOptions};
use impinge::{Mesh, Model, Placement, Trs, Verdict};
use impinge_core::narrow::tri_tri::{Facet, triangles, triangles_meet};

const SIDE: usize = if cfg!(debug_assertions) { 3 } else { 12 };
fn all_cases() -> u64 {
    share(200, 3_000)
}

type Cuboid = [DVec3; 2];

fn triangles_of(cuboids: &[Cuboid]) -> (Vec<DVec3>, Vec<[u32; 3]>) {
    const QUADS: [[u32; 4]; 6] =
        [[0, 4, 6, 2], [1, 3, 7, 5], [0, 1, 5, 4], [2, 6, 7, 3], [0, 2, 3, 1], [4, 5, 7, 6]];
    let (mut points, mut faces) = (Vec::new(), Vec::new());
    for [min, max] in cuboids {
        let first = points.len() as u32;
        let corner = |i: u32| {
            DVec3::from_array(std::array::from_fn(|k| if i >> k & 1 == 1 { max[k] } else { min[k] }))
        };
        points.extend((0..8).map(corner));
        for [a, b, c, d] in QUADS.map(|quad| quad.map(|corner| corner + first)) {
            faces.extend([[a, b, c], [a, c, d]]);
        }
    }
    (points, faces)
}

fn model(cuboids: &[Cuboid]) -> Model {
    let (points, faces) = triangles_of(cuboids);
    Model::new(Mesh::triangles(points, faces).unwrap())
}

/// The same with all vertices turned and rounded: shared corners stay shared, flat faces do not stay flat.
fn crooked_model(cuboids: &[Cuboid], turn: DQuat) -> Model {
    let (points, faces) = triangles_of(cuboids);
    Model::new(Mesh::triangles(points.into_iter().map(|point| turn * point), faces).unwrap())
}

fn grid(pitch: f64, min: [f64; 3], max: [f64; 3]) -> Vec<Cuboid> {
    let place = |k: usize| DVec3::new((k % SIDE) as f64, (k / SIDE) as f64, 0.0) * pitch;
    (0..SIDE * SIDE).map(|k| [DVec3::from(min) + place(k), DVec3::from(max) + place(k)]).collect()
}

fn verdict(a: &Model, b: &Model, world_from_b: impl Into<Placement>) -> Verdict {
    let (a, b) = (a.at(Trs::IDENTITY), b.at(world_from_b));
    let found = a.verdict(&b);
    assert_eq!(b.verdict(&a), found.flipped());
    found
}

fn shift(by: [f64; 3]) -> Trs {
    Trs::translation(by).unwrap()
}

#[test]
fn grids_that_stand_on_each_other_touch() {
    for pitch in [1.0, 1.5] {
        let boxes = model(&grid(pitch, [0.0; 3], [1.0; 3]));
        assert_eq!(verdict(&boxes, &boxes, shift([0.0, 0.0, 1.0])), Verdict::Touching);
        assert_eq!(verdict(&boxes, &boxes, shift([0.5, 0.5, 1.0])), Verdict::Touching);
        let quarter = DMat3::from_cols(DVec3::Y, -DVec3::X, DVec3::Z);
        let turned = DAffine3 { matrix3: quarter, translation: DVec3::new(pitch * SIDE as f64, 0.0, 1.0) };
        assert_eq!(verdict(&boxes, &boxes, Placement::try_from(turned).unwrap()), Verdict::Touching);
        let turn = DQuat::from_axis_angle(DVec3::new(0.36, 0.48, 0.8), 0.7);
        let [below, above] = [0.0, 1.0].map(|z| grid(pitch, [0.0, 0.0, z], [1.0, 1.0, z + 1.0]));
        let [below, above] = [below, above].map(|boxes| crooked_model(&boxes, turn));
        assert_eq!(verdict(&below, &above, Trs::IDENTITY), Verdict::Touching);
    }
}

/// No plane has all of one on each side.
#[test]
fn interleaved_grids_touch() {
    for (scale, shift) in [(1.0, 0.0), (1.0, 0.5), (0.1, 0.0), (0.1, 0.5)] {
        let bars = |x: f64, y: f64| -> Vec<Cuboid> {
            let corner = |k: usize| DVec3::new((2 * (k % SIDE)) as f64 + x, (k / SIDE) as f64 + y, 0.0);
            (0..SIDE * SIDE).map(|k| [corner(k) * scale, (corner(k) + DVec3::ONE) * scale]).collect()
        };
        let (a, b) = (model(&bars(0.0, 0.0)), model(&bars(1.0, shift)));
        assert_eq!(verdict(&a, &b, Trs::IDENTITY), Verdict::Touching, "{scale} {shift}");
    }
}

#[test]
fn one_box_that_sinks_in_by_the_least_step_overlaps() {
    let below = grid(1.5, [0.0; 3], [1.0; 3]);
    for sunk in [0, SIDE * SIDE / 2, SIDE * SIDE - 1] {
        for place in [0.0, 0.25] {
            let mut above = grid(1.5, [place, 0.0, 1.0], [1.0 + place, 1.0, 2.0]);
            above[sunk][0].z = 1.0_f64.next_down();
            assert_eq!(
                verdict(&model(&below), &model(&above), Trs::IDENTITY),
                Verdict::Overlapping,
                "{sunk}"
            );
            above[sunk][0].z = 1.0_f64.next_up();
            assert_eq!(verdict(&model(&below), &model(&above), Trs::IDENTITY), Verdict::Touching, "{sunk}");
        }
    }
}

#[test]
fn flush_nesting_is_inside_and_duplicates_overlap() {
    let turn = DQuat::from_axis_angle(DVec3::new(0.6, 0.0, 0.8), 1.1);
    let outer = grid(1.5, [0.0; 3], [1.0; 3]);
    for min in [[0.25, 0.25, 0.0], [0.0, 0.25, 0.0], [0.0; 3], [0.25; 3]] {
        let mut inner = grid(1.5, min, min.map(|coordinate| coordinate + 0.5));
        assert_eq!(verdict(&model(&outer), &model(&inner), Trs::IDENTITY), Verdict::Inside(Contained::B));
        // The last one reaches out through the outer box's far side.
        inner.last_mut().unwrap()[1].x += 0.75;
        assert_eq!(verdict(&model(&outer), &model(&inner), Trs::IDENTITY), Verdict::Overlapping);
    }
    let same = grid(1.0, [0.0; 3], [1.0; 3]);
    for boxes in [&outer, &same] {
        assert_eq!(verdict(&model(boxes), &model(boxes), Trs::IDENTITY), Verdict::Overlapping);
        let crooked = crooked_model(boxes, turn);
        assert_eq!(verdict(&crooked, &crooked, Trs::IDENTITY), Verdict::Overlapping);
    }
}

/// A few boxes on a lattice, with flush sides, T-junctions, boxes in boxes and parts that share edges.
fn some_boxes(random: &mut Random, unit: f64) -> Vec<Cuboid> {
    (0..1 + random.below(4))
        .map(|_| {
            let min = random.lattice(3);
            let size = DVec3::from_array(std::array::from_fn(|_| 1.0 + f64::from(random.below(3) as u32)));
            [min * unit, (min + size) * unit]
        })
        .collect()
}

#[test]
fn quick_verdicts_are_those_of_rational_arithmetic() {
    let mut random = Random(41);
    let mut memory = Memory::default();
    let mut seen = [0; 4];
    for case in 0..all_cases() {
        let unit = [1.0, 0.1, 1e-9, 3e7][case as usize % 4];
        let (mut a, b) = (some_boxes(&mut random, unit), some_boxes(&mut random, unit));
        if case % 7 == 0 {
            // As large as boxes reach, so that the others lie inside, many of them flush.
            a = vec![[DVec3::splat(-3.0 * unit), DVec3::splat(6.0 * unit)]];
        }
        let axis = (random.vector() + DVec3::splat(1.5)).normalize();
        let turn = DQuat::from_axis_angle(axis, random.unit());
        let (a, b) = if case % 3 == 0 {
            (crooked_model(&a, turn), crooked_model(&b, turn))
        } else {
            (model(&a), model(&b))
        };
        let placement: Placement = match case % 5 {
            0 => Trs::translation(random.lattice(2) * unit).unwrap().into(),
            1 => Trs::scaling([1.0, -1.0, 1.0]).unwrap().into(),
            _ => Placement::IDENTITY,
        };
        let (a, b) = (a.at(Placement::IDENTITY), b.at(placement));
        let truth = a.intersect_with(&b, IntersectOptions::default().engine(Engine::Brute));
        let trees = [&Trees::new(a.model()), &Trees::new(b.model())];
        for &engine in &ALL[1..] {
            let found = intersect(engine, [&a, &b], trees, IntersectOptions::default(), &mut memory);
            assert_eq!(found.verdict, truth.verdict, "case {case}, {engine:?}");
            assert_eq!(found.witness.is_some(), truth.witness.is_some(), "case {case}, {engine:?}");
        }
        seen[match truth.verdict {
            Verdict::Clear => 0,
            Verdict::Touching => 1,
            Verdict::Overlapping => 2,
            Verdict::Inside(_) => 3,
        }] += 1;
    }
    // None so rare that it proves nothing.
    assert!(seen.iter().all(|&count| count > all_cases() / 100), "{seen:?}");
}

#[test]
fn whether_triangles_meet_does_not_depend_on_asking_where() {
    let mut random = Random(43);
    for _ in 0..20 * all_cases() {
        let mut facet = || {
            let corners = [random.lattice(3), random.lattice(3), random.lattice(3)];
            Facet::from(corners.map(|corner| DVec3::new(corner.x * 0.1, corner.y * 0.3, 0.1 * corner.x)))
        };
        let (a, b) = (facet(), facet());
        assert_eq!(triangles_meet(&a, &b), triangles(&a, &b).map(|(kind, _)| kind), "{a:?} {b:?}");
    }
}
