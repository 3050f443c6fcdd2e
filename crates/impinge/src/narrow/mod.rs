//! Feature against feature: tests that know neither models nor trees.

pub mod closest;
pub mod expel;
pub mod prism;
pub mod path;
pub mod translate;
pub mod rotate;
pub mod contact;
pub mod overlap;
pub mod volume;
pub mod ray;
pub mod winding;
