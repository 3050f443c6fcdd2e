//! The canonical frame: what must not change an answer, and what must not even change its bits.

use crate::oracle::cases::Random;
use impinge::math::{DAffine3, DMat3, DVec3};
use impinge::query::{Engine, FacePair, IntersectOptions, ModelPair};
use impinge::{Mesh, Model, Placement, Verdict};
use impinge_core::transform::relative;

const CASES: u64 = if cfg!(debug_assertions) { 50 } else { 600 };

/// Some triangles of a lattice, closed or not: what matters is that many touch.
fn triangles(random: &mut Random) -> Vec<[DVec3; 3]> {
    let count = 1 + random.below(6);
    let mut list: Vec<[DVec3; 3]> = Vec::new();
    for _ in 0..count {
        let [a, b, c, d] = std::array::from_fn(|_| random.lattice(2));
        match random.below(3) {
            0 => list.push([a, b, c]),
            _ => list.extend([[a, c, b], [a, b, d], [b, c, d], [a, d, c]]),
        }
    }
    list
}

fn model(triangles: &[[DVec3; 3]]) -> Model {
    Model::new(Mesh::soup(triangles.iter().flatten().copied()).unwrap())
}

/// The verdict and the pairs.
fn answer(a: &Model, at: &Placement, b: &Model, bt: &Placement) -> (Verdict, Vec<FacePair>) {
    let ask = IntersectOptions::new().pairs(true).surface_only(false);
    let answer = a.at(*at).intersect_with(&b.at(*bt), ask.engine(Engine::Brute));
    assert!(answer.witness.is_none_or(|witness| witness.point_in_world.is_finite()));
    (answer.verdict, answer.pairs)
}

/// A rotation, a shear, a mirror or a scale, somewhere: nothing about it is exact.
fn anywhere(random: &mut Random) -> Placement {
    loop {
        let mut columns = [random.vector(), random.vector(), random.vector()];
        if random.below(2) == 0 {
            columns = [DVec3::X, DVec3::Y, DVec3::Z].map(|axis| axis + random.vector() * 1e-9);
        }
        let matrix3 = DMat3::from_cols(columns[0], columns[1], columns[2]);
        let far = [0.0, 1.0, 1e6][random.below(3) as usize];
        if let Ok(place) = Placement::try_from(DAffine3 { matrix3, translation: random.vector() * far }) {
            return place;
        }
    }
}

fn shuffled<T: Clone>(list: &[T], random: &mut Random) -> Vec<(usize, T)> {
    let mut order: Vec<(usize, T)> = list.iter().cloned().enumerate().collect();
    for i in (1..order.len()).rev() {
        order.swap(i, random.below(i as u64 + 1) as usize);
    }
    order
}

/// Whatever the placements round to: exchanging the models exchanges the names, and the order of faces, of vertices and
/// of a triangle's corners does not matter.
#[test]
fn names_and_orders_do_not_matter() {
    for case in 0..CASES {
        let mut random = Random(case << 8 | 0xf1);
        let of_a = triangles(&mut random);
        // Often the same shape twice, so that hashes tie.
        let of_b = if random.below(3) == 0 { of_a.clone() } else { triangles(&mut random) };
        let at = anywhere(&mut random);
        let bt = match random.below(3) {
            0 => at,
            1 => anywhere(&mut random),
            _ => {
                // A lattice vector away, in a frame that rounds it.
                let mut map = *at.world_from_model();
                map.translation += map.matrix3 * random.lattice(1);
                Placement::try_from(map).unwrap()
            }
        };
        let (a, b) = (model(&of_a), model(&of_b));
        let (verdict, pairs) = answer(&a, &at, &b, &bt);
        let (back, mut turned) = answer(&b, &bt, &a, &at);
        assert_eq!(back, verdict.flipped(), "case {case}, exchanged");
        turned.iter_mut().for_each(|pair| std::mem::swap(&mut pair.face_a, &mut pair.face_b));
        turned.sort_unstable();
        assert_eq!(turned, pairs, "case {case}, exchanged");

        let reordered = |list: &[[DVec3; 3]], random: &mut Random| {
            let order = shuffled(list, random);
            let turned: Vec<[DVec3; 3]> = order
                .iter()
                .map(|(_, triangle)| {
                    let mut triangle = *triangle;
                    triangle.rotate_left(random.below(3) as usize);
                    triangle
                })
                .collect();
            (model(&turned), order.into_iter().map(|(old, _)| old as u32).collect::<Vec<u32>>())
        };
        let ((c, old_a), (d, old_b)) = (reordered(&of_a, &mut random), reordered(&of_b, &mut random));
        let (again, mut renamed) = answer(&c, &at, &d, &bt);
        assert_eq!(again, verdict, "case {case}, reordered");
        for pair in &mut renamed {
            (pair.face_a, pair.face_b) = (old_a[pair.face_a as usize], old_b[pair.face_b as usize]);
        }
        renamed.sort_unstable();
        assert_eq!(renamed, pairs, "case {case}, reordered");
    }
}

