//! Worlds: the invariant, the events, and that nothing depends on how the work is done.

use std::collections::BTreeSet;
use std::sync::Arc;

use impinge::broad_phase::Algorithm;
use impinge::math::DVec3;
use impinge::query::{Ray, RayOptions, SweepOptions, SweepStatus, Volume};
use impinge::shapes::{self, Random};
use impinge::world::{
    Body, Call, CollisionLayers, FilterChain, FilterStage, Handle, Kind, Move, SlideOptions, World,
    WorldError, WorldOptions,
};
use impinge::{Deformable, Mesh, Model, Motion, Placement, Trs, Verdict};

/// Shapes that bodies are made of: convex, round, and with a hole.
fn shapes() -> Vec<Arc<Model>> {
    let meshes = [
        Mesh::from(shapes::cuboid([-0.5; 3], [0.5; 3]).unwrap()),
        Mesh::from(shapes::icosphere(0.6, 2).unwrap()),
        Mesh::from(shapes::torus(0.7, 0.2, 12, 8).unwrap()),
        Mesh::from(shapes::cuboid_of_quads([-1.0, -0.2, -0.1], [1.0, 0.2, 0.1]).unwrap()),
    ];
    meshes.into_iter().map(|mesh| Arc::new(Model::new(mesh))).collect()
}

fn anywhere(random: &mut Random, size: f64) -> Placement {
    let turn = Trs::rotation_about_axis(random.direction(), 360.0 * random.unit()).unwrap();
    Trs::rigid(size * random.in_cube(), turn.orientation()).unwrap().into()
}

fn any_motion(random: &mut Random, at: &Placement, length: f64) -> Motion {
    let by = length * random.in_cube();
    let center = at.world_from_model().translation;
    let degrees = 90.0 * (random.unit() - 0.5);
    match random.below(5) {
        0 => Motion::rotation(center + by, random.direction(), degrees).unwrap(),
        1 => Motion::rigid(by, center, random.direction(), degrees).unwrap(),
        2 => {
            Motion::translation(by).unwrap().then_rotation(center + by, random.direction(), degrees).unwrap()
        }
        _ => Motion::translation(by).unwrap(),
    }
}

/// A world with a floor and bodies that do not overlap.
fn crowd(options: WorldOptions, count: usize, size: f64, seed: u64) -> (World, Vec<Handle>) {
    let mut random = Random::new(seed);
    let mut world = World::with_options(options);
    let floor =
        shapes::cuboid([-2.0 * size, -2.0 * size, -size - 2.0], [2.0 * size, 2.0 * size, -size - 1.0]);
    world.insert(Body::fixed(Model::new(floor.unwrap()), Trs::IDENTITY)).unwrap();
    let shapes = shapes();
    let mut handles = Vec::new();
    while handles.len() < count {
        let shape = &shapes[random.below(shapes.len() as u32) as usize];
        let handle = world.insert(Body::moving(shape.clone(), anywhere(&mut random, size))).unwrap();
        if world.overlaps().is_empty() {
            handles.push(handle);
        } else {
            world.remove(handle).unwrap();
        }
    }
    (world, handles)
}

/// All pairs of solid bodies that overlap, by the exact test on every pair.
fn overlaps(world: &World) -> Vec<[Handle; 2]> {
    let bodies: Vec<(Handle, &Body)> = world.iter().collect();
    let mut found = Vec::new();
    for (i, (a, body_a)) in bodies.iter().enumerate() {
        for (b, body_b) in &bodies[i + 1..] {
            let is_solid = body_a.kind() != Kind::Sensor && body_b.kind() != Kind::Sensor;
            let is_still = body_a.kind() == Kind::Fixed && body_b.kind() == Kind::Fixed;
            if !is_solid || is_still || !body_a.layers().meet(body_b.layers()) {
                continue;
            }
            if matches!(body_a.placed().verdict(&body_b.placed()), Verdict::Overlapping | Verdict::Inside(_))
            {
                found.push([*a, *b]);
            }
        }
    }
    found
}

/// All contacts, by the distance of every pair.
fn contacts(world: &World) -> BTreeSet<[Handle; 2]> {
    let bodies: Vec<(Handle, &Body)> = world.iter().collect();
    let mut found = BTreeSet::new();
    for (i, (a, body_a)) in bodies.iter().enumerate() {
        for (b, body_b) in &bodies[i + 1..] {
            let kinds = [body_a.kind(), body_b.kind()];
            if kinds == [Kind::Fixed; 2]
                || kinds == [Kind::Sensor; 2]
                || !body_a.layers().meet(body_b.layers())
            {
                continue;
            }
            let is_contact = if kinds.contains(&Kind::Sensor) {
                body_a.placed().intersects(&body_b.placed())
            } else {
                body_a.placed().is_within(&body_b.placed(), world.options().contact_distance)
            };
            if is_contact {
                found.insert([*a, *b]);
            }
        }
    }
    found
}

