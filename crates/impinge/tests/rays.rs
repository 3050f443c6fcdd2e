//! Rays against fractions: which faces are hit, when, in which order; random rays and degenerate ones.

use crate::effort::share;
use crate::oracle;
use crate::oracle::cases::{self, FAMILIES, Random};
use dashu_ratio::RBig;
use impinge::math::{DAffine3, DMat3, DQuat, DVec3};
use impinge::mesh::Terrain;
use impinge::query::{Engine, Ray, RayError, RayHit, RayOptions, RayPart};
use impinge::shapes::{self, Shape};
use impinge::{Mesh, Model, Placed, Placement, Trs};
use impinge_core::narrow::ray_tri::{Beam, cross_triangle, exact_time};

fn triangles_per_family() -> u64 {
    share(1_000, 40_000)
}
fn all_rays() -> u64 {
    share(400, 40_000)
}

/// A ray that is likely to meet a triangle, or to miss it by nothing.
fn ray_at(random: &mut Random, corners: &[DVec3; 3], others: &[DVec3; 3]) -> (DVec3, DVec3) {
    let [a, b, c] = *corners;
    // Points with few bits stay exact: corners, middles of edges, the middle.
    let target = match random.below(6) {
        0 => a,
        1 => (a + b) * 0.5,
        2 => b + (c - b) * 0.25,
        3 => (a + b) * 0.25 + c * 0.5,
        4 => others[1],
        _ => a + (b - a) * random.unit() + (c - a) * random.unit(),
    };
    let origin = match random.below(8) {
        // On the triangle: at a corner, on an edge, inside.
        0 => b,
        1 => (a + c) * 0.5,
        2 => (a + b) * 0.5 + (c - a) * 0.25,
        // In its plane.
        3 => a + (b - a) * 2.0,
        4 => a + (b - a) * 2.0 + (c - a) * 3.0,
        5 => others[2],
        _ => others[0],
    };
    let direction = match random.below(8) {
        0 => b - a,
        1 => a - b,
        2 => [DVec3::X, DVec3::Y, -DVec3::Z][random.below(3) as usize],
        3 => others[1] - others[0],
        4 => (b - a) + (c - a),
        _ => target - origin,
    };
    (origin, direction)
}

fn is_fine(point: DVec3) -> bool {
    point.abs().max_element() <= 1e300
}

#[test]
fn triangles_agree_with_fractions() {
    let (mut hits, mut in_plane, mut at_start) = (0, 0, 0);
    for (family, name) in FAMILIES.iter().enumerate() {
        for i in 0..triangles_per_family() {
            let mut random = Random((i << 8) | (0x31 + family as u64));
            let [corners, others] = cases::pair(family, &mut random);
            let (origin, direction) = ray_at(&mut random, &corners, &others);
            if direction == DVec3::ZERO || !is_fine(direction) || !is_fine(origin) {
                continue;
            }
            let truth = oracle::ray::triangle(origin, direction, &corners);
            let beam = Beam::new(origin, direction);
            let what = || format!("family {name}, case {i}: {origin:?} {direction:?} {corners:?}");
            let found = cross_triangle(&beam, &corners);
            assert_eq!(found.is_some(), truth.is_some(), "{}", what());
            assert_eq!(exact_time(&beam, &corners).is_some(), truth.is_some(), "{}", what());
            let (Some(found), Some((time, heading))) = (found, truth) else { continue };
            assert_eq!(found.heading as i32, heading, "{}", what());
            assert!(found.t.is_finite() && found.error.is_finite(), "{}: {found:?}", what());
            if found.t < f64::MAX {
                let (least, most) = (found.t - found.error, found.t + found.error);
                let within = oracle::ray::exact(least) <= time && time <= oracle::ray::exact(most);
                assert!(within, "{}: {found:?} {time}", what());
            }
            // The corners' order does not matter, but for the side.
            let turned = cross_triangle(&beam, &[corners[2], corners[1], corners[0]]).unwrap();
            assert_eq!(turned.heading, -found.heading, "{}", what());
            hits += 1;
            in_plane += u64::from(heading == 0);
            at_start += u64::from(time == RBig::ZERO);
        }
    }
    println!("{hits} hits, {in_plane} of them in the plane or without area, {at_start} at the start");
    let all = triangles_per_family() * FAMILIES.len() as u64;
    assert!(hits * 5 > all && in_plane * 20 > all && at_start * 20 > all);
}

