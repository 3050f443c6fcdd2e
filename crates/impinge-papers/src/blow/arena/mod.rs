//! Blow 1997's game server without a network: players fly hovertanks over a landscape, drop cargo, land on repair pads and take off again.

mod agent;
mod audit;
mod cargo;
pub(crate) mod dynamics;
mod error;
pub(crate) mod landscape;
mod models;
mod recorder;
mod report;
mod setup;

pub use error::ArenaError;
pub use models::Role;
pub(crate) use models::{Models, triangles};
pub use recorder::{Actor, Recording};
pub use report::{Met, Report, Stuck};

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use impinge::math::{DMat3, DVec3};
use impinge::shapes::Random;
use impinge::world::WorldOptions;
use impinge::{Model, Motion, Trs};
use serde::Serialize;

use crate::blow::SweptWorld;
pub use crate::blow::game_world::Filter;
use crate::blow::game_world::{Entity, GameError, GameWorld, Stepped};
use crate::blow::published::{PublishedOptions, PublishedWorld};
use crate::stopwatch::Stopwatch;
use agent::{Agent, Orders};
use dynamics::Moving;
use landscape::Landscape;

/// Steps a second.
pub const RATE: f64 = 60.0;
const SECONDS: f64 = 1.0 / RATE;

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
    /// For how many seconds from the start places are kept, for a [`Recording`]; 0 for none.
    pub film: f64,
    /// How collisions are detected.
    #[serde(skip)]
    pub method: Method,
}

/// How a game detects collisions.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Method {
    /// By the library's world: moves are sweeps.
    Swept(WorldOptions),
    /// By the system of the paper: grid, filters, BSP trees, bisection.
    Published(PublishedOptions),
}

impl Method {
    /// The library's world with the distances of a game.
    pub fn swept() -> WorldOptions {
        WorldOptions::new().parallel(false).contact_distance(0.01).margin(1e-4)
    }

    /// An empty world.
    pub fn world(self) -> Box<dyn GameWorld> {
        match self {
            Method::Swept(options) => Box::new(SweptWorld::new(options)),
            Method::Published(options) => Box::new(PublishedWorld::new(options)),
        }
    }

    /// In a few words.
    pub fn name(self) -> &'static str {
        match self {
            Method::Swept(_) => "sweeps",
            Method::Published(_) => "as published",
        }
    }
}

impl Default for Game {
    /// The paper's: 32 players and hundreds of objects.
    fn default() -> Game {
        let method = Method::Swept(Method::swept());
        Game { players: 32, objects: 500, seconds: 60.0, seed: 1, check: true, film: 0.0, method }
    }
}

