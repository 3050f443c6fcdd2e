//! The scripted run: a hovertank drops a box, the box becomes a repair pad, the tank lands in it and flies away.

use std::collections::BTreeMap;
use std::sync::Arc;

use impinge::Verdict;
use impinge::math::DVec3;
use impinge::world::{Body, FilterChain, Handle, Move, World, WorldOptions};
use impinge::{Model, Motion, Trs};
use serde::Serialize;

use crate::blow::arena::dynamics::{self, Moving};
use crate::blow::arena::landscape::Landscape;
use crate::blow::arena::{ArenaError, Filter, Models, filters_of};
use crate::blow::bsp_test;

/// How the run is made.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Way {
    /// How it is called.
    pub name: &'static str,
    /// Steps a second.
    pub rate: f64,
    /// The paper's search for the time of impact, down to this fraction of a step; sweeps where there is none.
    pub bisection: Option<f64>,
    /// Which filters are asked.
    #[serde(skip)]
    pub chain: FilterChain,
    /// Whether the exact test of bodies that stand still goes by the planes of their faces, as in the paper.
    #[serde(skip)]
    pub by_planes: bool,
}

/// What a run took.
#[derive(Clone, Debug, Serialize)]
pub struct Run {
    /// How it was made.
    pub way: Way,
    /// What the stages did.
    pub filters: Vec<Filter>,
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

/// The ways that are compared: with sweeps, as the paper did, and with its two discarded filters.
pub fn ways() -> [Way; 4] {
    let sweeps =
        Way { name: "sweeps", rate: 30.0, bisection: None, chain: FilterChain::default(), by_planes: false };
    let bisection = Way {
        name: "bisection and planes, as the paper",
        bisection: Some(1.0 / 64.0),
        by_planes: true,
        ..sweeps
    };
    [
        sweeps,
        Way { name: "sweeps without filters", chain: FilterChain::NONE, ..sweeps },
        bisection,
        Way { name: "the same with the discarded filters", chain: FilterChain::ALL, ..bisection },
    ]
}

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
    world: World,
    landscape: Landscape,
    models: Models,
    tank: Handle,
    /// The box, then the pad.
    object: Option<Handle>,
    is_pad: bool,
    moving: BTreeMap<Handle, Moving>,
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

/// Plays the script.
fn play(way: Way) -> Result<Run, ArenaError> {
    let options = WorldOptions::new().chain(way.chain).contact_distance(0.01).margin(1e-4).parallel(false);
    let mut world = World::with_options(options);
    world.set_clock(Some(crate::stopwatch::nanoseconds));
    let landscape = Landscape::new(3, 240.0);
    let models = Models::new()?;
    let mut all = vec![models.tank.clone(), models.pad.clone(), models.cargo.clone()];
    for tile in landscape.tiles()? {
        let tile = Arc::new(Model::new(tile));
        world.insert(Body::fixed(tile.clone(), Trs::IDENTITY))?;
        all.push(tile);
    }
    if way.by_planes {
        world.set_exact_test(Some(bsp_test(all)));
    }
    let start = DVec3::new(-70.0, 0.0, landscape.height(-70.0, 0.0) + HEIGHT);
    let tank = world.insert(Body::moving(models.tank.clone(), Trs::translation(start)?))?;
    let run = Run {
        way,
        filters: Vec::new(),
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
    stage.run.filters = filters_of(stage.world.statistics());
    stage.run.hash = format!("{:016x}", stage.world.hash());
    Ok(stage.run)
}

impl Stage {
    fn step(&mut self, act: Act) -> Result<Act, ArenaError> {
        let seconds = 1.0 / self.way.rate;
        let next = self.fly(act, seconds)?;
        if let Some(object) = self.object
            && !self.world.get(object)?.is_asleep()
            && let Some(motion) = dynamics::motion(&self.world, &mut self.moving, object, seconds)?
        {
            let made = self.go(object, &motion)?;
            dynamics::answer(&self.world, &mut self.moving, &made)?;
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

    fn go(&mut self, handle: Handle, motion: &Motion) -> Result<Move, ArenaError> {
        Ok(match self.way.bisection {
            None => self.world.try_move(handle, motion)?,
            Some(resolution) => self.world.bisect_move(handle, motion, resolution)?,
        })
    }

    fn place(&self, handle: Handle) -> Result<DVec3, ArenaError> {
        Ok(self.world.get(handle)?.placement().world_from_model().translation)
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
                let rests = self.is_pad
                    && self.object.is_some_and(|pad| self.world.get(pad).is_ok_and(Body::is_asleep));
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
        let made = self.go(self.tank, &Motion::translation(velocity * seconds)?)?;
        Ok(if act == Act::Descend && made.fraction < 1.0 { Act::Stand(0) } else { next })
    }

    fn enter(&mut self, place: DVec3, is_pad: bool) -> Result<(), ArenaError> {
        let model = if is_pad { &self.models.pad } else { &self.models.cargo };
        let handle = self.world.insert(Body::moving(model.clone(), Trs::translation(place)?))?;
        self.moving.insert(handle, Moving::new(model));
        (self.object, self.is_pad) = (Some(handle), is_pad);
        Ok(())
    }

    fn drop(&mut self, place: DVec3) -> Result<(), ArenaError> {
        self.enter(place - DVec3::Z * 3.5, false)
    }

    fn deploy(&mut self, cargo: Handle) -> Result<(), ArenaError> {
        let place = self.place(cargo)?;
        self.world.remove(cargo)?;
        self.enter(place + DVec3::Z * 1.5, true)
    }

    /// All pairs but those of the landscape, by the exact test.
    fn check(&mut self) {
        for handle in self.world.awake() {
            let Ok(body) = self.world.get(handle) else { continue };
            let placed = body.placed();
            for other in self.world.meeting(&placed, |other, _| other != handle) {
                let Ok(other) = self.world.get(other) else { continue };
                let verdict = placed.verdict(&other.placed());
                self.run.interpenetrations +=
                    u64::from(matches!(verdict, Verdict::Overlapping | Verdict::Inside(_)));
            }
        }
    }
}

/// The paper's table: cases that each test handled, and microseconds a case.
pub const PAPER: [(&str, u64, &str); 4] = [
    ("bounding spheres", 3800, "tiny"),
    ("bounding box safety", 1911, "26.13"),
    ("plane divides entities", 93, "231.94"),
    ("hard case", 842, "450.98"),
];

/// The tables for the terminal: polygons before and after the cuts, the filters of each run beside the paper's, then ways to closest
/// features.
pub fn table(cuts: &[super::CutRow], runs: &[Run], closest: &[super::ClosestRow]) -> String {
    let mut text = format!("{:<16}{:>10}{:>10}{:>16}\n", "entity", "polygons", "after", "after in paper");
    for row in cuts {
        text += &format!("{:<16}{:>10}{:>10}{:>16}\n", row.entity, row.before, row.after, row.after_in_paper);
    }
    for run in runs {
        text += &format!(
            "\n{}: {} steps, the pad rests after {:.1} s, the tank stands on it for {:.1} s, {} interpenetrations\n",
            run.way.name, run.steps, run.asleep_at, run.landed, run.interpenetrations
        );
        let header = ["filter", "came", "decided", "share", "mean us", "in paper", "us in paper"];
        let [first, rest @ ..] = header;
        text += &format!("{first:<24}");
        for word in rest {
            text += &format!("{word:>13}");
        }
        text += "\n";
        let all: u64 = run.filters.iter().map(|filter| filter.decided).sum();
        for filter in &run.filters {
            let paper = PAPER.iter().find(|(name, ..)| *name == filter.name);
            let (count, time) =
                paper.map_or(("-".to_owned(), "-"), |(_, count, time)| (count.to_string(), time));
            text += &format!(
                "{:<24}{:>13}{:>13}{:>11.1} %{:>13.2}{count:>13}{time:>13}\n",
                filter.name,
                filter.asked,
                filter.decided,
                100.0 * filter.decided as f64 / all.max(1) as f64,
                filter.mean_ns / 1000.0,
            );
        }
    }
    text += &format!("\n{:<48}{:>12}\n", "time of impact by halving, tank on pad", "mean us");
    for row in closest {
        text += &format!("{:<48}{:>12.2}\n", row.name, row.mean_us);
    }
    text
}

/// The same as a file.
pub fn csv(runs: &[Run]) -> String {
    let mut text = String::from("way,filter,came,decided,mean_ns\n");
    for run in runs {
        for filter in &run.filters {
            let Filter { name, asked, decided, mean_ns } = filter;
            text += &format!("{},{name},{asked},{decided},{mean_ns:.1}\n", run.way.name.replace(',', ";"));
        }
    }
    text
}
