//! A world of impinge, with the least that makes a simulation of it: velocities, gravity, and what becomes of a velocity at a hit.
//!
//! Bodies that fly exchange an impulse at each hit, with restitution, as rigid bodies do. Bodies that fall slide along what they hit, lose the part of their
//! velocity that they could not use and what friction takes, and spin no more: so the pile is one of bodies that gravity presses together anew in every step.

use std::sync::Arc;

use impinge::math::DVec3;
use impinge::world::{Body, Handle, Move, StepOptions, World, WorldOptions};
use impinge::{Model, Motion, Placement, Trs};

use super::Simulation;
use super::scene::{FRICTION, Play, RESTITUTION, SECONDS, Scene};

/// [`World::step`] of all bodies at once, and impulses where bodies were stopped.
pub(crate) struct ByImpinge {
    world: World,
    handles: Vec<Handle>,
    bodies: Vec<Moving>,
    gravity: DVec3,
    play: Play,
    /// Whether all that came before the measurement is over.
    is_measured: bool,
    /// One over the moment of inertia, for a mass of 1.
    yielding: f64,
}

/// The planes by which a body that slides may be deflected in a step.
const PLANES: usize = 3;

/// How a body moves.
#[derive(Clone, Copy)]
struct Moving {
    center: DVec3,
    velocity: DVec3,
    spin: DVec3,
}

impl ByImpinge {
    pub(crate) fn new(scene: &Scene) -> ByImpinge {
        let mut world = World::with_options(WorldOptions::new().parallel(false));
        let model = Arc::new(scene.shape.model());
        let mut handles = Vec::new();
        let mut bodies = Vec::new();
        for state in &scene.bodies {
            let data = bodies.len() as u64;
            let body = Body::moving(Arc::clone(&model), state.placement()).with_data(data);
            handles.push(world.insert(body).expect("a free place"));
            bodies.push(Moving { center: state.position, velocity: state.velocity, spin: state.spin });
        }
        for mesh in scene.wall_meshes() {
            let wall = Body::fixed(Model::new(mesh), Trs::IDENTITY).with_data(u64::MAX);
            world.insert(wall).expect("a place for a wall");
        }
        assert!(world.overlaps().is_empty(), "the scene starts free");
        let yielding = 1.0 / scene.shape.inertia();
        ByImpinge {
            world,
            handles,
            bodies,
            gravity: scene.gravity(),
            play: scene.play,
            is_measured: false,
            yielding,
        }
    }

    pub(crate) fn world(&self) -> &World {
        &self.world
    }

    /// A step in which nothing moves.
    pub(crate) fn stand_still(&mut self) {
        self.world.step(&[]).expect("nothing that can fail");
    }

    /// What stopped a body leaves it the velocity with which it got on, less what friction takes, and no spin.
    fn come_to_rest(&mut self, body: usize, moved_by: DVec3) {
        let body = &mut self.bodies[body];
        let velocity = moved_by / SECONDS;
        let taken = FRICTION * (body.velocity - velocity).length();
        let left = velocity.length();
        body.velocity = if left > taken { velocity * (1.0 - taken / left) } else { DVec3::ZERO };
        body.spin = DVec3::ZERO;
    }

    /// The impulses of what stopped a body: the two part again.
    fn bounce(&mut self, a: usize, made: &Move) {
        for hit in &made.hits {
            let Some(contact) = hit.hit else { continue };
            let b = self.world.get(hit.other).expect("a body that is there").data() as usize;
            let normal = contact.normal;
            let point = (contact.point_on_moving + contact.point_on_stationary) / 2.0;
            let b = (b < self.bodies.len()).then_some(b);
            let arms = [Some(a), b].map(|body| body.map(|body| point - self.bodies[body].center));
            let relative = self.velocity_at(Some(a), point) - self.velocity_at(b, point);
            let closing = relative.dot(normal);
            if closing <= 0.0 {
                continue;
            }
            let yields = |axis: DVec3| -> f64 {
                let yields = |arm: &DVec3| 1.0 + self.yielding * arm.cross(axis).length_squared();
                arms.iter().flatten().map(yields).sum()
            };
            let strength = (1.0 + RESTITUTION) * closing / yields(normal);
            let impulse = normal * strength;
            for (body, sign) in [(Some(a), -1.0), (b, 1.0)] {
                let Some(body) = body.map(|body| &mut self.bodies[body]) else { continue };
                body.velocity += impulse * sign;
                body.spin += (point - body.center).cross(impulse) * (sign * self.yielding);
            }
        }
    }

    fn velocity_at(&self, body: Option<usize>, point: DVec3) -> DVec3 {
        body.map_or(DVec3::ZERO, |body| {
            let Moving { center, velocity, spin } = self.bodies[body];
            velocity + spin.cross(point - center)
        })
    }
}

impl Simulation for ByImpinge {
    fn step(&mut self) {
        let mut moves = Vec::with_capacity(self.bodies.len());
        for (handle, body) in self.handles.iter().zip(&mut self.bodies) {
            body.velocity += self.gravity * SECONDS;
            let (by, angle) = (body.velocity * SECONDS, body.spin.length() * SECONDS);
            let motion = if angle > 0.0 {
                Motion::rigid_radians(by, body.center, body.spin, angle)
            } else {
                Motion::translation(by)
            };
            moves.push((*handle, motion.expect("a motion in range")));
        }
        let slides = self.play == Play::Slides || (self.play == Play::Pile && !self.is_measured);
        let planes = if slides { PLANES } else { 0 };
        let step = self.world.step_with(&moves, &StepOptions::new().planes(planes));
        let step = step.expect("bodies that are there");
        let mut moved_by = Vec::with_capacity(self.bodies.len());
        for (body, made) in self.bodies.iter_mut().zip(&step.moves) {
            let center = made.placement.world_from_model().translation;
            moved_by.push(center - body.center);
            body.center = center;
        }
        for (number, made) in step.moves.iter().enumerate() {
            match self.play {
                _ if made.hits.is_empty() => {}
                Play::Flight => self.bounce(number, made),
                Play::Pile | Play::Slides => self.come_to_rest(number, moved_by[number]),
            }
        }
    }

    fn begin(&mut self) {
        self.is_measured = true;
    }

    fn contacts(&self) -> usize {
        self.world.contacts().len()
    }

    fn placements(&self) -> Vec<Placement> {
        let at = |handle: &Handle| *self.world.get(*handle).expect("a body that is there").placement();
        self.handles.iter().map(at).collect()
    }

    fn speed(&self) -> f64 {
        self.bodies.iter().map(|body| body.velocity.length()).sum::<f64>() / self.bodies.len() as f64
    }
}
