//! Touching starts that have a name: stacks, floors, corners, hinges, tilted floors, wheels, pistons.

use crate::touching_oracle::judge::lifted;
use crate::touching_oracle::lattice::{apply, tilt};
use crate::touching_oracle::surface::Surface;
use impinge::math::{DAffine3, DVec3};
use impinge::query::{Engine, Sweep, SweepOptions, SweepStatus};
use impinge::shapes;
use impinge::{Mesh, Model, Motion, Placed, Placement, Trs, Verdict};

fn cuboid(min: [f64; 3], max: [f64; 3]) -> Model {
    Model::new(shapes::cuboid(min, max).unwrap())
}

fn unit_cube() -> Model {
    cuboid([-0.5; 3], [0.5; 3])
}

fn floor() -> Model {
    cuboid([-20.0, -20.0, -1.0], [20.0, 20.0, 0.0])
}

fn at(model: &Model, x: f64, y: f64, z: f64) -> Placed<'_> {
    model.at(Trs::translation([x, y, z]).unwrap())
}

fn by(x: f64, y: f64, z: f64) -> Motion {
    Motion::translation([x, y, z]).unwrap()
}

/// The sweep, after what holds for every one: the stop pose is the motion after the lift, and the exact test finds it clear unless
/// nothing was moved. The same by brute force.
fn sweep(moving: &Placed<'_>, motion: &Motion, stationary: &Placed<'_>) -> Sweep {
    assert_eq!(moving.verdict(stationary), Verdict::Touching, "the start");
    let sweep = moving.sweep(motion, stationary);
    let brute = SweepOptions::new().engine(Engine::Brute);
    let by_brute_force = moving.sweep_with(motion, stationary, brute);
    let told = |sweep: &Sweep| (sweep.status, sweep.wedged, sweep.lift.is_some());
    assert_eq!(told(&sweep), told(&by_brute_force), "{sweep:?} {by_brute_force:?}");
    assert_eq!(sweep.hit.is_some(), sweep.status == SweepStatus::Hit, "{sweep:?}");
    let start = *moving.placement().world_from_model();
    let carried = lifted(motion.carry(&start, sweep.fraction), sweep.lift);
    let is_near = |a: DAffine3, b: DAffine3| {
        let extent = a.translation.abs().max_element() + 1.0;
        (a.translation - b.translation).abs().max_element() <= 8.0 * f64::EPSILON * extent
            && (a.matrix3 - b.matrix3).abs_diff_eq(impinge::math::DMat3::ZERO, 8.0 * f64::EPSILON)
    };
    assert!(is_near(*sweep.world_from_moving.world_from_model(), carried), "{sweep:?}");
    if sweep.fraction > 0.0 || sweep.lift.is_some() {
        let there = moving.model().try_at(sweep.world_from_moving).unwrap();
        assert_eq!(there.verdict(stationary), Verdict::Clear, "{sweep:?}");
    }
    if let Some(lift) = sweep.lift {
        let raised = moving.model().try_at(lifted(start, Some(lift))).unwrap();
        assert_eq!(raised.verdict(stationary), Verdict::Clear, "{sweep:?}");
        let size = moving.bounds().merge(stationary.bounds()).size().length();
        assert!(lift.length() > 0.0 && lift.length() <= 1e-9 * size, "{sweep:?}");
    }
    sweep
}

#[track_caller]
fn assert_parts(sweep: &Sweep) {
    let told = (sweep.status, sweep.fraction, sweep.lift, sweep.wedged);
    assert_eq!(told, (SweepStatus::Clear, 1.0, None, false), "{sweep:?}");
}

#[track_caller]
fn assert_slides_through(sweep: &Sweep) {
    assert_eq!((sweep.status, sweep.fraction, sweep.wedged), (SweepStatus::Clear, 1.0, false), "{sweep:?}");
    assert!(sweep.lift.is_some(), "{sweep:?}");
}

/// It slides, up to about a fraction.
#[track_caller]
fn assert_slides_to(sweep: &Sweep, fraction: f64, tolerance: f64) {
    assert!(sweep.status == SweepStatus::Hit && sweep.lift.is_some() && !sweep.wedged, "{sweep:?}");
    assert!((sweep.fraction - fraction).abs() <= tolerance, "{fraction}: {sweep:?}");
}

#[track_caller]
fn assert_presses(sweep: &Sweep) {
    let told = (sweep.status, sweep.fraction, sweep.lift, sweep.wedged);
    assert_eq!(told, (SweepStatus::Hit, 0.0, None, false), "{sweep:?}");
}

