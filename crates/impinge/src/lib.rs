//! Collision detection for polyhedra: whether, where and when they collide, exactly, for any triangle or polygon mesh under any
//! invertible affine placement.
//!
//! ```
//! use impinge::{Model, Motion, Trs, Verdict, shapes};
//!
//! // What you bring: Mesh::triangles, ::polygons, ::terrain … take your own; these are generated, with the feature `shapes`.
//! let ring = Model::new(shapes::torus(1.0, 0.25, 48, 24)?);
//! let ball = Model::new(shapes::icosphere(0.5, 8)?);
//!
//! // Where they stand: translation, rotation, scale; or try_at with any matrix.
//! let a = ring.at(Trs::IDENTITY);
//! let b = ball.at(Trs::translation([0.0, 0.0, 3.0])?);
//! assert_eq!(a.verdict(&b), Verdict::Clear);
//! println!("{} apart", a.distance(&b).distance);
//!
//! // How far the ball can fall, and what it hits: never later than the first true touch.
//! let fall = b.sweep(&Motion::translation([0.3, 0.0, -4.0])?, &a);
//! println!("stopped after {} of the motion by {:?}", fall.fraction, fall.hit.map(|hit| hit.feature_stationary));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! Data flows one way: a [`Mesh`] is what you bring, a [`Model`] is the mesh made ready for queries, a [`Placed`] is a model and where it
//! stands, and a query asks about two of them. Models are immutable and [`Sync`]: keep an `Arc<Model>` and a [`Placement`] for each body.
//! Every element keeps the index that it had in your input.
//!
//! # Questions
//!
//! | question | method |
//! | --- | --- |
//! | do they intersect? how? | [`Placed::intersects`], [`Placed::verdict`], [`Placed::intersect`] |
//! | which faces, along which curve? | [`Placed::face_pairs`], [`Placed::intersection_curve`], [`Placed::contact_surface`] |
//! | how far apart, between which features? | [`Placed::distance`], [`Placed::distance_within`], [`Placed::is_within`] |
//! | how far can one move before they collide (time of impact)? | [`Placed::sweep`], [`Placed::sweep_with`] |
//! | where do they touch, with which normals? | [`Placed::contacts`] |
//! | how deep do they reach into each other, and what do they share? | [`Placed::penetration`], [`Placed::shared_volume`], [`Placed::shared_surface`] |
//! | which translation separates them? | [`Placed::separating_translation`] |
//! | what does a ray hit? | [`Placed::cast_ray`], [`Placed::cast_rays`], [`Placed::cast_ray_all`] |
//! | what is in a box, ball, capsule or frustum? | [`Placed::faces_touching`], [`Placed::touches`] |
//! | how far is a point, inside or outside? | [`Placed::closest_point`], [`Placed::signed_distance`] |
//! | which boxes of many overlap? | [`broad_phase::BroadPhase`] |
//! | what moves among many bodies? | [`World`] |
//! | which parts of an assembly clash? | [`clash::detect`], [`clash::detect_moving`] |
//!
//! Every question can be asked in three ways: `a.distance(&b)` with default options; `a.distance_with(&b, options)`, where options are made
//! with setters, such as `DistanceOptions::new().at_most(0.1)`; and `a.distance_in(&b, options, &mut scratch)`, which works in memory of
//! yours and allocates nothing in the long run. The first two take memory that the thread keeps.
//!
//! Faces can have [materials](Mesh::with_materials), numbers of yours that answers name. [`Placed::without_materials`] leaves some out for any
//! question, options such as [`SweepOptions::ignored_materials`](query::SweepOptions::ignored_materials) for one, and [`world::Body::ignoring_materials`] for a body.
//!
//! # Conventions
//!
//! - Coordinates are `f64`, in the unit of your input. Nothing assumes an up axis or a handedness.
//! - Faces of a solid are counter-clockwise seen from outside. Rotations follow the right-hand rule.
//! - Transforms are named `a_from_b`; points carry their frame in the name where there is more than one.
//! - Normals point from A to B, and from the moving body to what it hits; `surface_normal()` is the opposite.
//! - Lists are sorted by your indices; the same input gives the same bits with any number of threads and every SIMD level.
//!
//! # Guarantees
//!
//! - The [`Verdict`] and the pairs of faces are exact for the placed vertices: their `f64` images in the pair's canonical frame, which is the
//!   frame of the model with more faces. Where the numbers are so short that no vertex is rounded in the world, that is the frame.
//! - Exchanging the two models exchanges the names in the answer and nothing else.
//! - A [sweep](Placed::sweep) is never late: it stops no later than at the first true touch, at a pose that the exact test finds free.
//! - Any finite input gets an answer. NaN, infinity, an index out of range, an empty mesh or a singular matrix is a typed error that names the
//!   place. Nothing panics on what users bring.
//!
//! # Features
//!
//! - `parallel` (on by default): builds, batches and searches use the threads of rayon.
//! - `mint`: points, matrices and quaternions of mint, wherever those of glam are taken.
//! - `serde`: meshes, placements, motions, answers, and snapshots and logs of worlds are written and read; what is read is checked as everything else is.
//! - `shapes`: generated shapes, re-exported from the crate `impinge-shapes` as `shapes`; `Mesh::from` and [`Model::new`] take them.
//!
//! # Coming from parry or rapier
//!
//! | there | here |
//! | --- | --- |
//! | `TriMesh::new(vertices, indices)` | `Model::new(Mesh::triangles(vertices, indices)?)`, or `Mesh::indexed_triangles` with flat indices |
//! | `Ball::new`, `Capsule::new`, `RoundCuboid` | [`Model::ball`], [`Model::capsule`], [`Model::rounded`] |
//! | `query::intersection_test` | [`Placed::intersects`]; a body inside of another counts |
//! | `query::distance`, `closest_points` | [`Placed::distance`] |
//! | `query::cast_shapes` | [`Placed::sweep`] with [`Motion::translation`] |
//! | `query::cast_shapes_nonlinear` | [`Placed::sweep`] with [`Motion::rotation`] or [`Motion::between`] |
//! | `query::contact`, `contact_manifolds` | [`Placed::contacts`] |
//! | `Ray`, `cast_local_ray_and_get_normal` | [`query::Ray`], [`Placed::cast_ray`] |
//! | `cast_shape` of a ball or a capsule | [`World::cast_ball`], [`World::cast_capsule`], [`World::sweep`] |
//! | `Bvh` | [`broad_phase::BroadPhase`] |
//! | `RigidBodySet`, `KinematicCharacterController` | [`World`], [`World::slide`]: no forces, no dynamics |
//!
//! Files are read by the crate `impinge-formats`; the command `impinge` answers on the command line.
#![warn(missing_docs)]

