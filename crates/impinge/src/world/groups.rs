//! Groups of bodies of a step: what is near the way of what.

use super::Handle;
use super::World;
use super::track::{Meeting, Track};
use crate::broad_phase::Pair;
use impinge_core::transform::Motion;

/// The tracks of all bodies that have to do with a step.
pub(super) struct Tracks<'w> {
    /// By the indices of the bodies.
    tracks: Vec<Option<Track<'w>>>,
    /// The numbers of the moves, by the indices of the bodies.
    numbers: Vec<Option<usize>>,
    movers: Vec<u32>,
}

/// Bodies of which none comes near the way of one outside of the group.
pub(super) struct GroupPlan {
    /// The indices of the bodies, in order.
    pub(super) bodies: Vec<u32>,
    /// Pairs of them, by their places in the list, with when they meet if nothing else happens.
    pub(super) pairs: Vec<([usize; 2], Option<Meeting>)>,
}

impl<'w> Tracks<'w> {
    /// The tracks of bodies that are to move and of those near their ways.
    pub(super) fn new(world: &'w World, moves: &[(Handle, Motion)], pairs: &[Pair]) -> Tracks<'w> {
        let count = world.broad.boxes().id_limit() as usize;
        let (mut tracks, mut numbers) = ((0..count).map(|_| None).collect::<Vec<_>>(), vec![None; count]);
        for (number, (handle, motion)) in moves.iter().enumerate() {
            let index = handle.index;
            numbers[index as usize] = Some(number);
            tracks[index as usize] = Some(Track::moving(index, world.body(index).placed(), motion));
        }
        for index in pairs.iter().flat_map(|pair| pair.ids()) {
            let track = &mut tracks[index as usize];
            if track.is_none() {
                *track = Some(Track::resting(index, world.body(index).placed()));
            }
        }
        let mut movers: Vec<u32> = moves.iter().map(|(handle, _)| handle.index).collect();
        movers.sort_unstable();
        Tracks { tracks, numbers, movers }
    }

    pub(super) fn of(&self, index: u32) -> &Track<'w> {
        self.tracks[index as usize].as_ref().expect("pairs are of bodies with tracks")
    }

    pub(super) fn number_of(&self, index: u32) -> Option<usize> {
        self.numbers[index as usize]
    }

    /// The groups, in the order of their first bodies that are to move; others may be in several.
    pub(super) fn groups(&self, pairs: &[Pair], meetings: Vec<Option<Meeting>>) -> Vec<GroupPlan> {
        let mut parents: Vec<u32> = (0..self.tracks.len() as u32).collect();
        for pair in pairs {
            if pair.ids().iter().all(|index| self.number_of(*index).is_some()) {
                let [a, b] = pair.ids().map(|index| root(&mut parents, index));
                // The lesser is the root.
                parents[a.max(b) as usize] = a.min(b);
            }
        }
        let mut group_of = vec![usize::MAX; self.tracks.len()];
        let mut groups: Vec<GroupPlan> = Vec::new();
        for &mover in &self.movers {
            let root = root(&mut parents, mover) as usize;
            if group_of[root] == usize::MAX {
                group_of[root] = groups.len();
                groups.push(GroupPlan { bodies: Vec::new(), pairs: Vec::new() });
            }
            groups[group_of[root]].bodies.push(mover);
        }
        let mut of_groups: Vec<Vec<(Pair, Option<Meeting>)>> = groups.iter().map(|_| Vec::new()).collect();
        for (pair, meeting) in pairs.iter().zip(meetings) {
            let [a, b] = pair.ids();
            let mover = if self.number_of(a).is_some() { a } else { b };
            let group = group_of[root(&mut parents, mover) as usize];
            groups[group].bodies.extend([a, b]);
            of_groups[group].push((*pair, meeting));
        }
        for (group, pairs) in groups.iter_mut().zip(of_groups) {
            group.bodies.sort_unstable();
            group.bodies.dedup();
            let place =
                |index: u32| group.bodies.binary_search(&index).expect("bodies of pairs are in the list");
            let placed = pairs.into_iter().map(|(pair, meeting)| (pair.ids().map(place), meeting));
            group.pairs = placed.collect();
        }
        groups
    }
}

fn root(parents: &mut [u32], mut index: u32) -> u32 {
    while parents[index as usize] != index {
        parents[index as usize] = parents[parents[index as usize] as usize];
        index = parents[index as usize];
    }
    index
}
