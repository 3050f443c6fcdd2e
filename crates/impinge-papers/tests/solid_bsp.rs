//! Solid BSP trees: nothing that is looked for is missed, and what they route is decided as brute force decides.

use crate::effort::share;
use std::collections::BTreeSet;
use std::ops::ControlFlow;
use std::time::Instant;

use crate::oracle::cases::Random;
use impinge::bounds::Aabb;
use impinge::math::{DAffine3, DMat3, DQuat, DVec3};
use impinge::query::{Engine, IntersectOptions};
use impinge::shapes::{self, Shape};
use impinge::{Deformable, Mesh, Model, Placement, Trs, Verdict};
use impinge_papers::blow::solid_bsp::{BspMemory, Routed, RoutedPolygon, RoutedRay, SolidBsp};
use impinge_papers::blow::{BspEngine, BspEngineMemory};

/// The kind of polygons of which few meet in a point.
const SMALL_TRIANGLES: u64 = 3;

fn case_count() -> u64 {
    // Models that only touch are few: with a small share of the cases there might be none.
    let least = if cfg!(debug_assertions) { 0 } else { 1500 };
    share(150, 6000).max(least)
}

/// Polygons of many kinds: crossing, flush, flat, bent, of one or two corners, double, tiny, huge, far away.
fn polygons(random: &mut Random, kind: u64) -> Vec<Vec<DVec3>> {
    let count = 1 + random.below(200) as usize;
    let scale = [1.0, 1e-310, 1e-260, 1e-200, 1e200, 1e290, 1.7e308][random.below(7) as usize];
    let one = |random: &mut Random| -> Vec<DVec3> {
        let corners = 1 + random.below(6) as usize;
        match kind {
            0 => (0..corners).map(|_| random.vector()).collect(),
            1 => (0..corners).map(|_| random.lattice(3)).collect(),
            2 => (0..corners).map(|_| random.lattice(4).with_z(0.0)).collect(),
            SMALL_TRIANGLES => {
                let p = random.vector();
                (0..3).map(|_| p + random.vector() * 0.1).collect()
            }
            // The sides of a round body, and a fan that is hardly bent.
            4 => {
                let p = random.vector().normalize_or(DVec3::X);
                let (u, v) = p.any_orthonormal_pair();
                [[1.0, 0.0], [0.0, 1.0], [-1.0, 0.0], [0.0, -1.0]]
                    .map(|[a, b]| p + 0.2 * (a * u + b * v))
                    .into()
            }
            5 => {
                let bend = [0.0, 1e-16, 1e-13, 1e-11, 1e-9][random.below(5) as usize];
                let around =
                    |i: u32| DVec3::new(f64::from(i).cos(), f64::from(i).sin(), bend * random.unit());
                let corners: Vec<DVec3> = (0..6).map(around).collect();
                let place = DQuat::from_axis_angle(random.vector().normalize_or(DVec3::X), random.unit());
                corners.into_iter().map(|p| place * p).collect()
            }
            6 => vec![DVec3::ZERO, DVec3::X, DVec3::Y],
            7 => (0..3).map(|_| DVec3::splat(1e9) + random.vector()).collect(),
            _ => (0..corners).map(|_| random.vector().clamp(-DVec3::ONE, DVec3::ONE) * scale).collect(),
        }
    };
    (0..count).map(|_| one(random)).collect()
}

/// A point of a polygon, which is the fan from its first corner.
fn point_of(random: &mut Random, corners: &[DVec3]) -> DVec3 {
    let last = corners.len() - 1;
    let k = random.below(last.max(1) as u64) as usize;
    let [a, b, c] = [0, k.min(last), (k + 1).min(last)].map(|i| corners[i]);
    match random.below(3) {
        0 => b,
        1 => a * 0.5 + c * 0.5,
        _ => {
            let (u, v) = (random.unit().abs(), random.unit().abs());
            let (u, v) = if u + v > 1.0 { (1.0 - u.min(1.0), 1.0 - v.min(1.0)) } else { (u, v) };
            a * (1.0 - u - v) + b * u + c * v
        }
    }
}

fn reached(tree: &SolidBsp, routed: &impl Routed, memory: &mut BspMemory) -> BTreeSet<u32> {
    let mut found = BTreeSet::new();
    tree.for_each_reached(routed, memory, |polygon| {
        assert!(found.insert(polygon), "{polygon} was shown twice");
        ControlFlow::Continue(())
    });
    found
}