/// Small models of every kind and form.
fn models() -> Vec<Model> {
    let shapes = [
        (Shape::Box, 12),
        (Shape::Torus, 40),
        (Shape::Icosphere, 80),
        (Shape::Stairs, 28),
        (Shape::Star, 60),
        (Shape::Bumpy, 60),
        (Shape::Octahedron, 8),
        (Shape::Terrain, 18),
        (Shape::Soup, 12),
        (Shape::Triangle, 1),
    ];
    let mut meshes: Vec<Mesh> =
        shapes.iter().map(|&(shape, count)| Mesh::from(shape.generate(count, 7))).collect();
    meshes.push(Mesh::from(shapes::cuboid_of_quads([-0.5; 3], [0.5; 3]).unwrap()));
    let zigzag = (0..9).map(|i| [f64::from(i) * 0.25 - 1.0, f64::from(i % 2), f64::from(i % 3) * 0.25]);
    meshes.push(Mesh::triangle_strip(zigzag.clone()).unwrap());
    meshes.push(Mesh::triangle_fan(zigzag).unwrap());
    let heights = (0..16).map(|i| f64::from(i * 7 % 5) * 0.25).collect();
    let terrain = Terrain { origin: [-0.75; 3], spacing: [0.5; 2], columns: 4, heights, holes: vec![4] };
    meshes.push(Mesh::terrain(terrain).unwrap());
    meshes.push(Mesh::point([0.25, 0.0, 0.0]).unwrap());
    meshes.push(Mesh::polygon([[0.0, 0.0, 0.0], [1.0, 0.5, 0.0]]).unwrap());
    // Pieces of split polygons share a label.
    let cube = Mesh::from(Shape::Box.generate(12, 7));
    let labels = (0..cube.face_count() as u32).map(|face| (face / 2 + 3) % 6).collect();
    meshes.push(cube.with_labels(labels).unwrap());
    // Far from its own origin, and at the ends of the range.
    for (scale, shift) in [(1e-3, 1e6), (1e-120, 0.0), (1e120, 0.0), (0.25, 0.0)] {
        let points = Mesh::from(Shape::Icosphere.generate(80, 1))
            .vertices()
            .map(|p| p * scale + shift)
            .collect::<Vec<_>>();
        let mesh = Mesh::from(Shape::Icosphere.generate(80, 1));
        let triangles = (0..mesh.face_count() as u32).map(|face| mesh.fan_triangle(face, 0)).collect();
        meshes.push(Mesh::triangles(points, triangles).unwrap());
    }
    meshes.into_iter().map(Model::new).collect()
}

fn placement(random: &mut Random) -> Placement {
    let turn = DQuat::from_axis_angle(DVec3::new(0.48, 0.6, 0.64), random.unit() * 3.0);
    match random.below(6) {
        0 | 1 => Placement::IDENTITY,
        2 => Trs::translation(random.lattice(4) * 0.25).unwrap().into(),
        3 => Trs::new(random.vector(), turn, [0.5, -2.0, 1.5]).unwrap().into(),
        4 => Trs::new(random.vector() * 1e6, turn, [1e-9, 1e-9, 1e-9]).unwrap().into(),
        _ => {
            let shear = DMat3::from_cols(DVec3::X, DVec3::new(0.7, 1.0, 0.2), DVec3::new(-0.4, 0.3, -1.5));
            Placement::try_from(DAffine3 { matrix3: shear, translation: random.vector() }).unwrap()
        }
    }
}

/// A ray in the world, aimed at something special of a placed model.
fn world_ray(random: &mut Random, placed: &Placed<'_>) -> Option<Ray> {
    let mesh = placed.model().mesh();
    let face = random.below(mesh.face_count() as u64) as u32;
    let other = random.below(mesh.face_count() as u64) as u32;
    let corners =
        |face: u32| (mesh.fan_count(face) > 0).then(|| mesh.fan_triangle(face, 0).map(|v| mesh.vertex(v)));
    let (corners, others) = (corners(face)?, corners(other)?);
    let reach = placed.model().bounds().size().max_element() + 1e-130;
    let (mut origin, direction) = ray_at(random, &corners, &others);
    let mut direction = match random.below(5) {
        // From outside, through the target.
        0 | 1 => {
            let target = origin;
            origin += random.lattice(3) * 0.5 * reach;
            target - origin
        }
        2 => random.lattice(2),
        _ => direction,
    };
    if random.below(8) == 0 {
        direction *= [1e-100, 1e100, 0.125][random.below(3) as usize];
    }
    let placement = placed.placement();
    let ray = Ray::new(placement.point_to_world(origin), placement.vector_to_world(direction)).ok()?;
    Some(match random.below(4) {
        0 => ray.up_to([0.0, 0.5, 1.0, 2.0][random.below(4) as usize]).unwrap(),
        _ => ray,
    })
}

