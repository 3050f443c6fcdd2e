//! A rigid body: a placed model with mass, velocity and spin.

use impinge::bounds::Aabb;
use impinge::math::{DMat3, DVec3};
use impinge::{Mesh, Model, Placed, Placement};

use super::multipliers::Change;

/// How hard a body is to push and to turn.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Mass {
    /// One over the mass; 0 for what nothing moves.
    pub inverse_mass: f64,
    /// The inverse of the inertia about the model's origin, in the model's axes.
    pub inverse_inertia: DMat3,
}

impl Mass {
    /// Nothing moves it.
    pub const FIXED: Mass = Mass { inverse_mass: 0.0, inverse_inertia: DMat3::ZERO };

    /// A closed mesh filled with matter. Its center of mass must be its origin, as it is for shapes that are symmetric about it.
    pub fn solid(mesh: &Mesh, density: f64) -> Mass {
        let (mut volume, mut second) = (0.0, DMat3::ZERO);
        for face in 0..mesh.face_count() as u32 {
            for triangle in mesh.fan(face) {
                // The tetrahedron from the origin: the integral of x xᵀ over it is V/20 (Σ pᵢ pᵢᵀ + s sᵀ), with s = Σ pᵢ.
                let [p, q, r] = triangle.map(|vertex| mesh.vertex(vertex));
                let part = p.dot(q.cross(r)) / 6.0;
                second += (outer(p) + outer(q) + outer(r) + outer(p + q + r)) * (part / 20.0);
                volume += part;
            }
        }
        Mass {
            inverse_mass: 1.0 / (volume * density),
            inverse_inertia: (inertia(second) * density).inverse(),
        }
    }

    /// A surface of thin matter, in mass per area. Its center of mass must be its origin.
    pub fn sheet(mesh: &Mesh, density: f64) -> Mass {
        let (mut area, mut second) = (0.0, DMat3::ZERO);
        for face in 0..mesh.face_count() as u32 {
            for triangle in mesh.fan(face) {
                // The integral of x xᵀ over a triangle is A/12 (Σ pᵢ pᵢᵀ + s sᵀ), with s = Σ pᵢ.
                let [p, q, r] = triangle.map(|vertex| mesh.vertex(vertex));
                let part = (q - p).cross(r - p).length() / 2.0;
                second += (outer(p) + outer(q) + outer(r) + outer(p + q + r)) * (part / 12.0);
                area += part;
            }
        }
        Mass { inverse_mass: 1.0 / (area * density), inverse_inertia: (inertia(second) * density).inverse() }
    }
}

/// v vᵀ.
fn outer(v: DVec3) -> DMat3 {
    DMat3::from_cols(v * v.x, v * v.y, v * v.z)
}

/// The inertia of what has this integral of x xᵀ.
fn inertia(second: DMat3) -> DMat3 {
    let trace = second.x_axis.x + second.y_axis.y + second.z_axis.z;
    DMat3::from_diagonal(DVec3::splat(trace)) - second
}

/// A body in the world.
#[derive(Clone, Debug)]
pub struct Body<'m> {
    /// The model, whose origin is the center of mass, and where it stands.
    pub placed: Placed<'m>,
    /// How hard it is to move.
    pub mass: Mass,
    /// Of the center of mass, in the world, per second.
    pub velocity: DVec3,
    /// The axis that it turns about, in the world, as long as the angle in radians per second.
    pub spin: DVec3,
    /// Sleeping bodies stand still as if nothing moved them, until something wakes them.
    pub is_asleep: bool,
    /// How far its farthest point is from its center.
    pub radius: f64,
    /// For how many seconds it has been slow.
    pub(super) slow_for: f64,
    /// How fast it got on in the last step, in meters a second: less than its velocity says where others are in its way.
    pub(super) pace: f64,
}

impl<'m> Body<'m> {
    /// A body at rest.
    pub fn new(model: &'m Model, mass: Mass, place: impl Into<Placement>) -> Body<'m> {
        Body {
            placed: model.at(place),
            mass,
            velocity: DVec3::ZERO,
            spin: DVec3::ZERO,
            is_asleep: false,
            radius: model.mesh().vertices().map(DVec3::length).fold(0.0, f64::max),
            slow_for: 0.0,
            pace: 0.0,
        }
    }

    /// Where its center of mass is, in the world.
    pub fn center(&self) -> DVec3 {
        self.placed.placement().world_from_model().translation
    }

    /// Whether it can move at all.
    pub fn is_fixed(&self) -> bool {
        self.mass.inverse_mass == 0.0
    }

    /// Whether it moves by itself now.
    pub fn is_awake(&self) -> bool {
        !self.is_fixed() && !self.is_asleep
    }

    /// No point of it has moved farther than this since it stood at `before`.
    pub(super) fn moved_since(&self, before: &Placed<'_>) -> f64 {
        let [now, then] = [self.placed, *before].map(|placed| *placed.placement().world_from_model());
        let turned = now.matrix3 - then.matrix3;
        let most = turned.to_cols_array().iter().map(|entry| entry * entry).sum::<f64>().sqrt();
        now.translation.distance(then.translation) + most * self.radius
    }

    /// A box around all places where it can be within so many seconds.
    pub(super) fn path(&self, seconds: f64) -> Aabb {
        let farthest = DVec3::splat(self.radius + self.velocity.length() * seconds);
        Aabb { min: self.center() - farthest, max: self.center() + farthest }
    }

    /// The velocity of the point of the body that is at `arm` from its center.
    pub fn velocity_at(&self, arm: DVec3) -> DVec3 {
        self.velocity + self.spin.cross(arm)
    }

    /// What an impulse of `push` at `arm` from the center does. Nothing to what is fixed or sleeps.
    pub fn push(&mut self, push: DVec3, arm: DVec3) {
        if self.is_awake() {
            self.velocity += push * self.mass.inverse_mass;
            self.spin += self.inverse_inertia() * arm.cross(push);
        }
    }

    /// How much the velocity at `arm` changes along `direction` by an impulse of 1 along it.
    pub fn yielding(&self, arm: DVec3, direction: DVec3) -> f64 {
        if !self.is_awake() {
            return 0.0;
        }
        let turn = arm.cross(direction);
        self.mass.inverse_mass + turn.dot(self.inverse_inertia() * turn)
    }

    /// What an impulse along and a turning impulse about an axis do; `number` is the body's own.
    pub(super) fn change(&self, number: usize, along: DVec3, about: DVec3) -> Change {
        if !self.is_awake() {
            return Change { body: number, velocity: DVec3::ZERO, spin: DVec3::ZERO };
        }
        let (velocity, spin) = (along * self.mass.inverse_mass, self.inverse_inertia() * about);
        Change { body: number, velocity, spin }
    }

    /// Adds a change of this body.
    pub(super) fn add(&mut self, change: &Change) {
        self.velocity += change.velocity;
        self.spin += change.spin;
    }

    pub(super) fn inverse_inertia(&self) -> DMat3 {
        let axes = self.placed.placement().world_from_model().matrix3;
        axes * self.mass.inverse_inertia * axes.transpose()
    }
}
