//! Feature against feature: exact tests that know neither models nor trees.

pub mod overlap;
pub mod volume;
pub mod ray;
pub mod winding;
