//! Blow 1997: a game world and its chain of filters, and the planes of faces as the hard case.

pub mod arena;
mod bsp_engine;
mod bsp_test;
pub mod filters;
pub mod solid_bsp;
pub mod world;

pub use bsp_engine::{BspEngine, BspEngineMemory};
pub use bsp_test::bsp_test;
