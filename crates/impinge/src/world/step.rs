//! Steps of a world: many bodies move, and contacts that began and ended are reported.

use std::collections::BTreeSet;

use super::carry::AllMoves;
use super::filter::{FilterStage, Statistics, decide};
use super::groups::{GroupPlan, Tracks};
use super::moves::{Move, Solved};
use super::simultaneous::{Group, Solution};
use super::travel::Travel;
use super::{Call, Handle, StepOptions, World, WorldError, grown};
use crate::broad_phase::Pair;
use impinge_core::parallel;
use impinge_core::transform::Motion;

/// Two bodies in contact: no farther apart than [`contact_distance`](super::WorldOptions::contact_distance), or one of them in a
/// sensor.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Contact {
    /// The bodies, the lesser first.
    pub bodies: [Handle; 2],
    /// Whether one of them is a sensor.
    pub is_sensed: bool,
    /// The user's numbers of the two when the contact began or ended, in the same order.
    pub data: [u64; 2],
}

/// The result of a step. Lists are sorted.
#[derive(Clone, Debug, Default, PartialEq)]
#[non_exhaustive]
pub struct Step {
    /// The moves, in the order in which they were asked for.
    pub moves: Vec<Move>,
    /// The moves of other bodies that kinematic ones carried or pushed, sorted by their handles.
    pub carried: Vec<Move>,
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
    /// Moves bodies, all over the same time, each until it meets another; then finds contacts that began and ended, and lets what rests fall asleep.
    ///
    /// What meets stops at that moment, and the rest goes on. Of two bodies that meet, the one stops that comes nearer to the other by its own motion, or both
    /// do. Time of the step is from 0 to 1; a translation followed by a turn takes half of it for each. A body that is to move wakes up, even if it does
    /// not get on. The answer does not depend on the order of the list.
    ///
    /// [Kinematic](super::Kind::Kinematic) bodies carry what stood on them after the last step, and push what is in their way as far as that has room; else they stop.
    ///
    /// ```
    /// use std::sync::Arc;
    /// use impinge::world::{Body, World};
    /// use impinge::{Model, Motion, Trs, shapes};
    ///
    /// let mut world = World::new();
    /// let cube = Arc::new(Model::new(shapes::cuboid([-0.5; 3], [0.5; 3])?));
    /// let left = world.insert(Body::moving(Arc::clone(&cube), Trs::translation([-2.0, 0.0, 0.0])?))?;
    /// let right = world.insert(Body::moving(cube, Trs::translation([2.0, 0.0, 0.0])?))?;
    /// let step = world.step(&[
    ///     (left, Motion::translation([4.0, 0.0, 0.0])?),
    ///     (right, Motion::translation([-2.0, 0.0, 0.0])?),
    /// ])?;
    /// // They are 3 apart, and come nearer by 6: both stop after half of the time.
    /// for made in &step.moves {
    ///     assert!((made.fraction - 0.5).abs() < 1e-9);
    ///     assert_eq!(made.segments.len(), 1);
    /// }
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[doc(alias = "simulate")]
    pub fn step(&mut self, moves: &[(Handle, Motion)]) -> Result<Step, WorldError> {
        self.note(|| Call::Step(moves.to_vec()));
        self.step_quietly(moves, &StepOptions::default())
    }

    /// Makes a [`step`](Self::step) with given options, such as bodies that slide along what they meet.
    pub fn step_with(
        &mut self,
        moves: &[(Handle, Motion)],
        options: &StepOptions,
    ) -> Result<Step, WorldError> {
        self.note(|| Call::StepWith(moves.to_vec(), *options));
        self.step_quietly(moves, options)
    }

    fn step_quietly(
        &mut self,
        moves: &[(Handle, Motion)],
        options: &StepOptions,
    ) -> Result<Step, WorldError> {
        let mut movers = BTreeSet::new();
        for &(handle, _) in moves {
            if !movers.insert(self.index_of_moving(handle)?) {
                return Err(WorldError::MovedTwice { handle });
            }
        }
        self.steps += 1;
        self.sort_boxes();
        let all = self.with_passengers(moves, options);
        movers.extend(all.moves.iter().map(|(handle, _)| handle.index));
        self.widen(&all, &movers, options)?;
        let pairs = self.pairs_of(&all.moves);
        // Who has nobody near its way is asked nothing.
        self.prepare_fresh(pairs.iter().flat_map(|pair| pair.ids()));
        let asked = moves.len();
        let mut moves = self.move_all(&all, &pairs, options);
        let mut carried = moves.split_off(asked);
        carried.retain(|made| !made.segments.is_empty() || made.lift.is_some());
        carried.sort_by_key(|made| made.handle);
        let (began, ended) = self.find_contacts();
        let asleep = self.fall_asleep();
        self.changed.clear();
        self.bodies.settle();
        Ok(Step { moves, carried, began, ended, asleep })
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
        let data = [a, b].map(|index| self.bodies.get(index).map_or(0, super::Body::data));
        Contact { bodies: [a, b].map(|index| self.bodies.handle(index)), is_sensed, data }
    }

