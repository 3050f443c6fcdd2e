//! Steps in which everything moves at once: named scenes, whose answers are known, and laws.

use std::sync::Arc;

use impinge::glam::DVec3;
use impinge::query::SweepStatus;
use impinge::shapes;
use impinge::world::{Body, Handle, Move, Step, StepOptions, World};
use impinge::{Model, Motion, Placement, Trs, Verdict};

fn cube() -> Arc<Model> {
    Arc::new(Model::new(shapes::cuboid([-0.5; 3], [0.5; 3]).unwrap()))
}

fn at(place: [f64; 3]) -> Trs {
    Trs::translation(place).unwrap()
}

fn line(by: [f64; 3]) -> Motion {
    Motion::translation(by).unwrap()
}

/// A world of cubes at some places, and their handles.
fn cubes(places: &[[f64; 3]]) -> (World, Vec<Handle>) {
    let (mut world, cube) = (World::new(), cube());
    let insert = |place: &[f64; 3]| world.insert(Body::moving(Arc::clone(&cube), at(*place))).unwrap();
    let handles = places.iter().map(insert).collect();
    (world, handles)
}

fn position(world: &World, handle: Handle) -> DVec3 {
    world.get(handle).unwrap().placement().world_from_model().translation
}

fn is_about(number: f64, other: f64) -> bool {
    (number - other).abs() < 1e-9
}

fn fractions(step: &Step) -> Vec<f64> {
    step.moves.iter().map(|made| made.fraction).collect()
}

/// All orders of a few things.
fn orders<T: Clone>(list: &[T]) -> Vec<Vec<T>> {
    if list.is_empty() {
        return vec![Vec::new()];
    }
    let mut all = Vec::new();
    for i in 0..list.len() {
        let mut rest = list.to_vec();
        let first = rest.remove(i);
        all.extend(orders(&rest).into_iter().map(|mut order| {
            order.insert(0, first.clone());
            order
        }));
    }
    all
}

#[test]
fn cubes_that_cross_each_others_way_meet() {
    // Both are at the crossing at the same time; one after the other, both would have been clear.
    let (mut world, handles) = cubes(&[[-3.0, 0.0, 0.0], [0.0, -3.0, 0.0]]);
    let step =
        world.step(&[(handles[0], line([6.0, 0.0, 0.0])), (handles[1], line([0.0, 6.0, 0.0]))]).unwrap();
    for made in &step.moves {
        // Edges meet at (-0.5, -0.5), after 2 of 6.
        assert_eq!(made.status, SweepStatus::Hit);
        assert!(is_about(made.fraction, 1.0 / 3.0), "{made:?}");
        assert_eq!(made.hits.len(), 1);
    }
    assert_eq!(step.moves[0].hits[0].other, handles[1]);
    assert!(world.overlaps().is_empty());
}

#[test]
fn cubes_that_pass_each_other_in_time_do_not_meet() {
    // Their ways cross, but at different times: the second gets there when the first has gone.
    let (mut world, handles) = cubes(&[[-2.0, 0.0, 0.0], [0.0, -8.0, 0.0]]);
    let step =
        world.step(&[(handles[0], line([9.0, 0.0, 0.0])), (handles[1], line([0.0, 9.0, 0.0]))]).unwrap();
    assert!(step.moves.iter().all(|made| made.status == SweepStatus::Clear), "{step:?}");
    assert_eq!(position(&world, handles[0]), DVec3::new(7.0, 0.0, 0.0));
}

#[test]
fn a_train_moves_as_one_in_every_order_of_the_list() {
    let places: Vec<[f64; 3]> = (0..4).map(|k| [1.25 * f64::from(k), 0.0, 0.0]).collect();
    for order in orders(&[0, 1, 2, 3]) {
        let (mut world, handles) = cubes(&places);
        let moves: Vec<_> = order.iter().map(|&k| (handles[k], line([5.0, 0.0, 0.0]))).collect();
        let step = world.step(&moves).unwrap();
        assert!(step.moves.iter().all(|made| made.status == SweepStatus::Clear && made.fraction == 1.0));
        for (handle, place) in handles.iter().zip(&places) {
            assert_eq!(position(&world, *handle).x, place[0] + 5.0);
        }
    }
}

