//! Sweeps: hand-made cases with known answers.

use impinge::math::DVec3;
use impinge::query::{SweepOptions, SweepStatus};
use impinge::transform::Phase;
use impinge::{Mesh, Model, Motion, Trs, shapes};

fn cube(half: f64) -> Model {
    Model::new(shapes::cuboid([-half; 3], [half; 3]).expect("a cube"))
}

#[test]
fn a_cube_stops_before_a_cube() {
    let (a, b) = (cube(0.5), cube(0.5));
    let (a, b) = (a.at(Trs::IDENTITY), b.at(Trs::translation([2.0, 0.25, 0.125]).expect("finite")));
    let motion = Motion::translation([2.0, 0.0, 0.0]).expect("finite");
    let sweep = a.sweep(&motion, &b);
    assert_eq!(sweep.status, SweepStatus::Hit);
    assert_eq!(sweep.phase, Some(Phase::Translation));
    assert!(sweep.fraction <= 0.5 && sweep.fraction > 0.5 - 1e-9, "{sweep:?}");
    let hit = sweep.hit.expect("a hit");
    assert!((hit.normal - impinge::glam::DVec3::X).length() < 1e-12, "{hit:?}");
    let there = a.model().try_at(sweep.world_from_moving).expect("a pose");
    assert!(!there.intersects(&b));
    let distance = there.distance(&b).distance;
    assert!(distance > 0.0 && distance <= hit.bound, "{distance} {hit:?}");
    // The other way, and past it.
    for by in [[-2.0, 0.0, 0.0], [0.0, 5.0, 0.0], [0.0, -5.0, 3.0], [0.99999, 0.0, 0.0]] {
        let sweep = a.sweep(&Motion::translation(by).expect("finite"), &b);
        assert_eq!((sweep.status, sweep.fraction), (SweepStatus::Clear, 1.0), "{by:?}");
    }
}

#[test]
fn a_rod_turns_into_a_wall() {
    let rod = Model::new(shapes::cuboid([0.0, -0.01, -0.01], [2.0, 0.01, 0.01]).expect("a rod"));
    let wall = Model::new(shapes::cuboid([-5.0, 1.0, -5.0], [5.0, 2.0, 5.0]).expect("a wall"));
    let (rod, wall) = (rod.at(Trs::IDENTITY), wall.at(Trs::IDENTITY));
    for degrees in [90.0, 180.0, 359.0, -350.0, 1000.0] {
        let sweep = rod.sweep(&Motion::rotation([0.0; 3], [0.0, 0.0, 1.0], degrees).expect("finite"), &wall);
        assert_eq!(sweep.status, SweepStatus::Hit, "{degrees}");
        // The corner (2, 0.01) gets to y = 1; the other way round the corner (2, -0.01) does, half a turn later.
        let angle = (1.0_f64 / 4.0001_f64.sqrt()).asin() - (0.01_f64 / 2.0).atan();
        let angle = if degrees > 0.0 { angle } else { std::f64::consts::PI + angle };
        let stopped = sweep.fraction * degrees.abs().to_radians();
        assert!(stopped <= angle && stopped > angle - 1e-8, "{degrees}: {stopped} {angle} {sweep:?}");
    }
    let sweep = rod.sweep(&Motion::rotation([0.0; 3], [0.0, 0.0, 1.0], 29.0).expect("finite"), &wall);
    assert_eq!(sweep.status, SweepStatus::Clear);
}

/// A turn of any size after a translation is looked at all the way round, though no fraction tells its quarters apart.
#[test]
fn a_rod_turns_for_very_long_after_a_translation() {
    let rod = Model::new(shapes::cuboid([0.0, -0.01, -0.01], [2.0, 0.01, 0.01]).expect("a rod"));
    let wall = Model::new(shapes::cuboid([-5.0, -2.0, -5.0], [5.0, -1.0, 5.0]).expect("a wall"));
    let (rod, wall) = (rod.at(Trs::IDENTITY), wall.at(Trs::IDENTITY));
    // The corner (2, 0.01) gets to y = -1 in the third quarter.
    let angle = std::f64::consts::PI + (1.0_f64 / 4.0001_f64.sqrt()).asin() - (0.01_f64 / 2.0).atan();
    let up = Motion::translation([0.0, 0.0, 0.5]).expect("finite");
    for degrees in [300.0, 1e4, 1e9, 1e12, 1e15, 1e18, 1e100, 1e300] {
        let turn = up.then_rotation([0.0; 3], [0.0, 0.0, 1.0], degrees).expect("finite");
        let sweep = rod.sweep(&turn, &wall);
        assert_eq!((sweep.status, sweep.phase), (SweepStatus::Hit, Some(Phase::Rotation)), "{degrees}");
        let truth = 0.5 + 0.5 * angle.to_degrees() / degrees;
        assert!(sweep.fraction >= 0.5 && sweep.fraction <= truth, "{degrees}: {sweep:?}");
        let there = rod.model().try_at(sweep.world_from_moving).expect("a pose");
        assert!(!there.intersects(&wall));
        assert!(there.distance(&wall).distance <= sweep.hit.expect("a hit").bound, "{degrees}");
    }
    // Both at once is followed all the way, so there is a limit.
    assert!(Motion::rigid([1.0, 0.0, 0.0], [0.0; 3], [0.0, 0.0, 1.0], 3.7e6).is_err());
}

