//! Bounding volumes: fit, merge, overlap, image under a transform.

mod aabb;

pub use aabb::Aabb;