#[test]
fn a_train_that_touches_moves_on_as_one() {
    // Exactly touching: each is lifted off the next by a skin, and rides along.
    let places: Vec<[f64; 3]> = (0..4).map(|k| [f64::from(k), 0.0, 0.0]).collect();
    let (mut world, handles) = cubes(&places);
    for k in 1..=50 {
        let moves: Vec<_> = handles.iter().map(|&handle| (handle, line([0.3, 0.1, 0.0]))).collect();
        let step = world.step(&moves).unwrap();
        assert!(step.moves.iter().all(|made| made.fraction == 1.0), "step {k}: {step:?}");
    }
    for (handle, place) in handles.iter().zip(&places) {
        assert!(is_about(position(&world, *handle).x, place[0] + 15.0));
    }
    assert!(world.overlaps().is_empty());
}

#[test]
fn the_faster_one_behind_stops_where_it_catches_up() {
    // A gap of 1, closed at a speed of 2: after half of the time. The one in front goes on.
    for order in orders(&[0, 1]) {
        let (mut world, handles) = cubes(&[[0.0, 0.0, 0.0], [2.0, 0.0, 0.0]]);
        let all = [(handles[0], line([4.0, 0.0, 0.0])), (handles[1], line([2.0, 0.0, 0.0]))];
        let step = world.step(&order.iter().map(|&k| all[k]).collect::<Vec<_>>()).unwrap();
        let made = |handle: Handle| step.moves.iter().find(|made| made.handle == handle).unwrap();
        assert!(is_about(made(handles[0]).fraction, 0.5), "{step:?}");
        assert_eq!(made(handles[1]).status, SweepStatus::Clear);
        assert_eq!(made(handles[0]).hits[0].other, handles[1]);
        assert!(made(handles[1]).hits.is_empty());
        assert!(is_about(position(&world, handles[0]).x, 2.0));
        assert_eq!(position(&world, handles[1]).x, 4.0);
    }
}

#[test]
fn one_that_slides_follows_what_it_catches_up_with() {
    let (mut world, handles) = cubes(&[[0.0, 0.0, 0.0], [2.0, 0.0, 0.0]]);
    let moves = [(handles[0], line([4.0, 0.5, 0.0])), (handles[1], line([2.0, 0.0, 0.0]))];
    let step = world.step_with(&moves, &StepOptions::new().planes(4)).unwrap();
    assert_eq!(step.moves[0].segments.len(), 2, "{:?}", step.moves[0]);
    // It goes on at the speed of the one in front, and sideways as before.
    assert!((position(&world, handles[0]) - DVec3::new(3.0, 0.5, 0.0)).length() < 1e-9);
    assert_eq!(position(&world, handles[1]).x, 4.0);
}

#[test]
fn a_floor_of_many_bodies_deflects_once() {
    let mut most = 0;
    for [x, y] in [[0.0, 0.0], [0.3, 0.1], [0.45, 0.45], [0.25, 0.5]] {
        // Blocks that reach into each other: the cube comes upon all of them at once.
        let mut world = World::new();
        for k in 0..36 {
            let [left, back] = [f64::from(k % 6) - 3.0, f64::from(k / 6) - 3.0];
            let block = shapes::cuboid([left, back, -2.0], [left + 1.9, back + 1.7, -0.75]).unwrap();
            world.insert(Body::fixed(Model::new(block), Trs::IDENTITY)).unwrap();
        }
        let falling = world.insert(Body::moving(cube(), at([x, y, 0.0]))).unwrap();
        let options = StepOptions::new().planes(1);
        let step = world.step_with(&[(falling, line([1.0, 0.5, -0.5]))], &options).unwrap();
        let off = position(&world, falling) - DVec3::new(x + 1.0, y + 0.5, -0.25);
        assert!(off.length() < 1e-6, "{x} {y}: {off} {step:?}");
        most = most.max(step.moves[0].hits.len());
    }
    assert!(most > 2, "{most}");
}

