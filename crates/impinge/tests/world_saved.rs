//! Worlds that are saved and loaded: snapshots and logs as JSON and as bytes, which anybody may have changed.

use std::sync::Arc;

use crate::binary_form::Item;
use crate::effort::share;
use impinge::mesh::MaterialSet;
use impinge::shapes::{self, Random};
use impinge::world::{
    Body, Call, CollisionLayers, CrushRule, Handle, Kind, Log, SlideOptions, Snapshot, Step, StepOptions,
    World, WorldOptions,
};
use impinge::{Deformable, Mesh, Model, Motion, Trs};
use serde::Deserialize;
use serde_json::Value;

fn models() -> Vec<Arc<Model>> {
    let cube = Mesh::from(shapes::cuboid([-0.5; 3], [0.5; 3]).unwrap());
    let materials = (0..12).map(|face| face / 4).collect();
    let meshes = [
        cube.with_materials(materials).unwrap(),
        Mesh::from(shapes::octahedron(0.7).unwrap()),
        Mesh::from(shapes::cuboid_of_quads([-0.3, -0.3, -1.0], [0.3, 0.3, 1.0]).unwrap()),
    ];
    let capsule = Model::capsule([0.0, 0.0, -0.3], [0.0, 0.0, 0.3], 0.25).unwrap();
    meshes.into_iter().map(Model::new).chain([capsule]).map(Arc::new).collect()
}

fn random_body(random: &mut Random, models: &[Arc<Model>]) -> Body {
    let place = random.in_cube() * 3.0;
    let turn = Trs::rotation_about_axis(random.direction(), 360.0 * random.unit()).unwrap();
    let place = Trs::rigid(place, turn.orientation()).unwrap();
    let body = if random.below(8) == 0 {
        Body::deformable(Deformable::new(Mesh::from(shapes::octahedron(0.6).unwrap())), place)
    } else {
        Body::moving(Arc::clone(&models[random.below(models.len() as u32) as usize]), place)
    };
    let kind = [Kind::Moving, Kind::Moving, Kind::Moving, Kind::Fixed, Kind::Sensor, Kind::Kinematic];
    let body = body.of_kind(kind[random.below(6) as usize]).with_data(random.next_u64());
    let layers = CollisionLayers { memberships: 1 << random.below(2), mask: u32::MAX };
    body.in_layers(layers).ignoring_materials(MaterialSet::from_bits(u64::from(random.below(4))))
}

fn random_motion(random: &mut Random) -> Motion {
    let by = random.in_cube() * 0.8;
    match random.below(3) {
        0 => Motion::rigid(by, random.in_cube(), random.direction(), 20.0).unwrap(),
        _ => Motion::translation(by).unwrap(),
    }
}

/// Makes one random call, and steps now and then.
fn random_call(world: &mut World, random: &mut Random, models: &[Arc<Model>]) {
    let handles: Vec<Handle> = world.handles().collect();
    let any = handles[random.below(handles.len() as u32) as usize];
    let call = match random.below(12) {
        0 => Call::Insert(random_body(random, models)),
        1 if handles.len() > 4 => Call::Remove(any),
        2 => Call::Teleport(any, Trs::translation(random.in_cube() * 3.0).unwrap().into()),
        3 => Call::Move(any, random_motion(random)),
        4 => Call::Slide(any, random.in_cube(), SlideOptions::new().step_up(0.1)),
        5 => Call::Unstick(any, 2.0),
        6 if random.below(2) == 0 => Call::TryReplace(any, random_body(random, models)),
        6 => Call::Replace(any, random_body(random, models)),
        7 => Call::SetLayers(any, CollisionLayers { memberships: 3, mask: 1 }),
        8 => Call::SetKind(any, Kind::Moving),
        9 => {
            let vertices = world.get(any).unwrap().model().mesh().vertices().map(|p| p * 1.01);
            Call::Deform(any, vertices.collect())
        }
        10 => Call::SetIgnoredMaterials(any, MaterialSet::from_bits(2)),
        _ => {
            let mut moves = Vec::new();
            for (handle, body) in world.iter() {
                if matches!(body.kind(), Kind::Moving | Kind::Kinematic) && random.below(4) > 0 {
                    moves.push((handle, random_motion(random)));
                }
            }
            let crush = if random.below(2) == 0 { CrushRule::Crush } else { CrushRule::Stop };
            Call::StepWith(moves, StepOptions::new().planes(random.below(3) as usize).crush(crush))
        }
    };
    // What fails changes nothing, and fails again.
    let _ = world.call(&call);
}