#[track_caller]
fn assert_wedged(sweep: &Sweep) {
    let told = (sweep.status, sweep.fraction, sweep.lift, sweep.wedged);
    assert_eq!(told, (SweepStatus::Hit, 0.0, None, true), "{sweep:?}");
}

/// Where a cube touches another, and which way leads apart.
const STACKS: [([f64; 3], [f64; 3]); 6] = [
    ([0.0, 0.0, 1.0], [0.0, 0.0, 1.0]),
    ([1.0, 0.0, 0.0], [1.0, 0.0, 0.0]),
    ([0.0, -1.0, 0.0], [0.0, -1.0, 0.0]),
    ([0.5, 0.0, 1.0], [0.0, 0.0, 1.0]),
    ([0.5, 0.5, -1.0], [0.0, 0.0, -1.0]),
    ([1.0, -0.5, 0.25], [1.0, 0.0, 0.0]),
];

#[test]
fn two_equal_cubes_part_slide_and_press() {
    let cube = unit_cube();
    let lower = cube.at(Trs::IDENTITY);
    for (place, apart) in STACKS.map(|(place, apart)| (DVec3::from(place), DVec3::from(apart))) {
        let upper = cube.at(Trs::translation(place).unwrap());
        let along = |way: DVec3| sweep(&upper, &Motion::translation(way).unwrap(), &lower);
        let [first, second] = [apart.any_orthogonal_vector(), apart.cross(apart.any_orthogonal_vector())];
        assert_parts(&along(3.0 * apart));
        assert_parts(&along(apart + 0.25 * first));
        for way in [first, -first, second, 0.125 * second, 5.0 * first + 2.0 * second] {
            let slide = along(way);
            assert_slides_through(&slide);
            assert!(slide.lift.unwrap().dot(apart) > 0.0, "{slide:?}");
        }
        let press = along(-apart);
        assert_presses(&press);
        assert!(press.hit.unwrap().normal.dot(-apart) > 0.99, "{press:?}");
        assert_presses(&along(first - 0.25 * apart));
    }
}

/// Nothing jumps where a gap becomes a touch.
#[test]
fn a_tiny_gap_agrees_with_none() {
    let cube = unit_cube();
    let lower = cube.at(Trs::IDENTITY);
    for (place, apart) in STACKS.map(|(place, apart)| (DVec3::from(place), DVec3::from(apart))) {
        let side = apart.any_orthogonal_vector();
        for way in [apart, side, side + apart, -apart, side - apart] {
            let motion = Motion::translation(way).unwrap();
            let touching = cube.at(Trs::translation(place).unwrap()).sweep(&motion, &lower);
            for gap in [1e-13, 1e-12, 1e-11, 1e-10] {
                let near = cube.at(Trs::translation(place + gap * apart).unwrap());
                assert_eq!(near.verdict(&lower), Verdict::Clear);
                let near = near.sweep(&motion, &lower);
                assert_eq!(near.status, touching.status, "{place} {way} {gap}: {near:?} {touching:?}");
                assert!((near.fraction - touching.fraction).abs() <= 1e-9, "{place} {way} {gap}");
            }
        }
    }
}

#[test]
fn a_cube_on_a_floor_slides_as_far_as_it_is_asked() {
    let (cube, floor) = (unit_cube(), floor());
    let floor = floor.at(Trs::IDENTITY);
    let resting = at(&cube, 0.25, 0.0, 0.5);
    let mut lifts = Vec::new();
    for [x, y] in
        [[1.0, 0.0], [0.0, -3.0], [2.5, 7.125], [1e-6, 0.0], [15.0, 0.0], [1000.0, 1.0], [-1e5, 1e4]]
    {
        let slide = sweep(&resting, &by(x, y, 0.0), &floor);
        assert_slides_through(&slide);
        lifts.push(slide.lift.unwrap());
        assert_presses(&sweep(&resting, &by(x, y, -1e-3), &floor));
        assert_parts(&sweep(&resting, &by(x, y, 1e-3), &floor));
    }
    // The skin comes from the bodies, not from how far they are to go.
    for lift in &lifts {
        assert!((lift.length() / lifts[0].length() - 1.0).abs() < 1e-6, "{lifts:?}");
        assert!(lift.z > 0.0, "{lifts:?}");
    }
    // The floor moves away below the cube, or along it.
    assert_parts(&sweep(&floor, &by(0.0, 0.0, -1.0), &resting));
    assert_slides_through(&sweep(&floor, &by(3.0, 0.0, 0.0), &resting));
    assert_presses(&sweep(&floor, &by(0.0, 1.0, 0.5), &resting));
}

