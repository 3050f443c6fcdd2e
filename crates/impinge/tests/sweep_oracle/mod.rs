//! The judge of sweeps: it shares no code with them, and shows for single cases that what a sweep says is right or wrong.
//!
//! A [`Case`] is a motion of one model towards another, a [`Claim`] what a sweep says of it. [`audit`] holds the claim
//! against four clauses: the fraction is not later than the first true touch; the stop pose is on the path and does not
//! overlap; at a hit, the models are as near there as is said; and every motion with a true touch is a hit.
//! Translations are decided without rounding ([`translation`]), rotations by proofs in up to 100 bits ([`rotation`]).
//! [`families`] makes cases that are hard, [`run`] makes a sweep answer many of them.
#![allow(dead_code, unreachable_pub, clippy::unwrap_used)]

pub mod apart;
pub mod arcs;
pub mod audit;
pub mod case;
pub mod driver;
pub mod families;
pub mod families_dirty;
pub mod geometry;
pub mod number;
pub mod queries;
pub mod reference;
pub mod rotation;
pub mod scene;
pub mod shapes;
pub mod translation;

#[allow(unused_imports)]
pub use {
    audit::{Audit, Violation, audit},
    case::{Case, Claim, Motion, Outcome},
    driver::run,
    rotation::Proof,
};
