//! What pairs of bodies did in the last step: bodies that rest are pressed together anew in every step, in the same places and by the same motions, and the
//! answer is the same. A group of bodies of which all did so, and stayed where they were, is not worked out at all.

use std::sync::Arc;

use super::carry::AllMoves;
use super::groups::Tracks;
use super::moves::Move;
use super::track::Outlook;
use super::{Handle, StepOptions, World};
use crate::broad_phase::Pair;
use impinge_core::math::{DAffine3, DVec3};
use impinge_core::transform::{Motion, Placement};

/// The outlooks of pairs in the last step that were swept, in the order of the pairs.
#[derive(Clone, Default)]
pub(super) struct KeptOutlooks {
    kept: Vec<KeptOutlook>,
    /// Groups that the last step left where they were, by the least body of each that was to move.
    at_rest: Vec<Arc<GroupAtRest>>,
}

/// All that the moves of a group of bodies follow from.
#[derive(PartialEq)]
pub(super) struct GroupState {
    /// The bodies, in order.
    bodies: Vec<(u32, OfBody)>,
    options: StepOptions,
}

/// A group of bodies that a step left where they were, and their moves.
pub(super) struct GroupAtRest {
    state: GroupState,
    moves: Vec<Move>,
}

impl GroupState {
    /// The least body that is to move.
    fn key(&self) -> Option<u32> {
        self.bodies.iter().find(|(_, of_body)| of_body.motion.is_some()).map(|(index, _)| *index)
    }
}

impl GroupAtRest {
    /// The moves of a group, if they leave all bodies where they are.
    pub(super) fn new(world: &World, state: GroupState, moves: &[(usize, Move)]) -> Option<GroupAtRest> {
        let is_at_rest = |made: &Move| made.placement == world.body(made.handle.index).placement;
        moves.iter().all(|(_, made)| is_at_rest(made)).then(|| {
            let moves = moves.iter().map(|(_, made)| made.clone()).collect();
            GroupAtRest { state, moves }
        })
    }

    /// The moves that were made.
    pub(super) fn moves(&self) -> &[Move] {
        &self.moves
    }
}

/// The outlook of a pair, and all that it follows from.
#[derive(Clone)]
pub(super) struct KeptOutlook {
    pair: Pair,
    of_bodies: [OfBody; 2],
    are_known_free: bool,
    outlook: Outlook,
}

#[derive(Clone, Copy)]
struct OfBody {
    placement: Placement,
    motion: Option<Motion>,
}

impl PartialEq for OfBody {
    fn eq(&self, other: &OfBody) -> bool {
        self.is_same_as(other)
    }
}

impl OfBody {
    fn is_same_as(&self, other: &OfBody) -> bool {
        let maps = [self, other].map(|of_body| of_body.placement.world_from_model());
        have_same_bits(maps)
            && match (&self.motion, &other.motion) {
                (None, None) => true,
                (Some(one), Some(other)) => are_same_motions(one, other),
                _ => false,
            }
    }
}

fn bits(vector: DVec3) -> [u64; 3] {
    vector.to_array().map(f64::to_bits)
}

fn have_same_bits([a, b]: [&DAffine3; 2]) -> bool {
    let columns = |map: &DAffine3| {
        [map.translation, map.matrix3.x_axis, map.matrix3.y_axis, map.matrix3.z_axis].map(bits)
    };
    columns(a) == columns(b)
}

fn are_same_motions(a: &Motion, b: &Motion) -> bool {
    let turn = |motion: &Motion| {
        motion.turn().map(|turn| (bits(turn.center), bits(turn.axis), turn.degrees.to_bits()))
    };
    bits(a.by()) == bits(b.by()) && a.is_together() == b.is_together() && turn(a) == turn(b)
}

impl KeptOutlooks {
    /// Forgets all: something has changed that outlooks follow from.
    pub(super) fn clear(&mut self) {
        self.kept.clear();
        self.at_rest.clear();
    }

    /// Replaces what was kept.
    pub(super) fn replace(&mut self, kept: Vec<KeptOutlook>, mut at_rest: Vec<Arc<GroupAtRest>>) {
        self.kept = kept;
        at_rest.sort_unstable_by_key(|group| group.state.key());
        self.at_rest = at_rest;
    }

    /// A group that was in the same state in the last step, and stayed there.
    pub(super) fn at_rest(&self, state: &GroupState) -> Option<&Arc<GroupAtRest>> {
        let place = self.at_rest.binary_search_by_key(&state.key(), |group| group.state.key()).ok()?;
        self.at_rest.get(place).filter(|group| group.state == *state)
    }
}

impl World {
    /// All that the outlook of each pair follows from, and the outlook where it was the same in the last step. The pairs are in order.
    pub(super) fn recall(
        &self,
        pairs: impl Iterator<Item = Pair>,
        tracks: &Tracks<'_>,
        moves: &[(Handle, Motion)],
    ) -> Vec<(KeptOutlook, bool)> {
        let mut kept = self.kept.kept.iter().peekable();
        let recall = |pair: Pair| {
            let of_bodies = pair.ids().map(|index| self.of_body(index, tracks, moves));
            let are_known_free = self.are_known_free(pair.ids());
            while kept.next_if(|kept| kept.pair < pair).is_some() {}
            let known = kept.peek().filter(|kept| {
                kept.pair == pair
                    && kept.are_known_free == are_known_free
                    && (0..2).all(|side| kept.of_bodies[side].is_same_as(&of_bodies[side]))
            });
            let outlook = known.map_or(Outlook::PROVEN, |kept| kept.outlook.clone());
            (KeptOutlook { pair, of_bodies, are_known_free, outlook }, known.is_some())
        };
        pairs.map(recall).collect()
    }

    /// All that the moves of a group follow from. None where they follow from more: what may overlap is followed no farther, nor what is pushed.
    pub(super) fn group_state(
        &self,
        bodies: &[u32],
        tracks: &Tracks<'_>,
        AllMoves { moves, reaches }: &AllMoves,
        options: &StepOptions,
    ) -> Option<GroupState> {
        let is_plain = |index: &u32| !self.unseen.contains(*index) && !reaches.contains_key(index);
        if !self.crushed.is_empty() || !bodies.iter().all(is_plain) {
            return None;
        }
        let of_body = |index: &u32| (*index, self.of_body(*index, tracks, moves));
        Some(GroupState { bodies: bodies.iter().map(of_body).collect(), options: *options })
    }

    fn of_body(&self, index: u32, tracks: &Tracks<'_>, moves: &[(Handle, Motion)]) -> OfBody {
        OfBody {
            placement: *self.body(index).placement(),
            motion: tracks.number_of(index).map(|number| moves[number].1),
        }
    }
}

impl KeptOutlook {
    /// The outlook, where it was known or has been found.
    pub(super) fn outlook(&self) -> &Outlook {
        &self.outlook
    }

    pub(super) fn set(&mut self, outlook: Outlook) {
        self.outlook = outlook;
    }

    pub(super) fn pair(&self) -> Pair {
        self.pair
    }
}
