//! Zachmann 1998: trees of discrete oriented polytopes, aligned on the fly.

mod dop_engine;
pub mod dop_tree;
mod faces_considered;

pub use dop_engine::DopEngine;
pub use faces_considered::faces_considered;
