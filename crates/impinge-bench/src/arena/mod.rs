//! Paper 003's game server without a network: players fly hovertanks over a landscape, drop cargo, land on repair pads and take off again.

pub(crate) mod dynamics;
pub(crate) mod landscape;
mod page;
mod pilot;

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use impinge::math::{DMat3, DVec3};
use impinge::mesh::MeshError;
use impinge::mesh::generate::{Random, Shape};
use impinge::query::Verdict;
use impinge::world::{Body, Handle, MoveVerdict, Stage, Statistics, Step, World, WorldError, WorldOptions};
use impinge::{Mesh, Model, Motion, Trs};
use serde::Serialize;

use crate::stopwatch::Stopwatch;
use dynamics::Moving;
use landscape::Landscape;
pub use page::page;
use pilot::{Orders, Pilot};

/// Steps a second.
pub const RATE: f64 = 60.0;
const SECONDS: f64 = 1.0 / RATE;
/// So many seconds of the game's time objects have to come to rest before it begins.
const SETTLING: f64 = 8.0;

/// What is played.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct Game {
    /// How many hovertanks fly.
    pub players: usize,
    /// How many other bodies there are: pads, boxes, tanks that nobody flies.
    pub objects: usize,
    /// How long, in the game's own time.
    pub seconds: f64,
    /// Where everything is, and what players want.
    pub seed: u64,
    /// Whether every step is checked by the exact test.
    pub check: bool,
    /// Whether places are kept for a [`page`].
    pub film: bool,
    /// How the world works.
    #[serde(skip)]
    pub options: WorldOptions,
}

impl Default for Game {
    /// The paper's: 32 players and hundreds of objects.
    fn default() -> Game {
        let options =
            WorldOptions { parallel: false, contact_distance: 0.01, expel: 1e-4, ..WorldOptions::default() };
        Game { players: 32, objects: 500, seconds: 60.0, seed: 1, check: true, film: false, options }
    }
}

/// What happened.
#[derive(Clone, Debug, Serialize)]
pub struct Report {
    /// What was played.
    pub game: Game,
    /// Steps made.
    pub steps: usize,
    /// Bodies in the world at the end, the tiles of the landscape among them.
    pub bodies: usize,
    /// Pairs of bodies that overlapped after a step, by the exact test.
    pub interpenetrations: u64,
    /// How often a player wanted to move and could have, and did not.
    pub stuck: u64,
    /// How often players landed: on pads, and anywhere.
    pub landings: [u64; 2],
    /// Cargo that was dropped, and pads that it became.
    pub dropped: [u64; 2],
    /// Bodies that were put somewhere else because they had no place.
    pub unstuck: u64,
    /// Bodies that did not sleep, in the mean.
    pub awake: f64,
    /// Milliseconds a step, the checking excluded: median, 99th percentile and the longest.
    pub step_ms: [f64; 3],
    /// What the stages of the filter chain did.
    pub filters: Vec<Filter>,
    /// Of all places at the end.
    pub hash: String,
    /// Where bodies were, for the page.
    #[serde(skip)]
    pub film: Film,
}

/// What a stage of the filter chain did.
#[derive(Clone, Debug, Serialize)]
pub struct Filter {
    /// Its name.
    pub name: &'static str,
    /// Pairs that came to it.
    pub asked: u64,
    /// Pairs that it decided.
    pub decided: u64,
    /// Nanoseconds for one that came.
    pub mean_ns: f64,
}

/// Where bodies were.
#[derive(Clone, Debug, Default)]
pub struct Film {
    /// Heights of the landscape, row by row, and the width of a cell.
    pub ground: Vec<Vec<f64>>,
    /// See above.
    pub cell: f64,
    /// For each frame: what, where and which way it looks.
    pub frames: Vec<Vec<Actor>>,
}

/// A body in a frame.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Actor {
    /// What it is.
    pub role: Role,
    /// Where.
    pub place: DVec3,
    /// Where its first axis looks.
    pub ahead: DVec3,
}

