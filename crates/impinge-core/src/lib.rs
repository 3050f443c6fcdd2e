//! The kernel of the collision library [`impinge`](https://docs.rs/impinge): numbers in, numbers out.
//!
//! It knows neither meshes nor models nor files.
//! Bounding volume hierarchies hold numbered elements, and narrow-phase tests take triangles.
//!
//! **This crate promises no semantic versioning.**
//! Anything may change in any release: `impinge` asks for one exact version of it and re-exports what its own API needs.
//! Use `impinge`, unless you are building another library on the same kernel and pin its version.
//!
//! | module | what it holds |
//! | --- | --- |
//! | [`tolerance`] | every tolerance: meaning, unit, value |
//! | [`math`] | vectors, re-exported from glam once |
//! | [`predicates`] | exact arithmetic: filters, expansions, dyadic numbers |
//! | [`parallel`] | the one door to the thread pool |
//! | [`simd`] | lanes, chosen at run time |
//! | [`transform`] | placements and motions |
//! | [`bounds`] | bounding volumes |
//! | [`bvh`] | bounding volume hierarchies: build, refit, traversal |
//! | [`heightfield`] | a grid of heights under rays and volumes |
//! | [`narrow`] | the narrow phase: triangle against triangle, ray and volume; continuous collision detection |

// The order of these lines is the law of the house: a module uses only modules above it.
pub mod tolerance;
pub mod math;
pub mod predicates;
pub mod parallel;
pub mod simd;
pub mod transform;
pub mod bounds;
pub mod bvh;
pub mod heightfield;
pub mod narrow;

pub use glam;