/// All hits by fractions: time, label and heading of each, in order; labels once for each time.
fn truth(placed: &Placed<'_>, ray: &Ray, cull_back: bool) -> Vec<(RBig, u32)> {
    let mesh = placed.model().mesh();
    let origin = placed.placement().point_to_model(ray.origin());
    let direction = placed.placement().vector_to_model(ray.direction());
    let mut hits = Vec::new();
    for face in 0..mesh.face_count() as u32 {
        for triangle in mesh.fan(face) {
            let corners = triangle.map(|vertex| mesh.vertex(vertex));
            let Some((time, heading)) = oracle::ray::triangle(origin, direction, &corners) else { continue };
            let too_late = ray.max_t().is_finite() && time > oracle::ray::exact(ray.max_t());
            if !(too_late || cull_back && heading > 0) {
                hits.push((time, mesh.label(face)));
            }
        }
    }
    hits.sort();
    hits.dedup();
    hits
}

fn check_hit(placed: &Placed<'_>, ray: &Ray, hit: &RayHit, time: &RBig, what: &dyn Fn() -> String) {
    let exact = time.to_f64().value();
    assert!((hit.t - exact).abs() <= 1e-12 * exact, "{}: {} {exact}", what(), hit.t);
    let sum: f64 = hit.barycentric.iter().sum();
    assert!(
        (sum - 1.0).abs() < 1e-6 && hit.barycentric.iter().all(|w| (0.0..=1.0).contains(w)),
        "{}",
        what()
    );
    // The point is on the ray and, up to the rounding of the way there and back, where the weights say.
    let placement = placed.placement();
    let corners = hit.triangle.map(|vertex| placement.point_to_world(placed.model().mesh().vertex(vertex)));
    let on_face: DVec3 = corners.iter().zip(hit.barycentric).map(|(&corner, weight)| corner * weight).sum();
    let far = ray.direction() * hit.t;
    let size = [corners[0], corners[1], corners[2], ray.origin(), far].map(|p| p.abs().max_element());
    let size = size.into_iter().fold(placement.world_from_model().translation.abs().max_element(), f64::max);
    let conditioning = placement.stretch() * placement.model_from_world_linear().x_axis.length().max(1.0);
    let gap = (on_face - hit.point_in_world).abs().max_element();
    assert!(gap <= 1e-9 * size * conditioning.max(1.0), "{}: {hit:?} {on_face}", what());
    if let Some(normal) = hit.normal_in_world {
        assert!((normal.length() - 1.0).abs() < 1e-12, "{}", what());
        let [a, b, c] =
            hit.triangle.map(|v| placed.placement().point_to_world(placed.model().mesh().vertex(v)));
        let mirrored = if placed.placement().is_mirrored() { -1.0 } else { 1.0 };
        let plain = (b - a).cross(c - a) * mirrored;
        if plain.length() > 1e-3 * (b - a).length() * (c - a).length() {
            let far =
                1.0 + a.abs().max_element() / (b - a).abs().min_element().max(1e-300).min((c - a).length());
            assert!(plain.normalize().dot(normal) > 1.0 - 1e-9 * far, "{}: {normal}", what());
        }
    }
}