fn random_world(seed: u64) -> (World, Random, Vec<Arc<Model>>) {
    let (mut random, models) = (Random::new(seed), models());
    let mut world = World::with_options(WorldOptions::new().sleep_after(3).parallel(seed.is_multiple_of(2)));
    world.record();
    for _ in 0..8 {
        world.insert(random_body(&mut random, &models)).unwrap();
    }
    for _ in 0..30 {
        random_call(&mut world, &mut random, &models);
    }
    (world, random, models)
}

fn as_bytes(value: &Value) -> Vec<u8> {
    let mut bytes = Vec::new();
    Item::of(value).write(&mut bytes);
    bytes
}

fn from_bytes<T: for<'de> Deserialize<'de>>(bytes: &[u8]) -> Result<T, String> {
    let item = Item::read(&mut &*bytes, 0).ok_or("these bytes say nothing")?;
    T::deserialize(item).map_err(|error| error.to_string())
}

#[test]
fn a_world_goes_on_from_a_saved_snapshot_with_the_same_bits() {
    for seed in 0..share(4, 150) {
        let (mut world, mut random, models) = random_world(seed);
        let text = serde_json::to_string(&world.snapshot()).unwrap();
        let read: Snapshot = serde_json::from_str(&text).unwrap();
        assert_eq!(serde_json::to_string(&read).unwrap(), text, "{seed}");
        let value = serde_json::to_value(world.snapshot()).unwrap();
        let read_bytes: Snapshot = from_bytes(&as_bytes(&value)).unwrap();
        assert_eq!(serde_json::to_string(&read_bytes).unwrap(), text, "{seed}");
        let mut again = World::new();
        again.restore(&read);
        let mut third = World::from(&read_bytes);
        assert_eq!(
            (world.hash(), world.len(), world.skin()),
            (again.hash(), again.len(), again.skin()),
            "{seed}"
        );
        assert_eq!(world.contacts(), again.contacts(), "{seed}");
        assert_eq!(world.awake().collect::<Vec<_>>(), again.awake().collect::<Vec<_>>(), "{seed}");
        for number in 0..20 {
            let mut same = random.clone();
            let mut other = random.clone();
            random_call(&mut world, &mut random, &models);
            random_call(&mut again, &mut same, &models);
            random_call(&mut third, &mut other, &models);
            assert_eq!(world.hash(), again.hash(), "{seed}, call {number}");
            assert_eq!(world.hash(), third.hash(), "{seed}, call {number}");
        }
        let handles: Vec<Handle> = world.handles().collect();
        assert_eq!(again.step(&[]).unwrap(), world.step(&[]).unwrap(), "{seed}");
        for handle in handles {
            let there = again.counterpart(handle).unwrap();
            assert_eq!(again.get(there).unwrap().data(), world.get(handle).unwrap().data());
        }
    }
}

#[test]
fn a_saved_log_makes_the_same_world() {
    for seed in 0..share(4, 100) {
        let (mut world, ..) = random_world(seed);
        let hash = world.hash();
        let log = world.take_log().unwrap();
        let text = serde_json::to_string(&log).unwrap();
        let read: Log = serde_json::from_str(&text).unwrap();
        assert_eq!((read.len(), serde_json::to_string(&read).unwrap()), (log.len(), text), "{seed}");
        assert_eq!([true, false].map(|parallel| read.replay(parallel).hash()), [hash; 2], "{seed}");
        let bytes = as_bytes(&serde_json::to_value(&log).unwrap());
        assert_eq!(from_bytes::<Log>(&bytes).unwrap().replay(false).hash(), hash, "{seed}");
        // A call on its own is written with its body's model.
        for call in log.calls() {
            let text = serde_json::to_string(call).unwrap();
            let read: Call = serde_json::from_str(&text).unwrap();
            assert_eq!(serde_json::to_string(&read).unwrap(), text);
        }
    }
}

