//! The scripted run: a hovertank drops a box, the box becomes a repair pad, the tank lands in it and flies away.

use std::collections::BTreeMap;
use std::sync::Arc;

use impinge::Verdict;
use impinge::math::DVec3;
use impinge::world::FilterChain;
use impinge::{Model, Motion, Trs};
use serde::Serialize;

use crate::blow::arena::dynamics::{self, Moving};
use crate::blow::arena::landscape::Landscape;
use crate::blow::arena::{ArenaError, Filter, Method, Models};
use crate::blow::game_world::{Entity, GameWorld, MoreCounts, Moved};
use crate::blow::published::{Chain, PublishedOptions};

/// How the run is made.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Way {
    /// How it is called.
    pub name: &'static str,
    /// Steps a second.
    pub rate: f64,
    /// How collisions are detected.
    #[serde(skip)]
    pub method: Method,
}

/// What a run took.
#[derive(Clone, Debug, Serialize)]
pub struct Run {
    /// How it was made.
    pub way: Way,
    /// What the stages did.
    pub filters: Vec<Filter>,
    /// What the published system counts besides.
    pub more: Option<MoreCounts>,
    /// Steps.
    pub steps: usize,
    /// How long the tank stood on the pad, in seconds.
    pub landed: f64,
    /// After how many seconds the pad fell asleep.
    pub asleep_at: f64,
    /// Pairs that overlapped after a step, by the exact test.
    pub interpenetrations: u64,
    /// Where everything is at the end, in one number.
    pub hash: String,
}

/// The ways that are compared: the system of the paper, with the two filters that it took out again and with none, then the library's sweeps.
pub fn ways() -> [Way; 5] {
    let published = |name, chain| {
        let options = PublishedOptions { chain, ..PublishedOptions::default() };
        Way { name, rate: RATE, method: Method::Published(options) }
    };
    let swept = |name, chain| {
        let options = Method::swept().chain(chain);
        Way { name, rate: RATE, method: Method::Swept(options) }
    };
    [
        published("as published", Chain::PAPER),
        published("as published, with the discarded filters", Chain::ALL),
        published("as published, without filters", Chain::NONE),
        swept("sweeps", FilterChain::default()),
        swept("sweeps without filters", FilterChain::NONE),
    ]
}

/// Steps a second, and the widths of squares, for which the counts of the published system are compared.
const RATES: [f64; 3] = [15.0, 30.0, 60.0];
const SQUARES: [f64; 3] = [10.0, 20.0, 40.0];

/// The published system at other rates and with other squares.
pub fn variations() -> Vec<Way> {
    let all = RATES.into_iter().flat_map(|rate| SQUARES.map(|square| (rate, square)));
    let way = |(rate, square): (f64, f64)| {
        let options = PublishedOptions { square, ..PublishedOptions::default() };
        Way { name: "as published", rate, method: Method::Published(options) }
    };
    all.map(way).collect()
}

/// Steps a second, where nothing else is said.
const RATE: f64 = 30.0;
const HEIGHT: f64 = 12.0;
/// How often the script is played.
const PLAYS: usize = 5;

/// Where the tank is in the script.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Act {
    Come,
    Turn,
    Wait,
    Return,
    Descend,
    Stand(usize),
    Climb,
    Leave,
    End,
}

struct Stage {
    way: Way,
    world: Box<dyn GameWorld>,
    landscape: Landscape,
    models: Models,
    tank: Entity,
    /// The box, then the pad.
    object: Option<Entity>,
    is_pad: bool,
    moving: BTreeMap<Entity, Moving>,
    run: Run,
}

/// Plays the script a few times, which differ in time alone; told is the least for each filter, as the first play is slow with whatever
/// the machine does for the first time.
pub fn run(way: Way) -> Result<Run, ArenaError> {
    let mut best = play(way)?;
    for _ in 1..PLAYS {
        let again = play(way)?;
        for (filter, other) in best.filters.iter_mut().zip(&again.filters) {
            filter.mean_ns = filter.mean_ns.min(other.mean_ns);
        }
    }
    Ok(best)
}

/// Plays the script once.
pub fn play(way: Way) -> Result<Run, ArenaError> {
    let mut world = way.method.world();
    let landscape = Landscape::new(3, 240.0);
    let models = Models::new()?;
    for tile in landscape.tiles()? {
        world.insert(Arc::new(Model::new(tile)), Trs::IDENTITY.into(), true)?;
    }
    let start = DVec3::new(-70.0, 0.0, landscape.height(-70.0, 0.0) + HEIGHT);
    let tank = world.insert(models.tank.clone(), Trs::translation(start)?.into(), false)?;
    let run = Run {
        way,
        filters: Vec::new(),
        more: None,
        steps: 0,
        landed: 0.0,
        asleep_at: 0.0,
        interpenetrations: 0,
        hash: String::new(),
    };
    let mut stage = Stage {
        way,
        world,
        landscape,
        models,
        tank,
        object: None,
        is_pad: false,
        moving: BTreeMap::new(),
        run,
    };
    let mut act = Act::Come;
    while act != Act::End && stage.run.steps < 100_000 {
        act = stage.step(act)?;
    }
    stage.run.filters = stage.world.filters();
    stage.run.more = stage.world.more_counts();
    stage.run.hash = format!("{:016x}", stage.world.hash());
    Ok(stage.run)
}

