//! The broad phase: which boxes overlap, and which pairs begin and end from step to step; it knows ids and boxes only
//! (Maia et al. 2006, §3.2).
//!
//! ```
//! use impinge_core::bounds::Aabb;
//! use impinge::broad_phase::{BroadPhase, Pair};
//! use impinge::glam::DVec3;
//!
//! let unit = |x: f64| Aabb { min: DVec3::new(x, 0.0, 0.0), max: DVec3::new(x + 1.0, 1.0, 1.0) };
//! let mut broad = BroadPhase::new();
//! broad.insert(0, unit(0.0))?;
//! broad.insert(1, unit(5.0))?;
//! assert!(broad.step().pairs.is_empty());
//!
//! broad.move_to(1, unit(1.0))?; // They share a side: closed boxes overlap when they touch.
//! let step = broad.step();
//! assert_eq!((step.pairs, step.began), (&[Pair::new(0, 1)][..], &[Pair::new(0, 1)][..]));
//!
//! broad.remove(0)?;
//! assert_eq!(broad.step().ended, [Pair::new(0, 1)]);
//! # Ok::<(), impinge::broad_phase::BroadPhaseError>(())
//! ```
//!
//! # The contract of every engine
//!
//! - Ids are the user's: any `u32` up to [`LARGEST_ID`]. They index tables, so memory grows with the largest of them.
//! - Boxes are closed: those that touch overlap. The answer is that of comparing the `f64` bounds, whatever an engine
//!   compares before. Infinite bounds are legal, NaN and empty boxes are errors.
//! - The pairs are a function of the boxes alone, and what began and ended is the difference to the pairs of the step
//!   before. So an id that is removed and inserted again before the next step has moved: its pairs neither end nor
//!   begin if they still overlap. To reuse an id for something new and see the old pairs end, take a step in between.
//! - Lists are sorted by the lesser id, then by the greater, and are the same for every engine, every number of threads and
//!   every kind of lanes.

mod algorithm;
mod boxes;
#[doc(hidden)]
pub mod brute;
mod frame;
mod grid;
mod pairs;
mod radix;
mod segment;
mod sweep_and_prune;
mod bvh;

pub use algorithm::Algorithm;
#[doc(hidden)]
pub use algorithm::AnyFinder;
#[doc(hidden)]
pub use boxes::Boxes;
pub use boxes::{BroadPhaseError, LARGEST_ID};
#[doc(hidden)]
pub use brute::Brute;
pub use bvh::Bvh;
pub use grid::Grid;
pub use pairs::Pair;
pub use segment::Segment;
pub use sweep_and_prune::SweepAndPrune;

use impinge_core::bounds::Aabb;
use pairs::PairLists;

/// The engine that [`BroadPhase::new`] takes: [`Bvh`], which was fastest in every scene that was measured.
///
/// `impinge-papers broad` measures, here on one thread. With all boxes moving, [`SweepAndPrune`] takes 1.6 times as long for up
/// to 1,000 boxes, 2.4 times for 10,000 and 4.8 times for 100,000; with 10 % or 1 % of these moving, 3 times. Two other ways were tried and
/// dropped: an order along a space-filling curve (Morton) made traversals of the tree take 1.2 to 1.3 times as long, as
/// its nodes overlap more; a grid of columns, made anew in each step with a sweep along each column, took 1.2 to 1.5 times as
/// long with all boxes of like size moving, and 7 times with 1 % moving.
#[doc(hidden)]
pub type DefaultFinder = Bvh;

/// A broad-phase engine: finds overlapping boxes. Engines differ in speed only.
pub trait PairFinder {
    /// Takes in what [`Boxes::changed`] lists, and appends every overlapping pair with a changed box, once, in any order.
    /// Other overlapping pairs may be among them.
    fn find(&mut self, boxes: &Boxes, found: &mut Vec<Pair>);

    /// Shows at least those boxes that overlap `bounds` and have not changed since the last step; each at most once.
    fn near_box(&self, boxes: &Boxes, bounds: &Aabb, visit: &mut dyn FnMut(u32));

    /// Shows at least those boxes that `segment` may touch and that have not changed since the last step; each at most once.
    fn near_segment(&self, boxes: &Boxes, segment: &Segment, visit: &mut dyn FnMut(u32));
}

