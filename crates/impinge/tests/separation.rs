//! Moves that end an overlap: each has been made, and none is shorter than the depth where that is known.

use impinge::glam::{DQuat, DVec3};
use impinge::shapes::{self, Random};
use impinge::{Mesh, Model, Placement, Trs, Verdict};

fn turned(random: &mut Random, spread: f64) -> Placement {
    let turn = DQuat::from_axis_angle(random.direction(), random.between(0.0, 6.0));
    let flip = if random.below(4) == 0 { -1.0 } else { 1.0 };
    Trs::new(random.in_cube() * spread, turn, DVec3::new(flip, 1.0, random.between(0.5, 1.5)))
        .expect("a placement")
        .into()
}

#[test]
fn every_move_separates() {
    let shapes = [
        shapes::cuboid([-0.5; 3], [0.5; 3]),
        shapes::icosphere(0.5, 3),
        shapes::torus(0.5, 0.15, 16, 8),
        shapes::star(0.7, 0.3, 2),
        shapes::hollow_sphere(0.6, 0.5, 10, 8),
    ]
    .map(|mesh| Model::new(mesh.expect("a shape")));
    let mut random = Random::new(4);
    let mut overlapping = 0;
    for case in 0..if cfg!(debug_assertions) { 60 } else { 1000 } {
        let pick = [random.below(5) as usize, random.below(5) as usize];
        let (a, b) = (&shapes[pick[0]], &shapes[pick[1]]);
        let (a, b) = (a.at(turned(&mut random, 0.4)), b.at(turned(&mut random, 0.4)));
        let before = a.verdict(&b);
        let found = a.separating_translation(&b, f64::INFINITY).unwrap().expect("there is always one");
        let after = a.model().at(found.placement).verdict(&b);
        assert!(matches!(after, Verdict::Clear | Verdict::Touching), "case {case}: {after:?}");
        let way =
            found.placement.world_from_model().translation - a.placement().world_from_model().translation;
        assert!((way - found.direction * found.distance).length() < 1e-12, "case {case}");
        if matches!(before, Verdict::Clear | Verdict::Touching) {
            assert_eq!(found.distance, 0.0, "case {case}");
        } else {
            overlapping += 1;
            assert!(found.distance > 0.0, "case {case}");
            assert_eq!(
                a.separating_translation(&b, found.distance * 0.01).unwrap(),
                None,
                "case {case}: a hundredth does not do"
            );
        }
    }
    assert!(overlapping > 20);
}

/// A limit must be a length: a negative one would move the wrong way, and one that is no number would not limit anything.
#[test]
fn limits_that_are_none_are_refused() {
    let cube = Model::new(shapes::cuboid([-0.5; 3], [0.5; 3]).expect("a box"));
    let [a, b] = [0.0, 0.3].map(|x| cube.at(Trs::translation([x, 0.0, 0.0]).expect("a place")));
    for at_most in [-1.0, -f64::MIN_POSITIVE, f64::NEG_INFINITY, f64::NAN] {
        for other in [&a, &b, &cube.at(Trs::translation([5.0, 0.0, 0.0]).expect("a place"))] {
            let refused = a.separating_translation(other, at_most).expect_err("no limit");
            assert_eq!(refused.at_most.to_bits(), at_most.to_bits());
        }
    }
    assert_eq!(a.separating_translation(&b, 0.0), Ok(None));
    assert!(a.separating_translation(&b, f64::INFINITY).is_ok_and(|found| found.is_some()));
}

/// For boxes along the axes the depth is known.
#[test]
fn boxes_are_separated_by_little_more_than_their_depth() {
    let mut random = Random::new(8);
    let cube = Model::new(shapes::cuboid([-0.5; 3], [0.5; 3]).expect("a box"));
    for _ in 0..100 {
        let place = random.in_cube() * 0.9;
        let depth = (1.0 - place.abs().max_element()).max(0.0);
        let found = cube
            .at(Trs::IDENTITY)
            .separating_translation(&cube.at(Trs::translation(place).expect("a place")), f64::INFINITY)
            .unwrap()
            .expect("there is always one");
        assert!(found.distance >= depth - 1e-12 && found.distance <= depth * 1.001, "{found:?}: {depth}");
    }
}

/// Parts that stand flush in a corner, turned, so that rounding makes them cross by a trifle: a trifle separates them.
#[test]
fn what_crosses_by_rounding_is_separated_by_a_trifle() {
    let mut random = Random::new(6);
    let wall = Mesh::polygons(
        [
            [0.0, 0.0, 0.0],
            [3.0, 0.0, 0.0],
            [3.0, 1.0, 0.0],
            [1.0, 1.0, 0.0],
            [1.0, 3.0, 0.0],
            [0.0, 3.0, 0.0],
            [0.0, 0.0, 2.0],
            [3.0, 0.0, 2.0],
            [3.0, 1.0, 2.0],
            [1.0, 1.0, 2.0],
            [1.0, 3.0, 2.0],
            [0.0, 3.0, 2.0],
        ],
        [
            vec![0, 3, 2, 1],
            vec![0, 5, 4, 3],
            vec![6, 7, 8, 9],
            vec![6, 9, 10, 11],
            vec![0, 1, 7, 6],
            vec![1, 2, 8, 7],
            vec![2, 3, 9, 8],
            vec![3, 4, 10, 9],
            vec![4, 5, 11, 10],
            vec![5, 0, 6, 11],
        ],
    )
    .expect("an angle");
    let wall = Model::new(wall);
    assert!(wall.is_closed());
    let block = Model::new(shapes::cuboid([-0.5, -0.5, -1.0], [0.5, 0.5, 1.0]).expect("a box"));
    let mut crossed = 0;
    for _ in 0..200 {
        let turn = DQuat::from_axis_angle(random.direction(), random.between(0.0, 6.0));
        let shift = random.in_cube() * 10.0;
        // Rounded to f32, each by itself, as files do.
        let rounded = |by: DVec3| {
            let map = impinge::glam::DAffine3::from_rotation_translation(turn, shift + turn * by);
            let single = map.to_cols_array().map(|number| f64::from(number as f32));
            Placement::try_from(impinge::glam::DAffine3::from_cols_array(&single)).expect("a placement")
        };
        let (a, b) = (block.at(rounded(DVec3::new(1.5, 1.5, 1.0))), wall.at(rounded(DVec3::ZERO)));
        crossed += u32::from(matches!(a.verdict(&b), Verdict::Overlapping | Verdict::Inside(_)));
        let found = a.separating_translation(&b, 1e-5).unwrap();
        assert!(found.is_some(), "a hundredth of a millimeter does not do");
    }
    println!("{crossed} of 200 cross");
    assert!(crossed > 20);
}
