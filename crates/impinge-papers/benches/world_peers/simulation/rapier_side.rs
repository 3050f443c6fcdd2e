//! rapier's physics pipeline: its broad phase, narrow phase, solver and, where it is on, its continuous collision detection.

use impinge::math::{DQuat, DVec3};
use impinge::{Mesh, Placement, Trs};
use rapier3d_f64::math::{Pose, Rotation, Vector};
use rapier3d_f64::prelude::{
    ColliderBuilder, PhysicsWorld, RigidBodyBuilder, RigidBodyHandle, SharedShape, TriMesh,
};

use super::Simulation;
use super::scene::{SECONDS, Scene, Shape, Walls};

/// `PhysicsWorld::step`.
pub(crate) struct ByRapier {
    world: PhysicsWorld,
    handles: Vec<RigidBodyHandle>,
}

pub(crate) fn vector(v: DVec3) -> Vector {
    Vector::new(v.x, v.y, v.z)
}

pub(crate) fn trimesh(mesh: &Mesh) -> SharedShape {
    let vertices = mesh.vertices().map(vector).collect();
    let faces = 0..mesh.face_count() as u32;
    let mesh = TriMesh::new(vertices, faces.flat_map(|face| mesh.fan(face)).collect());
    SharedShape::new(mesh.expect("a mesh of triangles"))
}

impl ByRapier {
    pub(crate) fn new(scene: &Scene, is_continuous: bool) -> ByRapier {
        ByRapier::build(scene, is_continuous, false)
    }

    /// A world in which what rests falls asleep.
    pub(crate) fn sleeping(scene: &Scene) -> ByRapier {
        ByRapier::build(scene, false, true)
    }

    pub(crate) fn world(&self) -> &PhysicsWorld {
        &self.world
    }

    fn build(scene: &Scene, is_continuous: bool, can_sleep: bool) -> ByRapier {
        let mut world = PhysicsWorld { gravity: vector(scene.gravity()), ..PhysicsWorld::default() };
        world.integration_parameters.dt = SECONDS;
        let [restitution, friction] = scene.restitution_and_friction();
        let shape = match scene.shape {
            Shape::Cube => SharedShape::cuboid(0.5, 0.5, 0.5),
            Shape::Ball => SharedShape::ball(0.5),
            Shape::Ring => trimesh(scene.shape.model().mesh()),
        };
        let of_material =
            |shape: SharedShape| ColliderBuilder::new(shape).restitution(restitution).friction(friction);
        let mut handles = Vec::new();
        for state in &scene.bodies {
            let turn = state.orientation;
            let rotation = Rotation::from_xyzw(turn.x, turn.y, turn.z, turn.w);
            let body = RigidBodyBuilder::dynamic()
                .pose(Pose::from_parts(vector(state.position), rotation))
                .linvel(vector(state.velocity))
                .angvel(vector(state.spin))
                .can_sleep(can_sleep)
                .ccd_enabled(is_continuous);
            handles.push(world.insert(body, of_material(shape.clone())).0);
        }
        match scene.walls {
            Walls::Boxes => {
                for [min, max] in scene.wall_boxes() {
                    let half = (max - min) / 2.0;
                    let shape = SharedShape::cuboid(half.x, half.y, half.z);
                    let body = RigidBodyBuilder::fixed().translation(vector((min + max) / 2.0));
                    world.insert(body, of_material(shape));
                }
            }
            Walls::Room(_) => {
                for mesh in scene.wall_meshes() {
                    world.insert(RigidBodyBuilder::fixed(), of_material(trimesh(&mesh)));
                }
            }
        }
        ByRapier { world, handles }
    }
}

impl Simulation for ByRapier {
    fn step(&mut self) {
        self.world.step();
    }

    fn begin(&mut self) {}

    fn contacts(&self) -> usize {
        self.world.narrow_phase.contact_pairs().filter(|pair| pair.has_any_active_contact()).count()
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

    fn speed(&self) -> f64 {
        let speeds = self.handles.iter().map(|handle| self.world.bodies[*handle].linvel().length());
        speeds.sum::<f64>() / self.handles.len() as f64
    }
}