#[test]
fn hits_agree_with_fractions_on_every_face() {
    let models = models();
    let (mut hit_count, mut ties, mut several) = (0_u64, 0_u64, 0_u64);
    for case in 0..all_rays() {
        let mut random = Random(case << 8 | 0x52);
        let model = &models[random.below(models.len() as u64) as usize];
        let placed = model.at(placement(&mut random));
        let Some(ray) = world_ray(&mut random, &placed) else { continue };
        let ask = RayOptions::new().cull_back(random.below(3) == 0);
        let what = || format!("case {case}: {ray:?} {ask:?} {:?}", placed.placement());
        let truth = truth(&placed, &ray, ask.cull_back);
        let found = placed.cast_ray_all(&ray, ask);
        let labels = |hits: &[RayHit]| hits.iter().map(|hit| hit.face).collect::<Vec<_>>();
        assert_eq!(labels(&found), truth.iter().map(|hit| hit.1).collect::<Vec<_>>(), "{}", what());
        assert!(found.is_sorted_by(|a, b| (a.t, a.face) < (b.t, b.face)), "{}", what());
        for (hit, (time, _)) in found.iter().zip(&truth) {
            check_hit(&placed, &ray, hit, time, &what);
        }
        assert_eq!(placed.cast_ray_all(&ray, ask.engine(Engine::Brute)), found, "{}", what());
        assert_eq!(placed.cast_ray_with(&ray, ask).as_ref(), found.first(), "{}", what());
        let some = placed.cast_ray_any(&ray, ask);
        assert_eq!(some.is_some(), !found.is_empty(), "{}", what());
        assert!(some.is_none_or(|some| found.iter().any(|hit| hit.face == some.face)), "{}", what());
        // Without the nearest face, the next one.
        if let Some(first) = found.first() {
            let others: Vec<&RayHit> = found.iter().filter(|hit| hit.face != first.face).collect();
            let next = placed.cast_ray_with(&ray, ask.accept(Some(&|face| face != first.face)));
            assert_eq!(next.map(|hit| hit.face), others.first().map(|hit| hit.face), "{}", what());
        }
        hit_count += u64::from(!truth.is_empty());
        ties += u64::from(truth.windows(2).any(|pair| pair[0].0 == pair[1].0));
        several += u64::from(truth.len() > 2);
    }
    println!("{} rays: {hit_count} hit, {ties} with ties, {several} with more than two hits", all_rays());
    assert!(hit_count * 3 > all_rays() && ties * 10 > all_rays() && several * 10 > all_rays());
}

#[test]
fn many_rays_are_answered_like_one() {
    let model = Model::new(Shape::Knot.generate(3000, 3));
    let placed = model.at(Trs::new([3.0, 1.0, 2.0], DQuat::IDENTITY, [1.0, 2.0, -0.5]).unwrap());
    let center = placed.bounds().center();
    let mut random = Random(17);
    let mut rays = Vec::new();
    // From one eye through a grid, then from anywhere to anywhere.
    let eye = center + DVec3::new(0.3, 0.2, 9.0);
    for row in 0..40 {
        for column in 0..60 {
            let at = center + DVec3::new(f64::from(column) * 0.1 - 3.0, f64::from(row) * 0.15 - 3.0, 0.0);
            rays.push(Ray::new(eye, at - eye).unwrap());
        }
    }
    for _ in 0..2500 {
        let (from, to) = (center + random.vector() * 3.0, center + random.vector() * 2.0);
        let ray = Ray::new(from, to - from).unwrap();
        rays.push(if random.below(2) == 0 { ray } else { ray.up_to(0.75).unwrap() });
    }
    for cull_back in [false, true] {
        let ask = RayOptions::new().cull_back(cull_back);
        let together = placed.cast_rays(&rays, ask);
        assert_eq!(together.len(), rays.len());
        let mut hits = 0;
        for (i, (ray, hit)) in rays.iter().zip(&together).enumerate() {
            assert_eq!(*hit, placed.cast_ray_with(ray, ask), "ray {i}");
            if i % 16 == 0 {
                assert_eq!(
                    *hit,
                    placed.cast_ray_all(ray, ask.engine(Engine::Brute)).first().copied(),
                    "ray {i}"
                );
            }
            hits += usize::from(hit.is_some());
        }
        assert!(hits > rays.len() / 20, "{hits}");
    }
}

/// Rays of one case: aimed at something special each, or many that go almost or exactly the same way.
fn bundle(random: &mut Random, placed: &Placed<'_>) -> Vec<Ray> {
    let count = 1 + random.below(45);
    if random.below(2) == 0 {
        return (0..count).filter_map(|_| world_ray(random, placed)).collect();
    }
    let Some(first) = world_ray(random, placed) else { return Vec::new() };
    let size = first.direction().abs().max_element();
    let shake = size * [0.0, 1e-15, 1e-6, 0.01][random.below(4) as usize];
    let mut rays = vec![first];
    for i in 1..count {
        let direction = (first.direction() + random.vector() * shake) * (1.0 + 0.25 * i as f64);
        if let Ok(ray) = Ray::new(first.origin(), direction) {
            rays.push(if i % 4 == 0 { ray.up_to(first.max_t()).unwrap() } else { ray });
        }
    }
    rays
}

