//! Every SIMD level gives the same bits, for every kind of query.

use std::fmt::Debug;

use crate::simd_harness::{Bits, anywhere, case_count, compare_levels, for_pairs, models, say};
use impinge::broad_phase::{Algorithm, BroadPhase};
use impinge::glam::DVec3;
use impinge::query::{IntersectOptions, Ray, RayOptions, Volume};
use impinge::shapes::{self, Random};
use impinge::world::{Body, World};
use impinge::{Deformable, Mesh, Model, Motion, Placed, Placement, Trs};

#[test]
fn every_level_gives_the_same_bits() {
    compare_levels(9, answer);
}

fn answer() {
    let models = models();
    say("trees", |bits| trees(&models, bits));
    say("pairs", |bits| for_pairs(1, &models, |a, b, _| bits.add(&pair(a, b))));
    say("distances", |bits| for_pairs(2, &models, |a, b, random| bits.add(&distances(a, b, random))));
    say("contacts", |bits| for_pairs(3, &models, |a, b, _| bits.add(&a.contacts(b, 0.3))));
    say("sweeps", |bits| for_pairs(4, &models, |a, b, random| bits.add(&sweeps(a, b, random))));
    say("rays", |bits| rays(&models, bits));
    say("volumes", |bits| volumes(&models, bits));
    say("refits", refits);
    say("boxes", boxes);
    say("worlds", |bits| worlds(&models, bits));
}

fn trees(models: &[Model], bits: &mut Bits) {
    for model in models {
        bits.add(model.bvh());
    }
    // Large enough for the ways of large ranges, and with nothing but ties.
    let large = Mesh::from(shapes::bumpy_sphere(1.0, 0.2, 9, 200, 100, 1).unwrap());
    bits.add(Model::new(large).bvh());
    let mut random = Random::new(9);
    for _ in 0..case_count() / 10 {
        let soup: Vec<[f64; 3]> =
            (0..3 * (1 + random.below(60))).map(|_| random.in_cube().to_array()).collect();
        bits.add(Model::new(Mesh::soup(soup).unwrap()).bvh());
    }
}

fn pair(a: &Placed<'_>, b: &Placed<'_>) -> impl Debug + use<> {
    let found = a.intersect_with(b, IntersectOptions::new().pairs(true));
    (found.verdict, found.witness, found.pairs, a.intersects(b))
}

fn distances(a: &Placed<'_>, b: &Placed<'_>, random: &mut Random) -> impl Debug + use<> {
    let point = 2.0 * random.in_cube();
    let within = a.distance_within(b, random.between(0.0, 0.5));
    (a.distance(b), within, a.closest_point(point), b.signed_distance(point), a.winding_number(point))
}

fn sweeps(a: &Placed<'_>, b: &Placed<'_>, random: &mut Random) -> impl Debug + use<> {
    let start = Placement::from(Trs::translation(2.5 * random.direction()).unwrap());
    let by = -1.5 * start.world_from_model().translation + random.in_cube();
    let (axis, degrees) = (random.direction(), random.between(-200.0, 200.0));
    let motion = match random.below(3) {
        0 => Motion::translation(by),
        1 => Motion::rotation(random.in_cube(), axis, degrees),
        _ => Motion::rigid(by, random.in_cube(), axis, degrees),
    };
    let sweep = a.model().at(start).sweep(&motion.unwrap(), b);
    (sweep.status, sweep.fraction, sweep.world_from_moving, sweep.hit)
}

fn rays(models: &[Model], bits: &mut Bits) {
    let mut random = Random::new(5);
    for _ in 0..case_count() / 10 {
        for model in models {
            let placed = model.at(anywhere(&mut random));
            let ray = |random: &mut Random| {
                let origin = 2.0 * random.in_cube();
                // Many along axes: zeros in directions are a case of their own.
                let at = DVec3::from_array(
                    random.in_cube().to_array().map(|c| if c.abs() < 0.2 { 0.0 } else { c }),
                );
                Ray::new(origin, if at == DVec3::ZERO { DVec3::X } else { at }).unwrap()
            };
            let rays: Vec<Ray> = (0..40).map(|_| ray(&mut random)).collect();
            bits.add(&placed.cast_rays(&rays, RayOptions::default()));
            bits.add(&placed.cast_ray(&rays[0]));
            bits.add(&placed.cast_ray_all(&rays[1], RayOptions::new().cull_back(true)));
        }
    }
}

fn volumes(models: &[Model], bits: &mut Bits) {
    let mut random = Random::new(6);
    for _ in 0..case_count() / 10 {
        for model in models {
            let placed = model.at(anywhere(&mut random));
            let [p, q] = [0, 1].map(|_| random.in_cube());
            let turn = Trs::rotation_about_axis(random.direction(), random.between(0.0, 180.0)).unwrap();
            let radius = random.between(0.05, 0.6);
            let volumes = [
                Volume::aabb(p.min(q), p.max(q)),
                Volume::obb(p, DVec3::splat(radius), &turn),
                Volume::sphere(p, radius),
                Volume::capsule(p, q, radius),
                Volume::plane(random.direction(), radius - 0.3),
                Volume::half_space(random.direction(), radius - 0.3),
            ];
            for volume in volumes {
                bits.add(&placed.faces_touching(&volume.unwrap()));
            }
        }
    }
}

fn refits(bits: &mut Bits) {
    let mut random = Random::new(7);
    let mut deformable = Deformable::new(Mesh::from(shapes::torus(1.0, 0.3, 60, 40).unwrap()));
    deformable.model().bvh();
    for _ in 0..1 + case_count() / 10 {
        let (by, turn) = (random.in_cube(), random.between(0.5, 2.0));
        let moved: Vec<DVec3> =
            deformable.model().mesh().vertices().map(|p| (p + by * p.x.abs()) * turn / p.length()).collect();
        deformable.set_vertices(&moved).unwrap();
        bits.add(deformable.model().bvh());
    }
}

fn boxes(bits: &mut Bits) {
    let mut random = Random::new(8);
    for kind in [Algorithm::Bvh, Algorithm::SweepAndPrune] {
        let mut broad = BroadPhase::with_algorithm(kind);
        for id in 0..500 {
            let bounds = some_box(&mut random);
            broad.insert(id, bounds).unwrap();
        }
        for _ in 0..1 + case_count() / 20 {
            for _ in 0..50 {
                broad.move_to(random.below(500), some_box(&mut random)).unwrap();
            }
            bits.add(&broad.step().pairs);
        }
    }
}

fn some_box(random: &mut Random) -> impinge::bounds::Aabb {
    let center = 10.0 * random.in_cube();
    let half = DVec3::splat(random.between(0.0, 1.0));
    impinge::bounds::Aabb { min: center - half, max: center + half }
}

fn worlds(models: &[Model], bits: &mut Bits) {
    let mut random = Random::new(10);
    let mut world = World::new();
    let rigid = &models[..models.len() - 1];
    let mut handles = Vec::new();
    for number in 0..27 {
        let place = [number % 3, number / 3 % 3, number / 9].map(|k| 2.5 * f64::from(k));
        let model = rigid[number as usize % rigid.len()].clone();
        handles.push(world.insert(Body::moving(model, Trs::translation(place).unwrap())).unwrap());
    }
    for _ in 0..1 + case_count() / 10 {
        let motions: Vec<_> = handles
            .iter()
            .map(|&handle| (handle, Motion::translation(0.7 * random.in_cube()).unwrap()))
            .collect();
        bits.add(&world.step(&motions).unwrap());
    }
    bits.add(&world.hash());
}
