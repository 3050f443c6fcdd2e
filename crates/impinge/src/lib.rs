//! impinge tells whether, where and when polyhedra collide.
#![warn(missing_docs)]

// The order of these lines is the law of the house: a module uses only modules above it.
pub mod bounds;
pub mod math;
pub mod mesh;
pub mod model;
pub mod narrow;
pub mod query;
pub mod tolerance;
pub mod transform;

pub use glam;
pub use mesh::Mesh;
pub use transform::{Placement, TransformError, Trs};