#[test]
fn no_point_of_a_polygon_is_missed() {
    let mut memory = BspMemory::default();
    let (mut shown, mut all) = (0, 0);
    for case in 0..case_count() {
        let mut random = Random(case << 8 | 0xb0);
        let kind = random.below(9);
        let polygons = polygons(&mut random, kind);
        let tree = SolidBsp::build(polygons.len(), polygons.as_slice());
        let statistics = tree.statistics();
        assert_eq!(statistics.polygons, polygons.len());
        assert!(statistics.fragments <= 4 * polygons.len(), "case {case}: {statistics:?}");
        assert!(statistics.depth <= 256, "case {case}: {statistics:?}");
        for _ in 0..20 {
            let index = random.below(polygons.len() as u64) as u32;
            let point = point_of(&mut random, &polygons[index as usize]);
            let size =
                polygons[index as usize].iter().fold(0.0_f64, |size, p| size.max(p.abs().max_element()));
            let what = format!("case {case}: polygon {index} at {point}");
            let mut near = BTreeSet::new();
            // As far as the point may be off the polygon.
            let error = 4.0 * f64::EPSILON * size;
            let around = Aabb { min: point - DVec3::splat(error), max: point + DVec3::splat(error) };
            tree.for_each_near(&around, &mut memory, |polygon| {
                assert!(near.insert(polygon));
            });
            assert!(near.contains(&index), "{what}");
            if kind == SMALL_TRIANGLES {
                shown += near.len();
                all += polygons.len();
            }
            // Beyond this, differences overflow: such rays are not asked for.
            if size < 1e300 {
                let direction = random.vector().normalize_or(DVec3::X);
                let origin = point - direction * size * random.unit().abs();
                let ray = RoutedRay::new(&tree, origin, direction, 2.0 * error);
                assert!(reached(&tree, &ray, &mut memory).contains(&index), "{what}");
            }
            let mut through = RoutedPolygon::default();
            let far = [random.vector() * size * 0.1, random.vector() * size * 0.1];
            through.set(&tree, [point, point * 0.5 + far[0], point * 0.5 + far[1]], error);
            assert!(reached(&tree, &through, &mut memory).contains(&index), "{what}");
        }
    }
    println!("{shown} of {all} small triangles shown");
    assert!(shown * 8 < all, "{shown} of {all}");
}

#[test]
fn convex_bodies_are_not_cut_and_others_little() {
    for (shape, polygons, most) in
        [(Shape::Hovertank, 97, 130), (Shape::CargoBox, 12, 12), (Shape::RepairPad, 69, 100)]
    {
        let model = Model::new(shape.generate(0, 0));
        let statistics = BspEngine::new(&model).tree().statistics();
        println!("{shape}: {statistics:?}");
        assert_eq!(statistics.polygons, polygons);
        assert!((polygons..=most).contains(&statistics.fragments), "{shape}: {statistics:?}");
    }
    let ball = Model::new(shapes::icosphere(1.0, 1).unwrap());
    assert_eq!(BspEngine::new(&ball).tree().statistics().fragments, 20);
}

/// Models that are degenerate in their own ways: double, flat, crossing themselves, of polygons, without any area.
fn models() -> Vec<Model> {
    let shapes = [Shape::Hovertank, Shape::CargoBox, Shape::RepairPad, Shape::Quad];
    let mut meshes: Vec<Mesh> = shapes.iter().map(|shape| Mesh::from(shape.generate(0, 0))).collect();
    let twice = |mesh: &Mesh, shift: DVec3| {
        let points: Vec<DVec3> = mesh.vertices().chain(mesh.vertices().map(|p| p + shift)).collect();
        let more = mesh.vertex_count() as u32;
        let faces: Vec<[u32; 3]> = (0..mesh.face_count() as u32).flat_map(|face| mesh.fan(face)).collect();
        let others = faces.iter().map(|triangle| triangle.map(|vertex| vertex + more));
        Mesh::triangles(points, faces.iter().copied().chain(others).collect()).unwrap()
    };
    let cube = Mesh::from(shapes::cuboid([-0.5; 3], [0.5; 3]).unwrap());
    meshes.push(twice(&cube, DVec3::ZERO));
    meshes.push(twice(&cube, DVec3::new(0.5, 0.25, 0.0)));
    meshes.push(twice(&Mesh::from(Shape::Torus.generate(60, 0)), DVec3::new(0.25, 0.0, 0.125)));
    let grid = |columns: u32| {
        let points =
            (0..=columns).flat_map(move |y| (0..=columns).map(move |x| [f64::from(x), f64::from(y), 0.0]));
        let quad = move |x: u32, y: u32| {
            let first = y * (columns + 1) + x;
            [first, first + 1, first + columns + 2, first + columns + 1]
        };
        let quads = (0..columns).flat_map(move |y| (0..columns).map(move |x| quad(x, y)));
        Mesh::polygons(points.map(|p| p.map(|x| x * 0.25 - 1.0)), quads).unwrap()
    };
    meshes.push(grid(8));
    meshes.push(grid(14));
    meshes.push(
        Mesh::triangle_fan([[0.0; 3], [1.0, 0.0, 0.0], [1.0, 1.0, 0.25], [0.0, 1.0, 0.0], [-1.0, 0.0, 0.5]])
            .unwrap(),
    );
    meshes.push(Mesh::polygon([[0.0; 3], [1.0, 0.0, 0.0], [1.0, 1.0, 0.25], [0.0, 1.0, 0.0]]).unwrap());
    meshes.push(
        Mesh::triangles([[-1.0, 0.0, 0.0], [1.0, 0.0, 0.0]], vec![[0, 1, 1], [0, 0, 0], [1, 0, 1]]).unwrap(),
    );
    meshes.push(Mesh::from(Shape::Soup.generate(90, 3)));
    meshes.push(Mesh::from(Shape::Star.generate(240, 0)));
    meshes.into_iter().map(Model::new).collect()
}

