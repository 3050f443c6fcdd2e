//! What happened in a game, in numbers.

use serde::Serialize;

use super::{Game, SECONDS};
use crate::blow::arena::recorder::Recording;
use crate::blow::game_world::Filter;
use crate::comparison::{Comparison, Place};

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
    /// When, where and against what that was.
    pub stuck_at: Vec<Stuck>,
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
    /// Where bodies were, as far as the game was filmed.
    #[serde(skip)]
    pub film: Recording,
}

/// A player that wanted to move and could have, and did not.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Stuck {
    /// When, in seconds of the game's time.
    pub seconds: f64,
    /// Which player, from 0.
    pub player: usize,
    /// Where it is.
    pub place: [f64; 3],
    /// Where its first axis looks.
    pub ahead: [f64; 3],
    /// What it wants, in meters a second.
    pub wish: [f64; 3],
    /// What it is about: fly, land, rest or take off.
    pub plan: &'static str,
    /// How far it wanted to come while it was judged.
    pub wished: f64,
    /// How far it came at most.
    pub came: f64,
    /// What it hit while it was judged.
    pub met: Vec<Met>,
}

/// What a player hit.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Met {
    /// What: a part of the landscape, or one of the others.
    pub what: &'static str,
    /// The number of its body in the world.
    pub body: u32,
    /// In how many steps.
    pub times: u32,
    /// The normal at the last time, from the player to it.
    pub normal: Option<[f64; 3]>,
}

impl Report {
    /// The share of pair decisions that the exact test made, of those that came past the broad phase.
    pub fn hard_share(&self) -> f64 {
        let decided = |name: &str| {
            let filters = self.filters.iter().filter(|filter| filter.name == name);
            filters.map(|filter| filter.decided).sum::<u64>() as f64
        };
        let all: u64 = self.filters.iter().map(|filter| filter.decided).sum();
        decided("hard case") / (all as f64 - (decided("broad phase") + decided("grid"))).max(1.0)
    }

    /// The paper's claim beside what was played.
    pub fn comparisons(&self) -> Vec<Comparison> {
        let place = Place { paper: "Blow 1997", place: "Abstract" };
        let Report { game, step_ms: [median, p99, most], .. } = self;
        let what = format!(
            "{} players and {} objects, {} steps of 1/60 s, {}: time a step",
            game.players,
            game.objects,
            self.steps,
            game.method.name()
        );
        let measured = format!(
            "median {median:.2} ms, 99th percentile {p99:.2} ms, longest {most:.2} ms; {} interpenetrations",
            self.interpenetrations
        );
        let why = "A step has 16.7 ms. Programs play.";
        vec![place.compare(what, "32 players and hundreds of objects in real time", measured, why)]
    }

    /// The tables for the terminal.
    pub fn table(&self) -> String {
        let Report { game, step_ms: [median, p99, most], .. } = self;
        let minutes = self.steps as f64 * SECONDS / 60.0 * game.players as f64;
        let mut text = format!(
            "{} players, {} objects, {} steps of 1/60 s, seed {}, {}\n\n",
            game.players,
            game.objects,
            self.steps,
            game.seed,
            game.method.name()
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
        for stuck in &self.stuck_at {
            text += &stuck.line();
        }
        text + &format!("hash: {}\n", self.hash)
    }
}

impl Stuck {
    /// One line for the terminal.
    fn line(&self) -> String {
        let numbers = |numbers: [f64; 3]| numbers.map(|number| format!("{number:.3}")).join(", ");
        let met: Vec<String> = self
            .met
            .iter()
            .map(|met| {
                let normal =
                    met.normal.map_or(String::new(), |normal| format!(" towards ({})", numbers(normal)));
                format!("{} {} {} times{normal}", met.what, met.body, met.times)
            })
            .collect();
        format!(
            "  at {:.2} s player {} at ({}) wants to {} by ({}): came {:.4} of {:.2}; hit {}\n",
            self.seconds,
            self.player,
            numbers(self.place),
            self.plan,
            numbers(self.wish),
            self.came,
            self.wished,
            if met.is_empty() { "nothing".to_owned() } else { met.join(", ") }
        )
    }
}
