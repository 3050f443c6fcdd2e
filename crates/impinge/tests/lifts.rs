//! Lifts, doors, platforms: kinematic bodies carry and push.

use std::sync::Arc;

use impinge::glam::DVec3;
use impinge::query::SweepStatus;
use impinge::shapes;
use impinge::world::{Body, CrushRule, Handle, Kind, StepOptions, World};
use impinge::{Model, Motion, Trs};

use crate::effort::asked;

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

/// What stands between two others is lifted off neither before one of them is.
#[test]
fn a_stack_that_touches_exactly_is_carried_in_any_order_of_handles() {
    for heights in [[0.5, 1.5, 2.5, 3.5], [3.5, 2.5, 1.5, 0.5], [1.5, 3.5, 0.5, 2.5], [2.5, 0.5, 3.5, 1.5]] {
        for (number, motion) in
            [line([0.0, 0.0, 0.1]), Motion::rotation([0.0; 3], [0.0, 0.0, 1.0], 3.0).unwrap()]
                .iter()
                .enumerate()
        {
            let mut world = World::new();
            let lift = world.insert(Body::kinematic(plate(), Trs::IDENTITY)).unwrap();
            let stack = heights.map(|z| world.insert(Body::moving(cube(), at([1.0, 0.0, z]))).unwrap());
            world.step(&[]).unwrap();
            let start = stack.map(|handle| on(&world, lift, handle));
            for k in 0..20 {
                let step = world.step(&[(lift, *motion)]).unwrap();
                assert_eq!(step.moves[0].fraction, 1.0, "{heights:?}, step {k}: {step:?}");
            }
            for (handle, start) in stack.into_iter().zip(start) {
                let drift = (on(&world, lift, handle) - start).length();
                assert!(drift <= 8.0 * world.skin(), "{heights:?}, motion {number}: {drift:e}");
            }
            assert!(world.overlaps().is_empty());
        }
    }
}

/// A body that overlaps another stays where it is, and stops what would push it.
#[test]
fn what_overlaps_is_not_pushed() {
    let mut world = World::new();
    let door = world.insert(Body::kinematic(cube(), at([-2.0, 0.0, 0.0]))).unwrap();
    let stuck = world.insert(Body::moving(cube(), at([0.0; 3]))).unwrap();
    world.insert(Body::fixed(cube(), at([0.0, 0.75, 0.0]))).unwrap();
    let step = world.step(&[(door, line([3.0, 0.0, 0.0])), (stuck, line([0.0, -1.0, 0.0]))]).unwrap();
    assert_eq!(step.moves[1].status, SweepStatus::StartedOverlapping, "{step:?}");
    assert_eq!(position(&world, stuck), DVec3::ZERO);
    assert!((step.moves[0].fraction - 1.0 / 3.0).abs() < 1e-9, "{step:?}");
}

/// A million in full, and less where a share of the cases is asked for.
fn long_steps() -> u64 {
    let share = asked("IMPINGE_SHARE").unwrap_or(100);
    match share {
        _ if cfg!(debug_assertions) => 200,
        100.. => 1_000_000,
        _ => 2_000 * share,
    }
}

/// Where a rider is on what carries it.
fn on(world: &World, carrier: Handle, rider: Handle) -> DVec3 {
    let map = *world.get(carrier).unwrap().placement().world_from_model();
    map.inverse().transform_point3(position(world, rider))
}

fn ride(mut world: World, carrier: Handle, rider: Handle, motion: impl Fn(u64) -> Motion) {
    world.step(&[]).unwrap();
    let steps = long_steps();
    let mut start = DVec3::ZERO;
    for k in 0..steps {
        let step = world.step(&[(carrier, motion(k))]).unwrap();
        assert!(step.moves[0].fraction == 1.0 && step.carried.len() == 1, "step {k}: {step:?}");
        if k == 0 {
            start = on(&world, carrier, rider);
        }
    }
    let gap = world.nearest(carrier, 1.0, |_, _| true).unwrap().unwrap().1.distance;
    assert!(gap <= 2.0 * world.skin(), "{gap:e} of {:e}", world.skin());
    let drift = (on(&world, carrier, rider) - start).length();
    // Coordinates are less than 8: that is the unit in the last place of 4.
    let unit = 4.0 * f64::EPSILON;
    println!(
        "{steps} steps: gap {:.3} skins, drift {:.0} units in the last place",
        gap / world.skin(),
        drift / unit
    );
    assert!(drift <= steps.max(10_000) as f64 * unit, "{drift:e}");
    assert!(world.overlaps().is_empty());
}

