//! The narrow phase: tests of feature against feature that know neither models nor trees.

pub mod distance;
pub mod ccd;
pub mod contact;
pub mod contact_batch;
pub mod tri_tri;
pub mod volume;
pub mod ray_tri;
pub mod winding;