/// Flush, crooked, mirrored, sheared, tiny, huge and far away.
fn placement(random: &mut Random, world: f64) -> Placement {
    let far = if random.below(6) == 0 { DVec3::new(1e9, -1e7, 3.0) } else { DVec3::ZERO };
    let turn = DQuat::from_axis_angle(random.vector().normalize_or(DVec3::X), 3.0 * random.unit());
    let (matrix3, translation) = match random.below(5) {
        0 | 1 => (DMat3::IDENTITY, random.lattice(5) * 0.125 + far),
        2 => (DMat3::from_cols(DVec3::Y, DVec3::X, DVec3::NEG_Z), random.lattice(4) * 0.25 + far),
        3 => {
            (DMat3::from_quat(turn) * DMat3::from_diagonal(DVec3::new(1.0, -0.5, 2.0)), random.vector() + far)
        }
        _ => {
            let shear = DMat3::from_cols(DVec3::X, DVec3::new(0.75, 1.0, 0.25), DVec3::new(-0.5, 0.25, 1.5));
            (shear * DMat3::from_quat(turn), random.vector() + far)
        }
    };
    Placement::try_from(DAffine3 { matrix3: matrix3 * world, translation: translation * world }).unwrap()
}

#[test]
fn pairs_and_verdicts_are_those_of_brute_force() {
    let models = models();
    let engines: Vec<BspEngine> = models.iter().map(BspEngine::new).collect();
    let mut memory = BspEngineMemory::default();
    let mut verdicts = [0; 3];
    for case in 0..case_count() {
        let mut random = Random(case << 8 | 0xb1);
        let [i, j] = [0, 1].map(|_| random.below(models.len() as u64) as usize);
        let world = [1.0, 1.0, 1.0, 1e-140, 1e-12, 1e120][random.below(6) as usize];
        let first = placement(&mut random, world);
        let second = if case % 3 == 0 {
            let step = Trs::translation(random.lattice(4) * 0.25).unwrap();
            Placement::from(step).then(&first).unwrap()
        } else {
            placement(&mut random, world)
        };
        let (a, b) = (models[i].at(first), models[j].at(second));
        for surface_only in [false, true] {
            let ask = IntersectOptions::new().pairs(true).surface_only(surface_only);
            let (own, others) = ([&engines[i], &engines[j]], [&engines[j], &engines[i]]);
            let truth = a.intersect_with(&b, ask.engine(Engine::Brute));
            let found = BspEngine::intersect(own, [&a, &b], ask, &mut memory);
            let what = format!("case {case}: {i} and {j}, {world}");
            assert_eq!((found.verdict, &found.pairs), (truth.verdict, &truth.pairs), "{what}");
            let flipped = BspEngine::intersect(others, [&b, &a], ask, &mut memory);
            assert_eq!(flipped.verdict, truth.verdict.flipped(), "{what}");
            let quick = ask.pairs(false);
            let first = BspEngine::intersect(own, [&a, &b], quick, &mut memory);
            assert_eq!(first.verdict, truth.verdict, "{what}");
            if let Some(faces) = first.witness.and_then(|witness| witness.faces) {
                assert!(truth.pairs.iter().any(|pair| [pair.face_a, pair.face_b] == faces), "{what}");
            }
            let (met, _) = BspEngine::intersects(own, [&a, &b], ask, &mut memory);
            assert_eq!(met, truth.verdict != Verdict::Clear, "{what}");
            verdicts[match truth.verdict {
                Verdict::Clear => 0,
                Verdict::Touching => 1,
                _ => 2,
            }] += 1;
        }
    }
    println!("clear, touching, overlapping or inside: {verdicts:?}");
    assert!(verdicts.iter().all(|&count| count > case_count() / 30), "{verdicts:?}");
}

