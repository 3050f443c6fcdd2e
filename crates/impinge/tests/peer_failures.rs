//! Motions for which other libraries give a time of impact that is late, far too early, or none. Where the time can be derived, it is.
//!
//! What is asserted each time: the fraction is at most the true one; and where the body is stopped, the true distance is at most the
//! bound that is returned, which is small.

use crate::sweep_oracle::audit::audit;
use crate::sweep_oracle::case::{Case, Motion, Outcome};
use crate::sweeps_judged::claim;
use impinge::math::{DAffine3, DVec3};
use impinge::query::{DistanceOptions, Engine, SweepOptions, SweepStatus};
use impinge::shapes::{self, Random};
use impinge::{Mesh, Model, Placement, Trs};

fn cuboid(min: [f64; 3], max: [f64; 3]) -> Mesh {
    Mesh::from(shapes::cuboid(min, max).unwrap())
}

/// Sweeps a case whose true distance is known as a function of the fraction, up to the touch at `touch`: the fraction is not later,
/// and the distance there is at most the bound, which is at most `accuracy`. What f64 does to the function itself is less than `noise`.
fn stops_at(case: &Case, touch: f64, accuracy: f64, noise: f64, distance: impl Fn(f64) -> f64) {
    assert!(distance(touch).abs() <= noise, "the touch is not where it is said to be: {}", distance(touch));
    for engine in [Engine::Bvh, Engine::Brute] {
        let claim = claim(case, engine);
        assert_eq!(claim.outcome, Outcome::Hit, "{engine:?}\n{}", case.dump());
        assert!(claim.fraction <= touch, "late: {} instead of {touch}\n{}", claim.fraction, case.dump());
        let left = distance(claim.fraction);
        assert!(left <= claim.bound + noise && left >= -noise, "{left} {claim:?}");
        assert!(claim.bound <= accuracy, "{claim:?}");
        audit(case, &claim).unwrap_or_else(|violation| panic!("{violation:?}\n{}", case.dump()));
    }
}

/// parry, `cast_shapes_nonlinear` of two cuboids with ω = 3 rad/s over 4.5 s: 3.035 s instead of 2.826 s.
///
/// A cuboid of half extents 1 and b = 1/4 turns about z at ω = 3 while it moves along x at v = 1, towards a wall at x = d. Its farthest
/// point is at f(t) = t + |cos 3t| + b |sin 3t|, so it touches where f(t) = d first. With d = f(2.826):
///
/// - until t = 2.3, f(t) ≤ 2.3 + √(1 + b²) < 3.34 < d = 3.61;
/// - until 3t = 5π/2, |cos 3t| falls and is at most |cos 6.9| < 0.82, b |sin 3t| ≤ b, and t + 0.82 + b is below d only until t = 2.54; but
///   from there, |cos 3t| < |cos 7.62| < 0.24, and t + 0.24 + b < 3.11;
/// - from there to 2.826, |cos 3t| rises, |sin 3t| ≥ 0.81 and f' = 1 + 3 |sin 3t| - 3 b |cos 3t| > 0.
///
/// So 2.826 is the first time. It is in the second turn, after two passes that come to within 0.4 of the wall.
#[test]
fn a_cuboid_that_spins_for_two_turns() {
    let (speed, omega, horizon, b) = (1.0, 3.0, 4.5, 0.25);
    let reach = |t: f64| speed * t + (omega * t).cos().abs() + b * (omega * t).sin().abs();
    let touch = 2.826;
    let wall = reach(touch);
    assert!((0..2826).all(|ms| reach(f64::from(ms) * 1e-3) < wall));
    let case = Case::by_hand(
        cuboid([-1.0, -b, -b], [1.0, b, b]),
        cuboid([wall, -5.0, -5.0], [wall + 1.0, 5.0, 5.0]),
        Motion::Rigid {
            translation: DVec3::X * speed * horizon,
            center: DVec3::ZERO,
            axis: DVec3::Z,
            angle: omega * horizon,
        },
    );
    stops_at(&case, touch / horizon, 1e-8, 1e-13, |fraction| wall - reach(fraction * horizon));
}

