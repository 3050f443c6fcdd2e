//! rapier's collision pipeline: bodies that are moved by the user, all of which may meet.

use rapier3d_f64::prelude::{
    ActiveCollisionTypes, BroadPhaseBvh, ColliderBuilder, ColliderHandle, ColliderSet, CollisionPipeline,
    IslandManager, NarrowPhase, RigidBodyBuilder, RigidBodyHandle, RigidBodySet, SharedShape,
};

use super::parry_side::trimesh;
use super::scene::{Moved, Scene};
use super::{CONTACT_DISTANCE, Found, Side};

/// `CollisionPipeline`, which keeps manifolds of contacts for all pairs.
pub(crate) struct ByRapier {
    pipeline: CollisionPipeline,
    islands: IslandManager,
    broad: BroadPhaseBvh,
    narrow: NarrowPhase,
    bodies: RigidBodySet,
    colliders: ColliderSet,
    handles: Vec<RigidBodyHandle>,
}

impl ByRapier {
    pub(crate) fn new(scene: &Scene) -> ByRapier {
        let shape = SharedShape::new(trimesh(scene));
        let (mut bodies, mut colliders) = (RigidBodySet::new(), ColliderSet::new());
        let mut insert = |body: &Moved| {
            let handle = bodies.insert(
                RigidBodyBuilder::kinematic_position_based().pose(body.pose).user_data(body.index.into()),
            );
            let collider = ColliderBuilder::new(shape.clone())
                .active_collision_types(ActiveCollisionTypes::all())
                .user_data(body.index.into());
            colliders.insert_with_parent(collider, handle, &mut bodies);
            handle
        };
        let handles = scene.bodies().iter().map(&mut insert).collect();
        ByRapier {
            pipeline: CollisionPipeline::new(),
            islands: IslandManager::new(),
            broad: BroadPhaseBvh::new(),
            narrow: NarrowPhase::new(),
            bodies,
            colliders,
            handles,
        }
    }
}

impl Side for ByRapier {
    fn step(&mut self, moved: &[Moved]) {
        for body in moved {
            let handle = self.handles[body.index as usize];
            self.bodies.get_mut(handle).expect("a body that is there").set_position(body.pose, true);
        }
        let Self { pipeline, islands, broad, narrow, bodies, colliders, .. } = self;
        pipeline.step(CONTACT_DISTANCE, islands, broad, narrow, bodies, colliders, &(), &());
    }

    fn found(&mut self, scene: &Scene) -> Found {
        let does_move = |handle: ColliderHandle| scene.does_move(self.colliders[handle].user_data as u32);
        let mut found = Found::default();
        for pair in self.narrow.contact_pairs() {
            if does_move(pair.collider1) || does_move(pair.collider2) {
                found.pairs += 1;
                found.contacts += usize::from(pair.has_any_active_contact());
            }
        }
        found
    }
}
