//! The papers' benchmark protocols and the peers of impinge, in one run.

pub mod arena;
pub mod assembly;
pub mod broad;
pub mod chart;
pub mod crowd;
pub mod dop_tree;
pub mod filters;
pub mod image;
pub mod peer;
pub mod peerbench;
pub mod rays;
pub mod semantics;
pub mod stopwatch;
pub mod sweep;
pub mod triangles;
pub mod volumes;
pub mod world;
