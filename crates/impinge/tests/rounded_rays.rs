//! Rays against balls, capsules and rounded meshes, points near them, and casts of balls and capsules through worlds.

use std::sync::Arc;

use impinge::math::{DQuat, DVec3};
use impinge::query::{Engine, Ray, RayOptions, Scratch, SweepOptions, SweepStatus, Volume, VolumeOptions};
use impinge::world::{Body, World};
use impinge::{Mesh, Model, Trs, shapes};

use crate::effort::share;
use crate::rounded::Numbers;

fn at(place: impl Into<DVec3>) -> Trs {
    Trs::translation(place.into()).unwrap()
}

#[test]
fn a_ray_hits_a_ball_where_a_quadratic_says() {
    let ball = Model::ball(5.0).unwrap();
    let ball = ball.at(at([5.0, 3.0, 0.0]));
    let ray = Ray::new([0.0; 3], [2.0, 0.0, 0.0]).unwrap();
    let hit = ball.cast_ray(&ray).unwrap();
    assert_eq!((hit.t, hit.from_front, hit.face), (0.5, true, 0));
    assert!((hit.normal_in_world.unwrap() - DVec3::new(-0.8, -0.6, 0.0)).length() < 1e-15);
    let all = ball.cast_ray_all(&ray, RayOptions::new());
    assert_eq!(
        all.iter().map(|hit| (hit.t, hit.from_front)).collect::<Vec<_>>(),
        [(0.5, true), (4.5, false)]
    );
    // From inside, out of it.
    let inside = Ray::new([5.0, 3.0, 0.0], [0.0, 0.0, 1.0]).unwrap();
    let hit = ball.cast_ray(&inside).unwrap();
    assert_eq!((hit.t, hit.from_front, hit.normal_in_world), (5.0, false, Some(DVec3::Z)));
    assert!(ball.cast_ray_with(&inside, RayOptions::new().cull_back(true)).is_none());
    assert!(!ball.hits_ray(&Ray::segment([0.0; 3], [0.9, 0.0, 0.0]).unwrap()));
    assert!(ball.hits_ray(&Ray::segment([0.0; 3], [1.0, 0.0, 0.0]).unwrap()));
    assert!(!ball.hits_ray(&Ray::new([0.0, -2.5, 0.0], [1.0, 0.0, 0.0]).unwrap()));
}

#[test]
fn a_rounded_solid_has_no_inner_surface() {
    let cube = Model::new(shapes::cuboid([-1.0; 3], [1.0; 3]).unwrap()).rounded(0.25).unwrap();
    let cube = cube.at(Trs::IDENTITY);
    let ray = Ray::new([-5.0, 0.1, 0.2], [1.0, 0.0, 0.0]).unwrap();
    let times: Vec<f64> = cube.cast_ray_all(&ray, RayOptions::new()).iter().map(|hit| hit.t).collect();
    assert_eq!(times, [3.75, 6.25]);
    let inside = Ray::new([0.0, 0.1, 0.2], [1.0, 0.0, 0.0]).unwrap();
    assert_eq!(cube.cast_ray(&inside).map(|hit| (hit.t, hit.from_front)), Some((1.25, false)));
    // Over the edge, where the corner is round.
    let over = Ray::new([-5.0, 0.0, 1.15], [1.0, 0.0, 0.0]).unwrap();
    assert!((cube.cast_ray(&over).unwrap().t - 3.8).abs() < 1e-14);
}

fn body(numbers: &mut Numbers) -> Model {
    let core: Mesh = match numbers.whole(6) {
        0 => Mesh::point(numbers.vector(0.5)).unwrap(),
        1 => Mesh::segment(numbers.vector(1.0), numbers.vector(1.0)).unwrap(),
        2 => Mesh::polygon([numbers.vector(1.0), numbers.vector(1.0), numbers.vector(1.0)]).unwrap(),
        3 => shapes::cuboid([-0.5; 3], [0.5, 0.75, 0.25]).unwrap().into(),
        4 => shapes::torus(1.0, 0.3, 12, 8).unwrap().into(),
        _ => Mesh::soup((0..30).map(|_| numbers.vector(2.0))).unwrap(),
    };
    Model::new(core).rounded([0.5, 0.1, 1e-3, 2.0][numbers.whole(4) as usize]).unwrap()
}

