//! All bodies, and how they get from one step to the next.

use std::collections::BTreeMap;

use impinge::bounds::Aabb;
use impinge::broad_phase::{BroadPhase, BroadPhaseError};
use impinge::math::DVec3;
use impinge::query::{Contact, ContactId, ContactOptions, Scratch, SweepHit, SweepOptions, SweepStatus};
use impinge::{Placed, TransformError};

use super::multipliers::Multipliers;
use super::way::{Plan, Way};
use super::{Body, Joint, Material, Touch};

/// The gap, in meters, that bodies at rest keep between them. No eye sees it, and it lets them slide.
const GAP: f64 = 1e-3;
/// A body that a sweep stops is left this far away.
pub(super) const SKIN: f64 = 5e-5;
/// Bodies that are closer than this may be in contact before the step is over; what is farther is left to the sweeps.
const NEAR: f64 = 0.01;
/// Which share of what is missing of the gap is made up for in one step. More, and piles hop.
const RECOVERY: f64 = 0.2;
/// How often all impulses are corrected. Fewer, and high piles are soft.
pub(super) const ROUNDS: usize = 24;
/// How often a body may be stopped in a step; then it has lost the rest of its time.
const STOPS: usize = 6;
/// Slower than this, in meters a second, for so many seconds, and a body that something carries falls asleep.
const SLOW: f64 = 0.1;
const SLOW_FOR: f64 = 0.5;
/// What is hit, or touched by something, that is faster than this wakes up.
const WAKING_SPEED: f64 = 0.4;
/// Which share of its spin a body loses in a second, so that nothing rolls for ever.
const SPIN_LOSS: f64 = 0.6;
/// Which share of the velocity that others did not let it use a body loses in a step.
pub(super) const JAM_LOSS: f64 = 0.2;

/// What happened since the beginning.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    /// Steps made.
    pub steps: u64,
    /// Sweeps of one body against another.
    pub sweeps: u64,
    /// Of these, how many were stopped.
    pub hits: u64,
    /// Contacts that exchanged impulses.
    pub contacts: u64,
    /// Steps in which joined bodies were stopped so often that they lost the rest of their time.
    pub jams: u64,
    /// Pairs of bodies that met by the exact test after a step. The promise is that there are none.
    pub overlaps: u64,
    /// Bodies that began a sweep inside of another. The same promise.
    pub started_overlapping: u64,
}

/// Bodies that push each other about.
pub struct World<'m> {
    /// All bodies; they are moved in this order.
    pub bodies: Vec<Body<'m>>,
    /// Of all of them.
    pub material: Material,
    /// In meters per second squared.
    pub gravity: DVec3,
    /// What happened so far.
    pub tally: Tally,
    pub(super) joints: Vec<Joint>,
    pub(super) broad: BroadPhase,
    /// The impulses of the last step, by pair and contact.
    impulses: BTreeMap<TouchName, [f64; 3]>,
    pub(super) scratch: Scratch,
}

/// What a contact is known by from step to step: its two bodies, and their features.
type TouchName = ([usize; 2], ContactId);

