//! The margin is as thick as it says, all round: on every motion the distance of the two bodies, as an independent judge measures
//! it, stays at least min(e, the greatest distance so far) − r.

use crate::effort::{asked, share};
use std::collections::BTreeMap;

use crate::margin_oracle::case::{Case, Scene};
use crate::margin_oracle::course::{Course, Kind};
use crate::margin_oracle::families;
use crate::margin_oracle::judge::{Effort, judge, minimum};
use crate::margin_oracle::shapes::Shape;
use impinge::glam::{DAffine3, DMat3, DVec3};
use impinge::query::{Sweep, SweepStatus};

fn v(x: f64, y: f64, z: f64) -> DVec3 {
    DVec3::new(x, y, z)
}

fn number(name: &str, in_debug: u64, in_release: u64) -> u64 {
    asked(name).unwrap_or_else(|| share(in_debug, in_release))
}

/// Sweeps a case and has the answer judged finely.
fn judged(case: &Case) -> Sweep {
    judged_with(case, Effort::FINE)
}

fn judged_with(case: &Case, effort: Effort) -> Sweep {
    let sweep = case.sweep();
    let faults = judge(&mut Scene::new(case), &sweep, case.margin, effort);
    assert!(faults.is_empty(), "{faults:?}\n{}\n{sweep:?}", case.describe());
    sweep
}

/// `IMPINGE_MARGINS=200000 cargo test --release -p impinge --test all margins::random -- --nocapture` for the big run;
/// `IMPINGE_MARGIN_CASE=7` for one case alone.
#[test]
fn random_and_adversarial_motions_keep_their_margin() {
    let count = number("IMPINGE_MARGINS", 300, 20_000);
    let seed = asked("IMPINGE_SEED").unwrap_or(1);
    let only = std::env::var("IMPINGE_MARGIN_CASE").ok().and_then(|text| text.parse::<u64>().ok());
    let mut faults: BTreeMap<&str, (u64, String)> = BTreeMap::new();
    let [mut hits, mut clear, mut overlapping, mut touching, mut inside, mut wrong] = [0_u64; 6];
    for index in only.map_or(0..count, |only| only..only + 1) {
        let case = families::make(seed, index);
        let mut scene = Scene::new(&case);
        // Touching starts have laws of their own.
        let start = scene.distance(0.0);
        let sweep = case.sweep();
        if start <= sweep.rounding + scene.error() {
            touching += 1;
            continue;
        }
        match sweep.status {
            SweepStatus::Hit => hits += 1,
            SweepStatus::Clear => clear += 1,
            SweepStatus::StartedOverlapping => {
                overlapping += 1;
                continue;
            }
        }
        inside += u64::from(start < case.margin);
        let effort = if index.is_multiple_of(16) || only.is_some() { Effort::FINE } else { Effort::COARSE };
        let found = judge(&mut scene, &sweep, case.margin, effort);
        wrong += u64::from(!found.is_empty());
        for fault in found {
            let entry = faults.entry(fault.name()).or_insert_with(|| (0, String::new()));
            entry.0 += 1;
            if entry.1.is_empty() {
                entry.1 = format!(
                    "case {index}: {fault:?}, r {:e}\n{}\n{sweep:?}",
                    sweep.rounding,
                    case.describe()
                );
            }
        }
    }
    println!(
        "{count} motions: {hits} hits, {clear} clear, {inside} started inside of the zone, {touching} touching, \
         {overlapping} overlapping; {wrong} wrong"
    );
    for (name, (times, first)) in &faults {
        println!("{times} × {name}, first {first}\n");
    }
    if only.is_none() {
        assert!(hits.min(clear).min(inside) * 8 > count, "{hits} {clear} {inside}");
        assert!((touching + overlapping) * 20 < count, "{touching} {overlapping}");
    }
    assert!(faults.is_empty(), "{wrong} of {count} are wrong");
}

/// Two cubes from -1 to 1 come together along a diagonal: their corners stop `margin` apart.
#[test]
fn cubes_keep_their_margin_corner_to_corner() {
    for margin in [0.25, 1e-3, 1e-6, 0.9] {
        let case = Case {
            mover: Shape::cube(),
            obstacle: Shape::cube(),
            world_from_mover: DAffine3::from_translation(v(3.0, 3.0, 3.0)),
            world_from_obstacle: DAffine3::IDENTITY,
            course: Course::translation(v(-4.0, -4.0, -4.0)),
            margin,
        };
        let sweep = judged(&case);
        assert_eq!(sweep.status, SweepStatus::Hit);
        // Between corners that are g, g, g apart there is a distance of √3 g.
        let fraction = (1.0 - margin / 3.0_f64.sqrt()) / 4.0;
        let late = 48.0_f64.sqrt() * (sweep.fraction - fraction);
        assert!(
            late <= sweep.rounding && -late <= 1e-9 * margin + 8.0 * sweep.rounding,
            "{late:e} {sweep:?}"
        );
    }
}

