//! Blow 1997: a game world and its chain of filters.

pub mod arena;
pub mod filters;
pub mod world;