#[test]
fn a_move_stops_at_what_a_sweep_against_every_body_meets_first() {
    let (mut world, handles) = crowd(WorldOptions::default(), 12, 3.0, 1);
    let mut random = Random::new(2);
    let mut hits = 0;
    for _ in 0..if cfg!(debug_assertions) { 40 } else { 600 } {
        let handle = handles[random.below(handles.len() as u32) as usize];
        let body = world.get(handle).unwrap();
        let motion = any_motion(&mut random, body.placement(), 4.0);
        let mut first = (1.0, None);
        for (other, stationary) in world.iter().filter(|(other, _)| *other != handle) {
            let ask = SweepOptions::new().skin(world.skin());
            let sweep = body.placed().sweep_with(&motion, &stationary.placed(), ask);
            assert_ne!(sweep.status, SweepStatus::StartedOverlapping);
            if sweep.status == SweepStatus::Hit && sweep.fraction < first.0 {
                first = (sweep.fraction, Some(other));
            }
        }
        let moved = world.try_move(handle, &motion).unwrap();
        assert_eq!(moved.fraction, first.0);
        assert_eq!(moved.status, if first.1.is_some() { SweepStatus::Hit } else { SweepStatus::Clear });
        assert_eq!(moved.hits.first().map(|hit| hit.other), first.1);
        assert_eq!(world.get(handle).unwrap().placement(), &moved.placement);
        hits += usize::from(first.1.is_some());
    }
    assert!(hits > 10, "{hits}");
    assert!(overlaps(&world).is_empty());
}

#[test]
fn nothing_interpenetrates_and_events_are_those_of_every_pair() {
    for seed in 0..if cfg!(debug_assertions) { 1 } else { 6 } {
        let options = WorldOptions::new().contact_distance(0.05);
        let (mut world, mut handles) = crowd(options, 14, 2.5, seed);
        let mut random = Random::new(100 + seed);
        let sensor = Model::new(shapes::icosphere(1.5, 2).unwrap());
        let sensor = world.insert(Body::sensor(sensor, Trs::translation([0.5, 0.0, 0.0]).unwrap())).unwrap();
        let mut known = BTreeSet::new();
        for step in 0..if cfg!(debug_assertions) { 12 } else { 150 } {
            let moves: Vec<(Handle, Motion)> = handles
                .iter()
                .filter(|_| random.below(3) > 0)
                .map(|&handle| {
                    let at = *world.get(handle).unwrap().placement();
                    (handle, any_motion(&mut Random::new(step * 1000 + u64::from(handle.index())), &at, 1.0))
                })
                .collect();
            if step % 7 == 3 {
                let gone = handles.remove(random.below(handles.len() as u32) as usize);
                world.remove(gone).unwrap();
                known.retain(|pair: &[Handle; 2]| !pair.contains(&gone));
                let body = Body::moving(
                    shapes()[0].clone(),
                    Trs::translation([0.0, 0.0, 20.0 + step as f64]).unwrap(),
                );
                handles.push(world.insert(body).unwrap());
            }
            let moves: Vec<_> = moves.into_iter().filter(|(handle, _)| handles.contains(handle)).collect();
            let done = world.step(&moves).unwrap();
            assert!(overlaps(&world).is_empty(), "seed {seed}, step {step}: {:?}", overlaps(&world));
            let now = contacts(&world);
            let began: Vec<_> = done.began.iter().map(|contact| contact.bodies).collect();
            assert_eq!(
                began,
                now.difference(&known).copied().collect::<Vec<_>>(),
                "seed {seed}, step {step}"
            );
            let ended: Vec<_> = done.ended.iter().map(|contact| contact.bodies).collect();
            let over: Vec<_> = known.difference(&now).copied().collect();
            assert_eq!(
                ended
                    .into_iter()
                    .filter(|pair| pair.iter().all(|h| world.get(*h).is_ok()))
                    .collect::<Vec<_>>(),
                over,
                "seed {seed}, step {step}"
            );
            assert_eq!(world.contacts().iter().map(|c| c.bodies).collect::<BTreeSet<_>>(), now);
            assert!(done.began.iter().all(|c| c.is_sensed == c.bodies.contains(&sensor)));
            known = now;
        }
    }
}