#[test]
fn models_that_bodies_share_are_written_once_and_shared_again() {
    let model = Arc::new(Model::new(shapes::icosphere(0.4, 2).unwrap()));
    let twin = Arc::new(Model::new(shapes::icosphere(0.4, 2).unwrap()));
    let mut world = World::new();
    world.record();
    for i in 0..10 {
        let model = if i == 3 { &twin } else { &model };
        world
            .insert(Body::moving(Arc::clone(model), Trs::translation([f64::from(i), 0.0, 0.0]).unwrap()))
            .unwrap();
    }
    let value = serde_json::to_value(world.snapshot()).unwrap();
    assert_eq!((value["version"].as_u64(), value["models"].as_array().unwrap().len()), (Some(1), 2));
    let again = World::from(&serde_json::from_value::<Snapshot>(value).unwrap());
    let models: Vec<*const Model> = again.iter().map(|(_, body)| std::ptr::from_ref(body.model())).collect();
    assert!((0..10).all(|i| (models[i] == models[0]) == (i != 3)));
    let value = serde_json::to_value(world.take_log().unwrap()).unwrap();
    assert_eq!(value["models"].as_array().unwrap().len(), 2);
    let read: Log = serde_json::from_value(value).unwrap();
    assert_eq!(read.replay(true).hash(), world.hash());
}

#[test]
fn restoring_what_was_read_keeps_the_filter() {
    let (models, mut world) = (models(), World::new());
    let a = world.insert(Body::moving(Arc::clone(&models[0]), Trs::IDENTITY)).unwrap();
    world.insert(Body::fixed(Arc::clone(&models[0]), Trs::translation([2.0, 0.0, 0.0]).unwrap())).unwrap();
    let text = serde_json::to_string(&world.snapshot()).unwrap();
    world.set_filter(|_, _| false);
    world.restore(&serde_json::from_str(&text).unwrap());
    let through = Motion::translation([2.0, 0.0, 0.0]).unwrap();
    // The old handle names nothing in it.
    assert!(world.try_move(a, &through).is_err());
    let a = world.counterpart(a).unwrap();
    assert_eq!(world.try_move(a, &through).unwrap().fraction, 1.0);
    world.clear_filter();
    assert_eq!(world.overlaps().len(), 1, "it was free by the filter alone");
}

#[test]
fn a_file_that_keeps_an_overlap_quiet_is_not_believed() {
    let (models, mut world) = (models(), World::new());
    for x in [0.0, 0.25] {
        let place = Trs::translation([x, 0.0, 0.0]).unwrap();
        world.insert(Body::moving(Arc::clone(&models[0]), place)).unwrap();
    }
    let mut value = serde_json::to_value(world.snapshot()).unwrap();
    assert_eq!(value["unseen"].as_array().unwrap().len(), 1);
    value["unseen"] = serde_json::json!([]);
    let read = World::from(&serde_json::from_value::<Snapshot>(value).unwrap());
    assert_eq!(read.overlaps().len(), 1);
}

#[test]
fn steps_come_back_as_they_were() {
    let (mut world, mut random, _) = random_world(7);
    let moves: Vec<(Handle, Motion)> = world
        .iter()
        .filter(|(_, body)| body.kind() == Kind::Moving)
        .map(|(handle, _)| (handle, random_motion(&mut random)))
        .collect();
    let step = world.step(&moves).unwrap();
    let read: Step = serde_json::from_str(&serde_json::to_string(&step).unwrap()).unwrap();
    assert!(!step.moves.is_empty() && read == step);
}

