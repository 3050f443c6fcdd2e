//! Sweeps of balls, capsules and rounded meshes: against closed forms, and before a judge in 100 bits that shares no code with them.

use impinge::math::{DQuat, DVec3};
use impinge::query::{Engine, Sweep, SweepOptions, SweepStatus};
use impinge::{Mesh, Model, Motion, Placed, Trs, Verdict, shapes};

use crate::effort::share;
use crate::rounded::Numbers;
use crate::sweep_oracle::geometry::gap;
use crate::sweep_oracle::number::{Number, Twin, V};

fn along(x: f64) -> Motion {
    Motion::translation([x, 0.0, 0.0]).unwrap()
}

fn at(x: f64, y: f64, z: f64) -> Trs {
    Trs::translation([x, y, z]).unwrap()
}

#[test]
fn a_ball_stops_at_a_wall() {
    let ball = Model::ball(1.0).unwrap();
    let wall = Model::new(shapes::cuboid([4.0, -5.0, -5.0], [4.1, 5.0, 5.0]).unwrap());
    let wall = wall.at(Trs::IDENTITY);
    let sweep = ball.at(Trs::IDENTITY).sweep(&along(12.0), &wall);
    assert_eq!(sweep.status, SweepStatus::Hit);
    assert!(sweep.fraction <= 0.25 && sweep.fraction > 0.25 - 1e-8, "{}", sweep.fraction);
    let hit = sweep.hit.unwrap();
    assert_eq!(hit.normal, DVec3::X);
    assert!(hit.bound < 1e-8);
    assert!((hit.point_on_moving - DVec3::new(4.0, 0.0, 0.0)).length() < 1e-8, "{hit:?}");
    assert!((hit.point_on_stationary - DVec3::new(4.0, 0.0, 0.0)).length() < 1e-8);
    assert_eq!(ball.at(sweep.world_from_moving).verdict(&wall), Verdict::Clear);
}

/// The first time of two balls, by the root of the quadratic, in 100 bits.
fn balls_meet(from: DVec3, by: DVec3, radii: f64) -> Option<f64> {
    let (w, v) = (V::<Twin>::of(from), V::<Twin>::of(by));
    let (a, b, c) = (v.dot(v), w.dot(v), w.dot(w) - Twin::of(radii) * Twin::of(radii));
    let under = b * b - a * c;
    if under < Twin::ZERO || b > Twin::ZERO {
        return None;
    }
    let time = (c / (under.sqrt() - b)).value();
    (time <= 1.0).then_some(time)
}

#[test]
fn two_balls_meet_at_the_root_of_a_quadratic() {
    let numbers = &mut Numbers(11);
    let mut hits = 0;
    for case in 0..share(100, 20_000) {
        let radii = [numbers.real(0.01, 1.0), numbers.real(0.01, 2.0)];
        let from = loop {
            let from = numbers.vector(6.0);
            if from.length() > radii[0] + radii[1] + 0.01 {
                break from;
            }
        };
        // Towards the other, and often past it by little.
        let aim = numbers.vector(1.0).normalize_or(DVec3::X) * (radii[0] + radii[1]);
        let aim = aim * [0.0, 0.9, 0.999_999, 1.0 - 1e-12, 1.000_001][numbers.whole(5) as usize];
        let by = (aim - from) * numbers.real(0.2, 3.0);
        let balls = radii.map(|radius| Model::ball(radius).unwrap());
        let motion = Motion::translation(by).unwrap();
        let moving = balls[0].at(Trs::translation(from).unwrap());
        let sweep = moving.sweep(&motion, &balls[1].at(Trs::IDENTITY));
        let expected = balls_meet(from, by, radii[0] + radii[1]);
        match (sweep.status, expected) {
            (SweepStatus::Hit, Some(time)) => {
                hits += 1;
                assert!(sweep.fraction <= time, "{case}: late, {} {time}", sweep.fraction);
                let left = ((time - sweep.fraction) * by.length()).abs();
                // At an angle, the skin is a longer way.
                let normal = (from + by * time).normalize();
                let cosine = -normal.dot(by.normalize());
                assert!(left < 1e-8 + 2e-9 / cosine.max(1e-5), "{case}: early, {left} {cosine}");
            }
            (SweepStatus::Clear, None) => assert_eq!(sweep.fraction, 1.0),
            // Within the skin, it is stopped though it would not touch.
            (SweepStatus::Hit, None) => assert!(sweep.hit.unwrap().bound < 1e-8, "{case}: {sweep:?}"),
            (status, time) => panic!("{case}: {status:?} {time:?}"),
        }
    }
    assert!(hits > 20);
}

