//! Distances of placed models: against brute force and against rational arithmetic, and 0 exactly when models meet.

use crate::effort::share;
use crate::oracle::cases::Random;
use crate::oracle::metric;
use impinge::math::{DAffine3, DMat3, DQuat, DVec3};
use impinge::mesh::Terrain;
use impinge::model::Feature;
use impinge::query::{Distance, DistanceOptions, Engine, IntersectOptions, Scratch};
use impinge::shapes::{self, Shape};
use impinge::tolerance::{DISTANCE_ABSOLUTE, DISTANCE_RELATIVE};
use impinge::{Mesh, Model, Placed, Placement, Trs};

fn poses() -> u64 {
    share(300, 20_000)
}

/// Small models of every kind and form.
fn models() -> Vec<Model> {
    let shapes = [
        (Shape::Box, 12),
        (Shape::Torus, 40),
        (Shape::Icosphere, 80),
        (Shape::Cylinder, 30),
        (Shape::Stairs, 28),
        (Shape::Star, 60),
        (Shape::Shell, 40),
        (Shape::Tetrahedron, 4),
        (Shape::Terrain, 18),
        (Shape::Soup, 12),
        (Shape::Triangle, 1),
    ];
    let mut meshes: Vec<Mesh> =
        shapes.iter().map(|&(shape, count)| Mesh::from(shape.generate(count, 7))).collect();
    meshes.push(Mesh::from(shapes::cuboid_of_quads([-0.5; 3], [0.5; 3]).unwrap()));
    meshes.push(
        Mesh::triangle_strip((0..9).map(|i| [f64::from(i) * 0.25 - 1.0, f64::from(i % 2), 0.0])).unwrap(),
    );
    let heights = (0..16).map(|i| f64::from(i * 7 % 5) * 0.25).collect();
    let terrain = Terrain { origin: [-0.75; 3], spacing: [0.5; 2], columns: 4, heights, holes: vec![4] };
    meshes.push(Mesh::terrain(terrain).unwrap());
    meshes.push(Mesh::point([0.25, 0.0, 0.0]).unwrap());
    meshes.push(Mesh::polygon([[0.0, 0.0, 0.0], [1.0, 0.5, 0.0]]).unwrap());
    // Faces without area: a needle, a segment and a point.
    let corners = [[0.0; 3], [1.0, 0.0, 0.0], [0.5, 1e-9, 0.0], [0.5, 0.0, 0.0]];
    meshes.push(Mesh::triangles(corners, vec![[0, 1, 2], [0, 1, 3], [3, 3, 3]]).unwrap());
    // Tiny triangles far from the model's origin.
    let tiny = (0..12).map(|i| {
        DVec3::new(700.0, 0.0, 0.0) + DVec3::new(f64::from(i % 3), f64::from(i % 2), f64::from(i % 5)) * 1e-3
    });
    meshes.push(Mesh::soup(tiny).unwrap());
    meshes.extend(crate::engines::of_polygons());
    meshes.into_iter().map(Model::new).collect()
}

fn crooked(random: &mut Random) -> DQuat {
    let axis = random.vector() + DVec3::new(0.0, 0.0, 1.5);
    DQuat::from_axis_angle(axis.normalize(), random.unit() * 3.0)
}

/// Exact, crooked, mirrored, sheared, scaled; near, farther and far.
fn placement(random: &mut Random) -> Placement {
    let far = if random.below(8) == 0 { DVec3::splat(1e6) } else { DVec3::ZERO };
    let apart = [0.4, 1.0, 3.0, 1000.0][random.below(4) as usize];
    match random.below(6) {
        // On a lattice: touching, coplanar and parallel things are common.
        0 | 1 => Trs::translation(random.lattice(5) * 0.25 + far).unwrap().into(),
        2 => {
            let matrix3 = DMat3::from_cols(DVec3::Y, -DVec3::X, DVec3::Z);
            Placement::try_from(DAffine3 { matrix3, translation: random.lattice(3) * 0.5 + far }).unwrap()
        }
        3 => Trs::rigid(random.vector() * apart + far, crooked(random)).unwrap().into(),
        4 => {
            let scale = if random.below(2) == 0 { DVec3::new(0.5, -2.0, 1.0) } else { DVec3::splat(-0.7) };
            Trs::new(random.vector() * apart + far, crooked(random), scale).unwrap().into()
        }
        _ => {
            let shear = DMat3::from_cols(DVec3::X, DVec3::new(0.7, 1.0, 0.2), DVec3::new(-0.4, 0.3, 1.5));
            let matrix3 = shear * DMat3::from_quat(crooked(random));
            Placement::try_from(DAffine3 { matrix3, translation: random.vector() * apart + far }).unwrap()
        }
    }
}