/// A margin that is asked for is not what a body is lifted by.
#[test]
fn a_lift_is_a_skin_whatever_the_margin() {
    let (cube, floor) = (unit_cube(), floor());
    let (resting, floor) = (at(&cube, 0.0, 0.0, 0.5), floor.at(Trs::IDENTITY));
    let plain = sweep(&resting, &by(2.0, 1.0, 0.0), &floor);
    let plain = plain.lift.expect("it slides").length();
    for expel in [1e-6, 0.01, 0.25] {
        let ask = SweepOptions::new().margin(expel);
        let slide = resting.sweep_with(&by(2.0, 1.0, 0.0), &floor, ask);
        assert_slides_through(&slide);
        assert!((slide.lift.unwrap().length() / plain - 1.0).abs() < 1e-6, "{slide:?}");
        let up = resting.sweep_with(&by(2.0, 1.0, 0.5), &floor, ask);
        assert_parts(&up);
        assert_presses(&resting.sweep_with(&by(2.0, 1.0, -0.5), &floor, ask));
    }
}

#[test]
fn a_slide_ends_at_a_wall() {
    // A floor with a wall on it, in one piece, with a step whose top is at the cube's middle.
    let outline = [[0, 0], [20, 0], [20, 8], [16, 8], [16, 2], [0, 2]];
    let surface = Surface::of_outline(&outline, 8);
    let points = surface.points.iter().map(|p| p.map(|x| x as f64));
    let model = Model::new(Mesh::polygons(points, &surface.faces).unwrap());
    let stationary = model.at(Trs::IDENTITY);
    let cube = cuboid([0.0; 3], [2.0; 3]);
    let start = at(&cube, 4.0, 2.0, 3.0);
    assert_slides_to(&sweep(&start, &by(20.0, 0.0, 0.0), &stationary), 0.5, 1e-9);
    assert_slides_to(&sweep(&start, &by(20.0, 0.0, 1.0), &stationary), 0.5, 1e-9);
    assert_slides_through(&sweep(&start, &by(9.5, 0.0, 0.0), &stationary));
    assert_slides_through(&sweep(&start, &by(-20.0, 0.0, 0.0), &stationary));
    // In the corner of both.
    let corner = at(&cube, 14.0, 2.0, 3.0);
    assert_presses(&sweep(&corner, &by(1.0, 0.0, 0.0), &stationary));
    assert_presses(&sweep(&corner, &by(1.0, 1.0, 0.0), &stationary));
    assert_parts(&sweep(&corner, &by(-1.0, 1.0, 0.0), &stationary));
    assert_slides_through(&sweep(&corner, &by(0.0, 1.0, 0.0), &stationary));
    assert_slides_through(&sweep(&corner, &by(-1.0, 0.0, 0.0), &stationary));
    assert_slides_through(&sweep(&corner, &by(0.0, 0.0, 1.0), &stationary));
}

/// Three walls that meet, as one mesh of three boxes that touch each other.
fn corner() -> Model {
    let boxes = [
        ([-1.0, -1.0, -1.0], [5.0, 5.0, 0.0]),
        ([-1.0, -1.0, 0.0], [0.0, 5.0, 5.0]),
        ([0.0, -1.0, 0.0], [5.0, 0.0, 5.0]),
    ];
    let mut points = Vec::new();
    for (min, max) in boxes {
        let mesh = Mesh::from(shapes::cuboid(min, max).unwrap());
        let (vertices, triangles) = mesh.triangle_table().unwrap();
        points.extend(triangles.iter().flatten().map(|&i| vertices[i as usize]));
    }
    Model::new(Mesh::soup(points).unwrap())
}

#[test]
fn a_box_in_a_corner_gets_out() {
    let (corner, cube) = (corner(), cuboid([0.0; 3], [1.0; 3]));
    let (corner, cube) = (corner.at(Trs::IDENTITY), cube.at(Trs::IDENTITY));
    for way in [[1.0, 1.0, 1.0], [3.0, 2.0, 1.0], [0.125, 1.0, 0.5]] {
        assert_parts(&sweep(&cube, &by(way[0], way[1], way[2]), &corner));
    }
    for way in
        [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0], [1.0, 1.0, 0.0], [0.0, 2.0, 1.0], [9.0, 0.0, 0.0]]
    {
        let slide = sweep(&cube, &by(way[0], way[1], way[2]), &corner);
        assert_slides_through(&slide);
        assert!(slide.lift.unwrap().min_element() > 0.0, "it parts all three: {slide:?}");
    }
    for way in [[-1.0, 0.0, 0.0], [1.0, 1.0, -0.125], [-1.0, 1.0, 1.0], [-1.0, -1.0, -1.0]] {
        assert_presses(&sweep(&cube, &by(way[0], way[1], way[2]), &corner));
    }
}

