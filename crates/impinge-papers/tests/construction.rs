//! Trees built as Zachmann 1998, §4.2: valid over any polygons, and with the answers of the default build.

use crate::oracle::cases::Random;
use impinge::bounds::Aabb;
use impinge::glam::{DQuat, DVec3};
use impinge::query::{Engine, IntersectOptions, Scratch};
use impinge::shapes::{self, Shape};
use impinge::{Mesh, Model, Trs};
use impinge_core::bvh::{AnyCorners, Build, DopTree, TreeBuilder};
use impinge_papers::zachmann::DopEngine;
use impinge_papers::zachmann::construction::{BinaryTree, PaperBuilder, PaperSplit};

type Triangle = [DVec3; 3];

fn soup(count: usize, size: f64, scale: f64, shift: f64) -> Vec<Triangle> {
    let mut random = Random(count as u64);
    (0..count)
        .map(|_| {
            let center = random.vector();
            std::array::from_fn(|_| (center + random.vector() * size) * scale + DVec3::splat(shift))
        })
        .collect()
}

fn check<const K: usize>(triangles: &[Triangle], name: &str) {
    let bounds = Aabb::around(triangles.iter().flatten().copied());
    let mut rule = PaperSplit::<K>::new(triangles.len(), bounds, &triangles);
    let tree = DopTree::<K>::build_by(triangles.len(), bounds, triangles, |polygons| rule.split(polygons));
    assert_eq!(tree.len(), triangles.len(), "{name}");
    tree.check(triangles).unwrap_or_else(|what| panic!("{name}, {K}: {what}"));
    let log = triangles.len().next_power_of_two().trailing_zeros();
    let quality = tree.quality();
    assert!(quality.splits <= 3 * log + 2, "{name}: {quality}");
    let mut refitted = tree.clone();
    refitted.refit(bounds, triangles);
    assert!(refitted == tree, "{name}, {K}: a refit without a move");
}

#[test]
fn every_polygon_is_in_one_leaf_and_within_all_bounds_above() {
    let at = |x: f64| [DVec3::new(x, 0.0, 0.0); 3];
    let mut inputs: Vec<(&str, Vec<Triangle>)> = vec![
        ("coincident", vec![[DVec3::ZERO, DVec3::X, DVec3::Y]; 1000]),
        ("coincident points", vec![at(1.0); 500]),
        ("points on a line", (0..1000).map(|i| at(f64::from(i))).collect()),
        ("exponential", (0..1000).map(|i| at(2_f64.powi(-i))).collect()),
        ("far", soup(300, 0.3, 1.0, 1e12)),
        ("huge", soup(300, 0.3, 1e307, 0.0)),
        ("tiny", soup(300, 0.3, 1e-310, 0.0)),
    ];
    inputs.extend((1..40).map(|count| ("few", soup(count, 0.3, 1.0, 0.0))));
    inputs.push(("many", soup(1500, 0.02, 1.0, 0.0)));
    for (name, triangles) in &inputs {
        check::<6>(triangles, name);
        check::<8>(triangles, name);
        check::<14>(triangles, name);
        check::<18>(triangles, name);
        check::<26>(triangles, name);
    }
    let nothing: &[Triangle] = &[];
    let tree = DopTree::<14>::build_by(0, Aabb::EMPTY, nothing, |_| 0);
    assert!(tree.is_empty());
}

#[test]
fn a_rule_that_splits_nothing_still_gives_a_tree() {
    let triangles = soup(200, 0.1, 1.0, 0.0);
    let bounds = Aabb::around(triangles.iter().flatten().copied());
    for side in [0, 1, usize::MAX] {
        let tree = DopTree::<6>::build_by(triangles.len(), bounds, triangles.as_slice(), |_| side);
        tree.check(triangles.as_slice()).unwrap();
        assert!(tree.quality().splits <= 3 * 8 + 2, "{side}: {}", tree.quality());
    }
}

