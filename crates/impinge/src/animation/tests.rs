//! Pieces against what the tracks say, bounds against many small steps, and what is refused.

use proptest::prelude::*;

use super::*;
use impinge_core::math::DVec3;
use impinge_core::transform::Placement;

fn number() -> impl Strategy<Value = f64> {
    prop_oneof![-3.0..3.0, Just(0.0), Just(1.0)]
}

fn vector() -> impl Strategy<Value = DVec3> {
    [number(), number(), number()].prop_map(DVec3::from_array)
}

fn rotation() -> impl Strategy<Value = DQuat> {
    [number(), number(), number(), number()]
        .prop_map(DQuat::from_array)
        .prop_filter("a direction", |quat| quat.length() > 0.1)
}

fn interpolation() -> impl Strategy<Value = Interpolation> {
    prop_oneof![Just(Interpolation::Step), Just(Interpolation::Linear), Just(Interpolation::Cubic)]
}

/// Keys at some of the times 0, 1, 2, 3.
fn track<V: Keyed + std::fmt::Debug>(value: impl Strategy<Value = V>) -> impl Strategy<Value = Track<V>> {
    let keys = proptest::collection::vec(value, 12);
    (interpolation(), keys, 1_usize..4, 0_usize..2).prop_map(|(interpolation, values, count, first)| {
        let each = if interpolation == Interpolation::Cubic { 3 } else { 1 };
        let times = (first..first + count).map(|time| time as f64).collect();
        Track::new(times, values[..count * each].to_vec(), interpolation).expect("good keys")
    })
}

fn value<V: Keyed + std::fmt::Debug>(
    still: V,
    keys: impl Strategy<Value = Track<V>>,
) -> impl Strategy<Value = Value<V>> {
    prop_oneof![3 => Just(Value::Still(still)), 1 => keys.prop_map(Value::Keys)]
}

fn joint() -> impl Strategy<Value = Local> {
    let rotations = track(rotation()).prop_map(|mut keys| {
        if keys.interpolation != Interpolation::Cubic {
            keys.values.iter_mut().for_each(|key| *key = key.normalize());
        }
        keys
    });
    let scale = track(vector().prop_map(|scale| scale.abs() + 0.5));
    prop_oneof![
        (
            value(DVec3::new(0.5, 0.0, 1.0), track(vector())),
            value(DQuat::from_rotation_x(0.3), rotations),
            value(DVec3::splat(-2.0), scale)
        )
            .prop_map(|(translation, rotation, scale)| Local::Trs { translation, rotation, scale }),
        vector().prop_map(|by| Local::Matrix(DAffine3::from_translation(by))),
    ]
}

/// Two arms that hang on the same two joints.
fn rig() -> impl Strategy<Value = Rig> {
    proptest::collection::vec(joint(), 6).prop_map(|locals| {
        let parents = [None, Some(0), Some(1), Some(2), Some(1), Some(4)];
        let joints = locals.into_iter().zip(parents).map(|(local, parent)| Joint { parent, local });
        Rig::new(joints.collect()).expect("parents come first")
    })
}

fn difference(one: &DAffine3, other: &DAffine3) -> f64 {
    let pairs = one.to_cols_array().into_iter().zip(other.to_cols_array());
    pairs.map(|(one, other)| (one - other).abs()).fold(0.0, f64::max)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(512))]

    #[test]
    fn a_piece_is_where_the_joint_is(rig in rig(), from in 0.0..0.9, length in 0.01..0.1_f64, start in 0..3) {
        let from: f64 = f64::from(start) + from;
        let span = [from, from + length.min(f64::from(start) + 1.0 - from) * 0.999];
        let piece = rig.piece(3, span);
        for step in 0..=8 {
            let parameter = f64::from(step) / 8.0;
            let time = span[0] + parameter * (span[1] - span[0]);
            let there = rig.world_from_joint(3, time);
            prop_assert!(difference(&piece.at(parameter), &there) < 1e-9 * (1.0 + piece.speed(1.0).min(1e6)));
        }
    }

    #[test]
    fn no_point_is_faster_than_the_bound(rig in rig(), start in 0..4, share in 0.0..0.9, point in vector()) {
        let from = f64::from(start) + share;
        let piece = rig.piece(3, [from, from + 0.1]);
        let bound = piece.speed(point.length());
        let steps = 64;
        let place = |step: i32| piece.at(f64::from(step) / f64::from(steps)).transform_point3(point);
        for step in 0..steps {
            let moved = place(step).distance(place(step + 1)) * f64::from(steps);
            prop_assert!(moved <= bound * (1.0 + 1e-9) + 1e-9, "{moved} {bound}");
        }
    }

    #[test]
    fn two_pieces_are_seen_from_what_they_share(rig in rig(), start in 0..3, point in vector(), other in vector()) {
        let span = [f64::from(start), f64::from(start) + 1.0];
        let pieces = [3, 5].map(|joint| rig.piece(joint, span));
        let pair = PiecePair::new(&pieces[0], &pieces[1]);
        for step in 0..=8 {
            let parameter = f64::from(step) / 8.0;
            let seen = pair.at(parameter);
            let apart = seen[0].transform_point3(point).distance(seen[1].transform_point3(other));
            let [a, b] = [&pieces[0], &pieces[1]].map(|piece| piece.at(parameter));
            let truly = a.transform_point3(point).distance(b.transform_point3(other));
            prop_assert!((apart - truly).abs() < 1e-9 * (1.0 + truly), "{apart} {truly}");
        }
    }

    #[test]
    fn a_plain_motion_is_the_same_motion(rig in rig(), start in 0..3, point in vector(), other in vector()) {
        let span = [f64::from(start), f64::from(start) + 1.0];
        let pieces = [3, 5].map(|joint| rig.piece(joint, span));
        let pair = PiecePair::new(&pieces[0], &pieces[1]);
        let Some((moving, motion)) = pair.motion() else { return Ok(()) };
        let points = [point, other];
        let standing = pair.at(0.0)[1 - moving].transform_point3(points[1 - moving]);
        for step in 0..=8 {
            let parameter = f64::from(step) / 8.0;
            let carried = motion.carry(&pair.at(0.0)[moving], parameter).transform_point3(points[moving]);
            let [a, b] = pair.at(parameter);
            let truly = a.transform_point3(point).distance(b.transform_point3(other));
            let error = (carried.distance(standing) - truly).abs();
            prop_assert!(error < 1e-9 * (1.0 + truly), "{error} {motion:?}");
        }
    }
}

