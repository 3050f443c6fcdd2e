//! The judge of margins, judged: it knows distances that can be worked out by hand, and finds every kind of false claim.

use crate::effort::share;
use crate::margin_oracle::case::{Case, Scene};
use crate::margin_oracle::course::{Course, Kind};
use crate::margin_oracle::distance::{Soup, point_triangle, segments_inside, triangles};
use crate::margin_oracle::families;
use crate::margin_oracle::judge::{Effort, Fault, judge, least, minimum};
use crate::margin_oracle::reference::{claim, first_fall};
use crate::margin_oracle::shapes::Shape;
use impinge::Placement;
use impinge::glam::{DAffine3, DVec3};
use impinge::query::{Sweep, SweepStatus};
use impinge::shapes::Random;

fn v(x: f64, y: f64, z: f64) -> DVec3 {
    DVec3::new(x, y, z)
}

#[test]
fn triangles_have_known_distances() {
    let flat = [v(0.0, 0.0, 0.0), v(4.0, 0.0, 0.0), v(0.0, 4.0, 0.0)];
    // A corner over the face, beside an edge, beyond a corner.
    assert_eq!(point_triangle(v(1.0, 1.0, -3.0), flat), 9.0);
    assert_eq!(point_triangle(v(1.0, -3.0, 4.0), flat), 25.0);
    assert_eq!(point_triangle(v(-1.0, -2.0, 2.0), flat), 9.0);
    assert!((point_triangle(v(4.0, 4.0, 0.0), flat) - 8.0).abs() < 1e-14);
    // Edges that cross at a distance of 2, that do not reach each other, and that are parallel.
    let along = [v(-1.0, 0.0, 0.0), v(1.0, 0.0, 0.0)];
    assert_eq!(segments_inside(along, [v(0.5, -1.0, 2.0), v(0.5, 1.0, 2.0)]), Some(4.0));
    assert_eq!(segments_inside(along, [v(1.5, -1.0, 2.0), v(1.5, 1.0, 2.0)]), None);
    assert_eq!(segments_inside(along, [v(-1.0, 1.0, 0.0), v(1.0, 1.0, 0.0)]), None);
    // One through the other, far from all of its edges; then above it, on edge, in the same plane.
    let through = |z: f64| [v(1.0, 1.0, z), v(1.1, 1.0, z + 5.0), v(1.0, 1.1, z + 5.0)];
    assert_eq!(triangles(flat, through(-1.0)), 0.0);
    assert_eq!(triangles(through(-1.0), flat), 0.0);
    assert_eq!(triangles(flat, through(0.5)), 0.25);
    assert_eq!(triangles(flat, flat.map(|p| p + v(6.0, 0.0, 0.0))), 4.0);
    assert_eq!(triangles(flat, flat.map(|p| p + v(0.0, 0.0, 7.0))), 49.0);
    assert_eq!(triangles(flat, flat), 0.0);
    // Lines that are all but parallel cross in the middle, at a distance that is small against what the tilt makes of the ends.
    for tilt in [1e-3, 1e-6, 1e-8, 1e-10] {
        let height = 1e-3 * tilt;
        let [a, b] = [[v(-1.0, 0.0, 0.0), v(1.0, 0.0, 0.0)], [v(-1.0, -tilt, height), v(1.0, tilt, height)]];
        let found = segments_inside(a, b).map_or(f64::INFINITY, f64::sqrt);
        assert!((found - height).abs() < 1e-15, "{tilt:e}: {found:e}");
    }
}

/// A slow search over points of both triangles never gets below, and gets near.
#[test]
fn no_two_points_of_triangles_are_nearer() {
    let mut random = Random::new(5);
    for _ in 0..share(50, 1_000) {
        let [a, b] = [0.0, 1.5].map(|x| [0; 3].map(|_| random.in_cube() + DVec3::X * x));
        let distance = triangles(a, b).sqrt();
        let mut nearest = f64::INFINITY;
        // Alternating projections, from a few starts: convex, so that they converge.
        for start in a {
            let (mut p, mut q) = (start, start);
            for _ in 0..1000 {
                q = nearest_on(b, p);
                p = nearest_on(a, q);
            }
            nearest = nearest.min((p - q).length());
        }
        assert!(nearest >= distance - 1e-14 && nearest <= distance + 2e-3, "{nearest} {distance}");
    }
}

