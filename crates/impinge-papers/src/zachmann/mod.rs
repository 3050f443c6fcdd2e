//! Zachmann 1998: trees of discrete oriented polytopes, aligned on the fly.

pub mod construction;
mod dop_engine;
pub mod dop_tree;
mod faces_considered;
mod obb_tree;

pub use dop_engine::{DopEngine, SahBuilder};
pub use faces_considered::faces_considered;
pub use obb_tree::{ObbEngine, ObbMemory, ObbTree};
