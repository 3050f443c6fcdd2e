//! Steps of a world: many bodies move, and contacts that began and ended are reported.

use std::collections::BTreeSet;

use super::filter::{FilterStage, Statistics, decide};
use super::moves::{Move, Solved};
use super::travel::Travel;
use super::{Call, Handle, World, WorldError, grown};
use crate::broad_phase::Pair;
use impinge_core::parallel;
use impinge_core::transform::{Motion, Placement};

/// Two bodies in contact: no farther apart than [`contact_distance`](super::WorldOptions::contact_distance), or one of them in a
/// sensor.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Contact {
    /// The bodies, the lesser first.
    pub bodies: [Handle; 2],
    /// Whether one of them is a sensor.
    pub is_sensed: bool,
}

/// The result of a step. Lists are sorted.
#[derive(Clone, Debug, Default, PartialEq)]
#[non_exhaustive]
pub struct Step {
    /// The moves, in the order in which they were asked for.
    pub moves: Vec<Move>,
    /// Contacts that were not there after the step before.
    pub began: Vec<Contact>,
    /// Contacts that are no more.
    pub ended: Vec<Contact>,
    /// Bodies that fell asleep.
    pub asleep: Vec<Handle>,
}

/// The nearness of two bodies: apart, near or in contact.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Nearness {
    /// Volumes around them are apart: nothing of them touches.
    Apart,
    /// Their surfaces are apart, but one may be inside of the other.
    Near,
    /// The bodies are in contact.
    Contact,
}

impl World {
    /// Moves bodies as [`try_move`](Self::try_move) would, one after the other in the order given, but on all cores; then finds
    /// contacts that began and ended, and lets what rests fall asleep. A body that is to move wakes up, even if it does not get on.
    /// Bodies whose paths do not come near each other are moved at the same time, which changes nothing.
    pub fn step(&mut self, moves: &[(Handle, Motion)]) -> Result<Step, WorldError> {
        self.note(|| Call::Step(moves.to_vec()));
        let mut movers = BTreeSet::new();
        for &(handle, _) in moves {
            if !movers.insert(self.index_of_moving(handle)?) {
                return Err(WorldError::MovedTwice { handle });
            }
        }
        self.steps += 1;
        self.widen(moves, &movers)?;
        let groups = self.groups(moves);
        // Who has nobody near its way is asked nothing.
        let in_the_way = groups.iter().flatten().filter(|(_, near)| !near.is_empty());
        let movers_and_others = in_the_way
            .flat_map(|(number, near)| near.iter().copied().chain(std::iter::once(moves[*number].0.index)));
        self.prepare_fresh(movers_and_others);
        let moves = self.move_groups(moves, &groups);
        let (began, ended) = self.find_contacts();
        let asleep = self.fall_asleep();
        self.changed.clear();
        self.bodies.settle();
        Ok(Step { moves, began, ended, asleep })
    }

    /// All contacts, as of the last step.
    pub fn contacts(&self) -> Vec<Contact> {
        let pairs = self
            .touching
            .iter()
            .flat_map(|(&a, others)| others.iter().filter(move |&&b| a < b).map(move |&b| Pair::new(a, b)));
        pairs.map(|pair| self.contact(pair)).collect()
    }

    /// The bodies in contact with a body, as of the last step.
    pub fn contacts_of(&self, handle: Handle) -> Result<Vec<Handle>, WorldError> {
        let index = self.bodies.index_of(handle)?;
        let others = self.touching.get(&index).into_iter().flatten();
        Ok(others.map(|&other| self.bodies.handle(other)).collect())
    }

    fn contact(&self, pair: Pair) -> Contact {
        let [a, b] = pair.ids();
        let is_sensed =
            [a, b].iter().any(|&index| self.bodies.get(index).is_some_and(|body| !body.is_solid()));
        Contact { bodies: [a, b].map(|index| self.bodies.handle(index)), is_sensed }
    }

