//! Motions cut into legs: at fixed angles, and at lengths that double, from the start. The end of a motion cuts only the last of them, so
//! what is hit on the way does not depend on it.

use super::frame::{Reach, SweepFrame};
use super::relative::{OtherMotion, RelativeMotion};
use impinge_core::math::DVec3;
use impinge_core::narrow::ccd::{Observer, RigidPath};
use impinge_core::transform::{Motion, Phase, Turn};

/// The angle of a leg that turns, in radians.
const ANGLE: f64 = std::f64::consts::PI / 8.0;

/// A part of a phase of a motion that is solved at once.
///
/// Times of a phase are lengths of the world where it is along a line, or more along a line than about an axis; else they are angles.
#[derive(Clone, Copy, Debug)]
pub(super) struct Leg {
    pub(super) phase: Phase,
    /// The begin and the end of the leg, in times of the phase.
    pub(super) from: f64,
    pub(super) to: f64,
    /// When it would end if the motion went on.
    cut: f64,
    /// The time of the whole phase, and that at which its last leg ends: a turn repeats itself after a full one.
    pub(super) whole: f64,
    last: f64,
    /// The fractions of the motion between which the phase is.
    fractions: [f64; 2],
    pace: Pace,
}

/// What a body does in a unit of a phase's time, in the world.
#[derive(Clone, Copy, Debug)]
struct Pace {
    velocity: DVec3,
    /// The angle in radians, of the body that turns faster.
    rate: f64,
    /// The length of the translation, of both bodies together where the other turns.
    travel: f64,
}

/// The legs of a motion, for bodies of a size.
pub(super) fn legs(relative: &RelativeMotion, size: f64) -> impl Iterator<Item = Leg> {
    let size = size.clamp(1e-300, 1e300);
    let RelativeMotion { motion, other, .. } = relative;
    motion.phases().flat_map(move |(phase, fractions)| of_phase(motion, other, phase, fractions, size))
}

fn of_phase(
    motion: &Motion,
    other: &OtherMotion,
    phase: Phase,
    fractions: [f64; 2],
    size: f64,
) -> impl Iterator<Item = Leg> + use<> {
    let by = motion.by();
    let angle_of = |motion: &Motion| motion.turn().map_or(0.0, |turn| turn.degrees.abs().to_radians());
    let (angle, length) = (angle_of(motion), length_of(by));
    let along = by / if length > 0.0 { length } else { 1.0 };
    // A turn repeats itself after a full one.
    let full = std::f64::consts::TAU;
    let line = |velocity: DVec3, rate: f64| Pace { velocity, rate, travel: length_of(velocity) };
    let (whole, last, pace) = match (phase, other) {
        (_, OtherMotion::Turn(other)) => {
            // Times are fractions; that of the faster turn cuts.
            let (velocity, rate) = (by, angle.max(angle_of(other)));
            (1.0, 1.0, Pace { velocity, rate, travel: length + length_of(other.by()) })
        }
        // They move alike: neither comes nearer to the other.
        (Phase::Translation, OtherMotion::Line(_)) if length == 0.0 => (1.0, 1.0, line(DVec3::ZERO, 0.0)),
        (Phase::Translation, _) => (length, length, line(along, 0.0)),
        (Phase::Rotation, _) => (angle, angle.min(full), line(DVec3::ZERO, 1.0)),
        (Phase::Rigid, _) if angle * size >= length => (angle, angle, line(along * (length / angle), 1.0)),
        (Phase::Rigid, _) => (length, length, line(along, angle / length)),
    };
    let speed = if matches!(other, OtherMotion::Turn(_)) { pace.travel } else { pace.velocity.length() };
    let mut from = 0.0;
    let mut count = 0_u64;
    let mut reached = size;
    std::iter::from_fn(move || {
        if count > 0 && from >= last {
            return None;
        }
        count += 1;
        // Lengths of 1, 2, 4 and so on times the size.
        while speed * from >= reached * (1.0 - 1e-9) {
            reached = 2.0 * reached + size;
        }
        let by_length = if speed > 0.0 { reached / speed } else { f64::INFINITY };
        let by_angle = if pace.rate > 0.0 {
            let turned = libm::floor(pace.rate * from / ANGLE * (1.0 + 1e-9)) + 1.0;
            turned * ANGLE / pace.rate
        } else {
            f64::INFINITY
        };
        let cut = by_length.min(by_angle);
        // A motion so long that its legs are as nothing goes on in one.
        let cut = if cut > from { cut } else { last };
        let leg = Leg { phase, from, to: cut.min(last), cut, whole, last, fractions, pace };
        from = leg.to;
        Some(leg)
    })
}