/// A largest coordinate that is no larger than the extent that the error is stated for.
fn extent(a: &Placed<'_>, b: &Placed<'_>) -> f64 {
    let origins = [a, b].map(|placed| placed.placement().world_from_model().translation);
    let from = |origin: DVec3| {
        [a, b]
            .iter()
            .flat_map(|placed| {
                let map = placed.placement().world_from_model();
                let moved = DAffine3 { matrix3: map.matrix3, translation: map.translation - origin };
                placed
                    .model()
                    .mesh()
                    .vertices()
                    .map(move |vertex| moved.transform_point3(vertex).abs().max_element())
            })
            .fold(0.0, f64::max)
    };
    // A turned frame may see a largest coordinate shorter by this.
    from(origins[0]).min(from(origins[1])) / 3f64.sqrt()
}

fn room(distance: f64, extent: f64) -> f64 {
    DISTANCE_RELATIVE * distance + DISTANCE_ABSOLUTE * extent
}

/// How far a point is from a feature.
fn from_feature(placed: &Placed<'_>, feature: Feature, point: DVec3) -> f64 {
    let mesh = placed.model().mesh();
    let map = placed.placement().world_from_model();
    // Near the point, so that the world's origin costs no digits.
    let moved = DAffine3 { matrix3: map.matrix3, translation: map.translation - point };
    let at = |vertex: u32| moved.transform_point3(mesh.vertex(vertex));
    let from_triangle = |corners: [u32; 3]| {
        impinge_core::narrow::distance::point_triangle(DVec3::ZERO, &corners.map(at)).squared.sqrt()
    };
    match feature {
        Feature::Vertex(vertex) => at(vertex).length(),
        Feature::Edge { vertices: [i, j], face, .. } => {
            assert!(i < j);
            let corners: Vec<u32> = mesh.corners(face).collect();
            let place = corners.iter().position(|&corner| corner == i).unwrap();
            let count = corners.len();
            let neighbors = [corners[(place + 1) % count], corners[(place + count - 1) % count]];
            assert!(neighbors.contains(&j) || corners.iter().filter(|&&c| c == i).count() > 1);
            from_triangle([i, j, j])
        }
        Feature::Face(face) => mesh.fan(face).map(from_triangle).fold(f64::INFINITY, f64::min),
        _ => unreachable!("there are no other features"),
    }
}

fn check_points(found: &Distance, a: &Placed<'_>, b: &Placed<'_>, what: &dyn Fn() -> String) {
    let rounding = 1e-15 * (found.point_on_a.abs().max_element() + found.point_on_b.abs().max_element());
    let slack = room(found.distance, extent(a, b)) * 4.0 + rounding * 8.0;
    let between = found.point_on_a.distance(found.point_on_b);
    assert!((between - found.distance).abs() <= slack, "{}: {found:?}", what());
    for (placed, feature, point) in
        [(a, found.feature_a, found.point_on_a), (b, found.feature_b, found.point_on_b)]
    {
        if let Some(feature) = feature {
            let off = from_feature(placed, feature, point);
            assert!(off <= slack, "{}: {off:e} {found:?}", what());
        } else {
            assert_eq!(found.distance, 0.0);
        }
    }
}

