//! Clashes of parts that move: against looking at very many moments, and cases whose times are known.

use crate::effort::share;
use impinge::animation::{Interpolation, Joint, Local, Rig, RigError, Track, Value};
use impinge::clash::{
    Attachment, ClashKind, ClashOptions, MotionOptions, MovingPart, TimedClash, TimedClashes, detect_moving,
};
use impinge::glam::{DAffine3, DQuat, DVec3};
use impinge::shapes::{self, Random};
use impinge::{Model, Placement};

fn cube() -> Model {
    Model::new(shapes::cuboid([-0.5; 3], [0.5; 3]).expect("a box"))
}

fn ways(times: &[f64], values: &[[f64; 3]], interpolation: Interpolation) -> Value<DVec3> {
    let values = values.iter().map(|value| DVec3::from_array(*value)).collect();
    Value::Keys(Track::new(times.to_vec(), values, interpolation).expect("good keys"))
}

fn joint(parent: Option<usize>, translation: Value<DVec3>) -> Joint {
    Joint { parent, local: Local::translation(translation) }
}

fn still(place: [f64; 3]) -> Attachment {
    Attachment::Still(Placement::try_from(DAffine3::from_translation(place.into())).expect("a place"))
}

fn found(rig: &Rig, parts: &[MovingPart<'_>], options: &MotionOptions<'_>) -> TimedClashes {
    detect_moving(rig, parts, options).expect("good joints")
}

fn options(touch: f64, clearance: f64) -> MotionOptions<'static> {
    let clash = ClashOptions::new().touch(touch).clearance(clearance);
    MotionOptions::new().clash(clash)
}

fn only(found: &TimedClashes) -> &TimedClash {
    assert_eq!(found.clashes.len(), 1, "{found:?}");
    &found.clashes[0]
}

/// A cube passes by another, through it, or stays away, on a straight way of 10 in 10 seconds.
fn pass(side: f64, clearance: f64) -> TimedClashes {
    let cube = cube();
    let way = ways(&[0.0, 10.0], &[[-5.0, side, 0.0], [5.0, side, 0.0]], Interpolation::Linear);
    let rig = Rig::new(vec![joint(None, way)]).expect("a rig");
    let parts = [
        MovingPart { model: &cube, carrier: Attachment::Joint(0) },
        MovingPart { model: &cube, carrier: still([0.0; 3]) },
    ];
    found(&rig, &parts, &options(1e-6, clearance))
}

#[test]
fn a_cube_on_its_way_through_another() {
    let through = pass(0.25, 0.0);
    let clash = only(&through);
    assert_eq!(clash.clash.kind, ClashKind::Overlapping);
    assert!(clash.time <= 4.0 && clash.time > 4.0 - 1e-6, "{clash:?}");
    // From −1 to 1.
    assert!((clash.duration - 2.0).abs() < 1e-4 && !clash.sampled, "{clash:?}");
    assert!((clash.moment - 5.0).abs() < 0.1, "{clash:?}");
    assert!(clash.clash.separation.is_some());
    assert!(pass(1.25, 0.0).clashes.is_empty());
}

#[test]
fn a_cube_that_passes_another_too_near() {
    let near = pass(1.25, 0.3);
    let clash = only(&near);
    assert_eq!(clash.clash.kind, ClashKind::Near);
    // 0.25 to the side, so 0.1658 ahead: at a distance of 0.3.
    let ahead = (0.3_f64 * 0.3 - 0.25 * 0.25).sqrt();
    assert!((clash.time - (4.0 - ahead)).abs() < 0.01 && clash.duration > 2.0, "{clash:?}");
    assert!((clash.clash.distance - 0.25).abs() < 1e-9 && !clash.sampled);
    assert!(pass(1.25, 0.2).clashes.is_empty());
}