#[test]
fn a_box_turns_in_place_on_a_floor() {
    let floor = floor();
    let floor = floor.at(Trs::IDENTITY);
    for size in [[1.0, 1.0, 1.0], [3.0, 1.0, 0.25], [0.5, 0.5, 4.0]] {
        let block = cuboid([0.0; 3], size);
        let block = at(&block, 1.0, -2.0, 0.0);
        for (x, y) in [(1.5, -1.5), (1.0, -2.0), (0.0, 0.0), (-3.0, 1.0)] {
            for degrees in [1.0, 30.0, -90.0, 200.0, 360.0, -1000.0] {
                let turn = Motion::rotation([x, y, 7.0], [0.0, 0.0, 1.0], degrees).unwrap();
                let slide = sweep(&block, &turn, &floor);
                assert_slides_through(&slide);
                // The axis upside down.
                let turn = Motion::rotation([x, y, 0.0], [0.0, 0.0, -3.0], degrees).unwrap();
                assert_slides_through(&sweep(&block, &turn, &floor));
            }
            // Along and around at once, and one after the other.
            let rigid = Motion::rigid([2.0, 1.0, 0.0], [x, y, 0.0], [0.0, 0.0, 1.0], 100.0).unwrap();
            assert_slides_through(&sweep(&block, &rigid, &floor));
            let both = by(2.0, -1.0, 0.0).then_rotation([x, y, 0.0], [0.0, 0.0, 1.0], -50.0).unwrap();
            assert_slides_through(&sweep(&block, &both, &floor));
            let up = Motion::rigid([2.0, 1.0, 1.0], [x, y, 0.0], [0.0, 0.0, 1.0], 100.0).unwrap();
            assert_parts(&sweep(&block, &up, &floor));
            let down = Motion::rigid([2.0, 1.0, -1.0], [x, y, 0.0], [0.0, 0.0, 1.0], 100.0).unwrap();
            assert_presses(&sweep(&block, &down, &floor));
        }
    }
    // A post on the floor, in the way of a long block.
    let stationary = corner();
    let stationary = stationary.at(Trs::IDENTITY);
    let plank = cuboid([-1.0, -0.25, 0.0], [1.0, 0.25, 0.5]);
    let plank = at(&plank, 2.0, 0.75, 0.0);
    let turn = Motion::rotation([2.0, 0.75, 0.0], [0.0, 0.0, 1.0], 90.0).unwrap();
    // Its corner is √(1 + 1/16) from the axis, which is 3/4 from the wall.
    let angle = (0.75 / 1.0625_f64.sqrt()).asin() - 0.25_f64.atan();
    assert_slides_to(&sweep(&plank, &turn, &stationary), angle.to_degrees() / 90.0, 1e-8);
}

#[test]
fn a_door_opens_about_the_edge_it_shares_with_the_wall() {
    let wall = cuboid([-1.0, 0.0, 0.0], [0.0, 0.125, 2.0]);
    let door = cuboid([0.0, 0.0, 0.0], [1.0, 0.125, 2.0]);
    let (wall, door) = (wall.at(Trs::IDENTITY), door.at(Trs::IDENTITY));
    let hinge = |degrees: f64| Motion::rotation([0.0; 3], [0.0, 0.0, 1.0], degrees).unwrap();
    for degrees in [-1.0, -45.0, -90.0, -170.0] {
        let open = sweep(&door, &hinge(degrees), &wall);
        assert_slides_through(&open);
        assert!(open.lift.unwrap().x > 0.0, "{open:?}");
    }
    // It lies flat on the wall after half a turn.
    assert_slides_to(&sweep(&door, &hinge(-270.0), &wall), 180.0 / 270.0, 1e-6);
    // The other way its corner goes into the wall.
    assert_presses(&sweep(&door, &hinge(1.0), &wall));
    assert_presses(&sweep(&door, &hinge(90.0), &wall));
    // With a stop in its way.
    let mut points = Vec::new();
    for mesh in [
        shapes::cuboid([-1.0, 0.0, 0.0], [0.0, 0.125, 2.0]),
        shapes::cuboid([0.25, -2.0, 0.0], [0.5, -0.75, 1.0]),
    ] {
        let mesh = mesh.unwrap();
        points.extend(mesh.triangles().flatten().map(|i| mesh.vertices()[i as usize]));
    }
    let stopped = Model::new(Mesh::soup(points).unwrap());
    let open = sweep(&door, &hinge(-90.0), &stopped.at(Trs::IDENTITY));
    assert!(open.status == SweepStatus::Hit && open.fraction > 0.4 && open.fraction < 0.8, "{open:?}");
    // A hinge in the middle of the shared face parts nothing.
    let middle = Motion::rotation([0.0, 0.0625, 0.0], [0.0, 0.0, 1.0], 10.0).unwrap();
    assert_presses(&sweep(&door, &middle, &wall));
}