/// parry, a mesh of 960 triangles against the same mesh, v = 1, ω = (0, 1, 0.5) over 10 s: 3.52 s with status `Converged`, where the two
/// overlap from 3.01 s on.
///
/// All points of a bumpy ball are at most R from its center, and all closer than r are inside of it. The centers are 5 - t apart. So the
/// two are apart until 5 - t = 2R, and overlap when 5 - t < 2r. The judge proves the rest: apart all the way up to the stop.
#[test]
fn a_bumpy_ball_that_tumbles_towards_its_like() {
    let mesh = Mesh::from(shapes::bumpy_sphere(1.0, 0.2, 6, 32, 16, 1).unwrap());
    assert_eq!(mesh.triangle_count(), 960);
    let outer = mesh.vertices().map(DVec3::length).fold(0.0, f64::max);
    let ball = Model::new(mesh.clone());
    let center = Model::new(Mesh::point([0.0; 3]).unwrap());
    let ask = DistanceOptions::new().surface_only(true);
    let [a, b] = [&ball, &center].map(|model| model.at(Trs::IDENTITY));
    let inner = a.distance_with(&b, ask).unwrap().distance;
    assert!(inner > 0.7 && outer < 1.3);
    let omega = DVec3::new(0.0, 1.0, 0.5);
    let mut case = Case::by_hand(
        mesh.clone(),
        mesh,
        Motion::Rigid {
            translation: DVec3::X * 10.0,
            center: DVec3::new(-5.0, 0.0, 0.0),
            axis: omega,
            angle: omega.length() * 10.0,
        },
    );
    case.world_from_moving.translation.x = -5.0;
    let claim = claim(&case, Engine::Bvh);
    assert_eq!(claim.outcome, Outcome::Hit);
    let time = claim.fraction * 10.0;
    assert!(time >= 5.0 - 2.0 * outer - 1e-8 && time <= 5.0 - 2.0 * inner, "{time} {outer} {inner}");
    assert!(claim.bound < 1e-8, "{claim:?}");
    let audit = audit(&case, &claim).unwrap_or_else(|violation| panic!("{violation:?}"));
    assert!(!audit.is_unknown && audit.gap <= claim.bound, "{audit:?}");
}

/// parry, 200 random pairs of meshes with rigid motions over 1 s: 9 are late by up to 9 ms.
#[test]
#[cfg_attr(debug_assertions, ignore = "long: runs in release")]
fn random_pairs_that_tumble() {
    let mut random = Random::new(5);
    let (mut hits, mut unknown) = (0, 0);
    for seed in 0..200 {
        let mut mesh =
            |seed| Mesh::from(shapes::bumpy_sphere(random.between(0.5, 1.0), 0.3, 4, 8, 6, seed).unwrap());
        let (a, b) = (mesh(2 * seed), mesh(2 * seed + 1));
        let out = random.direction() * random.between(2.0, 3.5);
        let mut case = Case::by_hand(
            a,
            b,
            Motion::Rigid {
                translation: -out * random.between(0.5, 1.5) + random.in_cube(),
                center: out,
                axis: random.direction(),
                angle: random.between(0.0, 6.0),
            },
        );
        case.world_from_moving.translation = out;
        let claim = claim(&case, Engine::Bvh);
        let audit = audit(&case, &claim).unwrap_or_else(|violation| panic!("{violation:?}\n{}", case.dump()));
        hits += u32::from(claim.outcome == Outcome::Hit);
        unknown += u32::from(audit.is_unknown);
    }
    println!("{hits} hits, {unknown} unknown");
    assert!(hits > 80 && hits < 200 && unknown == 0, "{hits} {unknown}");
}

