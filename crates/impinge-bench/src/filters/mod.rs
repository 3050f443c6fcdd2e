//! The figures of paper 003, "Let's Rock": the bodies of a game, and what it takes to tell them apart.

mod run;

pub use run::{Run, Way, run, ways};
