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

/// The pose of the observer at a time.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct ObserverPose {
    shift: DVec3,
    sin: f64,
    cos: f64,
}

impl Observer {
    pub(super) fn pose(&self, time: f64) -> ObserverPose {
        let angle = self.rate * time;
        ObserverPose { shift: self.velocity * time, sin: libm::sin(angle), cos: libm::cos(angle) }
    }

    /// A point as the observer sees it.
    pub(super) fn seen(&self, point: DVec3, pose: &ObserverPose) -> DVec3 {
        self.center + self.vector_seen(point - self.center - pose.shift, pose)
    }

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

    /// An upper bound of how fast the relative velocity changes of a point that moves at a speed of at most `speed`, of either body.
    fn change(&self, path: &Observer, speed: f64) -> f64 {
        let drift =
            (path.axis * path.rate).cross(path.velocity) - (self.axis * self.rate).cross(self.velocity);
        (self.spin(path).length() * speed + drift.length()) * (1.0 + 1e-9)
    }

    /// An upper bound of how fast the relative velocity changes of a point of the path's body, so far from its axis.
    pub(super) fn change_of_body(&self, path: &Observer, radius: f64) -> f64 {
        self.change(path, path.velocity.length() + path.rate * radius)
    }

    /// An upper bound of the acceleration that the observer sees of a point of the path's body, so far from its axis, that has a relative speed
    /// now, for a time.
    pub(super) fn acceleration_of_body(&self, path: &Observer, radius: f64, speed: f64, time: f64) -> f64 {
        let change = self.change_of_body(path, radius);
        (change + self.rate * (speed + change * time)) * (1.0 + 1e-9)
    }

    /// An upper bound of the acceleration of a point of the observer's that the path's body sees, if the point has a relative speed now,
    /// for a time.
    pub(super) fn acceleration_from_body(&self, path: &Observer, point: DVec3, speed: f64, time: f64) -> f64 {
        let radius = self.axis.cross(point - self.center).length();
        let change = self.change(path, self.velocity.length() + self.rate * radius);
        (change + path.rate * (speed + change * time)) * (1.0 + 1e-9)
    }
}

/// A vector turned about an axis of length 1.
#[inline]
pub(super) fn turned(arm: DVec3, axis: DVec3, sin: f64, cos: f64) -> DVec3 {
    let along = axis * axis.dot(arm);
    along + (arm - along) * cos + axis.cross(arm) * sin
}