/// Edge to edge, vertex to edge and vertex to vertex, past each other at a little more and a little less than the margin.
#[test]
fn edges_and_corners_pass_at_the_margin_and_not_below() {
    let margin = 0.25;
    // Which way the mover is off from beside the cube's face: beside an edge, and beside a corner.
    for side in [v(1.0, 0.0, 1.0), v(1.0, 1.0, 0.0), v(1.0, 1.0, 1.0)] {
        let beside = side.normalize();
        for (mover, reach) in [(Shape::spike(0.1), false), (Shape::cube(), true)] {
            for off in [1e-3, 1e-6, 1e-8, -1e-8, -1e-6, -1e-3] {
                // A corner of the cube at the side; the mover's corner passes it, at right angles to the way between them.
                let corner = side + (DVec3::ONE - side.abs()) * 0.3;
                let along = beside.cross(v(0.3, -0.5, 0.81)).normalize();
                let half = v(0.2, 0.2, 0.2);
                let at = corner + beside * (margin * (1.0 + off)) - along * 3.0
                    + if reach { half } else { DVec3::ZERO };
                // The spike points at the cube.
                let turn = turn_from(DVec3::NEG_Z, -beside);
                let linear = if reach { DMat3::from_diagonal(half) } else { turn };
                let case = Case {
                    mover: mover.clone(),
                    obstacle: Shape::cube(),
                    world_from_mover: DAffine3 { matrix3: linear, translation: at },
                    world_from_obstacle: DAffine3::IDENTITY,
                    course: Course::translation(along * 6.0),
                    margin,
                };
                let distance = minimum(&mut Scene::new(&case), [0.0, 1.0]);
                let sweep = judged(&case);
                let expected = if distance < margin { SweepStatus::Hit } else { SweepStatus::Clear };
                assert_eq!(sweep.status, expected, "{side} {off} {distance} {}", case.describe());
            }
        }
    }
}

/// The rotation that takes one direction to another.
fn turn_from(from: DVec3, to: DVec3) -> DMat3 {
    DMat3::from_quat(impinge::glam::DQuat::from_rotation_arc(from.normalize(), to.normalize()))
}

/// A small cube that starts inside of a floor's zone, rises out of it and comes back on the other side: where it stops does not depend on
/// how far it would have turned.
fn arch(degrees: f64) -> Case {
    Case {
        mover: Shape::cube(),
        obstacle: Shape::cube(),
        world_from_mover: DAffine3 {
            matrix3: DMat3::from_diagonal(DVec3::splat(0.05)),
            translation: v(-0.661438, 0.0, 0.15),
        },
        world_from_obstacle: DAffine3 {
            matrix3: DMat3::from_diagonal(v(50.0, 50.0, 1.0)),
            translation: v(0.0, 0.0, -1.0),
        },
        course: Course::rotation(v(0.0, 0.0, -0.65), DVec3::Y, degrees),
        margin: 0.25,
    }
}

#[test]
fn a_turn_stops_at_the_same_angle_however_far_it_would_go() {
    let all = [90.0, 90.1, 100.0, 170.0, 180.0, 270.0, 359.0, 360.0, 720.0];
    let sweeps = all.map(|degrees| judged(&arch(degrees)));
    // Where the lowest corner comes back to the margin, by halving.
    let mut scene = Scene::new(&arch(90.0));
    let [mut low, mut high] = [0.5, 1.0];
    while high - low > 1e-15 {
        let middle = f64::midpoint(low, high);
        if scene.distance(middle) >= 0.25 { low = middle } else { high = middle }
    }
    for (degrees, sweep) in all.iter().zip(&sweeps) {
        assert_eq!(sweep.status, SweepStatus::Hit, "{degrees}");
        let r = sweep.rounding.max(sweeps[0].rounding);
        let apart = scene.between_poses(
            sweep.world_from_moving.world_from_model(),
            sweeps[0].world_from_moving.world_from_model(),
        );
        assert!(apart <= 8.0 * r, "{degrees}: {apart:e}, r {r:e}");
        let off = scene.pose_error(sweep.world_from_moving.world_from_model(), low);
        assert!(off <= 0.25e-9 * 4.0 + 8.0 * r, "{degrees}: {off:e} {}", sweep.fraction * degrees);
    }
}

