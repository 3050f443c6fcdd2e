//! Blow 1997: a game world and its chain of filters, and the planes of faces as the hard case.

pub mod arena;
mod bsp_engine;
pub mod filters;
pub mod game_world;
pub mod published;
pub mod solid_bsp;
mod swept;
pub mod world;

pub use bsp_engine::{BspEngine, BspEngineMemory};
pub use swept::SweptWorld;
