//! Maia et al. 2006: transformation semantics, the broad phase, volumes, rays and triangles.

pub mod broad;
pub mod descent_rules;
pub mod rays;
pub mod semantics;
pub mod triangles;
pub mod volumes;