/// parry #429: a ball of radius 0.5166 cast straight down onto a cuboid is short by 0.246 mm, 3.64 mm and 139 mm for half extents of 5, 50
/// and 500 m. The ball's lowest vertex is at its south pole, so the way is the height of the pole over the cuboid.
#[test]
fn accuracy_does_not_depend_on_the_size_of_the_target() {
    let mut random = Random::new(429);
    for half in [5.0, 50.0, 500.0] {
        for _ in 0..20 {
            let ball = Mesh::from(shapes::sphere(0.5166, 16, 8).unwrap());
            let pole = -ball.bounds().min.z;
            let height = random.between(1.0, 3.0);
            let fall = 10.0;
            let down = Motion::Translation(DVec3::new(0.0, 0.0, -fall));
            let mut case = Case::by_hand(ball, cuboid([-half, -half, -1.0], [half, half, 0.0]), down);
            let aside = DVec3::new(random.between(-0.9, 0.9), random.between(-0.9, 0.9), 0.0) * half;
            case.world_from_moving.translation = aside + DVec3::Z * height;
            let way = height - pole;
            stops_at(&case, way / fall, 1e-10 * (half + fall), 1e-15 * fall, |fraction| {
                way - fall * fraction
            });
        }
    }
}

/// parry PR #414: a cylinder cast down onto a ground of 10,000 × 10,000 × 1 gets a tenth of the true time.
#[test]
fn a_cylinder_comes_down_on_a_huge_ground() {
    for aside in [[0.0, 0.0], [43.0, 6.0], [-4321.5, 1234.25]] {
        let cylinder = Mesh::from(shapes::cylinder(0.5, 1.0, 24, 1).unwrap());
        let low = -cylinder.bounds().min.z;
        let ground = cuboid([-5000.0, -5000.0, -1.0], [5000.0, 5000.0, 0.0]);
        let mut case = Case::by_hand(cylinder, ground, Motion::Translation(DVec3::new(0.0, 0.0, -1.5)));
        case.world_from_moving.translation = DVec3::new(aside[0], aside[1], 0.943 + low);
        let way = case.world_from_moving.translation.z - low;
        stops_at(&case, way / 1.5, 1e-6, 1e-15, |fraction| way - 1.5 * fraction);
    }
}

/// parry #19: a ball against a turned line is answered as if the line were not turned. The ball has radius 1/2 and moves by 1; the wall
/// from (1, 1) to (-1, 1) turned by -90° is the one from (1, -1) to (1, 1), which is met at x = 1 - 1/2.
#[test]
fn a_turned_wall_is_where_it_is_turned_to() {
    let wall =
        Mesh::polygon([[1.0, 1.0, -1.0], [-1.0, 1.0, -1.0], [-1.0, 1.0, 1.0], [1.0, 1.0, 1.0]]).unwrap();
    let turned = Trs::rotation_about_axis([0.0, 0.0, 1.0], -90.0).unwrap();
    // With its poles on x.
    let ball = Mesh::from(shapes::octahedron(0.5).unwrap());
    let mut case = Case::by_hand(ball, wall, Motion::Translation(DVec3::X));
    case.world_from_stationary = *Placement::from(turned).world_from_model();
    stops_at(&case, 0.5, 1e-9, 1e-15, |fraction| 0.5 - fraction);
    let past = Case { motion: Motion::Translation(DVec3::Y * 10.0), ..case };
    assert_eq!(claim(&past, Engine::Bvh).outcome, Outcome::Clear);
}