/// Most of a model is never looked at where only a corner of it is near.
#[test]
fn what_is_far_from_the_other_is_not_tested() {
    let (knot, cube) =
        (Model::new(Shape::Knot.generate(5000, 0)), Model::new(shapes::cuboid([-0.1; 3], [0.1; 3]).unwrap()));
    let (a, b) = (knot.at(Trs::IDENTITY), cube.at(Trs::translation([0.83, 0.0, 0.1]).unwrap()));
    let ask = IntersectOptions::new().pairs(true);
    let engines = [&BspEngine::new(&knot), &BspEngine::new(&cube)];
    let found = BspEngine::intersect(engines, [&a, &b], ask, &mut BspEngineMemory::default());
    let all = a.intersect_with(&b, ask.engine(Engine::Brute));
    assert_eq!(found.pairs, all.pairs);
    assert!(!found.pairs.is_empty());
    assert!(found.stats.box_tests < 5000, "{:?}", found.stats);
    assert!(found.stats.face_tests < 20 * found.pairs.len() as u64, "{:?}", found.stats);
}

#[test]
fn a_body_that_is_beside_a_convex_one_is_soon_told_apart() {
    let crates = Model::new(Shape::CargoBox.generate(0, 0));
    let (a, b) = (crates.at(Trs::IDENTITY), crates.at(Trs::translation([1.9, 0.0, 1.3]).unwrap()));
    let engine = BspEngine::new(&crates);
    let memory = &mut BspEngineMemory::default();
    let answer = BspEngine::intersect([&engine; 2], [&a, &b], IntersectOptions::default(), memory);
    assert_eq!((answer.verdict, answer.stats.face_tests), (Verdict::Clear, 0));
    assert!(answer.stats.visits <= 12, "{:?}", answer.stats);
}

#[test]
fn moved_vertices_are_where_they_are() {
    let mut ball = Deformable::new(Mesh::from(shapes::icosphere(0.5, 4).unwrap()));
    let ring = Model::new(shapes::torus(1.0, 0.25, 24, 12).unwrap());
    let ask = IntersectOptions::new().pairs(true);
    let of_ring = BspEngine::new(&ring);
    for step in 0..6 {
        let wide = 1.0 + 0.25 * f64::from(step);
        let points: Vec<_> = Mesh::from(shapes::icosphere(0.5, 4).unwrap())
            .vertices()
            .map(|p| [wide * p.x, p.y, p.z])
            .collect();
        ball.set_vertices(&points).unwrap();
        let (a, b) = (ball.at(Trs::IDENTITY), ring.at(Trs::IDENTITY));
        let engines = [&BspEngine::new(ball.model()), &of_ring];
        let found = BspEngine::intersect(engines, [&a, &b], ask, &mut BspEngineMemory::default());
        let truth = a.intersect_with(&b, ask.engine(Engine::Brute));
        assert_eq!((found.verdict, found.pairs), (truth.verdict, truth.pairs), "{step}");
    }
}

/// Large meshes: fragments, depth, lists and so memory stay bounded, and so does the time.
#[test]
fn large_meshes_are_divided_within_bounds() {
    let most = if cfg!(debug_assertions) { 3000 } else { 70_000 };
    for shape in
        [Shape::Bumpy, Shape::Icosphere, Shape::Box, Shape::Terrain, Shape::Soup, Shape::Gear, Shape::Pipes]
    {
        let model = Model::new(shape.generate(most, 1));
        let start = Instant::now();
        let engine = BspEngine::new(&model);
        let tree = engine.tree();
        let seconds = start.elapsed().as_secs_f64();
        let statistics = tree.statistics();
        println!(
            "{shape}: {statistics:?}, {} bytes a face, {seconds:.3} s",
            tree.bytes() / statistics.polygons
        );
        assert!(statistics.fragments <= 4 * statistics.polygons, "{shape}: {statistics:?}");
        assert!(statistics.nodes <= 2 * statistics.fragments, "{shape}: {statistics:?}");
        // No plane holds more than 64; where a part has used up its cuts, the list that is left may be a little longer.
        assert!(statistics.depth < 150 && statistics.longest_list <= 128, "{shape}: {statistics:?}");
    }
}
