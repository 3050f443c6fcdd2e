//! Our side of a contest: a number of directions, and a way of asking.

use std::time::Instant;

use impinge::model::Purpose;
use impinge::query::{IntersectOptions, PairCache, Scratch};
use impinge::{Model, Placement, Trs};
use serde::Serialize;

use crate::stopwatch::Stopwatch;
use crate::zachmann::DopEngine;

/// How queries are asked one after the other.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum Way {
    /// Every query for itself: nothing is known from the one before. The way in which peers are compared.
    Fresh,
}

/// A number of directions and a way of asking, with what is measured for it.
#[derive(Clone, Copy, Debug)]
pub struct Contender {
    /// The number of directions.
    pub k: usize,
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

impl Contender {
    /// The numbers that trees are made for: those of the paper, then two more.
    pub const ALL: [Contender; 5] = [
        Contender::fresh::<6>(),
        Contender::fresh::<8>(),
        Contender::fresh::<14>(),
        Contender::fresh::<18>(),
        Contender::fresh::<26>(),
    ];

    /// K directions, every query for itself.
    pub const fn fresh<const K: usize>() -> Contender {
        Contender { k: K, way: Way::Fresh, build: |model| Box::new(DopEngine::<K>::new(model)) }
    }

    /// Builds the tree of a model: how many nanoseconds it takes, and the tree.
    pub(super) fn build(&self, model: &Model) -> (f64, Box<dyn Tree>) {
        // The wall clock: several threads build.
        let start = Instant::now();
        let tree = (self.build)(model);
        (start.elapsed().as_secs_f64() * 1e9, tree)
    }
}

/// The tree of a model, of any number of directions.
pub(super) trait Tree {
    /// The bytes of the tree.
    fn bytes(&self, model: &Model) -> usize;
    /// Asks about the model and itself at these placements, one after the other.
    fn turn(
        &self,
        model: &Model,
        placements: &[Placement],
        scratch: &mut Scratch,
        answers: &mut [u8],
    ) -> Turn;
}

impl<const K: usize> Tree for DopEngine<K> {
    fn bytes(&self, model: &Model) -> usize {
        self.tree(model).bytes()
    }

    fn turn(
        &self,
        model: &Model,
        placements: &[Placement],
        scratch: &mut Scratch,
        answers: &mut [u8],
    ) -> Turn {
        let queries = placements.len() as u64;
        let mut turn = Turn { nanoseconds: 0.0, queries, box_tests: 0, visits: 0, face_tests: 0 };
        let still = model.at(Trs::IDENTITY);
        let ask = IntersectOptions::new().surface_only(true);
        let watch = Stopwatch::start();
        for (placement, answer) in placements.iter().zip(answers) {
            let placed = [&still, &model.at(*placement)];
            let (hit, work) = DopEngine::intersects([self, self], placed, ask, scratch);
            *answer = u8::from(hit);
            turn.box_tests += work.box_tests;
            turn.visits += work.visits;
            turn.face_tests += work.face_tests;
        }
        turn.nanoseconds = watch.nanoseconds();
        turn
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
