//! Steps before a simulation that is slow and plain: convex bodies along lines, whose times of contact separating axes give in closed form.
//!
//! The simulation knows the rules of `docs/math/simultaneous.md` and nothing of the library. A world stops bodies a little before they touch, so every time is an
//! interval: from where the bodies are as far apart as a stop may be, to where they touch, both widened by how far bodies that stopped before may be off. Scenes in
//! which intervals do not tell who stops are left out, and counted.

use std::sync::Arc;

use crate::effort::share;
use impinge::glam::DVec3;
use impinge::query::SweepStatus;
use impinge::shapes::{self, Random};
use impinge::world::{Body, Handle, Kind, Move, World, WorldOptions};
use impinge::{Mesh, Model, Motion, Placement, Trs};

/// The bound of distances at stops: two margins, which are 16 times 2⁻⁴⁶ of coordinates of up to 1,024 in the frames of these scenes.
const AT_MOST: f64 = 2.0 * 16.0 * 1024.0 / (1_u64 << 46) as f64;

/// More than rounding moves a point of these scenes: 64 roundings of coordinates of up to 16.
const ROUNDING: f64 = 64.0 * 16.0 * f64::EPSILON;

/// Less than this part of the speed at which two bodies come nearer is no contribution to it.
const LEAST_SHARE: f64 = 1e-9;

/// A convex polyhedron in the world.
struct Convex {
    points: Vec<DVec3>,
    normals: Vec<DVec3>,
    edges: Vec<DVec3>,
}

/// Adds a direction of length 1, unless it or its opposite is known.
fn add(directions: &mut Vec<DVec3>, direction: DVec3) {
    let Some(direction) = direction.try_normalize() else { return };
    if !directions.iter().any(|known| known.cross(direction).length() < 1e-9) {
        directions.push(direction);
    }
}

impl Convex {
    fn of(model: &Model, place: &Placement) -> Convex {
        let mesh = model.mesh();
        let points: Vec<DVec3> = mesh.vertices().map(|vertex| place.point_to_world(vertex)).collect();
        let (mut normals, mut edges) = (Vec::new(), Vec::new());
        for face in 0..mesh.face_count() as u32 {
            let corners: Vec<DVec3> = mesh.corners(face).map(|vertex| points[vertex as usize]).collect();
            add(&mut normals, (corners[1] - corners[0]).cross(corners[2] - corners[0]));
            for (i, &corner) in corners.iter().enumerate() {
                add(&mut edges, corners[(i + 1) % corners.len()] - corner);
            }
        }
        Convex { points, normals, edges }
    }

    fn most_along(&self, direction: DVec3) -> f64 {
        self.points.iter().map(|point| point.dot(direction)).fold(f64::NEG_INFINITY, f64::max)
    }

    /// All directions along which two polyhedra may be separated, from the first to the second.
    fn axes(&self, other: &Convex) -> Vec<DVec3> {
        let mut axes = Vec::new();
        self.normals.iter().chain(&other.normals).for_each(|normal| add(&mut axes, *normal));
        for own in &self.edges {
            for others in &other.edges {
                let product = own.cross(*others);
                if product.length() > 1e-6 {
                    add(&mut axes, product);
                }
            }
        }
        axes.iter().flat_map(|axis| [*axis, -*axis]).collect()
    }

    /// How far the second is above the first, along each axis.
    fn gaps(&self, other: &Convex, axes: &[DVec3]) -> Vec<f64> {
        axes.iter().map(|axis| -other.most_along(-*axis) - self.most_along(*axis)).collect()
    }
}

/// A body of the simulation.
struct Mover {
    velocity: DVec3,
    /// When it stopped, from the earliest to the latest time that this may have been, and the time between that the simulation takes.
    stop: Option<[f64; 3]>,
    /// How far off it may be since.
    off: f64,
    partners: Vec<usize>,
}

impl Mover {
    fn velocity(&self) -> DVec3 {
        if self.stop.is_some() { DVec3::ZERO } else { self.velocity }
    }

    fn moved(&self, time: f64) -> DVec3 {
        self.velocity * self.stop.map_or(time, |[_, at, _]| at.min(time))
    }
}

struct PairState {
    bodies: [usize; 2],
    axes: Vec<DVec3>,
    /// At the start.
    gaps: Vec<f64>,
    /// Whether the two have met: they do not come nearer any more.
    has_met: bool,
}

/// A meeting: between which times, and when two bodies touch that are where the simulation has them.
#[derive(Clone, Copy)]
struct Event {
    pair: usize,
    times: [f64; 3],
}

/// What a scene cannot be decided for.
struct Unclear;

struct Simulation {
    movers: Vec<Mover>,
    pairs: Vec<PairState>,
}