#[test]
fn hits_lie_on_the_surface_and_nothing_lies_before_them() {
    let numbers = &mut Numbers(71);
    let (mut hits, mut misses, mut from_inside) = (0, 0, 0);
    for case in 0..share(60, 3_000) {
        let model = body(numbers);
        let turn = DQuat::from_axis_angle(numbers.vector(1.0).normalize_or(DVec3::X), numbers.real(0.0, 6.0));
        let stretch = if case % 3 == 0 { DVec3::new(0.5, 1.0, 2.0) } else { DVec3::ONE };
        let placed = model.at(Trs::new(numbers.vector(3.0), turn, stretch).unwrap());
        let core = Model::new(model.mesh().clone());
        let core = core.at(*placed.placement());
        let origin = numbers.vector(5.0);
        let aim = placed.bounds().center() + numbers.vector(1.5);
        let ray = Ray::new(origin, (aim - origin) * numbers.real(0.1, 3.0)).unwrap();
        let all = placed.cast_ray_all(&ray, RayOptions::new());
        let nearest = placed.cast_ray(&ray);
        assert_eq!(nearest, all.first().copied(), "{case}");
        let brute = placed.cast_ray_with(&ray, RayOptions::new().engine(Engine::Brute));
        assert_eq!(brute, nearest, "{case}");
        assert_eq!(placed.cast_rays(&[ray], RayOptions::new()), [nearest]);
        let signed = |time: f64| placed.signed_distance(origin + ray.direction() * time).unwrap().signed();
        let starts_inside = signed(0.0) < 0.0;
        for hit in &all {
            let off = core.closest_point(hit.point_in_world).unwrap().distance - model.radius();
            assert!(off.abs() < 1e-12, "{case}: {off} {hit:?}");
            let normal = hit.normal_in_world.unwrap();
            assert_eq!(hit.from_front, normal.dot(ray.direction()) < 0.0, "{case}");
        }
        // Between hits, the ray is in turns outside and inside.
        let mut is_inside = starts_inside;
        let mut from = 0.0;
        let ends = all.iter().map(|hit| hit.t).chain([all.last().map_or(0.0, |hit| hit.t) + 5.0]);
        for to in ends {
            for i in 1..20 {
                let time = from + (to - from) * f64::from(i) / 20.0;
                let depth = signed(time);
                assert!(depth.abs() < 1e-9 || (depth < 0.0) == is_inside, "{case}: {depth} at {time}");
            }
            (from, is_inside) = (to, !is_inside);
        }
        *(if all.is_empty() { &mut misses } else { &mut hits }) += 1;
        from_inside += u32::from(starts_inside);
    }
    assert!(hits > 20 && misses > 3 && from_inside > 0, "{hits} {misses} {from_inside}");
}

#[test]
fn signed_distances_are_negative_in_the_balls() {
    let ball = Model::ball(2.0).unwrap();
    let ball = ball.at(at([1.0, 0.0, 0.0]));
    let signed = |x: f64| ball.signed_distance([x, 0.0, 0.0]).unwrap();
    assert_eq!([5.0, 3.0, 2.0, 1.0].map(|x| signed(x).signed()), [2.0, 0.0, -1.0, -2.0]);
    assert_eq!(signed(5.0).closest.point_in_world, DVec3::new(3.0, 0.0, 0.0));
    assert!(
        ball.closest_point_with([5.0, 0.0, 0.0], impinge::query::DistanceOptions::new().at_most(1.5))
            .is_none()
    );
    let cube = Model::new(shapes::cuboid([-1.0; 3], [1.0; 3]).unwrap()).rounded(0.5).unwrap();
    let cube = cube.at(Trs::IDENTITY);
    let found = cube.signed_distance([0.75, 0.0, 0.0]).unwrap();
    assert_eq!((found.signed(), found.closest.point_in_world), (-0.75, DVec3::new(1.5, 0.0, 0.0)));
    let found = cube.signed_distance([1.25, 0.0, 0.0]).unwrap();
    assert_eq!((found.signed(), found.closest.point_in_world), (-0.25, DVec3::new(1.5, 0.0, 0.0)));
    // On the core itself, straight away from it.
    let found = cube.signed_distance([1.0, 0.25, 0.0]).unwrap();
    assert_eq!((found.signed(), found.closest.point_in_world), (-0.5, DVec3::new(1.5, 0.25, 0.0)));
}