/// A call, made from a number, for handles that are there or were.
fn any_call(random: &mut Random, handles: &[Handle], shapes: &[Arc<Model>]) -> Call {
    let handle = handles[random.below(handles.len() as u32) as usize];
    let at = anywhere(random, 3.0);
    match random.below(16) {
        0 => {
            let shape = shapes[random.below(shapes.len() as u32) as usize].clone();
            Call::Insert(match random.below(8) {
                0 => Body::fixed(shape, at),
                1 => Body::sensor(shape, at),
                2 => Body::deformable(Deformable::new(Mesh::from(shapes::icosphere(0.5, 1).unwrap())), at),
                _ => Body::moving(shape, at).in_layers(CollisionLayers {
                    memberships: 1 << random.below(2),
                    mask: 1 | random.below(4),
                }),
            })
        }
        1 => Call::Remove(handle),
        2 => Call::Teleport(handle, at),
        3 => {
            let vertices =
                Mesh::from(shapes::icosphere(0.3 + random.unit(), 1).unwrap()).vertices().collect();
            Call::Deform(handle, vertices)
        }
        4 | 9 => Call::Move(handle, any_motion(random, &at, 2.0)),
        5 => Call::Slide(handle, 2.0 * random.in_cube(), SlideOptions::new().step_up(0.3)),
        6 => {
            let jumps = handles.iter().filter(|_| random.below(3) == 0).copied().collect::<Vec<_>>();
            Call::TryTeleport(jumps.into_iter().map(|handle| (handle, anywhere(random, 3.0))).collect())
        }
        7 => Call::Unstick(handle, 10.0),
        8 => Call::WakeUp(handle),
        12 => Call::SetLayers(
            handle,
            CollisionLayers { memberships: 1 << random.below(2), mask: 1 | random.below(4) },
        ),
        13 => Call::SetKind(
            handle,
            [Kind::Fixed, Kind::Moving, Kind::Kinematic, Kind::Sensor][random.below(4) as usize],
        ),
        14 => Call::SetData(handle, u64::from(random.below(9))),
        15 => {
            let shape = shapes[random.below(shapes.len() as u32) as usize].clone();
            Call::Replace(handle, Body::moving(shape, at).with_data(u64::from(random.below(9))))
        }
        _ => {
            let movers = handles.iter().filter(|_| random.below(2) == 0).copied().collect::<Vec<_>>();
            Call::Step(movers.into_iter().map(|handle| (handle, any_motion(random, &at, 1.0))).collect())
        }
    }
}

#[test]
fn neither_broad_phase_nor_filters_nor_threads_change_anything() {
    let chains = [
        FilterChain::NONE,
        FilterChain { spheres: true, ..FilterChain::NONE },
        FilterChain { boxes: true, ..FilterChain::NONE },
        FilterChain { plane: true, ..FilterChain::NONE },
    ];
    let mut ways: Vec<WorldOptions> = Algorithm::ALL
        .into_iter()
        .map(|broad| WorldOptions::new().broad(broad).sleep_after(3).parallel(false))
        .collect();
    ways.extend(chains.map(|chain| ways[0].chain(chain)));
    ways.push(ways[0].parallel(true));
    let shapes = shapes();
    for seed in 0..if cfg!(debug_assertions) { 1 } else { 8 } {
        let mut worlds: Vec<World> = ways.iter().map(|way| crowd(*way, 10, 3.0, seed).0).collect();
        let mut handles: Vec<Handle> = worlds[0].iter().map(|(handle, _)| handle).collect();
        let mut random = Random::new(seed);
        worlds[0].record();
        for number in 0..if cfg!(debug_assertions) { 25 } else { 250 } {
            let call = any_call(&mut random, &handles, &shapes);
            let done: Vec<_> = worlds.iter_mut().map(|world| world.call(&call)).collect();
            let hash = worlds[0].hash();
            for (world, result) in worlds.iter().zip(&done) {
                assert_eq!(result, &done[0], "seed {seed}, call {number}, {call:?}, {:?}", world.options());
                assert_eq!(world.hash(), hash, "seed {seed}, call {number}, {call:?}, {:?}", world.options());
            }
            assert_eq!(worlds[0].overlaps(), overlaps(&worlds[0]), "seed {seed}, call {number}, {call:?}");
            handles.extend(
                worlds[0]
                    .iter()
                    .map(|(handle, _)| handle)
                    .filter(|handle| !handles.contains(handle))
                    .collect::<Vec<_>>(),
            );
        }
    }
}

