//! Rigid bodies that are moved by sweeps only, so that they never overlap (van Waveren 2005, §6).
//!
//! [`World::step`] is the whole of it: gravity, impulses where bodies are in contact, then every body in turn goes as far as a sweep
//! against all others lets it, with an impulse where it is stopped. Bodies with joints go together as far as the first of them gets.

mod body;
mod impulse;
mod joint;
mod multipliers;
mod together;
mod way;
mod world;

pub use body::{Body, Mass};
pub use impulse::{Material, Touch};
pub use joint::Joint;
pub use world::{StepError, Tally, World};