/// The nearest point of a triangle, where the plane's is inside, else of the edges.
fn nearest_on([a, b, c]: [DVec3; 3], p: DVec3) -> DVec3 {
    let normal = (b - a).cross(c - a).normalize();
    let foot = p - normal * normal.dot(p - a);
    if [[a, b], [b, c], [c, a]].iter().all(|[u, v]| (*v - *u).cross(foot - *u).dot(normal) >= 0.0) {
        return foot;
    }
    let on_edge =
        |[u, v]: [DVec3; 2]| u + (v - u) * ((p - u).dot(v - u) / (v - u).length_squared()).clamp(0.0, 1.0);
    let feet = [[a, b], [b, c], [c, a]].map(on_edge);
    feet.into_iter().min_by(|u, v| (*u - p).length().total_cmp(&(*v - p).length())).unwrap()
}

#[test]
fn shapes_are_closed_and_face_outwards() {
    let closed = [
        (Shape::cube(), 8.0),
        (Shape::tetrahedron(), 8.0 / 3.0),
        (Shape::spike(0.5), 1.0 / 3.0),
        (Shape::ell(), 2.0 * (4.0 - 1.4 * 1.4)),
        (Shape::stairs(3), 2.0 * 4.0 * 6.0 / 9.0),
        (Shape::ball(0), 4.0 / 3.0),
    ];
    for (shape, volume) in closed {
        let corner = |face: &[u32; 3], i: usize| shape.points[face[i] as usize];
        let six: f64 =
            shape.faces.iter().map(|face| corner(face, 0).dot(corner(face, 1).cross(corner(face, 2)))).sum();
        assert!((six / 6.0 - volume).abs() < 1e-12, "{}: {} {volume}", shape.name, six / 6.0);
        let mut edges = std::collections::BTreeMap::new();
        for face in &shape.faces {
            for i in 0..3 {
                let [u, v] = [face[i], face[(i + 1) % 3]];
                *edges.entry((u.min(v), u.max(v))).or_insert(0) += if u < v { 1 } else { -1 };
            }
        }
        assert!(edges.values().all(|sum| *sum == 0), "{}", shape.name);
        assert!(impinge::Model::new(shape.mesh()).is_closed(), "{}", shape.name);
    }
}

#[test]
fn courses_go_where_they_should() {
    let near = |a: DVec3, b: DVec3| assert!((a - b).length() < 1e-15, "{a} {b}");
    let turn = Course::rotation(v(1.0, 0.0, 0.0), v(0.0, 0.0, 2.0), 180.0);
    near(turn.at(DVec3::ZERO, 0.5), v(1.0, -1.0, 0.0));
    near(turn.at(DVec3::ZERO, 1.0), v(2.0, 0.0, 0.0));
    let rigid = Course { kind: Kind::Rigid, by: v(0.0, 0.0, 3.0), ..turn };
    near(rigid.at(DVec3::ZERO, 0.5), v(1.0, -1.0, 1.5));
    let then = Course { kind: Kind::Then, by: v(1.0, 1.0, 0.0), ..turn };
    near(then.at(DVec3::ZERO, 0.25), v(0.5, 0.5, 0.0));
    near(then.at(DVec3::ZERO, 0.75), v(0.0, 0.0, 0.0));
    // The library's formulas are other ones, for the same motions.
    for index in 0..300 {
        let case = families::make(9, index);
        let motion = case.course.motion();
        let scene = Scene::new(&case);
        for time in [0.0, 0.1, 0.5, 0.77, 1.0] {
            let pose = motion.carry(&case.world_from_mover, time);
            let off = scene.pose_error(&pose, time);
            assert!(off <= 1e-3 * scene.largest_rounding(), "{index} {time}: {off:e} {}", case.describe());
        }
    }
}