#[test]
fn a_log_makes_the_same_world_again() {
    let shapes = shapes();
    let mut random = Random::new(5);
    let mut world = World::new();
    world.record();
    world.insert(Body::moving(shapes[0].clone(), Trs::IDENTITY)).unwrap();
    for _ in 0..if cfg!(debug_assertions) { 30 } else { 300 } {
        let handles: Vec<Handle> = world.iter().map(|(handle, _)| handle).collect();
        let call = if handles.is_empty() {
            Call::Insert(Body::moving(shapes[1].clone(), Trs::IDENTITY))
        } else {
            any_call(&mut random, &handles, &shapes)
        };
        let _ = world.call(&call);
    }
    let log = world.take_log().unwrap();
    assert!(!log.is_empty());
    assert_eq!(log.replay(false).hash(), world.hash());
    assert_eq!(log.replay(true).hash(), world.hash());
    assert!(world.take_log().is_none());
}

#[test]
fn a_world_goes_back_to_a_snapshot_and_on_from_there() {
    let (mut world, _) = crowd(WorldOptions::default(), 8, 2.5, 3);
    let shapes = shapes();
    let snapshot = world.snapshot();
    let before = world.hash();
    let play = |world: &mut World| {
        let mut random = Random::new(11);
        for _ in 0..20 {
            let handles: Vec<Handle> = world.iter().map(|(handle, _)| handle).collect();
            let _ = world.call(&any_call(&mut random, &handles, &shapes));
        }
        world.hash()
    };
    let once = play(&mut world);
    assert_ne!(once, before);
    world.restore(&snapshot);
    assert_eq!(world.hash(), before);
    assert_eq!(play(&mut world), once);
}

#[test]
fn what_rests_sleeps_and_is_woken_by_what_touches_it() {
    let mut world = World::with_options(WorldOptions::new().sleep_after(3));
    let cube = shapes()[0].clone();
    world
        .insert(Body::fixed(
            Model::new(shapes::cuboid([-9.0, -9.0, -2.0], [9.0, 9.0, -1.0]).unwrap()),
            Trs::IDENTITY,
        ))
        .unwrap();
    let put = |world: &mut World, x: f64, z: f64| {
        world.insert(Body::moving(cube.clone(), Trs::translation([x, 0.0, z]).unwrap())).unwrap()
    };
    // A stack of two, one beside it that touches nothing, and one that comes.
    let (low, high) = (put(&mut world, 0.0, -0.49995), put(&mut world, 0.0, 0.5001));
    let (alone, comes) = (put(&mut world, 4.0, 3.0), put(&mut world, -4.0, -0.4));
    let mut asleep = Vec::new();
    for _ in 0..5 {
        asleep.extend(world.step(&[]).unwrap().asleep);
    }
    assert_eq!(asleep, [low, high, alone, comes]);
    assert_eq!(world.awake().count(), 0);
    assert!(world.get(high).unwrap().is_asleep());
    // One that moves is awake itself, and so is what it hits, with all of its stack.
    let moved = world.step(&[(comes, Motion::translation([5.0, 0.0, 0.0]).unwrap())]).unwrap();
    assert_eq!(moved.moves[0].hits[0].other, low);
    assert_eq!(world.awake().collect::<Vec<_>>(), [low, high, comes]);
    // What stands on something wakes up when that is taken away.
    for _ in 0..5 {
        world.step(&[]).unwrap();
    }
    assert_eq!(world.awake().count(), 0);
    world.remove(low).unwrap();
    assert!(!world.get(high).unwrap().is_asleep() && world.get(alone).unwrap().is_asleep());
    assert!(world.get(low).is_err());
}

#[test]
fn who_is_to_move_wakes_up_even_if_it_does_not_get_on() {
    let options = WorldOptions::new().sleep_after(3);
    let floor = Arc::new(Model::new(shapes::cuboid([-9.0, -9.0, -2.0], [9.0, 9.0, -0.5]).unwrap()));
    let down = Motion::translation([0.0, 0.0, -1.0]).unwrap();
    let pushed = |push: &dyn Fn(&mut World, Handle) -> Move| {
        let mut world = World::with_options(options);
        world.insert(Body::fixed(floor.clone(), Trs::IDENTITY)).unwrap();
        let cube = world.insert(Body::moving(shapes()[0].clone(), Trs::IDENTITY)).unwrap();
        for _ in 0..5 {
            world.step(&[]).unwrap();
        }
        assert!(world.get(cube).unwrap().is_asleep());
        let made = push(&mut world, cube);
        assert_eq!((made.status, made.fraction), (SweepStatus::Hit, 0.0));
        (made, world.awake().collect::<Vec<_>>(), cube)
    };
    let by_move = pushed(&|world, cube| world.try_move(cube, &down).unwrap());
    let by_step = pushed(&|world, cube| world.step(&[(cube, down)]).unwrap().moves.remove(0));
    assert_eq!(by_move.1, [by_move.2]);
    assert_eq!(by_step, by_move);
}