/// The length of a vector of any size.
fn length_of(vector: DVec3) -> f64 {
    let largest = vector.abs().max_element();
    if largest > 0.0 { (vector / largest).length() * largest } else { 0.0 }
}

impl Leg {
    /// The shares of the translation and of the turn that are made at a time of this leg.
    pub(super) fn shares_in(&self, time: f64) -> [f64; 2] {
        self.shares_at(self.from + time)
    }

    /// The shares of the translation and of the turn that are made at a time of the phase.
    fn shares_at(&self, time: f64) -> [f64; 2] {
        let share = if self.whole > 0.0 { time / self.whole } else { 0.0 };
        match self.phase {
            Phase::Translation => [share, 0.0],
            Phase::Rotation => [1.0, share],
            Phase::Rigid => [share, share],
        }
    }

    /// The fraction of the motion at a time of this leg, rounded down.
    pub(super) fn fraction_at(&self, time: f64) -> f64 {
        let [from, to] = self.fractions;
        let share = if self.whole > 0.0 { ((self.from + time) / self.whole).min(1.0) } else { 0.0 };
        // Not above where the phase begins, which is rounded too: a rounding of the fraction may be many degrees of a long turn.
        ((from + (to - from) * share) * (1.0 - 4.0 * f64::EPSILON)).max(from)
    }

    /// A time of this leg that is not before a fraction; below 0 where the fraction is before the leg.
    pub(super) fn time_at(&self, fraction: f64) -> f64 {
        let [from, to] = self.fractions;
        let share = (fraction - from) / (to - from);
        // No number where the phase takes no time: then there is no limit.
        let time = share * self.whole * (1.0 + 1e-9);
        if time.is_finite() { time - self.from } else { f64::INFINITY }
    }

    /// Whether no leg of the phase follows.
    pub(super) fn is_last(&self) -> bool {
        self.to >= self.last
    }

    /// The error bound of the fraction as a time of the phase, where that is more than other roundings: in a phase that does not begin
    /// at fraction 0.
    pub(super) fn fraction_rounding(&self) -> f64 {
        let [from, to] = self.fractions;
        if from > 0.0 { (8.0 * f64::EPSILON * self.whole / (to - from)).min(self.to) } else { 0.0 }
    }

    /// The length of the leg, in times of the phase.
    pub(super) fn length(&self) -> f64 {
        self.to - self.from
    }

    /// The extent that the leg's frame has to hold: as if the motion went on to where the leg is cut.
    pub(super) fn reach(&self, relative: &RelativeMotion, asked: f64, skin: f64) -> Reach {
        let travel = self.pace.travel * self.cut;
        let travel = if travel.is_finite() { travel } else { length_of(relative.motion.by()) };
        let other_center = match &relative.other {
            OtherMotion::Turn(other) => self.center(other),
            _ => None,
        };
        Reach { travel, center: self.center(&relative.motion), other_center, asked, skin }
    }

    fn turn(&self, motion: &Motion) -> Option<Turn> {
        motion.turn().filter(|_| self.phase != Phase::Translation)
    }

    /// A point of the axis at the start of the leg, in the world.
    fn center(&self, motion: &Motion) -> Option<DVec3> {
        let turn = self.turn(motion)?;
        let moved = if self.phase == Phase::Rigid { self.shares_at(self.from)[0] } else { 0.0 };
        Some(turn.center + motion.by() * moved)
    }

    /// The path of the leg in its frame.
    pub(super) fn path(&self, relative: &RelativeMotion, frame: &SweepFrame) -> RigidPath {
        let motion = &relative.motion;
        let velocity = frame.vector_from_world(self.pace.velocity);
        let axis = |turn: &Turn| frame.axis_from_world(turn.axis) * turn.degrees.signum();
        let (Some(turn), Some(center)) = (self.turn(motion), self.center(motion)) else {
            return RigidPath::line(velocity);
        };
        let center = frame.point_from_world(center);
        let path = RigidPath { velocity, center, axis: axis(&turn), rate: self.pace.rate, observer: None };
        match &relative.other {
            OtherMotion::Turn(other) => {
                let rate = |turn: &Turn| turn.degrees.abs().to_radians();
                let (Some(other_turn), Some(center)) = (self.turn(other), self.center(other)) else {
                    return path;
                };
                let observer = Observer {
                    velocity: frame.vector_from_world(other.by()),
                    center: frame.point_from_world(center),
                    axis: axis(&other_turn),
                    rate: rate(&other_turn),
                };
                RigidPath { rate: rate(&turn), observer: Some(observer), ..path }
            }
            _ if self.pace.rate > 0.0 => path,
            _ => RigidPath::line(velocity),
        }
    }
}
