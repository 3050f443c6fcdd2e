//! Pairs of a step that filters leave, and what is known of the others: most pairs whose boxes overlap never come near each other.

use super::carry::AllMoves;
use super::filter::Statistics;
use super::filter::faces::still_side;
use super::track::{FilterAnswer, Outlook, PairWindow, Track};
use super::travel::Travel;
use super::{World, grown};
use crate::broad_phase::Pair;
use crate::query::Known;
use impinge_core::bounds::Aabb;
use impinge_core::math::DVec3;
use impinge_core::transform::Motion;

/// No travel.
const NONE: u32 = u32::MAX;

/// More separating axes than this for each body are not remembered, besides those of pairs that are near each other.
const MOST_DIVIDERS: usize = 16;

/// The ways of the bodies of a step, and of those near them, which stand still.
pub(super) struct Travels {
    travels: Vec<Travel>,
    /// The sizes of the bodies and their motions.
    sizes: Vec<f64>,
    /// The places in the lists, by the indices of bodies.
    places: Vec<u32>,
}

impl Travels {
    /// The ways of bodies that are to move.
    pub(super) fn new(world: &World, AllMoves { moves, .. }: &AllMoves) -> Travels {
        let mut places = vec![NONE; world.broad.boxes().id_limit() as usize];
        let (mut travels, mut sizes) = (Vec::with_capacity(moves.len()), Vec::with_capacity(moves.len()));
        for (handle, motion) in moves {
            places[handle.index as usize] = travels.len() as u32;
            let travel = Travel::new(world.body(handle.index).placed(), motion);
            sizes.push(travel.size(motion));
            travels.push(travel);
        }
        Travels { travels, sizes, places }
    }

    /// Adds bodies that stand still.
    pub(super) fn add_resting(&mut self, world: &World, indices: impl Iterator<Item = u32>) {
        for index in indices {
            if self.places[index as usize] == NONE {
                self.places[index as usize] = self.travels.len() as u32;
                let travel = Travel::resting(world.body(index).placed());
                self.sizes.push(travel.size_at_rest());
                self.travels.push(travel);
            }
        }
    }

    fn place(&self, index: u32) -> usize {
        self.places[index as usize] as usize
    }

    /// The way of a body.
    pub(super) fn of(&self, index: u32) -> &Travel {
        &self.travels[self.place(index)]
    }

    fn size_of(&self, index: u32) -> f64 {
        self.sizes[self.place(index)]
    }

    /// A box around all that a body does, up to where it may be pushed.
    pub(super) fn bounds(
        &self,
        index: u32,
        world: &World,
        motion: &Motion,
        may_slide: bool,
        pushed: f64,
    ) -> Aabb {
        let bounds = self.of(index).bounds;
        if !may_slide && pushed <= 0.0 {
            return bounds;
        }
        // Deflected, it goes anywhere, and no farther.
        let placed = world.body(index).placed();
        grown(bounds.merge(grown(placed.bounds(), motion.by().length() * (1.0 + 1e-9))), pushed)
    }
}

/// A pair of solid bodies, of which one is to move.
pub(super) struct NearPair {
    pub(super) pair: Pair,
    /// The place of the pair in the list of the broad phase.
    pub(super) place: usize,
    /// How far filters show the two to stay apart; none where a sweep has to tell.
    pub(super) gap: Option<f64>,
}

/// What filters found out about pairs and what is worth remembering.
pub(super) struct Nearby {
    /// The pairs, in order.
    pub(super) pairs: Vec<NearPair>,
    /// Separating axes.
    dividers: Vec<(Pair, DVec3)>,
    /// Boxes around ways without faces of others.
    clearings: Vec<KnownClearing>,
}

/// A box into which no face of a body comes as long as that stands still.
#[derive(Clone, Copy)]
pub(super) struct KnownClearing {
    pair: Pair,
    /// The index of the body.
    still: u32,
    clearing: Aabb,
}

