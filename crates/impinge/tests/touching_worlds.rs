//! Bodies of a world that are put exactly onto others, as level editors do.

use std::sync::Arc;

use impinge::math::DVec3;
use impinge::query::{SweepOptions, SweepStatus};
use impinge::world::{Body, Handle, SlideOptions};
use impinge::{Model, Motion, Trs, Verdict, World, shapes};

fn fixed(world: &mut World, min: [f64; 3], max: [f64; 3]) -> Handle {
    world.insert(Body::fixed(Model::new(shapes::cuboid(min, max).unwrap()), Trs::IDENTITY)).unwrap()
}

/// A player whose feet are at a height of 0 at its origin.
fn player(world: &mut World, at: [f64; 3]) -> Handle {
    let model = Arc::new(Model::new(shapes::cuboid([-0.25, -0.25, 0.0], [0.25, 0.25, 1.75]).unwrap()));
    world.insert(Body::moving(model, Trs::translation(at).unwrap())).unwrap()
}

fn position(world: &World, handle: Handle) -> DVec3 {
    world.get(handle).unwrap().placement().world_from_model().translation
}

fn by(x: f64, y: f64, z: f64) -> Motion {
    Motion::translation([x, y, z]).unwrap()
}

#[track_caller]
fn assert_near(a: DVec3, b: [f64; 3]) {
    assert!((a - DVec3::from(b)).length() < 1e-7, "{a} is not {b:?}");
}

#[test]
fn a_player_put_on_the_floor_walks() {
    let mut world = World::new();
    let floor = fixed(&mut world, [-50.0, -50.0, -1.0], [50.0, 50.0, 0.0]);
    let player = player(&mut world, [0.0, 0.0, 0.0]);
    assert_eq!(world.verdict(player, floor), Ok(Verdict::Touching));
    assert!(world.overlaps().is_empty());
    assert_eq!(world.resolve_overlap(player, 1.0).unwrap().unwrap().distance, 0.0);
    let moved = world.try_move(player, &by(1.0, 0.5, 0.0)).unwrap();
    assert_eq!((moved.status, moved.fraction), (SweepStatus::Clear, 1.0));
    assert_near(position(&world, player), [1.0, 0.5, 0.0]);
    for step in 1..=100 {
        let slid = world.slide(player, [0.125, -0.0625, 0.0], &SlideOptions::default()).unwrap();
        assert!((slid.moved - DVec3::new(0.125, -0.0625, 0.0)).length() < 1e-7, "{step}: {slid:?}");
        assert!(world.overlaps().is_empty());
        let turn = Motion::rotation(position(&world, player), [0.0, 0.0, 1.0], 10.0).unwrap();
        assert_eq!(world.try_move(player, &turn).unwrap().status, SweepStatus::Clear, "{step}");
    }
    assert_near(position(&world, player), [13.5, -5.75, 0.0]);
}

/// With gravity in every step the floor stops it, and it goes on along the floor.
#[test]
fn a_player_put_on_the_floor_walks_with_gravity() {
    let mut world = World::new();
    let floor = fixed(&mut world, [-50.0, -50.0, -1.0], [50.0, 50.0, 0.0]);
    let player = player(&mut world, [0.0, 0.0, 0.0]);
    for _ in 0..100 {
        let slid = world.slide(player, [0.125, 0.0, -0.25], &SlideOptions::default()).unwrap();
        assert!((slid.moved.x - 0.125).abs() < 1e-7, "{slid:?}");
        assert_eq!(slid.met.first().map(|(other, _)| *other), Some(floor), "{slid:?}");
        assert!(world.overlaps().is_empty());
    }
    assert_near(position(&world, player), [12.5, 0.0, 0.0]);
    let down = world.try_move(player, &by(0.0, 0.0, -1.0)).unwrap();
    assert_eq!(down.status, SweepStatus::Hit);
    assert_near(position(&world, player), [12.5, 0.0, 0.0]);
    let up = world.try_move(player, &by(0.0, 0.0, 1.0)).unwrap();
    assert_eq!((up.status, up.fraction), (SweepStatus::Clear, 1.0));
}

