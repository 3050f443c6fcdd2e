//! Seeded generators of polyhedra to test, measure and show with.
//!
//! ```
//! let torus = impinge_shapes::torus(1.0, 0.25, 48, 24)?;
//! assert_eq!((torus.vertices().len(), torus.triangle_count()), (1152, 2304));
//! # Ok::<(), impinge_shapes::ShapeError>(())
//! ```
//!
//! There are three entry points:
//!
//! - Functions such as [`torus`] take the parameters of their shape and state the exact number of triangles as a formula.
//! - [`Shape`] knows every shape by name and finds parameters for a wanted number of triangles by itself.
//! - [`assembly`] and [`many_parts`] make a [`Scene`] of many parts with clashes planted among them; [`animated_assembly`] one that moves.
//!
//! A [`Polyhedron`] is plain vertices and faces.
//! The collision library [`impinge`](https://docs.rs/impinge) takes it with its feature `shapes`.
//!
//! Closed shapes face outwards (counter-clockwise seen from outside) and do not run into themselves.
//! Where two triangles join they share their vertices, so no edge ends in the middle of another.
//!
//! The bits of a shape are the same everywhere because only correctly rounded operations and `libm`'s functions are used, in a
//! fixed order; the tests pin a hash of every shape.

mod animated_assembly;
mod arena;
mod assembly;
mod boxes;
mod error;
mod fit;
mod gear;
mod many_parts;
mod noise;
mod pipes;
mod polyhedron;
mod products;
mod proportions;
mod random;
mod regular;
mod round;
mod scene;
mod shape;
mod surface;
mod tube;
mod turn;

pub use animated_assembly::{AnimatedScene, PartKeys, animated_assembly};
pub use assembly::assembly;
pub use boxes::{cuboid, cuboid_grid, cuboid_of_quads, stairs};
pub use error::ShapeError;
pub use gear::{Gear, gear};
pub use many_parts::{ManyParts, many_parts};
pub use noise::{bumpy_sphere, hills, random_soup};
pub use pipes::{Pipes, pipes};
pub use polyhedron::{Faces, Group, Polyhedron};
pub use random::Random;
pub use regular::{icosphere, octahedron, star, tetrahedron};
pub use round::{capsule, cone, cylinder, hollow_sphere, sphere, torus};
pub use scene::{Part, Planted, PlantedKind, Scene};
pub use shape::Shape;
pub use tube::knot;

use surface::Surface;