/// What a figure shows: a point in the zone of a floor that turns about an axis, and moves along the axis too if `together`.
fn figure(
    mover: &Shape,
    obstacle: &Shape,
    axis_at: DVec3,
    height: f64,
    degrees: f64,
    together: bool,
) -> Case {
    Case {
        mover: mover.clone(),
        obstacle: obstacle.clone(),
        world_from_mover: DAffine3::from_translation(v(0.0, 0.0, height)),
        world_from_obstacle: DAffine3::IDENTITY,
        course: Course {
            kind: if together { Kind::Rigid } else { Kind::Rotation },
            by: if together { v(0.0, 0.005 * degrees, 0.0) } else { DVec3::ZERO },
            center: axis_at,
            axis: DVec3::Y,
            degrees,
        },
        margin: 0.25,
    }
}

/// The mover and the floor of van Waveren's figures, first for vertex and polygon (2005, §3.3), then for two edges (§3.4): a
/// blade across a ridge.
fn movers_over_obstacles() -> [(Shape, Shape); 2] {
    let floor = Shape::sheet(6, 6).mapped(|p| p * 9.0);
    let blade = Shape::cuboid([-1.0; 3], [1.0; 3]).mapped(|p| {
        // The lower side becomes an edge along y.
        if p.z < 0.0 { v(0.0, 2.0 * p.y, 0.0) } else { v(0.2 * p.x, 2.0 * p.y, 2.0) }
    });
    let faces = blade.faces.iter().copied().filter(|face| {
        let [a, b, c] = face.map(|corner| blade.points[corner as usize]);
        (b - a).cross(c - a) != DVec3::ZERO
    });
    let blade = Shape { faces: faces.collect(), ..blade.clone() };
    let ridge = Shape::cuboid([-1.0; 3], [1.0; 3])
        .mapped(|p| if p.z > 0.0 { v(9.0 * p.x, 0.0, 0.0) } else { v(9.0 * p.x, 3.0 * p.y, -3.0) });
    let faces = ridge.faces.iter().copied().filter(|face| {
        let [a, b, c] = face.map(|corner| ridge.points[corner as usize]);
        (b - a).cross(c - a) != DVec3::ZERO
    });
    let ridge = Shape { faces: faces.collect(), ..ridge.clone() };
    [(Shape::spike(0.1), floor), (blade, ridge)]
}

/// Figure 2: the point's first direction leads deeper into the zone, so that it does not turn at all.
#[test]
fn van_waveren_figure_2_stop_immediately() {
    for (mover, obstacle) in movers_over_obstacles() {
        for together in [false, true] {
            for [height, degrees] in [[0.1, 5.0], [0.1, 60.0], [0.2, 0.001], [0.249, 170.0]] {
                // The axis is to the left and below: turned by the right-hand rule about y, what is right of the top goes down.
                let case = figure(&mover, &obstacle, v(-1.0, 0.0, height - 0.5), height, degrees, together);
                let sweep = judged(&case);
                assert_eq!(sweep.status, SweepStatus::Hit, "{height} {degrees}");
                let moved = Scene::new(&case).pose_error(sweep.world_from_moving.world_from_model(), 0.0);
                assert!(moved <= 8.0 * sweep.rounding, "{height} {degrees}: {moved:e}");
            }
        }
    }
}

/// Figure 3: the point first rises, but its whole arc is in the zone: it turns up to the top.
#[test]
fn van_waveren_figure_3_move_up_to_top() {
    for (mover, obstacle) in movers_over_obstacles() {
        for together in [false, true] {
            for tilt in [0.1, 0.3] {
                // An arc about an axis 1 below the top, from `tilt` radians before it.
                let (height, top) = (0.05, 0.05 + (1.0 - f64::cos(tilt)));
                let axis_at = v(f64::sin(tilt), 0.0, height - f64::cos(tilt));
                let case = figure(&mover, &obstacle, axis_at, height, 60.0, together);
                let sweep = judged(&case);
                assert_eq!(sweep.status, SweepStatus::Hit, "{tilt}");
                let distance = Scene::new(&case).distance_at(sweep.world_from_moving.world_from_model());
                assert!((distance - top).abs() <= 2.0 * sweep.rounding, "{tilt}: {distance} {top}");
                // Near the top the height falls with the square of the angle.
                let off = (sweep.fraction * 60.0).to_radians() - tilt;
                assert!(off.abs() <= 4.0 * sweep.rounding.sqrt(), "{tilt}: {off:e}");
            }
        }
    }
}