#[test]
fn a_block_tips_over_its_edge() {
    // The edge is at the origin of the model and of the world, where no rounding moves it.
    let (block, floor) = (cuboid([-1.0, -0.5, 0.0], [0.0, 0.5, 1.0]), floor());
    let (resting, floor) = (block.at(Trs::IDENTITY), floor.at(Trs::IDENTITY));
    let tip = |degrees: f64| Motion::rotation([0.0; 3], [0.0, 1.0, 0.0], degrees).unwrap();
    assert_slides_through(&sweep(&resting, &tip(80.0), &floor));
    // Its side comes down flat after a quarter.
    assert_slides_to(&sweep(&resting, &tip(180.0), &floor), 0.5, 1e-6);
    assert_presses(&sweep(&resting, &tip(-10.0), &floor));
    // About an axis beside it, all of it rises or falls.
    let beside = |degrees: f64| Motion::rotation([2.0, 0.0, 0.0], [0.0, 1.0, 0.0], degrees).unwrap();
    assert_parts(&sweep(&resting, &beside(60.0), &floor));
    assert_presses(&sweep(&resting, &beside(-60.0), &floor));
}

/// The vertex of a wheel touches the floor and does not move at first: only the second order tells.
#[test]
fn contacts_of_second_order_part_or_press() {
    // The vertex is at the origin of the model and of the world.
    let square = [[0, 0], [4, 4], [0, 8], [-4, 4]];
    let octagon = [[0, 0], [3, 1], [5, 5], [3, 9], [0, 10], [-3, 9], [-5, 5], [-3, 1]];
    let ground = cuboid([-30.0, -8.0, -8.0], [30.0, 0.0, 8.0]);
    let ground = ground.at(Trs::IDENTITY);
    for (outline, radius, next) in [(&square[..], 4.0, 90.0), (&octagon[..], 5.0, 36.87)] {
        let surface = Surface::of_outline(outline, 2);
        let points = surface.points.iter().map(|p| p.map(|x| x as f64));
        let wheel = Model::new(Mesh::polygons(points, &surface.faces).unwrap());
        let wheel = wheel.at(Trs::IDENTITY);
        let about = |height: f64, degrees: f64| {
            Motion::rotation([0.0, height, 0.0], [0.0, 0.0, 1.0], degrees).unwrap()
        };
        for sign in [1.0, -1.0] {
            // About its middle: the vertex rises, until the next one comes down.
            assert_parts(&sweep(&wheel, &about(radius, sign * 0.9 * next), &ground));
            assert_parts(&sweep(&wheel, &about(radius, sign), &ground));
            let roll = sweep(&wheel, &about(radius, sign * 2.0 * next), &ground);
            assert!(roll.status == SweepStatus::Hit && roll.lift.is_none() && !roll.wedged, "{roll:?}");
            // It comes down along its circle, so the skin is as thick as the square of the angle.
            assert!(roll.fraction > 0.499 && roll.fraction < 0.500_01, "{roll:?}");
            // An axis that is higher, but not above the middle.
            assert_parts(&sweep(&wheel, &about(0.5 * radius, sign * 0.2 * next), &ground));
            // About an axis below, the vertex goes down; about itself, it stays.
            assert_presses(&sweep(&wheel, &about(-1.0, sign * 10.0), &ground));
            assert_presses(&sweep(&wheel, &about(-100.0, sign), &ground));
            assert_slides_through(&sweep(&wheel, &about(0.0, sign * 10.0), &ground));
        }
    }
}

