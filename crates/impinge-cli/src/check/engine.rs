//! The ways to search for an answer.

use impinge::Placed;
use impinge::query::{Answer, Ask, brute};

/// A way to search. All give the same verdicts and pairs; they differ in the work that they do.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub(super) enum Engine {
    /// Every face against every face.
    Brute,
}

impl Engine {
    pub(super) fn check(self, a: &Placed<'_>, b: &Placed<'_>, ask: Ask) -> Answer {
        match self {
            Engine::Brute => brute::check(a, b, ask),
        }
    }
}
