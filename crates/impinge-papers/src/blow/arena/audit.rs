//! What is looked at after every step: bodies that overlap, and players that do not get on.

use impinge::math::DVec3;
use impinge::query::Verdict;

use super::report::{Met, Stuck};
use super::{Arena, ArenaError, SECONDS};
use crate::blow::game_world::{Entity, Moved};

/// So many steps are judged together: a player that never came farther from where it was at their start than this share of the way
/// that it wished for has stood still. Where it is at their end would not tell: pilots give way now and then, and may come back
/// by chance.
const WINDOW: u32 = 60;
const STILL_SHARE: f64 = 0.01;

/// The steps of a player that are judged together.
#[derive(Clone, Debug)]
pub(super) struct Window {
    steps: u32,
    /// Where it was at the start.
    from: DVec3,
    /// How far it has wished to come since, and how far it came at most.
    wished: f64,
    came: f64,
    /// What it hit, how often, and the last normal.
    met: Vec<(Entity, u32, Option<DVec3>)>,
}

impl Window {
    pub(super) fn new(from: DVec3) -> Window {
        Window { steps: 0, from, wished: 0.0, came: 0.0, met: Vec::new() }
    }

    /// Takes in a step.
    pub(super) fn add(&mut self, made: &Moved, wished: f64, place: DVec3) {
        self.steps += 1;
        self.wished += wished;
        self.came = self.came.max(place.distance(self.from));
        for hit in &made.hits {
            let normal = hit.features.first().map(|feature| feature.normal);
            match self.met.iter_mut().find(|(other, ..)| *other == hit.other) {
                Some((_, times, last)) => (*times, *last) = (*times + 1, normal),
                None => self.met.push((hit.other, 1, normal)),
            }
        }
    }
}

impl Arena {
    /// Notes a player that has hardly moved though it wished to and could have, for as long as that is judged.
    pub(super) fn judge(&mut self, number: usize) -> Result<(), ArenaError> {
        let pilot = &mut self.pilots[number];
        if pilot.window.steps < WINDOW {
            return Ok(());
        }
        let map = *self.world.placed(pilot.handle)?.placement().world_from_model();
        let window = std::mem::replace(&mut pilot.window, Window::new(map.translation));
        if window.came >= STILL_SHARE * window.wished || !self.could_move(number)? {
            return Ok(());
        }
        let met = window.met.iter().map(|&(other, times, normal)| Met {
            what: self.roles.get(&other).map_or("landscape", |role| role.name()),
            body: other.index(),
            times,
            normal: normal.map(|normal| normal.to_array()),
        });
        let pilot = &self.pilots[number];
        let stuck = Stuck {
            seconds: (self.report.steps + 1) as f64 * SECONDS,
            player: number,
            place: map.translation.to_array(),
            ahead: map.matrix3.x_axis.to_array(),
            wish: pilot.velocity.to_array(),
            plan: pilot.plan(),
            wished: window.wished,
            came: window.came,
            met: met.collect(),
        };
        self.report.stuck += 1;
        self.report.stuck_at.push(stuck);
        Ok(())
    }

    /// Whether a place near by, more or less along the wish of a pilot, is free by the exact test.
    fn could_move(&self, number: usize) -> Result<bool, ArenaError> {
        let pilot = &self.pilots[number];
        let wish = pilot.velocity.normalize_or_zero();
        let body = self.world.placed(pilot.handle)?;
        let (first, second) = wish.any_orthonormal_pair();
        for aside in [0.0, 0.2, 0.5, 1.0, 2.0] {
            for way in [first, -first, second, -second] {
                let mut map = *body.placement().world_from_model();
                map.translation += (wish + aside * way).normalize_or_zero() * 0.5;
                let placed = body.model().try_at(map)?;
                if self.world.meeting(&placed, Some(pilot.handle)).is_empty() {
                    return Ok(true);
                }
            }
        }
        Ok(false)
    }

    /// How many others a body overlaps, by the exact test.
    pub(super) fn overlapped(&self, handle: Entity) -> u64 {
        let Ok(placed) = self.world.placed(handle) else { return 0 };
        let overlaps = |other: &Entity| {
            let verdict = self.world.placed(*other).map(|other| placed.verdict(&other));
            matches!(verdict, Ok(Verdict::Overlapping | Verdict::Inside(_)))
        };
        let met = self.world.meeting(&placed, Some(handle));
        met.iter().filter(|other| overlaps(other)).count() as u64
    }

    /// Every body that is awake against every other that is near, by the exact test alone.
    pub(super) fn check(&mut self) {
        self.report.interpenetrations +=
            self.world.awake().into_iter().map(|handle| self.overlapped(handle)).sum::<u64>();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::blow::arena::Game;

    /// A game with one player in the air, which has wished to come ten meters in its steps.
    fn judged(steps: u32, came: f64) -> Arena {
        let game = Game { players: 1, objects: 0, ..Game::default() };
        let mut arena = Arena::new(game).expect("a game");
        let pilot = &mut arena.pilots[0];
        pilot.velocity = DVec3::X;
        let met = vec![(pilot.handle, 3, Some(DVec3::Z))];
        pilot.window = Window { steps, from: DVec3::ZERO, wished: 10.0, came, met };
        arena.judge(0).expect("a body that is there");
        arena
    }

    #[test]
    fn who_hardly_moves_is_told_of_and_who_comes_back_is_not() {
        let stuck = judged(WINDOW, 0.09).report;
        assert_eq!((stuck.stuck, stuck.stuck_at.len()), (1, 1));
        assert_eq!((stuck.stuck_at[0].came, stuck.stuck_at[0].met[0].times), (0.09, 3));
        let line = "wants to take off by (1.000, 0.000, 0.000): came 0.0900 of 10.00; hit player";
        assert!(stuck.table().contains(line), "{}", stuck.table());
        for arena in [judged(WINDOW, 0.11), judged(WINDOW - 1, 0.0)] {
            assert_eq!((arena.report.stuck, arena.report.stuck_at.len()), (0, 0));
        }
    }
}
