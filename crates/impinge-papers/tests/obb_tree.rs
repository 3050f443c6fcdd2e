//! The OBB-tree against brute force: pairs that touch exactly, lie flat, stand far from the origin, or are made of duplicates and points.

use crate::oracle::cases::Random;
use impinge::glam::{DMat3, DQuat, DVec3};
use impinge::math::DAffine3;
use impinge::query::{Engine, IntersectOptions};
use impinge::shapes::{self, Shape};
use impinge::{Mesh, Model, Placement, Trs, Verdict};
use impinge_papers::zachmann::{ObbEngine, ObbMemory};

/// Meshes that boxes find hard: flat, thin, far from their own origin, huge, tiny, doubled, and without area.
fn models() -> Vec<Model> {
    let grid = |z: f64| (0..16).map(move |i| [f64::from(i % 4) * 0.25, f64::from(i / 4) * 0.25, z]);
    let cells: Vec<[u32; 3]> = (0..9)
        .flat_map(|cell| {
            let corner = cell % 3 + cell / 3 * 4;
            [[corner, corner + 1, corner + 5], [corner, corner + 5, corner + 4]]
        })
        .collect();
    let doubled: Vec<[u32; 3]> = cells.iter().chain(&cells).chain(&cells).copied().collect();
    let points: Vec<[u32; 3]> = (0..16).map(|i| [i, i, i]).collect();
    let segments: Vec<[u32; 3]> = (0..15).map(|i| [i, i + 1, i]).collect();
    let scaled = |factor: f64, shift: f64| {
        let ball = Mesh::from(Shape::Icosphere.generate(80, 0));
        let points: Vec<[f64; 3]> =
            ball.vertices().map(|p| (p * factor + DVec3::splat(shift)).to_array()).collect();
        let faces: Vec<[u32; 3]> = (0..ball.face_count() as u32).flat_map(|face| ball.fan(face)).collect();
        Mesh::triangles(points, faces).unwrap()
    };
    let meshes = [
        Mesh::triangles(grid(0.0), cells.clone()).unwrap(),
        Mesh::triangles(grid(1e9), cells).unwrap(),
        Mesh::triangles(grid(0.0), doubled).unwrap(),
        Mesh::triangles(grid(0.5), points).unwrap(),
        Mesh::triangles(grid(0.25), segments).unwrap(),
        scaled(0.5, 0.0),
        scaled(1.0, 1e7),
        scaled(1e-200, 0.0),
        Mesh::from(shapes::cuboid_of_quads([-0.5; 3], [0.5; 3]).unwrap()),
        Mesh::from(shapes::cuboid([0.0; 3], [4.0, 0.01, 0.01]).unwrap()),
        Mesh::from(Shape::Knot.generate(200, 0)),
        Mesh::from(Shape::Soup.generate(60, 3)),
        Mesh::triangle_fan([[0.0; 3], [1.0, 0.0, 0.0], [1.0, 1.0, 0.0], [0.0, 1.0, 0.0]]).unwrap(),
    ];
    meshes.into_iter().map(Model::new).collect()
}

/// A placement that brings a vertex of one model to a vertex of the other, so that many pairs touch exactly, nearly or cross.
fn contact(random: &mut Random, a: &Model, b: &Model) -> [Placement; 2] {
    let vertex = |random: &mut Random, model: &Model| {
        let count = model.mesh().vertices().count();
        model.mesh().vertices().nth(random.below(count as u64) as usize).unwrap()
    };
    let (on_a, on_b) = (vertex(random, a), vertex(random, b));
    let quarter = DMat3::from_cols(DVec3::Y, -DVec3::X, DVec3::Z);
    let crooked = DMat3::from_quat(DQuat::from_axis_angle(
        (random.vector() + DVec3::new(0.0, 0.0, 1.5)).normalize(),
        random.unit() * 3.0,
    ));
    let matrix3 = match random.below(5) {
        0 => DMat3::IDENTITY,
        1 => quarter,
        2 => DMat3::from_diagonal(DVec3::new(0.5, -2.0, 1.0)) * crooked,
        3 => DMat3::from_cols(DVec3::X, DVec3::new(0.75, 1.0, 0.25), DVec3::new(-0.5, 0.25, 1.5)),
        _ => crooked,
    };
    let step = match random.below(4) {
        0 => random.lattice(2) * 0.25,
        1 => random.vector() * 1e-9,
        _ => DVec3::ZERO,
    };
    let far = if random.below(4) == 0 { DVec3::new(1e8, -3e6, 1e3) } else { DVec3::ZERO };
    let at = DAffine3 { matrix3, translation: on_a - matrix3 * on_b + step + far };
    [Trs::translation(far).unwrap().into(), Placement::try_from(at).unwrap()]
}