#[test]
fn worlds_cast_rays_balls_and_capsules() {
    let mut world = World::new();
    let floor = Model::new(shapes::cuboid([-20.0, -20.0, -1.0], [20.0, 20.0, 0.0]).unwrap());
    let floor = world.insert(Body::fixed(floor, Trs::IDENTITY)).unwrap();
    let post = Arc::new(Model::capsule([0.0; 3], [0.0, 0.0, 2.0], 0.5).unwrap());
    let post = world.insert(Body::fixed(post, at([4.0, 0.0, 0.5]))).unwrap();
    let ray = Ray::new([0.0, 0.0, 1.0], [1.0, 0.0, 0.0]).unwrap();
    let (body, hit) = world.cast_ray(&ray, RayOptions::new(), |_, _| true).unwrap();
    assert_eq!((body, hit.t), (post, 3.5));
    assert!(!world.sees(DVec3::new(0.0, 0.0, 1.0), DVec3::new(9.0, 0.0, 1.0), |_, _| true).unwrap());
    // Over the round top.
    assert!(world.sees(DVec3::new(0.0, 0.4, 2.9), DVec3::new(9.0, 0.4, 2.9), |_, _| true).unwrap());
    let options = SweepOptions::new();
    let cast = |radius: f64, by: [f64; 3]| world.cast_ball([0.0, 0.0, 1.0], radius, by, options, |_, _| true);
    let (body, sweep) = cast(0.5, [8.0, 0.0, 0.0]).unwrap().unwrap();
    assert_eq!(body, post);
    assert!((sweep.fraction - 3.0 / 8.0).abs() < 1e-9 && sweep.fraction <= 3.0 / 8.0);
    let (body, sweep) = cast(0.5, [0.0, 0.0, -8.0]).unwrap().unwrap();
    assert!(body == floor && (sweep.fraction - 1.0 / 16.0).abs() < 1e-9);
    assert!(cast(0.5, [0.0, 0.0, 8.0]).unwrap().is_none());
    assert!(cast(-0.5, [0.0, 0.0, 8.0]).is_err() && cast(0.5, [f64::NAN, 0.0, 8.0]).is_err());
    let (_, sweep) = cast(1.5, [1.0, 0.0, 0.0]).unwrap().unwrap();
    assert_eq!(sweep.status, SweepStatus::StartedOverlapping);
    let ends = [[0.0, -3.0, 1.0], [0.0, 3.0, 1.0]];
    let found = world.cast_capsule(ends, 0.25, [8.0, 0.0, 0.0], options, |handle, _| handle != floor);
    let (body, sweep) = found.unwrap().unwrap();
    assert!(body == post && (sweep.fraction - 3.25 / 8.0).abs() < 1e-9);
    let not_post = world.cast_capsule(ends, 0.25, [8.0, 0.0, 0.0], options, |handle, _| handle != post);
    assert!(not_post.unwrap().is_none());
}

#[test]
fn volumes_touch_the_balls() {
    let capsule = Model::capsule([0.0; 3], [0.0, 0.0, 4.0], 1.0).unwrap();
    let capsule = capsule.at(at([10.0, 0.0, 0.0]));
    let touches = |volume: Volume| {
        let brute = VolumeOptions::new().engine(Engine::Brute);
        let mut faces = Vec::new();
        capsule.faces_touching_in(&volume, brute, &mut Scratch::default(), &mut faces);
        assert_eq!(capsule.faces_touching(&volume), faces);
        assert_eq!(capsule.touches(&volume), !faces.is_empty());
        !faces.is_empty()
    };
    // Beside it, by the edge of a box, and in its round end.
    assert!(touches(Volume::aabb([7.0, -1.0, 1.0], [9.0, 1.0, 2.0]).unwrap()));
    assert!(!touches(Volume::aabb([7.0, -1.0, 1.0], [8.99, 1.0, 2.0]).unwrap()));
    assert!(touches(Volume::aabb([0.0; 3], [20.0, 20.0, 20.0]).unwrap()));
    assert!(!touches(Volume::aabb([7.0, 0.8, 4.8], [9.2, 3.0, 6.0]).unwrap()));
    let turned = Trs::new([0.0; 3], DQuat::from_rotation_z(0.5), [1.0; 3]).unwrap();
    assert!(touches(Volume::obb([10.0, 0.0, 5.5], [0.5; 3], &turned).unwrap()));
    assert!(!touches(Volume::obb([10.0, 0.0, 5.75], [0.5; 3], &turned).unwrap()));
    assert!(touches(Volume::sphere([13.0, 4.0, 2.0], 4.0).unwrap()));
    assert!(!touches(Volume::sphere([13.0, 4.0, 2.0], 3.99).unwrap()));
    assert!(touches(Volume::capsule([0.0, 2.0, 1.0], [20.0, 2.0, 1.0], 1.0).unwrap()));
    assert!(touches(Volume::half_space([2.0, 0.0, 0.0], 18.0).unwrap()));
    assert!(!touches(Volume::half_space([2.0, 0.0, 0.0], 17.9).unwrap()));
    assert!(touches(Volume::plane([0.0, 0.0, 3.0], 15.0).unwrap()));
    assert!(
        !touches(Volume::plane([0.0, 0.0, 3.0], 15.1).unwrap())
            && !touches(Volume::plane([0.0, 0.0, 1.0], -1.1).unwrap())
    );
}