#[test]
fn a_box_on_a_floor_slides_lifts_and_is_not_pushed_in() {
    let floor = Model::new(shapes::cuboid([-10.0, -10.0, -1.0], [10.0, 10.0, 0.0]).expect("a floor"));
    let floor = floor.at(Trs::IDENTITY);
    let block = cube(0.5);
    let high = block.at(Trs::translation([0.0, 0.0, 3.0]).expect("finite"));
    let fall = Motion::translation([0.0, 0.0, -5.0]).expect("finite");
    let mut pose = high.sweep(&fall, &floor).world_from_moving;
    for i in 0..1000 {
        let placed = block.try_at(pose).expect("a pose");
        let slide = Motion::translation([0.01, 0.003 * f64::from(i % 7), 0.0]).expect("finite");
        let sweep = placed.sweep(&slide, &floor);
        assert_eq!(sweep.status, SweepStatus::Clear, "{i} {sweep:?}");
        pose = sweep.world_from_moving;
        let placed = block.try_at(pose).expect("a pose");
        let turn =
            Motion::rotation(pose.world_from_model().translation, [0.0, 0.0, 1.0], 3.0).expect("finite");
        let sweep = placed.sweep(&turn, &floor);
        assert_eq!(sweep.status, SweepStatus::Clear, "{i} {sweep:?}");
        pose = sweep.world_from_moving;
        let placed = block.try_at(pose).expect("a pose");
        let sweep = placed.sweep(&fall, &floor);
        assert!(sweep.fraction < 1e-9, "{sweep:?}");
        assert_eq!(sweep.status, SweepStatus::Hit);
        pose = sweep.world_from_moving;
        let lift = Motion::translation([0.0, 0.0, 1.0]).expect("finite");
        assert_eq!(block.try_at(pose).expect("a pose").sweep(&lift, &floor).status, SweepStatus::Clear);
    }
    assert!(
        pose.world_from_model().translation.z > 0.5 && pose.world_from_model().translation.z < 0.5 + 1e-8,
        "{pose:?}"
    );
    // Exactly on it.
    let resting = block.at(Trs::translation([0.25, 0.0, 0.5]).expect("finite"));
    let up = Motion::translation([0.0, 0.1, 1.0]).expect("finite");
    assert_eq!(resting.sweep(&up, &floor).status, SweepStatus::Clear);
    let sweep = resting.sweep(&fall, &floor);
    assert_eq!((sweep.status, sweep.fraction), (SweepStatus::Hit, 0.0));
    let inside = block.at(Trs::translation([0.25, 0.0, 0.4]).expect("finite"));
    assert_eq!(inside.sweep(&up, &floor).status, SweepStatus::StartedOverlapping);
    let wide = SweepOptions::new().margin(0.25);
    let sweep = high.sweep_with(&fall, &floor, wide);
    assert!((sweep.world_from_moving.world_from_model().translation.z - 0.75).abs() < 1e-8, "{sweep:?}");
}

#[test]
fn two_bodies_move_at_once() {
    let block = cube(0.5);
    let (a, b) = (block.at(Trs::IDENTITY), block.at(Trs::translation([5.0, 0.25, 0.0]).expect("finite")));
    let ask = SweepOptions::default();
    // A gap of 4 that closes by 2 + 6.
    let both = |a_by: [f64; 3], b_by: [f64; 3]| a.sweep_both(a_by, &b, b_by, ask).expect("finite");
    let sweep = both([2.0, 0.0, 1.0], [-6.0, 0.0, 1.0]);
    assert_eq!(sweep.status, SweepStatus::Hit);
    assert!(sweep.fraction <= 0.5 && sweep.fraction > 0.5 - 1e-9, "{sweep:?}");
    let there = block.try_at(sweep.world_from_moving).expect("a pose");
    let other = block.try_at(sweep.world_from_stationary).expect("a pose");
    assert!(!there.intersects(&other));
    assert!(there.distance(&other).distance <= sweep.hit.expect("a hit").bound);
    assert!((sweep.world_from_moving.world_from_model().translation.z - 0.5).abs() < 1e-9);
    let sweep = both([9.0, 0.0, 0.0], [9.0, 0.0, 0.0]);
    assert_eq!(
        (sweep.status, sweep.world_from_stationary.world_from_model().translation.x),
        (SweepStatus::Clear, 14.0)
    );
}