/// What a body is in the game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub enum Role {
    /// A hovertank with a player.
    Player,
    /// One that nobody flies.
    Tank,
    /// A repair pad.
    Pad,
    /// A box that becomes a pad when it hits the ground.
    Cargo,
    /// A box that stays one.
    Crate,
}

/// What can go wrong.
#[derive(Debug)]
#[non_exhaustive]
pub enum ArenaError {
    /// A model cannot be made.
    Mesh(MeshError),
    /// A shape cannot be made.
    Shape(impinge::mesh::generate::ShapeError),
    /// A call that the world refuses.
    World(WorldError),
    /// A place out of range.
    Transform(impinge::TransformError),
}

impl std::fmt::Display for ArenaError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            ArenaError::Mesh(error) => error.fmt(f),
            ArenaError::Shape(error) => error.fmt(f),
            ArenaError::World(error) => error.fmt(f),
            ArenaError::Transform(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for ArenaError {}

macro_rules! from_error {
    ($($kind:ident($error:ty),)*) => {$(
        impl From<$error> for ArenaError {
            fn from(error: $error) -> ArenaError {
                ArenaError::$kind(error)
            }
        }
    )*};
}

from_error! {
    Mesh(MeshError),
    Shape(impinge::mesh::generate::ShapeError),
    World(WorldError),
    Transform(impinge::TransformError),
}

/// The models: many bodies share each.
pub(crate) struct Models {
    pub(crate) tank: Arc<Model>,
    pub(crate) pad: Arc<Model>,
    pub(crate) cargo: Arc<Model>,
}

impl Models {
    pub(crate) fn new() -> Result<Models, ArenaError> {
        let sized = |shape: Shape, size: f64| -> Result<Arc<Model>, ArenaError> {
            let mesh = shape.generate(200, 0);
            let bounds = mesh.bounds();
            let scale = size / bounds.size().max_element();
            let points = mesh.vertices().map(|vertex| (vertex - bounds.centre()) * scale);
            Ok(Arc::new(Model::new(triangles(&mesh, points.collect())?)))
        };
        Ok(Models {
            tank: sized(Shape::Hovertank, 5.0)?,
            pad: sized(Shape::RepairPad, 12.0)?,
            cargo: sized(Shape::CargoBox, 2.0)?,
        })
    }

    fn of(&self, role: Role) -> &Arc<Model> {
        match role {
            Role::Player | Role::Tank => &self.tank,
            Role::Pad => &self.pad,
            Role::Cargo | Role::Crate => &self.cargo,
        }
    }
}

/// The faces of a mesh as a table of triangles, which is quickest to look at.
pub(crate) fn triangles(mesh: &Mesh, points: Vec<DVec3>) -> Result<Mesh, MeshError> {
    Mesh::triangles(points, (0..mesh.face_count() as u32).flat_map(|face| mesh.fan(face)).collect())
}

/// A game that is being played.
pub struct Arena {
    game: Game,
    world: World,
    /// The tiles of the landscape.
    ground: BTreeSet<Handle>,
    landscape: Landscape,
    models: Models,
    /// All bodies but the landscape.
    roles: BTreeMap<Handle, Role>,
    moving: BTreeMap<Handle, Moving>,
    pilots: Vec<Pilot>,
    /// What was dropped, the oldest first.
    dropped: Vec<Handle>,
    random: Random,
    report: Report,
    times: Vec<f64>,
    awake: u64,
}

impl Arena {
    /// Sets everything up: objects fall to the ground and come to rest, and players fly.
    pub fn new(game: Game) -> Result<Arena, ArenaError> {
        let mut random = Random::new(game.seed);
        let count = (game.players + game.objects) as f64;
        let landscape = Landscape::new(game.seed, 15.0 * count.sqrt().max(8.0));
        let mut world = World::with_options(game.options);
        world.set_clock(Some(crate::stopwatch::nanoseconds));
        let tiles = landscape.tiles()?.into_iter();
        let ground = tiles
            .map(|tile| world.insert(Body::fixed(Model::new(tile), Trs::IDENTITY)))
            .collect::<Result<BTreeSet<Handle>, WorldError>>()?;
        let film = Film { ground: landscape.rows(), cell: landscape.cell(), frames: Vec::new() };
        let report = Report {
            game,
            steps: 0,
            bodies: 0,
            interpenetrations: 0,
            stuck: 0,
            landings: [0; 2],
            dropped: [0; 2],
            unstuck: 0,
            awake: 0.0,
            step_ms: [0.0; 3],
            filters: Vec::new(),
            hash: String::new(),
            film,
        };
        let mut arena = Arena {
            game,
            world,
            ground,
            landscape,
            models: Models::new()?,
            roles: BTreeMap::new(),
            moving: BTreeMap::new(),
            pilots: Vec::new(),
            dropped: Vec::new(),
            random: Random::new(game.seed ^ 0x5eed),
            report,
            times: Vec::new(),
            awake: 0,
        };
        arena.populate(&mut random)?;
        arena.settle()?;
        Ok(arena)
    }

    /// Objects in the squares of a grid, in a random order, so that they have room; players above them.
    fn populate(&mut self, random: &mut Random) -> Result<(), ArenaError> {
        let Game { players, objects, .. } = self.game;
        let side = ((players + objects) as f64).sqrt().ceil() as usize;
        let mut squares: Vec<usize> = (0..side * side).collect();
        for i in (1..squares.len()).rev() {
            squares.swap(i, random.below(i as u32 + 1) as usize);
        }
        let width = self.landscape.size() * 0.94 / side as f64;
        for (number, square) in squares.into_iter().take(players + objects).enumerate() {
            let corner = DVec3::new((square % side) as f64, (square / side) as f64, 0.0) * width;
            let middle = corner - DVec3::new(1.0, 1.0, 0.0) * (width * (side as f64 - 1.0) / 2.0);
            let at = middle + DVec3::new(random.unit() - 0.5, random.unit() - 0.5, 0.0) * (0.2 * width);
            let role = match number {
                number if number < players => Role::Player,
                number if number % 5 < 3 => Role::Pad,
                number if number % 5 == 3 => Role::Crate,
                _ => Role::Tank,
            };
            let height = if role == Role::Player { 14.0 } else { 4.0 };
            let place = at + DVec3::Z * (self.landscape.height(at.x, at.y) + height);
            let yaw = if role == Role::Player { 0.0 } else { 360.0 * random.unit() };
            let turn = Trs::rotation_about_axis(DVec3::Z, yaw)?;
            let handle = self.enter(role, Trs::rigid(place, turn.orientation())?)?;
            // On steep ground, a little higher.
            let mut above = place;
            while self.overlapped(handle) > 0 {
                above += DVec3::Z * 2.0;
                self.world.teleport(handle, Trs::rigid(above, turn.orientation())?)?;
            }
            if role == Role::Player {
                self.pilots.push(Pilot::new(handle, above));
            }
        }
        Ok(())
    }

    /// Lets everything come to rest before the game begins.
    fn settle(&mut self) -> Result<(), ArenaError> {
        let players: BTreeSet<Handle> = self.pilots.iter().map(|pilot| pilot.handle).collect();
        for _ in 0..(SETTLING * RATE) as usize {
            let awake: Vec<Handle> = self.world.awake().filter(|handle| !players.contains(handle)).collect();
            let mut moves = Vec::new();
            for handle in awake {
                let motion = dynamics::motion(&self.world, &mut self.moving, handle, SECONDS)?;
                moves.extend(motion.map(|motion| (handle, motion)));
            }
            let done = self.world.step(&moves)?;
            for made in &done.moves {
                dynamics::answer(&self.world, &mut self.moving, made)?;
            }
            if self.game.check {
                self.check();
            }
            if moves.is_empty() {
                break;
            }
        }
        self.world.clear_statistics();
        Ok(())
    }

    fn enter(&mut self, role: Role, at: Trs) -> Result<Handle, ArenaError> {
        let model = self.models.of(role).clone();
        let moving = Moving::new(&model);
        let handle = self.world.insert(Body::moving(model, at))?;
        self.roles.insert(handle, role);
        self.moving.insert(handle, moving);
        Ok(handle)
    }

    fn leave(&mut self, handle: Handle) -> Result<(), ArenaError> {
        self.world.remove(handle)?;
        self.roles.remove(&handle);
        self.moving.remove(&handle);
        Ok(())
    }

    /// Plays to the end. `tick` is called after every step.
    pub fn play(mut self, mut tick: impl FnMut()) -> Result<Report, ArenaError> {
        let steps = (self.game.seconds * RATE).round() as usize;
        for _ in 0..steps {
            self.step()?;
            tick();
        }
        Ok(self.finish())
    }

    /// One step of the game.
    fn step(&mut self) -> Result<(), ArenaError> {
        let watch = Stopwatch::start();
        let mut moves = Vec::new();
        for i in 0..self.pilots.len() {
            moves.extend(self.fly(i)?);
        }
        let players: Vec<Handle> = self.pilots.iter().map(|pilot| pilot.handle).collect();
        let awake: Vec<Handle> = self.world.awake().filter(|handle| !players.contains(handle)).collect();
        self.awake += (awake.len() + players.len()) as u64;
        for handle in awake {
            let motion = dynamics::motion(&self.world, &mut self.moving, handle, SECONDS)?;
            moves.extend(motion.map(|motion| (handle, motion)));
        }
        let done = self.world.step(&moves)?;
        self.answer(&done)?;
        self.times.push(watch.nanoseconds() / 1e6);
        self.report.steps += 1;
        if self.game.check {
            self.check();
        }
        if self.game.film && self.report.steps.is_multiple_of(4) {
            self.take_picture();
        }
        Ok(())
    }

    /// What a pilot does in this step, and how its tank moves.
    fn fly(&mut self, number: usize) -> Result<Option<(Handle, Motion)>, ArenaError> {
        let pilot = &self.pilots[number];
        let place = self.place_of(pilot.handle)?;
        let orders = Orders {
            place,
            ground: self.landscape.height(place.x, place.y),
            pads: &self.pads(),
            limit: 0.45 * self.landscape.size(),
        };
        let wishes = self.pilots[number].decide(&orders, &mut self.random, SECONDS);
        if wishes.drops_cargo {
            self.drop_cargo(place)?;
        }
        let pilot = &self.pilots[number];
        if pilot.velocity == DVec3::ZERO {
            return Ok(None);
        }
        let by = pilot.velocity * SECONDS;
        let ahead = self.world.get(pilot.handle)?.placement().world_from_model().matrix3.x_axis;
        let turn = pilot.turn(ahead, SECONDS);
        let motion =
            if turn == 0.0 { Motion::translation(by)? } else { Motion::rigid(by, place, DVec3::Z, turn)? };
        Ok(Some((pilot.handle, motion)))
    }

    fn place_of(&self, handle: Handle) -> Result<DVec3, ArenaError> {
        Ok(self.world.get(handle)?.placement().world_from_model().translation)
    }

    /// Pads that stand upright.
    fn pads(&self) -> Vec<(Handle, DVec3)> {
        let upright = |matrix: DMat3| matrix.z_axis.z > 0.9;
        let pads = self.roles.iter().filter(|(_, role)| **role == Role::Pad);
        pads.filter_map(|(handle, _)| {
            let body = self.world.get(*handle).ok()?;
            let map = body.placement().world_from_model();
            (body.is_asleep() && upright(map.matrix3)).then_some((*handle, map.translation))
        })
        .collect()
    }

    /// Drops a box from below a tank, and takes the oldest away where there are too many.
    fn drop_cargo(&mut self, from: DVec3) -> Result<(), ArenaError> {
        let below = from - DVec3::Z * 3.5;
        let place = Trs::translation(below)?;
        let placed = self.models.cargo.at(place);
        if !self.world.meeting(&placed, |_, _| true).is_empty() {
            return Ok(());
        }
        let handle = self.enter(Role::Cargo, place)?;
        self.dropped.push(handle);
        self.report.dropped[0] += 1;
        if self.dropped.len() > self.game.players.max(4) {
            let oldest = self.dropped.remove(0);
            self.leave(oldest)?;
        }
        Ok(())
    }

    /// What follows from what was hit.
    fn answer(&mut self, done: &Step) -> Result<(), ArenaError> {
        for made in &done.moves {
            if let Some(number) = self.pilots.iter().position(|pilot| pilot.handle == made.handle) {
                let place = made.placement.world_from_model().translation;
                let landed = self.pilots[number].answer(made, place, &mut self.random);
                if let Some(on) = landed {
                    let on_pad = self.roles.get(&on) == Some(&Role::Pad);
                    self.report.landings[0] += u64::from(on_pad);
                    self.report.landings[1] += 1;
                }
                if self.pilots[number].has_stood_still(place) && self.could_move(number)? {
                    self.report.stuck += 1;
                }
                if made.verdict == MoveVerdict::StartedOverlapping {
                    self.free(made.handle)?;
                }
                continue;
            }
            dynamics::answer(&self.world, &mut self.moving, made)?;
            if self.roles.get(&made.handle) == Some(&Role::Cargo)
                && made.hits.iter().any(|hit| self.ground.contains(&hit.other))
            {
                self.deploy(made.handle)?;
            }
        }
        Ok(())
    }

    /// A box on the ground becomes a pad, where there is room for one.
    fn deploy(&mut self, cargo: Handle) -> Result<(), ArenaError> {
        let place = self.place_of(cargo)?;
        let Some(age) = self.dropped.iter().position(|handle| *handle == cargo) else { return Ok(()) };
        self.leave(cargo)?;
        self.dropped.remove(age);
        let above = Trs::translation(place + DVec3::Z * 2.5)?;
        let pad = self.enter(Role::Pad, above)?;
        let has_room = if self.overlapped(pad) == 0 {
            true
        } else {
            self.report.unstuck += 1;
            self.world.unstick(pad, 4.0)?.is_some()
        };
        if has_room {
            self.dropped.push(pad);
            self.report.dropped[1] += 1;
        } else {
            self.leave(pad)?;
        }
        Ok(())
    }

    fn free(&mut self, handle: Handle) -> Result<(), ArenaError> {
        self.report.unstuck += 1;
        self.world.unstick(handle, 50.0)?;
        Ok(())
    }

    /// Whether a place near by, more or less along the wish of a pilot, is free by the exact test.
    fn could_move(&self, number: usize) -> Result<bool, ArenaError> {
        let pilot = &self.pilots[number];
        let wish = pilot.velocity.normalize_or_zero();
        let body = self.world.get(pilot.handle)?;
        let (first, second) = wish.any_orthonormal_pair();
        for aside in [0.0, 0.2, 0.5, 1.0, 2.0] {
            for way in [first, -first, second, -second] {
                let mut map = *body.placement().world_from_model();
                map.translation += (wish + aside * way).normalize_or_zero() * 0.5;
                let placed = body.model().try_at(map)?;
                if self.world.meeting(&placed, |handle, _| handle != pilot.handle).is_empty() {
                    return Ok(true);
                }
            }
        }
        Ok(false)
    }

    /// How many others a body overlaps, by the exact test.
    fn overlapped(&self, handle: Handle) -> u64 {
        let Ok(body) = self.world.get(handle) else { return 0 };
        let placed = body.placed();
        let overlaps = |other: &Handle| {
            let verdict = self.world.get(*other).map(|other| placed.verdict(&other.placed()));
            matches!(verdict, Ok(Verdict::Overlapping | Verdict::Inside(_)))
        };
        let met = self.world.meeting(&placed, |other, _| other != handle);
        met.iter().filter(|other| overlaps(other)).count() as u64
    }

    /// Every body that is awake against every other that is near, by the exact test alone.
    fn check(&mut self) {
        self.report.interpenetrations +=
            self.world.awake().map(|handle| self.overlapped(handle)).sum::<u64>();
    }

    fn take_picture(&mut self) {
        let actor = |(handle, role): (&Handle, &Role)| {
            let map = self.world.get(*handle).ok()?.placement().world_from_model();
            Some(Actor { role: *role, place: map.translation, ahead: map.matrix3.x_axis })
        };
        let actors = self.roles.iter().filter_map(actor).collect();
        self.report.film.frames.push(actors);
    }

    fn finish(mut self) -> Report {
        self.times.sort_by(f64::total_cmp);
        let at = |share: f64| {
            let place = ((self.times.len() as f64 - 1.0) * share).round() as usize;
            self.times.get(place).copied().unwrap_or(0.0)
        };
        self.report.step_ms = [at(0.5), at(0.99), at(1.0)];
        self.report.bodies = self.world.len();
        self.report.awake = self.awake as f64 / self.report.steps.max(1) as f64;
        self.report.hash = format!("{:016x}", self.world.hash());
        self.report.filters = filters_of(self.world.statistics());
        self.report
    }
}

/// What the stages did, those that were asked.
pub(crate) fn filters_of(statistics: &Statistics) -> Vec<Filter> {
    let asked = Stage::ALL.into_iter().filter(|stage| statistics.of(*stage).asked > 0);
    let filter = |stage: Stage| {
        let count = statistics.of(stage);
        let mean_ns = count.nanoseconds as f64 / count.asked as f64;
        Filter { name: stage.name(), asked: count.asked, decided: count.decided, mean_ns }
    };
    asked.map(filter).collect()
}

impl Report {
    /// The share of pair decisions that the exact test made, of those that came past the broad phase.
    pub fn hard_share(&self) -> f64 {
        let decided = |name: &str| {
            let filters = self.filters.iter().filter(|filter| filter.name == name);
            filters.map(|filter| filter.decided).sum::<u64>() as f64
        };
        let all: u64 = self.filters.iter().map(|filter| filter.decided).sum();
        decided(Stage::Hard.name()) / (all as f64 - decided(Stage::Broad.name())).max(1.0)
    }

    /// The tables for the terminal.
    pub fn table(&self) -> String {
        let Report { game, step_ms: [median, p99, most], .. } = self;
        let minutes = self.steps as f64 * SECONDS / 60.0 * game.players as f64;
        let mut text = format!(
            "{} players, {} objects, {} steps of 1/60 s, seed {}\n\n",
            game.players, game.objects, self.steps, game.seed
        );
        text += &format!("{:<24}{:>12}{:>12}{:>12}\n", "filter", "came", "decided", "mean us");
        for filter in &self.filters {
            text += &format!(
                "{:<24}{:>12}{:>12}{:>12.3}\n",
                filter.name,
                filter.asked,
                filter.decided,
                filter.mean_ns / 1000.0
            );
        }
        text +=
            &format!("\nhard case: {:.1} % of what came past the broad phase\n", 100.0 * self.hard_share());
        text += &format!("step: median {median:.2} ms, 99th percentile {p99:.2} ms, longest {most:.2} ms\n");
        text += &format!("awake: {:.1} of {} bodies in the mean\n", self.awake, self.bodies);
        text += &format!(
            "landings: {} on pads, {} in all: {:.2} a player and minute\n",
            self.landings[0],
            self.landings[1],
            self.landings[1] as f64 / minutes.max(1e-9)
        );
        text += &format!("cargo: {} dropped, {} became pads\n", self.dropped[0], self.dropped[1]);
        text += &format!("put elsewhere: {}\n", self.unstuck);
        let checked = if game.check { "by the exact test" } else { "not checked" };
        text +=
            &format!("interpenetrations: {} ({checked}); stuck: {}\n", self.interpenetrations, self.stuck);
        text + &format!("hash: {}\n", self.hash)
    }
}
