//! Many threads on models that nobody has prepared: nothing panics or waits for ever, and every number of threads gets the bits of one.
//!
//! What a model makes on first use is made in the middle of somebody's parallel loop here, which is where it went wrong: a query held
//! memory of its thread, the build of a tree entered the pool, and the waiting worker took the next pair on the same thread.
//! `IMPINGE_THREAD_RUNS=200` makes that many runs with each number of threads.

use std::cell::RefCell;
use std::fmt::Debug;
use std::sync::{Arc, OnceLock};

use impinge::animation::{Interpolation, Joint, Local, Rig, Track, Value};
use impinge::clash::{Attachment, ClashOptions, MotionOptions, MovingPart, detect_moving, detect_with};
use impinge::glam::DVec3;
use impinge::query::{DistanceOptions, IntersectOptions, Ray, RayOptions, Scratch};
use impinge::shapes::{self, Random};
use impinge::world::{Body, World};
use impinge::{Deformable, Mesh, Model, Motion, Placed, Placement, Trs};
use rayon::ThreadPoolBuilder;
use rayon::prelude::*;

const THREADS: [usize; 3] = [2, 8, 16];
/// Enough for trees to be built by several threads, in both.
const FACES: u32 = if cfg!(debug_assertions) { 9_000 } else { 30_000 };
const PARTS: usize = if cfg!(debug_assertions) { 4 } else { 10 };

fn runs() -> usize {
    let asked = std::env::var("IMPINGE_THREAD_RUNS").ok().and_then(|runs| runs.parse().ok());
    asked.unwrap_or(if cfg!(debug_assertions) { 1 } else { 10 })
}

/// Asks with one thread, then with many, again and again. Numbers are compared as they are printed, which tells all bits.
fn same_with_all_threads<R: Debug>(name: &str, ask: impl Fn() -> R + Sync) {
    let pool = |threads: usize| ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
    let alone = pool(1).install(|| format!("{:?}", ask()));
    for threads in THREADS {
        let pool = pool(threads);
        for run in 0..runs() {
            let together = pool.install(|| format!("{:?}", ask()));
            assert!(together == alone, "{name}: {threads} threads, run {run}");
        }
    }
}

/// Parts in a row, each of which crosses the next two.
fn meshes() -> &'static [Mesh] {
    static MESHES: OnceLock<Vec<Mesh>> = OnceLock::new();
    MESHES.get_or_init(|| {
        let rings = (FACES / 4).isqrt();
        let mesh = |seed| Mesh::from(shapes::bumpy_sphere(1.0, 0.2, 9, 2 * rings, rings, seed).unwrap());
        (0..PARTS as u64).map(mesh).collect()
    })
}

fn fresh() -> Vec<Model> {
    meshes().iter().map(|mesh| Model::new(mesh.clone())).collect()
}

fn place(number: usize) -> Trs {
    let turn = Trs::rotation_about_axis([1.0, 2.0, 3.0], 40.0 * number as f64).unwrap();
    Trs::rigid([0.8 * number as f64, 0.0, 0.0], turn.orientation()).unwrap()
}

fn placed(models: &[Model]) -> Vec<Placed<'_>> {
    models.iter().enumerate().map(|(number, model)| model.at(place(number))).collect()
}

fn pairs() -> Vec<[usize; 2]> {
    (0..PARTS).flat_map(|a| (a + 1..PARTS.min(a + 4)).map(move |b| [a, b])).collect()
}

fn points(count: usize) -> Vec<DVec3> {
    let mut random = Random::new(3);
    (0..count).map(|_| 1.5 * random.in_cube()).collect()
}

#[test]
fn clashes_are_the_same_with_all_threads() {
    same_with_all_threads("clash", || {
        let models = fresh();
        let options = ClashOptions::new().separation(false).clearance(0.3);
        let found = detect_with(&placed(&models), &options);
        assert!(found.clashes.len() >= 2 * PARTS - 3 && !found.partial);
        found
    });
}

#[test]
fn clashes_of_moving_parts_are_the_same_with_all_threads() {
    same_with_all_threads("moving", || {
        let models = fresh();
        let way = |number: usize| {
            let start = DVec3::new(3.0 * number as f64, 0.0, 0.0);
            Track::new(vec![0.0, 1.0], vec![start, start + DVec3::X], Interpolation::Linear).unwrap()
        };
        let joint = |number| Joint { parent: None, local: Local::translation(Value::Keys(way(number))) };
        let rig = Rig::new((0..PARTS).map(joint).collect()).unwrap();
        let carrier = |number: usize| match number % 2 {
            0 => Attachment::Joint(number),
            _ => Attachment::Still(Trs::translation([3.0 * number as f64, 0.0, 0.0]).unwrap().into()),
        };
        let parts: Vec<MovingPart<'_>> = models
            .iter()
            .enumerate()
            .map(|(number, model)| MovingPart { model, carrier: carrier(number) })
            .collect();
        let clash = ClashOptions::new().separation(false);
        let options = MotionOptions::new().clash(clash).every(0.5);
        let found = detect_moving(&rig, &parts, &options);
        let found = found.expect("joints of the rig");
        assert!(!found.partial);
        found
    });
}

