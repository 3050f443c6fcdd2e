//! Bodies with joints move all at once, as far as the first of them gets: one that stayed behind would tear its joints. All joined
//! bodies of a world count as one figure.

use impinge::math::{DAffine3, DQuat, DVec3};
use impinge::query::{DistanceOptions, IntersectOptions, SweepOptions, SweepStatus};
use impinge::{Motion, Placed, Placement, TransformError};

use super::multipliers::Multipliers;
use super::world::{JAM_LOSS, ROUNDS};
use super::{Body, Joint, StepError, Touch, World};

/// No body with joints turns farther at once, in radians: half-way through a turn its joints are off by an eighth of its square,
/// in multiples of the body's arm.
const MOST_TURN: f64 = 0.1;
/// How many such moves a step may have, and how often joined bodies may be stopped in it; then they have lost the rest of its time.
const MOVES: usize = 60;
const STOPS: usize = 12;
/// Joined bodies are stopped this far away from others, in meters. What turns and moves at once and starts nearer than a sweep's zone is
/// thick cannot leave it, so where bodies are that near, the zone is half as thick as they are apart.
const SKIN: f64 = 2e-4;
/// A share of a step that is not worth a move.
const NO_TIME: f64 = 1e-6;
/// A share as small as this is a stop at the start.
const AT_START: f64 = 1e-6;
/// How often the end of a move is corrected to where the joints hold, and how often the contacts are then.
const AIMS: usize = 3;
const ROUNDS_OF_AIM: usize = 8;
/// How often a move that is not proven to be free is shortened, and to which share.
const SHORTER: usize = 12;
const SHORTENING: f64 = 0.6;
/// How fast joints slow down the turn of one body against the other, in shares a second.
const JOINT_FRICTION: f64 = 3.0;

impl<'m> World<'m> {
    /// Joins two bodies.
    pub fn join(&mut self, joint: Joint) {
        self.joints.push(joint);
    }

    /// How far the points of any joint are apart at most.
    pub fn drift(&self) -> f64 {
        self.joints.iter().map(|joint| joint.drift(&self.bodies)).fold(0.0, f64::max)
    }

    /// The numbers of all bodies with joints that can move, in order.
    pub(super) fn joined(&self) -> Vec<usize> {
        let joined = self.joints.iter().flat_map(|joint| joint.bodies);
        let mut numbers: Vec<usize> = joined.filter(|&number| !self.bodies[number].is_fixed()).collect();
        numbers.sort_unstable();
        numbers.dedup();
        numbers
    }

    /// Bodies that turn against each other in a joint slow each other down.
    pub(super) fn rub_joints(&mut self, seconds: f64) {
        let share = 1.0 - (-JOINT_FRICTION * seconds).exp();
        for joint in &self.joints {
            let [a, b] = joint.bodies.map(|number| &self.bodies[number]);
            if !a.is_awake() && !b.is_awake() {
                continue;
            }
            let yielding = a.inverse_inertia() + b.inverse_inertia();
            let push = yielding.inverse() * ((a.spin - b.spin) * share);
            let spins = [-(a.inverse_inertia() * push), b.inverse_inertia() * push];
            for (number, spin) in joint.bodies.into_iter().zip(spins) {
                self.bodies[number].spin += spin;
            }
        }
    }

    /// Joined bodies use up their time, with impulses where one of them is stopped.
    pub(super) fn move_joined(&mut self, seconds: f64, touches: Vec<Touch>) -> Result<(), StepError> {
        let joined = self.joined();
        if !joined.iter().any(|&number| self.bodies[number].is_awake()) {
            return Ok(());
        }
        let (mut left, mut stops, mut touches) = (seconds, 0, touches);
        for _ in 0..MOVES {
            let fastest = joined.iter().map(|&number| self.bodies[number].spin.length()).fold(0.0, f64::max);
            let time = if fastest * left > MOST_TURN { MOST_TURN / fastest } else { left };
            let velocities: Vec<[DVec3; 2]> =
                self.bodies.iter().map(|body| [body.velocity, body.spin]).collect();
            self.aim(time, seconds, &mut touches);
            let (share, ends) = self.free_share(&joined, time)?;
            for (body, [velocity, spin]) in self.bodies.iter_mut().zip(velocities) {
                (body.velocity, body.spin) = (velocity, spin);
            }
            for &number in &joined {
                self.place(number, ends[number])?;
            }
            left -= share * time;
            if left <= NO_TIME * seconds {
                return Ok(());
            }
            stops += usize::from(share < 1.0);
            self.tally.hits += u64::from(share < 1.0);
            if stops > STOPS {
                break;
            }
            touches = self.bounce(&joined, left, seconds);
        }
        self.tally.jams += 1;
        // As for bodies that block each other in a ring.
        for number in joined {
            let body = &mut self.bodies[number];
            let kept = 1.0 - JAM_LOSS * left / seconds;
            (body.velocity, body.spin) = (body.velocity * kept, body.spin * kept);
        }
        Ok(())
    }

    /// Changes the velocities, for this move only, so that the joints hold at its end. They held at its start but for a drift, and
    /// velocities alone lead away from that: they are tangents, and bodies that turn go round curves.
    fn aim(&mut self, time: f64, seconds: f64, touches: &mut [Touch]) {
        let multipliers = Multipliers::new(&self.joints, &self.bodies);
        let errors = |bodies: &[Body<'_>], after: f64| {
            let mut errors = Vec::new();
            for joint in &self.joints {
                joint.errors(joint.bodies.map(|number| pose_after(&bodies[number], after)), &mut errors);
            }
            errors
        };
        let before = errors(&self.bodies, 0.0);
        for _ in 0..AIMS {
            // A drift goes in the time of a whole step: a short rest of one cannot undo it.
            let kept = 1.0 - time / seconds;
            let after = errors(&self.bodies, time);
            let wrong: Vec<f64> =
                after.iter().zip(&before).map(|(after, before)| after - before * kept).collect();
            multipliers.change_rates(&mut self.bodies, |row| -wrong[row] / time);
            for _ in 0..ROUNDS_OF_AIM {
                touches.iter_mut().for_each(|touch| touch.correct(&mut self.bodies));
            }
        }
    }

