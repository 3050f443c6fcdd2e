//! How objects fall, pivot and come to rest: impulses at their contacts, with what they stand on as if it were fixed.

use std::collections::BTreeMap;

use impinge::math::{DMat3, DVec3};
use impinge::query::Contact;
use impinge::{Model, Motion};

use super::ArenaError;
use crate::blow::game_world::{CloseFeature, Entity, GameWorld, Moved};

const GRAVITY: f64 = 9.81;
/// Which share of its speed a body keeps when it bounces, and the speed below which nothing does.
const RESTITUTION: f64 = 0.2;
const BOUNCING: f64 = 1.0;
const FRICTION: f64 = 0.8;
/// Contacts are looked for within this.
const NEAR: f64 = 0.005;
const ROUNDS: usize = 6;
/// What is slower than this for so many steps stays where it is, if something holds it.
const SLOW: f64 = 0.25;
const SLOW_STEPS: u32 = 12;

/// How a body moves.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Moving {
    velocity: DVec3,
    /// The axis that it turns about, as long as the angle in radians a second.
    spin: DVec3,
    /// Of a body of mass 1, in its own axes.
    inverse_inertia: DVec3,
    radius: f64,
    slow_for: u32,
}

impl Moving {
    /// At rest. The inertia is that of the box around the model.
    pub(crate) fn new(model: &Model) -> Moving {
        let size = model.bounds().size();
        let square = size * size;
        let inertia = DVec3::new(square.y + square.z, square.z + square.x, square.x + square.y) / 12.0;
        Moving {
            velocity: DVec3::ZERO,
            spin: DVec3::ZERO,
            inverse_inertia: DVec3::ONE / inertia,
            radius: size.length() / 2.0,
            slow_for: 0,
        }
    }
}

/// A place where a body is held by another.
struct Touch {
    arm: DVec3,
    /// From the body to the other.
    normal: DVec3,
    /// How fast they may come closer.
    room: f64,
    /// The impulse so far, along the normal.
    pressed: f64,
}

/// How a body moves in the next step; not at all where it has come to rest.
pub(crate) fn motion(
    world: &dyn GameWorld,
    moving: &mut BTreeMap<Entity, Moving>,
    handle: Entity,
    seconds: f64,
) -> Result<Option<Motion>, ArenaError> {
    let Some(state) = moving.get_mut(&handle) else { return Ok(None) };
    let map = *world.placed(handle)?.placement().world_from_model();
    let inverse_inertia = map.matrix3 * DMat3::from_diagonal(state.inverse_inertia) * map.matrix3.transpose();
    let touches = touches(world, handle, map.translation, seconds)?;
    state.velocity.z -= GRAVITY * seconds;
    // Air.
    state.velocity *= 0.998;
    state.spin *= 0.98;
    press(state, inverse_inertia, touches);
    let speed = state.velocity.length() + state.spin.length() * state.radius;
    let is_held = !world.contacts_of(handle)?.is_empty();
    state.slow_for = if speed < SLOW && is_held { state.slow_for + 1 } else { 0 };
    if state.slow_for > SLOW_STEPS {
        (state.velocity, state.spin) = (DVec3::ZERO, DVec3::ZERO);
        return Ok(None);
    }
    let by = state.velocity * seconds;
    let degrees = (state.spin.length() * seconds).to_degrees();
    Ok(Some(if degrees < 1e-3 {
        Motion::translation(by)?
    } else {
        Motion::rigid(by, map.translation, state.spin, degrees)?
    }))
}

/// Where a body is held, from all that it touched in the last step.
fn touches(
    world: &dyn GameWorld,
    handle: Entity,
    center: DVec3,
    seconds: f64,
) -> Result<Vec<Touch>, ArenaError> {
    let mut touches = Vec::new();
    for other in world.contacts_of(handle)? {
        let contacts = Contact::reduce(&world.contacts_between(handle, other, NEAR)?, 4);
        touches.extend(contacts.into_iter().map(|contact| Touch {
            arm: contact.point_on_a - center,
            normal: contact.normal,
            room: contact.distance / seconds,
            pressed: 0.0,
        }));
    }
    Ok(touches)
}

/// Impulses, until nothing comes closer than it may.
fn press(state: &mut Moving, inverse_inertia: DMat3, mut touches: Vec<Touch>) {
    let yielding = |arm: DVec3, axis: DVec3| {
        let turn = arm.cross(axis);
        1.0 + turn.dot(inverse_inertia * turn)
    };
    for _ in 0..ROUNDS {
        for touch in &mut touches {
            let speed = state.velocity + state.spin.cross(touch.arm);
            let approach = speed.dot(touch.normal);
            let wanted = (approach - touch.room) / yielding(touch.arm, touch.normal);
            let before = touch.pressed;
            touch.pressed = (before + wanted).max(0.0);
            push(state, inverse_inertia, touch.arm, touch.normal * (before - touch.pressed));
            // Friction, as much as what presses allows.
            let slip = state.velocity + state.spin.cross(touch.arm);
            let slip = slip - touch.normal * slip.dot(touch.normal);
            if let Some(along) = slip.try_normalize() {
                let wanted = slip.length() / yielding(touch.arm, along);
                push(state, inverse_inertia, touch.arm, -along * wanted.min(FRICTION * touch.pressed));
            }
        }
    }
}

fn push(state: &mut Moving, inverse_inertia: DMat3, arm: DVec3, impulse: DVec3) {
    state.velocity += impulse;
    state.spin += inverse_inertia * arm.cross(impulse);
}

/// What a hit does to the speed of a body.
pub(crate) fn answer(
    world: &dyn GameWorld,
    moving: &mut BTreeMap<Entity, Moving>,
    made: &Moved,
) -> Result<(), ArenaError> {
    let Some(state) = moving.get_mut(&made.entity) else { return Ok(()) };
    let map = *world.placed(made.entity)?.placement().world_from_model();
    let inverse_inertia = map.matrix3 * DMat3::from_diagonal(state.inverse_inertia) * map.matrix3.transpose();
    for hit in &made.hits {
        let touch = |feature: &CloseFeature| {
            let arm = feature.point - map.translation;
            let approach = (state.velocity + state.spin.cross(arm)).dot(feature.normal);
            let room = if approach > BOUNCING { -RESTITUTION * approach } else { 0.0 };
            Touch { arm, normal: feature.normal, room, pressed: 0.0 }
        };
        let touches: Vec<Touch> = hit.features.iter().map(touch).collect();
        press(state, inverse_inertia, touches);
    }
    Ok(())
}