#[test]
fn what_clashes_from_the_start_does_so_at_0() {
    let cube = cube();
    let away = ways(&[0.0, 1.0], &[[0.9, 0.0, 0.0], [9.0, 0.0, 0.0]], Interpolation::Linear);
    let rig = Rig::new(vec![joint(None, away)]).expect("a rig");
    let parts = [
        MovingPart { model: &cube, carrier: Attachment::Joint(0) },
        MovingPart { model: &cube, carrier: still([0.0; 3]) },
        MovingPart { model: &cube, carrier: still([0.0, 0.5, 0.0]) },
    ];
    let all = found(&rig, &parts, &options(1e-6, 0.0));
    let kinds: Vec<_> =
        all.clashes.iter().map(|clash| (clash.clash.a, clash.clash.b, clash.clash.kind)).collect();
    let overlapping = ClashKind::Overlapping;
    assert_eq!(kinds, [(0, 1, overlapping), (0, 2, overlapping), (1, 2, overlapping)]);
    assert!(all.clashes.iter().all(|clash| clash.time == 0.0 && !clash.sampled));
    // The first leaves after a way of 0.1; the others stay.
    assert!((all.clashes[0].duration - 0.1 / 8.1).abs() < 1e-3 && all.clashes[2].duration == 1.0, "{all:?}");
}

/// Carried by the same joint, parts do not move relative to each other, however it is thrown about.
#[test]
fn what_is_carried_together_stays_together() {
    let cube = cube();
    let turn = Track::rotations(
        vec![0.0, 0.3, 1.0],
        vec![DQuat::IDENTITY, DQuat::from_rotation_y(2.0), DQuat::from_rotation_x(-1.0)],
        Interpolation::Linear,
    );
    let car = Local::Trs {
        translation: ways(&[0.0, 1.0], &[[0.0; 3], [50.0, 3.0, 1.0]], Interpolation::Linear),
        rotation: Value::Keys(turn.expect("keys")),
        scale: Value::Still(DVec3::splat(2.0)),
    };
    let seat = joint(Some(0), Value::Still(DVec3::new(1.2, 0.0, 0.0)));
    let door = joint(Some(0), ways(&[0.0, 1.0], &[[0.0, 3.0, 0.0], [0.0, 0.0, 0.0]], Interpolation::Linear));
    let rig = Rig::new(vec![Joint { parent: None, local: car }, seat, door]).expect("a rig");
    let parts: Vec<MovingPart<'_>> =
        (0..3).map(|joint| MovingPart { model: &cube, carrier: Attachment::Joint(joint) }).collect();
    let all = found(&rig, &parts, &options(1e-6, 0.0));
    // The seat stays away; the door shuts on the car at two thirds, and on the seat's side not at all.
    let clash = only(&all);
    assert_eq!((clash.clash.a, clash.clash.b, clash.clash.kind), (0, 2, ClashKind::Overlapping));
    assert!(clash.time <= 2.0 / 3.0 && clash.time > 2.0 / 3.0 - 1e-6, "{clash:?}");
}

#[test]
fn a_jump_goes_over_what_is_in_between() {
    let cube = cube();
    let jumps = ways(
        &[0.0, 1.0, 2.0, 3.0],
        &[[-5.0, 0.0, 0.0], [5.0, 0.0, 0.0], [0.5, 0.0, 0.0], [5.0, 0.0, 0.0]],
        Interpolation::Step,
    );
    let rig = Rig::new(vec![joint(None, jumps)]).expect("a rig");
    let parts = [
        MovingPart { model: &cube, carrier: Attachment::Joint(0) },
        MovingPart { model: &cube, carrier: still([0.0; 3]) },
    ];
    let all = found(&rig, &parts, &options(1e-6, 0.0));
    let clash = only(&all);
    assert!(clash.time == 2.0 && clash.clash.kind == ClashKind::Overlapping, "{clash:?}");
    assert!((clash.duration - 1.0).abs() < 0.01, "{clash:?}");
}

