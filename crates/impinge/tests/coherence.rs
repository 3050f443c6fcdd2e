//! What is remembered of a pair never changes an answer, and saves work.

use impinge::math::{DAffine3, DQuat, DVec3};
use impinge::query::experiments::intersects_by;
use impinge::query::{IntersectOptions, PairCache, Scratch, Stats};
use impinge::{Model, Placement, shapes};

fn add(sum: &mut Stats, more: Stats) {
    sum.visits += more.visits;
    sum.face_tests += more.face_tests;
}

/// Follows a body that wanders, turns and now and then jumps; returns the work of both ways and how often they met.
fn wander(
    a: &Model,
    b: &Model,
    reach: f64,
    stride: f64,
    surface_only: bool,
    steps: u32,
) -> (Stats, Stats, u32) {
    let ask = IntersectOptions::new().surface_only(surface_only);
    let mut pair = PairCache::new(a, b);
    let (mut scratch, mut with, mut without) = (Scratch::default(), Stats::default(), Stats::default());
    let mut hits = 0;
    for step in 0..steps {
        let t = f64::from(step) * stride;
        let jump = if step % 97 == 96 { 0.3 * reach } else { 0.0 };
        let place = |phase: f64, reach: f64| {
            let turn = DQuat::from_axis_angle(DVec3::new(0.36, 0.48, 0.8), 0.7 * t + phase);
            let at = DVec3::new((1.3 * t + phase).sin(), (0.9 * t).cos(), (0.4 * t + 2.0 * phase).sin());
            Placement::try_from(DAffine3::from_rotation_translation(turn, at * reach + jump))
                .expect("a rigid motion")
        };
        let places = [place(0.0, 0.1), place(0.5, reach)];
        let placed = [&a.at(places[0]), &b.at(places[1])];
        let (expected, work) = intersects_by(placed, [a.bvh(), b.bvh()], ask, &mut scratch);
        add(&mut without, work);
        let (found, work) = pair.intersects_counted(places, ask, &mut scratch);
        add(&mut with, work);
        assert_eq!(found, expected, "step {step}");
        hits += u32::from(found);
    }
    (with, without, hits)
}

#[test]
fn answers_stay_and_work_shrinks() {
    let ring = Model::new(shapes::torus(1.0, 0.3, 40, 20).unwrap());
    let ball = Model::new(shapes::icosphere(0.6, 6).unwrap());
    for (a, b) in [(&ring, &ball), (&ring, &ring), (&ball, &ball)] {
        for surface_only in [true, false] {
            let (with, without, hits) = wander(a, b, 1.6, 0.002, surface_only, 3000);
            assert!((100..2900).contains(&hits), "{hits}");
            assert!(
                with.visits < without.visits && with.face_tests < without.face_tests,
                "{with:?} {without:?}"
            );
        }
    }
}

#[test]
fn leaps_are_answered_too() {
    let ring = Model::new(shapes::torus(1.0, 0.3, 24, 12).unwrap());
    let ball = Model::new(shapes::icosphere(0.6, 3).unwrap());
    let (_, _, hits) = wander(&ball, &ring, 1.6, 0.9, false, 4000);
    assert!((100..3900).contains(&hits), "{hits}");
}
