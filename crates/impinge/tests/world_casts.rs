//! Casts and sweeps through worlds of many bodies, before a look at every body by itself.

use std::sync::Arc;

use impinge::math::{DQuat, DVec3};
use impinge::query::{Ray, RayOptions, SweepOptions, SweepStatus};
use impinge::shapes::{self, Random};
use impinge::world::{Body, Handle, World};
use impinge::{Mesh, Model, Motion, Placement, Trs};

use crate::effort::share;

/// Boxes on a coarse grid, some of them turned, within a room.
fn crowd(random: &mut Random) -> (World, Vec<Handle>) {
    let mut world = World::new();
    let cube = Arc::new(Model::new(shapes::cuboid([-0.5; 3], [0.5; 3]).unwrap()));
    let ball = Arc::new(Model::ball(0.5).unwrap());
    let mut handles = Vec::new();
    for _ in 0..40 {
        let place = coarse(random, 9) - DVec3::splat(4.0);
        let turn = match random.below(3) {
            0 => DQuat::from_axis_angle(random.direction(), random.between(0.0, 6.0)),
            _ => DQuat::IDENTITY,
        };
        let model = if random.below(4) == 0 { &ball } else { &cube };
        handles.extend(world.insert(Body::fixed(Arc::clone(model), Trs::rigid(place, turn).unwrap())));
    }
    let room = Mesh::from(shapes::cuboid_grid([-6.0; 3], [6.0; 3], [4; 3]).unwrap());
    let turned: Vec<[u32; 3]> = (0..room.face_count() as u32)
        .map(|face| {
            let corners: Vec<u32> = room.corners(face).collect();
            [corners[0], corners[2], corners[1]]
        })
        .collect();
    let room = Mesh::triangles(room.vertices().collect::<Vec<_>>(), turned).unwrap();
    handles.extend(world.insert(Body::fixed(Model::new(room), Trs::IDENTITY)));
    if random.below(2) == 0 {
        // Some boxes of the broad phase are as they were when it last looked.
        world.step(&[]).unwrap();
    }
    (world, handles)
}

fn coarse(random: &mut Random, size: u32) -> DVec3 {
    DVec3::from_array(std::array::from_fn(|_| f64::from(random.below(size))))
}

/// A start and a way, both often along the grid.
fn way(random: &mut Random) -> [DVec3; 2] {
    let start = match random.below(2) {
        0 => coarse(random, 33) * 0.25 - DVec3::splat(4.0),
        _ => 4.5 * random.in_cube(),
    };
    let by = match random.below(5) {
        0 => DVec3::X * 7.0,
        1 => DVec3::new(-3.0, 3.0, 0.0),
        2 => DVec3::ZERO,
        _ => random.direction() * random.between(0.1, 9.0),
    };
    [start, by]
}

#[test]
fn sweeps_stop_at_the_first_of_all_bodies() {
    let random = &mut Random::new(5);
    let movers = [
        Model::ball(0.25).unwrap(),
        Model::capsule([0.0; 3], [0.0, 0.0, 0.75], 0.25).unwrap(),
        Model::new(Mesh::point([0.0; 3]).unwrap()),
        Model::new(shapes::cuboid([-0.25; 3], [0.25; 3]).unwrap()),
    ];
    let (mut stopped, mut clear, mut lifted) = (0, 0, 0);
    for _ in 0..share(4, 150) {
        let (world, handles) = crowd(random);
        for number in 0..24 {
            let [start, by] = way(random);
            let mover = &movers[number % movers.len()];
            let margin = [0.0, 0.0, 0.125][number % 3];
            let options = SweepOptions::new().margin(margin).skin(world.skin());
            let placed = mover.at(Trs::translation(start).unwrap());
            let motion = if number % 8 == 7 {
                Motion::rigid(by, start, [0.0, 0.6, 0.8], 30.0).unwrap()
            } else {
                Motion::translation(by).unwrap()
            };
            let mut first = None;
            let mut slides = false;
            for &handle in &handles {
                let sweep = placed.sweep_with(&motion, &world.get(handle).unwrap().placed(), options);
                slides |= sweep.lift.is_some() || sweep.wedged;
                let is_first = first
                    .as_ref()
                    .is_none_or(|(_, best): &(Handle, impinge::query::Sweep)| sweep.fraction < best.fraction);
                if sweep.status != SweepStatus::Clear && is_first {
                    first = Some((handle, sweep));
                }
            }
            let found = world.sweep(&placed, &motion, options, |_, _| true);
            if slides {
                lifted += 1;
                continue;
            }
            let told = |(handle, sweep): &(Handle, impinge::query::Sweep)| {
                let bits = (sweep.fraction.to_bits(), sweep.rounding.to_bits());
                (*handle, sweep.status, bits, sweep.world_from_moving, sweep.hit)
            };
            assert_eq!(found.as_ref().map(told), first.as_ref().map(told), "{start} {by} {number}");
            *if first.is_some() { &mut stopped } else { &mut clear } += 1;
        }
    }
    assert!(stopped > 20 && clear > 2 && lifted < stopped, "{stopped} {clear} {lifted}");
}

#[test]
fn rays_hit_the_first_of_all_bodies() {
    let random = &mut Random::new(6);
    let (mut hits, mut misses) = (0, 0);
    for _ in 0..share(4, 200) {
        let (world, handles) = crowd(random);
        for number in 0..60 {
            let [start, by] = way(random);
            let Ok(ray) = Ray::new(start, by) else { continue };
            let ray = if number % 2 == 0 { ray.up_to(1.0).unwrap() } else { ray };
            let mut first = None;
            for &handle in &handles {
                let hit = world.get(handle).unwrap().placed().cast_ray_with(&ray, RayOptions::new());
                if let Some(hit) = hit
                    && first.is_none_or(|(_, best): (Handle, impinge::query::RayHit)| hit.t < best.t)
                {
                    first = Some((handle, hit));
                }
            }
            let found = world.cast_ray(&ray, RayOptions::new(), |_, _| true);
            assert_eq!(found, first, "{start} {by}");
            *if found.is_some() { &mut hits } else { &mut misses } += 1;
        }
    }
    assert!(hits > 50 && misses > 5, "{hits} {misses}");
}

/// The margin is all round: also towards a body that the mover itself does not come upon.
#[test]
fn the_margin_of_a_sweep_counts_beside_the_way() {
    let mut world = World::new();
    let post = Model::new(shapes::cuboid([2.0, 0.5, -1.0], [3.0, 1.5, 1.0]).unwrap());
    let post = world.insert(Body::fixed(post, Placement::IDENTITY)).unwrap();
    let ball = Model::ball(0.25).unwrap();
    let (placed, motion) = (ball.at(Trs::IDENTITY), Motion::translation([9.0, 0.0, 0.0]).unwrap());
    assert!(world.sweep(&placed, &motion, SweepOptions::new(), |_, _| true).is_none());
    let (body, sweep) = world.sweep(&placed, &motion, SweepOptions::new().margin(0.5), |_, _| true).unwrap();
    assert_eq!((body, sweep.status), (post, SweepStatus::Hit));
    // 0.75 away from the edge at (2, 0.5).
    let expected = (2.0 - (0.75_f64 * 0.75 - 0.25).sqrt()) / 9.0;
    assert!((sweep.fraction - expected).abs() < 1e-8, "{} {expected}", sweep.fraction);
}