#[test]
fn bundles_of_rays_are_answered_like_single_ones() {
    let models = models();
    let (mut ray_count, mut hits) = (0, 0);
    for case in 0..all_rays() / 10 {
        let mut random = Random(case << 8 | 0x61);
        let model = &models[random.below(models.len() as u64) as usize];
        let placed = model.at(placement(&mut random));
        let rays = bundle(&mut random, &placed);
        let ask = RayOptions::new().cull_back(random.below(3) == 0);
        let together = placed.cast_rays(&rays, ask);
        let mut first = vec![None; rays.len()];
        placed.cast_rays_into(&rays, ask, &mut first);
        assert_eq!(together.len(), rays.len());
        for ((ray, hit), first) in rays.iter().zip(&together).zip(&first) {
            let what = || format!("case {case}: {ray:?} {ask:?} {:?}", placed.placement());
            assert_eq!(*hit, placed.cast_ray_with(ray, ask), "{}", what());
            assert_eq!(
                first.map(|first| (first.face, first.t)),
                hit.map(|hit| (hit.face, hit.t)),
                "{}",
                what()
            );
            hits += u64::from(hit.is_some());
            ray_count += 1;
        }
    }
    println!("{ray_count} rays, {hits} hit");
    assert!(hits * 4 > ray_count && ray_count > all_rays(), "{ray_count} {hits}");
}

#[test]
fn rays_through_edges_and_corners_do_not_slip_between_faces() {
    // A closed sphere, seen from inside: every ray hits, however it is aimed.
    let model = Model::new(shapes::icosphere(1.0, 6).unwrap());
    let placed = model.at(Trs::IDENTITY);
    let mesh = model.mesh();
    for face in 0..mesh.face_count() as u32 {
        let [a, b, c] = mesh.fan_triangle(face, 0).map(|vertex| mesh.vertex(vertex));
        for target in [a, (a + b) * 0.5, b + (c - b) * 0.3, (a + b + c) / 3.0] {
            for origin in [DVec3::ZERO, DVec3::new(0.1, -0.2, 0.3)] {
                let ray = Ray::new(origin, target - origin).unwrap();
                let hit = placed.cast_ray(&ray).expect("the sphere is closed");
                assert!((hit.t - 1.0).abs() < 1e-14 && !hit.from_front);
            }
        }
    }
}

#[test]
fn rays_that_are_none_are_refused() {
    let part = |result: Result<Ray, RayError>| match result.unwrap_err() {
        RayError::NotFinite { part, .. } | RayError::TooLarge { part, .. } => Some(part),
        _ => None,
    };
    assert_eq!(part(Ray::new([0.0, f64::NAN, 0.0], [1.0, 0.0, 0.0])), Some(RayPart::Origin(1)));
    assert_eq!(part(Ray::new([0.0; 3], [1.0, 0.0, f64::INFINITY])), Some(RayPart::Direction(2)));
    assert_eq!(part(Ray::new([1e200, 0.0, 0.0], [1.0, 0.0, 0.0])), Some(RayPart::Origin(0)));
    assert_eq!(part(Ray::segment([0.0; 3], [0.0, -1e200, 0.0])), Some(RayPart::End(1)));
    assert_eq!(Ray::segment([1.0; 3], [1.0; 3]), Err(RayError::NoDirection));
    let ray = Ray::new([0.0; 3], [0.0, 0.0, 5e-324]).unwrap();
    assert!(matches!(ray.up_to(f64::NAN), Err(RayError::MaxT { .. })));
    assert_eq!(ray.up_to(-1.0), Err(RayError::MaxT { value: -1.0 }));
    assert_eq!(ray.up_to(-1.0).unwrap_err().to_string(), "the largest t is -1, but must be at least 0");
    // The shortest direction there is still points somewhere.
    let quad = Model::new(Mesh::polygon([[-1.0, -1.0, 2.0], [1.0, -1.0, 2.0], [0.0, 1.0, 2.0]]).unwrap());
    let hit = quad.at(Trs::IDENTITY).cast_ray(&ray).unwrap();
    assert_eq!((hit.face, hit.t, hit.from_front), (0, f64::MAX, false));
}
