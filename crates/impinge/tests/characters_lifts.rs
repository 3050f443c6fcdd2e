//! Characters, lifts, doors, turntables and crates, all in one level: nothing is ever inside of anything, and threads change nothing.

use impinge::glam::DVec3;
use impinge::query::Verdict;
use impinge::shapes::Random;
use impinge::world::{Body, Character, CrushRule, Handle, Kind, StepOptions, World, WorldOptions};
use impinge::{Model, Motion, Trs};

use crate::character_scenes::{FEET, cuboid, level, model_of};
use crate::effort::share;

/// A kinematic body that goes to and fro, and turns.
struct Mover {
    body: Handle,
    by: DVec3,
    frames: u32,
    axis: DVec3,
    degrees: f64,
}

/// A character that wishes something else now and then.
struct Walker {
    character: Character,
    wish: DVec3,
    frames: u32,
}

struct Scene {
    world: World,
    random: Random,
    movers: Vec<Mover>,
    walkers: Vec<Walker>,
    /// Crates and balls that fall, and how fast.
    falling: Vec<(Handle, f64)>,
    frame: u32,
}

/// Inserts a body at a place that is free; none where ten are not.
fn insert_free(world: &mut World, body: &Body, random: &mut Random, origin: DVec3) -> Option<Handle> {
    (0..10).find_map(|_| {
        let place =
            DVec3::new(random.between(-9.0, 9.0), random.between(-9.0, 9.0), random.between(0.0, 5.0));
        let handle = world.insert(body.clone()).unwrap();
        world.teleport(handle, Trs::translation(origin + place).unwrap()).unwrap();
        let is_free = world.overlaps().is_empty();
        if !is_free {
            world.remove(handle).unwrap();
        }
        is_free.then_some(handle)
    })
}

impl Scene {
    fn new(seed: u64, options: WorldOptions) -> Scene {
        let mut random = Random::new(seed);
        let origin = [DVec3::ZERO, DVec3::new(1e5, -3e5, 2e4)][seed as usize % 2];
        let mut world = World::with_options(options);
        for solid in level(seed) {
            world.insert(Body::fixed(Model::new(solid), Trs::translation(origin).unwrap())).unwrap();
        }
        let mut movers = Vec::new();
        for number in 0..10 {
            let size = [random.between(0.2, 1.5), random.between(0.2, 1.5), random.between(0.1, 1.0)];
            let model = Model::new(cuboid([0.0; 3], size)).rounded([0.0, 0.1][number % 2]).unwrap();
            let body = Body::kinematic(model, Trs::IDENTITY);
            let by = random.direction() * random.between(0.0, 0.05);
            let axis = [DVec3::Z, random.direction()][random.below(2) as usize];
            let degrees = if number % 3 == 0 { random.between(-2.0, 2.0) } else { 0.0 };
            let frames = 20 + random.below(100);
            let body = insert_free(&mut world, &body, &mut random, origin);
            movers.extend(body.map(|body| Mover { body, by, frames, axis, degrees }));
        }
        let mut walkers = Vec::new();
        for number in 0..8 {
            let body = Body::moving(model_of(FEET[number % 4]), Trs::IDENTITY);
            let body = insert_free(&mut world, &body, &mut random, origin);
            let character = body.map(Character::new);
            walkers.extend(character.map(|character| Walker { character, wish: DVec3::ZERO, frames: 0 }));
        }
        let mut falling = Vec::new();
        for number in 0..10 {
            let model = match number % 2 {
                0 => Model::new(cuboid([-0.3; 3], [0.3; 3])),
                _ => Model::ball(0.3).unwrap(),
            };
            let body = Body::moving(model, Trs::IDENTITY);
            falling.extend(insert_free(&mut world, &body, &mut random, origin).map(|body| (body, 0.0)));
        }
        Scene { world, random, movers, walkers, falling, frame: 0 }
    }

    fn step(&mut self, options: &StepOptions) {
        const SECONDS: f64 = 1.0 / 60.0;
        for Walker { character, wish, frames } in &mut self.walkers {
            if *frames == 0 {
                let angle = std::f64::consts::TAU * self.random.unit();
                *wish = DVec3::new(angle.cos(), angle.sin(), 0.0) * self.random.between(0.0, 6.0);
                *frames = 10 + self.random.below(60);
                if self.random.below(4) == 0 && character.is_grounded() {
                    character.jump(4.0);
                }
            }
            *frames -= 1;
            let step = character.update(&mut self.world, *wish, SECONDS).unwrap();
            assert!(
                !step.started_overlapping || options.crush == CrushRule::Crush,
                "{}: {step:?}",
                self.frame
            );
        }
        let mut moves = Vec::new();
        for mover in &self.movers {
            let by = if (self.frame / mover.frames).is_multiple_of(2) { mover.by } else { -mover.by };
            let center = self.world.get(mover.body).unwrap().placement().world_from_model().translation;
            let motion = match mover.degrees != 0.0 {
                true => Motion::rigid(by, center, mover.axis, mover.degrees),
                false => Motion::translation(by),
            };
            moves.push((mover.body, motion.unwrap()));
        }
        for (body, velocity) in &mut self.falling {
            *velocity -= 9.81 * SECONDS;
            moves.push((*body, Motion::translation([0.0, 0.0, *velocity * SECONDS]).unwrap()));
        }
        let step = self.world.step_with(&moves, options).unwrap();
        for (made, (_, velocity)) in step.moves[self.movers.len()..].iter().zip(&mut self.falling) {
            if !made.hits.is_empty() {
                *velocity = 0.0;
            }
        }
        self.frame += 1;
    }

    /// Every two bodies, by the exact test.
    fn assert_is_free(&self, seed: u64) {
        let bodies: Vec<(Handle, &Body)> = self.world.iter().collect();
        let fixed = bodies.iter().take_while(|(_, body)| body.kind() == Kind::Fixed).count();
        for (number, (handle, body)) in bodies.iter().enumerate().skip(fixed) {
            for (other, others) in &bodies[..number] {
                let verdict = body.placed().verdict(&others.placed());
                let is_free = matches!(verdict, Verdict::Clear | Verdict::Touching);
                assert!(is_free, "seed {seed} frame {}: {handle} and {other}: {verdict:?}", self.frame);
            }
        }
    }
}

#[test]
fn characters_among_lifts_doors_and_crates_are_never_inside_of_anything() {
    for seed in 0..share(2, 60) {
        let options = StepOptions::new().planes([0, 3][seed as usize / 2 % 2]);
        let mut scene = Scene::new(seed, WorldOptions::new().parallel(false));
        for frame in 0..240 {
            scene.step(&options);
            assert!(scene.world.overlaps().is_empty(), "seed {seed} frame {frame}");
            if frame % 20 == 0 {
                scene.assert_is_free(seed);
            }
        }
    }
}

#[test]
fn threads_change_nothing_among_characters_lifts_and_crates() {
    for seed in 0..share(1, 8) {
        let crush = [CrushRule::Stop, CrushRule::Crush][seed as usize % 2];
        let options = StepOptions::new().planes(3).crush(crush);
        let run = |is_parallel: bool| {
            let mut scene = Scene::new(seed + 100, WorldOptions::new().parallel(is_parallel));
            (0..120).for_each(|_| scene.step(&options));
            scene.world.hash()
        };
        let hash = run(false);
        for threads in [1, 2, 8, 16] {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
            assert_eq!(pool.install(|| run(true)), hash, "seed {seed} threads {threads}");
        }
    }
}
