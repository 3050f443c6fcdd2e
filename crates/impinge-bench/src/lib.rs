//! The papers' benchmark protocols and the peers of impinge, in one run.

pub mod chart;
pub mod dop_tree;
pub mod peer;
pub mod peerbench;
pub mod semantics;
mod stopwatch;