/// Moving both by the same map that rounds nothing: turns and mirrors onto the axes, powers of two, whole translations.
#[test]
fn exact_moves_of_both_change_nothing() {
    for case in 0..CASES {
        let mut random = Random(case << 8 | 0xf2);
        let (a, b) = (model(&triangles(&mut random)), model(&triangles(&mut random)));
        let shift = |t: DVec3| Placement::try_from(DAffine3::from_translation(t)).unwrap();
        // Multiples of 1/8 below 2^20: sums are exact.
        let (s, t) = (random.lattice(40) / 8.0, random.lattice(40) / 8.0);
        let expected = answer(&a, &shift(s), &b, &shift(t));
        let mut order = [0, 1, 2];
        order.swap(0, random.below(3) as usize);
        order.swap(1, 1 + random.below(2) as usize);
        let scale = (random.below(60) as f64 - 30.0).exp2();
        let columns = order.map(|i| DVec3::AXES[i] * if random.below(2) == 0 { scale } else { -scale });
        let far = [1.0, 1e6, -1e6][random.below(3) as usize];
        let matrix3 = DMat3::from_cols(columns[0], columns[1], columns[2]);
        let outer = DAffine3 { matrix3, translation: DVec3::splat(far) * scale };
        let moved = |t: DVec3| Placement::try_from(outer * DAffine3::from_translation(t)).unwrap();
        assert_eq!(answer(&a, &moved(s), &b, &moved(t)), expected, "case {case}: {outer:?}");
    }
}

/// Equal placements, however crooked, are the identity: nothing is rounded, so the answer is that of the models at rest.
#[test]
fn a_common_placement_is_no_placement() {
    for case in 0..CASES / 2 {
        let mut random = Random(case << 8 | 0xf3);
        let (a, b) = (model(&triangles(&mut random)), model(&triangles(&mut random)));
        let place = anywhere(&mut random);
        assert_eq!(relative(&place, &place), DAffine3::IDENTITY);
        let at_rest = answer(&a, &Placement::IDENTITY, &b, &Placement::IDENTITY);
        assert_eq!(answer(&a, &place, &b, &place), at_rest, "case {case}: {place:?}");
    }
}

/// Extreme sizes and places, which may overflow in one frame or in both: an answer, never a panic, and symmetric.
#[test]
fn extreme_placements_get_symmetric_answers() {
    for case in 0..CASES / 2 {
        let mut random = Random(case << 8 | 0xf4);
        let sized = |random: &mut Random| {
            let power = [-1070, -600, -1, 0, 1, 300, 700, 1020][random.below(8) as usize];
            let list: Vec<[DVec3; 3]> =
                triangles(random).iter().map(|t| t.map(|p| p * f64::from(power).exp2())).collect();
            model(&list)
        };
        let (a, b) = (sized(&mut random), sized(&mut random));
        let place = |random: &mut Random| {
            let scale = [1e-150, 1e-140, 1e-3, 1.0, 1e140, 1e150][random.below(6) as usize];
            let matrix3 = *anywhere(random).world_from_model() * DAffine3::from_scale(DVec3::splat(scale));
            let far = [0.0, 1.0, 1e150, -1e150][random.below(4) as usize];
            Placement::try_from(DAffine3 { matrix3: matrix3.matrix3, translation: DVec3::X * far })
        };
        let (Ok(at), Ok(bt)) = (place(&mut random), place(&mut random)) else { continue };
        let ask = IntersectOptions::new().pairs(true).surface_only(false);
        let answer = a.at(at).intersect_with(&b.at(bt), ask.engine(Engine::Brute));
        let back = b.at(bt).intersect_with(&a.at(at), ask.engine(Engine::Brute));
        assert_eq!(back.verdict, answer.verdict.flipped(), "case {case}");
        assert_eq!(back.pairs.len(), answer.pairs.len(), "case {case}");
        assert_eq!(answer.witness.is_none(), answer.verdict == Verdict::Clear, "case {case}");
        let fast = a.at(at).intersect_with(&b.at(bt), ask);
        assert_eq!((fast.verdict, fast.pairs), (answer.verdict, answer.pairs), "case {case}");
    }
}