#[test]
fn what_starts_in_the_zone_turns_away_freely() {
    let cube = Model::new(shapes::cuboid([-0.5; 3], [0.5; 3]).unwrap());
    // A floor of a ridge and a flat part: edges, vertices and faces are all in the zone of the cube.
    let ridge = Mesh::polygons(
        [
            [-3.0, 0.0, 0.0],
            [3.0, 0.0, 0.0],
            [3.0, 3.0, -1.0],
            [-3.0, 3.0, -1.0],
            [-3.0, -3.0, -1.0],
            [3.0, -3.0, -1.0],
        ],
        [vec![0, 1, 2, 3], vec![0, 4, 5, 1]],
    );
    let flat = shapes::cuboid_of_quads([-2.0, -2.0, -1.0], [2.0, 2.0, 0.0]).map(Mesh::from);
    let tip = Mesh::triangles(
        [[-1.0, -1.0, -1.0], [1.0, -1.0, -1.0], [0.0, 1.0, -1.0], [0.0, 0.1, 0.0]],
        vec![[0, 1, 3], [1, 2, 3], [2, 0, 3], [0, 2, 1]],
    );
    let ask = SweepOptions::new().margin(0.01);
    for floor in [ridge.unwrap(), flat.unwrap(), tip.unwrap()] {
        let floor = Model::new(floor);
        for height in [0.5001, 0.505, 0.50999] {
            let start = Trs::translation([0.0, 0.0, height]).unwrap();
            let center = DVec3::new(0.0, 0.0, height);
            let motions = [
                // The cube rises faster than any of its corners falls.
                Motion::rigid([0.0, 0.0, 1.0], center, [1.0, 0.3, 0.0], 30.0),
                Motion::rigid([0.2, 0.0, 1.0], center, [0.0, 0.1, 1.0], 60.0),
                // About an axis beside it, so that all of it rises.
                Motion::rotation([0.0, -4.0, 0.0], [1.0, 0.0, 0.0], 25.0),
                Motion::rotation([-4.0, 0.0, 0.3], [0.0, -1.0, 0.1], 25.0),
            ];
            for motion in motions.map(Result::unwrap) {
                let sweep = cube.at(start).sweep_with(&motion, &floor.at(Trs::IDENTITY), ask);
                assert_eq!(sweep.status, SweepStatus::Clear, "{height}, {motion:?}: {:?}", sweep.hit);
            }
            // The other way, it is stopped at once.
            let down = Motion::rigid([0.0, 0.0, -1.0], center, [1.0, 0.3, 0.0], 30.0).unwrap();
            let sweep = cube.at(start).sweep_with(&down, &floor.at(Trs::IDENTITY), ask);
            assert!(sweep.status == SweepStatus::Hit && sweep.fraction < 1e-9, "{height}: {sweep:?}");
        }
    }
}

/// Inside of a funnel that turns about its axis, a point stays as near to the tip, and so to all faces, as it was.
#[test]
fn what_stays_near_many_faces_is_not_followed_in_ever_shorter_times() {
    let rim = 120;
    let around = |i: u32| {
        let angle = f64::from(i) / f64::from(rim) * std::f64::consts::TAU;
        [angle.cos(), angle.sin(), 1.0]
    };
    let corners = std::iter::once([0.0; 3]).chain((0..rim).map(around));
    let faces: Vec<[u32; 3]> = (0..rim).map(|i| [0, 1 + i, 1 + (i + 1) % rim]).collect();
    let funnel = Model::new(Mesh::triangles(corners.collect::<Vec<_>>(), faces).expect("a mesh"));
    let small = shapes::cuboid([-1e-9; 3], [1e-9; 3]).expect("a cube");
    for body in [Model::new(Mesh::point([0.0; 3]).expect("a point")), Model::new(small)] {
        let still = body.at(Trs::translation([0.0, 0.0, 1e-7]).expect("finite"));
        let turn = Motion::rotation([0.0; 3], DVec3::Z, 350.0).expect("a turn");
        let sweep = funnel.at(Trs::IDENTITY).sweep(&turn, &still);
        assert_eq!(sweep.status, SweepStatus::Clear);
        assert!(sweep.stats.box_tests < 1_000_000, "{:?}", sweep.stats);
    }
}
