//! The shapes of the bodies and what they are in the game.

use std::sync::Arc;

use impinge::math::DVec3;
use impinge::mesh::MeshError;
use impinge::shapes::Shape;
use impinge::{Mesh, Model};
use serde::Serialize;

use super::ArenaError;

/// What a body is in the game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub enum Role {
    /// A hovertank with a player.
    Player,
    /// One that nobody flies.
    Tank,
    /// A repair pad.
    Pad,
    /// A box that becomes a pad when it hits the ground.
    Cargo,
    /// A box that stays one.
    Crate,
}

impl Role {
    /// In a word.
    pub fn name(self) -> &'static str {
        match self {
            Role::Player => "player",
            Role::Tank => "tank",
            Role::Pad => "pad",
            Role::Cargo => "cargo",
            Role::Crate => "crate",
        }
    }
}

/// The models: many bodies share each.
pub(crate) struct Models {
    pub(crate) tank: Arc<Model>,
    pub(crate) pad: Arc<Model>,
    pub(crate) cargo: Arc<Model>,
}

impl Models {
    pub(crate) fn new() -> Result<Models, ArenaError> {
        let sized = |shape: Shape, size: f64| -> Result<Arc<Model>, ArenaError> {
            let mesh = Mesh::from(shape.generate(200, 0));
            let bounds = mesh.bounds();
            let scale = size / bounds.size().max_element();
            let points = mesh.vertices().map(|vertex| (vertex - bounds.center()) * scale);
            Ok(Arc::new(Model::new(triangles(&mesh, points.collect())?)))
        };
        Ok(Models {
            tank: sized(Shape::Hovertank, 5.0)?,
            pad: sized(Shape::RepairPad, 12.0)?,
            cargo: sized(Shape::CargoBox, 2.0)?,
        })
    }

    pub(super) fn of(&self, role: Role) -> &Arc<Model> {
        match role {
            Role::Player | Role::Tank => &self.tank,
            Role::Pad => &self.pad,
            Role::Cargo | Role::Crate => &self.cargo,
        }
    }
}

/// The faces of a mesh as a table of triangles, which is quickest to look at.
pub(crate) fn triangles(mesh: &Mesh, points: Vec<DVec3>) -> Result<Mesh, MeshError> {
    Mesh::triangles(points, (0..mesh.face_count() as u32).flat_map(|face| mesh.fan(face)).collect())
}