#[test]
fn both_ends_take_turns() {
    // Unit squares in a row: growth is the same on both sides only in the middle.
    let row: Vec<Triangle> = (0..64)
        .map(|i| {
            let x = f64::from(i);
            [DVec3::new(x, 0.0, 0.0), DVec3::new(x + 1.0, 0.0, 0.0), DVec3::new(x, 1.0, 0.0)]
        })
        .collect();
    let bounds = Aabb::around(row.iter().flatten().copied());
    let mut rule = PaperSplit::<6>::new(row.len(), bounds, &row.as_slice());
    let mut polygons: Vec<u32> = (0..64).collect();
    let middle = rule.split(&mut polygons);
    assert_eq!(middle, 32);
    let (mut first, mut second) = (polygons[..32].to_vec(), polygons[32..].to_vec());
    first.sort_unstable();
    second.sort_unstable();
    if first[0] != 0 {
        std::mem::swap(&mut first, &mut second);
    }
    assert!(first.into_iter().eq(0..32) && second.into_iter().eq(32..64));
}

#[test]
fn the_answers_are_those_of_brute_force() {
    let models = [
        Model::new(Shape::Torus.generate(300, 0)),
        Model::new(Shape::Stairs.generate(60, 0)),
        Model::new(Shape::Soup.generate(100, 5)),
        Model::new(shapes::cuboid_of_quads([-0.5; 3], [0.5; 3]).unwrap()),
    ];
    fn compare<const K: usize>(models: &[Model; 4], cases: u64) {
        let engines = models.each_ref().map(DopEngine::<K, PaperBuilder>::of_paper);
        let mut scratch = Scratch::default();
        let mut met = 0;
        for case in 0..cases {
            let mut random = Random(case << 8 | K as u64);
            let [i, j] = [0, 1].map(|_| random.below(4) as usize);
            let place = if case % 2 == 0 {
                Trs::translation(random.lattice(4) * 0.25).unwrap()
            } else {
                let axis = (random.vector() + DVec3::new(0.0, 0.0, 1.5)).normalize();
                Trs::rigid(random.vector(), DQuat::from_axis_angle(axis, random.unit() * 3.0)).unwrap()
            };
            let (a, b) = (models[i].at(Trs::IDENTITY), models[j].at(place));
            let ask = IntersectOptions::new().pairs(true);
            let truth = a.intersect_with(&b, ask.engine(Engine::Brute));
            let found = DopEngine::intersect([&engines[i], &engines[j]], [&a, &b], ask, &mut scratch);
            assert_eq!((found.verdict, &found.pairs), (truth.verdict, &truth.pairs), "{K}, case {case}");
            met += u64::from(!truth.pairs.is_empty());
        }
        assert!(met * 4 > cases && met < cases, "{met} of {cases}");
    }
    let cases = if cfg!(debug_assertions) { 40 } else { 500 };
    compare::<6>(&models, cases);
    compare::<8>(&models, cases);
    compare::<14>(&models, cases);
    compare::<26>(&models, cases);
}

#[test]
fn the_builder_is_deterministic_and_the_binary_tree_complete() {
    let mesh = Mesh::from(Shape::Lock.generate(900, 0));
    let histogram = BinaryTree::<14>::build(&mesh).depth_histogram();
    assert_eq!(histogram.iter().sum::<usize>(), mesh.face_count());
    // Every level has room for the leaves: Kraft's sum of a binary tree is 1.
    let kraft: f64 = histogram.iter().enumerate().map(|(depth, &n)| n as f64 / (depth as f64).exp2()).sum();
    assert!((kraft - 1.0).abs() < 1e-12, "{kraft} {histogram:?}");
    let model = Model::new(mesh);
    let (points, triangles): (Vec<DVec3>, Vec<[u32; 3]>) = (
        model.mesh().vertices().collect(),
        (0..model.mesh().face_count() as u32).flat_map(|face| model.mesh().fan(face)).collect(),
    );
    let corners = || AnyCorners::Table(&points, &triangles);
    let build = |options: Build| -> DopTree<6> {
        PaperBuilder::build(options, triangles.len(), model.bounds(), corners())
    };
    assert!(build(Build::default()) == build(Build::LAZY));
    assert!(&build(Build::LAZY) == DopEngine::<6, PaperBuilder>::of_paper(&model).tree(&model));
}