/// Figure 4: the point leaves the zone and comes back: it turns up to the outer hull of the zone on the other side.
#[test]
fn van_waveren_figure_4_move_out_and_collide() {
    for (mover, obstacle) in movers_over_obstacles() {
        for together in [false, true] {
            for height in [0.05, 0.2, 0.2499999] {
                // An arc about an axis 1 below its top, 0.4 over the floor.
                let (start, end) = (f64::acos(0.6 + height), f64::acos(0.6 + 0.25));
                let axis_at = v(start.sin(), 0.0, -0.6);
                let case = figure(&mover, &obstacle, axis_at, height, 120.0, together);
                let sweep = judged(&case);
                assert_eq!(sweep.status, SweepStatus::Hit, "{height}");
                let late = (sweep.fraction * 120.0).to_radians() - (start + end);
                let r = sweep.rounding;
                assert!(late <= 4.0 * r && -late <= 2.0 * (0.25e-9 + 8.0 * r), "{height}: {late:e}");
            }
        }
    }
}

/// A mover slides inside of the zone over a floor of many triangles, and is not stopped at their seams.
#[test]
fn a_slide_inside_of_the_zone_passes_all_seams() {
    // Some of it, where only a share is asked for.
    let is_quick = share(10, 100) < 100;
    let columns = if is_quick { 6 } else { 12 };
    let floor = Shape::sheet(columns, columns).mapped(|p| p * 6.0);
    let tilted = turn_from(DVec3::Z, v(0.3, -0.2, 1.0));
    let movers = [
        Shape::cube(),
        Shape::tetrahedron(),
        Shape::spike(0.3),
        Shape::ell(),
        Shape::ball(1),
        Shape::triangle(),
    ];
    let ways = [v(3.0, 0.0, 0.0), v(0.0, -3.0, 0.0), v(2.0, 2.0, 0.0), v(2.1, -1.3, 0.0), v(-0.01, 3.0, 0.0)];
    let (movers, ways) = if is_quick { (&movers[2..3], &ways[3..]) } else { (&movers[..], &ways[..]) };
    for mover in movers {
        let lowest = mover.points.iter().fold(f64::INFINITY, |low, p| low.min(p.z));
        for placed in [DMat3::IDENTITY, tilted] {
            // As large as a triangle, and far smaller than one, with zones thinner and thicker than triangles are wide.
            for (scale, margin, share) in [
                (0.5, 0.25, 0.5),
                (0.5, 2.0, 0.9),
                (0.05, 0.25, 0.99),
                (0.5, 1e-3, 0.1),
                (0.05, 1.5, 1.0),
                (0.5, 0.25, 1.0 + 1e-7),
            ] {
                let start = v(-0.3, 0.25, margin * share - lowest * scale);
                let center = placed * start;
                let passes = |course: Course| {
                    let case = Case {
                        mover: mover.clone(),
                        obstacle: floor.clone(),
                        world_from_mover: DAffine3 { matrix3: placed * scale, translation: center },
                        world_from_obstacle: DAffine3::from_mat3(placed),
                        course,
                        margin,
                    };
                    let verdict = judged_with(&case, Effort::COARSE).status;
                    assert_eq!(verdict, SweepStatus::Clear, "{share} {}", case.describe());
                };
                // Turned on the spot, moved along, and both at once.
                let turn = Course::rotation(center, placed * DVec3::Z, 200.0);
                passes(turn);
                for by in ways.iter().map(|by| placed * *by) {
                    passes(Course::translation(by));
                    passes(Course { kind: Kind::Rigid, by, ..turn });
                }
            }
        }
    }
}

/// What starts inside of the zone leaves it in every direction that does not come nearer.
#[test]
fn what_starts_inside_of_the_zone_leaves_it() {
    for (from, by) in [
        (v(0.3, 0.2, 2.1), v(0.0, 0.0, 1.0)),
        (v(0.3, 0.2, 2.1), v(5.0, 0.0, 1e-3)),
        // Beside an edge and beside a corner: away from the corner is not away from the faces.
        (v(2.1, 0.3, 2.1), v(1.0, 0.0, 1.0)),
        (v(2.1, 0.3, 2.1), v(0.0, 1.0, 0.0)),
        (v(2.1, 0.3, 2.1), v(1.0, 0.0, -0.5)),
        (v(2.1, 2.1, 2.1), v(1.0, 1.0, 1.0)),
        (v(2.1, 2.1, 2.1), v(3.0, -1.0, -1.0)),
    ] {
        let case = Case {
            mover: Shape::cube(),
            obstacle: Shape::cube(),
            world_from_mover: DAffine3::from_translation(from),
            world_from_obstacle: DAffine3::IDENTITY,
            course: Course::translation(by),
            margin: 0.25,
        };
        assert_eq!(judged(&case).status, SweepStatus::Clear, "{from} {by}");
    }
}
