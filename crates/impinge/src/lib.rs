//! impinge tells whether, where and when polyhedra collide: exactly, for any triangle or polygon mesh, under any
//! invertible affine placement.
//!
//! # Should I be here?
//!
//! - You have two meshes and want to know whether they meet, and be able to rely on the answer: yes. A 1 mm triangle 1 km
//!   from the origin, a mirrored copy, a part wholly inside another, two walls that share a face: all are decided as
//!   arithmetic without rounding would decide them.
//! - You have files, not numbers: start with the crate `impinge-formats`, or with the command `impinge`.
//! - You want bodies that push each other around: this tells where they meet, not how they move.
//!
//! # From a mesh to an answer
//!
//! ```
//! use impinge::{Mesh, Model, Trs, Verdict};
//!
//! // What you bring: here a torus and a ball; Mesh::triangles, ::polygons, ::strip, ::terrain … take your own.
//! let ring = Model::new(Mesh::torus(1.0, 0.25, 48, 24)?);
//! let ball = Model::new(Mesh::icosphere(0.5, 8)?);
//!
//! // Where they stand: translation, rotation, scale; or try_at with any matrix.
//! let ring = ring.at(Trs::IDENTITY);
//! assert_eq!(ring.verdict(&ball.at(Trs::IDENTITY)), Verdict::Clear);
//!
//! let ball = ball.at(Trs::translation([0.5, 0.0, 0.0])?);
//! assert_eq!(ring.verdict(&ball), Verdict::Overlapping);
//! let witness = ring.witness(&ball).expect("they overlap");
//! println!("faces {:?} meet at {}", witness.faces, witness.point_in_world);
//! for pair in ring.face_pairs(&ball) {
//!     println!("face {} meets face {}", pair.face_a, pair.face_b);
//! }
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! Data flows one way: a [`Mesh`] is what you bring, a [`Model`] is the mesh with what queries need to know of it, a
//! [`Placed`] is a model where it stands, and [`query`] asks about two of them. Every element keeps the index that
//! it had in your input.
//!
//! # What is guaranteed
//!
//! - The [`Verdict`] and the pairs of faces are exact for the placed vertices: the `f64` images of the vertices in the
//!   pair's canonical frame, which is the frame of the model with more faces. Where the numbers are so short that no
//!   vertex is rounded in the world, that is the frame, and the answer is the one of the baked models.
//! - Exchanging the two models exchanges the names in the answer and nothing else.
//! - A [sweep](query::sweep) is never late: it stops no later than at the first true touch, at a pose that the exact test finds free.
//! - Any finite input gets an answer. NaN, infinity, an index out of range, an empty mesh or a singular matrix is a
//!   typed error that names the place. Nothing panics on what users bring.
//! - The same input gives the same bits on every machine.
#![warn(missing_docs)]

// The order of these lines is the law of the house: a module uses only modules above it.
pub mod mesh;
pub mod model;
pub mod query;
pub mod broad_phase;
pub mod animation;
pub mod world;
pub mod clash;

/// Vectors: those of glam, re-exported once.
pub mod math {
    #[doc(no_inline)]
    pub use impinge_core::glam::{DAffine3, DMat3, DMat4, DQuat, DVec2, DVec3, DVec4};
    pub use impinge_core::math::IntoPoint;
}

/// Placements and motions.
pub mod transform {
    pub use impinge_core::transform::{
        MatrixArray, Motion, Phase, Placement, TransformError, TransformPart, Trs, Turn,
    };
}

/// Bounding volumes, and volumes to ask about.
pub mod bounds {
    pub use impinge_core::bounds::{
        Aabb, Capsule, DepthRange, Frustum, HalfSpace, Obb, Plane, Sphere, VolumeError, VolumePart,
    };
}

pub use impinge_core::glam;
pub use impinge_core::simd::{SimdLevel, SimdLevelError};
#[doc(no_inline)]
pub use impinge_core::tolerance;
#[doc(no_inline)]
pub use impinge_core::transform::{Motion, Placement, TransformError, Trs};
pub use mesh::Mesh;
pub use model::{Deformable, Model, Placed};
pub use query::Verdict;
pub use world::World;
