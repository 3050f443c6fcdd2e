//! The observer of a path: the other body where that turns too. Seen from it, it stands still and the moving body makes all of the relative
//! motion. `docs/math/sweeps.md` derives the bounds.

use crate::math::{DAffine3, DMat3, DVec3};

/// A body that moves with constant velocity and turns about an axis that moves along; others are seen from it. `path` is what another such body does.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Observer {
    /// The translation of the body, and of its axis, in a unit of time.
    pub velocity: DVec3,
    /// A point of the axis at time 0.
    pub center: DVec3,
    /// The direction of the axis, of length 1 up to rounding; the turn follows the right-hand rule.
    pub axis: DVec3,
    /// The angle in radians that the body turns by in a unit of time; not negative.
    pub rate: f64,
}

/// What bounds of accelerations take of an observer and of the body that it sees: the same for all points and times.
#[derive(Clone, Copy, Debug)]
pub(super) struct Rates {
    /// The rates at which the path's body and the observer's turn, and how fast both move.
    turning: [f64; 2],
    speeds: [f64; 2],
    /// How fast the one turns relative to the other.
    spin: f64,
    /// How fast the relative velocity changes of a point on both axes.
    drift: f64,
}

/// The pose of the observer at a time.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct ObserverPose {
    shift: DVec3,
    sin: f64,
    cos: f64,
}

impl Observer {
    #[inline]
    pub(super) fn pose(&self, time: f64) -> ObserverPose {
        let angle = self.rate * time;
        ObserverPose { shift: self.velocity * time, sin: libm::sin(angle), cos: libm::cos(angle) }
    }

    /// A point as the observer sees it.
    #[inline]
    pub(super) fn seen(&self, point: DVec3, pose: &ObserverPose) -> DVec3 {
        self.center + self.vector_seen(point - self.center - pose.shift, pose)
    }

    #[inline]
    fn vector_seen(&self, vector: DVec3, pose: &ObserverPose) -> DVec3 {
        turned(vector, self.axis, -pose.sin, pose.cos)
    }

    /// A map to points as the observer sees them.
    pub(super) fn map_seen(&self, map: DAffine3, pose: &ObserverPose) -> DAffine3 {
        let DMat3 { x_axis, y_axis, z_axis } = map.matrix3;
        let seen = |axis: DVec3| self.vector_seen(axis, pose);
        let matrix3 = DMat3::from_cols(seen(x_axis), seen(y_axis), seen(z_axis));
        DAffine3 { matrix3, translation: self.seen(map.translation, pose) }
    }

    /// The velocity, as the observer sees it, of a point of the path's body that it sees at `seen`.
    #[inline]
    pub(super) fn velocity_seen(
        &self,
        path: &Observer,
        seen: DVec3,
        shift: DVec3,
        pose: &ObserverPose,
    ) -> DVec3 {
        let point = self.center + pose.shift + turned(seen - self.center, self.axis, pose.sin, pose.cos);
        let own = path.axis.cross(point - path.center - shift) * path.rate;
        let carried = self.axis.cross(point - self.center - pose.shift) * self.rate;
        self.vector_seen(path.velocity - self.velocity + (own - carried), pose)
    }

    /// The angular velocity of a path's body relative to the observer.
    pub(super) fn spin(&self, path: &Observer) -> DVec3 {
        path.axis * path.rate - self.axis * self.rate
    }

    /// What bounds of accelerations take of the observer and of a path's body.
    pub(super) fn rates(&self, path: &Observer) -> Rates {
        let drift =
            (path.axis * path.rate).cross(path.velocity) - (self.axis * self.rate).cross(self.velocity);
        Rates {
            turning: [path.rate, self.rate],
            speeds: [path.velocity.length(), self.velocity.length()],
            spin: self.spin(path).length(),
            drift: drift.length(),
        }
    }

    /// The distance of a point that the observer sees from the observer's axis.
    #[inline]
    pub(super) fn radius_seen(&self, point: DVec3) -> f64 {
        self.axis.cross(point - self.center).length()
    }
}

impl Rates {
    /// An upper bound of how fast the relative velocity changes of a point of one of the two, so far from its axis: of the path's body, or of the observer's.
    #[inline]
    fn change(&self, side: usize, radius: f64) -> f64 {
        let speed = self.speeds[side] + self.turning[side] * radius;
        (self.spin * speed + self.drift) * (1.0 + 1e-9)
    }

    /// An upper bound of how fast the relative velocity changes of a point of the path's body, so far from its axis.
    #[inline]
    pub(super) fn change_of_body(&self, radius: f64) -> f64 {
        self.change(0, radius)
    }

    /// An upper bound of the acceleration that the observer sees of a point of the path's body, so far from its axis, that has a relative speed
    /// now, for a time.
    #[inline]
    pub(super) fn acceleration_of_body(&self, radius: f64, speed: f64, time: f64) -> f64 {
        let change = self.change(0, radius);
        (change + self.turning[1] * (speed + change * time)) * (1.0 + 1e-9)
    }

    /// An upper bound of the acceleration of a point of the observer's that the path's body sees, so far from the observer's axis, if the point has a relative
    /// speed now, for a time.
    #[inline]
    pub(super) fn acceleration_from_body(&self, radius: f64, speed: f64, time: f64) -> f64 {
        let change = self.change(1, radius);
        (change + self.turning[0] * (speed + change * time)) * (1.0 + 1e-9)
    }
}

/// A vector turned about an axis of length 1.
#[inline]
pub(super) fn turned(arm: DVec3, axis: DVec3, sin: f64, cos: f64) -> DVec3 {
    let along = axis * axis.dot(arm);
    along + (arm - along) * cos + axis.cross(arm) * sin
}
