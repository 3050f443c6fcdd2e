//! Groups of bodies of a step: what is near the way of what. Groups in which nothing meets are moved at once; the others are worked out.

use super::Handle;
use super::World;
use super::moves::{Move, tidied};
use super::near::{NearPair, Travels, has_one_phase};
use super::segment::Segment;
use super::track::{Outlook, Track};
use crate::query::{SweepStatus, turns};
use impinge_core::math::{DAffine3, DVec3};
use impinge_core::transform::{Motion, Placement};

/// No track, or no move.
const NONE: u32 = u32::MAX;

/// The tracks of all bodies that have to do with a step.
pub(super) struct Tracks<'w> {
    world: &'w World,
    moves: &'w [(Handle, Motion)],
    tracks: Vec<Track<'w>>,
    /// The places of tracks, by the indices of the bodies.
    places: Vec<u32>,
    /// The numbers of the moves, by the indices of the bodies.
    numbers: Vec<u32>,
}

/// Bodies of which none comes near the way of one outside of the group.
pub(super) struct GroupPlan {
    /// The indices of the bodies, in order.
    pub(super) bodies: Vec<u32>,
    /// Pairs of them, by their places in the list, with what they do if nothing else happens.
    pub(super) pairs: Vec<([usize; 2], Outlook)>,
}