fn facets(placed: &Placed<'_>) -> Vec<[V<Twin>; 3]> {
    let (mesh, map) = (placed.model().mesh(), placed.placement().world_from_model());
    let columns = [map.matrix3.x_axis, map.matrix3.y_axis, map.matrix3.z_axis].map(V::<Twin>::of);
    let place = |vertex: u32| {
        let [x, y, z] = mesh.vertex(vertex).to_array().map(Twin::of);
        columns[0].scaled(x) + columns[1].scaled(y) + columns[2].scaled(z) + V::of(map.translation)
    };
    let fans = (0..mesh.face_count() as u32).flat_map(|face| mesh.fan(face));
    fans.map(|triangle| triangle.map(place)).collect()
}

/// The distance of two bodies in 100 bits, of which one is moved by so much.
fn distance(moving: &[[V<Twin>; 3]], still: &[[V<Twin>; 3]], by: V<Twin>, radii: f64) -> f64 {
    let mut least = f64::INFINITY;
    for a in moving {
        let a = a.map(|corner| corner + by);
        for b in still {
            let found = gap(&a, b);
            let distance = if found.crossing { Twin::ZERO } else { found.distance };
            least = least.min((distance - Twin::of(radii)).value());
        }
    }
    least
}

/// Holds a sweep along a line to its promise: never late, free at the stop, as near there as it says, and no touch missed.
fn judge(moving: &Placed<'_>, by: DVec3, still: &Placed<'_>, sweep: &Sweep, name: &str) {
    let (first, second) = (facets(moving), facets(still));
    let radii = moving.radius() + still.radius();
    let measure = |time: f64| distance(&first, &second, V::<Twin>::of(by).scaled(Twin::of(time)), radii);
    let rounding = sweep.rounding;
    assert!(rounding < 1e-10, "{name}");
    for i in 0..=96 {
        // Half of them just before the stop.
        let part = if i < 48 { f64::from(i) / 48.0 } else { 1.0 - f64::exp2(f64::from(48 - i)) };
        let time = sweep.fraction * part;
        assert!(measure(time) >= -rounding, "{name}: {} deep at {time} of {}", measure(time), sweep.fraction);
    }
    let left = measure(sweep.fraction);
    if let Some(hit) = sweep.hit {
        assert!(left <= hit.bound + rounding, "{name}: {left} {hit:?}");
        assert!(hit.bound < 1e-7, "{name}: {hit:?}");
        let between = hit.point_on_stationary - hit.point_on_moving;
        assert!((between.length() - left.max(0.0)).abs() < 1e-9, "{name}: {left} {hit:?}");
    }
    assert_eq!(sweep.status == SweepStatus::Clear, sweep.fraction == 1.0, "{name}");
    let there = moving.model().at(sweep.world_from_moving);
    assert!(!there.intersects(still), "{name}");
}

/// A rounded body: a ball, a capsule, a rounded triangle, box or soup.
fn body(numbers: &mut Numbers) -> Model {
    let core = match numbers.whole(6) {
        0 => Mesh::point(numbers.vector(0.5)).unwrap(),
        1 | 2 => Mesh::segment(numbers.vector(1.0), numbers.vector(1.0)).unwrap(),
        3 => Mesh::polygon([numbers.vector(1.0), numbers.vector(1.0), numbers.vector(1.0)]).unwrap(),
        4 => shapes::cuboid([-0.5; 3], [0.5, 0.75, 0.25]).unwrap().into(),
        _ => Mesh::soup((0..9).map(|_| numbers.vector(1.0))).unwrap(),
    };
    let radius = [0.5, 0.1, 1e-3, 2.0, 0.0][numbers.whole(5) as usize];
    Model::new(core).rounded(radius).unwrap()
}

fn turned(numbers: &mut Numbers, to: DVec3) -> Trs {
    let axis = numbers.vector(1.0).normalize_or(DVec3::X);
    Trs::new(to, DQuat::from_axis_angle(axis, numbers.real(0.0, 6.0)), [1.0; 3]).unwrap()
}

