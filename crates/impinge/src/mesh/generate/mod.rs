//! Shapes to test, measure and show with: seeded, and the same to the last bit on every platform.
mod boxes;
mod error;
mod fit;
mod gear;
mod noise;
mod pipes;
mod polyhedron;
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