    /// Gives those who move a box around their way, and the others their own box again, and finds all pairs of boxes.
    fn widen(&mut self, moves: &[(Handle, Motion)], movers: &BTreeSet<u32>) -> Result<(), WorldError> {
        let margin = self.margin();
        for index in std::mem::take(&mut self.wide) {
            if !movers.contains(&index) {
                let bounds = self.body(index).bounds(margin);
                self.broad.move_to(index, bounds)?;
            }
        }
        for (handle, motion) in moves {
            let bounds = Travel::new(self.body(handle.index).placed(), motion).bounds;
            self.broad.move_to(handle.index, grown(bounds, margin))?;
            self.wide.insert(handle.index);
        }
        self.broad.step();
        Ok(())
    }

    /// Moves that have to be made one after the other, each with what is near its way.
    fn groups(&self, moves: &[(Handle, Motion)]) -> Vec<Vec<(usize, Vec<u32>)>> {
        let mut number_of = vec![None; self.broad.boxes().id_limit() as usize];
        for (number, (handle, _)) in moves.iter().enumerate() {
            number_of[handle.index as usize] = Some(number);
        }
        let mut near: Vec<Vec<u32>> = vec![Vec::new(); moves.len()];
        let mut parents: Vec<usize> = (0..moves.len()).collect();
        fn root(parents: &mut [usize], mut number: usize) -> usize {
            while parents[number] != number {
                parents[number] = parents[parents[number]];
                number = parents[number];
            }
            number
        }
        for pair in self.broad.last_step().pairs {
            let [a, b] = pair.ids();
            let numbers = [a, b].map(|index| number_of[index as usize]);
            if numbers == [None; 2] || !self.are_solid([a, b]) {
                continue;
            }
            for (number, other) in [(numbers[0], b), (numbers[1], a)] {
                if let Some(number) = number {
                    near[number].push(other);
                }
            }
            if let [Some(one), Some(other)] = numbers {
                let roots = [root(&mut parents, one), root(&mut parents, other)];
                // The lesser is the root, so that groups come in the order of their first moves.
                parents[roots[0].max(roots[1])] = roots[0].min(roots[1]);
            }
        }
        let mut groups: Vec<Vec<(usize, Vec<u32>)>> = vec![Vec::new(); moves.len()];
        for (number, mut near) in near.into_iter().enumerate() {
            near.sort_unstable();
            groups[root(&mut parents, number)].push((number, near));
        }
        groups.retain(|group| !group.is_empty());
        groups
    }

    /// Works out all groups and makes their moves.
    fn move_groups(&mut self, moves: &[(Handle, Motion)], groups: &[Vec<(usize, Vec<u32>)>]) -> Vec<Move> {
        let world = &*self;
        let solved = for_all(world.options.parallel, groups, |group| {
            // Where those of the group are that have moved already.
            let mut moved: Vec<(u32, Placement)> = Vec::new();
            let mut solved = Vec::with_capacity(group.len());
            for (number, near) in group {
                let (handle, motion) = &moves[*number];
                let at = |other: u32| {
                    let already = moved.iter().find(|(index, _)| *index == other);
                    already.map_or(world.body(other).placement, |(_, place)| *place)
                };
                let next = world.solve(handle.index, motion, near, at);
                moved.push((handle.index, next.made.placement));
                solved.push((*number, next));
            }
            solved
        });
        let mut in_order: Vec<Option<Solved>> = (0..moves.len()).map(|_| None).collect();
        for (number, solved) in solved.into_iter().flatten() {
            in_order[number] = Some(solved);
        }
        let mut made = Vec::with_capacity(moves.len());
        for solved in in_order.into_iter().flatten() {
            made.push(solved.made.clone());
            self.make_within_box(solved);
        }
        made
    }

