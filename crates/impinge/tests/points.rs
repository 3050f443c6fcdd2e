//! Points against models: inside, on faces, edges and corners, and along lines, by trees as by brute force.

use crate::effort::share;
use crate::simd_harness::{anywhere, compare_levels, say};
use impinge::glam::DVec3;
use impinge::query::{Engine, IntersectOptions, Sweep, SweepOptions, SweepStatus};
use impinge::shapes::{self, Random};
use impinge::{Mesh, Model, Motion, Placed, Trs, Verdict};

/// The triangles of some meshes together, each turned inside out or not.
fn together(meshes: &[(Mesh, bool)]) -> Mesh {
    let (mut points, mut triangles) = (Vec::new(), Vec::new());
    for (mesh, is_turned) in meshes {
        let first = points.len() as u32;
        points.extend(mesh.vertices());
        for face in 0..mesh.face_count() as u32 {
            for piece in 0..mesh.fan_count(face) {
                let [a, b, c] = mesh.fan_triangle(face, piece).map(|vertex| vertex + first);
                triangles.push(if *is_turned { [a, c, b] } else { [a, b, c] });
            }
        }
    }
    Mesh::triangles(points, triangles).unwrap()
}

/// Solids, a cavity, nested and overlapping solids, one that is inside out, sheets, and what has fewer faces than a point has.
fn targets() -> Vec<Model> {
    let cuboid = |half: f64| Mesh::from(shapes::cuboid([-half; 3], [half; 3]).unwrap());
    let shifted = Mesh::from(shapes::cuboid([-0.25, -0.5, -0.5], [0.75, 0.5, 0.5]).unwrap());
    let torus = || Mesh::from(shapes::torus(0.7, 0.25, 24, 12).unwrap());
    let sheet = Mesh::triangles(
        [[-1.0, -1.0, 0.0], [1.0, -1.0, 0.0], [1.0, 1.0, 0.5], [-1.0, 1.0, 0.0]],
        vec![[0, 1, 2], [0, 2, 3]],
    );
    let meshes = [
        cuboid(0.5),
        Mesh::from(shapes::cuboid_of_quads([-1.0, -0.5, -0.25], [1.0, 0.5, 0.25]).unwrap()),
        torus(),
        Mesh::from(shapes::bumpy_sphere(0.7, 0.3, 9, 24, 12, 5).unwrap()),
        together(&[(cuboid(0.75), false), (cuboid(0.25), true)]),
        together(&[(cuboid(0.75), false), (cuboid(0.25), false), (shifted, false)]),
        together(&[(cuboid(0.75), true)]),
        together(&[(torus(), false), (sheet.unwrap(), false)]),
        Mesh::polygon([[0.0; 3], [1.0, 0.0, 0.0], [0.0, 1.0, 0.25]]).unwrap(),
        Mesh::segment([0.0; 3], [1.0, 1.0, 0.0]).unwrap(),
        Mesh::point([0.25, 0.0, 0.0]).unwrap(),
    ];
    meshes.into_iter().map(Model::new).collect()
}

/// A point of the target's own frame: anywhere, on a short grid, or on a corner, an edge or a face.
fn place(target: &Model, random: &mut Random) -> DVec3 {
    let mesh = target.mesh();
    let face = random.below(mesh.face_count() as u32);
    let [a, b, c] = mesh.fan_triangle(face, 0).map(|vertex| mesh.vertex(vertex));
    match random.below(6) {
        0 => a,
        1 => (a + b) / 2.0,
        2 => a + (b - a) / 4.0 + (c - a) / 4.0,
        3 => (random.in_cube() * 4.0).round() / 4.0,
        _ => random.in_cube(),
    }
}

/// A point and a target, as they are, moved by short numbers, or anywhere.
fn case<'m>(target: &'m Model, point: &'m Model, random: &mut Random) -> [Placed<'m>; 2] {
    let at = place(target, random);
    let own = point.mesh().vertex(0);
    if random.below(4) == 0 {
        let there = anywhere(random);
        let in_world = there.world_from_model().transform_point3(at);
        return [point.at(Trs::translation(in_world - own).unwrap()), target.at(there)];
    }
    let by = if random.below(2) == 0 { DVec3::ZERO } else { (random.in_cube() * 8.0).round() / 8.0 };
    [point.at(Trs::translation(at + by - own).unwrap()), target.at(Trs::translation(by).unwrap())]
}