impl World {
    /// The pairs of solid bodies of which one moves and whose boxes overlap, in order, as filters leave them.
    pub(super) fn near_pairs(
        &self,
        pairs: &[(usize, Pair)],
        travels: &Travels,
        statistics: &mut Statistics,
    ) -> Nearby {
        let mut found =
            Nearby { pairs: Vec::with_capacity(pairs.len()), dividers: Vec::new(), clearings: Vec::new() };
        let mut known = self.clearings.iter().peekable();
        for &(place, pair) in pairs {
            let ids = pair.ids();
            let placed = ids.map(|index| self.body(index).placed());
            let both = ids.map(|index| travels.of(index));
            while known.next_if(|known| known.pair < pair).is_some() {}
            let clearing = known.peek().filter(|known| known.pair == pair && self.is_still(known, both));
            let FilterAnswer { gap, divider, clearing } = self.gap(
                ids,
                both,
                ids.map(|index| travels.size_of(index)),
                placed.each_ref(),
                self.are_known_free(ids),
                clearing.map(|known| known.clearing),
                statistics,
            );
            found.dividers.extend(divider);
            if let (Some(clearing), Some(side)) = (clearing, still_side(both)) {
                found.clearings.push(KnownClearing { pair, still: ids[side], clearing });
            }
            found.pairs.push(NearPair { pair, place, gap });
        }
        found
    }

    /// Whether the body whose faces stay out of a box is where it was when that was found.
    fn is_still(&self, known: &KnownClearing, travels: [&Travel; 2]) -> bool {
        let still = still_side(travels).map(|side| known.pair.ids()[side]);
        still == Some(known.still) && !self.changed.contains(known.still)
    }

    /// Remembers what filters found, for the next step.
    pub(super) fn remember_nearby(&mut self, nearby: &mut Nearby) {
        self.remember(std::mem::take(&mut nearby.dividers));
        self.clearings = std::mem::take(&mut nearby.clearings);
    }

    /// Forgets boxes without faces of bodies that have moved in a step.
    pub(super) fn forget_clearings(&mut self) {
        let changed = &self.changed;
        self.clearings.retain(|known| !changed.contains(known.still));
    }

    /// What two bodies do that filters do not show to be apart.
    pub(super) fn first_outlook(&self, tracks: [&Track<'_>; 2], statistics: &mut Statistics) -> Outlook {
        let are_known_free = self.are_known_free(tracks.map(|track| track.index));
        if tracks.iter().all(|track| !track.is_active()) {
            if are_known_free {
                return Outlook::PROVEN;
            }
            let meeting = self.overlap_at_rest(tracks);
            let is_proven = meeting.is_none();
            return Outlook { meeting, is_proven, is_apart: false, begins_apart: false };
        }
        let known = Known { are_free: are_known_free, ..Known::NOTHING };
        match PairWindow::new(tracks, 0.0) {
            Ok(window) => self.swept(&window, known, statistics),
            Err(_) => self.meeting_of(tracks, 0.0, known, statistics),
        }
    }
}

impl World {
    /// Remembers separating axes. Those of bodies that have long been apart are of no use: now and then all are forgotten, and found again where they are.
    pub(super) fn remember(&mut self, dividers: Vec<(Pair, DVec3)>) {
        let most = MOST_DIVIDERS * self.bodies.len() + 4 * self.broad.last_step().pairs.len();
        if self.dividers.len() > most {
            self.dividers.clear();
        }
        self.dividers.extend(dividers);
    }
}

/// Whether a motion is made in one go, or is none.
pub(super) fn has_one_phase(motion: &Motion) -> bool {
    motion.turn().is_none() || motion.is_together() || motion.by() == DVec3::ZERO
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::model::Model;
    use crate::shapes;
    use crate::world::{Body, Handle};
    use impinge_core::transform::Trs;

    #[test]
    fn axes_of_bodies_that_have_long_been_apart_are_forgotten() {
        const COUNT: usize = 60;
        let mut world = World::with_options(crate::world::WorldOptions::new().parallel(false));
        // Two rows that slide past each other, and whose boxes overlap.
        let model = Arc::new(Model::new(shapes::octahedron(1.0).expect("a size")));
        let place = |k: usize, row: f64| [2.5 * (k as f64 - COUNT as f64 * row), 1.1 * row, 1.1 * row];
        let body_at = |place| Body::moving(Arc::clone(&model), Trs::translation(place).expect("finite"));
        let bodies: Vec<Handle> = (0..2 * COUNT)
            .map(|k| world.insert(body_at(place(k % COUNT, (k / COUNT) as f64))).expect("there is room"))
            .collect();
        let by = Motion::translation([2.5, 0.0, 0.0]).expect("finite");
        let mut most = 0;
        for _ in 0..2 * COUNT {
            let moves: Vec<(Handle, Motion)> = bodies[COUNT..].iter().map(|body| (*body, by)).collect();
            world.step(&moves).expect("nothing is out of range");
            most = most.max(world.dividers.len());
        }
        // Each has been near each of the other row.
        assert!(most > MOST_DIVIDERS * COUNT && most < COUNT * COUNT * 9 / 10, "{most}");
    }
}
