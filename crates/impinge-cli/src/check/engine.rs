//! The ways to search for an answer.

use clap::ValueEnum;
use clap::builder::PossibleValue;
use impinge::query;

/// A way to search. All give the same verdicts and pairs; they differ in the work that they do.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub(crate) enum Engine {
    /// Trees of boxes: the fastest
    Dop6,
    /// Trees of octahedra
    Dop8,
    /// Trees of boxes with their corners cut
    Dop14,
    /// Trees of boxes with their edges cut
    Dop18,
    /// Trees of boxes with corners and edges cut
    Dop26,
    /// Trees of the planes of the faces
    Bsp,
    /// Every face against every face
    Brute,
}

impl From<Engine> for query::Engine {
    fn from(engine: Engine) -> query::Engine {
        match engine {
            Engine::Dop6 => query::Engine::Dop6,
            Engine::Dop8 => query::Engine::Dop8,
            Engine::Dop14 => query::Engine::Dop14,
            Engine::Dop18 => query::Engine::Dop18,
            Engine::Dop26 => query::Engine::Dop26,
            Engine::Bsp => query::Engine::Bsp,
            Engine::Brute => query::Engine::Brute,
        }
    }
}

/// How `check` finds its answer: by one of the engines, or in images.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Way {
    Search(Engine),
    Image,
}

impl ValueEnum for Way {
    fn value_variants<'a>() -> &'a [Way] {
        use Engine::{Brute, Bsp, Dop6, Dop8, Dop14, Dop18, Dop26};
        const ALL: &[Way] = &[
            Way::Search(Dop6),
            Way::Search(Dop8),
            Way::Search(Dop14),
            Way::Search(Dop18),
            Way::Search(Dop26),
            Way::Search(Bsp),
            Way::Search(Brute),
            Way::Image,
        ];
        ALL
    }

    fn to_possible_value(&self) -> Option<PossibleValue> {
        match self {
            Way::Search(engine) => engine.to_possible_value(),
            Way::Image => {
                let help = "Edges drawn in images, as exact as their pixels: never says touching";
                Some(PossibleValue::new("image").help(help))
            }
        }
    }
}
