//! The ways to search for an answer.

use clap::ValueEnum;
use clap::builder::PossibleValue;
use impinge::query::{self, IntersectOptions, Intersection, Scratch, Stats, Volume, VolumeOptions};
use impinge::{Model, Placed};
use impinge_report::terminal::Error;

use papers::Trees;

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

/// What an engine needs to answer questions about two models, or about one.
pub(crate) struct Search<'m> {
    engine: Engine,
    trees: Vec<Trees<'m>>,
}

impl<'m> Search<'m> {
    /// A search by an engine among models. An engine that this build of the command lacks is refused.
    pub(crate) fn new(engine: Engine, models: &[&'m Model]) -> Result<Search<'m>, Error> {
        engine.check()?;
        Ok(Search { engine, trees: models.iter().map(|model| Trees::new(model)).collect() })
    }

    /// Whether the engine is the library's own, which takes the trees that models have.
    pub(crate) fn is_default(&self) -> bool {
        self.engine == Engine::Dop6
    }

    /// How the first model stands to the second; see [`Placed::intersect`](impinge::Placed::intersect).
    pub(crate) fn intersect(
        &self,
        a: &Placed<'_>,
        b: &Placed<'_>,
        options: IntersectOptions,
    ) -> Intersection {
        match self.engine.own() {
            Some(engine) => a.intersect_with(b, options.engine(engine)),
            None => papers::intersect(self.engine, [a, b], [&self.trees[0], &self.trees[1]], options),
        }
    }

    /// The faces of the first model that touch a volume, sorted; see [`query::faces_touching`].
    pub(crate) fn faces_touching(&self, placed: &Placed<'_>, volume: &Volume) -> (Vec<u32>, Stats) {
        let mut faces = Vec::new();
        let stats = match self.engine.own() {
            Some(engine) => placed.faces_touching_in(
                volume,
                VolumeOptions::new().engine(engine),
                &mut Scratch::default(),
                &mut faces,
            ),
            None => papers::faces_touching(self.engine, placed, &self.trees[0], volume, &mut faces),
        };
        (faces, stats)
    }
}

impl Engine {
    /// The library's own engines; none is a paper's.
    fn own(self) -> Option<query::Engine> {
        match self {
            Engine::Dop6 => Some(query::Engine::Bvh),
            Engine::Brute => Some(query::Engine::Brute),
            _ => None,
        }
    }

    /// Refuses an engine that this build of the command lacks.
    pub(super) fn check(self) -> Result<(), Error> {
        if self.own().is_some() || cfg!(feature = "papers") {
            return Ok(());
        }
        let name = self.to_possible_value().map_or(String::new(), |value| value.get_name().to_owned());
        Err(Error::option(
            format!("--engine {name}"),
            "this impinge was built without the papers' engines, its feature `papers`",
        ))
    }
}

/// The engines of the papers.
#[cfg(feature = "papers")]
mod papers {
    use impinge::Placed;
    use impinge::query::{IntersectOptions, Intersection, Stats, Volume};
    pub(super) use impinge_papers::engine::EngineTrees as Trees;
    use impinge_papers::engine::{self as papers, EngineScratch};

    use super::Engine;

    fn engine(engine: Engine) -> papers::Engine {
        match engine {
            Engine::Dop6 => papers::Engine::Dop6,
            Engine::Dop8 => papers::Engine::Dop8,
            Engine::Dop14 => papers::Engine::Dop14,
            Engine::Dop18 => papers::Engine::Dop18,
            Engine::Dop26 => papers::Engine::Dop26,
            Engine::Bsp => papers::Engine::Bsp,
            Engine::Brute => papers::Engine::Brute,
        }
    }

    pub(super) fn intersect(
        by: Engine,
        placed: [&Placed<'_>; 2],
        trees: [&Trees<'_>; 2],
        options: IntersectOptions,
    ) -> Intersection {
        engine(by).intersect(placed, trees, options, &mut EngineScratch::default())
    }

    pub(super) fn faces_touching(
        by: Engine,
        placed: &Placed<'_>,
        trees: &Trees<'_>,
        volume: &Volume,
        faces: &mut Vec<u32>,
    ) -> Stats {
        engine(by).faces_touching(placed, trees, volume, &mut EngineScratch::default(), faces)
    }
}

/// No engines of the papers: [`Search::new`] has refused them.
#[cfg(not(feature = "papers"))]
mod papers {
    use std::marker::PhantomData;

    use impinge::query::{IntersectOptions, Intersection, Stats, Volume};
    use impinge::{Model, Placed};

    use super::Engine;

    pub(super) struct Trees<'m>(PhantomData<&'m Model>);

    impl<'m> Trees<'m> {
        pub(super) fn new(_: &'m Model) -> Trees<'m> {
            Trees(PhantomData)
        }
    }

    pub(super) fn intersect(
        _: Engine,
        [a, b]: [&Placed<'_>; 2],
        _: [&Trees<'_>; 2],
        options: IntersectOptions,
    ) -> Intersection {
        a.intersect_with(b, options)
    }

    pub(super) fn faces_touching(
        _: Engine,
        placed: &Placed<'_>,
        _: &Trees<'_>,
        volume: &Volume,
        faces: &mut Vec<u32>,
    ) -> Stats {
        *faces = placed.faces_touching(volume);
        Stats::default()
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
