//! Lifts, doors, platforms: kinematic bodies carry and push.

use std::sync::Arc;

use impinge::glam::DVec3;
use impinge::query::SweepStatus;
use impinge::shapes;
use impinge::world::{Body, Handle, World};
use impinge::{Model, Motion, Trs};

use crate::effort::share;

fn block(low: [f64; 3], high: [f64; 3]) -> Arc<Model> {
    Arc::new(Model::new(shapes::cuboid(low, high).unwrap()))
}

fn cube() -> Arc<Model> {
    block([-0.5; 3], [0.5; 3])
}

fn at(place: [f64; 3]) -> Trs {
    Trs::translation(place).unwrap()
}

fn line(by: [f64; 3]) -> Motion {
    Motion::translation(by).unwrap()
}

fn position(world: &World, handle: Handle) -> DVec3 {
    world.get(handle).unwrap().placement().world_from_model().translation
}

fn plate() -> Arc<Model> {
    block([-2.0, -2.0, -0.2], [2.0, 2.0, 0.0])
}

#[test]
fn a_lift_carries_what_stands_on_it_and_on_that() {
    let mut world = World::new();
    let lift = world.insert(Body::kinematic(plate(), Trs::IDENTITY)).unwrap();
    let low = world.insert(Body::moving(cube(), at([0.5, 0.0, 0.5]))).unwrap();
    let high = world.insert(Body::moving(cube(), at([0.7, 0.0, 1.5]))).unwrap();
    let beside = world.insert(Body::moving(cube(), at([4.0, 0.0, 0.5]))).unwrap();
    world.step(&[]).unwrap();
    for k in 0..40 {
        let by = if k % 2 == 0 { [0.0, 0.0, 0.5] } else { [0.25, 0.0, 0.0] };
        let step = world.step(&[(lift, line(by))]).unwrap();
        assert_eq!(step.moves[0].fraction, 1.0, "step {k}: {step:?}");
        let carried: Vec<Handle> = step.carried.iter().map(|made| made.handle).collect();
        assert_eq!(carried, [low, high], "step {k}: {step:?}");
    }
    let moved = DVec3::new(5.0, 0.0, 10.0);
    assert!((position(&world, low) - moved - DVec3::new(0.5, 0.0, 0.5)).length() < 1e-9);
    assert!((position(&world, high) - moved - DVec3::new(0.7, 0.0, 1.5)).length() < 1e-9);
    assert_eq!(position(&world, beside), DVec3::new(4.0, 0.0, 0.5));
    assert!(world.overlaps().is_empty());
}

#[test]
fn riding_a_lift_for_long_keeps_the_gap() {
    let mut world = World::new();
    let lift = world.insert(Body::kinematic(plate(), at([0.1, 0.2, 0.3]))).unwrap();
    let rider = world.insert(Body::moving(cube(), at([0.3, 0.4, 0.8]))).unwrap();
    world.step(&[]).unwrap();
    let steps = share(200, 100_000);
    for k in 0..steps {
        let sign = if (k / 50) % 2 == 0 { 1.0 } else { -1.0 };
        let step = world.step(&[(lift, line([sign * 0.01, sign / 300.0, sign * 0.07]))]).unwrap();
        assert!(step.moves[0].fraction == 1.0 && step.carried.len() == 1, "step {k}: {step:?}");
    }
    let gap = world.nearest(lift, 1.0, |_, _| true).unwrap().unwrap().1.distance;
    // Two poses are rounded a step, at coordinates of up to 8.
    assert!(gap <= 2.0 * world.skin() + steps as f64 * 8.0 * f64::EPSILON, "{gap}");
    let drift = (position(&world, rider) - position(&world, lift) - DVec3::new(0.2, 0.2, 0.5)).length();
    assert!(drift <= 4.0 * world.skin() + steps as f64 * 16.0 * f64::EPSILON, "{drift}");
}

#[test]
fn a_door_pushes_what_is_in_its_way_as_far_as_that_has_room() {
    let mut world = World::new();
    let door =
        world.insert(Body::kinematic(block([-0.1, -1.0, -1.0], [0.1, 1.0, 1.0]), Trs::IDENTITY)).unwrap();
    let thing = world.insert(Body::moving(cube(), at([1.0, 0.0, 0.0]))).unwrap();
    let wall =
        world.insert(Body::fixed(block([-0.5, -5.0, -5.0], [0.5, 5.0, 5.0]), at([4.0, 0.0, 0.0]))).unwrap();
    let step = world.step(&[(door, line([1.0, 0.0, 0.0]))]).unwrap();
    assert_eq!(step.moves[0].fraction, 1.0, "{step:?}");
    assert_eq!(step.carried.len(), 1);
    assert!((position(&world, thing).x - 1.6).abs() < 1e-9 && (position(&world, door).x - 1.0).abs() < 1e-12);
    // There is room for 1.4 more.
    let step = world.step(&[(door, line([2.8, 0.0, 0.0]))]).unwrap();
    assert!(
        step.moves[0].status == SweepStatus::Hit && (step.moves[0].fraction - 0.5).abs() < 1e-9,
        "{step:?}"
    );
    assert!((position(&world, thing).x - 3.0).abs() < 1e-9);
    assert!(step.carried[0].hits.iter().any(|hit| hit.other == wall));
    assert!(world.overlaps().is_empty());
}

#[test]
fn a_turning_platform_carries_round() {
    let mut world = World::new();
    let plate = world.insert(Body::kinematic(plate(), Trs::IDENTITY)).unwrap();
    let rider = world.insert(Body::moving(cube(), at([1.0, 0.0, 0.5]))).unwrap();
    world.step(&[]).unwrap();
    for k in 0..36 {
        let turn = Motion::rotation([0.0; 3], [0.0, 0.0, 1.0], 10.0).unwrap();
        let step = world.step(&[(plate, turn)]).unwrap();
        assert!(step.moves[0].fraction == 1.0 && step.carried.len() == 1, "step {k}: {step:?}");
    }
    assert!((position(&world, rider) - DVec3::new(1.0, 0.0, 0.5)).length() < 1e-9);
}

#[test]
fn who_walks_on_a_platform_moves_by_both() {
    let mut world = World::new();
    let plate = world.insert(Body::kinematic(plate(), Trs::IDENTITY)).unwrap();
    let rider = world.insert(Body::moving(cube(), at([1.0, 0.0, 0.5]))).unwrap();
    world.step(&[]).unwrap();
    let step = world.step(&[(rider, line([0.0, 0.5, 0.0])), (plate, line([0.0, 0.0, 1.0]))]).unwrap();
    assert!(step.moves.iter().all(|made| made.fraction == 1.0) && step.carried.is_empty(), "{step:?}");
    assert!((position(&world, rider) - DVec3::new(1.0, 0.5, 1.5)).length() < 1e-9);
}

#[test]
fn kinematic_bodies_stop_each_other_and_at_walls() {
    let mut world = World::new();
    let one = world.insert(Body::kinematic(cube(), at([0.0, 0.0, 0.0]))).unwrap();
    let other = world.insert(Body::kinematic(cube(), at([3.0, 0.0, 0.0]))).unwrap();
    let step = world.step(&[(one, line([4.0, 0.0, 0.0])), (other, line([-4.0, 0.0, 0.0]))]).unwrap();
    assert!(step.moves.iter().all(|made| (made.fraction - 0.25).abs() < 1e-9), "{step:?}");
    assert!(world.overlaps().is_empty());
}
