//! A pair of models gives the answers of placed models, bit for bit; and models that nearly touch are told apart as brute force does.

use crate::effort::share;
use crate::engines::{models, placement};
use crate::oracle::cases::Random;
use impinge::math::{DMat3, DVec3};
use impinge::query::{DistanceOptions, Engine, IntersectOptions, ModelPair, Scratch};
use impinge::{Mesh, Model, Trs, Verdict, shapes};

#[test]
fn pairs_of_models_answer_as_placed_models_do() {
    let mut models = models();
    let ball = Mesh::point([0.25, 0.0, 0.0]).unwrap();
    models.push(Model::new(ball).rounded(0.5).unwrap());
    models.push(Model::new(shapes::cuboid([-0.5; 3], [0.5; 3]).unwrap()).rounded(0.25).unwrap());
    let mut scratch = Scratch::default();
    let (mut clear, mut cases) = (0, 0);
    for case in 0..share(300, 20_000) {
        let mut random = Random(case << 8 | 0xe1);
        let [i, j] = [0, 1].map(|_| random.below(models.len() as u64) as usize);
        let pair = ModelPair::new(&models[i], &models[j]);
        for _ in 0..4 {
            let spread = random.vector() * 4.0 * f64::from(random.below(2) as u32);
            let moved = Trs::translation(spread).unwrap();
            let [first, second] = [placement(&mut random), placement(&mut random)];
            let poses = [first, second.then(&moved.into()).unwrap()];
            let [a, b] = [models[i].at(poses[0]), models[j].at(poses[1])];
            let surface_only = random.below(2) == 0;
            let engine = if random.below(8) == 0 { Engine::Brute } else { Engine::Bvh };
            let options = IntersectOptions::new().surface_only(surface_only).engine(engine);
            let what = format!("case {case}: models {i} and {j}, {options:?}");
            let expected = a.intersects_with(&b, options);
            assert_eq!(pair.intersects_in(poses, options, &mut scratch), expected, "{what}");
            assert_eq!(pair.intersects(poses), a.intersects(&b), "{what}");
            for options in [options, options.pairs(true)] {
                let expected = a.intersect_with(&b, options);
                assert_eq!(pair.intersect_in(poses, options, &mut scratch), expected, "{what}");
            }
            assert_eq!(pair.verdict(poses), a.verdict(&b), "{what}");
            assert_eq!(pair.face_pairs(poses), a.face_pairs(&b), "{what}");
            assert_eq!(pair.distance(poses), a.distance(&b), "{what}");
            let near = DistanceOptions::new().at_most(0.5).surface_only(surface_only);
            assert_eq!(
                pair.distance_in(poses, near, &mut scratch),
                a.distance_in(&b, near, &mut scratch),
                "{what}"
            );
            clear += u64::from(!expected);
            cases += 1;
        }
    }
    assert!(cases / 8 < clear && clear < cases * 7 / 8, "{clear} of {cases}");
}

/// Balls whose outermost vertices along a direction stand at the same place, or a little apart or in each other, by a few steps of rounding or
/// many: long searches, of which hardly any finds something.
#[test]
fn models_that_nearly_touch_are_told_apart_as_by_brute_force() {
    let ball = Model::new(shapes::icosphere(1.0, 10).unwrap());
    let farthest = |map: DMat3, direction: DVec3| {
        let points = ball.mesh().vertices().map(|vertex| map * vertex);
        points.max_by(|a, b| a.dot(direction).total_cmp(&b.dot(direction))).unwrap()
    };
    let (mut clear, mut meeting) = (0, 0);
    for case in 0..share(8, 200) {
        let mut random = Random(case << 8 | 0xe2);
        let scale = [1.0, 1.0, 0.37, 1e-7][random.below(4) as usize];
        let direction = random.vector().normalize();
        let turn = impinge::math::DQuat::from_axis_angle(random.vector().normalize(), random.unit() * 3.0);
        let turned = DMat3::from_quat(turn) * scale;
        let touching = farthest(DMat3::IDENTITY, direction) - farthest(turned, -direction);
        for gap in [-1e-4, -1e-9, -1e-15, 0.0, 1e-16, 1e-15, 1e-14, 1e-13, 1e-12, 1e-9, 1e-4] {
            let place = Trs::new(touching + direction * gap, turn, DVec3::splat(scale)).unwrap();
            let (a, b) = (ball.at(Trs::IDENTITY), ball.at(place));
            let found = a.intersect(&b);
            let expected = a.intersect_with(&b, IntersectOptions::new().engine(Engine::Brute));
            assert_eq!(found.verdict, expected.verdict, "case {case}, gap {gap}");
            assert_eq!(a.intersects(&b), expected.verdict != Verdict::Clear, "case {case}, gap {gap}");
            *if found.verdict == Verdict::Clear { &mut clear } else { &mut meeting } += 1;
        }
    }
    assert!(clear > 0 && meeting > 0, "{clear} clear, {meeting} meeting");
}