#[test]
fn riding_a_lift_for_long_keeps_the_gap() {
    let mut world = World::new();
    let lift = world.insert(Body::kinematic(plate(), at([0.1, 0.2, 0.3]))).unwrap();
    let rider = world.insert(Body::moving(cube(), at([0.3, 0.4, 0.8]))).unwrap();
    ride(world, lift, rider, |k| {
        let sign = if (k / 50) % 2 == 0 { 1.0 } else { -1.0 };
        line([sign * 0.01, sign / 300.0, sign * 0.07])
    });
}

#[test]
fn riding_a_turning_platform_for_long_keeps_the_gap() {
    let mut world = World::new();
    let plate = world.insert(Body::kinematic(plate(), at([0.1, 0.2, 0.3]))).unwrap();
    let rider = world.insert(Body::moving(cube(), at([1.2, 0.4, 0.8]))).unwrap();
    ride(world, plate, rider, |_| Motion::rotation([0.1, 0.2, 0.3], [0.0, 0.0, 1.0], 0.7).unwrap());
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
fn of_two_kinematic_bodies_that_meet_the_lower_handle_has_the_right_of_way() {
    for (first, second, fractions, ends) in [
        // Against each other: the lower one goes on, and the other gives way.
        (4.0, -4.0, [1.0, 1.0], [4.0, 5.0]),
        // From behind, faster than the other.
        (4.0, 1.0, [1.0, 1.0], [4.0, 5.0]),
        // From behind into the lower one, which does not give way.
        (-1.0, -4.0, [1.0, 2.0 / 3.0], [-1.0, 1.0 / 3.0]),
        // Both at the same pace, and one away from the other.
        (2.0, 2.0, [1.0, 1.0], [2.0, 5.0]),
        (-2.0, 0.5, [1.0, 1.0], [-2.0, 3.5]),
    ] {
        let mut world = World::new();
        let one = world.insert(Body::kinematic(cube(), Trs::IDENTITY)).unwrap();
        let other = world.insert(Body::kinematic(cube(), at([3.0, 0.0, 0.0]))).unwrap();
        let moves = [(one, line([first, 0.0, 0.0])), (other, line([second, 0.0, 0.0]))];
        for crush in [CrushRule::Stop, CrushRule::Crush] {
            let mut world = world.clone();
            let mut reversed = world.clone();
            let options = StepOptions::new().crush(crush);
            let step = world.step_with(&moves, &options).unwrap();
            let said = format!("{first} {second}: {step:?}");
            for k in 0..2 {
                assert!((step.moves[k].fraction - fractions[k]).abs() < 1e-9, "{said}");
                assert!((position(&world, [one, other][k]).x - ends[k]).abs() < 1e-6, "{said}");
            }
            assert!(step.crushed.is_empty() && world.overlaps().is_empty(), "{said}");
            reversed.step_with(&[moves[1], moves[0]], &options).unwrap();
            assert_eq!(world.hash(), reversed.hash());
        }
    }
}

#[test]
fn kinematic_bodies_that_cannot_give_way_stop_who_pushes_them() {
    let wall = || Body::fixed(block([-0.5, -5.0, -5.0], [0.5, 5.0, 5.0]), at([5.0, 0.0, 0.0]));
    // The wall is behind the one that is to give way; one that is not to move is as good as a wall; and one that turns cannot be pushed.
    for (has_wall, second, room) in [(true, Some(line([-1.0, 0.0, 0.0])), 3.0), (false, None, 2.0)] {
        for crush in [CrushRule::Stop, CrushRule::Crush] {
            let mut world = World::new();
            let one = world.insert(Body::kinematic(cube(), Trs::IDENTITY)).unwrap();
            let other = world.insert(Body::kinematic(cube(), at([3.0, 0.0, 0.0]))).unwrap();
            if has_wall {
                world.insert(wall()).unwrap();
            }
            let moves = std::iter::once((one, line([4.0, 0.0, 0.0])));
            let moves: Vec<_> = moves.chain(second.map(|motion| (other, motion))).collect();
            let step = world.step_with(&moves, &StepOptions::new().crush(crush)).unwrap();
            assert!((position(&world, one).x - room).abs() < 1e-6, "{step:?}");
            assert!(step.crushed.is_empty() && world.overlaps().is_empty(), "{step:?}");
        }
    }
    let mut world = World::new();
    let one = world.insert(Body::kinematic(cube(), Trs::IDENTITY)).unwrap();
    let other = world.insert(Body::kinematic(cube(), at([3.0, 0.0, 0.0]))).unwrap();
    let turn = Motion::rotation([3.0, 0.0, 0.0], [0.0, 0.0, 1.0], 90.0).unwrap();
    let step = world.step(&[(one, line([4.0, 0.0, 0.0])), (other, turn)]).unwrap();
    assert!(step.moves.iter().all(|made| made.status == SweepStatus::Hit), "{step:?}");
    assert!(world.overlaps().is_empty());
}

#[test]
fn a_lift_that_gives_way_pushes_on() {
    let mut world = World::new();
    let press =
        world.insert(Body::kinematic(block([-1.0, -1.0, -2.0], [0.0, 1.0, 2.0]), Trs::IDENTITY)).unwrap();
    let lift = world.insert(Body::kinematic(plate(), at([2.5, 0.0, 0.0]))).unwrap();
    let thing = world.insert(Body::moving(cube(), at([6.0, 0.0, -0.1]))).unwrap();
    let moves = [(press, line([2.0, 0.0, 0.0])), (lift, line([0.0, 0.0, 0.1]))];
    let step = world.step(&moves).unwrap();
    // The press comes upon the lift after a quarter of the time, and the lift upon the thing half a unit later.
    assert!(step.moves.iter().all(|made| made.fraction == 1.0), "{step:?}");
    assert!((position(&world, press).x - 2.0).abs() < 1e-9, "{step:?}");
    let lifted = position(&world, lift) - DVec3::new(4.0, 0.0, 0.1);
    assert!(lifted.length() < 1e-6, "{lifted} {step:?}");
    assert!((position(&world, thing).x - 6.5).abs() < 1e-6, "{step:?}");
    assert!(world.overlaps().is_empty());
}

#[test]
fn kinematic_bodies_stop_where_others_would_slide() {
    let wall = || Body::fixed(block([-0.5, -5.0, -5.0], [0.5, 5.0, 5.0]), at([2.0, 0.0, 0.0]));
    for (kind, y) in [(Kind::Moving, 2.0), (Kind::Kinematic, 0.5)] {
        let mut world = World::new();
        world.insert(wall()).unwrap();
        let body = world.insert(Body::moving(cube(), Trs::IDENTITY).of_kind(kind)).unwrap();
        let step = world.step_with(&[(body, line([4.0, 2.0, 0.0]))], &StepOptions::new().planes(3)).unwrap();
        let off = position(&world, body) - DVec3::new(1.0, y, 0.0);
        assert!(off.length() < 1e-6, "{kind:?}: {off} {step:?}");
    }
}

#[test]
fn a_door_pushes_who_walks_along_it_faster_than_it_comes() {
    for speed in [0.0, 0.3, 3.0, 10.0] {
        let mut world = World::new();
        let door = block([-0.1, -20.0, -1.0], [0.1, 20.0, 1.0]);
        let door = world.insert(Body::kinematic(door, Trs::IDENTITY)).unwrap();
        let walker = world.insert(Body::moving(cube(), at([0.65, -5.0, 0.0]))).unwrap();
        let step = world.step(&[(walker, line([0.0, speed, 0.0])), (door, line([0.2, 0.0, 0.0]))]).unwrap();
        assert!(step.moves.iter().all(|made| made.fraction == 1.0), "{speed}: {step:?}");
        let place = position(&world, walker) - DVec3::new(0.8, -5.0 + speed, 0.0);
        assert!(place.length() < 1e-6, "{speed}: {place} {step:?}");
    }
}

/// A floor, a wall at x = 6, a door at x = 0 and a row of cubes that stand on the floor exactly.
fn row(count: usize, gap: f64) -> (World, Handle, Vec<Handle>) {
    let mut world = World::new();
    world.insert(Body::fixed(block([-20.0, -20.0, -1.0], [20.0, 20.0, 0.0]), Trs::IDENTITY)).unwrap();
    world.insert(Body::fixed(block([6.0, -20.0, 0.0], [7.0, 20.0, 3.0]), Trs::IDENTITY)).unwrap();
    let door = block([-0.1, -1.0, 0.0], [0.1, 1.0, 2.0]);
    let door = world.insert(Body::kinematic(door, at([0.0, 0.0, 0.1]))).unwrap();
    let place = |k: usize| at([1.0 + (1.0 + gap) * k as f64, 0.0, 0.5]);
    let cubes = (0..count).map(|k| world.insert(Body::moving(cube(), place(k))).unwrap()).collect();
    (world, door, cubes)
}

#[test]
fn a_row_that_stands_on_a_floor_is_pushed_up_to_the_wall() {
    for (count, gap) in [(1, 0.0), (2, 0.25), (3, 0.0), (3, 0.5), (4, 1e-7)] {
        let (mut world, door, cubes) = row(count, gap);
        let room = 5.9 - count as f64;
        let mut way = 0.0;
        for k in 0..14 {
            let step = world.step(&[(door, line([0.5, 0.0, 0.0]))]).unwrap();
            way += 0.5 * step.moves[0].fraction;
            assert!(way >= room.min(0.5 * f64::from(k + 1)) - 1e-6, "{count} {gap} step {k}: {step:?}");
            assert!(world.overlaps().is_empty());
        }
        assert!((position(&world, door).x - room).abs() < 1e-6, "{}", position(&world, door));
        for (k, cube) in cubes.iter().enumerate() {
            let place = DVec3::new(5.5 - (count - 1 - k) as f64, 0.0, 0.5);
            assert!((position(&world, *cube) - place).length() < 1e-6, "{}", position(&world, *cube));
        }
    }
}

#[test]
fn a_lift_pushes_what_stands_on_another_body_through_it() {
    let mut world = World::new();
    // Nothing was in contact before: the lift comes from below, the first cube is pushed, and pushes the second.
    let lift = world.insert(Body::kinematic(plate(), at([0.0, 0.0, -1.0]))).unwrap();
    let low = world.insert(Body::moving(cube(), at([0.5, 0.0, 0.5]))).unwrap();
    let high = world.insert(Body::moving(cube(), at([0.7, 0.0, 1.5]))).unwrap();
    let step = world.step(&[(lift, line([0.0, 0.0, 2.0]))]).unwrap();
    assert_eq!((step.moves[0].fraction, step.carried.len()), (1.0, 2), "{step:?}");
    assert!((position(&world, low).z - 1.5).abs() < 1e-6 && (position(&world, high).z - 2.5).abs() < 1e-6);
}

#[test]
fn what_has_no_room_is_crushed_where_the_user_says_so() {
    let (mut world, door, cubes) = row(2, 0.0);
    world.record();
    let crush = StepOptions::new().crush(CrushRule::Crush);
    for k in 0..10 {
        let step = world.step_with(&[(door, line([0.5, 0.0, 0.0]))], &crush).unwrap();
        assert_eq!(step.moves[0].status, SweepStatus::Clear, "step {k}: {step:?}");
        // There is room for 3.9; then the cubes stay, and the door goes on through the first, and then through the second.
        let crushed: Vec<Handle> = step.crushed.iter().map(|crushed| crushed.body).collect();
        let expected = [(7, cubes[0]), (9, cubes[1])];
        let expected: Vec<Handle> =
            expected.iter().filter(|(at, _)| *at == k).map(|(_, cube)| *cube).collect();
        assert_eq!(crushed, expected, "step {k}: {step:?}");
        if let Some(crushed) = step.crushed.first().filter(|_| k == 7) {
            assert!(crushed.by == door && (crushed.time - 0.8).abs() < 1e-6, "{step:?}");
        }
        let overlaps = if k < 7 {
            0
        } else if k < 9 {
            1
        } else {
            2
        };
        assert_eq!(world.overlaps().len(), overlaps, "step {k}");
    }
    // What is crushed can be taken away.
    world.remove(cubes[1]).unwrap();
    assert_eq!(world.overlaps(), [[door, cubes[0]]]);
    // It can move on its own, and collides with all others; and with the door, once the two are apart.
    let moved = world.try_move(cubes[0], &line([-3.0, 0.0, 0.0])).unwrap();
    assert_eq!(moved.status, SweepStatus::Clear);
    assert!(world.overlaps().is_empty());
    let moved = world.try_move(cubes[0], &line([5.0, 0.0, 0.0])).unwrap();
    assert_eq!((moved.status, moved.hits[0].other), (SweepStatus::Hit, door));
    assert!(world.overlaps().is_empty());
}

#[test]
fn what_is_put_into_a_lift_holds_it_fast_or_is_crushed() {
    let mut world = World::new();
    let lift = world.insert(Body::kinematic(cube(), Trs::IDENTITY)).unwrap();
    let thing = world.insert(Body::moving(cube(), at([0.7, 0.0, 0.0]))).unwrap();
    let wall = world.insert(Body::fixed(cube(), at([0.0, 0.0, 4.0]))).unwrap();
    let up = [(lift, line([0.0, 0.0, 0.25])), (thing, line([0.5, 0.0, 0.0]))];
    let step = world.step(&up).unwrap();
    assert!(step.moves.iter().all(|made| made.status == SweepStatus::StartedOverlapping), "{step:?}");
    let crush = StepOptions::new().crush(CrushRule::Crush);
    let still = world.step_with(&up[1..], &crush).unwrap();
    // What is not to move crushes nothing.
    assert!(still.moves[0].status == SweepStatus::StartedOverlapping && still.crushed.is_empty());
    let step = world.step_with(&up, &crush).unwrap();
    assert!(step.moves.iter().all(|made| made.status == SweepStatus::Clear), "{step:?}");
    assert!(step.crushed.len() == 1 && (step.crushed[0].by, step.crushed[0].body) == (lift, thing));
    assert_eq!(step.crushed[0].time, 0.0);
    // They are apart by now, and hold each other up again. Walls are not crushed.
    assert!(world.overlaps().is_empty());
    assert_eq!(world.try_move(thing, &line([-1.0, 0.0, 0.0])).unwrap().hits[0].other, lift);
    let step = world.step_with(&[(lift, line([0.0, 0.0, 9.0]))], &crush).unwrap();
    assert!(step.moves[0].hits[0].other == wall && step.crushed.is_empty(), "{step:?}");
}

#[test]
fn crushing_is_recorded_and_does_not_depend_on_order_or_threads() {
    let run = |parallel: bool, is_reversed: bool| {
        let (mut world, door, cubes) = row(3, 0.2);
        if !parallel {
            let mut other = World::with_options(world.options().parallel(false));
            for (_, body) in world.iter() {
                other.insert(body.clone()).unwrap();
            }
            world = other;
        }
        let [door, last] = [door, cubes[2]].map(|handle| world.counterpart(handle).unwrap());
        for k in 0..10 {
            let mut moves = vec![(door, line([0.6, 0.0, 0.0])), (last, line([-0.1, 0.05, 0.0]))];
            if is_reversed {
                moves.reverse();
            }
            let crush = if k % 3 == 2 { CrushRule::Stop } else { CrushRule::Crush };
            world.step_with(&moves, &StepOptions::new().crush(crush)).unwrap();
        }
        world.hash()
    };
    let first = run(true, false);
    assert!([run(true, true), run(false, false), run(false, true)].iter().all(|hash| *hash == first));
    let mut world = World::new();
    world.record();
    world.insert(Body::fixed(block([2.0, -2.0, -2.0], [3.0, 2.0, 2.0]), Trs::IDENTITY)).unwrap();
    let press = world.insert(Body::kinematic(cube(), at([-1.0, 0.0, 0.0]))).unwrap();
    world.insert(Body::moving(cube(), at([1.0, 0.0, 0.0]))).unwrap();
    let crush = StepOptions::new().crush(CrushRule::Crush);
    for _ in 0..3 {
        world.step_with(&[(press, line([1.0, 0.0, 0.0]))], &crush).unwrap();
    }
    assert_eq!(world.overlaps().len(), 1);
    let log = world.take_log().unwrap();
    assert!([true, false].iter().all(|parallel| log.replay(*parallel).hash() == world.hash()));
}
