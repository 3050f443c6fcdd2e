//! Every engine gives the verdict and the pairs of brute force, for shapes of every kind, placed in every way.

use crate::effort::share;
use crate::engine_set::{ALL, ALWAYS, Memory, Trees, intersect, intersects};
use crate::oracle::cases::Random;
use impinge::math::{DAffine3, DMat3, DQuat, DVec3};
use impinge::mesh::Terrain;
use impinge::query::{Engine, IntersectOptions, Intersection};
use impinge::shapes::{self, Shape};
use impinge::{Mesh, Model, Placement, Trs, Verdict};

fn poses() -> u64 {
    share(1_000, 110_000)
}

/// Small models of every kind and form.
pub(crate) fn models() -> Vec<Model> {
    let shapes = [
        (Shape::Box, 12),
        (Shape::Torus, 40),
        (Shape::Icosphere, 80),
        (Shape::Cylinder, 30),
        (Shape::Stairs, 28),
        (Shape::Star, 60),
        (Shape::Bumpy, 60),
        (Shape::Shell, 40),
        (Shape::Tetrahedron, 4),
        (Shape::Octahedron, 8),
        (Shape::Terrain, 18),
        (Shape::Soup, 12),
        (Shape::Triangle, 1),
    ];
    let mut meshes: Vec<Mesh> =
        shapes.iter().map(|&(shape, count)| Mesh::from(shape.generate(count, 7))).collect();
    meshes.push(Mesh::from(shapes::cuboid_of_quads([-0.5; 3], [0.5; 3]).unwrap()));
    meshes.push(Mesh::from(shapes::cuboid([-0.5; 3], [0.5, 0.5, 1.0]).unwrap()));
    let zigzag = (0..9).map(|i| [f64::from(i) * 0.25 - 1.0, f64::from(i % 2), f64::from(i % 3) * 0.25]);
    meshes.push(Mesh::triangle_strip(zigzag.clone()).unwrap());
    meshes.push(Mesh::triangle_fan(zigzag).unwrap());
    let heights = (0..16).map(|i| f64::from(i * 7 % 5) * 0.25).collect();
    let terrain = Terrain { origin: [-0.75; 3], spacing: [0.5; 2], columns: 4, heights, holes: vec![4] };
    meshes.push(Mesh::terrain(terrain).unwrap());
    meshes.push(Mesh::point([0.25, 0.0, 0.0]).unwrap());
    meshes.push(Mesh::polygon([[0.0, 0.0, 0.0], [1.0, 0.5, 0.0]]).unwrap());
    meshes.extend(of_polygons());
    meshes.into_iter().map(Model::new).collect()
}

/// Faces of many corners: a prism of hexagons and quads, of which one has a corner amid an edge; a ring of bent quads; a notched plate, one
/// corner of which is there twice.
pub(crate) fn of_polygons() -> [Mesh; 3] {
    let round = |i: u32, count: u32| {
        let angle = f64::from(i) * std::f64::consts::TAU / f64::from(count);
        DVec3::new(angle.cos(), angle.sin(), 0.0)
    };
    let mut points: Vec<DVec3> =
        (0..12).map(|i| round(i % 6, 6) * 0.75 + DVec3::Z * f64::from(i / 6)).collect();
    points.push(points[0].midpoint(points[1]));
    let mut faces = vec![vec![5, 4, 3, 2, 1, 12, 0], (6..12).collect(), vec![0, 12, 1, 7, 6]];
    faces.extend((1..6).map(|i| vec![i, (i + 1) % 6, 6 + (i + 1) % 6, 6 + i]));
    let prism = Mesh::polygons(points, faces).unwrap();
    let ring = |i: u32| {
        let (along, across) = (round(i / 4, 5), round(i % 4, 4));
        along * (1.0 + 0.5 * across.x) + DVec3::Z * (0.5 * across.y + 0.1 * f64::from(i % 3))
    };
    let at = |i: u32, j: u32| i % 5 * 4 + j % 4;
    let bent = (0..20).map(|k| [at(k / 4, k), at(k / 4 + 1, k), at(k / 4 + 1, k + 1), at(k / 4, k + 1)]);
    let ring = Mesh::polygons((0..20).map(ring), bent).unwrap();
    let plate = [[0.0, 0.0], [1.0, 0.0], [1.0, 0.0], [1.0, 1.0], [0.5, 0.25], [0.0, 1.0]];
    let plate = Mesh::polygon(plate.map(|[x, y]| [x - 0.5, y - 0.5, 0.25 * x])).unwrap();
    [prism, ring, plate]
}