    /// Gives those who move a box around their way, and the others their own box again, and finds all pairs of boxes.
    fn widen(
        &mut self,
        all: &AllMoves,
        movers: &BTreeSet<u32>,
        options: &StepOptions,
    ) -> Result<(), WorldError> {
        let margin = self.margin();
        for index in std::mem::take(&mut self.wide) {
            if !movers.contains(&index) {
                let bounds = self.body(index).bounds(margin);
                self.broad.move_to(index, bounds)?;
            }
        }
        for (handle, motion) in &all.moves {
            let placed = self.body(handle.index).placed();
            let mut bounds = Travel::new(placed, motion).bounds;
            let pushed = all.reaches.get(&handle.index).copied().unwrap_or(0.0);
            if options.planes > 0 || pushed > 0.0 {
                // Deflected, it goes anywhere, and no farther.
                bounds = bounds.merge(grown(placed.bounds(), motion.by().length() * (1.0 + 1e-9)));
                bounds = grown(bounds, pushed);
            }
            self.broad.move_to(handle.index, grown(bounds, margin))?;
            self.wide.insert(handle.index);
        }
        self.broad.step();
        Ok(())
    }

    /// The pairs of solid bodies of which one moves and whose ways are near each other, in order.
    fn pairs_of(&self, moves: &[(Handle, Motion)]) -> Vec<Pair> {
        let mut is_mover = vec![false; self.broad.boxes().id_limit() as usize];
        for (handle, _) in moves {
            is_mover[handle.index as usize] = true;
        }
        let moves = |pair: &&Pair| pair.ids().into_iter().any(|index| is_mover[index as usize]);
        let pairs = self.broad.last_step().pairs.iter();
        pairs.filter(moves).filter(|pair| self.are_solid(pair.ids())).copied().collect()
    }

    /// Works out the moves of all bodies, and makes them. Groups of bodies whose ways are not near each other are worked out on all cores.
    fn move_all(
        &mut self,
        AllMoves { moves, reaches }: &AllMoves,
        pairs: &[Pair],
        options: &StepOptions,
    ) -> Vec<Move> {
        let world = &*self;
        let tracks = Tracks::new(world, moves, pairs);
        let met = for_all(world.options.parallel, pairs, |pair| {
            let mut statistics = Statistics::with_clock(world.statistics.clock());
            let both = pair.ids().map(|index| tracks.of(index));
            let (mut meeting, divider) = world.meeting_of(both, 0.0, &mut statistics);
            if both.iter().all(|track| !track.is_active()) {
                meeting = world.overlap_at_rest(both);
            }
            (meeting, divider, statistics)
        });
        let (mut meetings, mut dividers) = (Vec::with_capacity(pairs.len()), Vec::new());
        let mut statistics = Statistics::with_clock(world.statistics.clock());
        for (meeting, divider, counted) in met {
            meetings.push(meeting);
            dividers.extend(divider);
            statistics.add(&counted);
        }
        let groups = tracks.groups(pairs, meetings);
        let solutions = for_all(world.options.parallel, &groups, |group| {
            let GroupPlan { bodies, pairs } = group;
            let of_group = bodies.iter().map(|index| tracks.of(*index).clone()).collect();
            let numbers = bodies.iter().map(|index| tracks.number_of(*index)).collect();
            let reaches = bodies.iter().map(|index| reaches.get(index).copied().unwrap_or(0.0)).collect();
            Group::new(world, of_group, numbers, pairs.clone(), options.planes, reaches).run()
        });
        let mut in_order: Vec<Option<Move>> = (0..moves.len()).map(|_| None).collect();
        for Solution { moves, statistics: counted } in solutions {
            statistics.add(&counted);
            for (number, made) in moves {
                in_order[number] = Some(made);
            }
        }
        let made: Vec<Move> = in_order.into_iter().flatten().collect();
        let mut rest = Some((statistics, dividers));
        for made in &made {
            let (statistics, dividers) = rest.take().unwrap_or_default();
            self.make_within_box(Solved { made: made.clone(), statistics, dividers });
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