/// Everything turned by a quaternion of whole numbers, and as much larger as makes all numbers whole.
#[test]
fn a_tilted_floor_is_a_floor() {
    for quaternion in [[2, 1, 0, 0], [3, 1, 0, 0], [1, 2, 3, 0], [1, 2, 3, 4], [5, -2, 1, 3]] {
        let (matrix, _) = tilt(quaternion);
        let vector = |p: [i64; 3]| DVec3::from_array(apply(&matrix, p).map(|x| x as f64));
        let bake = |min: [i64; 3], max: [i64; 3]| {
            let surface = Surface::of_box([min, max]);
            Model::new(Mesh::polygons(surface.points.iter().map(|p| vector(*p)), &surface.faces).unwrap())
        };
        let (cube, floor) = (bake([0; 3], [2; 3]), bake([-40, -40, -2], [40, 40, 0]));
        let floor = floor.at(Trs::IDENTITY);
        for place in [[0, 0, 0], [3, -5, 0], [38, 38, 0], [39, 0, 0]] {
            let resting = cube.at(Trs::translation(vector(place)).unwrap());
            let along = |way: [i64; 3]| sweep(&resting, &Motion::translation(vector(way)).unwrap(), &floor);
            for [x, y] in [[1, 0], [-2, 3], [0, -7], [50, 1]] {
                assert_slides_through(&along([x, y, 0]));
                assert_parts(&along([x, y, 1]));
                assert_presses(&along([x, y, -1]));
            }
            // In place, about the floor's own normal; the axis is rounded, which may turn it into the floor.
            let center = resting.bounds();
            let center = (center.min + center.max) * 0.5;
            let turn = Motion::rotation(center, vector([0, 0, 1]), 35.0).unwrap();
            let turned = sweep(&resting, &turn, &floor);
            if turned.status == SweepStatus::Hit {
                assert_presses(&turned);
            }
        }
    }
}

/// Turned by any angle: what is computed to lie on the floor touches it, overlaps it or is clear of it by a rounding, and so is what is
/// computed to move along it. Of bodies that touch, the exact test tells what they do, where all poses after the start agree; a
/// rounding into the floor may count as sliding along it.
#[test]
fn a_floor_tilted_by_any_angle_is_one_too() {
    let (cube, floor) = (unit_cube(), floor());
    let (mut starts, mut seen) = (0, [0; 4]);
    for case in 0..if cfg!(debug_assertions) { 100 } else { 2_000 } {
        let number = f64::from(case);
        let axis = DVec3::new(1.0, 0.3 + 0.01 * number, -0.7 + 0.003 * number);
        let turn = Trs::rotation_about_axis(axis, 5.0 + 0.37 * number).unwrap();
        let stationary = floor.at(turn);
        let to_world = |p: DVec3| turn.rotation_matrix() * p;
        let place = to_world(DVec3::new(0.125 * f64::from(case % 64) - 4.0, 0.25, 0.5));
        let resting = cube.at(Placement::from(Trs::rigid(place, turn.orientation()).unwrap()));
        if resting.verdict(&stationary) != Verdict::Touching {
            continue;
        }
        starts += 1;
        for way in [[1.0, 0.0], [-2.0, 0.7], [0.1, 3.0]] {
            let along = |z: f64| Motion::translation(to_world(DVec3::new(way[0], way[1], z))).unwrap();
            assert_parts(&sweep(&resting, &along(1e-6), &stationary));
            assert_presses(&sweep(&resting, &along(-1e-6), &stationary));
            let motion = along(0.0);
            let slide = sweep(&resting, &motion, &stationary);
            let poses = (0..40).map(|k| {
                let pose = motion.carry(resting.placement().world_from_model(), f64::from(-k).exp2());
                cube.try_at(pose).unwrap().verdict(&stationary)
            });
            let mut poses: Vec<Verdict> = poses.collect();
            poses.dedup();
            match poses[..] {
                [Verdict::Clear] => {
                    seen[0] += 1;
                    assert_eq!((slide.status, slide.wedged), (SweepStatus::Clear, false), "{slide:?}");
                }
                [Verdict::Touching] => {
                    seen[1] += 1;
                    assert_slides_through(&slide);
                }
                [_] => seen[2] += 1,
                _ => seen[3] += 1,
            }
            if slide.status == SweepStatus::Hit {
                assert_presses(&slide);
            }
        }
    }
    println!("{starts} starts; clear, touching, overlapping at all poses, or changing: {seen:?}");
    assert!(starts > 10, "{starts}");
}