/// Exact, crooked, mirrored, sheared, scaled, near and far.
pub(crate) fn placement(random: &mut Random) -> Placement {
    let far = if random.below(8) == 0 { DVec3::splat(1e6) } else { DVec3::ZERO };
    let crooked = |random: &mut Random| {
        let axis = random.vector() + DVec3::new(0.0, 0.0, 1.5);
        DQuat::from_axis_angle(axis.normalize(), random.unit() * 3.0)
    };
    match random.below(6) {
        // On a lattice: touching and coplanar faces are common.
        0 | 1 => Trs::translation(random.lattice(4) * 0.25 + far).unwrap().into(),
        2 => {
            let columns = [DVec3::Y, -DVec3::X, DVec3::Z];
            let matrix3 = DMat3::from_cols(columns[0], columns[1], columns[2]);
            Placement::try_from(DAffine3 { matrix3, translation: random.lattice(3) * 0.5 + far }).unwrap()
        }
        3 => Trs::rigid(random.vector() + far, crooked(random)).unwrap().into(),
        4 => {
            let scale = DVec3::new(0.5, -2.0, 1.0 + random.unit() * 0.5);
            Trs::new(random.vector() + far, crooked(random), scale).unwrap().into()
        }
        _ => {
            let shear = DMat3::from_cols(DVec3::X, DVec3::new(0.7, 1.0, 0.2), DVec3::new(-0.4, 0.3, 1.5));
            let matrix3 = shear * DMat3::from_quat(crooked(random));
            Placement::try_from(DAffine3 { matrix3, translation: random.vector() + far }).unwrap()
        }
    }
}

fn compare(truth: &Intersection, found: &Intersection, what: &dyn Fn() -> String) {
    assert_eq!(found.verdict, truth.verdict, "{}", what());
    assert_eq!(found.pairs, truth.pairs, "{}", what());
    assert_eq!(found.witness.is_some(), truth.witness.is_some(), "{}", what());
    if let Some([face_a, face_b]) = found.witness.and_then(|witness| witness.faces) {
        assert!(truth.pairs.iter().any(|pair| (pair.face_a, pair.face_b) == (face_a, face_b)), "{}", what());
    }
}

#[test]
fn engines_agree_with_brute_force() {
    let models = models();
    let trees: Vec<Trees<'_>> = models.iter().map(Trees::new).collect();
    let run = |first: u64| {
        let mut memory = Memory::default();
        let mut counts = [0_u64; 4];
        for case in (first..poses()).step_by(2) {
            let mut random = Random(case << 8 | 0xd0);
            let [i, j] = [0, 1].map(|_| random.below(models.len() as u64) as usize);
            let places = [placement(&mut random), placement(&mut random)];
            // Every other time both stand in the same crooked place, moved by a lattice step.
            let (a, b) = if case % 2 == 0 {
                (models[i].at(places[0]), models[j].at(places[1]))
            } else {
                let step = Trs::translation(random.lattice(4) * 0.25).unwrap();
                let moved = Placement::from(step).then(&places[0]).unwrap();
                (models[i].at(places[0]), models[j].at(moved))
            };
            let ask = IntersectOptions::new().pairs(true);
            let truth = a.intersect_with(&b, ask.engine(Engine::Brute));
            let trees = [&trees[i], &trees[j]];
            let engines = if case % 16 == 0 { &ALL[1..] } else { &ALWAYS[..] };
            for &engine in engines {
                let what = || {
                    format!("case {case}: models {i} and {j}, {engine:?}, {a:?} {b:?}")
                        .chars()
                        .take(300)
                        .collect()
                };
                compare(&truth, &intersect(engine, [&a, &b], trees, ask, &mut memory), &what);
            }
            for engine in ALWAYS {
                let solids = IntersectOptions::default();
                let quick = intersects(engine, [&a, &b], trees, solids, &mut memory);
                assert_eq!(quick, truth.verdict != Verdict::Clear, "case {case}, {engine:?}");
                let surfaces = solids.surface_only(true);
                let quick = intersects(engine, [&a, &b], trees, surfaces, &mut memory);
                assert_eq!(quick, !truth.pairs.is_empty(), "case {case}, {engine:?}");
            }
            counts[match truth.verdict {
                Verdict::Clear => 0,
                Verdict::Touching => 1,
                Verdict::Overlapping => 2,
                Verdict::Inside(_) => 3,
            }] += 1;
        }
        counts
    };
    let counts = std::thread::scope(|scope| {
        let other = scope.spawn(|| run(1));
        let own = run(0);
        let other = other.join().unwrap();
        [0, 1, 2, 3].map(|i| own[i] + other[i])
    });
    println!("{} poses; clear, touching, overlapping, inside: {counts:?}", poses());
    assert!(counts.iter().all(|&count| count * 200 > poses()), "{counts:?}");
}

/// Larger meshes, fewer poses.
#[test]
fn larger_meshes_agree_with_brute_force() {
    let (knot, bumpy) =
        (Model::new(Shape::Knot.generate(2000, 1)), Model::new(Shape::Bumpy.generate(3000, 2)));
    let trees = [&Trees::new(&knot), &Trees::new(&bumpy)];
    let mut memory = Memory::default();
    for case in 0..if cfg!(debug_assertions) { 4 } else { 100 } {
        let mut random = Random(case << 8 | 0xd1);
        let (a, b) = (knot.at(placement(&mut random)), bumpy.at(placement(&mut random)));
        let ask = IntersectOptions::new().pairs(true);
        let truth = a.intersect_with(&b, ask.engine(Engine::Brute));
        for &engine in &ALL[1..] {
            compare(&truth, &intersect(engine, [&a, &b], trees, ask, &mut memory), &|| {
                format!("case {case}, {engine:?}")
            });
        }
    }
}