impl<'m> World<'m> {
    /// No bodies yet.
    pub fn new(material: Material, gravity: DVec3) -> World<'m> {
        World {
            bodies: Vec::new(),
            material,
            gravity,
            tally: Tally::default(),
            joints: Vec::new(),
            broad: BroadPhase::new(),
            impulses: BTreeMap::new(),
            scratch: Scratch::default(),
        }
    }

    /// Adds a body, and says which number it got.
    pub fn add(&mut self, body: Body<'m>) -> Result<usize, BroadPhaseError> {
        let number = self.bodies.len();
        self.broad.insert(number as u32, near_box(&body.placed))?;
        self.bodies.push(body);
        Ok(number)
    }

    /// Whether every body sleeps or is fixed.
    pub fn is_at_rest(&self) -> bool {
        !self.bodies.iter().any(Body::is_awake)
    }

    /// So many seconds pass.
    pub fn step(&mut self, seconds: f64) -> Result<(), StepError> {
        self.wake_what_is_disturbed();
        for body in self.bodies.iter_mut().filter(|body| body.is_awake()) {
            body.velocity += self.gravity * seconds;
            body.spin *= (1.0 - SPIN_LOSS * seconds).max(0.0);
        }
        self.rub_joints(seconds);
        let (is_carried, touches) = self.exchange_impulses(seconds);
        let before: Vec<Placed<'m>> = self.bodies.iter().map(|body| body.placed).collect();
        self.move_bodies(seconds, &is_carried)?;
        self.move_joined(seconds, touches)?;
        for (body, before) in self.bodies.iter_mut().zip(&before) {
            body.pace = body.moved_since(before) / seconds;
        }
        self.put_to_sleep(&is_carried, seconds);
        self.tally.steps += 1;
        Ok(())
    }

    /// Counts the pairs that meet by the exact test.
    pub fn count_overlaps(&mut self) {
        let pairs = self.broad.step().pairs;
        for pair in pairs {
            let [a, b] = pair.ids().map(|id| &self.bodies[id as usize]);
            if !(a.is_fixed() && b.is_fixed()) && a.placed.intersects(&b.placed) {
                self.tally.overlaps += 1;
            }
        }
    }

    /// Solves for the impulses at all contacts together, and says which bodies something carries, and by which contacts.
    fn exchange_impulses(&mut self, seconds: f64) -> (Vec<bool>, Vec<Touch>) {
        let multipliers = (!self.joints.is_empty()).then(|| Multipliers::new(&self.joints, &self.bodies));
        if let Some(multipliers) = &multipliers {
            multipliers.hold(&mut self.bodies);
        }
        let mut touches = self.touches(seconds, seconds, multipliers.as_ref());
        for (name, touch) in &mut touches {
            if let Some(impulse) = self.impulses.get(name) {
                touch.begin_with(&mut self.bodies, *impulse);
            }
        }
        for _ in 0..ROUNDS {
            for (_, touch) in &mut touches {
                touch.correct(&mut self.bodies);
            }
        }
        let mut is_carried = vec![false; self.bodies.len()];
        for (_, touch) in touches.iter().filter(|(_, touch)| touch.impulse[0] > 0.0) {
            let [a, b] = touch.bodies();
            (is_carried[a], is_carried[b]) = (true, true);
            self.tally.contacts += 1;
        }
        self.impulses = touches.iter().map(|(name, touch)| (*name, touch.impulse)).collect();
        (is_carried, touches.into_iter().map(|(_, touch)| touch).collect())
    }

    /// All contacts that count within the time that is left of a step of so many seconds.
    pub(super) fn touches(
        &mut self,
        left: f64,
        seconds: f64,
        multipliers: Option<&Multipliers>,
    ) -> Vec<(TouchName, Touch)> {
        let mut touches = Vec::new();
        let joined = self.joined();
        for pair in self.broad.step().pairs {
            let pair = pair.ids().map(|id| id as usize);
            let [a, b] = pair.map(|number| &self.bodies[number]);
            if !a.is_awake() && !b.is_awake() {
                continue;
            }
            let found =
                a.placed.contacts_in(&b.placed, ContactOptions::new().within(NEAR), &mut self.scratch);
            for contact in Contact::reduce(&found, 8) {
                let missing = GAP - contact.distance;
                let room = if missing > 0.0 { -missing * RECOVERY / seconds } else { -missing / left };
                let points = [contact.point_on_a, contact.point_on_b];
                let mut touch = Touch::new(&self.bodies, pair, points, contact.normal, room, &self.material);
                if let Some(multipliers) = multipliers.filter(|_| joined.iter().any(|n| pair.contains(n))) {
                    touch.pass_on(&self.bodies, multipliers);
                }
                touches.push(((pair, contact.id()), touch));
            }
        }
        touches
    }

    /// Every body in turn uses up its time. One that stands in the way of another may be gone when that one has its next turn.
    fn move_bodies(&mut self, seconds: f64, is_carried: &[bool]) -> Result<(), StepError> {
        let mut plans: Vec<Plan> = self.bodies.iter().map(|_| Plan::new(seconds)).collect();
        let joined = self.joined();
        let single: Vec<usize> =
            (0..plans.len()).filter(|number| joined.binary_search(number).is_err()).collect();
        for &number in &single {
            let way = if is_carried[number] { Way::Screw } else { Way::Flight };
            self.advance(number, way, &mut plans)?;
        }
        for _ in 1..STOPS {
            for &number in &single {
                self.advance(number, Way::Straight, &mut plans)?;
                self.advance(number, Way::Turn, &mut plans)?;
            }
        }
        // Bodies that block each other in a ring do not get on, whatever their velocities say. They lose some of what they could not
        // use, else gravity would add to it for as long as they are stuck.
        for number in single {
            let (body, plan) = (&mut self.bodies[number], &plans[number]);
            if !body.is_awake() {
                continue;
            }
            for &wall in &plan.walls {
                body.velocity -= wall * (body.velocity.dot(wall).max(0.0) * JAM_LOSS);
            }
            body.spin *= 1.0 - JAM_LOSS * plan.turn_left / seconds;
        }
        Ok(())
    }

    /// Moves a body until its time is over or another body is in its way.
    fn advance(&mut self, number: usize, way: Way, plans: &mut [Plan]) -> Result<(), StepError> {
        let body = &self.bodies[number];
        let Some(motion) = plans[number].motion(body, way)?.filter(|_| body.is_awake()) else {
            return Ok(());
        };
        let placed = &body.placed;
        let mut others = Vec::new();
        self.broad.overlapping(&body.path(plans[number].seconds_left), &mut others);

        let ask = SweepOptions::new().margin(SKIN);
        let mut end = motion.carry(placed.placement().world_from_model(), 1.0);
        let mut fraction = 1.0;
        let mut stopped_by: Option<(usize, SweepHit)> = None;
        for other in others.into_iter().map(|id| id as usize).filter(|&other| other != number) {
            let answer = placed.sweep_in(&motion, &self.bodies[other].placed, ask, &mut self.scratch);
            self.tally.sweeps += 1;
            if answer.status == SweepStatus::StartedOverlapping {
                self.tally.started_overlapping += 1;
            }
            if answer.fraction < fraction || (answer.hit.is_some() && stopped_by.is_none()) {
                (fraction, end) = (answer.fraction, *answer.world_from_moving.world_from_model());
                stopped_by = answer.hit.map(|hit| (other, hit));
            }
        }
        self.place(number, placed.model().try_at(end)?)?;
        plans[number].spend(way, &motion, fraction);
        if let Some((other, hit)) = stopped_by {
            self.tally.hits += 1;
            if self.collide(number, other, &hit) {
                // What was hit goes on from here too, though it may have used its time before.
                let left = plans[number].seconds_left;
                plans[other].seconds_left = plans[other].seconds_left.max(left);
            } else if way == Way::Straight {
                plans[number].walls.push(hit.normal);
            }
        }
        Ok(())
    }

    pub(super) fn place(&mut self, number: usize, placed: Placed<'m>) -> Result<(), StepError> {
        self.bodies[number].placed = placed;
        Ok(self.broad.move_to(number as u32, near_box(&placed))?)
    }

    /// The impulse between a body that was stopped and the one that stopped it. There is none where the two do not approach: then the
    /// other has the same way, and only has not gone it yet.
    fn collide(&mut self, moving: usize, other: usize, hit: &SweepHit) -> bool {
        let pair = [moving, other];
        let points = [hit.point_on_moving, hit.point_on_stationary];
        let touch = |bodies: &[Body<'_>], material: &Material| {
            Touch::new(bodies, pair, points, hit.normal, 0.0, material)
        };
        if touch(&self.bodies, &self.material).approach(&self.bodies) > WAKING_SPEED {
            self.wake(other);
        }
        // Anew, as what is awake yields.
        let mut touch = touch(&self.bodies, &self.material);
        for _ in 0..4 {
            touch.correct(&mut self.bodies);
        }
        touch.impulse[0] > 0.0
    }

    /// What moves wakes its neighbors: it may have carried them.
    fn wake_what_is_disturbed(&mut self) {
        let mut disturbed = Vec::new();
        for pair in self.broad.step().pairs {
            let [a, b] = pair.ids().map(|id| id as usize);
            for (mover, sleeper) in [(a, b), (b, a)] {
                let mover = &self.bodies[mover];
                if self.bodies[sleeper].is_asleep && mover.is_awake() && mover.pace > WAKING_SPEED {
                    disturbed.push(sleeper);
                }
            }
        }
        disturbed.into_iter().for_each(|number| self.wake(number));
    }

    /// Wakes a body, and all that may lean on it directly or through others, or hang on it.
    fn wake(&mut self, number: usize) {
        let mut waking = vec![number];
        let mut neighbors = Vec::new();
        while let Some(number) = waking.pop() {
            let body = &mut self.bodies[number];
            if body.is_asleep {
                (body.is_asleep, body.slow_for) = (false, 0.0);
                self.broad.overlapping(&near_box(&body.placed), &mut neighbors);
                waking.extend(neighbors.iter().map(|&id| id as usize));
                let joined = self.joints.iter().filter(|joint| joint.bodies.contains(&number));
                waking.extend(joined.flat_map(|joint| joint.bodies));
            }
        }
    }

    fn put_to_sleep(&mut self, is_carried: &[bool], seconds: f64) {
        let mut is_slow: Vec<bool> =
            self.bodies.iter().zip(is_carried).map(|(body, carried)| *carried && body.pace < SLOW).collect();
        // What is joined sleeps together, and it is enough if something carries one of them.
        let joined = self.joined();
        let are_slow = joined.iter().all(|&number| self.bodies[number].pace < SLOW)
            && joined.iter().any(|&number| is_carried[number]);
        joined.iter().for_each(|&number| is_slow[number] = are_slow);
        for (body, is_slow) in self.bodies.iter_mut().zip(is_slow).filter(|(body, _)| body.is_awake()) {
            body.slow_for = if is_slow { body.slow_for + seconds } else { 0.0 };
            if body.slow_for >= SLOW_FOR {
                (body.is_asleep, body.velocity, body.spin) = (true, DVec3::ZERO, DVec3::ZERO);
            }
        }
    }
}

/// The body's box and what is near enough to matter.
fn near_box(placed: &Placed<'_>) -> Aabb {
    let bounds = placed.bounds();
    let near = DVec3::splat(NEAR / 2.0);
    Aabb { min: bounds.min - near, max: bounds.max + near }
}

/// Why a step cannot be made.
#[derive(Clone, Debug, thiserror::Error)]
pub enum StepError {
    /// A body moves out of all bounds.
    #[error("a body cannot be moved: {0}")]
    Move(#[from] TransformError),
    /// A body's box is out of all bounds.
    #[error("a body cannot be found again: {0}")]
    Find(#[from] BroadPhaseError),
}