#[test]
fn the_first_move_of_a_touching_body_may_be_any() {
    for (motion, verdict, end) in [
        (by(0.0, 0.0, 2.0), SweepStatus::Clear, [0.0, 0.0, 2.0]),
        (by(0.5, 0.0, 0.001), SweepStatus::Clear, [0.5, 0.0, 0.001]),
        (by(0.5, 0.0, 0.0), SweepStatus::Clear, [0.5, 0.0, 0.0]),
        (by(0.0, 0.0, -2.0), SweepStatus::Hit, [0.0, 0.0, 0.0]),
        (by(0.5, 0.0, -0.001), SweepStatus::Hit, [0.0, 0.0, 0.0]),
        (by(12.0, 0.0, 0.0), SweepStatus::Hit, [4.75, 0.0, 0.0]),
    ] {
        let mut world = World::new();
        let floor = fixed(&mut world, [-50.0, -50.0, -1.0], [50.0, 50.0, 0.0]);
        fixed(&mut world, [5.0, -5.0, 0.0], [6.0, 5.0, 3.0]);
        let player = player(&mut world, [0.0, 0.0, 0.0]);
        let step = world.step(&[(player, motion)]).unwrap();
        assert_eq!(step.moves[0].status, verdict, "{motion:?}: {:?}", step.moves);
        assert_eq!(step.moves[0].hits.is_empty(), verdict == SweepStatus::Clear);
        assert_near(position(&world, player), end);
        assert!(world.overlaps().is_empty());
        if end[0] > 0.0 {
            // Lifted off, or away.
            assert_eq!(world.verdict(player, floor), Ok(Verdict::Clear));
        }
    }
}

/// A floor, walls and blocks that are bodies of their own: one lift parts all that are touched.
#[test]
fn one_lift_serves_all_bodies_that_are_touched() {
    let ways = [
        // Along the first wall, along the second, away from both, up.
        ([2.0, 0.0, 0.0], true),
        ([0.0, 3.0, 0.0], true),
        ([1.0, 1.0, 0.0], true),
        ([0.0, 0.0, 1.0], true),
        ([1.0, 1.0, 1.0], true),
        ([-1.0, 0.0, 0.0], false),
        ([0.0, -1.0, 0.0], false),
        ([1.0, 1.0, -1.0], false),
        ([2.0, -0.001, 0.0], false),
    ];
    for (way, is_free) in ways {
        let mut world = World::new();
        let floor = fixed(&mut world, [-50.0, -50.0, -1.0], [50.0, 50.0, 0.0]);
        let first = fixed(&mut world, [-50.0, -1.0, 0.0], [50.0, 0.0, 4.0]);
        let second = fixed(&mut world, [-1.0, 0.0, 0.0], [0.0, 50.0, 4.0]);
        let player = player(&mut world, [0.25, 0.25, 0.0]);
        for body in [floor, first, second] {
            assert_eq!(world.verdict(player, body), Ok(Verdict::Touching));
        }
        let start = position(&world, player);
        let moved = world.try_move(player, &Motion::translation(way).unwrap()).unwrap();
        assert_eq!(moved.status == SweepStatus::Clear, is_free, "{way:?}: {moved:?}");
        let moved = position(&world, player) - start;
        assert_near(moved, if is_free { way } else { [0.0; 3] });
        assert!(world.overlaps().is_empty());
        if is_free {
            for body in [floor, first, second] {
                assert_eq!(world.verdict(player, body), Ok(Verdict::Clear), "{way:?}");
            }
        }
    }
}