#[test]
fn trees_agree_with_brute_force() {
    let models = models();
    let mut scratch = Scratch::default();
    let (mut zeros, mut worst) = (0, 0.0_f64);
    for case in 0..poses() {
        let mut random = Random(case << 8 | 0xe0);
        let [i, j] = [0, 1].map(|_| random.below(models.len() as u64) as usize);
        let (a, b) = (models[i].at(placement(&mut random)), models[j].at(placement(&mut random)));
        let what = || format!("case {case}: models {i} and {j}, {:?} {:?}", a.placement(), b.placement());
        for surface_only in [false, true] {
            let ask = DistanceOptions::new().surface_only(surface_only);
            let truth = a.distance_with(&b, ask.engine(Engine::Brute)).unwrap();
            let found = a.distance_in(&b, ask, &mut scratch).unwrap();
            let error = (found.distance - truth.distance).abs();
            worst = worst.max(error / found.distance.max(1e-300));
            assert!(error <= DISTANCE_RELATIVE * truth.distance, "{}: {found:?} {truth:?}", what());
            // Zero exactly when they meet.
            let meet = a.intersects_in(&b, IntersectOptions::new().surface_only(surface_only), &mut scratch);
            assert_eq!(found.distance == 0.0, meet, "{}: {found:?}", what());
            assert_eq!(truth.distance == 0.0, meet, "{}: {truth:?}", what());
            zeros += u64::from(meet);
            check_points(&found, &a, &b, &what);
            // Exchanging the models exchanges nothing but the names.
            let exchanged = b.distance_in(&a, ask, &mut scratch).unwrap();
            assert_eq!(exchanged.flipped(), found, "{}", what());
        }
    }
    println!("{zeros} of {} meet; largest relative difference {worst:e}", 2 * poses());
    assert!(zeros * 10 > poses() && zeros < poses());
}

#[test]
#[cfg_attr(debug_assertions, ignore = "long: runs in release")]
fn larger_meshes_agree_with_brute_force() {
    let (knot, bumpy) = (Model::new(Shape::Knot.generate(800, 1)), Model::new(Shape::Bumpy.generate(900, 2)));
    let mut scratch = Scratch::default();
    for case in 0..150 {
        let mut random = Random(case << 8 | 0xe1);
        let (a, b) = (knot.at(placement(&mut random)), bumpy.at(placement(&mut random)));
        let ask = DistanceOptions::default();
        let truth = a.distance_with(&b, ask.engine(Engine::Brute)).unwrap().distance;
        let found = a.distance_in(&b, ask, &mut scratch).unwrap();
        assert!(
            (found.distance - truth).abs() <= DISTANCE_RELATIVE * truth,
            "case {case}: {found:?} {truth}"
        );
        check_points(&found, &a, &b, &|| format!("case {case}"));
    }
}

/// Small models in the places where exact arithmetic puts them.
#[test]
fn the_stated_error_holds_in_rational_arithmetic() {
    let models = [
        Mesh::from(Shape::Tetrahedron.generate(4, 3)),
        Mesh::from(Shape::Octahedron.generate(8, 3)),
        Mesh::from(Shape::Soup.generate(6, 3)),
        Mesh::polygon([[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [1.0, 1.0, 0.0], [0.3, 1.2, 0.1]]).unwrap(),
        Mesh::triangles([[0.0; 3], [1.0, 0.0, 0.0], [0.5, 1e-9, 0.0]], vec![[0, 1, 2]]).unwrap(),
    ]
    .map(Model::new);
    let rational = |placed: &Placed<'_>| -> Vec<[metric::Exact; 3]> {
        let map = placed.placement().world_from_model();
        let columns = map.matrix3.to_cols_array_2d().map(|column| metric::exact(DVec3::from_array(column)));
        let translation = metric::exact(map.translation);
        let mesh = placed.model().mesh();
        let place = |vertex: u32| {
            let x = metric::exact(mesh.vertex(vertex));
            [0, 1, 2].map(|i| {
                &columns[0][i] * &x[0] + &columns[1][i] * &x[1] + &columns[2][i] * &x[2] + &translation[i]
            })
        };
        (0..mesh.face_count() as u32).flat_map(|face| mesh.fan(face)).map(|t| t.map(place)).collect()
    };
    let mut worst = 0.0_f64;
    for case in 0..share(10, 400) {
        let mut random = Random(case << 8 | 0xe2);
        let [i, j] = [0, 1].map(|_| random.below(models.len() as u64) as usize);
        let (a, b) = (models[i].at(placement(&mut random)), models[j].at(placement(&mut random)));
        let found = a.distance(&b).distance;
        if found == 0.0 {
            continue;
        }
        let (of_a, of_b) = (rational(&a), rational(&b));
        let least = of_a.iter().flat_map(|s| of_b.iter().map(|t| metric::between(s, t))).min().unwrap();
        let truth = metric::root(&least);
        let error = (found - truth).abs();
        worst = worst.max(error / room(truth, extent(&a, &b)));
        assert!(error <= room(truth, extent(&a, &b)), "case {case}: {found} {truth} {error:e}");
    }
    println!("largest error: {worst} of what is stated");
}