/// A part that touches from the start is looked at: when it overlaps, that is sampled.
#[test]
fn what_touches_at_first_and_overlaps_later_is_sampled() {
    let cube = cube();
    let way =
        ways(&[0.0, 1.0, 2.0], &[[1.0, 0.0, 0.0], [1.0, 0.3, 0.0], [0.5, 0.3, 0.0]], Interpolation::Linear);
    let rig = Rig::new(vec![joint(None, way)]).expect("a rig");
    let parts = [
        MovingPart { model: &cube, carrier: Attachment::Joint(0) },
        MovingPart { model: &cube, carrier: still([0.0; 3]) },
    ];
    let all = found(&rig, &parts, &options(1e-6, 0.0));
    let clash = only(&all);
    assert!(clash.sampled && clash.clash.kind == ClashKind::Overlapping, "{clash:?}");
    assert!(
        clash.time > 1.0 && clash.time < 1.0 + 2.0 / 30.0 && (clash.duration - 2.0).abs() < 1e-9,
        "{clash:?}"
    );
}

/// What is scaled to nothing is not there.
#[test]
fn what_is_scaled_to_nothing_is_not_there() {
    let cube = cube();
    let grow = Local::Trs {
        translation: Value::Still(DVec3::ZERO),
        rotation: Value::Still(DQuat::IDENTITY),
        scale: ways(&[0.0, 1.0, 2.0], &[[0.0; 3], [0.0; 3], [2.0; 3]], Interpolation::Linear),
    };
    let rig = Rig::new(vec![Joint { parent: None, local: grow }]).expect("a rig");
    let parts = [
        MovingPart { model: &cube, carrier: Attachment::Joint(0) },
        MovingPart { model: &cube, carrier: still([1.2, 0.0, 0.0]) },
    ];
    let all = found(&rig, &parts, &options(1e-6, 0.0));
    let clash = only(&all);
    // Its side is at 0.7 when it has grown to 1.4.
    assert!(clash.time <= 1.7 && clash.time > 1.7 - 1e-6 && !clash.sampled, "{clash:?}");
}

fn random_value(random: &mut Random, of: impl Fn(&mut Random) -> DVec3, still: DVec3) -> Value<DVec3> {
    match random.below(4) {
        0 => Value::Still(still),
        kind => {
            let (interpolation, each) = match kind {
                1 => (Interpolation::Cubic, 3),
                2 => (Interpolation::Step, 1),
                _ => (Interpolation::Linear, 1),
            };
            let count = 2 + random.below(3) as usize;
            let times = (0..count).map(|key| key as f64 * 0.4).collect();
            let values = (0..count * each).map(|_| of(random)).collect();
            Value::Keys(Track::new(times, values, interpolation).expect("good keys"))
        }
    }
}

fn random_rotation(random: &mut Random) -> Value<DQuat> {
    let of = |random: &mut Random| {
        DQuat::from_xyzw(random.between(-1.0, 1.0), random.between(-1.0, 1.0), random.between(-1.0, 1.0), 0.4)
    };
    if random.below(2) == 0 {
        return Value::Still(of(random).normalize());
    }
    let (interpolation, each) =
        if random.below(3) == 0 { (Interpolation::Cubic, 3) } else { (Interpolation::Linear, 1) };
    let values = (0..3 * each).map(|_| of(random)).collect();
    Value::Keys(Track::rotations(vec![0.0, 0.5, 1.0], values, interpolation).expect("good keys"))
}

fn random_rig(random: &mut Random) -> Rig {
    let near = |random: &mut Random| {
        DVec3::new(random.between(-2.0, 2.0), random.between(-2.0, 2.0), random.between(-2.0, 2.0))
    };
    let scale = |random: &mut Random| DVec3::splat(random.between(0.5, 1.5));
    let parents = [None, Some(0), Some(0), Some(1)];
    let joints = parents.into_iter().map(|parent| Joint {
        parent,
        local: Local::Trs {
            translation: random_value(random, near, DVec3::ZERO),
            rotation: random_rotation(random),
            scale: if random.below(4) == 0 {
                random_value(random, scale, DVec3::ONE)
            } else {
                Value::Still(DVec3::ONE)
            },
        },
    });
    Rig::new(joints.collect()).expect("a rig")
}

