//! Bodies that change and keep their handles, and what the world tells of it.

use std::sync::Arc;

use impinge::query::SweepStatus;
use impinge::shapes;
use impinge::world::{Body, CollisionLayers, Contact, Handle, Kind, World, WorldError, WorldOptions};
use impinge::{Model, Motion, Trs};

fn cube() -> Arc<Model> {
    Arc::new(Model::new(shapes::cuboid([-0.5; 3], [0.5; 3]).unwrap()))
}

fn at(x: f64) -> Trs {
    Trs::translation([x, 0.0, 0.0]).unwrap()
}

const GHOST: CollisionLayers = CollisionLayers { memberships: 2, mask: 2 };

/// Two cubes in contact, the second one fixed.
fn two() -> (World, [Handle; 2]) {
    let mut world = World::with_options(WorldOptions::new().sleep_after(2));
    let a = world.insert(Body::moving(cube(), at(0.0)).with_data(5)).unwrap();
    let b = world.insert(Body::fixed(cube(), at(1.00001)).with_data(u64::MAX)).unwrap();
    (world, [a, b])
}

#[test]
fn layers_can_change_and_contacts_follow() {
    let (mut world, [a, b]) = two();
    let contact = |data: [u64; 2]| -> Vec<[u64; 2]> { vec![data] };
    let data = |contacts: &[Contact]| contacts.iter().map(|contact| contact.data).collect::<Vec<_>>();
    assert_eq!(data(&world.step(&[]).unwrap().began), contact([5, u64::MAX]));
    world.set_layers(a, GHOST).unwrap();
    world.set_data(a, 6).unwrap();
    let step = world.step(&[]).unwrap();
    assert_eq!((data(&step.ended), step.began.len()), (contact([6, u64::MAX]), 0));
    // It goes through, and is in the other when it becomes solid again.
    let through = Motion::translation([0.5, 0.0, 0.0]).unwrap();
    assert_eq!(world.step(&[(a, through)]).unwrap().moves[0].status, SweepStatus::Clear);
    assert!(world.overlaps().is_empty());
    world.set_layers(a, CollisionLayers::default()).unwrap();
    assert_eq!(world.overlaps(), [[a, b]]);
    assert_eq!(world.try_move(a, &through).unwrap().status, SweepStatus::StartedOverlapping);
}

#[test]
fn kinds_can_change_and_sleepers_wake() {
    let (mut world, [a, b]) = two();
    for _ in 0..4 {
        world.step(&[]).unwrap();
    }
    assert!(world.get(a).unwrap().is_asleep());
    // The wall moves from now on, and whoever leans on it wakes up.
    world.set_kind(b, Kind::Moving).unwrap();
    assert_eq!(world.awake().collect::<Vec<_>>(), [a, b]);
    let away = Motion::translation([3.0, 0.0, 0.0]).unwrap();
    assert_eq!(world.try_move(b, &away).unwrap().fraction, 1.0);
    world.set_kind(b, Kind::Fixed).unwrap();
    assert_eq!(world.try_move(b, &away), Err(WorldError::NotMoving { handle: b }));
    assert_eq!(world.awake().collect::<Vec<_>>(), [a]);
    // A sensor tells of who is in it.
    world.step(&[]).unwrap();
    world.set_kind(b, Kind::Sensor).unwrap();
    let into = world.step(&[(a, Motion::translation([4.0, 0.0, 0.0]).unwrap())]).unwrap();
    assert_eq!(into.moves[0].status, SweepStatus::Clear);
    assert!(into.began.len() == 1 && into.began[0].is_sensed);
    // Fixed again, it overlaps.
    world.set_kind(b, Kind::Fixed).unwrap();
    assert_eq!(world.overlaps(), [[a, b]]);
}

#[test]
fn a_body_is_replaced_under_its_handle() {
    let (mut world, [a, b]) = two();
    world.record();
    let small = Arc::new(Model::new(shapes::cuboid([-0.25; 3], [0.25; 3]).unwrap()));
    let old = world.replace(a, Body::moving(small, at(0.0)).with_data(9)).unwrap();
    assert_eq!((old.data(), world.get(a).unwrap().data()), (5, 9));
    let moved = world.try_move(a, &Motion::translation([2.0, 0.0, 0.0]).unwrap()).unwrap();
    // A quarter more room than the large one had.
    assert!((moved.fraction * 2.0 - 0.25001).abs() < 1e-9, "{moved:?}");
    assert_eq!(moved.hits[0].other, b);
    let gone = world.remove(b).unwrap();
    assert_eq!(world.replace(b, gone).err(), Some(WorldError::Unknown { handle: b }));
    assert_eq!(world.set_data(b, 1), Err(WorldError::Unknown { handle: b }));
    assert_eq!(world.handles().collect::<Vec<_>>(), [a]);
}

#[test]
fn bodies_prepared_when_they_come_do_what_others_do() {
    let played = |options: WorldOptions| {
        let mut world = World::with_options(options);
        let ball = Arc::new(Model::new(shapes::icosphere(0.5, 3).unwrap()));
        let handles: Vec<Handle> = (0..6)
            .map(|k| world.insert(Body::moving(Arc::clone(&ball), at(1.5 * f64::from(k)))).unwrap())
            .collect();
        for k in 0..10 {
            let push =
                |i: usize| Motion::translation([0.3 - 0.1 * i as f64, 0.01 * f64::from(k), 0.0]).unwrap();
            let moves: Vec<_> = handles.iter().enumerate().map(|(i, handle)| (*handle, push(i))).collect();
            world.step(&moves).unwrap();
        }
        world.hash()
    };
    let plain = played(WorldOptions::new());
    for parallel in [false, true] {
        assert_eq!(played(WorldOptions::new().prepare_on_insert(true).parallel(parallel)), plain);
    }
}
