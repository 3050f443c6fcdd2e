//! Bounding volumes: fit, merge, overlap, image under a transform.

mod aabb;
mod dop;

pub use aabb::Aabb;
pub use dop::{Dop, directions};