impl Simulation {
    fn new(bodies: &[Convex], velocities: &[DVec3]) -> Simulation {
        let movers = velocities.iter();
        let movers = movers.map(|&velocity| Mover { velocity, stop: None, off: 0.0, partners: Vec::new() });
        let mut pairs = Vec::new();
        for (second, other) in bodies.iter().enumerate() {
            for (first, body) in bodies[..second].iter().enumerate() {
                let axes = body.axes(other);
                let gaps = body.gaps(other, &axes);
                pairs.push(PairState { bodies: [first, second], axes, gaps, has_met: false });
            }
        }
        Simulation { movers: movers.collect(), pairs }
    }

    /// The gaps of a pair at a time, and how fast they grow.
    fn gaps_at(&self, pair: usize, time: f64) -> impl Iterator<Item = (DVec3, f64, f64)> + '_ {
        let PairState { bodies, axes, gaps, .. } = &self.pairs[pair];
        let [a, b] = bodies.map(|body| &self.movers[body]);
        let (apart, rate) = (b.moved(time) - a.moved(time), b.velocity() - a.velocity());
        axes.iter().zip(gaps).map(move |(axis, gap)| (*axis, gap + apart.dot(*axis), rate.dot(*axis)))
    }

    /// The first time from `from` on at which no gap is larger than `level`.
    fn within(&self, pair: usize, from: f64, level: f64) -> Option<f64> {
        let (mut begin, mut end) = (from, 1.0_f64);
        for (_, gap, rate) in self.gaps_at(pair, from) {
            let time = from + (level - gap) / rate;
            if rate < 0.0 {
                begin = begin.max(time);
            } else if rate > 0.0 {
                end = end.min(time);
            } else if gap > level {
                return None;
            }
        }
        (begin <= end).then_some(begin)
    }

    /// When a pair meets; later than ever, where it may do so or not.
    fn event(&self, pair: usize) -> Option<Event> {
        let bodies = self.pairs[pair].bodies;
        let is_still = bodies.iter().all(|body| self.movers[*body].velocity() == DVec3::ZERO);
        if is_still || self.pairs[pair].has_met {
            return None;
        }
        // Since then, both do one thing.
        let stopped = bodies.iter().filter_map(|body| self.movers[*body].stop);
        let from = stopped.map(|[_, at, _]| at).fold(0.0, f64::max);
        let off: f64 = bodies.iter().map(|body| self.movers[*body].off).sum::<f64>() + ROUNDING;
        let earliest = self.within(pair, from, AT_MOST + off)?;
        let (at, latest) = (self.within(pair, from, 0.0), self.within(pair, from, -off));
        let [at, latest] = match (at, latest) {
            (Some(at), Some(latest)) => [at, latest],
            _ => [f64::INFINITY; 2],
        };
        Some(Event { pair, times: [earliest, at, latest] })
    }

    /// Who stops where two meet: who comes nearer itself; and the least speed at which one of them does.
    fn stopped(&self, event: &Event) -> Result<(Vec<usize>, f64), Unclear> {
        let PairState { bodies, .. } = &self.pairs[event.pair];
        let slack = 4.0 * AT_MOST + 2.0 * bodies.iter().map(|body| self.movers[*body].off).sum::<f64>();
        let mut found: Option<(Vec<usize>, f64)> = None;
        for (axis, gap, rate) in self.gaps_at(event.pair, event.times[1]) {
            if gap < -slack || rate >= 0.0 {
                continue;
            }
            let closing =
                [self.movers[bodies[0]].velocity().dot(axis), -self.movers[bodies[1]].velocity().dot(axis)];
            let sum: f64 = closing.iter().map(|speed| speed.max(0.0)).sum();
            let of_side = |side: &usize| closing[*side] > LEAST_SHARE * sum;
            let stopped: Vec<usize> = (0..2).filter(of_side).map(|side| bodies[side]).collect();
            let least = (0..2).filter(of_side).map(|side| closing[side]).fold(f64::INFINITY, f64::min);
            match &mut found {
                Some((known, _)) if *known != stopped => return Err(Unclear),
                Some((_, slowest)) => *slowest = slowest.min(least),
                None => found = Some((stopped, least)),
            }
        }
        found.ok_or(Unclear)
    }

    /// Lets bodies meet in the order of time.
    fn run(mut self) -> Result<Vec<Mover>, Unclear> {
        loop {
            let events: Vec<Event> = (0..self.pairs.len()).filter_map(|pair| self.event(pair)).collect();
            let first = events.iter().min_by(|a, b| a.times[2].total_cmp(&b.times[2]));
            let Some(&first) = first else { return Ok(self.movers) };
            if first.times[2] == f64::INFINITY {
                return Err(Unclear);
            }
            // What has to do with the same bodies at about the same time.
            let mut set = vec![first];
            loop {
                let latest = set.iter().map(|event| event.times[2]).fold(0.0, f64::max);
                let bodies: Vec<usize> = set.iter().flat_map(|event| self.pairs[event.pair].bodies).collect();
                let is_near = |event: &&Event| {
                    event.times[0] <= latest
                        && set.iter().all(|known| known.pair != event.pair)
                        && self.pairs[event.pair].bodies.iter().any(|body| bodies.contains(body))
                };
                match events.iter().find(is_near) {
                    Some(&event) => set.push(event),
                    None => break,
                }
            }
            // Several that only happen to be near each other have an order that decides.
            if set.iter().any(|event| (event.times[1] - first.times[1]).abs() > 8.0 * f64::EPSILON) {
                return Err(Unclear);
            }
            let mut times = first.times;
            let mut stops: Vec<(usize, usize)> = Vec::new();
            for event in &set {
                let (stopped, slowest) = self.stopped(event)?;
                let wait = if set.len() > 1 { 4.0 * AT_MOST / slowest } else { 0.0 };
                times = [times[0].min(event.times[0]), times[1], times[2].max(event.times[2] + wait)];
                let [a, b] = self.pairs[event.pair].bodies;
                stops.extend(stopped.into_iter().map(|body| (body, if body == a { b } else { a })));
            }
            for (body, partner) in stops {
                let mover = &mut self.movers[body];
                mover.partners.push(partner);
                mover.off = mover.velocity.length() * (times[2] - times[0]);
                mover.stop = Some(times);
            }
            set.iter().for_each(|event| self.pairs[event.pair].has_met = true);
        }
    }
}

