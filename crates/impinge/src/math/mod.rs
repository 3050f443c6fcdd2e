//! Vectors (glam, re-exported once) and the arithmetic that decides.

mod point;

pub use glam::{DAffine3, DMat3, DMat4, DQuat, DVec2, DVec3};
pub use point::IntoPoint;