#[test]
fn two_that_slide_lose_what_each_contributes() {
    let (mut world, handles) = cubes(&[[-2.0, 0.0, 0.0], [2.0, 0.0, 0.0]]);
    let moves = [(handles[0], line([4.0, 0.25, 0.0])), (handles[1], line([-2.0, 0.0, 0.5]))];
    let step = world.step_with(&moves, &StepOptions::new().planes(3)).unwrap();
    assert_eq!(fractions(&step), [1.0, 1.0]);
    assert!(step.moves.iter().all(|made| is_about(made.segments[0].to, 0.5) && made.segments.len() == 2));
    assert!((position(&world, handles[0]) - DVec3::new(0.0, 0.25, 0.0)).length() < 1e-9);
    assert!((position(&world, handles[1]) - DVec3::new(1.0, 0.0, 0.5)).length() < 1e-9);
}

#[test]
fn equal_times_are_one_set_and_ties_do_not_depend_on_the_order() {
    // Six come to the middle from all sides at the same time, exactly.
    let places = [
        [3.0, 0.0, 0.0],
        [-3.0, 0.0, 0.0],
        [0.0, 3.0, 0.0],
        [0.0, -3.0, 0.0],
        [0.0, 0.0, 3.0],
        [0.0, 0.0, -3.0],
    ];
    let (world, handles) = cubes(&places);
    let moves: Vec<(Handle, Motion)> =
        handles.iter().zip(&places).map(|(handle, place)| (*handle, line(place.map(|x| -x)))).collect();
    let mut expected: Option<Vec<(Handle, Placement)>> = None;
    for k in 0..6 {
        let mut order = moves.clone();
        order.rotate_left(k);
        if k % 2 == 1 {
            order.reverse();
        }
        let mut world = world.clone();
        let step = world.step(&order).unwrap();
        // Edges meet at 0.5 from the middle, at the same time for all that are square to each other.
        assert!(step.moves.iter().all(|made| is_about(made.fraction, 2.0 / 3.0)), "{:?}", fractions(&step));
        let mut ends: Vec<(Handle, Placement)> =
            step.moves.iter().map(|made| (made.handle, made.placement)).collect();
        ends.sort_by_key(|(handle, _)| *handle);
        assert_eq!(expected.get_or_insert(ends.clone()), &ends);
    }
}

#[test]
fn a_chain_stops_one_after_the_other() {
    // The first runs into a wall, the second into it, and so on.
    let (mut world, handles) =
        cubes(&[[0.0, 0.0, 0.0], [-1.5, 0.0, 0.0], [-3.0, 0.0, 0.0], [-4.5, 0.0, 0.0]]);
    world.insert(Body::fixed(cube(), at([2.0, 0.0, 0.0]))).unwrap();
    let moves: Vec<_> = handles.iter().map(|&handle| (handle, line([4.0, 0.0, 0.0]))).collect();
    let step = world.step(&moves).unwrap();
    for (k, made) in step.moves.iter().enumerate() {
        assert!(is_about(made.fraction, (1.0 + 0.5 * k as f64) / 4.0), "{:?}", fractions(&step));
        assert!(is_about(position(&world, made.handle).x, 1.0 - k as f64));
    }
    assert_eq!(step.moves[1].hits[0].other, handles[0]);
}