#[test]
fn a_jump_that_does_not_go_is_taken_back_with_all_that_followed() {
    let mut world = World::new();
    let cube = shapes()[0].clone();
    let at = |x: f64| Trs::translation([x, 0.0, 0.0]).unwrap();
    let row: Vec<Handle> =
        (0..5).map(|i| world.insert(Body::moving(cube.clone(), at(2.0 * f64::from(i)))).unwrap()).collect();
    // Each jumps to the place of the next, and the last one into the side of nobody: all can.
    let along: Vec<(Handle, Trs)> =
        row.iter().zip(1..).map(|(&body, i)| (body, at(2.0 * f64::from(i)))).collect();
    assert_eq!(world.try_teleport(&along).unwrap(), []);
    // With a wall at the end, nobody can.
    world.insert(Body::fixed(cube.clone(), at(12.5))).unwrap();
    let again: Vec<(Handle, Trs)> =
        row.iter().zip(2..).map(|(&body, i)| (body, at(2.0 * f64::from(i)))).collect();
    assert_eq!(world.try_teleport(&again).unwrap(), row);
    assert!(overlaps(&world).is_empty());
    assert_eq!(world.get(row[0]).unwrap().placement().world_from_model().translation.x, 2.0);
    assert_eq!(
        world.try_teleport(&[(row[0], at(2.0)), (row[0], at(1.0))]),
        Err(WorldError::MovedTwice { handle: row[0] })
    );
}

#[test]
fn what_is_stuck_is_put_to_the_nearest_place_that_was_tried() {
    let mut world = World::new();
    let cube = shapes()[0].clone();
    for x in -2..=2 {
        let at = Trs::translation([f64::from(x), 0.0, 0.0]).unwrap();
        world.insert(Body::fixed(cube.clone(), at)).unwrap();
    }
    let stuck = world.insert(Body::moving(cube.clone(), Trs::translation([0.1, 0.2, 0.0]).unwrap())).unwrap();
    assert_eq!(world.overlaps().len(), 2);
    let motion = Motion::translation([0.0, 0.0, 3.0]).unwrap();
    assert_eq!(world.try_move(stuck, &motion).unwrap().status, SweepStatus::StartedOverlapping);
    let free = world.resolve_overlap(stuck, 5.0).unwrap().unwrap();
    // Sideways it is 0.8 to the end of the row of cubes.
    assert!(free.distance >= 0.8 && free.distance < 0.81, "{free:?}");
    assert!(world.overlaps().is_empty() && overlaps(&world).is_empty());
    assert_eq!(world.try_move(stuck, &motion).unwrap().status, SweepStatus::Clear);
    // There is no place within reach.
    world.teleport(stuck, Trs::IDENTITY).unwrap();
    let before = *world.get(stuck).unwrap().placement();
    assert_eq!(world.resolve_overlap(stuck, 0.1).unwrap(), None);
    assert_eq!(world.get(stuck).unwrap().placement(), &before);
    assert!(!world.overlaps().is_empty());
}

#[test]
fn a_slide_goes_on_along_what_it_meets_and_up_what_is_low() {
    let mut world = World::new();
    let solid = |low: [f64; 3], high: [f64; 3]| Model::new(shapes::cuboid(low, high).unwrap());
    world.insert(Body::fixed(solid([-50.0, -50.0, -1.0], [50.0, 50.0, 0.0]), Trs::IDENTITY)).unwrap();
    let wall = world.insert(Body::fixed(solid([4.0, -50.0, 0.0], [5.0, 50.0, 5.0]), Trs::IDENTITY)).unwrap();
    let step = world.insert(Body::fixed(solid([-9.0, 3.0, 0.0], [9.0, 9.0, 0.3]), Trs::IDENTITY)).unwrap();
    let player = Model::new(shapes::cuboid([-0.5, -0.5, 0.0], [0.5, 0.5, 2.0]).unwrap());
    let player = world.insert(Body::moving(player, Trs::translation([0.0, 0.0, 0.01]).unwrap())).unwrap();
    let slid = world.slide(player, [8.0, 2.0, 0.0], &SlideOptions::default()).unwrap();
    assert_eq!(slid.met.iter().map(|(other, _)| *other).collect::<Vec<_>>(), [wall]);
    assert!((slid.moved - DVec3::new(3.5, 2.0, 0.0)).length() < 1e-6, "{slid:?}");
    // The step stops it, unless it steps.
    let slid = world.slide(player, [0.0, 2.0, 0.0], &SlideOptions::default()).unwrap();
    assert!((slid.moved.y - 0.5).abs() < 1e-6 && slid.met[0].0 == step && !slid.stepped);
    let ask = SlideOptions::new().step_up(0.4);
    let slid = world.slide(player, [0.0, 2.0, 0.0], &ask).unwrap();
    assert!(slid.stepped && (slid.moved.y - 2.0).abs() < 1e-6 && slid.moved.z > 0.28, "{slid:?}");
    assert!(overlaps(&world).is_empty());
}