#[test]
fn far_apart_near_and_of_every_size() {
    let ball = Model::new(shapes::icosphere(1.0, 6).unwrap());
    let knot = Model::new(Shape::Knot.generate(600, 4));
    let mut scratch = Scratch::default();
    for exponent in [-280, -150, -60, -40, -20, 0, 20, 40, 60, 130] {
        let scale = 10f64.powi(exponent);
        for apart in [2.1, 3.0, 40.0, 100.0, 1e4, 1e7, 1e10, 1e13] {
            // Very small and very large by their coordinates, else by their placement.
            let size = if exponent.abs() > 129 { scale } else { 1.0 };
            let points = |model: &Model| model.mesh().vertices().map(|v| v * size).collect::<Vec<_>>();
            let table = |model: &Model| model.mesh().triangle_table().unwrap().1.to_vec();
            let ball = Model::new(Mesh::triangles(points(&ball), table(&ball)).unwrap());
            let knot = Model::new(Mesh::triangles(points(&knot), table(&knot)).unwrap());
            let direction = DVec3::new(0.36, 0.48, 0.8);
            let place = |at: DVec3, turn: f64| {
                let rotation = DQuat::from_axis_angle(DVec3::new(0.6, 0.8, 0.0), turn);
                Trs::new(at * scale, rotation, DVec3::splat(scale / size)).unwrap()
            };
            let a = ball.at(place(DVec3::ZERO, 0.3));
            let b = knot.at(place(direction * apart, 1.1));
            let truth =
                a.distance_with(&b, DistanceOptions::default().engine(Engine::Brute)).unwrap().distance;
            let found = a.distance_in(&b, DistanceOptions::default(), &mut scratch).unwrap();
            let what = format!("1e{exponent}, {apart}: {found:?} {truth:e}");
            assert!((found.distance - truth).abs() <= DISTANCE_RELATIVE * truth, "{what}");
            let about = (apart - 2.0) * scale;
            assert!(
                found.distance >= about * (1.0 - 1e-9) && found.distance < (apart + 1.0) * scale,
                "{what}"
            );
        }
    }
}

#[test]
fn nothing_overflows() {
    let large = 1.6e308;
    let model = Model::new(
        Mesh::triangles([[large, 0.0, 0.0], [0.0, large, 0.0], [0.0, 0.0, large]], vec![[0, 1, 2]]).unwrap(),
    );
    let point = Model::new(Mesh::point([-large; 3]).unwrap());
    let found = model.at(Trs::IDENTITY).distance(&point.at(Trs::IDENTITY));
    assert!(found.distance > 1.7e308, "{found:?}");
    let near = Model::new(Mesh::point([large / 2.0, large / 2.0, 1e300]).unwrap());
    let found = model.at(Trs::IDENTITY).distance(&near.at(Trs::IDENTITY));
    assert!((found.distance / (1e300 / 3f64.sqrt()) - 1.0).abs() < 1e-5, "{found:?}");
    // Subnormal numbers.
    let tiny = f64::from_bits(64);
    let [a, b] = [0.0, 3.0].map(|x| Model::new(Mesh::point([x * tiny, 0.0, 0.0]).unwrap()));
    assert_eq!(a.at(Trs::IDENTITY).distance(&b.at(Trs::IDENTITY)).distance, 3.0 * tiny);
    // Huge by placement: brought back by a placement as small.
    let scaled = |scale: f64| Trs::scaling(DVec3::splat(scale)).unwrap();
    let huge = Model::new(Mesh::point([1e200, 0.0, 0.0]).unwrap());
    let found = huge.at(scaled(1e-140)).distance(&b.at(Trs::IDENTITY));
    assert!((found.distance / 1e60 - 1.0).abs() < 1e-12, "{found:?}");
}