#[test]
fn what_rides_on_what_moves_is_not_stopped_by_it() {
    // A plate with three riders, one of which touches it exactly, moved and turned as one.
    let mut world = World::new();
    let plate = Arc::new(Model::new(shapes::cuboid([-3.0, -3.0, -0.5], [3.0, 3.0, 0.0]).unwrap()));
    let plate = world.insert(Body::moving(plate, Trs::IDENTITY)).unwrap();
    let mut all = vec![plate];
    for place in [[1.0, 0.0, 0.5], [-1.0, 1.0, 0.5 + 1e-9], [0.0, -2.0, 0.6]] {
        all.push(world.insert(Body::moving(cube(), at(place))).unwrap());
    }
    let center = |world: &World| position(world, plate);
    let steps = if cfg!(debug_assertions) { 10 } else { 200 };
    for k in 0..steps {
        let axis = [0.1, 0.2, 1.0];
        let motion = match k % 3 {
            0 => line([0.1, -0.2, 0.3]),
            1 => Motion::rotation(center(&world), axis, 7.0).unwrap(),
            _ => Motion::rigid([0.0, 0.1, -0.1], center(&world), axis, -5.0).unwrap(),
        };
        let moves: Vec<_> = all.iter().map(|&handle| (handle, motion)).collect();
        let step = world.step(&moves).unwrap();
        assert!(fractions(&step).iter().all(|fraction| *fraction == 1.0), "step {k}: {step:?}");
    }
    assert!(world.overlaps().is_empty());
    // No rider has left its place on the plate by more than skins and roundings.
    let distance = world.nearest(plate, 1.0, |handle, _| handle == all[1]).unwrap().unwrap().1.distance;
    assert!(distance <= 4.0 * world.skin(), "{distance}");
}

/// Bodies that move alike are rounded each for itself, so that what rides comes nearer or parts by roundings: never to where it would be stopped.
#[test]
fn riding_does_not_wear_out() {
    let steps = crate::effort::share(300, 300_000);
    let (mut world, handles) = cubes(&[[0.1, 0.2, 0.3], [0.1, 0.2, 1.3]]);
    let (mut least, mut most) = (f64::INFINITY, 0.0_f64);
    for k in 0..steps {
        // To and fro, by numbers that round differently for the two.
        let sign = if (k / 100) % 2 == 0 { 1.0 } else { -1.0 };
        let by = line([sign / 3.0, sign * 0.1, sign * 0.07]);
        let step = world.step(&[(handles[0], by), (handles[1], by)]).unwrap();
        assert_eq!(fractions(&step), [1.0, 1.0], "step {k}: {step:?}");
        if k % 64 == 0 {
            let gap = world.nearest(handles[0], 1.0, |_, _| true).unwrap().unwrap().1.distance;
            (least, most) = (least.min(gap), most.max(gap));
        }
    }
    println!("{steps} steps, gaps from {least} to {most}, skin {}", world.skin());
    // Two poses are rounded a step, at coordinates of up to 64.
    let rounding = steps as f64 * 2.0 * 32.0 * f64::EPSILON;
    assert!(least > 0.0 && most <= 2.0 * world.skin() + rounding, "{least} {most}");
}

#[test]
fn wheels_that_spin_against_each_other_stop_where_their_teeth_meet() {
    // Two bars, each 2 long, turn about axes 1.5 apart; level and upright at first.
    let bar = Arc::new(Model::new(shapes::cuboid([-1.0, -0.05, -0.05], [1.0, 0.05, 0.05]).unwrap()));
    let mut world = World::new();
    let left = world.insert(Body::moving(Arc::clone(&bar), Trs::IDENTITY)).unwrap();
    let upright = Trs::rotation_about_axis(DVec3::Z, 90.0).unwrap().orientation();
    let upright = Trs::rigid(DVec3::new(1.5, 0.0, 0.0), upright).unwrap();
    let right = world.insert(Body::moving(bar, upright)).unwrap();
    let turn = |center: [f64; 3], degrees: f64| Motion::rotation(center, [0.0, 0.0, 1.0], degrees).unwrap();
    let step = world.step(&[(left, turn([0.0; 3], -20.0)), (right, turn([1.5, 0.0, 0.0], -90.0))]).unwrap();
    let [one, other] = [&step.moves[0], &step.moves[1]];
    assert_eq!([one.status, other.status], [SweepStatus::Hit; 2], "{step:?}");
    assert_eq!(one.fraction, other.fraction);
    // A little later they overlap.
    let overlap_at = |time: f64| {
        let places =
            [&one.segments[0], &other.segments[0]].map(|segment| segment.placement_at(time).unwrap());
        let models = [left, right].map(|handle| world.get(handle).unwrap().model());
        models[0].at(places[0]).verdict(&models[1].at(places[1])) == Verdict::Overlapping
    };
    assert!(!overlap_at(one.fraction) && overlap_at(one.fraction + 1e-8), "{}", one.fraction);
}