/// A game that is being played.
pub struct Arena {
    game: Game,
    world: Box<dyn GameWorld>,
    /// The tiles of the landscape.
    ground: BTreeSet<Entity>,
    landscape: Landscape,
    models: Models,
    /// All bodies but the landscape.
    roles: BTreeMap<Entity, Role>,
    moving: BTreeMap<Entity, Moving>,
    pilots: Vec<Agent>,
    /// What was dropped, the oldest first.
    dropped: Vec<Entity>,
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
        let mut world = game.method.world();
        let tiles = landscape.tiles()?.into_iter();
        let ground = tiles
            .map(|tile| world.insert(Arc::new(Model::new(tile)), Trs::IDENTITY.into(), true))
            .collect::<Result<BTreeSet<Entity>, GameError>>()?;
        let models = Models::new()?;
        let film = if game.film > 0.0 { Recording::new(&landscape, &models)? } else { Recording::default() };
        let report = Report {
            game,
            steps: 0,
            bodies: 0,
            interpenetrations: 0,
            stuck: 0,
            stuck_at: Vec::new(),
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
            models,
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

    fn enter(&mut self, role: Role, at: Trs) -> Result<Entity, ArenaError> {
        let model = self.models.of(role).clone();
        let moving = Moving::new(&model);
        let handle = self.world.insert(model, at.into(), false)?;
        self.roles.insert(handle, role);
        self.moving.insert(handle, moving);
        Ok(handle)
    }

    fn leave(&mut self, handle: Entity) -> Result<(), ArenaError> {
        self.world.remove(handle)?;
        self.roles.remove(&handle);
        self.moving.remove(&handle);
        Ok(())
    }

    /// Plays to the end. `tick` is called after every step.
    pub fn play(mut self, mut tick: impl FnMut()) -> Result<Report, ArenaError> {
        let steps = (self.game.seconds * RATE).round() as usize;
        if self.game.film > 0.0 {
            self.take_picture();
        }
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
        let players: Vec<Entity> = self.pilots.iter().map(|pilot| pilot.handle).collect();
        let mut awake = self.world.awake();
        awake.retain(|handle| !players.contains(handle));
        self.awake += (awake.len() + players.len()) as u64;
        for handle in awake {
            let motion = dynamics::motion(self.world.as_ref(), &mut self.moving, handle, SECONDS)?;
            moves.extend(motion.map(|motion| (handle, motion)));
        }
        let done = self.world.step(&moves)?;
        self.answer(&done)?;
        self.times.push(watch.nanoseconds() / 1e6);
        self.report.steps += 1;
        if self.game.check {
            self.check();
        }
        if self.game.film > 0.0 {
            self.take_picture();
        }
        Ok(())
    }

    /// What a pilot does in this step, and how its tank moves.
    fn fly(&mut self, number: usize) -> Result<Option<(Entity, Motion)>, ArenaError> {
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
        let ahead = self.world.placed(pilot.handle)?.placement().world_from_model().matrix3.x_axis;
        let turn = pilot.turn(ahead, SECONDS);
        let motion =
            if turn == 0.0 { Motion::translation(by)? } else { Motion::rigid(by, place, DVec3::Z, turn)? };
        Ok(Some((pilot.handle, motion)))
    }

    fn place_of(&self, handle: Entity) -> Result<DVec3, ArenaError> {
        Ok(self.world.placed(handle)?.placement().world_from_model().translation)
    }

    /// Pads that stand upright.
    fn pads(&self) -> Vec<(Entity, DVec3)> {
        let upright = |matrix: DMat3| matrix.z_axis.z > 0.9;
        let pads = self.roles.iter().filter(|(_, role)| **role == Role::Pad);
        pads.filter_map(|(handle, _)| {
            let map = *self.world.placed(*handle).ok()?.placement().world_from_model();
            let is_asleep = self.world.is_asleep(*handle).ok()?;
            (is_asleep && upright(map.matrix3)).then_some((*handle, map.translation))
        })
        .collect()
    }

    /// What follows from what was hit.
    fn answer(&mut self, done: &Stepped) -> Result<(), ArenaError> {
        for made in &done.moves {
            if let Some(number) = self.pilots.iter().position(|pilot| pilot.handle == made.entity) {
                let place = made.placement.world_from_model().translation;
                let landed = self.pilots[number].answer(made, place, &mut self.random);
                if let Some(on) = landed {
                    let on_pad = self.roles.get(&on) == Some(&Role::Pad);
                    self.report.landings[0] += u64::from(on_pad);
                    self.report.landings[1] += 1;
                }
                self.judge(number)?;
                if made.started_overlapping {
                    self.free(made.entity)?;
                }
                continue;
            }
            dynamics::answer(self.world.as_ref(), &mut self.moving, made)?;
            if self.roles.get(&made.entity) == Some(&Role::Cargo)
                && made.hits.iter().any(|hit| self.ground.contains(&hit.other))
            {
                self.deploy(made.entity)?;
            }
        }
        Ok(())
    }

    fn free(&mut self, handle: Entity) -> Result<(), ArenaError> {
        self.report.unstuck += 1;
        self.world.resolve_overlap(handle, 50.0)?;
        Ok(())
    }

    fn finish(mut self) -> Report {
        self.times.sort_by(f64::total_cmp);
        let at = |share: f64| {
            let place = ((self.times.len() as f64 - 1.0) * share).round() as usize;
            self.times.get(place).copied().unwrap_or(0.0)
        };
        self.report.step_ms = [at(0.5), at(0.99), at(1.0)];
        self.report.bodies = self.world.count();
        self.report.awake = self.awake as f64 / self.report.steps.max(1) as f64;
        self.report.hash = format!("{:016x}", self.world.hash());
        self.report.filters = self.world.filters();
        self.report
    }
}