#[test]
fn questions_about_the_world_are_those_about_every_body() {
    let (world, handles) = crowd(WorldOptions::default(), 20, 4.0, 9);
    let mut random = Random::new(4);
    let ball = Model::new(shapes::icosphere(0.4, 2).unwrap());
    for _ in 0..if cfg!(debug_assertions) { 30 } else { 400 } {
        let ray = Ray::new(6.0 * random.in_cube(), random.direction()).unwrap();
        let found = world.cast_ray(&ray, RayOptions::default(), |_, _| true);
        let nearest = world
            .iter()
            .filter_map(|(handle, body)| Some((body.placed().cast_ray(&ray)?.t, handle)))
            .min_by(|a, b| a.0.total_cmp(&b.0));
        assert_eq!(found.map(|(handle, hit)| (hit.t, handle)), nearest);

        let volume = Volume::sphere(4.0 * random.in_cube(), random.unit()).unwrap();
        let touched: Vec<Handle> = world
            .iter()
            .filter(|(_, body)| body.placed().touches(&volume))
            .map(|(handle, _)| handle)
            .collect();
        assert_eq!(world.touching(&volume, |_, _| true), touched);

        let placed = ball.at(anywhere(&mut random, 4.0));
        let met: Vec<Handle> = world
            .iter()
            .filter(|(_, body)| placed.intersects(&body.placed()))
            .map(|(handle, _)| handle)
            .collect();
        assert_eq!(world.meeting(&placed, |_, _| true), met);
        let motion = Motion::translation(3.0 * random.in_cube()).unwrap();
        // With one skin for all, as the world has one.
        let ask = SweepOptions::new().skin(1e-9);
        let first = world
            .iter()
            .map(|(handle, body)| (handle, placed.sweep_with(&motion, &body.placed(), ask)))
            .filter(|(_, sweep)| sweep.status != SweepStatus::Clear)
            .min_by(|a, b| a.1.fraction.total_cmp(&b.1.fraction));
        let found = world.sweep(&placed, &motion, ask, |_, _| true);
        assert_eq!(
            found.map(|(handle, sweep)| (handle, sweep.fraction)),
            first.map(|(h, s)| (h, s.fraction))
        );

        let handle = handles[random.below(handles.len() as u32) as usize];
        let own = world.get(handle).unwrap().placed();
        let nearest = world
            .iter()
            .filter(|(other, _)| *other != handle)
            .map(|(_, body)| own.distance(&body.placed()).distance)
            .fold(f64::INFINITY, f64::min);
        let found = world.nearest(handle, f64::INFINITY, |_, _| true).unwrap().unwrap();
        assert!((found.1.distance - nearest).abs() <= 1e-11 * (1.0 + nearest));
        let [from, to] = [6.0 * random.in_cube(), 6.0 * random.in_cube()];
        let segment = Ray::segment(from, to).unwrap();
        let is_free = !world.iter().any(|(_, body)| body.placed().hits_ray(&segment));
        assert_eq!(world.sees(from, to, |_, _| true).unwrap(), is_free);
    }
}