/// Against looking at very many moments: nothing that they see is missed, and no time is later than theirs; what they do not see is a
/// touch indeed.
fn judge(rounds: u64, moments: u32) {
    let mut random = Random::new(8);
    let (mut meetings, mut quick) = (0, 0);
    for round in 0..rounds {
        let rig = random_rig(&mut random);
        let models = [
            cube(),
            Model::new(shapes::icosphere(0.4, 1).expect("a ball")),
            Model::new(shapes::cuboid([-1.5, -0.01, -0.5], [1.5, 0.01, 0.5]).expect("a plate")),
            Model::new(shapes::torus(0.7, 0.1, 8, 5).expect("a ring")),
        ];
        let mut parts: Vec<MovingPart<'_>> = models
            .iter()
            .enumerate()
            .map(|(joint, model)| MovingPart { model, carrier: Attachment::Joint(joint) })
            .collect();
        parts.push(MovingPart { model: &models[2], carrier: still([0.0, 1.0, 0.0]) });
        let options = options(1e-7, 0.0);
        let all = found(&rig, &parts, &options);
        let duration = rig.duration();
        for a in 0..parts.len() as u32 {
            for b in a + 1..parts.len() as u32 {
                let pair = |time: f64| {
                    let at = |part: u32| parts[part as usize].at(&rig, time).expect("a place");
                    (at(a), at(b))
                };
                let seen = (0..=moments)
                    .map(|moment| duration * f64::from(moment) / f64::from(moments))
                    .find(|time| {
                        let (a, b) = pair(*time);
                        a.intersects(&b)
                    });
                let known = all.clashes.iter().find(|clash| [clash.clash.a, clash.clash.b] == [a, b]);
                match (known, seen) {
                    (None, Some(time)) => {
                        panic!("round {round}: {a} and {b} meet at {time}, which was missed")
                    }
                    (None, None) => {}
                    (Some(clash), Some(time)) => {
                        meetings += 1;
                        assert!(
                            clash.sampled || clash.time <= time,
                            "round {round}: {clash:?} later than {time}"
                        );
                    }
                    (Some(_), None) => quick += 1,
                }
                if let Some(clash) = known.filter(|clash| !clash.sampled && clash.time > 0.0) {
                    // A jump may end at the time itself; what turns step by step is within what counts as touching.
                    let [before, after] = [clash.time, clash.time + 1e-9].map(|time| {
                        let (a, b) = pair(time.min(duration));
                        a.distance(&b).distance
                    });
                    assert!(before.min(after) < 1e-5, "round {round}: {clash:?} is {before} apart");
                }
            }
        }
    }
    assert!(meetings as u64 > rounds, "{meetings} meetings, {quick} that were not seen");
}

#[test]
fn no_meeting_is_missed_and_none_is_late() {
    judge(6, 200);
}

#[test]
#[cfg_attr(debug_assertions, ignore = "long: runs in release")]
fn no_meeting_of_many_is_missed_and_none_is_late() {
    judge(share(300, 300), 4000);
}

#[test]
fn a_joint_that_the_rig_does_not_have_is_an_error() {
    let cube = cube();
    let rig = Rig::new(vec![joint(None, Value::Still(DVec3::ZERO))]).expect("a rig");
    let parts =
        [0, 1, usize::MAX].map(|joint| MovingPart { model: &cube, carrier: Attachment::Joint(joint) });
    let search = |parts: &[MovingPart<'_>]| detect_moving(&rig, parts, &MotionOptions::default());
    assert!(search(&parts[..1]).is_ok());
    assert_eq!(search(&parts[..2]), Err(RigError::Attachment { part: 1, joint: 1, joints: 1 }));
    let error = search(&[parts[2]]).expect_err("no such joint");
    assert!(error.to_string().starts_with("part 0 is carried by joint 18446744073709551615"), "{error}");
    assert!(parts[0].at(&rig, 0.0).is_some() && parts[1].at(&rig, 0.0).is_none());
}
