//! The path of a rigid body during one segment of a motion.

use super::observer::{Observer, ObserverPose, Rates, turned};
use crate::math::{DAffine3, DMat3, DVec3};

/// A motion with constant velocity and, where `rate` is not 0, with a constant turn about an axis that moves along. Where the other body turns
/// as well, positions and velocities are what it sees.
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
    /// An observer on the second body, where that turns too: positions are as it sees them, and it stands still.
    pub observer: Option<Observer>,
}

/// A time of a path, with what all points need to know of it.
#[derive(Clone, Copy, Debug)]
pub struct Moment {
    shift: DVec3,
    sin: f64,
    cos: f64,
    observer: ObserverPose,
}

impl RigidPath {
    /// A path along a line.
    pub fn line(velocity: DVec3) -> RigidPath {
        RigidPath { velocity, center: DVec3::ZERO, axis: DVec3::Z, rate: 0.0, observer: None }
    }

    /// Whether the body turns.
    pub fn is_turning(&self) -> bool {
        self.rate != 0.0 || self.observer.is_some()
    }

    /// What the body does in the world.
    pub(super) fn own(&self) -> Observer {
        Observer { velocity: self.velocity, center: self.center, axis: self.axis, rate: self.rate }
    }

    /// What bounds of accelerations take of both bodies, where both turn.
    pub(super) fn rates(&self) -> Option<Rates> {
        self.observer.as_ref().map(|observer| observer.rates(&self.own()))
    }

    /// The rate at which the faster of the two bodies turns.
    pub fn fastest_rate(&self) -> f64 {
        self.observer.as_ref().map_or(self.rate, |observer| observer.rate.max(self.rate))
    }

    /// An upper bound of the rate at which the body turns as the other sees it.
    pub fn turning_rate(&self) -> f64 {
        self.rate + self.observer.as_ref().map_or(0.0, |observer| observer.rate)
    }

    /// The part of a path's deviation from its chord that can be along a direction of length 1: none along the axis, where only one body turns.
    #[inline]
    pub fn bulge_along(&self, direction: DVec3) -> f64 {
        if self.observer.is_some() { 1.0 } else { self.axis.cross(direction).length() * (1.0 + 1e-9) }
    }

    /// The velocity of a direction, at time 0, that turns with the body, relative to the other.
    pub fn spin_across(&self, direction: DVec3) -> DVec3 {
        match &self.observer {
            None => self.axis.cross(direction) * self.rate,
            Some(observer) => observer.spin(&self.own()).cross(direction),
        }
    }

    /// The sine, the cosine and the shift of a time.
    #[inline]
    pub fn moment(&self, time: f64) -> Moment {
        let (sin, cos) = if self.is_turning() {
            (libm::sin(self.rate * time), libm::cos(self.rate * time))
        } else {
            (0.0, 1.0)
        };
        let observer = self.observer.as_ref().map_or_else(Default::default, |observer| observer.pose(time));
        Moment { shift: self.velocity * time, sin, cos, observer }
    }

    /// The position, at a moment, of the body's point that is at `start` at time 0.
    #[inline]
    pub fn place(&self, start: DVec3, moment: &Moment) -> DVec3 {
        if !self.is_turning() {
            return start + moment.shift;
        }
        let place = self.center + moment.shift + self.turned(start - self.center, moment);
        self.observer.as_ref().map_or(place, |observer| observer.seen(place, &moment.observer))
    }

    #[inline]
    fn turned(&self, arm: DVec3, moment: &Moment) -> DVec3 {
        turned(arm, self.axis, moment.sin, moment.cos)
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
        let map = DAffine3 { matrix3, translation };
        self.observer.as_ref().map_or(map, |observer| observer.map_seen(map, &moment.observer))
    }

    /// The velocity of the body's point that is at `point` at a moment.
    #[inline]
    pub fn velocity_at(&self, point: DVec3, moment: &Moment) -> DVec3 {
        if !self.is_turning() {
            return self.velocity;
        }
        if let Some(observer) = &self.observer {
            return observer.velocity_seen(&self.own(), point, moment.shift, &moment.observer);
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

    /// An upper bound of how much faster a point can become in a time, so far from the axis.
    pub fn speed_up(&self, radius: f64, time: f64) -> f64 {
        self.rates().map_or(0.0, |rates| rates.change_of_body(radius) * time)
    }

    /// The deviation of a point's path from the chord between two of its positions, so much time apart: the acceleration times
    /// the square of the time, over eight. `first` is the first of the positions, at a moment.
    #[inline]
    pub fn bulge(&self, start: DVec3, first: DVec3, moment: &Moment, time: f64) -> f64 {
        self.bulge_at(start, first, moment, time, self.rates().as_ref())
    }

    /// [`bulge`](Self::bulge), with the [`rates`](Self::rates) of the path.
    #[inline]
    pub(super) fn bulge_at(
        &self,
        start: DVec3,
        first: DVec3,
        moment: &Moment,
        time: f64,
        rates: Option<&Rates>,
    ) -> f64 {
        let radius = self.radius(start);
        if let Some(rates) = rates {
            let speed = self.velocity_at(first, moment).length();
            return rates.acceleration_of_body(radius, speed, time) * time * time / 8.0;
        }
        let angle = self.rate * time;
        (radius * angle * angle / 8.0).min(2.0 * radius)
    }
}