#[test]
fn layers_filters_and_kinds_decide_who_meets() {
    let mut world = World::new();
    let cube = shapes()[0].clone();
    let at = |x: f64| Trs::translation([x, 0.0, 0.0]).unwrap();
    let ghost = CollisionLayers { memberships: 2, mask: 2 };
    let wall = world.insert(Body::fixed(cube.clone(), at(3.0))).unwrap();
    let body = world.insert(Body::moving(cube.clone(), at(0.0)).with_data(7)).unwrap();
    let passing = world.insert(Body::moving(cube.clone(), at(0.0)).in_layers(ghost)).unwrap();
    assert!(world.overlaps().is_empty());
    let right = Motion::translation([6.0, 0.0, 0.0]).unwrap();
    assert_eq!(world.try_move(passing, &right).unwrap().status, SweepStatus::Clear);
    assert_eq!(world.try_move(body, &right).unwrap().hits[0].other, wall);
    assert_eq!(world.get(body).unwrap().data(), 7);
    // The user has the last word.
    world.set_filter(move |(a, _), (b, _)| [a, b] != [wall, body]);
    assert_eq!(world.try_move(body, &right).unwrap().status, SweepStatus::Clear);
    assert_eq!(world.try_move(wall, &right), Err(WorldError::NotMoving { handle: wall }));
    assert_eq!(world.deform(body, &[[0.0; 3]]), Err(WorldError::NotDeformable { handle: body }));
    let twice = world.step(&[(body, right), (body, right)]);
    assert_eq!(twice, Err(WorldError::MovedTwice { handle: body }));
    // Handles of bodies that left name nothing, even after their places are taken again.
    world.remove(passing).unwrap();
    world.step(&[]).unwrap();
    let next = world.insert(Body::moving(cube, at(20.0))).unwrap();
    assert_eq!(next.index(), passing.index());
    assert_eq!(world.get(passing).err(), Some(WorldError::Unknown { handle: passing }));
    assert_eq!(world.teleport(passing, at(0.0)), Err(WorldError::Unknown { handle: passing }));
    assert_eq!(world.len(), 3);
}

#[test]
fn deformables_that_overlap_are_told_of() {
    let mut world = World::new();
    let cube = shapes()[0].clone();
    let ball = Deformable::new(Mesh::from(shapes::icosphere(0.5, 2).unwrap()));
    let large: Vec<DVec3> = ball.model().mesh().vertices().map(|vertex| 3.0 * vertex).collect();
    let small: Vec<DVec3> = ball.model().mesh().vertices().collect();
    let cube = world.insert(Body::moving(cube, Trs::translation([1.2, 0.0, 0.0]).unwrap())).unwrap();
    let ball = world.insert(Body::deformable(ball, Trs::IDENTITY)).unwrap();
    assert!(world.overlaps().is_empty());
    world.deform(ball, &large).unwrap();
    assert_eq!(world.overlaps(), [[cube, ball]]);
    world.deform(ball, &small).unwrap();
    assert!(world.overlaps().is_empty());
    assert!(world.deform(ball, &[[f64::NAN; 3]]).is_err());
}

#[test]
fn the_chain_counts_what_it_decides() {
    let (mut world, handles) = crowd(WorldOptions::default(), 12, 2.5, 1);
    let mut random = Random::new(8);
    for _ in 0..20 {
        let at = *world.get(handles[0]).unwrap().placement();
        world.try_move(handles[0], &any_motion(&mut random, &at, 1.0)).unwrap();
    }
    let statistics = world.statistics();
    let [spheres, boxes, plane, hard] =
        [FilterStage::Spheres, FilterStage::Boxes, FilterStage::Plane, FilterStage::Hard]
            .map(|stage| statistics.of(stage));
    assert!(spheres.asked > 0 && hard.decided > 0);
    assert_eq!(spheres.asked - spheres.decided, boxes.asked);
    assert_eq!(boxes.asked - boxes.decided, plane.asked);
    assert_eq!(plane.asked - plane.decided, hard.asked);
    assert_eq!(hard.asked, hard.decided);
    assert!(statistics.table().contains("plane divides entities"));
}

#[test]
fn filters_leave_what_the_zone_of_a_sweep_stops() {
    // Past each other at less than the zone is thick, and at more than rounding can do.
    for gap in [1e-12, 3e-11, 1e-10, 3e-10, 1e-9, 1e-8] {
        let fraction = |chain: FilterChain| {
            let mut world = World::with_options(WorldOptions::new().chain(chain));
            let cube = shapes()[0].clone();
            world.insert(Body::fixed(cube.clone(), Trs::IDENTITY)).unwrap();
            let start = Trs::translation([-3.0, 0.25, 1.0 + gap]).unwrap();
            let mover = world.insert(Body::moving(cube, start)).unwrap();
            world.try_move(mover, &Motion::translation([6.0, 0.0, 0.0]).unwrap()).unwrap().fraction
        };
        assert_eq!(fraction(FilterChain::default()), fraction(FilterChain::NONE), "{gap}");
    }
}

#[test]
fn distances_that_are_none_are_zero() {
    let options = WorldOptions::new().contact_distance(f64::NAN).margin(-1.0);
    let mut world = World::with_options(options);
    assert_eq!((world.options().contact_distance, world.options().margin), (0.0, 0.0));
    let cube = shapes()[0].clone();
    world.insert(Body::fixed(cube.clone(), Trs::IDENTITY)).unwrap();
    let body = world.insert(Body::moving(cube, Trs::IDENTITY)).unwrap();
    for at_most in [f64::NAN, -1.0, 0.0] {
        assert_eq!(world.resolve_overlap(body, at_most).unwrap(), None);
    }
    assert!(world.resolve_overlap(body, f64::INFINITY).unwrap().is_some());
}

