//! The narrow phase of van Waveren 2005 before the exact judge of sweeps.

use crate::sweep_oracle::audit::{extent, prove_clear};
use crate::sweep_oracle::case::{Case, Motion as JudgedMotion};
use crate::sweep_oracle::families::{FAMILIES, make};
use crate::sweep_oracle::rotation::Proof;
use crate::sweep_oracle::shapes::{self, Random};
use impinge::math::{DAffine3, DQuat, DVec3};
use impinge::{Mesh, Motion, Placement, Verdict};
use impinge_papers::van_waveren::narrow::{Collision, Impact, Options, Scratch, Stats, SweepError, sweep};
use impinge_papers::van_waveren::polyhedron::{Fold, Polyhedron};
use impinge_papers::van_waveren::sweep::{level, variants};

/// Cases of each family.
const CASES: u64 = if cfg!(debug_assertions) { 4 } else { 100 };

/// Families of closed solids from clear starts, as the paper has them.
const CLEAN: [&str; 14] = [
    "solids, translating",
    "solids, turning",
    "translation, then rotation",
    "vertex grazing an edge",
    "vertex onto a vertex or an edge",
    "edges nearly parallel",
    "edges crossing",
    "arc grazing an edge",
    "slide at a small height",
    "spikes",
    "thin walls",
    "axis on a feature",
    "long and tiny motions",
    "far center",
];

fn motion_of(case: &Case) -> Motion {
    match case.motion {
        JudgedMotion::Translation(by) => Motion::translation(by),
        JudgedMotion::Rotation { center, axis, angle } => Motion::rotation_radians(center, axis, angle),
        JudgedMotion::Both { translation, center, axis, angle } => {
            Motion::translation(translation).and_then(|m| m.then_rotation(center, axis, angle.to_degrees()))
        }
        JudgedMotion::Rigid { translation, center, axis, angle } => {
            Motion::rigid_radians(translation, center, axis, angle)
        }
    }
    .unwrap()
}

/// What the engine says. The stationary model is brought to where it stands, as the engine takes it.
fn answer(case: &Case, options: &Options) -> Result<Impact, SweepError> {
    let still = case.world_from_stationary;
    let back = still.inverse();
    let mover = Polyhedron::of(case.moving.mesh()).unwrap();
    let stationary = Polyhedron::of(case.stationary.mesh()).unwrap();
    let turned = |axis: DVec3| back.transform_vector3(axis);
    let motion = match case.motion {
        JudgedMotion::Translation(by) => JudgedMotion::Translation(turned(by)),
        JudgedMotion::Rotation { center, axis, angle } => {
            JudgedMotion::Rotation { center: back.transform_point3(center), axis: turned(axis), angle }
        }
        JudgedMotion::Both { translation, center, axis, angle } => JudgedMotion::Both {
            translation: turned(translation),
            center: back.transform_point3(center),
            axis: turned(axis),
            angle,
        },
        rigid @ JudgedMotion::Rigid { .. } => rigid,
    };
    let case = Case { motion, ..case.clone() };
    let start = Placement::try_from(back * case.world_from_moving).unwrap();
    sweep(&mover, &start, &motion_of(&case), &stationary, options, &mut Scratch::default())
}

fn start_of(case: &Case) -> Verdict {
    let moving = case.moving.try_at(case.world_from_moving).unwrap();
    moving.verdict(&case.stationary.try_at(case.world_from_stationary).unwrap())
}

/// Cases of a family between closed solids that start clear of each other.
fn cases(name: &str) -> impl Iterator<Item = Case> {
    let family = FAMILIES.iter().position(|(known, _)| *known == name).unwrap();
    (0..CASES)
        .map(move |k| make(family, k << 20 | 0x5eed))
        .filter(|case| !case.two_sided && start_of(case) == Verdict::Clear)
}

/// With a zone, and decided where paths cross surfaces, no stop is later than a touch: by proofs, not by samples.
#[test]
fn stops_before_any_touch_with_a_zone() {
    let (mut asked, mut hits, mut late) = (0, 0, Vec::new());
    for name in CLEAN {
        for case in cases(name) {
            let options = Options { zone: 1e-3 * extent(&case), corrected: true, ..Options::default() };
            let impact = answer(&case, &options).unwrap();
            asked += 1;
            hits += u64::from(impact.collision.is_some());
            let proof = prove_clear(&case, 0.0, impact.fraction);
            // A start that touches up to rounding stops at once.
            if matches!(proof, Proof::Touch { .. }) && impact.fraction > 0.0 {
                late.push(format!("{name}: {impact:?}, {proof:?}\n{}", case.dump()));
            }
        }
    }
    assert!(late.is_empty(), "{} late\n{}", late.len(), late.join("\n"));
    println!("{asked} sweeps, {hits} hits");
    assert!(asked > CASES * 10 && hits > asked / 4, "{asked} sweeps, {hits} hits");
}

