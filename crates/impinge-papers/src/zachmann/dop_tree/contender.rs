//! Our side of a contest: a kind of tree, and a way of asking.

use std::time::Instant;

use impinge::model::Purpose;
use impinge::query::{IntersectOptions, PairCache, Scratch, Stats};
use impinge::{Model, Placed, Placement, Trs};
use impinge_core::bvh::TreeBuilder;
use serde::Serialize;

use crate::stopwatch::Stopwatch;
use crate::zachmann::{DopEngine, ObbEngine, ObbMemory};

/// How queries are asked one after the other.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum Way {
    /// Every query for itself: nothing is known from the one before. The way in which peers are compared.
    Fresh,
}

/// The kind of a tree.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum TreeKind {
    /// K-DOPs, built by the surface area heuristic (SAH) as the library builds its own.
    Dop,
    /// K-DOPs, built as Zachmann 1998, §4.2.
    DopOfPaper,
    /// Oriented boxes: the OBB-tree of Gottschalk et al. 1996.
    Obb,
}

/// A kind of tree and a way of asking, with what is measured for it.
#[derive(Clone, Copy, Debug)]
pub struct Contender {
    /// The number of directions; 0 for oriented boxes, whose directions are their own.
    pub k: usize,
    /// The kind of the tree.
    pub tree: TreeKind,
    /// How queries are asked.
    pub way: Way,
    build: fn(&Model) -> Box<dyn Tree>,
}

/// A share of the full turn at one distance.
#[derive(Clone, Copy, Debug)]
pub(super) struct Turn {
    pub(super) nanoseconds: f64,
    pub(super) queries: u64,
    pub(super) box_tests: u64,
    pub(super) visits: u64,
    pub(super) face_tests: u64,
}

/// The memory of all kinds of trees.
#[derive(Debug, Default)]
pub(super) struct TurnMemory {
    scratch: Scratch,
    obb: ObbMemory,
}

impl Contender {
    /// All contenders: the paper's numbers of directions, two more, the paper's own construction, and the OBB-tree.
    pub const ALL: [Contender; 7] = [
        Contender::fresh::<6>(),
        Contender::fresh::<8>(),
        Contender::fresh::<14>(),
        Contender::fresh::<18>(),
        Contender::fresh::<26>(),
        Contender::of_paper::<6>(),
        Contender::obb(),
    ];

    /// K directions, every query for itself.
    pub const fn fresh<const K: usize>() -> Contender {
        Contender {
            k: K,
            tree: TreeKind::Dop,
            way: Way::Fresh,
            build: |model| Box::new(DopEngine::<K>::new(model)),
        }
    }

    /// K directions in a tree as the paper builds it, every query for itself.
    pub const fn of_paper<const K: usize>() -> Contender {
        Contender {
            k: K,
            tree: TreeKind::DopOfPaper,
            way: Way::Fresh,
            build: |model| Box::new(DopEngine::<K, _>::of_paper(model)),
        }
    }

    /// The OBB-tree, every query for itself.
    pub const fn obb() -> Contender {
        Contender {
            k: 0,
            tree: TreeKind::Obb,
            way: Way::Fresh,
            build: |model| Box::new(ObbEngine::new(model)),
        }
    }

    /// Builds the tree of a model: how many nanoseconds it takes, and the tree.
    pub(super) fn build(&self, model: &Model) -> (f64, Box<dyn Tree>) {
        // The wall clock: several threads build.
        let start = Instant::now();
        let tree = (self.build)(model);
        (start.elapsed().as_secs_f64() * 1e9, tree)
    }
}

/// The tree of a model, of any kind.
pub(super) trait Tree {
    /// The bytes of the tree.
    fn bytes(&self, model: &Model) -> usize;
    /// Whether the model at two placements meets itself, and how much work it took.
    fn intersects(&self, placed: [&Placed<'_>; 2], memory: &mut TurnMemory) -> (bool, Stats);
    /// Asks about the model and itself at these placements, one after the other.
    fn turn(
        &self,
        model: &Model,
        placements: &[Placement],
        memory: &mut TurnMemory,
        answers: &mut [u8],
    ) -> Turn {
        let queries = placements.len() as u64;
        let mut turn = Turn { nanoseconds: 0.0, queries, box_tests: 0, visits: 0, face_tests: 0 };
        let still = model.at(Trs::IDENTITY);
        let watch = Stopwatch::start();
        for (placement, answer) in placements.iter().zip(answers) {
            let (hit, work) = self.intersects([&still, &model.at(*placement)], memory);
            *answer = u8::from(hit);
            turn.box_tests += work.box_tests;
            turn.visits += work.visits;
            turn.face_tests += work.face_tests;
        }
        turn.nanoseconds = watch.nanoseconds();
        turn
    }
}

impl<const K: usize, B: TreeBuilder<K>> Tree for DopEngine<K, B> {
    fn bytes(&self, model: &Model) -> usize {
        self.tree(model).bytes()
    }

    fn intersects(&self, placed: [&Placed<'_>; 2], memory: &mut TurnMemory) -> (bool, Stats) {
        let ask = IntersectOptions::new().surface_only(true);
        DopEngine::intersects([self, self], placed, ask, &mut memory.scratch)
    }
}

impl Tree for ObbEngine {
    fn bytes(&self, _: &Model) -> usize {
        self.tree().bytes()
    }

    fn intersects(&self, placed: [&Placed<'_>; 2], memory: &mut TurnMemory) -> (bool, Stats) {
        let ask = IntersectOptions::new().surface_only(true);
        ObbEngine::intersects([self, self], placed, ask, &mut memory.obb)
    }
}

/// The mean nanoseconds of a query with 6 directions that remembers the one before, over the whole course in its order. The
/// answers are those of [`Way::Fresh`].
pub(super) fn cached_ns(model: &Model, course: &[(f64, Vec<Placement>)]) -> f64 {
    let ask = IntersectOptions::new().surface_only(true);
    let (mut scratch, mut queries, mut nanoseconds) = (Scratch::default(), 0, 0.0);
    // The cache takes the model's own tree, which the contest does not.
    model.prepare(Purpose::BVH);
    for (_, placements) in course {
        let mut pair = PairCache::new(model, model);
        let watch = Stopwatch::start();
        for placement in placements {
            std::hint::black_box(pair.intersects([Placement::IDENTITY, *placement], ask, &mut scratch));
        }
        nanoseconds += watch.nanoseconds();
        queries += placements.len();
    }
    nanoseconds / queries.max(1) as f64
}