#[test]
fn a_lift_is_tested_against_all_bodies() {
    // Between two walls that are bodies of their own, there is none; with a hand's breadth of room, there is one.
    for (gap, is_free) in [(0.0, false), (0.125, true)] {
        let mut world = World::new();
        fixed(&mut world, [-2.0, -5.0, -1.0], [-0.25, 5.0, 3.0]);
        fixed(&mut world, [0.25 + gap, -5.0, -1.0], [2.0, 5.0, 3.0]);
        let player = player(&mut world, [0.0, 0.0, 0.0]);
        let moved = world.try_move(player, &by(0.0, 1.0, 0.0)).unwrap();
        assert_eq!(moved.status == SweepStatus::Clear, is_free, "{moved:?}");
        assert_near(position(&world, player), [0.0, if is_free { 1.0 } else { 0.0 }, 0.0]);
        assert!(world.overlaps().is_empty());
    }
    // On the floor below a ceiling that is touched too: no way along leads on.
    let mut world = World::new();
    fixed(&mut world, [-5.0, -5.0, -1.0], [5.0, 5.0, 0.0]);
    fixed(&mut world, [-5.0, -5.0, 1.75], [5.0, 5.0, 2.0]);
    let player = player(&mut world, [0.0, 0.0, 0.0]);
    let moved = world.try_move(player, &by(0.0, 1.0, 0.0)).unwrap();
    assert_eq!((moved.status, moved.fraction), (SweepStatus::Hit, 0.0));
}

/// A floor of tiles, each a body, with seams that coincide with the player's own edges.
#[test]
fn a_player_walks_over_tiles() {
    let mut world = World::new();
    let tile = Arc::new(Model::new(shapes::cuboid([0.0, 0.0, -1.0], [0.5, 0.5, 0.0]).unwrap()));
    for x in -2..12 {
        for y in -2..3 {
            let at = Trs::translation([0.5 * f64::from(x), 0.5 * f64::from(y), 0.0]).unwrap();
            world.insert(Body::fixed(tile.clone(), at)).unwrap();
        }
    }
    let player = player(&mut world, [0.25, 0.25, 0.0]);
    let moved = world.try_move(player, &by(4.0, 0.25, 0.0)).unwrap();
    assert_eq!((moved.status, moved.fraction), (SweepStatus::Clear, 1.0), "{moved:?}");
    for _ in 0..8 {
        let slid = world.slide(player, [-0.5, 0.0, -0.1], &SlideOptions::default()).unwrap();
        assert!((slid.moved.x + 0.5).abs() < 1e-7, "{slid:?}");
    }
    assert_near(position(&world, player), [0.25, 0.5, 0.0]);
    assert!(world.overlaps().is_empty());
}

/// What is only asked about is lifted off floor and wall at once, as a body is that moves.
#[test]
fn a_question_and_a_move_lift_alike() {
    let mut world = World::new();
    fixed(&mut world, [-50.0, -50.0, -1.0], [50.0, 50.0, 0.0]);
    fixed(&mut world, [0.25, -50.0, 0.0], [1.0, 50.0, 4.0]);
    let post = fixed(&mut world, [-0.125, 5.0, 0.0], [0.125, 6.0, 4.0]);
    let walker = player(&mut world, [0.0, 0.0, 0.0]);
    let body = world.get(walker).unwrap();
    let (model, placement) = (body.model().clone(), *body.placement());
    let along = by(0.0, 20.0, 0.0);
    let (stopped_by, sweep) = world
        .sweep(&model.at(placement), &along, SweepOptions::default(), |handle, _| handle != walker)
        .unwrap();
    let lift = sweep.lift.expect("it slides");
    assert!(lift.x < 0.0 && lift.z > 0.0, "{lift}");
    assert_eq!(stopped_by, post);
    let moved = world.try_move(walker, &along).unwrap();
    assert_eq!((moved.fraction, moved.lift), (sweep.fraction, sweep.lift));
    assert_eq!(*moved.placement.world_from_model(), *sweep.world_from_moving.world_from_model());
}