#[test]
fn what_is_no_snapshot_is_refused_with_a_reason() {
    let (models, mut world) = (models(), World::new());
    for (i, model) in models.iter().enumerate() {
        let place = Trs::translation([2.0 * i as f64, 0.0, 0.0]).unwrap();
        world.insert(Body::moving(Arc::clone(model), place)).unwrap();
    }
    let value = serde_json::to_value(world.snapshot()).unwrap();
    let refused = |change: &dyn Fn(&mut Value)| {
        let mut value = value.clone();
        change(&mut value);
        let text = serde_json::from_value::<Snapshot>(value.clone()).map(drop).unwrap_err().to_string();
        let bytes = from_bytes::<Snapshot>(&as_bytes(&value)).map(drop).unwrap_err();
        assert_eq!(text, bytes);
        text
    };
    let set = |path: &'static str, to: Value| {
        move |value: &mut Value| *value.pointer_mut(path).expect("it is there") = to.clone()
    };
    let version = refused(&set("/version", 2.into()));
    assert_eq!(version, "version 2 is not known: this library reads version 1");
    assert_eq!(refused(&set("/awake", vec![99].into())), "awake: there is no body 99");
    assert_eq!(refused(&set("/unseen", vec![99].into())), "unseen: there is no body 99");
    assert_eq!(refused(&set("/changed", vec![99].into())), "changed: there is no body 99");
    assert_eq!(refused(&set("/touching", vec![vec![0, 99]].into())), "touching: there is no body 99");
    let there = world.handles().next().unwrap().index();
    let itself = refused(&set("/touching", vec![vec![there, there]].into()));
    assert_eq!(itself, format!("body {there} touches or crushes itself"));
    assert_eq!(refused(&set("/crushed", vec![vec![0, 99]].into())), "crushed: there is no body 99");
    assert!(refused(&set("/skin", (-1.0).into())).contains("the skin is -1"));
    assert!(refused(&set("/skin", 1e9.into())).contains("contact distance"));
    assert!(refused(&set("/models", Vec::<Value>::new().into())).contains("there are 0"));
    assert!(refused(&set("/models/0/mesh/triangles/0/0", 1000.into())).contains("vertex 1000"));
    assert!(refused(&set("/models/0/radius", (-2.0).into())).contains("-2 is no radius"));
    assert!(refused(&set("/models/0/mesh/materials", vec![1].into())).contains("1 materials for 12 faces"));
    let body = format!("/slots/{there}/is_freed");
    let freed = refused(&move |value: &mut Value| *value.pointer_mut(&body).unwrap() = true.into());
    assert_eq!(freed, format!("body {there} is there, and its place is free"));
    // What JSON cannot say.
    let mut item = Item::of(&value);
    let Item::Map(entries) = &mut item else { unreachable!("a snapshot has fields") };
    entries.iter_mut().filter(|(key, _)| key == "skin").for_each(|(_, skin)| *skin = Item::Float(f64::NAN));
    assert!(Snapshot::deserialize(item).unwrap_err().to_string().contains("the skin is NaN"));
}

/// Lets a world that somebody made up go on.
fn go_on(snapshot: &Snapshot, random: &mut Random) {
    let mut world = World::from(snapshot);
    let _ = (world.hash(), world.overlaps(), world.contacts());
    let moves: Vec<(Handle, Motion)> = world
        .iter()
        .filter(|(_, body)| matches!(body.kind(), Kind::Moving | Kind::Kinematic))
        .map(|(handle, _)| (handle, random_motion(random)))
        .collect();
    let _ = world.step(&moves);
    let first = world.handles().next();
    if let Some(first) = first {
        let _ = world.remove(first);
    }
    let _ = world.step(&[]);
    let _ = world.insert(Body::moving(Model::new(shapes::octahedron(0.5).unwrap()), Trs::IDENTITY));
}