/// Without a zone a stop is the first touch, up to rounding, on either side of it.
#[test]
fn stops_at_the_first_touch_without_a_zone() {
    const ROUNDING: f64 = 1e-7;
    let mut hits = 0;
    for name in ["solids, translating", "solids, turning", "edges crossing", "thin walls"] {
        for case in cases(name) {
            let impact = answer(&case, &Options::default()).unwrap();
            let before = prove_clear(&case, 0.0, (impact.fraction - ROUNDING).max(0.0));
            assert!(
                !matches!(before, Proof::Touch { .. }),
                "{name}: {impact:?}, {before:?}\n{}",
                case.dump()
            );
            if impact.collision.is_some() && impact.fraction + ROUNDING < 1.0 {
                let after = prove_clear(&case, 0.0, impact.fraction + ROUNDING);
                assert!(after != Proof::Clear, "{name}: {impact:?}\n{}", case.dump());
                hits += 1;
            }
        }
    }
    assert!(hits > CASES, "{hits}");
}

#[test]
fn shortcuts_leave_answers_as_they_are() {
    for name in ["solids, translating", "solids, turning", "thin walls", "translation, then rotation"] {
        for case in cases(name) {
            let zone = 1e-3 * extent(&case);
            let all = answer(&case, &Options { zone, ..Options::default() }).unwrap();
            for (without, options) in variants(zone) {
                let other = answer(&case, &options).unwrap();
                // By the printed rule an arc may be stopped beside a polygon that recedes everywhere; culling spares that, about once in a thousand.
                let is_spared = without.starts_with("culled") || without == "all";
                let by = other.fraction - all.fraction;
                assert!(
                    by < 1e-9 && (by > -1e-9 || is_spared && name.contains("rotation")),
                    "{name} without {without}: {all:?} {other:?}\n{}",
                    case.dump()
                );
                assert!(other.stats.feature_tests() >= all.stats.feature_tests(), "{without}");
            }
        }
    }
}

fn polygon(corners: &[[f64; 3]]) -> Polyhedron {
    Polyhedron::of(&Mesh::polygon(corners.iter().copied()).unwrap()).unwrap()
}

fn point(at: [f64; 3]) -> Polyhedron {
    Polyhedron::of(&Mesh::point(at).unwrap()).unwrap()
}

fn moved(mover: &Polyhedron, motion: &Motion, still: &Polyhedron, options: &Options) -> Impact {
    sweep(mover, &Placement::IDENTITY, motion, still, options, &mut Scratch::default()).unwrap()
}

/// §2.6: two triangles are six tests of vertices and nine of edges.
#[test]
fn two_triangles_are_fifteen_tests() {
    let still = polygon(&[[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]]);
    let mover = polygon(&[[0.2, 0.2, 1.0], [0.1, 0.9, 1.5], [0.9, 0.1, 1.4]]);
    let motion = Motion::translation([0.0, 0.0, -2.0]).unwrap();
    let plain = moved(&mover, &motion, &still, &Options::plain(0.0));
    let Stats { vertex_polygon, polygon_vertex, edge_edge, .. } = plain.stats;
    assert_eq!([vertex_polygon, polygon_vertex, edge_edge], [3, 3, 9]);
    assert_eq!((plain.fraction, plain.collision), (0.5, Some(Collision::VertexPolygon(0, 0))));
}

/// Each relation of a vertex and an edge is computed once.
#[test]
fn the_cache_computes_no_relation_twice() {
    let random = Random::new(5);
    for _ in 0..200 {
        let solid = || Polyhedron::of(&shapes::solid(&random).mesh()).unwrap();
        let (mover, still) = (solid(), solid());
        let start =
            Placement::try_from(DAffine3::from_rotation_translation(random.turn(), random.direction() * 4.0));
        let start = start.unwrap();
        let way = random.vector() * 0.3 - start.world_from_model().translation;
        let motion = Motion::translation(1.5 * way).unwrap();
        let ask =
            |options: &Options| sweep(&mover, &start, &motion, &still, options, &mut Scratch::default());
        let cached = ask(&Options::default()).unwrap();
        let computed = ask(&Options { side_cache: false, ..Options::default() }).unwrap();
        assert_eq!((cached.fraction, cached.collision), (computed.fraction, computed.collision));
        assert_eq!(cached.stats.sides + cached.stats.sides_reused, computed.stats.sides);
        let relations = mover.vertex_count() * still.edge_count() + mover.edge_count() * still.vertex_count();
        assert!(cached.stats.sides <= relations as u64);
        assert_eq!(computed.stats.sides_reused, 0);
    }
}