impl<'w> Tracks<'w> {
    /// The tracks of bodies that are to move, none of them begun yet.
    pub(super) fn new(world: &'w World, moves: &'w [(Handle, Motion)]) -> Tracks<'w> {
        let count = world.broad.boxes().id_limit() as usize;
        let mut numbers = vec![NONE; count];
        for (number, (handle, _)) in (0..).zip(moves) {
            numbers[handle.index as usize] = number;
        }
        Tracks { world, moves, tracks: Vec::new(), places: vec![NONE; count], numbers }
    }

    /// Begins the tracks of bodies.
    pub(super) fn begin(&mut self, indices: impl Iterator<Item = u32>) {
        for index in indices {
            if self.places[index as usize] == NONE {
                self.places[index as usize] = self.tracks.len() as u32;
                let body = self.world.body(index);
                self.tracks.push(match self.number_of(index) {
                    Some(number) => Track::moving(index, body, &self.moves[number].1),
                    None => Track::resting(index, body),
                });
            }
        }
    }

    pub(super) fn of(&self, index: u32) -> &Track<'w> {
        &self.tracks[self.places[index as usize] as usize]
    }

    pub(super) fn number_of(&self, index: u32) -> Option<usize> {
        let number = self.numbers[index as usize];
        (number != NONE).then_some(number as usize)
    }

    /// Moves the bodies of groups in which nothing meets and all is proven, and begins the tracks of the others, which are returned in groups: in the order
    /// of their first moves. A body that is not to move may be in several. The moves of the others are left to be replaced.
    pub(super) fn move_quiet(
        &mut self,
        near: &[NearPair],
        outlooks: Vec<Outlook>,
        travels: &Travels,
        made: &mut Vec<Move>,
    ) -> Vec<GroupPlan> {
        let mut parents: Vec<u32> = (0..self.moves.len() as u32).collect();
        let mut is_swept = vec![false; self.moves.len()];
        for near in near {
            let numbers = near.pair.ids().map(|index| self.number_of(index));
            if near.gap.is_none() {
                numbers.into_iter().flatten().for_each(|number| is_swept[number] = true);
            }
            if let [Some(a), Some(b)] = numbers {
                let [a, b] = [a, b].map(|number| root(&mut parents, number as u32));
                // The lesser is the root.
                parents[a.max(b) as usize] = a.min(b);
            }
        }
        let mover = |near: &NearPair| {
            let [a, b] = near.pair.ids().map(|index| self.number_of(index));
            a.or(b).expect("one of the two is to move") as u32
        };
        let mut is_busy = vec![false; self.moves.len()];
        for (near, outlook) in near.iter().zip(&outlooks) {
            if !outlook.is_proven {
                is_busy[root(&mut parents, mover(near)) as usize] = true;
            }
        }
        for (number, is_swept) in is_swept.into_iter().enumerate() {
            let group = root(&mut parents, number as u32) as usize;
            let whole = if is_busy[group] { None } else { self.whole_move(number, is_swept, travels) };
            is_busy[group] = whole.is_none();
            made.push(whole.unwrap_or_else(|| self.no_move(number)));
        }
        let mut group_of = vec![NONE; self.moves.len()];
        let mut groups: Vec<GroupPlan> = Vec::new();
        for number in 0..self.moves.len() {
            let root = root(&mut parents, number as u32) as usize;
            if is_busy[root] {
                if group_of[root] == NONE {
                    group_of[root] = groups.len() as u32;
                    groups.push(GroupPlan { bodies: Vec::new(), pairs: Vec::new() });
                }
                groups[group_of[root] as usize].bodies.push(self.moves[number].0.index);
            }
        }
        if groups.is_empty() {
            return groups;
        }
        let mut of_groups: Vec<Vec<([u32; 2], Outlook)>> = groups.iter().map(|_| Vec::new()).collect();
        for (near, outlook) in near.iter().zip(outlooks) {
            let group = group_of[root(&mut parents, mover(near)) as usize];
            if group != NONE {
                groups[group as usize].bodies.extend(near.pair.ids());
                of_groups[group as usize].push((near.pair.ids(), outlook));
            }
        }
        for (group, pairs) in groups.iter_mut().zip(of_groups) {
            group.bodies.sort_unstable();
            group.bodies.dedup();
            let place =
                |index: u32| group.bodies.binary_search(&index).expect("bodies of pairs are in the list");
            group.pairs = pairs.into_iter().map(|(ids, outlook)| (ids.map(place), outlook)).collect();
        }
        self.begin(groups.iter().flat_map(|group| group.bodies.iter().copied()));
        groups
    }

    /// The move of a body that meets nothing. None where it is not simply to be made: it has two phases, leads out of the range of placements, or its end has
    /// to be tidied and tested.
    fn whole_move(&self, number: usize, is_swept: bool, travels: &Travels) -> Option<Move> {
        let (handle, motion) = self.moves[number];
        let body = self.world.body(handle.index);
        let start = *body.placement();
        let is_moving = motion.by() != DVec3::ZERO || turns(&motion);
        let (mut placement, mut segments) = (start, Vec::new());
        if is_moving {
            let segment = has_one_phase(&motion).then(|| Segment::new(start, motion, 0.0, 1.0))?;
            let end = match travels.of(handle.index).end() {
                Some(end) => Placement::try_from(*end).ok()?,
                None => segment.placement_at(1.0)?,
            };
            let mut is_tidy = true;
            placement = tidied(&start, end, |tidy| {
                // Filters have shown all others to be farther away than the skin.
                let maps = [&end, tidy].map(Placement::world_from_model);
                is_tidy = !is_swept && displacement(maps, body.model().reach()) <= self.world.skin / 4.0;
                is_tidy
            });
            if !is_tidy {
                return None;
            }
            // One place and no more: most bodies make one.
            segments = vec![segment];
        }
        Some(moved(handle, placement, segments))
    }

    /// The move of a body that stays where it is.
    fn no_move(&self, number: usize) -> Move {
        let handle = self.moves[number].0;
        moved(handle, *self.world.body(handle.index).placement(), Vec::new())
    }
}

/// The move of a body that meets nothing.
fn moved(handle: Handle, placement: Placement, segments: Vec<Segment>) -> Move {
    let (status, hits) = (SweepStatus::Clear, Vec::new());
    Move { handle, status, fraction: 1.0, placement, hits, lift: None, wedged: false, segments }
}

/// An upper bound of how far a point is from where another map takes it, if none of its coordinates is larger than `reach`.
fn displacement([a, b]: [&DAffine3; 2], reach: f64) -> f64 {
    let columns = [
        a.matrix3.x_axis - b.matrix3.x_axis,
        a.matrix3.y_axis - b.matrix3.y_axis,
        a.matrix3.z_axis - b.matrix3.z_axis,
    ];
    columns.map(DVec3::length).iter().sum::<f64>() * reach + (a.translation - b.translation).length()
}

fn root(parents: &mut [u32], mut index: u32) -> u32 {
    while parents[index as usize] != index {
        parents[index as usize] = parents[parents[index as usize] as usize];
        index = parents[index as usize];
    }
    index
}
