//! Traversal of one tree or of two at once: one file for each kind of question.

mod descent;
mod distance;
mod nearest;
mod pair;
mod point;
pub(super) mod ray;
mod stabbing;
mod swept;
mod swept_front;
mod turned;
mod volume;

pub use descent::Descent;
pub use distance::{DistanceStack, NearView, NearVisitor, traverse_distance};
pub use nearest::{NearestVisitor, PointBounds, traverse_nearest};
pub use pair::{Front, Goal, Leaf, LeafVisitor, Leaves, Stack, traverse_pair, traverse_pair_by};
pub use point::traverse_point;
pub use ray::{RayVisitor, TreeRay, traverse_ray};
pub use stabbing::NearStack;
pub use swept::{SweptQueue, SweptTrees, SweptVisitor};
pub use swept_front::{SweptDirection, SweptFronts};
pub use volume::{Ball, MOST_SLABS, Slab, VolumeShape, VolumeStack, VolumeVisitor, traverse_volume};