#[test]
fn sweeps_along_lines_keep_their_promise() {
    let numbers = &mut Numbers(21);
    let (mut hits, mut clears) = (0, 0);
    for case in 0..share(30, 2_000) {
        let models = [body(numbers), body(numbers)];
        let (still_at, from) = (numbers.vector(1.0), numbers.vector(6.0));
        let still = models[1].at(turned(numbers, still_at));
        let moving = models[0].at(turned(numbers, from));
        let by = (numbers.vector(1.5) - from) * numbers.real(0.3, 2.0);
        let sweep = moving.sweep(&Motion::translation(by).unwrap(), &still);
        let brute = SweepOptions::new().engine(Engine::Brute);
        let other = moving.sweep_with(&Motion::translation(by).unwrap(), &still, brute);
        assert_eq!(
            (other.fraction, other.status, other.hit),
            (sweep.fraction, sweep.status, sweep.hit),
            "{case}"
        );
        if sweep.status == SweepStatus::StartedOverlapping {
            assert!(matches!(moving.verdict(&still), Verdict::Overlapping | Verdict::Inside(_)));
            continue;
        }
        *(if sweep.status == SweepStatus::Hit { &mut hits } else { &mut clears }) += 1;
        judge(&moving, by, &still, &sweep, &format!("{case} {models:?}"));
    }
    assert!(hits > 5 && clears > 3, "{hits} {clears}");
}

#[test]
fn sweeps_that_turn_keep_their_promise() {
    let numbers = &mut Numbers(31);
    let mut hits = 0;
    for case in 0..share(15, 1_000) {
        let models = [body(numbers), body(numbers)];
        let still_at = numbers.vector(1.0);
        let still = models[1].at(turned(numbers, still_at));
        let moving_at = numbers.vector(4.0);
        let moving = models[0].at(turned(numbers, moving_at));
        let (center, axis) = (numbers.vector(2.0), numbers.vector(1.0).normalize_or(DVec3::X));
        let degrees = numbers.real(-350.0, 350.0);
        let motion = if case % 2 == 0 {
            Motion::rotation(center, axis, degrees).unwrap()
        } else {
            Motion::rigid(numbers.vector(3.0), center, axis, degrees / 3.0).unwrap()
        };
        let sweep = moving.sweep(&motion, &still);
        let brute = moving.sweep_with(&motion, &still, SweepOptions::new().engine(Engine::Brute));
        assert_eq!(
            (brute.fraction, brute.status, brute.hit),
            (sweep.fraction, sweep.status, sweep.hit),
            "{case}"
        );
        if sweep.status == SweepStatus::StartedOverlapping {
            continue;
        }
        let radii = moving.radius() + still.radius();
        let second = facets(&still);
        let measure = |time: f64| {
            let map = motion.carry(moving.placement().world_from_model(), time);
            let first = facets(&moving.model().try_at(map).unwrap());
            distance(&first, &second, V::zero(), radii)
        };
        for i in 0..=32 {
            let time = sweep.fraction * f64::from(i) / 32.0;
            assert!(measure(time) >= -1e-12, "{case}: {} at {time} of {}", measure(time), sweep.fraction);
        }
        if let Some(hit) = sweep.hit {
            hits += 1;
            assert!(
                measure(sweep.fraction) <= hit.bound + sweep.rounding && hit.bound < 1e-7,
                "{case}: {hit:?}"
            );
        }
        assert!(!moving.model().at(sweep.world_from_moving).intersects(&still), "{case}");
    }
    assert!(hits > 3, "{hits}");
}