    /// The impulses of joined bodies at a stop.
    fn bounce(&mut self, joined: &[usize], left: f64, seconds: f64) -> Vec<Touch> {
        let multipliers = Multipliers::new(&self.joints, &self.bodies);
        multipliers.hold(&mut self.bodies);
        let touches = self.touches(left, seconds, Some(&multipliers));
        let mut touches: Vec<Touch> = touches
            .into_iter()
            .map(|(_, touch)| touch)
            .filter(|touch| touch.bodies().iter().any(|number| joined.binary_search(number).is_ok()))
            .collect();
        for _ in 0..ROUNDS {
            touches.iter_mut().for_each(|touch| touch.correct(&mut self.bodies));
        }
        touches
    }

    /// Which share of the time all joined bodies can move with none of them meeting anything, and where all bodies are then.
    ///
    /// Two bodies that both move are swept as one sees the other. Only the ends of that way are exactly those of the two bodies' own
    /// ways, so when the whole move is not free, the shorter one is proven anew from its start to its end.
    fn free_share(&mut self, joined: &[usize], seconds: f64) -> Result<(f64, Vec<Placed<'m>>), StepError> {
        let pairs = self.pairs_on_the_way(joined, seconds);
        let starts: Vec<Placed<'m>> = self.bodies.iter().map(|body| body.placed).collect();
        let ends_at = |bodies: &[Body<'m>], share: f64| -> Result<Vec<Placed<'m>>, TransformError> {
            let mut ends = starts.clone();
            for &number in joined {
                ends[number] = starts[number].model().try_at(pose_after(&bodies[number], share * seconds))?;
            }
            Ok(ends)
        };
        let ends = ends_at(&self.bodies, 1.0)?;
        let mut share = 1.0_f64;
        for &pair in &pairs {
            let mut of_pair = self.sweep_pair(pair, &starts, &ends, SKIN)?;
            if of_pair < AT_START {
                let [a, b] = pair.map(|number| &starts[number]);
                let apart = a.distance_in(b, DistanceOptions::default(), &mut self.scratch);
                let thinner = apart.map_or(0.0, |apart| apart.distance / 2.0).min(SKIN);
                of_pair = self.sweep_pair(pair, &starts, &ends, thinner)?;
            }
            share = share.min(of_pair);
        }
        let is_whole = share == 1.0;
        for _ in 0..SHORTER {
            let ends = ends_at(&self.bodies, share)?;
            let mut is_free = true;
            for &[a, b] in &pairs {
                let is_clear =
                    !ends[a].intersects_in(&ends[b], IntersectOptions::default(), &mut self.scratch);
                is_free = is_clear
                    && ((is_whole && share == 1.0) || self.sweep_pair([a, b], &starts, &ends, 0.0)? == 1.0);
                if !is_free {
                    break;
                }
            }
            if is_free {
                return Ok((share, ends));
            }
            share *= SHORTENING;
        }
        Ok((0.0, starts))
    }

    /// The pairs, one of them joined at least, that are near enough to meet.
    fn pairs_on_the_way(&self, joined: &[usize], seconds: f64) -> Vec<[usize; 2]> {
        let path = |number: usize| self.bodies[number].path(seconds);
        let mut pairs = Vec::new();
        let mut others = Vec::new();
        for (i, &number) in joined.iter().enumerate() {
            let way = path(number);
            pairs.extend(
                joined[..i].iter().filter(|&&other| way.overlaps(&path(other))).map(|&other| [number, other]),
            );
            self.broad.overlapping(&way, &mut others);
            let others = others.iter().map(|&id| id as usize);
            pairs.extend(
                others.filter(|other| joined.binary_search(other).is_err()).map(|other| [number, other]),
            );
        }
        pairs
    }

    /// Which share of its way the first body gets, as the second sees it.
    fn sweep_pair(
        &mut self,
        [a, b]: [usize; 2],
        starts: &[Placed<'m>],
        ends: &[Placed<'m>],
        expel: f64,
    ) -> Result<f64, TransformError> {
        let pose = |placed: &Placed<'m>| *placed.placement().world_from_model();
        let seen = if pose(&starts[b]) == pose(&ends[b]) {
            pose(&ends[a])
        } else {
            pose(&starts[b]) * pose(&ends[b]).inverse() * pose(&ends[a])
        };
        let motion = Motion::between(starts[a].placement(), &Placement::try_from(seen)?)?;
        let ask = SweepOptions::new().margin(expel);
        let answer = starts[a].sweep_in(&motion, &starts[b], ask, &mut self.scratch);
        self.tally.sweeps += 1;
        if answer.status == SweepStatus::StartedOverlapping {
            self.tally.started_overlapping += 1;
        }
        Ok(if answer.status == SweepStatus::Clear { 1.0 } else { answer.fraction.min(1.0 - 1e-9) })
    }
}

/// Where a body is after some seconds if nothing meets it.
fn pose_after(body: &Body<'_>, seconds: f64) -> DAffine3 {
    let now = body.placed.placement().world_from_model();
    let turn = DQuat::from_scaled_axis(body.spin * seconds) * DQuat::from_mat3(&now.matrix3);
    DAffine3::from_rotation_translation(turn.normalize(), now.translation + body.velocity * seconds)
}
