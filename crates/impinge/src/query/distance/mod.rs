//! Minimum distance of placed models, their closest points, and distances of points from them.
//!
//! `docs/math/distance.md` derives what the answers may be off by.

mod answer;
mod best;
mod frame;
mod pair;
mod point;
mod search;
mod winding;

pub use answer::{ClosestPoint, Distance, DistanceOptions, SignedDistance};
pub(super) use best::feature_of;
pub(super) use frame::MetricFrame;
pub use pair::distance;
pub(super) use pair::is_within;
pub(super) use point::closest_by_trying_all;
pub use point::{closest_point, signed_distance};
pub use winding::winding_number;
