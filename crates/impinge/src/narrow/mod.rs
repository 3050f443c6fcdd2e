//! Feature against feature: tests that know neither models nor trees.

pub mod closest;
pub mod ccd;
pub mod contact;
pub mod overlap;
pub mod volume;
pub mod ray;
pub mod winding;
