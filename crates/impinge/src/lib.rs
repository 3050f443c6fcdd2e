//! impinge tells whether, where and when polyhedra collide.
#![warn(missing_docs)]

// The order of these lines is the law of the house: a module uses only modules above it.
pub mod tolerance;
pub mod math;
pub mod transform;
pub mod bounds;
pub mod mesh;
pub mod model;
pub mod narrow;
pub mod query;

pub use glam;
pub use mesh::Mesh;
pub use model::{Model, Placed};
pub use query::Verdict;
pub use transform::{Placement, Trs};