/// The root that runs back to front comes first and is no collision; the second one is. Clockwise, nothing would be met.
#[test]
fn the_second_root_is_the_hit() {
    let floor = polygon(&[[1.0, -1.0, 0.0], [3.0, -1.0, 0.0], [3.0, 1.0, 0.0], [1.0, 1.0, 0.0]]);
    // On a circle of radius 1.25 about (1, 0, -0.75): through z = 0 at x = 0 on its way up, at x = 2 on its way down.
    let radius: f64 = 1.25;
    let rise = |height: f64| (height / radius).asin();
    let start = rise(0.5);
    let mover = point([1.0 - radius * start.cos(), 0.0, -0.75 + radius * start.sin()]);
    let angle = 170.0_f64;
    let motion = Motion::rotation([1.0, 0.0, -0.75], [0.0, 1.0, 0.0], angle).unwrap();
    let impact = moved(&mover, &motion, &floor, &Options::default());
    let expected = (std::f64::consts::PI - rise(0.75) - start) / angle.to_radians();
    assert!((impact.fraction - expected).abs() < 1e-12, "{impact:?} {expected}");
    let back = Motion::rotation([1.0, 0.0, -0.75], [0.0, 1.0, 0.0], -100.0).unwrap();
    assert_eq!(moved(&mover, &back, &floor, &Options::default()).collision, None);
}