#[test]
fn steps_of_a_world_are_the_same_with_all_threads() {
    same_with_all_threads("world", || {
        let mut world = World::new();
        let apart = |number: usize| Trs::translation([2.6 * number as f64, 0.0, 0.0]).unwrap();
        // Some share a model, which several threads ask for then.
        let shared = Arc::new(Model::new(meshes()[0].clone()));
        let mut handles = Vec::new();
        for (number, mesh) in meshes().iter().enumerate() {
            let body = match number % 4 {
                0 => Body::deformable(Deformable::new(mesh.clone()), apart(number)),
                1 => Body::moving(shared.clone(), apart(number)),
                _ => Body::moving(Model::new(mesh.clone()), apart(number)),
            };
            handles.push(world.insert(body).unwrap());
        }
        let mut steps = Vec::new();
        for by in [0.5, -0.3] {
            let motion = Motion::translation([by, 0.01, 0.0]).unwrap();
            let moves: Vec<_> = handles.iter().skip(1).step_by(2).map(|&handle| (handle, motion)).collect();
            steps.push(world.step(&moves).unwrap());
            let wide: Vec<DVec3> = meshes()[0].vertices().map(|point| point * 1.05).collect();
            world.deform(handles[0], &wide).unwrap();
        }
        (steps, world.hash())
    });
}

#[test]
fn batches_of_points_and_rays_are_the_same_with_all_threads() {
    let points = points(if cfg!(debug_assertions) { 300 } else { 1_500 });
    let ray = |point: &DVec3| Ray::new(*point * 3.0, -*point).unwrap();
    let rays: Vec<Ray> = points.iter().map(ray).cycle().take(4_000).collect();
    let model = || Model::new(meshes()[0].clone());
    same_with_all_threads("closest points", || model().at(place(1)).closest_points(&points));
    same_with_all_threads("signed distances", || model().at(place(1)).signed_distances(&points));
    same_with_all_threads("rays", || model().at(place(1)).cast_rays(&rays, RayOptions::default()));
    // Batches in a loop of the user's: jobs of all of them wait in the pool while trees are built.
    let few = &points[..points.len() / 10];
    same_with_all_threads("batches in a loop", || {
        let ask = |model: &Model| {
            let placed = model.at(place(1));
            let rays = placed.cast_rays(&rays[..1_500], RayOptions::default());
            (placed.closest_points(few), placed.signed_distances(few), rays)
        };
        fresh().par_iter().map(ask).collect::<Vec<_>>()
    });
}

#[test]
fn a_loop_of_the_users_own_is_the_same_with_all_threads() {
    let ask = |a: &Placed<'_>, b: &Placed<'_>| {
        let motion = Motion::translation([0.0, 3.0, 0.0]).unwrap();
        let beside = a.model().at(a.placement().world_from_model().translation_added([0.0, 0.0, 3.0]));
        (a.verdict(b), a.face_pairs(b).len(), beside.distance(b), beside.sweep(&motion, b).fraction)
    };
    same_with_all_threads("methods", || {
        let models = fresh();
        let placed = placed(&models);
        pairs().par_iter().map(|&[a, b]| ask(&placed[a], &placed[b])).collect::<Vec<_>>()
    });
}

/// Where something is, moved.
trait Added {
    fn translation_added(&self, by: [f64; 3]) -> Placement;
}

impl Added for impinge::glam::DAffine3 {
    fn translation_added(&self, by: [f64; 3]) -> Placement {
        let mut moved = *self;
        moved.translation += DVec3::from_array(by);
        Placement::try_from(moved).unwrap()
    }
}

/// The usual way to keep scratch: one for each thread, borrowed while a query runs. Whatever the query makes on first use, it must not
/// let another job of the loop run meanwhile.
#[test]
fn scratch_of_the_users_own_is_never_asked_for_twice() {
    thread_local! {
        static MINE: RefCell<Scratch> = RefCell::default();
    }
    same_with_all_threads("own scratch", || {
        let models = fresh();
        let placed = placed(&models);
        let ask = |&[a, b]: &[usize; 2]| {
            MINE.with_borrow_mut(|scratch| {
                let (a, b) = (&placed[a], &placed[b]);
                let ask = IntersectOptions::new().pairs(true);
                let motion = Motion::translation([0.0, 0.0, 0.1]).unwrap();
                (
                    a.intersect_in(b, ask, scratch),
                    a.distance_in(b, DistanceOptions::default(), scratch),
                    a.sweep_in(&motion, b, Default::default(), scratch).fraction,
                )
            })
        };
        pairs().par_iter().map(ask).collect::<Vec<_>>()
    });
}

/// Many copies of one model, first asked from all threads at once.
#[test]
fn one_model_that_all_ask_for_is_the_same_with_all_threads() {
    let places: Vec<Trs> = (0..40).map(|number| place(number % PARTS)).collect();
    same_with_all_threads("one model", || {
        let ball = Arc::new(Model::new(meshes()[0].clone()));
        let rod = Model::new(shapes::cuboid([-9.0, -0.1, -0.1], [9.0, 0.1, 0.1]).unwrap());
        let rod = rod.at(Trs::IDENTITY);
        places.par_iter().map(|place| ball.at(*place).face_pairs(&rod)).collect::<Vec<_>>()
    });
}