/// Handles of other worlds, and of bodies that came after the snapshot that was restored, name nothing, although their places and
/// generations are taken.
#[test]
fn handles_of_another_world_or_of_a_lost_time_name_nothing() {
    let cube = Arc::new(Model::new(shapes::cuboid([-0.5; 3], [0.5; 3]).unwrap()));
    let body = |x: f64| Body::moving(Arc::clone(&cube), Trs::translation([x, 0.0, 0.0]).unwrap());
    let (mut here, mut elsewhere) = (World::new(), World::new());
    let own = here.insert(body(0.0)).unwrap();
    let foreign = elsewhere.insert(body(7.0)).unwrap();
    assert_eq!(own, foreign, "the same calls give equal answers");
    let unknown = |result: Result<(), WorldError>, handle: Handle| {
        assert_eq!(result, Err(WorldError::Unknown { handle }));
    };
    let motion = Motion::translation([1.0, 0.0, 0.0]).unwrap();
    unknown(here.get(foreign).map(drop), foreign);
    unknown(here.teleport(foreign, Trs::IDENTITY), foreign);
    unknown(here.try_move(foreign, &motion).map(drop), foreign);
    unknown(here.step(&[(foreign, motion)]).map(drop), foreign);
    unknown(here.try_teleport(&[(foreign, Trs::IDENTITY)]).map(drop), foreign);
    unknown(here.verdict(own, foreign).map(drop), foreign);
    unknown(here.nearest(foreign, 1.0, |_, _| true).map(drop), foreign);
    unknown(here.contacts_of(foreign).map(drop), foreign);
    unknown(here.wake_up(foreign), foreign);
    unknown(here.remove(foreign).map(drop), foreign);
    assert_eq!(here.len(), 1);

    let snapshot = here.snapshot();
    let lost = here.insert(body(3.0)).unwrap();
    here.restore(&snapshot);
    let again = here.insert(body(5.0)).unwrap();
    assert_eq!(lost, again);
    unknown(here.get(lost).map(drop), lost);
    assert_eq!(here.get(again).unwrap().placement().world_from_model().translation.x, 5.0);
    // What was there before is known in the snapshot's world and in clones, which go ways of their own.
    let mut clone = here.clone();
    assert!(here.get(own).is_ok() && clone.get(own).is_ok());
    let in_clone = clone.insert(body(9.0)).unwrap();
    let in_world = here.insert(body(9.0)).unwrap();
    unknown(here.get(in_clone).map(drop), in_clone);
    unknown(clone.get(in_world).map(drop), in_world);
    // A world that was made again has its own handles, which can be asked for.
    let mut recorded = World::new();
    recorded.record();
    let first = recorded.insert(body(1.0)).unwrap();
    recorded.teleport(first, Trs::translation([2.0, 0.0, 0.0]).unwrap()).unwrap();
    let replayed = recorded.take_log().unwrap().replay(false);
    unknown(replayed.get(first).map(drop), first);
    let counterpart = replayed.counterpart(first).unwrap();
    assert_eq!(replayed.get(counterpart).unwrap().placement().world_from_model().translation.x, 2.0);
    assert_eq!(replayed.hash(), recorded.hash());
}

/// Whether a new body overlaps any is known from the first that it does, and not from all.
#[test]
fn equal_bodies_in_one_place_are_inserted_quickly() {
    let ball = Arc::new(Model::new(shapes::icosphere(0.5, 1).unwrap()));
    let mut world = World::new();
    let count = 16;
    let start = std::time::Instant::now();
    let handles: Vec<Handle> =
        (0..count).map(|_| world.insert(Body::moving(Arc::clone(&ball), Trs::IDENTITY)).unwrap()).collect();
    let inserted = start.elapsed();
    let start = std::time::Instant::now();
    let overlaps = world.overlaps();
    let listed = start.elapsed();
    assert_eq!(overlaps.len(), count * (count - 1) / 2);
    assert_eq!(overlaps.last(), Some(&[handles[count - 2], handles[count - 1]]));
    // Each pair is tested at most twice for the list; the insertions took half as long when they tested all pairs.
    println!("{count} bodies inserted in {inserted:?}, their overlaps listed in {listed:?}");
    assert!(inserted * 4 < listed, "{inserted:?} {listed:?}");
}
