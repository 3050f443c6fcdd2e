//! Steps of a world: many bodies move, and contacts that began and ended are reported.

use std::sync::Arc;

use super::carry::AllMoves;
use super::crush::Crushed;
use super::filter::{FilterStage, Statistics, Ways, decide};
use super::groups::{GroupPlan, Tracks};
use super::index_set::IndexSet;
use super::kept::GroupAtRest;
use super::moves::Move;
use super::near::{NearPair, Travels};
use super::simultaneous::{Group, Solution};
use super::track::Outlook;
use super::travel::Travel;
use super::{Call, Handle, StepOptions, World, WorldError, grown};
use crate::broad_phase::Pair;
use crate::query::SweepStatus;
use impinge_core::parallel;
use impinge_core::transform::Motion;

/// Two bodies in contact: no farther apart than [`contact_distance`](super::WorldOptions::contact_distance), or one of them in a
/// sensor.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Deserialize, serde::Serialize))]
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
#[cfg_attr(feature = "serde", derive(serde::Deserialize, serde::Serialize))]
pub struct Step {
    /// The moves, in the order in which they were asked for.
    pub moves: Vec<Move>,
    /// The moves of other bodies that kinematic ones carried or pushed, sorted by their handles.
    pub carried: Vec<Move>,
    /// The bodies that kinematic ones crushed, where [`StepOptions::crush`] has them do so.
    pub crushed: Vec<Crushed>,
    /// Contacts that were not there after the step before.
    pub began: Vec<Contact>,
    /// Contacts that are no more.
    pub ended: Vec<Contact>,
    /// Bodies that fell asleep.
    pub asleep: Vec<Handle>,
}

