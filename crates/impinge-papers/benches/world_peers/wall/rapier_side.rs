//! The wall in rapier, with continuous collision detection for all bodies.

use impinge::math::{DQuat, DVec3};
use impinge::{Placement, Trs};
use rapier3d_f64::math::{Pose, Rotation};
use rapier3d_f64::prelude::{
    ColliderBuilder, PhysicsWorld, RigidBodyBuilder, RigidBodyHandle, RigidBodyType, SharedShape,
};

use super::super::brick_wall::{BALL_DENSITY, BRICK, BRICK_DENSITY, MATERIAL, SHOT};
use super::super::physics::Body;
use super::super::simulation::vector;
use super::impinge_side::GRAVITY;
use super::{Play, RADIUS, RATE};

/// The bodies in rapier, in the order of the example's: bricks as cuboids, balls as balls. What rests falls asleep.
pub(super) struct ByRapier {
    world: PhysicsWorld,
    handles: Vec<RigidBodyHandle>,
}

impl ByRapier {
    pub(super) fn new(start: &[Body<'_>], first_ball: usize) -> ByRapier {
        let mut rapier = PhysicsWorld { gravity: vector(GRAVITY), ..PhysicsWorld::default() };
        rapier.integration_parameters.dt = 1.0 / f64::from(RATE);
        let mut insert = |(number, body): (usize, &Body<'_>)| {
            let map = body.placed.placement().world_from_model();
            let turn = DQuat::from_mat3(&map.matrix3);
            let rotation = Rotation::from_xyzw(turn.x, turn.y, turn.z, turn.w);
            let pose = Pose::from_parts(vector(map.translation), rotation);
            let half = body.placed.model().bounds().size() / 2.0;
            let (shape, density) = if number >= first_ball {
                (SharedShape::ball(RADIUS), BALL_DENSITY)
            } else {
                (SharedShape::cuboid(half.x, half.y, half.z), BRICK_DENSITY)
            };
            let is_brick = half.abs_diff_eq(BRICK / 2.0, 1e-12);
            let body = if is_brick {
                RigidBodyBuilder::dynamic().sleeping(true)
            } else {
                // Balls wait to be shot.
                RigidBodyBuilder::fixed()
            };
            let collider = ColliderBuilder::new(shape)
                .density(density)
                .restitution(MATERIAL.restitution)
                .friction(MATERIAL.friction);
            rapier.insert(body.pose(pose).ccd_enabled(true), collider).0
        };
        let handles = start.iter().enumerate().map(&mut insert).collect();
        ByRapier { world: rapier, handles }
    }
}

impl Play for ByRapier {
    fn shoot(&mut self, ball: usize) {
        let body = &mut self.world.bodies[self.handles[ball]];
        body.set_body_type(RigidBodyType::Dynamic, true);
        body.set_linvel(vector(SHOT), true);
    }

    fn step(&mut self) {
        self.world.step();
    }

    fn placements(&self) -> Vec<Placement> {
        let at = |handle: &RigidBodyHandle| {
            let pose = self.world.bodies[*handle].position();
            let (to, turn) = (pose.translation, pose.rotation);
            let turn = DQuat::from_xyzw(turn.x, turn.y, turn.z, turn.w).normalize();
            Trs::rigid(DVec3::new(to.x, to.y, to.z), turn).expect("a place near the origin").into()
        };
        self.handles.iter().map(at).collect()
    }

    fn awake(&self) -> usize {
        let bodies = self.handles.iter().map(|handle| &self.world.bodies[*handle]);
        bodies.filter(|body| body.is_dynamic() && !body.is_sleeping()).count()
    }
}
