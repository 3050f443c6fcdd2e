//! What can go wrong in a game.

use impinge::mesh::MeshError;

use crate::blow::game_world::GameError;

/// What can go wrong.
#[derive(Debug)]
#[non_exhaustive]
pub enum ArenaError {
    /// A model cannot be made.
    Mesh(MeshError),
    /// A shape cannot be made.
    Shape(impinge::shapes::ShapeError),
    /// A call that the world of the game refuses.
    World(GameError),
    /// A place out of range.
    Transform(impinge::TransformError),
}

impl std::fmt::Display for ArenaError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            ArenaError::Mesh(error) => error.fmt(f),
            ArenaError::Shape(error) => error.fmt(f),
            ArenaError::World(error) => error.fmt(f),
            ArenaError::Transform(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for ArenaError {}

macro_rules! from_error {
    ($($kind:ident($error:ty),)*) => {$(
        impl From<$error> for ArenaError {
            fn from(error: $error) -> ArenaError {
                ArenaError::$kind(error)
            }
        }
    )*};
}

from_error! {
    Mesh(MeshError),
    Shape(impinge::shapes::ShapeError),
    World(GameError),
    Transform(impinge::TransformError),
}
