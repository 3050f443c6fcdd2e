//! From a scene in plain coordinates to a case: scaled, far from the origin, placed by matrices, with exchanged roles.

use impinge::Model;
use impinge::math::{DAffine3, DMat3, DQuat, DVec3};

use super::case::{Case, Motion};
use super::shapes::{Random, Shape};

/// Two shapes in the world and a motion of the first.
#[derive(Clone, Debug)]
pub struct Scene {
    pub moving: Shape,
    pub stationary: Shape,
    pub motion: Motion,
}

/// What may be done to a scene.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Dress {
    /// Nothing that rounds: powers of two, whole offsets, axes to axes.
    Exact,
    /// Anything.
    Any,
}

fn map_motion(motion: Motion, point: impl Fn(DVec3) -> DVec3, vector: impl Fn(DVec3) -> DVec3) -> Motion {
    match motion {
        Motion::Translation(v) => Motion::Translation(vector(v)),
        Motion::Rotation { center, axis, angle } => {
            Motion::Rotation { center: point(center), axis: vector(axis), angle }
        }
        Motion::Both { translation, center, axis, angle } => Motion::Both {
            translation: vector(translation),
            center: point(center),
            axis: vector(axis),
            angle,
        },
        Motion::Rigid { translation, center, axis, angle } => Motion::Rigid {
            translation: vector(translation),
            center: point(center),
            axis: vector(axis),
            angle,
        },
    }
}

impl Scene {
    pub fn new(moving: Shape, stationary: Shape, motion: Motion) -> Scene {
        Scene { moving, stationary, motion }
    }

    /// Everything mapped by a similarity without mirroring.
    fn mapped(self, point: impl Fn(DVec3) -> DVec3, vector: impl Fn(DVec3) -> DVec3) -> Scene {
        Scene {
            moving: self.moving.map(&point),
            stationary: self.stationary.map(&point),
            motion: map_motion(self.motion, point, vector),
        }
    }

    /// The other one moves instead, backwards: the same meeting seen from the other side.
    fn exchanged(self) -> Scene {
        match self.motion.reversed() {
            Some(motion) => Scene { moving: self.stationary, stationary: self.moving, motion },
            None => self,
        }
    }

    pub fn into_case(self, family: &'static str, seed: u64, dress: Dress, random: &Random) -> Case {
        let mut scene = self;
        if random.one_in(3) {
            scene = scene.exchanged();
        }
        let mut at = [DAffine3::IDENTITY; 2];
        let is_exact = dress == Dress::Exact || random.one_in(2);
        if is_exact {
            if random.one_in(4) {
                let scale = (random.below(31) as f64 - 10.0).exp2();
                scene = scene.mapped(|p| p * scale, |v| v * scale);
            }
            if random.one_in(4) {
                // Axes to axes, right-handed.
                let turn = |v: DVec3| DVec3::new(v.y, v.z, v.x);
                scene = scene.mapped(turn, turn);
            }
            if random.one_in(4) {
                // Both at the same far place: in their own frames the coordinates are the old ones.
                let far = random.lattice(9) * random.pick(&[1e3, 1e5, 1e6]);
                scene.motion = map_motion(scene.motion, |p| p + far, |v| v);
                at = [DAffine3::from_translation(far); 2];
            }
        } else {
            let scale = if random.one_in(3) { random.power(-3.0, 6.0) } else { 1.0 };
            let turn = random.turn();
            scene = scene.mapped(|p| turn * (p * scale), |v| turn * (v * scale));
            let far = match random.below(4) {
                0 => random.vector() * random.power(3.0, 7.0) * scale,
                _ => random.vector() * scale,
            };
            scene.motion = map_motion(scene.motion, |p| p + far, |v| v);
            at = at.map(|_| {
                let own = if random.one_in(2) { random.turn() } else { DQuat::IDENTITY };
                let shift = if random.one_in(2) { random.vector() * scale } else { DVec3::ZERO };
                DAffine3 { matrix3: DMat3::from_quat(own), translation: far + shift }
            });
            // Where a shape stands in the world, its own frame has it elsewhere.
            let own = |shape: Shape, at: DAffine3| {
                let (back, shift) = (at.matrix3.transpose(), at.translation - far);
                shape.map(|p| back * (p - shift))
            };
            scene.moving = own(scene.moving, at[0]);
            scene.stationary = own(scene.stationary, at[1]);
        }
        let moving = Model::new(scene.moving.mesh());
        let stationary = Model::new(scene.stationary.mesh());
        let two_sided = !(moving.is_closed() && stationary.is_closed());
        Case {
            family,
            seed,
            moving,
            stationary,
            world_from_moving: at[0],
            world_from_stationary: at[1],
            motion: scene.motion,
            two_sided,
        }
    }
}
