//! Bounding volumes: fit, merge, overlap, image under a transform; and solid volumes to ask about.

mod aabb;
mod dop;
mod error;
mod frustum;
mod half_space;
mod obb;
mod round;

pub use aabb::Aabb;
pub use dop::{Dop, directions};
pub use error::{VolumeError, VolumePart};
pub use frustum::{DepthRange, Frustum};
pub use half_space::{HalfSpace, Plane};
pub use obb::Obb;
pub use round::{Capsule, Sphere};