#[test]
fn what_no_lift_frees_is_wedged() {
    // A square and an octagonal bore, with a piston that fits exactly; its middle is open.
    let square = [[0, 0], [8, 0], [8, 8], [0, 8]];
    let octagon = [[2, 1], [6, 1], [7, 2], [7, 6], [6, 7], [2, 7], [1, 6], [1, 2]];
    let inner = [[2, 2], [6, 2], [6, 6], [2, 6]];
    for hole in [&inner[..], &octagon[..]] {
        let bore = Model::new(bore(&square, hole, 20));
        assert!(bore.is_closed());
        let piston = Surface::of_outline(hole, 4);
        let points = piston.points.iter().map(|p| p.map(|x| x as f64));
        let piston = Model::new(Mesh::polygons(points, &piston.faces).unwrap());
        let bore = bore.at(Trs::IDENTITY);
        for z in [0.0, 8.0, 16.0, -2.0] {
            let piston = at(&piston, 0.0, 0.0, z);
            assert_wedged(&sweep(&piston, &by(0.0, 0.0, 5.0), &bore));
            assert_wedged(&sweep(&piston, &by(0.0, 0.0, -5.0), &bore));
            assert_presses(&sweep(&piston, &by(1.0, 0.0, 0.0), &bore));
            assert_presses(&sweep(&piston, &by(0.0, 1.0, 5.0), &bore));
            // The bore moves along the piston.
            assert_wedged(&sweep(&bore, &by(0.0, 0.0, 5.0), &piston));
        }
        // Just out of it, the way out is free.
        let out = at(&piston, 0.0, 0.0, 20.0);
        assert_parts(&sweep(&out, &by(0.0, 0.0, 5.0), &bore));
    }
    // A cube between two walls, on a floor or not; a plug in a slot.
    let cube = unit_cube();
    let mut points = Vec::new();
    for (min, max) in [([-2.0, -3.0, -2.0], [-0.5, 3.0, 2.0]), ([0.5, -3.0, -2.0], [2.0, 3.0, 2.0])] {
        let mesh = Mesh::from(shapes::cuboid(min, max).unwrap());
        let (vertices, triangles) = mesh.triangle_table().unwrap();
        points.extend(triangles.iter().flatten().map(|&i| vertices[i as usize]));
    }
    let walls = Model::new(Mesh::soup(points.clone()).unwrap());
    let mesh = Mesh::from(shapes::cuboid([-2.0, -3.0, -3.0], [2.0, 3.0, -2.0]).unwrap());
    let (vertices, triangles) = mesh.triangle_table().unwrap();
    points.extend(triangles.iter().flatten().map(|&i| vertices[i as usize]));
    let slot = Model::new(Mesh::soup(points).unwrap());
    for (stationary, heights) in [(&walls, [0.0, 1.75, -1.5]), (&slot, [0.0, 1.75, -1.5])] {
        let stationary = stationary.at(Trs::IDENTITY);
        for z in heights {
            let placed = at(&cube, 0.0, 0.5, z);
            for way in [[0.0, 1.0, 0.0], [0.0, -0.5, 0.0], [0.0, 0.0, 1.0], [0.0, 1.0, 1.0], [0.0, 9.0, 9.0]]
            {
                assert_wedged(&sweep(&placed, &by(way[0], way[1], way[2]), &stationary));
            }
            assert_presses(&sweep(&placed, &by(0.125, 0.0, 0.0), &stationary));
        }
    }
    // On top of both walls it is not.
    let above = at(&cube, 0.0, 0.0, 2.5);
    assert_slides_through(&sweep(&above, &by(0.0, 1.0, 0.0), &walls.at(Trs::IDENTITY)));
    assert_parts(&sweep(&above, &by(0.0, 0.0, 1.0), &walls.at(Trs::IDENTITY)));
}

/// A block with a hole through it, along z: both outlines counter-clockwise, each corner of the hole seen from the nearest side.
fn bore(outer: &[[i64; 2]; 4], hole: &[[i64; 2]], length: i64) -> Mesh {
    let point = |p: [i64; 2], z: i64| DVec3::new(p[0] as f64, p[1] as f64, z as f64);
    // Around the ring: a triangle for every side of either outline, with the angle as the order.
    let turn = |p: [i64; 2]| ((p[1] - 4) as f64).atan2((p[0] - 4) as f64);
    let sorted = |outline: &[[i64; 2]]| {
        let mut corners = outline.to_vec();
        corners.sort_by(|a, b| turn(*a).total_cmp(&turn(*b)));
        corners
    };
    let (outer, hole) = (sorted(outer), sorted(hole));
    let mut triangles = Vec::new();
    let (mut i, mut j) = (0, 0);
    while i < outer.len() || j < hole.len() {
        let (a, b) = (outer[i % outer.len()], hole[j % hole.len()]);
        let steps_outside = j == hole.len()
            || i < outer.len() && {
                let ahead = |outline: &[[i64; 2]], k: usize| {
                    if k + 1 < outline.len() {
                        turn(outline[k + 1])
                    } else {
                        turn(outline[0]) + std::f64::consts::TAU
                    }
                };
                ahead(&outer, i) <= ahead(&hole, j)
            };
        if steps_outside {
            triangles.push([a, outer[(i + 1) % outer.len()], b]);
            i += 1;
        } else {
            triangles.push([a, hole[(j + 1) % hole.len()], b]);
            j += 1;
        }
    }
    let mut soup = Vec::new();
    for [a, b, c] in triangles {
        soup.extend([point(a, length), point(b, length), point(c, length)]);
        soup.extend([point(c, 0), point(b, 0), point(a, 0)]);
    }
    for (outline, is_outer) in [(&outer, true), (&hole, false)] {
        for k in 0..outline.len() {
            let [a, b] = [outline[k], outline[(k + 1) % outline.len()]];
            let [a, b] = if is_outer { [a, b] } else { [b, a] };
            soup.extend([point(a, 0), point(b, 0), point(b, length)]);
            soup.extend([point(a, 0), point(b, length), point(a, length)]);
        }
    }
    Mesh::soup(soup).unwrap()
}