fn small_world() -> World {
    let (models, mut random) = (models(), Random::new(5));
    let mut world = World::new();
    world.record();
    for _ in 0..4 {
        world.insert(random_body(&mut random, &models)).unwrap();
    }
    for _ in 0..6 {
        random_call(&mut world, &mut random, &models);
    }
    world
}

/// Changes a few bytes, or takes or doubles a stretch of them.
fn mutated(bytes: &[u8], random: &mut Random, digits: bool) -> Vec<u8> {
    let mut bytes = bytes.to_vec();
    for _ in 0..1 + random.below(3) {
        let at = random.below(bytes.len() as u32) as usize;
        let to = (at + 1 + random.below(12) as usize).min(bytes.len());
        match random.below(6) {
            0 => drop(bytes.drain(at..to)),
            1 => {
                let again = bytes[at..to].to_vec();
                bytes.splice(at..at, again);
            }
            // Digits stay digits, so that more is read.
            2.. if digits => {
                if let Some(at) = (at..bytes.len()).find(|at| bytes[*at].is_ascii_digit()) {
                    bytes[at] = b"0123456789e-."[random.below(13) as usize];
                }
            }
            _ => bytes[at] = random.next_u64() as u8,
        }
        if bytes.is_empty() {
            bytes.push(0);
        }
    }
    bytes
}

#[test]
fn changed_bytes_are_refused_or_make_a_world() {
    let mut world = small_world();
    let random = &mut Random::new(99);
    let snapshot = serde_json::to_value(world.snapshot()).unwrap();
    let log = serde_json::to_value(world.take_log().unwrap()).unwrap();
    let [mut taken, mut refused] = [0_u64; 2];
    for number in 0..share(60, 12_000) {
        let value = if number % 3 == 0 { &log } else { &snapshot };
        let is_json = number % 2 == 0;
        let bytes = if is_json { value.to_string().into_bytes() } else { as_bytes(value) };
        let bytes = mutated(&bytes, random, is_json);
        let is_taken = if number % 3 == 0 {
            let read: Result<Log, String> = if is_json {
                serde_json::from_slice(&bytes).map_err(|error| error.to_string())
            } else {
                from_bytes(&bytes)
            };
            read.map(|log| drop(log.replay(false)))
        } else {
            let read: Result<Snapshot, String> = if is_json {
                serde_json::from_slice(&bytes).map_err(|error| error.to_string())
            } else {
                from_bytes(&bytes)
            };
            read.map(|snapshot| go_on(&snapshot, random))
        };
        match is_taken {
            Ok(()) => taken += 1,
            Err(why) => {
                assert!(!why.is_empty());
                refused += 1;
            }
        }
    }
    println!("{taken} taken, {refused} refused");
    let cases = share(60, 12_000);
    assert!(taken > cases / 20 && refused > cases / 20);
}

#[test]
fn numbers_that_json_cannot_say_are_refused_or_harmless() {
    fn floats<'i>(item: &'i mut Item, found: &mut Vec<&'i mut f64>) {
        match item {
            Item::Float(number) => found.push(number),
            Item::List(items) => items.iter_mut().for_each(|item| floats(item, found)),
            Item::Map(items) => items.iter_mut().for_each(|(_, item)| floats(item, found)),
            _ => {}
        }
    }
    let random = &mut Random::new(17);
    let saved = Item::of(&serde_json::to_value(small_world().snapshot()).unwrap());
    let (mut item, mut count) = (saved.clone(), Vec::new());
    floats(&mut item, &mut count);
    let count = count.len() as u32;
    assert!(count > 50);
    for _ in 0..share(40, 600) {
        let mut item = saved.clone();
        let mut found = Vec::new();
        floats(&mut item, &mut found);
        let strange = [f64::NAN, f64::INFINITY, -f64::INFINITY, -0.0, 1e308, -1e300, 5e-324, 1e150, -1.0];
        *found[random.below(count) as usize] = strange[random.below(9) as usize];
        if let Ok(snapshot) = Snapshot::deserialize(item) {
            go_on(&snapshot, random);
        }
    }
}