/// A low path is stopped far beside a polygon by the printed rule.
#[test]
fn a_low_path_stops_over_the_polygon_where_it_is_corrected() {
    let floor = polygon(&[[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [1.0, 1.0, 0.0], [0.0, 1.0, 0.0]]);
    let mover = point([-10.0, 0.5, 1.0]);
    let motion = Motion::translation([10.5, 0.0, -1.0]).unwrap();
    let printed = Options { zone: 0.25, ..Options::default() };
    assert_eq!(moved(&mover, &motion, &floor, &printed).fraction, 0.75);
    let corrected = moved(&mover, &motion, &floor, &Options { corrected: true, ..printed });
    // At the edge, less the thickness of the zone.
    let expected = 10.0 / 10.5 - 0.25 / 10.5_f64.hypot(1.0);
    assert!((corrected.fraction - expected).abs() < 1e-9, "{corrected:?}");
}

/// Behind a polygon there is no zone, though the printed rule stops there at once.
#[test]
fn what_is_behind_a_polygon_moves_on() {
    let floor = polygon(&[[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [1.0, 1.0, 0.0], [0.0, 1.0, 0.0]]);
    let motion = Motion::translation([0.0, 0.0, -1.0]).unwrap();
    let options = Options { zone: 0.25, ..Options::default() };
    assert_eq!(moved(&point([0.5, 0.5, -0.5]), &motion, &floor, &options).collision, None);
    assert_eq!(moved(&point([0.5, 0.5, 0.1]), &motion, &floor, &options).fraction, 0.0);
}

/// A vertex that comes down on a shared vertex or on an edge slips through no crack.
#[test]
fn there_are_no_cracks_at_shared_edges_and_vertices() {
    let ball = Mesh::from(impinge::shapes::icosphere(1.0, 3).unwrap());
    let still = Polyhedron::of(&ball).unwrap();
    let mut targets: Vec<DVec3> = ball.vertices().collect();
    let corners: Vec<[DVec3; 3]> = (0..ball.face_count() as u32)
        .map(|face| ball.fan_triangle(face, 0).map(|v| ball.vertex(v)))
        .collect();
    targets.extend(corners.iter().flat_map(|[a, b, c]| [(*a + *b) * 0.5, *b * 0.7 + *c * 0.3]));
    for target in targets {
        let start = target * 3.0;
        let mover = point(start.to_array());
        let motion = Motion::translation(-1.5 * target).unwrap();
        assert_eq!(moved(&mover, &motion, &still, &Options::default()).collision, None);
        let motion = Motion::translation(-4.0 * target).unwrap();
        let impact = moved(&mover, &motion, &still, &Options::default());
        assert!((impact.fraction - 0.5).abs() < 1e-9, "{target}: {impact:?}");
    }
}

/// Far from the origin a sweep is as exact as near it.
#[test]
fn far_from_the_origin_answers_stay() {
    let shift = DVec3::new(1e6, -2e6, 3e6);
    let cube = |at: DVec3, half: f64| Polyhedron::of(&shapes::cuboid(at - half, at + half).mesh()).unwrap();
    for motion in [
        Motion::translation([-4.0, 0.25, 0.125]).unwrap(),
        Motion::rotation([0.0, 3.0, 0.0], [0.0, 0.0, 1.0], 100.0).unwrap(),
        Motion::rotation([0.0, 3.0, 0.0], [0.0, 0.0, -1.0], 100.0).unwrap(),
    ] {
        let options = Options { zone: 0.01, ..Options::default() };
        let turn = DQuat::from_axis_angle(DVec3::new(1.0, 2.0, 2.0) / 3.0, 0.5);
        let ask = |shift: DVec3| {
            let start = DAffine3::from_rotation_translation(turn, shift + DVec3::new(3.0, 0.0, 0.0));
            let start = Placement::try_from(start).unwrap();
            let motion = motion.moved(shift);
            let still = cube(shift, 1.0);
            sweep(&cube(DVec3::ZERO, 0.75), &start, &motion, &still, &options, &mut Scratch::default())
                .unwrap()
        };
        let (near, far) = (ask(DVec3::ZERO), ask(shift));
        assert_eq!(near.collision.is_some(), far.collision.is_some());
        assert!((near.fraction - far.fraction).abs() < 1e-8, "{near:?} {far:?}");
    }
}

#[test]
fn what_the_paper_leaves_out_is_refused() {
    let cube = Polyhedron::of(&shapes::cuboid(DVec3::ZERO, DVec3::ONE).mesh()).unwrap();
    let ask = |start: DAffine3, motion: Motion| {
        let start = Placement::try_from(start).unwrap();
        sweep(&cube, &start, &motion, &cube, &Options::default(), &mut Scratch::default()).map(|_| ())
    };
    let straight = Motion::translation([1.0, 0.0, 0.0]).unwrap();
    let rigid = Motion::rigid([1.0, 0.0, 0.0], [0.0; 3], [0.0, 0.0, 1.0], 30.0).unwrap();
    let mirrored = DAffine3::from_scale(DVec3::new(-1.0, 1.0, 1.0));
    let uneven = DAffine3::from_scale(DVec3::new(2.0, 1.0, 1.0));
    assert_eq!(ask(DAffine3::IDENTITY, rigid), Err(SweepError::RigidMotion));
    assert_eq!(ask(mirrored, straight), Err(SweepError::Pose));
    assert_eq!(ask(uneven, straight), Err(SweepError::Pose));
    assert_eq!(ask(DAffine3::from_scale(DVec3::splat(2.0)), straight), Ok(()));
}

/// Joined polygons cover what the triangles cover, and are convex.
#[test]
fn joining_keeps_areas_and_closed_surfaces() {
    let area = |corners: &[DVec3]| {
        (2..corners.len())
            .map(|k| (corners[k - 1] - corners[0]).cross(corners[k] - corners[0]))
            .sum::<DVec3>()
            * 0.5
    };
    let grid = impinge::shapes::cuboid_grid([0.0; 3], [1.0; 3], [4, 3, 5]);
    let meshes = [
        Mesh::from(grid.unwrap()),
        level(12, 3).unwrap(),
        Mesh::from(impinge::shapes::stairs([2.0, 1.0, 1.0], 5, 3).unwrap()),
        Mesh::from(impinge::shapes::torus(1.0, 0.3, 12, 8).unwrap()),
    ];
    for (k, mesh) in meshes.iter().enumerate() {
        let joined = Polyhedron::of(mesh).unwrap();
        let triangles: f64 = (0..mesh.face_count() as u32)
            .flat_map(|face| mesh.fan(face).collect::<Vec<_>>())
            .map(|t| area(&t.map(|v| mesh.vertex(v))).length())
            .sum();
        let mut polygons = 0.0;
        for polygon in 0..joined.polygon_count() as u32 {
            let corners: Vec<DVec3> =
                joined.corners(polygon).iter().map(|&v| joined.vertices()[v as usize]).collect();
            let normal = joined.polygons()[polygon as usize].normal;
            polygons += area(&corners).dot(normal);
            for i in 0..corners.len() {
                let [a, b, c] = [0, 1, 2].map(|j| corners[(i + j) % corners.len()]);
                assert!((b - a).cross(c - b).dot(normal) >= -1e-12);
            }
        }
        assert!((triangles - polygons).abs() < 1e-9 * triangles, "{k}: {triangles} {polygons}");
        assert!(joined.polygon_count() <= mesh.triangle_count());
        let is_closed = impinge::Model::new(mesh.clone()).is_closed();
        assert_eq!(joined.share(Fold::Dangling) == 0.0, is_closed, "{k}");
        if k == 0 {
            assert_eq!((joined.polygon_count(), joined.edge_count(), joined.vertex_count()), (6, 12, 8));
        }
        if k == 3 {
            // Edges along the inner half of a ring.
            assert!((0.2..0.5).contains(&joined.share(Fold::Internal)), "{}", joined.share(Fold::Internal));
        }
    }
}