#[test]
fn a_ball_rolls_over_a_floor_of_many_triangles() {
    let mut corners = Vec::new();
    let mut triangles = Vec::new();
    for i in 0..40_u32 {
        for j in 0..40_u32 {
            corners.push([f64::from(i) * 0.25 - 5.0, f64::from(j) * 0.25 - 5.0, 0.0]);
            if i > 0 && j > 0 {
                let [a, b, c, d] = [(i - 1) * 40 + j - 1, i * 40 + j - 1, i * 40 + j, (i - 1) * 40 + j];
                triangles.extend([[a, b, c], [a, c, d]]);
            }
        }
    }
    let floor = Model::new(Mesh::triangles(corners, triangles).unwrap());
    let floor = floor.at(Trs::IDENTITY);
    let ball = Model::ball(0.5).unwrap();
    let capsule = Model::capsule([0.0; 3], [1.0, 0.5, 0.0], 0.5).unwrap();
    let numbers = &mut Numbers(41);
    for case in 0..share(20, 400) {
        let model = if case % 3 == 0 { &capsule } else { &ball };
        // Exactly touching, on corners, edges and faces.
        let [x, y] = if case % 2 == 0 {
            [numbers.whole(16), numbers.whole(16)].map(|i| f64::from(i) * 0.25 - 2.0)
        } else {
            [numbers.real(-2.0, 2.0), numbers.real(-2.0, 2.0)]
        };
        let start = model.at(at(x, y, 0.5));
        assert_eq!(start.verdict(&floor), Verdict::Touching);
        let by = DVec3::new(numbers.real(-2.0, 2.0), numbers.real(-2.0, 2.0), 0.0);
        let sweep = start.sweep(&Motion::translation(by).unwrap(), &floor);
        assert_eq!(
            (sweep.status, sweep.fraction),
            (SweepStatus::Clear, 1.0),
            "{case}: {x} {y} {by} {sweep:?}"
        );
        let lift = sweep.lift.unwrap();
        assert!(lift.length() < 1e-8 && lift.z > 0.0, "{lift}");
        // Away it parts, and into the floor it is pressed.
        let up = start.sweep(&Motion::translation(by + DVec3::Z).unwrap(), &floor);
        assert_eq!((up.status, up.lift), (SweepStatus::Clear, None), "{case}");
        let down = start.sweep(&Motion::translation(by - 0.1 * DVec3::Z).unwrap(), &floor);
        assert_eq!((down.status, down.fraction), (SweepStatus::Hit, 0.0), "{case}");
        assert!(down.hit.unwrap().normal.z < -0.999_999, "{case}: {down:?}");
        // A little above the floor it rolls as well.
        let above = model.at(at(x, y, 0.5 + 1e-10));
        let sweep = above.sweep(&Motion::translation(by).unwrap(), &floor);
        assert_eq!(sweep.status, SweepStatus::Clear, "{case}");
    }
}

#[test]
fn touching_balls_part_slide_and_press() {
    let [a, b] = [2.0, 3.0].map(|radius| Model::ball(radius).unwrap());
    let (still, moving) = (b.at(Trs::IDENTITY), a.at(at(3.0, 4.0, 0.0)));
    assert_eq!(moving.verdict(&still), Verdict::Touching);
    let sweep = |by: [f64; 3]| moving.sweep(&Motion::translation(by).unwrap(), &still);
    assert_eq!(sweep([3.0, 4.0, 0.0]).status, SweepStatus::Clear);
    assert_eq!(sweep([3.0, 4.0, 0.0]).lift, None);
    let pressed = sweep([-3.0, -4.0, 0.0]);
    assert_eq!((pressed.status, pressed.fraction), (SweepStatus::Hit, 0.0));
    assert!((pressed.hit.unwrap().normal - DVec3::new(-0.6, -0.8, 0.0)).length() < 1e-12);
    // Past each other: tangents lead away.
    assert_eq!(sweep([4.0, -3.0, 0.0]).status, SweepStatus::Clear);
    assert_eq!(sweep([0.0, 0.0, 5.0]).status, SweepStatus::Clear);
    // A ball that spins where it is.
    let spin = Motion::rotation([3.0, 4.0, 0.0], [0.0, 0.0, 1.0], 90.0).unwrap();
    assert_eq!(moving.sweep(&spin, &still).status, SweepStatus::Clear);
    // About the other ball's center it gets on, lifted off with its axis, until it is back at the skin.
    let orbit = Motion::rotation([0.0; 3], [0.0, 0.0, 1.0], 90.0).unwrap();
    let orbit = moving.sweep(&orbit, &still);
    assert!(orbit.fraction > 0.01 && orbit.lift.is_some(), "{orbit:?}");
    assert_eq!(a.at(orbit.world_from_moving).verdict(&still), Verdict::Clear);
}