/// What all bodies of a step did.
struct Made {
    moves: Vec<Move>,
    crushed: Vec<Crushed>,
    /// Whether the bodies of a pair of the broad phase are known to be out of contact, by the place of the pair.
    is_known_apart: Vec<bool>,
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
    /// [Kinematic](super::Kind::Kinematic) bodies carry what stood on them after the last step, and push what is in their way, and what that comes upon, as far as there is room; else they stop, or crush it: see
    /// [`StepOptions::crush`].
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
        let mut movers = IndexSet::default();
        for &(handle, _) in moves {
            if !movers.insert(self.index_of_moving(handle)?) {
                return Err(WorldError::MovedTwice { handle });
            }
        }
        self.steps += 1;
        self.sort_boxes();
        let all = self.with_passengers(moves, options);
        for (handle, _) in &all.moves {
            movers.insert(handle.index);
        }
        let mut travels = Travels::new(self, &all);
        self.widen(&all, &travels, &movers, options)?;
        let pairs = self.pairs_of(&movers);
        travels.add_resting(self, pairs.iter().flat_map(|(_, pair)| pair.ids()));
        let mut statistics = Statistics::with_clock(self.statistics.clock());
        let mut nearby = self.near_pairs(&pairs, &travels, &mut statistics);
        self.remember_nearby(&mut nearby);
        let near = nearby.pairs;
        self.statistics.add(&statistics);
        // Who has nobody near its way is asked nothing.
        self.prepare_fresh(near.iter().filter(|near| near.gap.is_none()).flat_map(|near| near.pair.ids()));
        let asked = moves.len();
        let Made { mut moves, crushed, is_known_apart } =
            self.move_all(&all, &near, &travels, options, asked);
        let mut carried = moves.split_off(asked);
        carried.retain(|made| !made.segments.is_empty() || made.lift.is_some());
        carried.sort_by_key(|made| made.handle);
        self.keep_crushed(&crushed);
        let (began, ended) = self.find_contacts(&is_known_apart);
        let asleep = self.fall_asleep();
        self.forget_clearings();
        self.changed.clear();
        self.bodies.settle();
        Ok(Step { moves, carried, crushed, began, ended, asleep })
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
        AllMoves { moves, reaches }: &AllMoves,
        travels: &Travels,
        movers: &IndexSet,
        options: &StepOptions,
    ) -> Result<(), WorldError> {
        let margin = self.margin();
        for index in std::mem::take(&mut self.wide).iter() {
            if !movers.contains(index) {
                let bounds = self.body(index).bounds(margin);
                self.broad.move_to(index, bounds)?;
            }
        }
        for (handle, motion) in moves {
            let pushed = reaches.get(&handle.index).copied().unwrap_or(0.0);
            let bounds = travels.bounds(handle.index, self, motion, options.planes > 0, pushed);
            self.broad.move_to(handle.index, grown(bounds, margin))?;
            self.wide.insert(handle.index);
        }
        self.broad.step();
        Ok(())
    }

    /// The pairs of solid bodies of which one moves and whose ways are near each other, in order, with their places in the list of the broad phase.
    fn pairs_of(&self, movers: &IndexSet) -> Vec<(usize, Pair)> {
        let moves = |pair: &Pair| pair.ids().into_iter().any(|index| movers.contains(index));
        let pairs = self.broad.last_step().pairs.iter().copied().enumerate();
        pairs.filter(|(_, pair)| moves(pair) && self.stop_each_other(pair.ids())).collect()
    }

    /// Works out the moves of all bodies, and makes them. Groups of bodies whose ways are not near each other are worked out on all cores.
    fn move_all(
        &mut self,
        all: &AllMoves,
        near: &[NearPair],
        travels: &Travels,
        options: &StepOptions,
        asked: usize,
    ) -> Made {
        let AllMoves { moves, reaches } = all;
        let world = &*self;
        let mut tracks = Tracks::new(world, moves);
        tracks.begin(near.iter().filter(|near| near.gap.is_none()).flat_map(|near| near.pair.ids()));
        let swept = near.iter().filter(|near| near.gap.is_none()).map(|near| near.pair);
        let mut recalled = world.recall(swept, &tracks, moves);
        let looked = for_all(world.options.parallel, &recalled, |(kept, is_known)| {
            let mut statistics = Statistics::with_clock(world.statistics.clock());
            if *is_known {
                return (None, statistics);
            }
            let both = kept.pair().ids().map(|index| tracks.of(index));
            (Some(world.first_outlook(both, &mut statistics)), statistics)
        });
        let mut statistics = Statistics::with_clock(world.statistics.clock());
        for ((kept, _), (outlook, counted)) in recalled.iter_mut().zip(looked) {
            statistics.add(&counted);
            if let Some(outlook) = outlook {
                kept.set(outlook);
            }
        }
        let mut outlooks = Vec::with_capacity(near.len());
        let mut known = recalled.iter();
        for near in near {
            let swept = near.gap.is_none().then(|| known.next()).flatten();
            outlooks.push(swept.map_or(Outlook::APART, |(kept, _)| kept.outlook().clone()));
        }
        let mut made: Vec<Move> = Vec::with_capacity(moves.len());
        let groups = tracks.move_quiet(near, outlooks, travels, &mut made);
        let solutions = for_all(world.options.parallel, &groups, |GroupPlan { bodies, pairs }| {
            let state = world.group_state(bodies, &tracks, all, options);
            if let Some(known) = state.as_ref().and_then(|state| world.kept.at_rest(state)) {
                return (Solution::default(), Some(Arc::clone(known)));
            }
            let of_group = bodies.iter().map(|index| tracks.of(*index).clone()).collect();
            let numbers = bodies.iter().map(|index| tracks.number_of(*index)).collect();
            let reaches = bodies.iter().map(|index| reaches.get(index).copied().unwrap_or(0.0)).collect();
            let solution = Group::new(world, of_group, numbers, pairs, options, reaches).run();
            let at_rest = state.and_then(|state| GroupAtRest::new(world, state, &solution.moves));
            (solution, at_rest.map(Arc::new))
        });
        let (mut crushed, mut at_rest) = (Vec::new(), Vec::new());
        for (Solution { moves, crushed: of_group, statistics: counted }, kept) in solutions {
            statistics.add(&counted);
            crushed.extend(of_group);
            if let Some(kept) = kept {
                if moves.is_empty() {
                    for of_body in kept.moves() {
                        let number = tracks.number_of(of_body.handle.index);
                        made[number.expect("it is to move")] = of_body.clone();
                    }
                }
                at_rest.push(kept);
            }
            for (number, of_body) in moves {
                made[number] = of_body;
            }
        }
        let mut is_known_apart = vec![false; self.broad.last_step().pairs.len()];
        let went_through = |index: u32| {
            tracks
                .number_of(index)
                .is_none_or(|number| made[number].status == SweepStatus::Clear && made[number].lift.is_none())
        };
        for near in near {
            let is_apart = near.gap.is_some_and(|gap| gap > world.options.contact_distance * (1.0 + 1e-9));
            is_known_apart[near.place] = is_apart && near.pair.ids().into_iter().all(went_through);
        }
        self.statistics.add(&statistics);
        self.kept.replace(recalled.into_iter().map(|(kept, _)| kept).collect(), at_rest);
        for (number, made) in made.iter().enumerate() {
            // Who might have been pushed, and was not, sleeps on.
            if number >= asked && made.segments.is_empty() && made.lift.is_none() && made.hits.is_empty() {
                continue;
            }
            self.make_within_box(made);
        }
        crushed.sort_by_key(|crushed| (crushed.body, crushed.by));
        Made { moves: made, crushed, is_known_apart }
    }

    /// Finds who touches those that changed, and what that began and ended.
    fn find_contacts(&mut self, is_known_apart: &[bool]) -> (Vec<Contact>, Vec<Contact>) {
        let world = &*self;
        // By index: sets of that many would take longer than the tests.
        let bodies = world.broad.boxes().id_limit() as usize;
        let (mut is_changed, mut is_near) = (vec![false; bodies], vec![false; bodies]);
        for index in world.changed.iter() {
            is_changed[index as usize] = true;
        }
        let pairs: Vec<Pair> = world
            .broad
            .last_step()
            .pairs
            .iter()
            .zip(is_known_apart)
            .filter(|(_, is_known_apart)| !**is_known_apart)
            .map(|(pair, _)| *pair)
            .filter(|pair| pair.ids().into_iter().any(|index| is_changed[index as usize]))
            .filter(|pair| world.may_meet(pair.ids()))
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
            .flat_map(|a| world.touching.get(&a).into_iter().flatten().map(move |&b| Pair::new(a, b)))
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
        self.unseen.retain(|index| is_near[index as usize] || !is_changed[index as usize]);
        self.statistics.add(&statistics);
        (began, ended)
    }

    /// The nearness of two bodies: apart, near or in contact.
    fn nearness(&self, pair: Pair) -> (Nearness, Statistics) {
        let mut statistics = Statistics::with_clock(self.statistics.clock());
        let [a, b] = pair.ids().map(|index| self.body(index));
        let margin = if a.is_solid() && b.is_solid() { self.options.contact_distance } else { 0.0 };
        let placed = self.facing(pair.ids());
        if !grown(placed[0].bounds(), margin).overlaps(&placed[1].bounds()) {
            statistics.left_out(1);
            return (Nearness::Apart, statistics);
        }
        let travels = [Travel::resting(placed[0]), Travel::resting(placed[1])];
        let remembered = || self.dividers.get(&pair).copied();
        // Sensors hold bodies.
        let are_known_free = margin > 0.0 && self.are_known_free(pair.ids());
        let ways = Ways {
            travels: travels.each_ref(),
            placed: placed.each_ref(),
            margin,
            are_known_free,
            clearing: None,
        };
        let decision = decide(&self.options.chain, ways, remembered, &mut statistics);
        if decision.gap.is_some() {
            return (Nearness::Apart, statistics);
        }
        let mut is_contact = false;
        statistics.record(FilterStage::Hard, || {
            let [a, b] = placed;
            is_contact = match margin > 0.0 {
                // Neither is inside of the other.
                true if are_known_free => a.surfaces_are_within(&b, margin),
                true => a.is_within(&b, margin),
                false => a.intersects(&b),
            };
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
