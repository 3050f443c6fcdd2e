//! Impulses at a place where two bodies touch or nearly touch, with restitution and friction.

use impinge::math::DVec3;

use super::Body;

/// What the surfaces are like; the same for all bodies.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Material {
    /// Which share of its speed a body keeps when it bounces.
    pub restitution: f64,
    /// Slower than this, nothing bounces: in metres a second.
    pub bouncing_speed: f64,
    /// The most that friction pulls, in multiples of what presses.
    pub friction: f64,
}

/// A place where body A and body B may push each other, and the impulse that they have exchanged there.
#[derive(Clone, Copy, Debug)]
pub struct Touch {
    bodies: [usize; 2],
    /// From the bodies' centres to the place.
    arms: [DVec3; 2],
    /// From A to B, then two directions square to it and to each other.
    axes: [DVec3; 3],
    /// One over how much the bodies yield along each axis.
    stiffness: [f64; 3],
    /// The fastest approach that is allowed; negative where the two have to part.
    approach_limit: f64,
    friction: f64,
    /// Along each axis, on B.
    pub impulse: [f64; 3],
}

impl Touch {
    /// A place at `points` of A and B. `room` is how fast the two may come closer and still not meet too soon.
    pub fn new(
        bodies: &[Body<'_>],
        [a, b]: [usize; 2],
        points: [DVec3; 2],
        normal: DVec3,
        room: f64,
        material: &Material,
    ) -> Touch {
        let arms = [points[0] - bodies[a].centre(), points[1] - bodies[b].centre()];
        let (first, second) = normal.any_orthonormal_pair();
        let axes = [normal, first, second];
        let stiffness = axes.map(|axis| {
            let yielding = bodies[a].yielding(arms[0], axis) + bodies[b].yielding(arms[1], axis);
            if yielding > 0.0 { 1.0 / yielding } else { 0.0 }
        });
        let mut touch = Touch {
            bodies: [a, b],
            arms,
            axes,
            stiffness,
            approach_limit: room,
            friction: material.friction,
            impulse: [0.0; 3],
        };
        let approach = touch.approach(bodies);
        if approach > room.max(material.bouncing_speed) {
            touch.approach_limit = -material.restitution * approach;
        }
        touch
    }

    /// The two bodies.
    pub fn bodies(&self) -> [usize; 2] {
        self.bodies
    }

    /// How fast the two come closer.
    pub fn approach(&self, bodies: &[Body<'_>]) -> f64 {
        self.difference(bodies).dot(self.axes[0])
    }

    /// The velocity of A's point minus that of B's.
    fn difference(&self, bodies: &[Body<'_>]) -> DVec3 {
        let [a, b] = self.bodies;
        bodies[a].velocity_at(self.arms[0]) - bodies[b].velocity_at(self.arms[1])
    }

    /// Gives the bodies an impulse to begin with: the one of the step before, which is a good guess.
    pub fn begin_with(&mut self, bodies: &mut [Body<'_>], impulse: [f64; 3]) {
        self.impulse = impulse;
        for (axis, push) in self.axes.into_iter().zip(impulse) {
            self.exchange(bodies, axis * push);
        }
    }

    /// Corrects the impulse so that the two approach no faster than they may, and slip no more than friction allows.
    pub fn correct(&mut self, bodies: &mut [Body<'_>]) {
        let too_fast = self.approach(bodies) - self.approach_limit;
        // Bodies push, but never pull.
        self.add(bodies, 0, too_fast, [0.0, f64::INFINITY]);
        let most = self.friction * self.impulse[0];
        for axis in [1, 2] {
            let slip = self.difference(bodies).dot(self.axes[axis]);
            self.add(bodies, axis, slip, [-most, most]);
        }
    }

    fn add(&mut self, bodies: &mut [Body<'_>], axis: usize, speed: f64, [least, most]: [f64; 2]) {
        let before = self.impulse[axis];
        self.impulse[axis] = (before + speed * self.stiffness[axis]).clamp(least, most);
        self.exchange(bodies, self.axes[axis] * (self.impulse[axis] - before));
    }

    fn exchange(&self, bodies: &mut [Body<'_>], push_on_b: DVec3) {
        let [a, b] = self.bodies;
        bodies[a].push(-push_on_b, self.arms[0]);
        bodies[b].push(push_on_b, self.arms[1]);
    }
}
