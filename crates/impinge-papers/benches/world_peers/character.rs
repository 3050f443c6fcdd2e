//! A capsule that walks about a level: a character of impinge's beside rapier's controller.
//!
//! Both have the same level, shape, wishes, steps and slopes, and each goes its own way. A level is of boxes, which rapier knows as such, or one mesh.

use impinge::math::DVec3;
use impinge::shapes::{Random, cuboid};
use impinge::world::{Body, Character, World, WorldOptions};
use impinge::{Mesh, Model, Trs};
use impinge_papers::stopwatch::Stopwatch;
use rapier3d_f64::control::{CharacterAutostep, CharacterLength, KinematicCharacterController};
use rapier3d_f64::math::{Pose, Vector};
use rapier3d_f64::parry::query::DefaultQueryDispatcher;
use rapier3d_f64::parry::shape::{Capsule, TriMesh};
use rapier3d_f64::prelude::{
    BroadPhaseBvh, ColliderBuilder, ColliderSet, CollisionPipeline, IslandManager, NarrowPhase, QueryFilter,
    RigidBodySet, SharedShape,
};

/// Updates of a round, and rounds.
const UPDATES: usize = 500;
const ROUNDS: usize = 31;

const SECONDS: f64 = 1.0 / 60.0;
const SPEED: f64 = 3.0;
const GRAVITY: f64 = 9.81;
const RADIUS: f64 = 0.3;
const HEIGHT: f64 = 1.8;
const STEP_UP: f64 = 0.35;

/// Characters walk about levels, flat and with stairs.
pub(crate) fn run_all() {
    println!(
        "\nCharacters: a capsule at {SPEED} m/s and 60 Hz, median of {ROUNDS} rounds of {UPDATES} updates"
    );
    let level = Level::new();
    for (name, wish) in [("stands", 0.0), ("walks", SPEED)] {
        for is_one in [false, true] {
            compare(
                &format!("{name} {}", if is_one { "on one mesh" } else { "on boxes" }),
                &level,
                is_one,
                wish,
            );
        }
    }
}

/// A room with stairs, walls and things that lie about, as boxes.
struct Level {
    boxes: Vec<[DVec3; 2]>,
}

impl Level {
    fn new() -> Level {
        let mut random = Random::new(5);
        let mut boxes = Vec::new();
        for x in -5..5 {
            for y in -5..5 {
                let low = DVec3::new(f64::from(x) * 2.0, f64::from(y) * 2.0, -1.0);
                boxes.push([low, low + DVec3::new(2.0, 2.0, 1.0)]);
            }
        }
        for [low, high] in [[-11.0, -10.0], [10.0, 11.0]] {
            boxes.push([DVec3::new(low, -11.0, -1.0), DVec3::new(high, 11.0, 5.0)]);
            boxes.push([DVec3::new(-10.0, low, -1.0), DVec3::new(10.0, high, 5.0)]);
        }
        for k in 0..8 {
            let x = 2.0 + 0.3 * f64::from(k);
            boxes.push([DVec3::new(x, -4.0, 0.0), DVec3::new(x + 0.3, 4.0, 0.2 * f64::from(k + 1))]);
        }
        boxes.push([DVec3::new(4.4, -4.0, 0.0), DVec3::new(10.0, 4.0, 1.6)]);
        for _ in 0..60 {
            let place = DVec3::new(random.between(-9.0, 1.0), random.between(-9.0, 9.0), 0.0);
            let size =
                DVec3::new(random.between(0.2, 1.0), random.between(0.2, 1.0), random.between(0.05, 1.0));
            boxes.push([place, place + size]);
        }
        Level { boxes }
    }

    fn meshes(&self, is_one: bool) -> Vec<Mesh> {
        let each = self
            .boxes
            .iter()
            .map(|[low, high]| Mesh::from(cuboid(low.to_array(), high.to_array()).expect("a box")));
        if !is_one {
            return each.collect();
        }
        let (mut vertices, mut faces) = (Vec::new(), Vec::new());
        for mesh in each {
            let first = vertices.len() as u32;
            vertices.extend(mesh.vertices());
            let all = 0..mesh.face_count() as u32;
            faces.extend(
                all.flat_map(|face| mesh.fan(face)).map(|triangle| triangle.map(|corner| corner + first)),
            );
        }
        vec![Mesh::triangles(vertices, faces).expect("a mesh of boxes")]
    }
}

/// The wishes of a walk: another direction every second.
struct Wishes {
    random: Random,
    wish: DVec3,
    left: u32,
    speed: f64,
}

impl Wishes {
    fn new(speed: f64) -> Wishes {
        Wishes { random: Random::new(3), wish: DVec3::ZERO, left: 0, speed }
    }

    fn next(&mut self) -> DVec3 {
        if self.left == 0 {
            let angle = self.random.between(0.0, std::f64::consts::TAU);
            (self.wish, self.left) = (DVec3::new(angle.cos(), angle.sin(), 0.0) * self.speed, 60);
        }
        self.left -= 1;
        self.wish
    }
}

struct Ours {
    world: World,
    character: Character,
}