#[test]
fn limits() {
    let models = models();
    let mut scratch = Scratch::default();
    let mut beyond = 0;
    for case in 0..poses() / 10 {
        let mut random = Random(case << 8 | 0xe3);
        let [i, j] = [0, 1].map(|_| random.below(models.len() as u64) as usize);
        let (a, b) = (models[i].at(placement(&mut random)), models[j].at(placement(&mut random)));
        let truth = a.distance(&b);
        for limit in [0.0, 0.25, 1.0, truth.distance, truth.distance * 0.999, truth.distance * 1.001] {
            let is_within = truth.distance <= limit;
            let ask = DistanceOptions::new().at_most(limit);
            let found = a.distance_in(&b, ask, &mut scratch);
            // At the very limit, what is found may differ by the error from what was found without one.
            if limit != truth.distance {
                assert_eq!(found.is_some(), is_within, "case {case}: {limit} {truth:?} {found:?}");
                assert_eq!(a.is_within(&b, limit), is_within, "case {case}: {limit} {truth:?}");
            }
            if let Some(found) = found {
                let error = (found.distance - truth.distance).abs();
                assert!(
                    error <= DISTANCE_RELATIVE * truth.distance,
                    "case {case}: {limit} {truth:?} {found:?}"
                );
            } else {
                beyond += 1;
            }
            let ask = DistanceOptions::new().enough(limit);
            let enough = a.distance_in(&b, ask, &mut scratch).unwrap().distance;
            assert!(enough <= limit.max(truth.distance * (1.0 + DISTANCE_RELATIVE)), "case {case}");
        }
        assert_eq!(a.distance_within(&b, f64::NAN), None);
        assert_eq!(a.distance_within(&b, -1.0), None);
    }
    assert!(beyond > poses() / 20);
}

#[test]
fn known_distances() {
    let cube = Model::new(shapes::cuboid([-1.0; 3], [1.0; 3]).unwrap());
    let at = |x: f64, y: f64, z: f64| cube.at(Trs::translation(DVec3::new(x, y, z)).unwrap());
    let here = at(0.0, 0.0, 0.0);
    assert_eq!(here.distance(&at(5.0, 0.0, 0.0)).distance, 3.0);
    assert_eq!(here.distance(&at(5.0, 6.0, 0.0)).distance, 5.0);
    assert_eq!(here.distance(&at(4.0, 4.0, 3.0)).distance, 3.0);
    let corner = here.distance(&at(5.0, 6.0, 14.0));
    assert_eq!(corner.distance, 13.0);
    assert!(matches!(
        (corner.feature_a, corner.feature_b),
        (Some(Feature::Vertex(_)), Some(Feature::Vertex(_)))
    ));
    assert_eq!((corner.point_on_a, corner.point_on_b), (DVec3::ONE, DVec3::new(4.0, 5.0, 13.0)));
    // Touching at a face, an edge, a corner; half shifted; equal.
    for (x, y, z) in [(2.0, 0.0, 0.0), (2.0, 2.0, 0.0), (2.0, 2.0, 2.0), (1.0, 0.0, 0.0), (0.0, 0.0, 0.0)] {
        let zero = here.distance(&at(x, y, z));
        assert_eq!((zero.distance, zero.point_on_a), (0.0, zero.point_on_b), "{x} {y} {z}");
        assert!(zero.feature_a.is_some());
    }
    // Inside: zero as a solid, not as a surface.
    let small = cube.at(Trs::scaling(DVec3::splat(0.5)).unwrap());
    let inside = here.distance(&small);
    assert_eq!((inside.distance, inside.feature_a, inside.feature_b), (0.0, None, None));
    let surface = DistanceOptions::new().surface_only(true);
    let between = here.distance_with(&small, surface).unwrap();
    assert_eq!(between.distance, 0.5);
    // One unit in the last place apart.
    let next = at(2.0_f64.next_up(), 0.0, 0.0);
    assert_eq!(here.distance(&next).distance, 2.0_f64.next_up() - 2.0);
    // Concentric shells, one percent apart.
    let shell = Model::new(shapes::icosphere(1.0, 5).unwrap());
    let (outer, inner) = (shell.at(Trs::IDENTITY), shell.at(Trs::scaling(DVec3::splat(0.99)).unwrap()));
    let gap = outer.distance_with(&inner, surface).unwrap().distance;
    assert!(gap > 0.0098 && gap < 0.01, "{gap}");
}

