//! The wall in a world of impinge: [`World::step`] moves everything at once, and the rest is the user's, as far as a small solver needs it.
//!
//! Before a step, impulses at the contacts of the last one keep bodies from being pressed into each other; after it, impulses answer the hits, with restitution and
//! friction. What is slow and held for some steps rests: it asks for no motion until something hits it, or what touches it leaves.

use std::collections::BTreeMap;
use std::sync::Arc;

use impinge::math::DVec3;
use impinge::query::{Contact, SweepHit};
use impinge::world::{Body as Collider, Handle, Move, StepOptions, World, WorldOptions};
use impinge::{Model, Motion, Placement};

use super::super::brick_wall::{MATERIAL, shoot};
use super::super::physics::{Body, Touch};
use super::{Play, RATE};

pub(super) const GRAVITY: DVec3 = DVec3::new(0.0, 0.0, -9.81);

/// The time of a step.
fn seconds() -> f64 {
    1.0 / f64::from(RATE)
}

/// The rounds of impulses over the contacts, and over the hits, of a step.
const ROUNDS: usize = 16;

/// The distance that impulses leave between bodies in contact, so that what they miss does not stop them.
const SLACK: f64 = 2e-4;

/// The places at which two bodies press each other.
const PLACES: usize = 4;

/// The planes by which what does not turn may be deflected in a step.
const PLANES: usize = 3;

/// What turns by less than this way of its farthest point, in a step, does not turn.
const LEAST_TURN: f64 = 1e-5;

/// What is slower than this for so many steps, and held by something, rests. What comes faster wakes it.
const SLOW: f64 = 0.25;
const SLOW_STEPS: u32 = 12;

/// Bodies of the wall are this near to each other, and are to know of each other.
const CONTACT_DISTANCE: f64 = 2e-3;

pub(super) struct ByImpinge<'m> {
    world: World,
    handles: Vec<Handle>,
    bodies: Vec<Body<'m>>,
    /// The steps for which each body has been slow.
    slow_for: Vec<u32>,
}

/// The speed of the fastest point of a body, at most.
fn speed(body: &Body<'_>) -> f64 {
    body.velocity.length() + body.spin.length() * body.radius
}