impl Ours {
    fn new(level: &Level, is_one: bool) -> Ours {
        let mut world = World::with_options(WorldOptions::new().parallel(false));
        for mesh in level.meshes(is_one) {
            world.insert(Body::fixed(Model::new(mesh), Trs::IDENTITY)).expect("a body");
        }
        let shape =
            Model::capsule([0.0, 0.0, RADIUS], [0.0, 0.0, HEIGHT - RADIUS], RADIUS).expect("a capsule");
        let body = Body::moving(shape, Trs::translation([1.5, 0.5, 0.5]).expect("a place"));
        let body = world.insert(body).expect("a body");
        world.prepare();
        world.step(&[]).expect("a step");
        Ours { world, character: Character::new(body) }
    }

    fn update(&mut self, wish: DVec3) -> DVec3 {
        let step = self.character.update(&mut self.world, wish, SECONDS).expect("a move");
        step.moved
    }
}

struct Theirs {
    broad: BroadPhaseBvh,
    bodies: RigidBodySet,
    colliders: ColliderSet,
    controller: KinematicCharacterController,
    shape: Capsule,
    pose: Pose,
    falling: f64,
}

impl Theirs {
    fn new(level: &Level, is_one: bool) -> Theirs {
        let (mut bodies, mut colliders) = (RigidBodySet::new(), ColliderSet::new());
        if is_one {
            let mesh = &level.meshes(true)[0];
            let vertices = mesh.vertices().map(|v| Vector::new(v.x, v.y, v.z)).collect();
            let faces = (0..mesh.face_count() as u32).flat_map(|face| mesh.fan(face)).collect();
            let mesh = TriMesh::new(vertices, faces).expect("a mesh of triangles");
            colliders.insert(ColliderBuilder::new(SharedShape::new(mesh)));
        } else {
            for [low, high] in &level.boxes {
                let (half, center) = ((*high - *low) * 0.5, (*high + *low) * 0.5);
                let collider = ColliderBuilder::cuboid(half.x, half.y, half.z);
                colliders.insert(collider.translation(Vector::new(center.x, center.y, center.z)));
            }
        }
        let (mut broad, mut narrow) = (BroadPhaseBvh::new(), NarrowPhase::new());
        let mut islands = IslandManager::new();
        CollisionPipeline::new().step(
            0.0,
            &mut islands,
            &mut broad,
            &mut narrow,
            &mut bodies,
            &mut colliders,
            &(),
            &(),
        );
        let controller = KinematicCharacterController {
            up: Vector::Z,
            autostep: Some(CharacterAutostep {
                max_height: CharacterLength::Absolute(STEP_UP),
                min_width: CharacterLength::Absolute(0.1),
                include_dynamic_bodies: true,
            }),
            max_slope_climb_angle: 45_f64.to_radians(),
            min_slope_slide_angle: 45_f64.to_radians(),
            snap_to_ground: Some(CharacterLength::Absolute(STEP_UP)),
            ..KinematicCharacterController::default()
        };
        let half = 0.5 * HEIGHT - RADIUS;
        Theirs {
            broad,
            bodies,
            colliders,
            controller,
            shape: Capsule::new_z(half, RADIUS),
            pose: Pose::translation(1.5, 0.5, 0.5 + 0.5 * HEIGHT),
            falling: 0.0,
        }
    }

    fn update(&mut self, wish: DVec3) -> DVec3 {
        let dispatcher = DefaultQueryDispatcher;
        let queries =
            self.broad.as_query_pipeline(&dispatcher, &self.bodies, &self.colliders, QueryFilter::default());
        self.falling += GRAVITY * SECONDS;
        let by = wish * SECONDS - DVec3::Z * (self.falling * SECONDS);
        let by = Vector::new(by.x, by.y, by.z);
        let made = self.controller.move_shape(SECONDS, &queries, &self.shape, &self.pose, by, |_| {});
        if made.grounded {
            self.falling = 0.0;
        }
        self.pose.translation += made.translation;
        DVec3::new(made.translation.x, made.translation.y, made.translation.z)
    }
}

/// Lets both sides take turns, and prints their times and how far each came.
fn compare(name: &str, level: &Level, is_one: bool, speed: f64) {
    let (mut ours, mut theirs) = (Ours::new(level, is_one), Theirs::new(level, is_one));
    let (mut times, mut ways) = ([Vec::new(), Vec::new()], [0.0; 2]);
    let mut wishes = [Wishes::new(speed), Wishes::new(speed)];
    for _ in 0..ROUNDS {
        let watch = Stopwatch::start();
        ways[0] += (0..UPDATES).map(|_| ours.update(wishes[0].next()).length()).sum::<f64>();
        times[0].push(watch.nanoseconds() / UPDATES as f64);
        let watch = Stopwatch::start();
        ways[1] += (0..UPDATES).map(|_| theirs.update(wishes[1].next()).length()).sum::<f64>();
        times[1].push(watch.nanoseconds() / UPDATES as f64);
    }
    let [ours, theirs] = times.map(|mut times| {
        times.sort_unstable_by(f64::total_cmp);
        times[ROUNDS / 2] / 1e3
    });
    println!(
        "{name}: impinge {ours:.2} µs, rapier {theirs:.2} µs, ratio {:.2}; ways {:.0} m and {:.0} m",
        ours / theirs,
        ways[0],
        ways[1]
    );
}