struct Scene {
    bodies: Vec<(Arc<Model>, Placement, Kind)>,
    moves: Vec<Option<Motion>>,
}

fn scene(seed: u64, models: &[Arc<Model>]) -> Scene {
    let random = &mut Random::new(seed);
    let count = 2 + random.below(19) as usize;
    let (is_lattice, are_boxes) = (random.below(3) == 0, random.below(2) == 0);
    let size = 1.1 * (count as f64).cbrt() + 0.6;
    let mut convex: Vec<Convex> = Vec::new();
    let mut bodies = Vec::new();
    for _ in 0..10 * count {
        if bodies.len() == count {
            break;
        }
        let model = &models[random.below(if are_boxes { 2 } else { models.len() as u32 }) as usize];
        let mut place = size * random.in_cube();
        let mut turn = Trs::rotation_about_axis(random.direction(), 360.0 * random.unit()).unwrap();
        if is_lattice {
            place = (place * 4.0).round() / 4.0;
        }
        if is_lattice || are_boxes {
            turn = Trs::IDENTITY;
        }
        let place = Placement::from(Trs::rigid(place, turn.orientation()).unwrap());
        let own = Convex::of(model, &place);
        let is_apart = |other: &Convex| {
            let gaps = own.gaps(other, &own.axes(other));
            gaps.into_iter().fold(f64::NEG_INFINITY, f64::max) > 1e-3
        };
        if convex.iter().all(is_apart) {
            let kind = if random.below(8) == 0 { Kind::Fixed } else { Kind::Moving };
            bodies.push((Arc::clone(model), place, kind));
            convex.push(own);
        }
    }
    let mut motion = |kind: Kind| {
        let mut by = 2.0 * random.in_cube();
        if is_lattice {
            by = (by * 4.0).round() / 4.0;
        }
        let moves = kind == Kind::Moving && random.below(6) > 0;
        moves.then(|| Motion::translation(by).unwrap())
    };
    let moves = bodies.iter().map(|(_, _, kind)| motion(*kind)).collect();
    Scene { bodies, moves }
}

/// The moves of a scene, by the number of the body, with the list in another order.
fn moved(scene: &Scene, options: WorldOptions, turn: usize) -> Vec<Option<Move>> {
    let mut world = World::with_options(options);
    let insert = |(model, place, kind): &(Arc<Model>, Placement, Kind)| {
        world.insert(Body::moving(Arc::clone(model), *place).of_kind(*kind)).unwrap()
    };
    let handles: Vec<Handle> = scene.bodies.iter().map(insert).collect();
    let asked = handles.iter().zip(&scene.moves);
    let mut moves: Vec<(Handle, Motion)> =
        asked.filter_map(|(&handle, motion)| Some((handle, (*motion)?))).collect();
    let count = moves.len().max(1);
    moves.rotate_left(turn % count);
    if turn % 2 == 1 {
        moves.reverse();
    }
    let step = world.step(&moves).unwrap();
    handles.iter().map(|handle| step.moves.iter().find(|made| made.handle == *handle).cloned()).collect()
}

