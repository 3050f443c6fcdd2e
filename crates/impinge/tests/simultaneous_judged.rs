//! Steps of random scenes of 2 to 20 bodies that all move, before a judge that shares no code with the world; and that judge before false claims.

use std::sync::Arc;

use impinge::broad_phase::Algorithm;
use impinge::glam::DVec3;
use impinge::shapes::{self, Random};
use impinge::world::{Body, FilterChain, Handle, Kind, Step, StepOptions, World, WorldOptions};
use impinge::{Mesh, Model, Motion, Placement, Trs};

use crate::effort::{asked, share};
use crate::simultaneous_judge::{Account, Way, every_stop_has_a_reason, nothing_interpenetrates};

/// The bound of distances at stops: two margins, which are 16 times 2⁻⁴⁶ of coordinates of up to 1,024 in the frames of these scenes.
const AT_MOST: f64 = 2.0 * 16.0 * 1024.0 / (1_u64 << 46) as f64;

struct Scene {
    world: World,
    bodies: Vec<(Handle, Arc<Model>)>,
    random: Random,
    /// Whether everything is on a lattice, so that much touches and happens at equal times.
    is_lattice: bool,
    turns: bool,
}

fn shapes() -> Vec<Arc<Model>> {
    let meshes = [
        Mesh::from(shapes::cuboid([-0.5; 3], [0.5; 3]).unwrap()),
        Mesh::from(shapes::cuboid([-1.0, -0.5, -0.25], [1.0, 0.5, 0.25]).unwrap()),
        Mesh::from(shapes::octahedron(0.75).unwrap()),
        Mesh::from(shapes::cuboid_of_quads([-0.5, -0.5, -1.0], [0.5, 0.5, 1.0]).unwrap()),
    ];
    meshes.into_iter().map(|mesh| Arc::new(Model::new(mesh))).collect()
}

impl Scene {
    fn new(seed: u64, models: &[Arc<Model>], options: WorldOptions) -> Scene {
        Scene::with_kinematic(seed, models, options, false)
    }

    /// A scene; with lifts and doors, of which there may be one in three bodies.
    fn with_kinematic(seed: u64, models: &[Arc<Model>], options: WorldOptions, has_kinematic: bool) -> Scene {
        let mut random = Random::new(seed);
        let count = 2 + random.below(19) as usize;
        let (is_lattice, turns) = (random.below(3) == 0, random.below(3) > 0);
        let size = 0.9 * (count as f64).cbrt() + 0.5;
        let mut world = World::with_options(options);
        let mut bodies = Vec::new();
        for _ in 0..20 * count {
            if bodies.len() == count {
                break;
            }
            let model = &models[random.below(models.len() as u32) as usize];
            let mut place = size * random.in_cube();
            let mut turn = Trs::rotation_about_axis(random.direction(), 360.0 * random.unit()).unwrap();
            if is_lattice {
                place = (place * 2.0).round() / 2.0;
                turn = Trs::IDENTITY;
            }
            let place = Trs::rigid(place, turn.orientation()).unwrap();
            let is_fixed = random.below(8) == 0;
            let model = Arc::clone(model);
            let mut body = Body::moving(Arc::clone(&model), place);
            if is_fixed {
                body = body.of_kind(Kind::Fixed);
            } else if has_kinematic && random.below(3) == 0 {
                body = body.of_kind(Kind::Kinematic);
            }
            let handle = world.insert(body).unwrap();
            let is_free = world.iter().all(|(other, body)| {
                other == handle || !body.placed().intersects(&world.get(handle).unwrap().placed()) || {
                    matches!(world.verdict(other, handle).unwrap(), impinge::Verdict::Touching)
                }
            });
            if is_free {
                bodies.push((handle, model));
            } else {
                world.remove(handle).unwrap();
            }
        }
        Scene { world, bodies, random, is_lattice, turns }
    }

    fn motion(&mut self, handle: Handle) -> Motion {
        let random = &mut self.random;
        let place = self.world.get(handle).unwrap().placement().world_from_model().translation;
        let mut by = 1.5 * random.in_cube();
        if self.is_lattice {
            by = (by * 2.0).round() / 2.0;
        }
        let degrees = 120.0 * (random.unit() - 0.5);
        let kind = if self.turns { random.below(6) } else { 5 };
        match kind {
            0 => Motion::rotation(place, random.direction(), degrees).unwrap(),
            1 => Motion::rotation(place + random.in_cube(), random.direction(), degrees).unwrap(),
            2 | 3 => Motion::rigid(by, place, random.direction(), degrees).unwrap(),
            4 => Motion::translation(by)
                .unwrap()
                .then_rotation(place + by, random.direction(), degrees)
                .unwrap(),
            _ => Motion::translation(by).unwrap(),
        }
    }