/// On the way coordinates come to be larger, and so do roundings: what was lifted off before goes on all the same.
#[test]
fn a_slide_goes_on_where_numbers_get_larger() {
    let bar = cuboid([-0.5, -2.0, -0.5], [0.5, 2.0, 0.5]);
    for step in 0..64 {
        let x = 1000.0 + f64::from(step) * 0.375;
        let beside = at(&bar, x, 217.375, -122.4375);
        let moving = at(&bar, x - 1.0, 214.375, -122.4375);
        for motion in [by(0.0, 20.0, 0.0), by(0.0, 20.0, 1.0), by(0.0, 200.0, 0.0)] {
            assert_slides_through(&sweep(&moving, &motion, &beside));
        }
    }
}

/// Far from the world's origin, what counts as contact is much wider than the rounding of a local frame.
#[test]
fn what_is_all_but_touching_parts_and_slides_wherever_it_is() {
    let ball = Model::new(Mesh::point([0.0, 0.0, 0.5]).unwrap()).rounded(0.5).unwrap();
    let cube = cuboid([-0.5, -0.5, 0.0], [0.5, 0.5, 1.0]);
    let floor = floor();
    for (model, x) in [&cube, &ball].into_iter().flat_map(|model| [0.0, 37.0, 3e3, 3e5].map(|x| (model, x))) {
        let stationary = at(&floor, x, -2.0 * x, 0.0);
        for gap in (0..50).map(|k| 1e-16 * libm::pow(1.6, f64::from(k))) {
            let moving = at(model, x, -2.0 * x, gap);
            let is_through = |motion: &Motion| {
                let sweep = moving.sweep(motion, &stationary);
                (sweep.status, sweep.wedged) == (SweepStatus::Clear, false)
            };
            assert!(is_through(&by(0.0, 0.0, 0.1)), "{gap:e} above the floor at {x}, up");
            assert!(is_through(&by(0.1, 0.05, 0.0)), "{gap:e} above the floor at {x}, along");
            let down = moving.sweep(&by(0.0, 0.0, -0.1), &stationary);
            assert!(
                down.hit.is_some() && down.fraction * 0.1 <= gap,
                "{gap:e} above the floor at {x}: {down:?}"
            );
        }
    }
}

/// A lift leaves a body a rounding outside of its margin. There the normal of the closest points, which is rounded, may lead into a wall along which the body moves.
#[test]
fn what_moves_along_at_its_margin_is_not_pressed() {
    let wall = cuboid([-192.0, -136.0, 0.0], [-128.0, 0.0, 184.0]);
    let wall = wall.at(Trs::IDENTITY);
    let capsule = Model::capsule([0.0, 0.0, 16.0], [0.0, 0.0, 40.0], 16.0).unwrap();
    let skin = 0.5_f64.powi(24);
    for step in 0..200 {
        let y = 16.000000059607036 + f64::from(step - 100) * 1e-13;
        let moving = capsule.at(Trs::translation([-177.81581498223716, y, 24.779531926068188]).unwrap());
        let options = SweepOptions::new().margin(skin);
        for motion in [by(5.0, 0.0, 0.0), by(0.0, 0.0, -0.2), by(-5.0, 0.0, 3.0)] {
            let sweep = moving.sweep_with(&motion, &wall, options);
            assert_eq!((sweep.status, sweep.wedged), (SweepStatus::Clear, false), "{y}, {motion:?}");
        }
        let pushed = moving.sweep_with(&by(5.0, -1e-3, 0.0), &wall, options);
        assert_eq!((pushed.status, pushed.fraction), (SweepStatus::Hit, 0.0), "{y}");
    }
}