/// parry PR #424 (a wrong relative velocity) and fcl #555, python-fcl #38 (two boxes that move towards each other pass): faces at z = 3 and
/// z = -3 that close at 3 + 5 meet after 6/8, whatever they do along x and y together.
#[test]
fn two_boxes_that_move_towards_each_other() {
    let (upper, lower) = (
        Model::new(cuboid([-1.0, -1.0, 3.0], [1.0, 1.0, 5.0])),
        Model::new(cuboid([-1.0, -1.0, -5.0], [1.0, 1.0, -3.0])),
    );
    let (a, b) = (upper.at(Trs::IDENTITY), lower.at(Trs::IDENTITY));
    for along in
        [DVec3::ZERO, DVec3::new(7.0, -2.0, 0.0), DVec3::new(0.0, 0.0, 100.0), DVec3::new(1e6, 0.0, 0.0)]
    {
        for aside in [0.0, 1.0, 2.5] {
            // Aside by less than 2 when they meet.
            let (a_by, b_by) = (along + DVec3::new(aside, 0.0, -3.0), along + DVec3::new(0.0, 0.0, 5.0));
            let sweep = a.sweep_both(a_by, &b, b_by, SweepOptions::default()).unwrap();
            assert_eq!(sweep.status, SweepStatus::Hit);
            assert!(sweep.fraction <= 0.75, "{sweep:?}");
            let hit = sweep.hit.unwrap();
            let left = 6.0 - 8.0 * sweep.fraction;
            // Where the two go far together, poses are rounded as much as numbers of that size are.
            let rounding = 4.0 * f64::EPSILON * along.length();
            assert!(
                left <= hit.bound + 1e-15 + rounding && hit.bound <= 1e-9 + 1e-12 * along.length(),
                "{left} {hit:?}"
            );
            let [a, b] = [upper.try_at(sweep.world_from_moving), lower.try_at(sweep.world_from_stationary)]
                .map(Result::unwrap);
            assert!(!a.intersects(&b));
        }
        let apart = a.sweep_both(
            along + DVec3::new(4.0, 0.0, -3.0),
            &b,
            along + DVec3::new(0.0, 0.0, 5.0),
            SweepOptions::default(),
        );
        // Aside by 3 when they would meet.
        assert_eq!(apart.unwrap().status, SweepStatus::Clear);
    }
}

/// FCL looks at ten moments by default, and engines at one a step: a bullet of 1 cm passes a sheet of 0.1 mm between any two of them. It
/// is clear of the sheet at 0, 1/10, … 1.
#[test]
fn a_bullet_does_not_pass_a_sheet() {
    let bullet = cuboid([-0.005; 3], [0.005; 3]);
    let sheet = cuboid([43.21, -1.0, -1.0], [43.2101, 1.0, 1.0]);
    let case = Case::by_hand(bullet, sheet, Motion::Translation(DVec3::X * 100.0));
    let way = 43.21 - 0.005;
    for k in 0..=10 {
        let at = DAffine3::from_translation(DVec3::X * (10.0 * f64::from(k)));
        assert!(!case.moving.try_at(at).unwrap().intersects(&case.stationary.at(Trs::IDENTITY)));
    }
    stops_at(&case, way / 100.0, 1e-8, 1e-14, |fraction| way - 100.0 * fraction);
}

/// godot-jolt #389: what turns fast goes through what is thin. A blade of half width w turns about z, by nearly a full turn, into a pin.
///
/// The blade's front is the line at w over its middle. It holds a point at distance ρ and angle α from the axis when it has turned by
/// α - asin(w/ρ). Of the pin's four edges, the one where that is least is met first, if the blade is long enough.
#[test]
fn a_blade_does_not_pass_a_pin() {
    let (w, length) = (0.01_f64, 2.0_f64);
    for (x, y) in [(1.0_f64, 0.9), (-1.2, 0.3), (-0.5, -1.5), (1.4, -0.6)] {
        let d = 1e-4;
        let pin = cuboid([x, y, -1.0], [x + d, y + d, 1.0]);
        let turned = |px: f64, py: f64| {
            let angle = py.atan2(px);
            let angle = if angle < 0.0 { angle + std::f64::consts::TAU } else { angle };
            angle - (w / px.hypot(py)).asin()
        };
        let edges = [(x, y), (x + d, y), (x, y + d), (x + d, y + d)];
        assert!(edges.iter().all(|(x, y)| x.hypot(*y) < length));
        let nearest = edges.into_iter().min_by(|p, q| turned(p.0, p.1).total_cmp(&turned(q.0, q.1))).unwrap();
        let (rho, touch) = (nearest.0.hypot(nearest.1), turned(nearest.0, nearest.1));
        for angle in [6.2, touch + 0.01, 5.0 * std::f64::consts::TAU] {
            let case = Case::by_hand(
                cuboid([0.0, -w, -w], [length, w, w]),
                pin.clone(),
                Motion::Rotation { center: DVec3::ZERO, axis: DVec3::Z, angle },
            );
            // The height of that edge over the blade's front.
            let height = |fraction: f64| rho * (touch + (w / rho).asin() - angle * fraction).sin() - w;
            stops_at(&case, touch / angle, 1e-8, 1e-14 * angle.max(1.0), height);
        }
    }
}
