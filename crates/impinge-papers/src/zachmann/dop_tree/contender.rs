//! Our side of a contest: a number of directions, and a way of asking.

use std::time::Instant;

use impinge::model::{TreeOf, Trees};
use impinge::query::experiments::intersects_counted;
use impinge::query::{Engine, IntersectOptions, PairCache, Scratch};
use impinge::{Model, Placement, Trs};
use serde::Serialize;

use crate::stopwatch::Stopwatch;

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
    pub(super) turn: fn(&Model, &[Placement], &mut Scratch, &mut [u8]) -> Turn,
    build: fn(&Model) -> usize,
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
    pub const fn fresh<const K: usize>() -> Contender
    where
        Trees: TreeOf<K>,
    {
        let build = |model: &Model| {
            model.prepare_tree::<K>();
            model.dop_tree::<K>().bytes()
        };
        Contender { k: K, way: Way::Fresh, turn: fresh::<K>, build }
    }

    /// Builds the tree of a model that has none: how many nanoseconds it takes, and the bytes of the tree.
    pub(super) fn build(&self, model: &Model) -> (f64, usize) {
        // The wall clock: several threads build.
        let start = Instant::now();
        let bytes = (self.build)(model);
        (start.elapsed().as_secs_f64() * 1e9, bytes)
    }
}

/// The engine with trees of K-DOPs.
const fn engine<const K: usize>() -> Engine {
    match K {
        6 => Engine::Dop6,
        8 => Engine::Dop8,
        14 => Engine::Dop14,
        18 => Engine::Dop18,
        _ => Engine::Dop26,
    }
}

fn fresh<const K: usize>(
    model: &Model,
    placements: &[Placement],
    scratch: &mut Scratch,
    answers: &mut [u8],
) -> Turn
where
    Trees: TreeOf<K>,
{
    let queries = placements.len() as u64;
    let mut turn = Turn { nanoseconds: 0.0, queries, box_tests: 0, visits: 0, face_tests: 0 };
    let still = model.at(Trs::IDENTITY);
    let ask = IntersectOptions { surface_only: true, engine: engine::<K>(), ..IntersectOptions::default() };
    let watch = Stopwatch::start();
    for (placement, answer) in placements.iter().zip(answers) {
        let (hit, work) = intersects_counted(&still, &model.at(*placement), ask, scratch);
        *answer = u8::from(hit);
        turn.box_tests += work.box_tests;
        turn.visits += work.visits;
        turn.face_tests += work.face_tests;
    }
    turn.nanoseconds = watch.nanoseconds();
    turn
}

/// The mean nanoseconds of a query with 6 directions that remembers the one before, over the whole course in its order. The
/// answers are those of [`fresh`].
pub(super) fn cached_ns(model: &Model, course: &[(f64, Vec<Placement>)]) -> f64 {
    let ask = IntersectOptions { surface_only: true, ..IntersectOptions::default() };
    let (mut scratch, mut queries, mut nanoseconds) = (Scratch::default(), 0, 0.0);
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