    /// Finds who touches those that changed, and what that began and ended.
    fn find_contacts(&mut self) -> (Vec<Contact>, Vec<Contact>) {
        let world = &*self;
        // By index: sets of that many would take longer than the tests.
        let bodies = world.broad.boxes().id_limit() as usize;
        let (mut is_changed, mut is_near) = (vec![false; bodies], vec![false; bodies]);
        for &index in &world.changed {
            is_changed[index as usize] = true;
        }
        let pairs: Vec<Pair> = world
            .broad
            .last_step()
            .pairs
            .iter()
            .filter(|pair| pair.ids().into_iter().any(|index| is_changed[index as usize]))
            .filter(|pair| world.may_meet(pair.ids()))
            .copied()
            .collect();
        self.prepare_fresh(pairs.iter().flat_map(|pair| pair.ids()));
        let world = &*self;
        let answers = for_all(world.options.parallel, &pairs, |pair| world.nearness(*pair));
        // Sorted, as the pairs are.
        let mut now: Vec<Pair> = Vec::new();
        let mut statistics = Statistics::with_clock(world.statistics.clock());
        for (pair, (nearness, counted)) in pairs.iter().zip(answers) {
            statistics.add(&counted);
            if nearness == Nearness::Contact {
                now.push(*pair);
            }
            if nearness != Nearness::Apart {
                pair.ids().into_iter().for_each(|index| is_near[index as usize] = true);
            }
        }
        let mut before: Vec<Pair> = world
            .changed
            .iter()
            .flat_map(|&a| world.touching.get(&a).into_iter().flatten().map(move |&b| Pair::new(a, b)))
            .collect();
        before.sort_unstable();
        before.dedup();
        let [new, over] = [difference(&now, &before), difference(&before, &now)];
        let began: Vec<Contact> = new.iter().map(|pair| self.contact(*pair)).collect();
        let mut ended: Vec<Contact> = over.iter().map(|pair| self.contact(*pair)).collect();
        for pair in over {
            self.part(pair);
        }
        for pair in new {
            let [a, b] = pair.ids();
            self.touching.entry(a).or_default().insert(b);
            self.touching.entry(b).or_default().insert(a);
        }
        ended.append(&mut self.left);
        ended.sort_unstable();
        // Who has nobody near overlaps nobody.
        self.unseen.retain(|&index| is_near[index as usize] || !is_changed[index as usize]);
        self.statistics.add(&statistics);
        (began, ended)
    }

    /// The nearness of two bodies: apart, near or in contact.
    fn nearness(&self, pair: Pair) -> (Nearness, Statistics) {
        let mut statistics = Statistics::with_clock(self.statistics.clock());
        let [a, b] = pair.ids().map(|index| self.body(index));
        let margin = if a.is_solid() && b.is_solid() { self.options.contact_distance } else { 0.0 };
        let travels = [Travel::resting(a.placed()), Travel::resting(b.placed())];
        if !grown(travels[0].bounds, margin).overlaps(&travels[1].bounds) {
            statistics.left_out(1);
            return (Nearness::Apart, statistics);
        }
        let remembered = self.dividers.get(&pair).copied();
        let decision =
            decide(&self.options.chain, [&travels[0], &travels[1]], margin, remembered, &mut statistics);
        if decision.are_apart {
            return (Nearness::Apart, statistics);
        }
        let mut is_contact = false;
        statistics.record(FilterStage::Hard, || {
            let [a, b] = [travels[0].placed, travels[1].placed];
            is_contact = if margin > 0.0 { a.is_within(&b, margin) } else { a.intersects(&b) };
            true
        });
        (if is_contact { Nearness::Contact } else { Nearness::Near }, statistics)
    }

    /// Notes that two bodies touch no more.
    fn part(&mut self, pair: Pair) {
        let [a, b] = pair.ids();
        for (one, other) in [(a, b), (b, a)] {
            if let Some(others) = self.touching.get_mut(&one) {
                others.remove(&other);
                if others.is_empty() {
                    self.touching.remove(&one);
                }
            }
        }
    }

    /// Ends the contacts of a body that leaves, which the next step reports.
    pub(super) fn leave(&mut self, index: u32) {
        let others: Vec<u32> = self.touching.get(&index).into_iter().flatten().copied().collect();
        for other in others {
            let pair = Pair::new(index, other);
            let contact = self.contact(pair);
            self.left.push(contact);
            self.part(pair);
        }
    }
}

/// The pairs in the first list and not in the second; both are sorted.
fn difference(first: &[Pair], second: &[Pair]) -> Vec<Pair> {
    first.iter().copied().filter(|pair| second.binary_search(pair).is_err()).collect()
}

/// An answer for each, in their order, on all cores where that is built in and wanted.
fn for_all<T: Sync, R: Send>(parallel: bool, items: &[T], answer: impl Fn(&T) -> R + Send + Sync) -> Vec<R> {
    if parallel { parallel::map(items, answer) } else { items.iter().map(answer).collect() }
}