#[test]
fn plain_motions_are_found() {
    let turn = Track::rotations(
        vec![0.0, 1.0],
        vec![DQuat::IDENTITY, DQuat::from_rotation_y(2.0)],
        Interpolation::Linear,
    );
    let slide = Track::new(vec![0.0, 1.0], vec![DVec3::ZERO, DVec3::X], Interpolation::Linear).expect("keys");
    let wheel = Local::Trs {
        translation: Value::Still(DVec3::Y),
        rotation: Value::Keys(turn.expect("keys")),
        scale: Value::Still(DVec3::new(1.0, 2.0, 1.0)),
    };
    let joints = vec![
        Joint { parent: None, local: Local::translation(Value::Keys(slide)) },
        Joint { parent: Some(0), local: wheel },
        Joint { parent: Some(0), local: Local::translation(Value::Still(DVec3::Z)) },
    ];
    let rig = Rig::new(joints).expect("a rig");
    let [car, wheel, seat] = [0, 1, 2].map(|joint| rig.piece(joint, [0.0, 1.0]));
    let road = Piece::still(DAffine3::IDENTITY);
    // Seen from the car, the wheel turns in place.
    let (moving, motion) = PiecePair::new(&car, &wheel).motion().expect("a turn");
    assert_eq!((moving, motion.by()), (1, DVec3::ZERO));
    assert!((motion.turn().expect("a turn").degrees - 2.0_f64.to_degrees()).abs() < 1e-12);
    assert!(PiecePair::new(&car, &seat).is_still());
    // Seen from the road, it rolls.
    let (moving, motion) = PiecePair::new(&road, &wheel).motion().expect("a roll");
    assert_eq!((moving, motion.by()), (1, DVec3::X));
    assert_eq!(motion.turn().expect("a turn").center, DVec3::Y);
    assert!(Placement::try_from(wheel.at(0.5)).is_ok());
    assert_eq!(rig.key_times(1), [0.0, 1.0]);
    assert!(rig.moves(2) && rig.duration() == 1.0);
}

#[test]
fn values_stay_before_the_first_key_and_after_the_last_and_jump_where_they_step() {
    let steps = Track::new(vec![1.0, 2.0], vec![DVec3::X, DVec3::Y], Interpolation::Step).expect("keys");
    let joints = vec![Joint { parent: None, local: Local::translation(Value::Keys(steps)) }];
    let rig = Rig::new(joints).expect("a rig");
    let at = |time| rig.world_from_joint(0, time).translation;
    assert_eq!(
        [at(-1.0), at(1.0), at(1.999), at(2.0), at(9.0)],
        [DVec3::X, DVec3::X, DVec3::X, DVec3::Y, DVec3::Y]
    );
    assert_eq!(rig.piece(0, [1.0, 2.0]).at(1.0).translation, DVec3::X);
}

#[test]
fn what_makes_no_track_or_rig_is_refused() {
    let x = DVec3::X;
    let linear = Interpolation::Linear;
    let fault =
        |times: &[f64], values: Vec<DVec3>| Track::new(times.to_vec(), values, linear).expect_err("wrong");
    assert_eq!(fault(&[], vec![]), TrackFault::NoKeys);
    assert_eq!(fault(&[0.0], vec![x, x]), TrackFault::Count { values: 2, expected: 1 });
    assert_eq!(fault(&[0.0, 0.0], vec![x, x]), TrackFault::Time { key: 1, time: 0.0 });
    assert_eq!(
        fault(&[0.0], vec![x / 0.0]).to_string(),
        "a value of key 0 is inf, which is not a finite number"
    );
    assert_eq!(
        Track::rotations(vec![0.0], vec![DQuat::from_array([0.0; 4])], linear).expect_err("wrong"),
        TrackFault::NoRotation { key: 0 }
    );
    let joint = |parent| Joint { parent, local: Local::translation(Value::Still(x)) };
    assert_eq!(Rig::new(vec![joint(Some(7))]), Err(RigError::Parent { joint: 0, parent: 7, joints: 1 }));
    assert_eq!(Rig::new(vec![joint(Some(1)), joint(Some(0))]), Err(RigError::Circle { joint: 0 }));
}