#[test]
fn points_intersect_what_brute_force_says() {
    let (targets, points) =
        (targets(), [[0.0; 3], [0.5, 0.25, -0.125]].map(|at| Model::new(Mesh::point(at).unwrap())));
    let mut random = Random::new(1);
    let mut seen = [0; 4];
    for i in 0..share(400, 20_000) {
        let target = &targets[random.below(targets.len() as u32) as usize];
        let [point, target] = case(target, &points[i as usize % 2], &mut random);
        let by = |engine: Engine| IntersectOptions::new().engine(engine);
        let verdict = point.intersect_with(&target, by(Engine::Brute)).verdict;
        assert_eq!(point.intersect(&target).verdict, verdict, "{i}");
        assert_eq!(point.intersects(&target), verdict != Verdict::Clear, "{i}");
        assert_eq!(target.intersects(&point), verdict != Verdict::Clear, "{i}");
        let surfaces = [Engine::Brute, Engine::Bvh]
            .map(|engine| point.intersects_with(&target, by(engine).surface_only(true)));
        assert_eq!(surfaces[0], surfaces[1], "{i}");
        let swept = point.sweep(&Motion::translation(DVec3::X).unwrap(), &target);
        let overlaps = !matches!(verdict, Verdict::Clear | Verdict::Touching);
        assert_eq!(swept.status == SweepStatus::StartedOverlapping, overlaps, "{i}");
        let kind = match verdict {
            Verdict::Clear => 0,
            Verdict::Touching => 1,
            _ => 2 + usize::from(surfaces[0]),
        };
        seen[kind] += 1;
    }
    // Inside of one solid and on the face of another, too.
    let least = share(400, 20_000) / 200;
    assert!(seen.iter().all(|count| *count >= least), "{seen:?}");
}

/// All of an answer but how much work it was, with numbers as bits.
fn bits(sweep: &Sweep) -> (Vec<u64>, String) {
    let mut numbers = vec![sweep.fraction, sweep.rounding];
    numbers.extend(sweep.world_from_moving.world_from_model().to_cols_array());
    if let Some(hit) = &sweep.hit {
        numbers.extend(
            [hit.point_on_moving, hit.point_on_stationary, hit.normal].map(|v| v.to_array()).concat(),
        );
        numbers.push(hit.bound);
    }
    numbers.extend(sweep.lift.map_or([0.0; 3], |lift| lift.to_array()));
    let features = sweep.hit.as_ref().map(|hit| (hit.feature_moving, hit.feature_stationary));
    let rest = format!("{:?} {:?} {features:?} {}", sweep.status, sweep.phase, sweep.wedged);
    (numbers.into_iter().map(f64::to_bits).collect(), rest)
}

/// Motions of points along lines: some of short numbers, along faces and into edges.
fn sweeps(seed: u64, count: u64, mut look: impl FnMut(Placed<'_>, Placed<'_>, Motion, SweepOptions)) {
    let (targets, point) = (targets(), Model::new(Mesh::point([0.5, 0.25, -0.125]).unwrap()));
    let mut random = Random::new(seed);
    for i in 0..count {
        let target = &targets[random.below(targets.len() as u32) as usize];
        let [moving, target] = case(target, &point, &mut random);
        let by = random.in_cube() * [0.5, 2.0, 8.0][i as usize % 3];
        let by = if random.below(3) == 0 { by.round() } else { by };
        let options = SweepOptions::new().margin(if i % 5 == 0 { 0.03 } else { 0.0 });
        look(moving, target, Motion::translation(by).unwrap(), options);
    }
}

#[test]
fn points_are_swept_by_trees_as_by_brute_force() {
    let mut seen = [0; 3];
    let count = share(300, 20_000);
    sweeps(2, count, |moving, target, motion, options| {
        let [trees, brute] = [Engine::Bvh, Engine::Brute]
            .map(|engine| moving.sweep_with(&motion, &target, options.engine(engine)));
        assert_eq!(bits(&trees), bits(&brute), "{motion:?}");
        seen[trees.status as usize] += 1;
        // The other moves, which has more faces: seen from it, the point does.
        let back = Motion::translation(-motion.by()).unwrap();
        let [trees, brute] = [Engine::Bvh, Engine::Brute]
            .map(|engine| target.sweep_with(&back, &moving, options.engine(engine)));
        assert_eq!(bits(&trees), bits(&brute), "{motion:?}");
    });
    assert!(seen.iter().all(|number| *number > count / 20), "{seen:?}");
}

#[test]
fn every_level_gives_points_the_same_bits() {
    compare_levels(1, || {
        say("sweeps of points", |bits| {
            sweeps(3, share(100, 1_500), |moving, target, motion, options| {
                bits.add(&(moving.sweep_with(&motion, &target, options), moving.intersects(&target)));
            });
        });
    });
}
