//! Broad-phase algorithms that are chosen at run time.

use super::{Boxes, Brute, Bvh, Grid, Pair, PairFinder, Segment, SweepAndPrune};
use impinge_core::bounds::Aabb;

/// A broad-phase algorithm. All of them find the same pairs.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Algorithm {
    /// A bounding volume hierarchy: [`Bvh`].
    #[default]
    Bvh,
    /// Sweep and prune along one axis: [`SweepAndPrune`].
    SweepAndPrune,
    /// A uniform grid of columns: [`Grid::columns`].
    Columns,
    /// A uniform grid of cells: [`Grid::cells`].
    Cells,
    /// Brute force, every pair: [`Brute`].
    Brute,
}

impl Algorithm {
    /// All algorithms.
    pub const ALL: [Algorithm; 5] =
        [Algorithm::Bvh, Algorithm::SweepAndPrune, Algorithm::Columns, Algorithm::Cells, Algorithm::Brute];
}

/// A broad-phase engine of any algorithm.
#[derive(Clone, Debug)]
#[non_exhaustive]
#[allow(missing_docs, reason = "each is the engine of that name")]
pub enum AnyFinder {
    Bvh(Bvh),
    SweepAndPrune(Box<SweepAndPrune>),
    Grid(Grid),
    Brute(Brute),
}

impl AnyFinder {
    /// The engine of an algorithm.
    pub fn new(kind: Algorithm) -> AnyFinder {
        match kind {
            Algorithm::Bvh => AnyFinder::Bvh(Bvh::default()),
            Algorithm::SweepAndPrune => AnyFinder::SweepAndPrune(Box::default()),
            Algorithm::Columns => AnyFinder::Grid(Grid::columns()),
            Algorithm::Cells => AnyFinder::Grid(Grid::cells()),
            Algorithm::Brute => AnyFinder::Brute(Brute),
        }
    }

    fn engine(&self) -> &dyn PairFinder {
        match self {
            AnyFinder::Bvh(engine) => engine,
            AnyFinder::SweepAndPrune(engine) => &**engine,
            AnyFinder::Grid(engine) => engine,
            AnyFinder::Brute(engine) => engine,
        }
    }
}

impl PairFinder for AnyFinder {
    fn find(&mut self, boxes: &Boxes, found: &mut Vec<Pair>) {
        match self {
            AnyFinder::Bvh(engine) => engine.find(boxes, found),
            AnyFinder::SweepAndPrune(engine) => engine.find(boxes, found),
            AnyFinder::Grid(engine) => engine.find(boxes, found),
            AnyFinder::Brute(engine) => engine.find(boxes, found),
        }
    }

    fn near_box(&self, boxes: &Boxes, bounds: &Aabb, visit: &mut dyn FnMut(u32)) {
        self.engine().near_box(boxes, bounds, visit);
    }

    fn near_segment(&self, boxes: &Boxes, segment: &Segment, visit: &mut dyn FnMut(u32)) {
        self.engine().near_segment(boxes, segment, visit);
    }
}