    fn motions(&mut self) -> Vec<(Handle, Motion)> {
        let handles: Vec<Handle> = self.bodies.iter().map(|(handle, _)| *handle).collect();
        let mut moves = Vec::new();
        for handle in handles {
            if self.world.get(handle).unwrap().kind() != Kind::Fixed && self.random.below(10) > 0 {
                moves.push((handle, self.motion(handle)));
            }
        }
        // In any order.
        for i in (1..moves.len()).rev() {
            moves.swap(i, self.random.below(i as u32 + 1) as usize);
        }
        moves
    }

    fn ways(&self, before: &World, step: &Step) -> Vec<Way> {
        self.bodies.iter().map(|(handle, model)| Way::of(*handle, model, before, &self.world, step)).collect()
    }
}

fn excuse(before: &World) -> impl Fn(Handle, Handle) -> bool + use<> {
    let fixed: Vec<Handle> =
        before.iter().filter(|(_, body)| body.kind() == Kind::Fixed).map(|(handle, _)| handle).collect();
    move |a, b| fixed.contains(&a) && fixed.contains(&b)
}

/// Some steps of a scene, each before the judge.
fn judged(seed: u64, models: &[Arc<Model>]) -> Account {
    let mut scene = Scene::new(seed, models, WorldOptions::new().parallel(false));
    let mut account = Account::default();
    let planes = if seed % 3 == 2 { 4 } else { 0 };
    // Later steps start from bodies at rest at their margins.
    let steps = if seed.is_multiple_of(4) { 3 } else { 1 };
    for number in 0..steps {
        let before = scene.world.clone();
        let moves = scene.motions();
        let step = scene.world.step_with(&moves, &StepOptions::new().planes(planes)).unwrap();
        let ways = scene.ways(&before, &step);
        let proven = nothing_interpenetrates(&ways, excuse(&before));
        let proven = proven.unwrap_or_else(|why| panic!("seed {seed}, step {number}: {why}"));
        let reasons = every_stop_has_a_reason(&ways, &moves, &step, &before, AT_MOST);
        reasons.unwrap_or_else(|why| panic!("seed {seed}, step {number}: {why}"));
        account.proven += proven.proven;
        account.looked_at += proven.looked_at;
    }
    account
}

#[test]
fn nothing_interpenetrates_at_any_time_and_every_stop_has_a_reason() {
    let models = shapes();
    let scenes = asked("IMPINGE_SCENES").unwrap_or_else(|| share(20, 100_000));
    let first = asked("IMPINGE_SEED").unwrap_or(0);
    let mut account = Account::default();
    // Scenes that earlier versions failed in: hits within rounding of the start, and bodies that were lifted alike and not rounded alike.
    for seed in (first..first + scenes).chain([21_752, 27_636, 88_568, 96_667]) {
        let proven = judged(seed, &models);
        account.proven += proven.proven;
        account.looked_at += proven.looked_at;
    }
    println!("{scenes} scenes: {account:?}");
    // What is only looked at is rare.
    assert!(account.looked_at * 50 <= account.proven, "{account:?}");
}

/// Lifts and doors carry and push, and nothing interpenetrates at any time; neither do their answers depend on the order of the list.
#[test]
fn nothing_interpenetrates_where_kinematic_bodies_carry_and_push() {
    let models = shapes();
    let (mut carried, mut stopped) = (0, 0);
    // In scene 2,571 a body is lifted when it begins to be pushed, long after time 0.
    for seed in (2_000_000..2_000_000 + share(20, 10_000)).chain([2_002_571]) {
        let options = WorldOptions::new().parallel(false).contact_distance(0.01);
        let mut scene = Scene::with_kinematic(seed, &models, options, true);
        for number in 0..2 {
            let before = scene.world.clone();
            let mut moves = scene.motions();
            if seed % 2 == 0 {
                // Whatever does not move by itself is carried or pushed.
                moves.retain(|(handle, _)| before.get(*handle).unwrap().kind() == Kind::Kinematic);
            }
            let step = scene.world.step(&moves).unwrap();
            let ways = scene.ways(&before, &step);
            let proven = nothing_interpenetrates(&ways, excuse(&before));
            proven.unwrap_or_else(|why| panic!("seed {seed}, step {number}: {why}"));
            carried += step.carried.len();
            stopped += step.moves.iter().filter(|made| made.fraction < 1.0).count();
            let mut other = before.clone();
            moves.reverse();
            other.step(&moves).unwrap();
            assert_eq!(other.hash(), scene.world.hash(), "seed {seed}, step {number}");
        }
    }
    println!("{carried} carried or pushed, {stopped} stopped");
    assert!(carried > 20 && stopped > 20, "{carried} {stopped}");
}