#[test]
fn steps_are_those_of_a_plain_simulation() {
    let meshes = [
        Mesh::from(shapes::cuboid([-0.5; 3], [0.5; 3]).unwrap()),
        Mesh::from(shapes::cuboid_of_quads([-1.0, -0.5, -0.25], [1.0, 0.5, 0.25]).unwrap()),
        Mesh::from(shapes::octahedron(0.75).unwrap()),
        Mesh::from(shapes::tetrahedron(0.75).unwrap()),
    ];
    let models: Vec<Arc<Model>> = meshes.into_iter().map(|mesh| Arc::new(Model::new(mesh))).collect();
    let pools =
        [1, 2, 8].map(|threads| rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap());
    let [mut stops, mut clear, mut ties, mut unclear] = [0_u64; 4];
    let scenes = share(30, 20_000);
    for seed in 0..scenes {
        let scene = scene(seed, &models);
        let made = moved(&scene, WorldOptions::new().parallel(false), 0);
        for (turn, pool) in pools.iter().enumerate().skip(if seed.is_multiple_of(8) { 0 } else { 2 }) {
            let again = pool.install(|| moved(&scene, WorldOptions::new(), 1 + turn));
            assert_eq!(again, made, "seed {seed}");
        }
        let convex: Vec<Convex> =
            scene.bodies.iter().map(|(model, place, _)| Convex::of(model, place)).collect();
        let velocities: Vec<DVec3> =
            scene.moves.iter().map(|motion| motion.map_or(DVec3::ZERO, |motion| motion.by())).collect();
        let Ok(movers) = Simulation::new(&convex, &velocities).run() else {
            unclear += 1;
            continue;
        };
        for (body, mover) in movers.iter().enumerate() {
            let Some(made) = &made[body] else {
                assert!(mover.stop.is_none(), "seed {seed}: {body} stands still");
                continue;
            };
            let Some([earliest, _, latest]) = mover.stop else {
                assert_eq!(
                    (made.status, made.fraction),
                    (SweepStatus::Clear, 1.0),
                    "seed {seed}: {body}: {made:?}"
                );
                clear += 1;
                continue;
            };
            let said = format!("seed {seed}: {body} stops between {earliest} and {latest}: {made:?}");
            assert_eq!(made.status, SweepStatus::Hit, "{said}");
            let slack = 8.0 * f64::EPSILON;
            assert!(made.fraction >= earliest - slack && made.fraction <= latest + slack, "{said}");
            let by: Vec<usize> = made.hits.iter().map(|hit| hit.other.index() as usize).collect();
            assert!(!by.is_empty() && by.iter().all(|other| mover.partners.contains(other)), "{said}");
            stops += 1;
            ties += u64::from(mover.partners.len() > 1);
        }
    }
    println!(
        "{stops} stops, {ties} of them by several, {clear} not stopped; {unclear} scenes of {scenes} unclear"
    );
    assert!(stops > scenes && clear > scenes && unclear < scenes / 4);
}

#[test]
fn the_simulation_knows_the_rules() {
    let cube = Model::new(shapes::cuboid([-0.5; 3], [0.5; 3]).unwrap());
    let run = |bodies: &[(f64, f64)]| {
        let at = |x: f64| Placement::from(Trs::translation([x, 0.0, 0.0]).unwrap());
        let convex: Vec<Convex> = bodies.iter().map(|(x, _)| Convex::of(&cube, &at(*x))).collect();
        let velocities: Vec<DVec3> = bodies.iter().map(|(_, speed)| DVec3::X * *speed).collect();
        let movers = Simulation::new(&convex, &velocities).run().ok().unwrap();
        movers.iter().map(|mover| mover.stop.map(|[_, at, _]| at)).collect::<Vec<_>>()
    };
    // Both contribute; the one behind catches up and stops; a train that comes upon a wall stops one by one.
    assert_eq!(run(&[(0.0, 1.0), (2.0, -1.0)]), [Some(0.5), Some(0.5)]);
    assert_eq!(run(&[(0.0, 2.0), (1.5, 1.0)]), [Some(0.5), None]);
    assert_eq!(run(&[(0.0, 1.0), (1.25, 1.0), (2.5, 0.0)]), [Some(0.5), Some(0.25), None]);
    assert_eq!(run(&[(0.0, -1.0), (2.0, 1.0)]), [None, None]);
    // Two from both sides at once.
    assert_eq!(run(&[(0.0, 1.0), (1.5, 0.0), (3.0, -1.0)]), [Some(0.5), None, Some(0.5)]);
}
