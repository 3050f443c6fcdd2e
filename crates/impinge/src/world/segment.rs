//! Segments: the parts of the way that a body made in a step, with their times.

use impinge_core::math::DVec3;
use impinge_core::transform::{Motion, Placement};

/// A part of the way of a body in a step, which lasts from time 0 to time 1.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
#[cfg_attr(feature = "serde", derive(serde::Deserialize, serde::Serialize))]
pub struct Segment {
    /// The time at which the segment begins.
    pub from: f64,
    /// The time at which the segment ends: the body is stopped or deflected then, or the motion is complete.
    pub to: f64,
    /// The time at which the motion would be complete.
    pub until: f64,
    /// The placement of the body at the begin.
    pub start: Placement,
    /// The motion, which the body makes a part of.
    pub motion: Motion,
}

impl Segment {
    pub(super) fn new(start: Placement, motion: Motion, from: f64, until: f64) -> Segment {
        Segment { from, to: until, until, start, motion }
    }

    /// The placement at a time between the begin and the end; `None` where that is out of the range of placements.
    pub fn placement_at(&self, time: f64) -> Option<Placement> {
        if time <= self.from {
            return Some(self.start);
        }
        let map = self.motion.carry(self.start.world_from_model(), self.share_at(time));
        Placement::try_from(map).ok()
    }

    /// The share of the motion that is made at a time.
    fn share_at(&self, time: f64) -> f64 {
        ((time - self.from) / (self.until - self.from)).min(1.0)
    }

    /// How far the translation has brought the body until a time.
    pub(super) fn length_until(&self, time: f64) -> f64 {
        self.motion.by().length() * self.share_at(time.min(self.to)).max(0.0)
    }

    /// The part of the motion between two times; `None` where that is out of range. The motion has one phase.
    pub(super) fn part(&self, [from, to]: [f64; 2]) -> Option<Motion> {
        if from <= self.from && to >= self.until {
            return Some(self.motion);
        }
        let share = (to - from) / (self.until - self.from);
        let by = self.motion.by() * share;
        let Some(turn) = self.motion.turn() else { return Motion::translation(by).ok() };
        let degrees = turn.degrees * share;
        if self.motion.is_together() {
            Motion::rigid(by, self.center_at(from)?, turn.axis, degrees).ok()
        } else {
            Motion::rotation(turn.center, turn.axis, degrees).ok()
        }
    }

    /// A point of the axis at a time.
    fn center_at(&self, time: f64) -> Option<DVec3> {
        let turn = self.motion.turn()?;
        let moves = self.motion.is_together();
        Some(if moves { turn.center + self.motion.by() * self.share_at(time) } else { turn.center })
    }

    /// The velocity of the body's point that is at `point` at a time.
    pub(super) fn velocity_at(&self, point: DVec3, time: f64) -> DVec3 {
        let turning = self.motion.turn().zip(self.center_at(time)).map_or(DVec3::ZERO, |(turn, center)| {
            turn.axis.cross(point - center) * turn.degrees.to_radians()
        });
        (self.motion.by() + turning) / (self.until - self.from)
    }

    /// The acceleration of the body's point that is at `point` at a time.
    pub(super) fn acceleration_at(&self, point: DVec3, time: f64) -> f64 {
        let turning = self.motion.turn().zip(self.center_at(time)).map_or(0.0, |(turn, center)| {
            let rate = turn.degrees.to_radians();
            rate * rate * turn.axis.cross(point - center).length()
        });
        turning / ((self.until - self.from) * (self.until - self.from))
    }
}
