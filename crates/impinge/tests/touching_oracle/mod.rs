//! The oracle of touching starts: it knows, in whole numbers and without the library, how two lattice solids stand to each
//! other at every time of a translation.
//!
//! A moving body that is the union of convex pieces overlaps a stationary one at the translations x of a union of open convex
//! polytopes, one for each pair of pieces, and meets it at those of the closed ones ([`obstacle`]). A motion is a line through
//! them; where it enters and leaves each is a fraction of whole numbers ([`timeline`]). Boxes and polycubes are unions of boxes
//! ([`solid`], with the meshes of [`surface`]), lattice polyhedra are convex ([`polyhedron`]). [`lift`] knows which lifts are
//! free, [`judge`] holds the answer of a sweep against all that, and
//! [`reference`] makes answers that it must accept.
#![allow(dead_code, unreachable_pub, clippy::unwrap_used)]

pub mod judge;
pub mod lattice;
pub mod lift;
pub mod obstacle;
pub mod polyhedron;
pub mod reference;
pub mod shapes;
pub mod solid;
pub mod stage;
pub mod surface;
pub mod tally;
pub mod timeline;
