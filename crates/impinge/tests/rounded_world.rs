//! Worlds of balls, capsules and rounded boxes: they move, step and slide, and never interpenetrate.

use std::sync::Arc;

use impinge::math::{DQuat, DVec3};
use impinge::query::{ContactOptions, SweepStatus};
use impinge::world::{Body, Handle, SlideOptions, StepOptions, World, WorldOptions};
use impinge::{Mesh, Model, Motion, Trs, Verdict, shapes};

use crate::effort::share;
use crate::rounded::Numbers;

fn at(place: impl Into<DVec3>) -> Trs {
    Trs::translation(place.into()).unwrap()
}

fn line(by: impl Into<DVec3>) -> Motion {
    Motion::translation(by.into()).unwrap()
}

fn floor() -> Model {
    Model::new(shapes::cuboid([-20.0, -20.0, -1.0], [20.0, 20.0, 0.0]).unwrap())
}

fn position(world: &World, handle: Handle) -> DVec3 {
    world.get(handle).unwrap().placement().world_from_model().translation
}

#[test]
fn a_ball_falls_and_rolls_on() {
    let mut world = World::new();
    world.insert(Body::fixed(floor(), Trs::IDENTITY)).unwrap();
    let wall = Model::new(shapes::cuboid([5.0, -9.0, 0.0], [6.0, 9.0, 4.0]).unwrap());
    let wall = world.insert(Body::fixed(wall, Trs::IDENTITY)).unwrap();
    let ball = world.insert(Body::moving(Model::ball(0.5).unwrap(), at([0.0, 0.0, 3.0]))).unwrap();
    let fall = world.try_move(ball, &line([0.0, 0.0, -9.0])).unwrap();
    assert_eq!(fall.status, SweepStatus::Hit);
    assert!((position(&world, ball).z - 0.5).abs() < 1e-8);
    for _ in 0..4 {
        let roll = world.try_move(ball, &line([1.0, 0.25, 0.0])).unwrap();
        assert_eq!(roll.status, SweepStatus::Clear, "{roll:?}");
    }
    let stopped = world.try_move(ball, &line([3.0, 0.0, 0.0])).unwrap();
    assert!((position(&world, ball).x - 4.5).abs() < 1e-8, "{stopped:?}");
    // Along the wall and the floor.
    let slide = world.slide(ball, [1.0, 2.0, -1.0], &SlideOptions::new()).unwrap();
    assert!((position(&world, ball) - DVec3::new(4.5, 3.0, 0.5)).length() < 1e-6, "{slide:?}");
    let near = world.contacts_between(ball, wall, 0.01).unwrap();
    assert_eq!(near.len(), 1);
    assert!((near[0].point_on_a.x - 5.0).abs() < 1e-8 && near[0].normal == DVec3::X, "{near:?}");
}

#[test]
fn contacts_are_on_the_rounded_surfaces() {
    let floor = floor();
    let floor = floor.at(Trs::IDENTITY);
    let capsule = Model::capsule([-1.0, 0.0, 0.0], [1.0, 0.0, 0.0], 0.25).unwrap();
    let contacts = capsule.at(at([0.0, 0.0, 0.26])).contacts(&floor, 0.1);
    assert_eq!(contacts.len(), 2, "{contacts:?}");
    for contact in &contacts {
        assert!((contact.distance - 0.01).abs() < 1e-14 && contact.normal == DVec3::NEG_Z);
        assert!((contact.point_on_a.z - 0.01).abs() < 1e-14 && contact.point_on_b.z.abs() < 1e-14);
    }
    assert_eq!(capsule.at(at([0.0, 0.0, 0.26])).contacts(&floor, 0.005).len(), 0);
    // Touching exactly, and overlapping.
    let touching = capsule.at(at([0.0, 0.0, 0.25])).contacts(&floor, 0.0);
    assert!(touching.len() == 2 && touching[0].distance == 0.0, "{touching:?}");
    for options in [ContactOptions::new().depth(0.0), ContactOptions::new()] {
        let deep = capsule.at(at([0.0, 0.0, 0.125])).contacts_with(&floor, options);
        assert!(deep.len() == 2 && deep[0].distance == -0.125, "{deep:?}");
    }
    // Beyond the surface, a depth finds the way out.
    let sunk = capsule.at(at([0.0, 0.0, -0.125])).contacts_with(&floor, ContactOptions::new().depth(1.0));
    assert!(
        !sunk.is_empty() && sunk.iter().all(|contact| (contact.distance + 0.375).abs() < 1e-3),
        "{sunk:?}"
    );
    let [a, b] = [1.0, 2.0].map(|radius| Model::ball(radius).unwrap());
    let found = a.at(Trs::IDENTITY).contacts(&b.at(at([0.0, 3.0, 4.0])), 2.5);
    assert_eq!(found.len(), 1);
    assert!(
        (found[0].distance - 2.0).abs() < 1e-15
            && (found[0].normal - DVec3::new(0.0, 0.6, 0.8)).length() < 1e-15
    );
}