#[test]
fn the_order_of_the_list_broad_phase_filters_and_threads_change_nothing() {
    let models = shapes();
    let ways: Vec<WorldOptions> = Algorithm::ALL
        .into_iter()
        .map(|broad| WorldOptions::new().broad(broad).parallel(false))
        .chain([
            WorldOptions::new().chain(FilterChain::NONE).parallel(false),
            WorldOptions::new().parallel(true),
        ])
        .collect();
    for seed in 0..share(3, 400) {
        let mut expected: Option<Vec<(Handle, Placement, f64)>> = None;
        for (k, options) in ways.iter().enumerate() {
            let mut scene = Scene::new(1_000_000 + seed, &models, *options);
            let mut moves = scene.motions();
            let turns = k % moves.len().max(1);
            moves.rotate_left(turns);
            if k % 2 == 1 {
                moves.reverse();
            }
            let step =
                scene.world.step_with(&moves, &StepOptions::new().planes((seed % 3) as usize)).unwrap();
            let mut ends: Vec<_> =
                step.moves.iter().map(|made| (made.handle, made.placement, made.fraction)).collect();
            ends.sort_by_key(|(handle, ..)| *handle);
            assert_eq!(expected.get_or_insert(ends.clone()), &ends, "seed {seed}, {options:?}");
        }
    }
}

/// A step of a scene in which something stops, its ways, and the world before.
fn some_step(seed: u64) -> (Vec<Way>, Vec<(Handle, Motion)>, Step, World) {
    let mut scene = Scene::new(seed, &shapes(), WorldOptions::new().parallel(false));
    let before = scene.world.clone();
    let moves = scene.motions();
    let step = scene.world.step(&moves).unwrap();
    (scene.ways(&before, &step), moves, step, before)
}

#[test]
fn the_judge_finds_false_claims_and_takes_true_ones() {
    let (mut later, mut earlier, mut through) = (0, 0, 0);
    for seed in 0..40 {
        let (ways, moves, step, before) = some_step(seed);
        let excused = excuse(&before);
        assert!(nothing_interpenetrates(&ways, &excused).is_ok(), "seed {seed}");
        for (number, made) in step
            .moves
            .iter()
            .enumerate()
            .filter(|(_, made)| made.fraction < 1.0 && made.wedged == made.hits.is_empty())
        {
            let Some(last) = made.segments.last().filter(|last| last.until == 1.0 && last.from == 0.0) else {
                continue;
            };
            let place = ways.iter().position(|way| way.handle == made.handle).unwrap();
            // As if it had gone on to the end, or by a little.
            for to in [1.0, (made.fraction + 1e-6).min(1.0)] {
                let mut false_ways = ways.clone();
                let way = &mut false_ways[place];
                let segment = way.segments.last_mut().unwrap();
                segment.to = to;
                way.end = *segment.placement_at(to).unwrap().world_from_model();
                let found = nothing_interpenetrates(&false_ways, &excused).is_err();
                if to == 1.0 { through += u32::from(found) } else { later += u32::from(found) }
            }
            // As if it had stopped before.
            let mut false_step = step.clone();
            let time = 0.5 * made.fraction;
            let mut false_ways = ways.clone();
            let way = &mut false_ways[place];
            way.segments.last_mut().unwrap().to = time;
            way.end = *last.placement_at(time).unwrap().world_from_model();
            let hit = &mut false_step.moves[number];
            hit.fraction = time;
            hit.segments.clone_from(&way.segments);
            hit.hits.clear();
            earlier += u32::from(
                every_stop_has_a_reason(&false_ways, &moves, &false_step, &before, AT_MOST).is_err(),
            );
        }
    }
    assert!(later > 20 && earlier > 20 && through > 20, "{later} {earlier} {through}");
}

#[test]
fn the_judge_of_two_that_turn_finds_what_passes_through() {
    let bar = Arc::new(Model::new(shapes::cuboid([-1.0, -0.05, -0.05], [1.0, 0.05, 0.05]).unwrap()));
    let mut world = World::new();
    let place = |x: f64, degrees: f64| {
        let turn = Trs::rotation_about_axis(DVec3::Z, degrees).unwrap().orientation();
        Trs::rigid(DVec3::new(x, 0.0, 0.0), turn).unwrap()
    };
    let left = world.insert(Body::moving(Arc::clone(&bar), place(0.0, 0.0))).unwrap();
    let right = world.insert(Body::moving(Arc::clone(&bar), place(1.5, 90.0))).unwrap();
    let before = world.clone();
    let turn = |x: f64, degrees: f64| Motion::rotation([x, 0.0, 0.0], [0.0, 0.0, 1.0], degrees).unwrap();
    let step = world.step(&[(left, turn(0.0, -20.0)), (right, turn(1.5, -90.0))]).unwrap();
    assert!(step.moves.iter().all(|made| made.fraction < 0.65), "{step:?}");
    let ways: Vec<Way> =
        [left, right].iter().map(|handle| Way::of(*handle, &bar, &before, &world, &step)).collect();
    let account = nothing_interpenetrates(&ways, |_, _| false).unwrap();
    assert_eq!(account.looked_at, 0);
    for beyond in [1e-7, 0.01, 0.3] {
        let mut false_ways = ways.clone();
        for way in &mut false_ways {
            let segment = way.segments.last_mut().unwrap();
            segment.to += beyond;
            way.end = *segment.placement_at(segment.to).unwrap().world_from_model();
        }
        assert!(nothing_interpenetrates(&false_ways, |_, _| false).is_err(), "{beyond}");
    }
}