/// Walls of many triangles: every pair of opposite triangles is equally close.
#[test]
fn parallel_walls() {
    let side = 60;
    let heights = vec![0.0; (side * side) as usize];
    let terrain = |holes| Terrain {
        origin: [0.0; 3],
        spacing: [0.1; 2],
        columns: side as usize,
        heights: heights.clone(),
        holes,
    };
    let wall = Model::new(Mesh::terrain(terrain(vec![])).unwrap());
    let other = Model::new(Mesh::terrain(terrain(vec![3])).unwrap());
    for turn in [0.0, 0.3] {
        let rotation = DQuat::from_rotation_z(turn);
        let b = other.at(Trs::rigid(DVec3::new(0.03, 0.05, 0.7), rotation).unwrap());
        let found = wall.at(Trs::IDENTITY).distance(&b);
        assert!((found.distance - 0.7).abs() <= room(0.7, 1.0), "{found:?}");
    }
}

#[test]
fn closest_points() {
    let models = models();
    let mut scratch = Scratch::default();
    for case in 0..poses() {
        let mut random = Random(case << 8 | 0xe4);
        let i = random.below(models.len() as u64) as usize;
        let placed = models[i].at(placement(&mut random));
        let middle = placed.bounds().center();
        let apart = [1.0, 3.0, 1e3, 1e7][random.below(4) as usize];
        let point = match random.below(3) {
            0 => middle + random.lattice(4) * 0.25,
            1 => placed.placement().point_to_world(placed.model().mesh().vertex(0)),
            _ => middle + random.vector() * apart,
        };
        let what = || format!("case {case}: model {i} {:?} {point}", placed.placement());
        let truth = placed.closest_point_with(point, DistanceOptions::new().engine(Engine::Brute)).unwrap();
        let found = placed.closest_point_in(point, DistanceOptions::new(), &mut scratch).unwrap();
        let error = (found.distance - truth.distance).abs();
        assert!(error <= DISTANCE_RELATIVE * truth.distance, "{}: {found:?} {truth:?}", what());
        let rounding = 1e-14 * (point.abs().max_element() + found.point_in_world.abs().max_element() + 700.0);
        assert!(
            (found.point_in_world.distance(point) - found.distance).abs() <= rounding,
            "{}: {found:?}",
            what()
        );
        assert!(
            from_feature(&placed, found.feature, found.point_in_world) <= rounding,
            "{}: {found:?}",
            what()
        );
        let limit = truth.distance * 0.99;
        assert_eq!(
            placed.closest_point_in(point, DistanceOptions::new().at_most(limit), &mut scratch).is_some(),
            truth.distance == 0.0
        );
        assert!(
            placed
                .closest_point_in(point, DistanceOptions::new().at_most(truth.distance * 1.01), &mut scratch)
                .is_some()
        );
    }
}

#[test]
fn many_points_are_answered_like_each() {
    let knot = Model::new(Shape::Knot.generate(500, 1));
    let placed = knot.at(Trs::rigid(DVec3::new(1.0, 2.0, 3.0), DQuat::from_rotation_y(0.4)).unwrap());
    let mut random = Random(5);
    let mut points: Vec<DVec3> =
        (0..2000).map(|_| DVec3::new(1.0, 2.0, 3.0) + random.vector() * 1.5).collect();
    points[77] = DVec3::new(f64::NAN, 0.0, 0.0);
    points[78] = DVec3::new(0.0, f64::INFINITY, 0.0);
    let each: Vec<_> = points.iter().map(|&point| placed.closest_point(point)).collect();
    assert_eq!(placed.closest_points(&points), each);
    assert!(each[77].is_none() && each[78].is_none() && each[79].is_some());
    let signed: Vec<_> = points.iter().map(|&point| placed.signed_distance(point)).collect();
    assert_eq!(placed.signed_distances(&points), signed);
    let inside = signed.iter().flatten().filter(|one| one.is_inside).count();
    assert!(inside > 20 && inside < 1000, "{inside}");
}