impl<E: PairFinder + ?Sized> PairFinder for Box<E> {
    fn find(&mut self, boxes: &Boxes, found: &mut Vec<Pair>) {
        (**self).find(boxes, found);
    }
    fn near_box(&self, boxes: &Boxes, bounds: &Aabb, visit: &mut dyn FnMut(u32)) {
        (**self).near_box(boxes, bounds, visit);
    }
    fn near_segment(&self, boxes: &Boxes, segment: &Segment, visit: &mut dyn FnMut(u32)) {
        (**self).near_segment(boxes, segment, visit);
    }
}

/// The broad phase: boxes by id, and the pairs of them that overlap.
#[derive(Clone, Debug, Default)]
pub struct BroadPhase<E = DefaultFinder> {
    boxes: Boxes,
    engine: E,
    lists: PairLists,
    found: Vec<Pair>,
}

/// The pairs after a step, each list sorted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Step<'b> {
    /// All pairs that overlap.
    pub pairs: &'b [Pair],
    /// The pairs that did not overlap in the step before.
    pub began: &'b [Pair],
    /// The pairs that overlapped in the step before, and do so no more.
    pub ended: &'b [Pair],
}

impl BroadPhase {
    /// An empty broad phase with the engine that is fastest in most scenes.
    pub fn new() -> BroadPhase {
        BroadPhase::default()
    }
}

impl<E: PairFinder> BroadPhase<E> {
    /// An empty broad phase with a given engine.
    pub fn with_engine(engine: E) -> BroadPhase<E> {
        BroadPhase { engine, boxes: Boxes::default(), lists: PairLists::default(), found: Vec::new() }
    }

    /// The boxes as they are now.
    pub fn boxes(&self) -> &Boxes {
        &self.boxes
    }

    /// Adds a box under an id that is free.
    pub fn insert(&mut self, id: u32, bounds: Aabb) -> Result<(), BroadPhaseError> {
        self.boxes.insert(id, bounds)
    }

    /// Replaces a box.
    #[inline]
    pub fn move_to(&mut self, id: u32, bounds: Aabb) -> Result<(), BroadPhaseError> {
        self.boxes.move_to(id, bounds)
    }

    /// Removes a box, and returns it.
    pub fn remove(&mut self, id: u32) -> Result<Aabb, BroadPhaseError> {
        self.boxes.remove(id)
    }

    /// Replaces many boxes, or none where there is an error.
    pub fn move_many(&mut self, moves: &[(u32, Aabb)]) -> Result<(), BroadPhaseError> {
        moves.iter().try_for_each(|(id, bounds)| self.boxes.may_move(*id, bounds))?;
        moves.iter().try_for_each(|(id, bounds)| self.boxes.move_to(*id, *bounds))
    }

    /// Finds the pairs that overlap now.
    pub fn step(&mut self) -> Step<'_> {
        self.found.clear();
        self.engine.find(&self.boxes, &mut self.found);
        self.lists.take(&mut self.found, &self.boxes);
        self.boxes.settle();
        self.last_step()
    }

    /// The pairs that the last [`step`](Self::step) found.
    pub fn last_step(&self) -> Step<'_> {
        let PairLists { current, began, ended, .. } = &self.lists;
        Step { pairs: current, began, ended }
    }

    /// The ids of the boxes that overlap `bounds`, sorted: as the boxes are now, stepped or not. Boxes that changed since the
    /// last step are tried one by one.
    pub fn overlapping(&self, bounds: &Aabb, found: &mut Vec<u32>) {
        found.clear();
        let boxes = &self.boxes;
        self.engine.near_box(boxes, bounds, &mut |id| {
            if !boxes.is_changed(id) && boxes.bounds(id).overlaps(bounds) {
                found.push(id);
            }
        });
        let changed = boxes.changed().iter().filter(|id| boxes.get(**id).is_some_and(|b| b.overlaps(bounds)));
        found.extend(changed);
        found.sort_unstable();
    }

    /// The ids of the boxes that the segment touches by [`Segment::may_touch`], sorted: as the boxes are now, stepped or
    /// not. Boxes that changed since the last step are tried one by one.
    pub fn along(&self, segment: &Segment, found: &mut Vec<u32>) {
        found.clear();
        let boxes = &self.boxes;
        self.engine.near_segment(boxes, segment, &mut |id| {
            if !boxes.is_changed(id) && segment.may_touch(boxes.bounds(id)) {
                found.push(id);
            }
        });
        let changed = boxes.changed().iter();
        found.extend(changed.filter(|id| boxes.get(**id).is_some_and(|b| segment.may_touch(b))));
        found.sort_unstable();
    }
}