impl Stage {
    fn step(&mut self, act: Act) -> Result<Act, ArenaError> {
        let seconds = 1.0 / self.way.rate;
        let next = self.fly(act, seconds)?;
        if let Some(object) = self.object
            && !self.world.is_asleep(object)?
            && let Some(motion) = dynamics::motion(self.world.as_ref(), &mut self.moving, object, seconds)?
        {
            let made = self.world.try_move(object, &motion)?;
            dynamics::answer(self.world.as_ref(), &mut self.moving, &made)?;
            if !self.is_pad && made.fraction < 1.0 {
                self.deploy(object)?;
            }
        }
        let asleep = self.world.step(&[])?.asleep;
        self.run.steps += 1;
        if self.is_pad && self.object.is_some_and(|pad| asleep.contains(&pad)) {
            self.run.asleep_at = self.run.steps as f64 * seconds;
        }
        self.check();
        Ok(next)
    }

    fn place(&self, handle: Entity) -> Result<DVec3, ArenaError> {
        Ok(self.world.placed(handle)?.placement().world_from_model().translation)
    }

    fn fly(&mut self, act: Act, seconds: f64) -> Result<Act, ArenaError> {
        let place = self.place(self.tank)?;
        let ground = self.landscape.height(place.x, place.y);
        let pad = match self.object {
            Some(object) => self.place(object)?,
            None => DVec3::ZERO,
        };
        let up = (ground + HEIGHT - place.z).clamp(-5.0, 5.0);
        let towards = |goal: DVec3| {
            let level = (2.0 * (goal - place).truncate()).clamp_length_max(15.0);
            DVec3::new(level.x, level.y, up)
        };
        let is_at = |goal: DVec3| (goal - place).truncate().length() < 0.3;
        let (velocity, next) = match act {
            Act::Come if is_at(DVec3::ZERO) => {
                self.drop(place)?;
                (DVec3::ZERO, Act::Turn)
            }
            Act::Come => (towards(DVec3::ZERO), act),
            Act::Turn if is_at(DVec3::X * 40.0) => (DVec3::ZERO, Act::Wait),
            Act::Turn => (towards(DVec3::X * 40.0), act),
            Act::Wait => {
                let rests =
                    self.is_pad && self.object.is_some_and(|pad| self.world.is_asleep(pad) == Ok(true));
                (DVec3::ZERO, if rests { Act::Return } else { act })
            }
            Act::Return if is_at(pad) => (DVec3::ZERO, Act::Descend),
            Act::Return => (towards(pad), act),
            Act::Descend => (DVec3::NEG_Z * 3.0, act),
            Act::Stand(steps) if steps as f64 * seconds > 1.0 => (DVec3::ZERO, Act::Climb),
            Act::Stand(steps) => {
                self.run.landed += seconds;
                (DVec3::NEG_Z * 0.1, Act::Stand(steps + 1))
            }
            Act::Climb if place.z > ground + HEIGHT => (DVec3::ZERO, Act::Leave),
            Act::Climb => (DVec3::Z * 5.0, act),
            Act::Leave if is_at(DVec3::X * -70.0) => (DVec3::ZERO, Act::End),
            Act::Leave => (towards(DVec3::X * -70.0), act),
            Act::End => (DVec3::ZERO, act),
        };
        if velocity == DVec3::ZERO {
            return Ok(next);
        }
        let made: Moved = self.world.try_move(self.tank, &Motion::translation(velocity * seconds)?)?;
        Ok(if act == Act::Descend && made.fraction < 1.0 { Act::Stand(0) } else { next })
    }

    fn enter(&mut self, place: DVec3, is_pad: bool) -> Result<(), ArenaError> {
        let model = if is_pad { &self.models.pad } else { &self.models.cargo };
        let handle = self.world.insert(model.clone(), Trs::translation(place)?.into(), false)?;
        self.moving.insert(handle, Moving::new(model));
        (self.object, self.is_pad) = (Some(handle), is_pad);
        Ok(())
    }

    fn drop(&mut self, place: DVec3) -> Result<(), ArenaError> {
        self.enter(place - DVec3::Z * 3.5, false)
    }

    fn deploy(&mut self, cargo: Entity) -> Result<(), ArenaError> {
        let place = self.place(cargo)?;
        self.world.remove(cargo)?;
        self.enter(place + DVec3::Z * 1.5, true)
    }

    /// All pairs of a body that is awake with any other, by the exact test.
    fn check(&mut self) {
        for handle in self.world.awake() {
            let Ok(placed) = self.world.placed(handle) else { continue };
            for other in self.world.meeting(&placed, Some(handle)) {
                let Ok(other) = self.world.placed(other) else { continue };
                let verdict = placed.verdict(&other);
                self.run.interpenetrations +=
                    u64::from(matches!(verdict, Verdict::Overlapping | Verdict::Inside(_)));
            }
        }
    }
}
