//! What the numbered examples, which are files beside this one, and their tests share. It also makes the test command run what
//! the README shows.
#![doc = include_str!("../README.md")]

/// The page on characters, whose blocks the test command runs.
#[cfg(doctest)]
#[doc = include_str!("../docs/characters.md")]
pub struct CharactersPage;

pub mod debris;
pub mod figure;
pub mod level;
pub mod movie;
pub mod physics;
pub mod walker;
pub mod wall;