/// A cube that falls from a height of 3 through the floor's zone: D is the height of its lower face.
fn fall() -> Case {
    Case {
        mover: Shape::cube(),
        obstacle: Shape::sheet(4, 4).mapped(|p| p * 5.0),
        world_from_mover: DAffine3::from_translation(v(0.3, 0.2, 4.0)),
        world_from_obstacle: DAffine3::IDENTITY,
        course: Course::translation(v(0.0, 0.0, -4.0)),
        margin: 0.5,
    }
}

#[test]
fn distances_on_the_way_are_known() {
    let mut scene = Scene::new(&fall());
    for (time, distance) in [(0.0, 3.0), (0.25, 2.0), (0.625, 0.5), (0.75, 0.0), (0.9, 0.0)] {
        assert!((scene.distance(time) - distance).abs() < 1e-14, "{time}");
    }
    let ((time, distance), is_proven) = least(&mut scene, [0.0, 0.5], 0.99, Effort::COARSE);
    assert!(is_proven && time == 0.5 && (distance - 1.0).abs() < 1e-14);
    // A dip between the samples: a ball's corner past a cube's.
    let mut case = fall();
    (case.mover, case.obstacle) = (Shape::ball(1), Shape::cube());
    case.world_from_mover = DAffine3::from_translation(v(-9.0, 0.1, 2.25));
    case.course = Course::translation(v(20.0, 0.0, 0.0));
    let distance = minimum(&mut Scene::new(&case), [0.0, 1.0]);
    assert!((distance - 0.25).abs() < 1e-12, "{distance}");
    let ((_, distance), is_proven) = least(&mut Scene::new(&case), [0.0, 1.0], 0.3, Effort::FINE);
    assert!(!is_proven && distance < 0.3, "{distance}");
}

#[test]
fn an_honest_answer_passes_and_each_false_one_is_found() {
    let case = fall();
    // The library's own answer to this easy case, corrected to what is known.
    let honest = |fraction: f64| -> Sweep {
        let mut sweep = case.sweep();
        assert_eq!(sweep.status, SweepStatus::Hit);
        sweep.fraction = fraction;
        sweep.world_from_moving =
            Placement::try_from(case.course.motion().carry(&case.world_from_mover, fraction))
                .expect("a placement");
        sweep.hit.as_mut().unwrap().bound = 0.5 + sweep.rounding / 2.0;
        sweep
    };
    let right = 0.625;
    let found = |sweep: &Sweep, case: &Case| -> Vec<&'static str> {
        judge(&mut Scene::new(case), sweep, case.margin, Effort::COARSE).iter().map(Fault::name).collect()
    };
    assert!(found(&honest(right), &case).is_empty());
    let r = honest(right).rounding;
    // A little too far.
    let late = honest(right + 2.0 * r / 4.0);
    assert_eq!(found(&late, &case), ["too near on the way", "too near at the stop"]);
    // Too early, with a bound that tells, and with one that does not.
    let mut early = honest(right - 0.01);
    assert_eq!(found(&early, &case), ["farther than the bound"]);
    early.hit.as_mut().unwrap().bound = 0.6;
    assert_eq!(found(&early, &case), ["bound too large"]);
    let mut excused = honest(right);
    excused.rounding = 1e-3;
    assert_eq!(found(&excused, &case), ["rounding too large"]);
    let mut elsewhere = honest(right);
    elsewhere.world_from_moving = nudged(elsewhere.world_from_moving, DVec3::X * 1e-9);
    assert_eq!(found(&elsewhere, &case), ["pose off"]);
    let mut cut = honest(right);
    cut.hit = None;
    assert_eq!(found(&cut, &case), ["fields contradict each other"]);

    // Inside of the zone: pushed out, slid along and pushed in, all of them stopped at once.
    for (by, faults) in [
        (v(0.1, 0.0, 4.0), vec!["stopped for nothing"]),
        (v(1.0, 0.5, 0.0), vec!["stopped for nothing"]),
        (v(1.0, 0.5, -0.1), vec![]),
    ] {
        let mut inside = fall();
        inside.world_from_mover.translation.z = 1.25;
        inside.course = Course::translation(by);
        let mut sweep = honest(right);
        (sweep.fraction, sweep.world_from_moving) =
            (0.0, Placement::try_from(inside.world_from_mover).expect("a placement"));
        sweep.hit.as_mut().unwrap().bound = 0.25 + r / 2.0;
        assert_eq!(found(&sweep, &inside), faults, "{by}");
    }
    // Up and down again inside of it, without a stop.
    let mut arch = fall();
    arch.world_from_mover.translation = v(-1.0, 0.0, 1.25);
    arch.course = Course {
        kind: Kind::Then,
        by: v(0.0, 0.0, 0.2),
        center: v(0.0, 0.0, -6.0),
        axis: DVec3::Y,
        degrees: 20.0,
    };
    let mut sweep = arch.sweep();
    (sweep.status, sweep.fraction, sweep.hit) = (SweepStatus::Clear, 1.0, None);
    sweep.world_from_moving =
        Placement::try_from(arch.course.motion().carry(&arch.world_from_mover, 1.0)).expect("a placement");
    assert!(found(&sweep, &arch).contains(&"too near on the way"));
}