impl<'m> ByImpinge<'m> {
    pub(super) fn new(bodies: Vec<Body<'m>>, shapes: &[&Model]) -> ByImpinge<'m> {
        let options = WorldOptions::new().parallel(false).contact_distance(CONTACT_DISTANCE);
        let mut world = World::with_options(options);
        // Bodies of one shape share its model.
        let mut shared: BTreeMap<*const Model, Arc<Model>> = BTreeMap::new();
        let mut handles = Vec::new();
        for (number, (body, shape)) in bodies.iter().zip(shapes).enumerate() {
            let model =
                shared.entry(std::ptr::from_ref(*shape)).or_insert_with(|| Arc::new((*shape).clone()));
            let place = *body.placed.placement();
            // Balls wait to be shot.
            let is_fixed = body.is_fixed() && shape.radius() == 0.0;
            let collider = if is_fixed {
                Collider::fixed(Arc::clone(model), place)
            } else {
                Collider::moving(Arc::clone(model), place)
            };
            handles.push(world.insert(collider.with_data(number as u64)).expect("a place near the origin"));
        }
        assert!(world.overlaps().is_empty(), "the scene starts free");
        let slow_for = vec![0; bodies.len()];
        ByImpinge { world, handles, bodies, slow_for }
    }

    fn number(&self, handle: Handle) -> usize {
        self.world.get(handle).expect("a body that is there").data() as usize
    }

    /// Wakes what is in contact with something fast: it may be dragged along, or have lost what it stood on.
    fn wake_neighbors(&mut self) {
        let mut woken = Vec::new();
        for contact in self.world.contacts() {
            let [a, b] = contact.bodies.map(|handle| self.number(handle));
            for (mover, sleeper) in [(a, b), (b, a)] {
                let is_fast = self.bodies[mover].is_awake() && speed(&self.bodies[mover]) > SLOW;
                woken.extend((is_fast && self.bodies[sleeper].is_asleep).then_some(sleeper));
            }
        }
        woken.into_iter().for_each(|number| self.wake(number));
    }

    /// Impulses where bodies are in contact since the last step: they may come nearer to each other by as much as they are apart, but for the slack.
    fn pressed(&self) -> Vec<Touch> {
        let mut touches = Vec::new();
        for contact in self.world.contacts() {
            let pair = contact.bodies.map(|handle| self.number(handle));
            if !pair.iter().any(|number| self.bodies[*number].is_awake()) {
                continue;
            }
            let [a, b] = contact.bodies;
            let places = self.world.contacts_between(a, b, CONTACT_DISTANCE).expect("bodies that are there");
            touches.extend(Contact::reduce(&places, PLACES).iter().map(|place| {
                let room = (place.distance - SLACK) / seconds();
                Touch::new(
                    &self.bodies,
                    pair,
                    [place.point_on_a, place.point_on_b],
                    place.normal,
                    room,
                    &MATERIAL,
                )
            }));
        }
        touches
    }

    /// The motions of all that is awake.
    fn moves(&self) -> Vec<(Handle, Motion)> {
        let awake = self.handles.iter().zip(&self.bodies).filter(|(_, body)| body.is_awake());
        let motions = awake.map(|(handle, body)| {
            let (by, angle) = (body.velocity * seconds(), body.spin.length() * seconds());
            // What turns is stopped by what it meets; what does not slides on.
            let motion = if angle * body.radius > LEAST_TURN {
                Motion::rigid_radians(by, body.center(), body.spin, angle)
            } else {
                Motion::translation(by)
            };
            (*handle, motion.expect("a motion in range"))
        });
        motions.collect()
    }

    /// Impulses where bodies hit each other in a step. What is hit hard wakes up.
    fn bounce(&mut self, moves: &[Move]) -> Vec<Touch> {
        // Of two that hit each other, both tell; one impulse is enough.
        let mut hits = BTreeMap::new();
        for made in moves {
            let number = self.number(made.handle);
            for hit in &made.hits {
                let other = self.number(hit.other);
                if let Some(contact) = hit.hit {
                    hits.entry([number.min(other), number.max(other)]).or_insert(([number, other], contact));
                }
            }
        }
        let touch_of = |bodies: &[Body<'_>], (pair, contact): &([usize; 2], SweepHit)| {
            let points = [contact.point_on_moving, contact.point_on_stationary];
            Touch::new(bodies, *pair, points, contact.normal, 0.0, &MATERIAL)
        };
        let is_hard =
            |hit: &&([usize; 2], SweepHit)| touch_of(&self.bodies, hit).approach(&self.bodies) > SLOW;
        let woken: Vec<usize> = hits.values().filter(is_hard).flat_map(|hit| hit.0).collect();
        woken.into_iter().for_each(|number| self.wake(number));
        let mut touches: Vec<Touch> = hits.values().map(|hit| touch_of(&self.bodies, hit)).collect();
        for _ in 0..ROUNDS {
            touches.iter_mut().for_each(|touch| touch.correct(&mut self.bodies));
        }
        touches
    }

    /// Puts to rest what has been slow and held for long enough.
    fn rest(&mut self, is_held: &[bool]) {
        for ((body, slow_for), is_held) in self.bodies.iter_mut().zip(&mut self.slow_for).zip(is_held) {
            if !body.is_awake() {
                continue;
            }
            *slow_for = if speed(body) < SLOW && *is_held { *slow_for + 1 } else { 0 };
            if *slow_for > SLOW_STEPS {
                (body.velocity, body.spin, body.is_asleep) = (DVec3::ZERO, DVec3::ZERO, true);
            }
        }
    }

    fn wake(&mut self, number: usize) {
        self.bodies[number].is_asleep = false;
        self.slow_for[number] = 0;
    }
}

impl Play for ByImpinge<'_> {
    fn shoot(&mut self, ball: usize) {
        shoot(&mut self.bodies[ball]);
        self.slow_for[ball] = 0;
    }

    fn step(&mut self) {
        for body in self.bodies.iter_mut().filter(|body| body.is_awake()) {
            body.velocity += GRAVITY * seconds();
        }
        self.wake_neighbors();
        let mut pressed = self.pressed();
        for _ in 0..ROUNDS {
            pressed.iter_mut().for_each(|touch| touch.correct(&mut self.bodies));
        }
        let step = self.world.step_with(&self.moves(), &StepOptions::new().planes(PLANES));
        let step = step.expect("bodies that are there");
        for made in &step.moves {
            let number = self.number(made.handle);
            let body = &mut self.bodies[number];
            body.placed = body.placed.model().at(made.placement);
        }
        let left = step.ended.iter().flat_map(|contact| contact.bodies).map(|handle| self.number(handle));
        let woken: Vec<usize> = left.collect();
        woken.into_iter().for_each(|number| self.wake(number));
        let hit = self.bounce(&step.moves);
        let mut is_held = vec![false; self.bodies.len()];
        pressed.iter().chain(&hit).flat_map(Touch::bodies).for_each(|number| is_held[number] = true);
        self.rest(&is_held);
    }

    fn placements(&self) -> Vec<Placement> {
        self.bodies.iter().map(|body| *body.placed.placement()).collect()
    }

    fn awake(&self) -> usize {
        self.bodies.iter().filter(|body| body.is_awake()).count()
    }
}