/// A cube with a cavity, mirrored and sheared: inside is what lies between the two.
#[test]
fn signs() {
    let cube = |size: f64, inward: bool| {
        let mesh = Mesh::from(shapes::cuboid([-size; 3], [size; 3]).unwrap());
        let (points, triangles) = mesh.triangle_table().unwrap();
        let turned = triangles.iter().map(|&[a, b, c]| if inward { [a, c, b] } else { [a, b, c] });
        (points.to_vec(), turned.collect::<Vec<_>>())
    };
    let ((mut points, mut faces), (inner, inner_faces)) = (cube(1.0, false), cube(0.5, true));
    let shift = points.len() as u32;
    points.extend(inner);
    faces.extend(inner_faces.iter().map(|face| face.map(|vertex| vertex + shift)));
    let hollow = Model::new(Mesh::triangles(points, faces).unwrap());
    let mut random = Random(8);
    for _ in 0..poses() / 20 {
        let placed = hollow.at(placement(&mut random));
        let point = DVec3::new(random.unit(), random.unit(), random.unit()) * 1.3;
        let size = point.abs().max_element();
        let expected = size > 0.5 && size < 1.0;
        let signed = placed.signed_distance(placed.placement().point_to_world(point)).unwrap();
        if (size - 0.5).abs() > 1e-8 && (size - 1.0).abs() > 1e-8 {
            assert_eq!(signed.is_inside, expected, "{point} {:?}", placed.placement());
            assert_eq!(signed.signed() < 0.0, expected);
        }
    }
    // On the surface, and with nothing closed.
    let placed = hollow.at(Trs::IDENTITY);
    assert_eq!(placed.signed_distance([1.0, 0.25, 0.125]).unwrap().signed(), 0.0);
    let open = Model::new(Mesh::polygon([[0.0; 3], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]]).unwrap());
    assert_eq!(open.at(Trs::IDENTITY).signed_distance([0.25, 0.25, -1.0]).unwrap().signed(), 1.0);
}

/// A point is nearest to the inside of a large triangle, though an edge of a small one is nearer than the large one's: in every size that is measured.
#[test]
fn insides_are_nearest_in_every_size() {
    for exponent in [-300, -166, -160, -60, 0, 60, 160, 175, 190, 225, 300] {
        let unit = f64::from(exponent).exp2();
        let corners = [
            [-1.0, -1.0, 0.0],
            [1.0, -1.0, 0.0],
            [0.0, 1.0, 0.0],
            [0.0625, -0.25, 0.015625],
            [0.125, -0.25, 0.015625],
            [0.125, -0.125, 0.015625],
        ];
        let host = Model::new(Mesh::soup(corners.map(|corner| DVec3::from(corner) * unit)).unwrap());
        let guest = Model::new(Mesh::point(DVec3::new(0.0, -0.25, 0.015625) * unit).unwrap());
        let found = host.at(Trs::IDENTITY).distance(&guest.at(Trs::IDENTITY));
        assert_eq!(found.distance, 0.015625 * unit, "2^{exponent}");
        assert_eq!(found.feature_a, Some(Feature::Face(0)), "2^{exponent}");
    }
}

#[test]
fn winding_numbers() {
    let ball = Model::new(shapes::icosphere(1.0, 6).unwrap());
    let mut random = Random(9);
    for _ in 0..200 {
        let placed = ball.at(placement(&mut random));
        let point = random.vector() * 1.5;
        let expected = if point.length() < 0.97 { 1.0 } else { 0.0 };
        if (point.length() - 0.985).abs() > 0.02 {
            let number = placed.winding_number(placed.placement().point_to_world(point)).unwrap();
            assert!((number - expected).abs() < 1e-7, "{point}: {number}");
        }
    }
    // One face of a cube, seen from its middle, is a sixth of everything; from the other side of it, minus that.
    let square = [[1.0, -1.0, -1.0], [1.0, 1.0, -1.0], [1.0, 1.0, 1.0], [1.0, -1.0, 1.0]];
    let side = Model::new(Mesh::polygon(square).unwrap());
    let number = |scale: f64, x: f64| {
        let placed = side.at(Trs::scaling(DVec3::splat(scale)).unwrap());
        placed.winding_number([x * scale.abs(), 0.0, 0.0]).unwrap()
    };
    assert!((number(1.0, 0.0) - 1.0 / 6.0).abs() < 1e-15);
    assert!((number(1.0, 2.0) + 1.0 / 6.0).abs() < 1e-15);
    assert!((number(1e-120, 0.0) - 1.0 / 6.0).abs() < 1e-15);
    assert!((number(1e120, 0.0) - 1.0 / 6.0).abs() < 1e-15);
    assert_eq!(side.at(Trs::IDENTITY).winding_number([f64::NAN, 0.0, 0.0]), None);
}