fn bodies() -> Vec<Arc<Model>> {
    let rounded = |mesh: Mesh, radius: f64| Model::new(mesh).rounded(radius).unwrap();
    [
        Model::ball(0.4).unwrap(),
        Model::capsule([0.0, 0.0, -0.3], [0.0, 0.0, 0.3], 0.25).unwrap(),
        rounded(shapes::cuboid([-0.3; 3], [0.3; 3]).unwrap().into(), 0.1),
        rounded(shapes::icosphere(0.35, 1).unwrap().into(), 0.0),
        rounded(Mesh::polygon([[0.0; 3], [0.5, 0.0, 0.0], [0.0, 0.5, 0.25]]).unwrap(), 0.2),
    ]
    .map(Arc::new)
    .to_vec()
}

/// Steps a crowd that falls, turns and pushes; the hash at the end.
fn crowd(options: WorldOptions, seed: u64, steps: u64) -> u64 {
    let numbers = &mut Numbers(seed);
    let mut world = World::with_options(options);
    let room = shapes::cuboid([-4.0; 3], [4.0; 3]).unwrap();
    // Walls as six slabs.
    for axis in 0..3 {
        for side in [-1.0, 1.0] {
            let shift = DVec3::AXES[axis] * (8.0 * side);
            world.insert(Body::fixed(Model::new(room.clone()), at(shift))).unwrap();
        }
    }
    let bodies = bodies();
    let mut handles = Vec::new();
    while handles.len() < 24 {
        let model = &bodies[numbers.whole(bodies.len() as u32) as usize];
        let place = Trs::new(
            numbers.vector(3.0),
            DQuat::from_axis_angle(numbers.vector(1.0).normalize_or(DVec3::X), numbers.real(0.0, 6.0)),
            [1.0; 3],
        );
        let placed = model.at(place.unwrap());
        if world.meeting(&placed, |_, _| true).is_empty() {
            handles.push(world.insert(Body::moving(Arc::clone(model), *placed.placement())).unwrap());
        }
    }
    for step in 0..steps {
        let moves: Vec<(Handle, Motion)> = handles
            .iter()
            .map(|&handle| {
                let by = numbers.vector(0.6) - DVec3::Z * 0.2;
                let axis = numbers.vector(1.0).normalize_or(DVec3::X);
                let motion = match numbers.whole(3) {
                    0 => Motion::rigid(by, position(&world, handle), axis, numbers.real(-40.0, 40.0)),
                    _ => Motion::translation(by),
                };
                (handle, motion.unwrap())
            })
            .collect();
        let planes = (step % 3) as usize;
        world.step_with(&moves, &StepOptions::new().planes(planes)).unwrap();
        for (i, (_, a)) in world.iter().enumerate() {
            for (_, b) in world.iter().skip(i + 1) {
                if a.model().radius() + b.model().radius() > 0.0 {
                    let verdict = a.placed().verdict(&b.placed());
                    assert!(matches!(verdict, Verdict::Clear | Verdict::Touching), "{step}: {verdict:?}");
                }
            }
        }
    }
    world.hash()
}

#[test]
fn crowds_of_rounded_bodies_never_interpenetrate() {
    for seed in 0..share(1, 20) {
        crowd(WorldOptions::new(), 100 + seed, 12);
    }
}

#[test]
fn threads_change_nothing() {
    let one = crowd(WorldOptions::new().parallel(false), 7, 5);
    for threads in [1, 2, 8] {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        assert_eq!(pool.install(|| crowd(WorldOptions::new(), 7, 5)), one, "{threads}");
    }
}
