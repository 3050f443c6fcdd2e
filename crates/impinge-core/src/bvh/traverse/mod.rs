//! Traversal of one tree or of two at once: one file for each kind of question.

mod descent;
mod distance;
mod pair;
mod point;
pub(super) mod ray;
mod stabbing;
mod swept;
mod volume;

pub use descent::Descent;
pub use distance::{DistanceStack, NearView, NearVisitor, walk_nearest};
pub use pair::{Aim, Front, Leaf, LeafVisitor, Leaves, Stack, walk, walk_by};
pub use point::walk_to_point;
pub use ray::{RayVisitor, TreeRay, walk_ray};
pub use stabbing::NearStack;
pub use swept::{SweptVisitor, walk_swept};
pub use volume::{Ball, MOST_SLABS, Slab, VolumeShape, VolumeStack, VolumeVisitor, walk_volume};
