//! The path of a rigid body during one segment of a motion.

use crate::math::{DAffine3, DMat3, DVec3};

/// A motion with constant velocity and, where `rate` is not 0, with a constant turn about an axis that moves along.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RigidPath {
    /// The translation of the body, and of its axis, in a unit of time.
    pub velocity: DVec3,
    /// A point of the axis at time 0.
    pub center: DVec3,
    /// The direction of the axis, of length 1 up to rounding; the turn follows the right-hand rule.
    pub axis: DVec3,
    /// The angle in radians that the body turns by in a unit of time; not negative.
    pub rate: f64,
}

/// A time of a path, with what all points need to know of it.
#[derive(Clone, Copy, Debug)]
pub struct Moment {
    shift: DVec3,
    sin: f64,
    cos: f64,
}

impl RigidPath {
    /// A path along a line.
    pub fn line(velocity: DVec3) -> RigidPath {
        RigidPath { velocity, center: DVec3::ZERO, axis: DVec3::Z, rate: 0.0 }
    }

    /// Whether the body turns.
    pub fn is_turning(&self) -> bool {
        self.rate != 0.0
    }

    /// The sine, the cosine and the shift of a time.
    #[inline]
    pub fn moment(&self, time: f64) -> Moment {
        let (sin, cos) = if self.is_turning() {
            (libm::sin(self.rate * time), libm::cos(self.rate * time))
        } else {
            (0.0, 1.0)
        };
        Moment { shift: self.velocity * time, sin, cos }
    }

    /// The position, at a moment, of the body's point that is at `start` at time 0.
    #[inline]
    pub fn place(&self, start: DVec3, moment: &Moment) -> DVec3 {
        if !self.is_turning() {
            return start + moment.shift;
        }
        self.center + moment.shift + self.turned(start - self.center, moment)
    }

    #[inline]
    fn turned(&self, arm: DVec3, moment: &Moment) -> DVec3 {
        let along = self.axis * self.axis.dot(arm);
        along + (arm - along) * moment.cos + self.axis.cross(arm) * moment.sin
    }

    /// The pose, at a time, of the frame of time 0.
    pub fn map(&self, time: f64) -> DAffine3 {
        let moment = self.moment(time);
        if !self.is_turning() {
            return DAffine3::from_translation(moment.shift);
        }
        let matrix3 = DMat3::from_cols(
            self.turned(DVec3::X, &moment),
            self.turned(DVec3::Y, &moment),
            self.turned(DVec3::Z, &moment),
        );
        let translation = self.center + moment.shift - matrix3 * self.center;
        DAffine3 { matrix3, translation }
    }

    /// The velocity of the body's point that is at `point` at a moment.
    #[inline]
    pub fn velocity_at(&self, point: DVec3, moment: &Moment) -> DVec3 {
        if !self.is_turning() {
            return self.velocity;
        }
        self.velocity + self.axis.cross(point - self.center - moment.shift) * self.rate
    }

    /// The distance of a body's point from the axis, which does not change.
    #[inline]
    pub fn radius(&self, start: DVec3) -> f64 {
        self.axis.cross(start - self.center).length() * (1.0 + 1e-12)
    }

    /// The distance of a point that stands still from the axis at a moment.
    #[inline]
    pub fn radius_at(&self, point: DVec3, moment: &Moment) -> f64 {
        self.radius(point - moment.shift)
    }

    /// The deviation of a point's path from the chord between two of its positions, so much time apart: the acceleration times
    /// the square of the time, over eight.
    #[inline]
    pub fn bulge(&self, radius: f64, time: f64) -> f64 {
        let angle = self.rate * time;
        (radius * angle * angle / 8.0).min(2.0 * radius)
    }
}