// The order of these lines is the law of the house: a module uses only modules above it.

/// Vectors: those of glam, re-exported once.
pub mod math {
    #[doc(no_inline)]
    pub use impinge_core::glam::{DAffine3, DMat3, DMat4, DQuat, DVec2, DVec3, DVec4};
    pub use impinge_core::math::IntoPoint;
}

/// Placements and motions.
pub mod transform {
    pub use impinge_core::transform::{Motion, Phase, Placement, TransformError, TransformPart, Trs, Turn};
}

/// Bounding volumes, and volumes to ask about.
pub mod bounds {
    pub use impinge_core::bounds::{
        Aabb, Capsule, DepthRange, Frustum, HalfSpace, Obb, Plane, Sphere, VolumeError, VolumePart,
    };
}

mod options;
pub mod mesh;
pub mod model;
mod pair;
pub mod query;
pub mod broad_phase;
pub mod animation;
pub mod world;
pub mod clash;

pub use impinge_core::glam;
pub use impinge_core::simd::{SimdLevel, SimdLevelError};
#[doc(no_inline)]
pub use impinge_core::tolerance;
#[doc(no_inline)]
pub use impinge_core::transform::{Motion, Placement, TransformError, Trs};
#[cfg(feature = "shapes")]
pub use impinge_shapes as shapes;
pub use mesh::Mesh;
pub use model::{Deformable, Model, Placed};
pub use query::Verdict;
pub use world::World;

/// Placed models, models and worlds can be shared between threads and sent to others.
const _: () = {
    const fn is_shared<T: Send + Sync>() {}
    is_shared::<Mesh>();
    is_shared::<Model>();
    is_shared::<Placed<'_>>();
    is_shared::<Placement>();
    is_shared::<Motion>();
    is_shared::<World>();
    is_shared::<Deformable>();
};