#[test]
fn a_margin_lies_outside_of_the_radius() {
    let ball = Model::ball(1.0).unwrap();
    let wall = Model::new(shapes::cuboid([4.0, -5.0, -5.0], [4.1, 5.0, 5.0]).unwrap());
    let options = SweepOptions::new().margin(0.5);
    let sweep = ball.at(Trs::IDENTITY).sweep_with(&along(12.0), &wall.at(Trs::IDENTITY), options);
    assert!((sweep.fraction - 2.5 / 12.0).abs() < 1e-9, "{}", sweep.fraction);
    // From inside of the margin it may leave and move along.
    let near = ball.at(at(2.75, 0.0, 0.0));
    let away = near.sweep_with(&along(-3.0), &wall.at(Trs::IDENTITY), options);
    assert_eq!(away.status, SweepStatus::Clear);
    let aside = Motion::translation([0.0, 2.0, 0.0]).unwrap();
    assert_eq!(near.sweep_with(&aside, &wall.at(Trs::IDENTITY), options).status, SweepStatus::Clear);
    let nearer = near.sweep_with(&along(3.0), &wall.at(Trs::IDENTITY), options);
    assert_eq!((nearer.status, nearer.fraction), (SweepStatus::Hit, 0.0));
}

#[test]
fn far_from_the_origin_a_ball_stops_as_well() {
    let ball = Model::ball(1.0).unwrap();
    let wall = Model::new(shapes::cuboid([4.0, -5.0, -5.0], [4.1, 5.0, 5.0]).unwrap());
    for far in [1e6, -1e9] {
        let place = at(far, far, far);
        let sweep = ball.at(place).sweep(&along(12.0), &wall.at(place));
        assert!(sweep.fraction <= 0.25 && sweep.fraction > 0.25 - 1e-4, "{far}: {}", sweep.fraction);
        assert!(!ball.at(sweep.world_from_moving).intersects(&wall.at(place)));
    }
}

#[test]
fn tessellated_cores_of_tiny_triangles_are_no_different() {
    // A flat square of many triangles, rounded: a tile with round rims.
    let coarse = Model::new(
        Mesh::polygon([[0.0, 0.0], [1.0, 0.0], [1.0, 1.0], [0.0, 1.0]].map(|[x, y]| [x, y, 0.0])).unwrap(),
    );
    let (mut corners, mut triangles) = (Vec::new(), Vec::new());
    let count = 33_u32;
    for i in 0..count {
        for j in 0..count {
            corners.push([f64::from(i) / 32.0, f64::from(j) / 32.0, 0.0]);
            if i > 0 && j > 0 {
                let [a, b, c, d] =
                    [(i - 1) * count + j - 1, i * count + j - 1, i * count + j, (i - 1) * count + j];
                triangles.extend([[a, b, c], [a, c, d]]);
            }
        }
    }
    let fine = Model::new(Mesh::triangles(corners, triangles).unwrap()).rounded(0.25).unwrap();
    let coarse = coarse.rounded(0.25).unwrap();
    let ball = Model::ball(0.5).unwrap();
    let numbers = &mut Numbers(51);
    for case in 0..share(20, 300) {
        let from = numbers.vector(3.0) + DVec3::Z * 4.0;
        let by = (numbers.vector(1.0) - from) * 1.5;
        let motion = Motion::translation(by).unwrap();
        let [a, b] = [&coarse, &fine]
            .map(|tile| ball.at(Trs::translation(from).unwrap()).sweep(&motion, &tile.at(Trs::IDENTITY)));
        assert_eq!(a.status, b.status, "{case}");
        assert!((a.fraction - b.fraction).abs() < 1e-9, "{case}: {} {}", a.fraction, b.fraction);
    }
}

#[test]
fn both_may_move_and_turn() {
    let numbers = &mut Numbers(61);
    for case in 0..share(10, 200) {
        let radii = [numbers.real(0.1, 0.6), numbers.real(0.1, 0.6)];
        let balls = radii.map(|radius| Model::ball(radius).unwrap());
        let [p, q] = [numbers.vector(1.0) - DVec3::X * 4.0, numbers.vector(1.0) + DVec3::X * 4.0];
        let [by, other_by] = [DVec3::X * 7.0 + numbers.vector(1.0), DVec3::X * -7.0 + numbers.vector(1.0)];
        let [a, b] = [balls[0].at(Trs::translation(p).unwrap()), balls[1].at(Trs::translation(q).unwrap())];
        let sweep = a.sweep_both(by, &b, other_by, SweepOptions::new()).unwrap();
        match balls_meet(p - q, by - other_by, radii[0] + radii[1]) {
            Some(time) => assert!(
                sweep.fraction <= time + 1e-15 && sweep.fraction > time - 1e-4,
                "{case}: {} {time}",
                sweep.fraction
            ),
            None => assert!(sweep.hit.is_none_or(|hit| hit.bound < 1e-8), "{case}"),
        }
    }
}