/// The verdict of brute force, which the trees and a pair of models must give as well.
fn verdict_of_all(a: &Model, at: Placement, b: &Model, bt: Placement) -> Verdict {
    let brute = IntersectOptions::new().engine(Engine::Brute);
    let expected = a.at(at).intersect_with(&b.at(bt), brute).verdict;
    assert_eq!(a.at(at).verdict(&b.at(bt)), expected);
    assert_eq!(ModelPair::new(a, b).verdict([at, bt]), expected);
    expected
}

/// The inverse of a matrix that is nearly singular is rounded so much that in its frame a guest may be inside of a host that is clear of it in the
/// world. What counts is the frame.
#[test]
fn nearly_singular_hosts_meet_what_their_frame_has_inside() {
    let cube = Model::new(impinge::shapes::cuboid([-1.0; 3], [1.0; 3]).unwrap());
    let point = Model::new(Mesh::point([0.0; 3]).unwrap());
    let mut inside = 0;
    for case in 0..2_000 {
        let mut random = Random(case << 8 | 0xf5);
        let column = DVec3::ONE + random.vector();
        let matrix3 =
            DMat3::from_cols(column, column + random.vector() * 1e-4, column + random.vector() * 1e-4);
        let Ok(place) = Placement::try_from(DAffine3::from_mat3(matrix3)) else { continue };
        // A little outside of the sphere around the cube.
        let corner = matrix3 * DVec3::ONE;
        let translation = corner.normalize() * (place.stretch() * 3.0_f64.sqrt() * (1.0 + 1e-11));
        let outside = Placement::try_from(DAffine3::from_translation(translation)).unwrap();
        inside += u32::from(verdict_of_all(&cube, place, &point, outside) != Verdict::Clear);
    }
    assert!(inside > 0);
}

/// Spheres and boxes around models so small that squares and halves of their coordinates vanish.
#[test]
fn models_meet_whose_sizes_have_no_squares() {
    let at = |translation: DVec3, scale: f64| {
        let map = DAffine3 { matrix3: DMat3::from_diagonal(DVec3::splat(scale)), translation };
        Placement::try_from(map).unwrap()
    };
    for (size, scale) in [(1e-300, 1e147), (1e-170, 1e20), (1e-162, 1.0), (1e-165, 1e5), (1e290, 1e-145)] {
        let cube = Model::new(impinge::shapes::cuboid([-size; 3], [size; 3]).unwrap());
        let beside = |share: f64| at(DVec3::new(share * size * scale, 0.0, 0.0), scale);
        assert_eq!(verdict_of_all(&cube, beside(0.0), &cube, beside(0.5)), Verdict::Overlapping, "{size}");
        assert_eq!(verdict_of_all(&cube, beside(0.0), &cube, beside(4.0)), Verdict::Clear, "{size}");
    }
    // Half of the least number is rounded to 0.
    let least = f64::from_bits(1);
    let single = Model::new(Mesh::soup([DVec3::splat(least); 6]).unwrap());
    let segment = Model::new(Mesh::segment([0.0; 3], [least; 3]).unwrap());
    let origin = Placement::IDENTITY;
    assert_eq!(verdict_of_all(&single, origin, &segment, origin), Verdict::Touching);
}
