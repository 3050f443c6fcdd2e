//! Impulses at a place where two bodies touch or nearly touch, with restitution and friction.

use impinge::math::DVec3;

use super::Body;
use super::multipliers::{Change, Multipliers};

/// Where joints leave less than this share of what two free bodies would yield, they do not yield at all: no push between two bodies
/// helps that are held where they are by their joints.
const HELD: f64 = 1e-4;

/// What the surfaces are like; the same for all bodies.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Material {
    /// Which share of its speed a body keeps when it bounces.
    pub restitution: f64,
    /// Slower than this, nothing bounces: in meters a second.
    pub bouncing_speed: f64,
    /// The most that friction pulls, in multiples of what presses.
    pub friction: f64,
}

/// A place where body A and body B may push each other, and the impulse that they have exchanged there.
#[derive(Clone, Debug)]
pub struct Touch {
    bodies: [usize; 2],
    /// From the bodies' centers to the place.
    arms: [DVec3; 2],
    /// From A to B, then two directions square to it and to each other.
    axes: [DVec3; 3],
    /// One over how much the bodies yield along each axis.
    stiffness: [f64; 3],
    /// The fastest approach that is allowed; negative where the two have to part.
    approach_limit: f64,
    friction: f64,
    /// What the joints add to an impulse of 1 along each axis; nothing where the bodies have none.
    by_joints: [Vec<Change>; 3],
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
        let arms = [points[0] - bodies[a].center(), points[1] - bodies[b].center()];
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
            by_joints: Default::default(),
            impulse: [0.0; 3],
        };
        let approach = touch.approach(bodies);
        if approach > room.max(material.bouncing_speed) {
            touch.approach_limit = -material.restitution * approach;
        }
        touch
    }

    /// From now on the joints of the two bodies answer to every impulse at once, so that they hold whatever the contacts do.
    pub(super) fn pass_on(&mut self, bodies: &[Body<'_>], joints: &Multipliers) {
        for axis in 0..3 {
            let pushes = [(0, -1.0), (1, 1.0)].map(|(side, sign)| {
                let (number, push) = (self.bodies[side], self.axes[axis] * sign);
                bodies[number].change(number, push, self.arms[side].cross(push))
            });
            let changes = &mut self.by_joints[axis];
            joints.answer(&pushes, changes);
            // How much slower the two approach by an impulse of 1, with and without the joints.
            let slower = |changes: &[Change]| -> f64 {
                let of = |side: usize, sign: f64| {
                    let by = changes.iter().filter(|change| change.body == self.bodies[side]);
                    by.map(|change| {
                        sign * (change.velocity + change.spin.cross(self.arms[side])).dot(self.axes[axis])
                    })
                    .sum::<f64>()
                };
                of(1, 1.0) + of(0, -1.0)
            };
            let free = slower(&pushes);
            let yielding = free + slower(changes);
            self.stiffness[axis] = if yielding > HELD * free { 1.0 / yielding } else { 0.0 };
        }
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
        for (axis, push) in impulse.into_iter().enumerate() {
            self.exchange(bodies, axis, push);
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
        self.exchange(bodies, axis, self.impulse[axis] - before);
    }

    fn exchange(&self, bodies: &mut [Body<'_>], axis: usize, impulse: f64) {
        let [a, b] = self.bodies;
        let push_on_b = self.axes[axis] * impulse;
        bodies[a].push(-push_on_b, self.arms[0]);
        bodies[b].push(push_on_b, self.arms[1]);
        for Change { body, velocity, spin } in &self.by_joints[axis] {
            bodies[*body].velocity += *velocity * impulse;
            bodies[*body].spin += *spin * impulse;
        }
    }
}
