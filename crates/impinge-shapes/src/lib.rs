//! Shapes to test, measure and show with: seeded, and the same to the last bit on every platform.
//!
//! There are two entry points. The constructors of [`Mesh`](crate::Mesh), such as [`Mesh::torus`](crate::Mesh::torus), take
//! the parameters of their shape and state the exact number of triangles as a formula. [`Shape`] knows every shape by
//! name and finds parameters for a wanted number of triangles by itself.
//!
//! Closed shapes face outwards (counter-clockwise seen from outside) and do not run into themselves. Where two
//! triangles join they share their vertices, so no edge ends in the middle of another.
//!
//! The bits are the same everywhere because only correctly rounded operations and `libm`'s functions are used, in a
//! fixed order; the tests pin a hash of every shape.

mod arena;
mod assembly;
mod boxes;
mod error;
mod fit;
mod gear;
mod noise;
mod pipes;
mod polyhedron;
mod proportions;
mod random;
mod round;
mod shape;
mod surface;
mod tube;
mod turn;

pub use error::ShapeError;
pub use gear::Gear;
pub use pipes::Pipes;
pub use random::Random;
pub use shape::Shape;

use surface::Surface;
