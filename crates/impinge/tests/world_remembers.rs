//! What a world remembers from step to step changes no answer: beside it goes one that forgets all before each step, and asks no filters.

use std::sync::Arc;

use impinge::shapes::{self, Random};
use impinge::world::{Body, FilterChain, Handle, StepOptions, World, WorldOptions};
use impinge::{Deformable, Mesh, Model, Motion, Trs};

use crate::effort;

/// A room with a surface on both sides of its walls.
fn room(cells: u32) -> Mesh {
    let grid = |half: f64| shapes::cuboid_grid([-half; 3], [half; 3], [cells; 3]).unwrap();
    let (outer, inner) = (grid(4.0), grid(3.0));
    let first = outer.vertices().len() as u32;
    let turned = inner.triangles().map(|[a, b, c]| [a + first, c + first, b + first]);
    let vertices: Vec<_> = outer.vertices().iter().chain(inner.vertices()).copied().collect();
    Mesh::triangles(vertices, outer.triangles().chain(turned).collect::<Vec<_>>()).unwrap()
}

/// A world, and one that forgets.
struct Twins {
    worlds: [World; 2],
    handles: Vec<Handle>,
    room: Handle,
    mesh: Mesh,
    far: Arc<Model>,
}

impl Twins {
    fn new(seed: u64, random: &mut Random) -> Twins {
        let mesh = room(1 + (seed % 3) as u32);
        let far = Arc::new(Model::new(shapes::cuboid([-0.5; 3], [0.5; 3]).unwrap()));
        let shapes = [Arc::clone(&far), Arc::new(Model::ball(0.5).unwrap())];
        let turn = Trs::rotation_about_axis([1.0, 2.0, 3.0], if seed.is_multiple_of(2) { 0.0 } else { 20.0 })
            .unwrap();
        let room = match seed % 4 {
            0 => Body::deformable(Deformable::new(mesh.clone()), turn),
            1 => Body::kinematic(Model::new(mesh.clone()), turn),
            _ => Body::fixed(Model::new(mesh.clone()), turn),
        };
        let bodies: Vec<Body> = (0..12)
            .map(|i| {
                let at = [i % 3, i / 3 % 2, i / 6].map(|at| 1.4 * f64::from(at) - 1.0);
                let place = Trs::rotation_about_axis(random.direction(), random.between(0.0, 90.0)).unwrap();
                Body::moving(
                    Arc::clone(&shapes[random.below(2) as usize]),
                    Trs::rigid(at, place.orientation()).unwrap(),
                )
            })
            .collect();
        let options = WorldOptions::new().parallel(seed.is_multiple_of(5));
        let mut worlds = [options, options.chain(FilterChain::NONE)].map(World::with_options);
        let mut insert = |body: &Body| {
            let [a, b] = worlds.each_mut().map(|world| world.insert(body.clone()).unwrap());
            assert_eq!(a, b);
            a
        };
        let room = insert(&room);
        let handles = bodies.iter().map(insert).collect();
        Twins { worlds, handles, room, mesh, far }
    }

    fn each(&mut self, change: impl Fn(&mut World)) {
        self.worlds.iter_mut().for_each(change);
    }

    /// The second world forgets what it knows of pairs: a body comes and goes.
    fn step(&mut self, moves: &[(Handle, Motion)], options: &StepOptions, what: &str) {
        let far = Body::fixed(Arc::clone(&self.far), Trs::translation([90.0, 0.0, 0.0]).unwrap());
        let passing = self.worlds[1].insert(far).unwrap();
        self.worlds[1].remove(passing).unwrap();
        let [first, second] = self.worlds.each_mut().map(|world| {
            let moves: Vec<_> =
                moves.iter().map(|(handle, motion)| (world.counterpart(*handle).unwrap(), *motion)).collect();
            world.step_with(&moves, options).unwrap()
        });
        assert_eq!(first, second, "{what}");
        let [first, second] = self.worlds.each_ref().map(World::hash);
        assert_eq!(first, second, "{what}");
    }
}

#[test]
fn what_is_remembered_changes_nothing() {
    for seed in 0..effort::share(4, 400) {
        let mut random = Random::new(seed);
        let mut twins = Twins::new(seed, &mut random);
        let options = StepOptions::new().planes(if seed.is_multiple_of(3) { 2 } else { 0 });
        let down = Motion::translation([0.0, 0.0, -0.3]).unwrap();
        for step in 0..40 {
            let what = format!("seed {seed}, step {step}");
            // Everything is pressed down; now and then something else happens.
            let mut moves: Vec<(Handle, Motion)> =
                twins.handles.iter().map(|handle| (*handle, down)).collect();
            let some = random.below(moves.len() as u32) as usize;
            let (handle, room) = (twins.handles[some], twins.room);
            let a_little = 0.2 * random.in_cube();
            match if step > 12 { random.below(9) } else { 8 } {
                0 => {
                    let center =
                        twins.worlds[0].get(handle).unwrap().placement().world_from_model().translation;
                    let axis = random.direction();
                    moves[some].1 = Motion::rigid(a_little, center, axis, random.between(1.0, 40.0)).unwrap();
                }
                1 => {
                    let place = Trs::translation(a_little).unwrap();
                    twins.each(|world| world.teleport(world.counterpart(room).unwrap(), place).unwrap());
                }
                2 => {
                    let place = Trs::translation(10.0 * a_little).unwrap();
                    twins.each(|world| world.teleport(world.counterpart(handle).unwrap(), place).unwrap());
                }
                3 => {
                    let ball = Arc::new(Model::ball(random.between(0.2, 0.6)).unwrap());
                    twins.each(|world| {
                        let handle = world.counterpart(handle).unwrap();
                        let body = world.get(handle).unwrap().clone().with_model(Arc::clone(&ball));
                        world.replace(handle, body).unwrap();
                    });
                }
                4 if seed.is_multiple_of(4) => {
                    let vertices: Vec<_> =
                        twins.mesh.vertices().map(|vertex| vertex * (1.0 + a_little.x)).collect();
                    twins.each(|world| world.deform(world.counterpart(room).unwrap(), &vertices).unwrap());
                }
                4 if seed % 4 == 1 => moves.push((room, Motion::translation(a_little).unwrap())),
                5 => {
                    moves.remove(some);
                }
                _ => {}
            }
            twins.step(&moves, &options, &what);
        }
    }
}