/// Answers that are right by construction pass the judge: it finds no fault where there is none.
#[test]
fn right_answers_to_random_motions_pass() {
    let a_hit = fall().sweep().hit.unwrap();
    let [mut hits, mut clear, mut inside, mut between] = [0_u64; 4];
    for index in 0..share(40, 2_000) {
        let case = families::make(11, index);
        let mut scene = Scene::new(&case);
        let (r, start) = (case.sweep().rounding, scene.distance(0.0));
        if case.margin < scene.largest_skin() || start <= r {
            continue;
        }
        let stop = first_fall(&mut scene, case.margin, r, 200);
        let sweep = claim(&case, stop, a_hit);
        let faults = judge(&mut scene, &sweep, case.margin, Effort::FINE);
        // The judge looks at more times than the sweep does that is judged here.
        let is_between = faults.iter().any(|fault| matches!(fault, Fault::TooNear { .. }));
        between += u64::from(is_between);
        assert!(is_between || faults.is_empty(), "case {index}: {faults:?}\n{}\n{sweep:?}", case.describe());
        hits += u64::from(stop.is_some());
        clear += u64::from(stop.is_none());
        inside += u64::from(start < case.margin);
    }
    assert!(hits.min(clear).min(inside) > 10 * between, "{hits} {clear} {inside} {between}");
}

#[test]
fn a_good_guess_changes_no_distance() {
    let mut random = Random::new(8);
    for index in 0..share(30, 1_000) {
        let case = families::make(3, index);
        let place = |map: &DAffine3, shape: &Shape| {
            let points: Vec<_> = shape.points.iter().map(|point| map.transform_point3(*point)).collect();
            (points, shape.faces.clone())
        };
        let (a, a_faces) = place(&case.world_from_mover, &case.mover);
        let (b, b_faces) = place(&case.world_from_obstacle, &case.obstacle);
        let [one, two] = [Soup::of(&a, &a_faces), Soup::of(&b, &b_faces)];
        let guess =
            [random.below(a_faces.len() as u32) as usize, random.below(b_faces.len() as u32) as usize];
        let all = a_faces
            .iter()
            .flat_map(|f| b_faces.iter().map(move |g| (*f, *g)))
            .map(|(f, g)| triangles(f.map(|i| a[i as usize]), g.map(|i| b[i as usize])).sqrt());
        // Boxes are compared up to a rounding.
        let (found, least) = (one.distance(&two, guess).0, all.fold(f64::INFINITY, f64::min));
        assert!(found >= least && found <= least * (1.0 + 1e-14), "{index}: {found} {least}");
    }
}

/// A placement that is moved by a translation.
fn nudged(placement: Placement, by: DVec3) -> Placement {
    let mut map = *placement.world_from_model();
    map.translation += by;
    Placement::try_from(map).expect("a placement")
}