#[test]
fn gears_that_turn_together_go_on_for_ever() {
    // A cube that turns in a frame which turns with it, at another rate: the corners pass the walls at a small distance.
    let mut world = World::new();
    let ring = shapes::torus(1.0, 0.2, 16, 8).unwrap();
    let ring = world.insert(Body::moving(Model::new(ring), Trs::IDENTITY)).unwrap();
    let disk =
        world.insert(Body::moving(Model::new(shapes::icosphere(0.75, 2).unwrap()), Trs::IDENTITY)).unwrap();
    for k in 0..12 {
        let turn = |degrees: f64| Motion::rotation([0.0; 3], [0.0, 0.0, 1.0], degrees).unwrap();
        let step = world.step(&[(ring, turn(40.0)), (disk, turn(-30.0))]).unwrap();
        assert!(fractions(&step).iter().all(|fraction| *fraction == 1.0), "step {k}: {step:?}");
    }
}

#[test]
fn a_pile_at_rest_under_gravity_stays_and_its_neighbors_move() {
    let (mut world, handles) = cubes(&[[0.0, 0.0, 0.5], [0.0, 0.0, 1.5], [0.25, 0.0, 2.5], [3.0, 0.0, 0.5]]);
    let floor = shapes::cuboid([-9.0, -9.0, -1.0], [9.0, 9.0, 0.0]).unwrap();
    world.insert(Body::fixed(Model::new(floor), Trs::IDENTITY)).unwrap();
    let down = line([0.0, 0.0, -0.1]);
    for _ in 0..20 {
        let moves =
            [(handles[0], down), (handles[1], down), (handles[2], down), (handles[3], line([0.1, 0.0, 0.0]))];
        let step = world.step(&moves).unwrap();
        assert_eq!(fractions(&step)[3], 1.0, "{step:?}");
        assert!(fractions(&step)[..3].iter().all(|fraction| *fraction < 1e-6), "{step:?}");
    }
    assert!(is_about(position(&world, handles[2]).z, 2.5) && is_about(position(&world, handles[3]).x, 5.0));
}

#[test]
fn a_translation_and_then_a_turn_are_two_segments() {
    let (mut world, handles) = cubes(&[[0.0, 0.0, 0.0], [9.0, 0.0, 0.0]]);
    let both = line([1.0, 0.0, 0.0]).then_rotation([1.0, 0.0, 0.0], [0.0, 0.0, 1.0], 45.0).unwrap();
    let start = *world.get(handles[0]).unwrap().placement();
    let step = world.step(&[(handles[0], both), (handles[1], line([-7.55, 0.0, 0.0]))]).unwrap();
    let made: &Move = &step.moves[0];
    // The other is 0.45 beyond its half diagonal when it ends, so that its corner would meet the face: at 45° that reaches 0.707.
    assert_eq!(made.segments.len(), 2, "{step:?}");
    assert_eq!([made.segments[0].from, made.segments[0].to], [0.0, 0.5]);
    assert!(made.status == SweepStatus::Hit && made.fraction > 0.5 && made.fraction < 1.0, "{made:?}");
    let end = both.carry(start.world_from_model(), made.fraction);
    assert!((end.translation - made.placement.world_from_model().translation).length() < 1e-12);
}

#[test]
fn what_overlaps_stays_and_is_no_obstacle_for_itself() {
    let (mut world, handles) = cubes(&[[0.0, 0.0, 0.0], [0.5, 0.0, 0.0], [-3.0, 0.0, 0.0]]);
    let right = line([4.0, 0.0, 0.0]);
    let step = world.step(&[(handles[0], right), (handles[1], right), (handles[2], right)]).unwrap();
    let statuses: Vec<SweepStatus> = step.moves.iter().map(|made| made.status).collect();
    assert_eq!(
        statuses,
        [SweepStatus::StartedOverlapping, SweepStatus::StartedOverlapping, SweepStatus::Hit]
    );
    assert!(is_about(step.moves[2].fraction, 0.5));
}