#[test]
fn obb_trees_agree_with_brute_force() {
    let models = models();
    let engines: Vec<ObbEngine> = models.iter().map(ObbEngine::new).collect();
    let mut memory = ObbMemory::default();
    let mut counts = [0_u64; 4];
    let cases = if cfg!(debug_assertions) { 150 } else { 3_000 };
    for case in 0..cases {
        let mut random = Random(case << 8 | 0x0b);
        let [i, j] = [0, 1].map(|_| random.below(models.len() as u64) as usize);
        let places = contact(&mut random, &models[i], &models[j]);
        let (a, b) = (models[i].at(places[0]), models[j].at(places[1]));
        let ask = IntersectOptions::new().pairs(true);
        let truth = a.intersect_with(&b, ask.engine(Engine::Brute));
        for (placed, trees, swapped) in
            [([&a, &b], [&engines[i], &engines[j]], false), ([&b, &a], [&engines[j], &engines[i]], true)]
        {
            let found = ObbEngine::intersect(trees, placed, ask, &mut memory);
            let mut pairs: Vec<[u32; 2]> = found
                .pairs
                .iter()
                .map(|pair| if swapped { [pair.face_b, pair.face_a] } else { [pair.face_a, pair.face_b] })
                .collect();
            pairs.sort_unstable();
            let expected: Vec<[u32; 2]> = truth.pairs.iter().map(|pair| [pair.face_a, pair.face_b]).collect();
            assert_eq!(pairs, expected, "case {case}: models {i} and {j}");
            assert_eq!(found.verdict == Verdict::Clear, truth.verdict == Verdict::Clear, "case {case}");
            assert_eq!(found.verdict == Verdict::Touching, truth.verdict == Verdict::Touching, "case {case}");
            let quick = ObbEngine::intersects(trees, placed, IntersectOptions::default(), &mut memory).0;
            assert_eq!(quick, truth.verdict != Verdict::Clear, "case {case}: models {i} and {j}");
        }
        counts[match truth.verdict {
            Verdict::Clear => 0,
            Verdict::Touching => 1,
            Verdict::Overlapping => 2,
            Verdict::Inside(_) => 3,
        }] += 1;
    }
    println!("clear, touching, overlapping, inside: {counts:?}");
    assert!(counts[..3].iter().all(|&count| count * 50 > cases), "{counts:?}");
}

#[test]
fn boxes_spare_nearly_all_pairs_of_faces() {
    let model = Model::new(Shape::Torus.generate(5000, 0));
    let engine = ObbEngine::new(&model);
    assert_eq!(engine.tree().leaves(), model.mesh().face_count());
    let b = Trs::rigid([1.0, 0.05, 0.3], DQuat::from_rotation_x(1.5)).unwrap();
    let placed = [&model.at(Trs::IDENTITY), &model.at(b)];
    let options = IntersectOptions::new().pairs(true);
    let found = ObbEngine::intersect([&engine; 2], placed, options, &mut ObbMemory::default());
    assert!(!found.pairs.is_empty());
    assert!(found.stats.face_tests < 20 * found.pairs.len() as u64, "{:?}", found.stats);
    // Side by side, just apart: the roots or few below them decide.
    let apart = Trs::translation([2.05, 0.0, 0.0]).unwrap();
    let placed = [&model.at(Trs::IDENTITY), &model.at(apart)];
    let (met, stats) = ObbEngine::intersects([&engine; 2], placed, options, &mut ObbMemory::default());
    assert!(!met && stats.face_tests == 0 && stats.box_tests < 100, "{stats:?}");
}
