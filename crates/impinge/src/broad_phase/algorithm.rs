//! Broad-phase algorithms, chosen at run time.

use super::boxes::Boxes;
use super::brute::Brute;
use super::bvh::Bvh;
use super::finder::PairFinder;
use super::grid::Grid;
use super::pairs::Pair;
use super::segment::Segment;
use super::sweep_and_prune::SweepAndPrune;
use impinge_core::bounds::Aabb;

/// A broad-phase algorithm. All of them find the same pairs.
///
/// The tree was fastest in every scene that was measured; `impinge-papers broad` measures, here on one thread. With all boxes moving,
/// sweep and prune takes 1.6 times as long for up to 1,000 boxes, 2.4 times for 10,000 and 4.8 times for 100,000; with 10 % or 1 % of
/// these moving, 3 times. Two other ways were tried and dropped: an order along a space-filling curve (Morton) made traversals of the
/// tree take 1.2 to 1.3 times as long, as its nodes overlap more; a grid of columns, made anew in each step with a sweep along each
/// column, took 1.2 to 1.5 times as long with all boxes of like size moving, and 7 times with 1 % moving.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
#[cfg_attr(feature = "serde", derive(serde::Deserialize, serde::Serialize))]
pub enum Algorithm {
    /// A bounding volume hierarchy.
    #[default]
    Bvh,
    /// Sweep and prune along one axis.
    SweepAndPrune,
    /// A uniform grid of columns over the ground, which is across the third axis: for worlds in which few bodies stand on top of each
    /// other (Blow 1997, §I).
    Columns,
    /// A uniform grid of cells in space.
    Cells,
    /// Brute force: every box against every other.
    Brute,
}

impl Algorithm {
    /// All algorithms.
    pub const ALL: [Algorithm; 5] =
        [Algorithm::Bvh, Algorithm::SweepAndPrune, Algorithm::Columns, Algorithm::Cells, Algorithm::Brute];
}

/// The engine of an algorithm.
#[derive(Clone, Debug)]
pub(super) enum AnyFinder {
    Bvh(Box<Bvh>),
    SweepAndPrune(Box<SweepAndPrune>),
    Grid(Grid),
    Brute(Brute),
}

impl AnyFinder {
    /// The engine of an algorithm, empty.
    pub(super) fn new(algorithm: Algorithm) -> AnyFinder {
        match algorithm {
            Algorithm::Bvh => AnyFinder::Bvh(Box::default()),
            Algorithm::SweepAndPrune => AnyFinder::SweepAndPrune(Box::default()),
            Algorithm::Columns => AnyFinder::Grid(Grid::columns()),
            Algorithm::Cells => AnyFinder::Grid(Grid::cells()),
            Algorithm::Brute => AnyFinder::Brute(Brute),
        }
    }

    fn engine(&self) -> &dyn PairFinder {
        match self {
            AnyFinder::Bvh(engine) => &**engine,
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
