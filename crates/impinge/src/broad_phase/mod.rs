//! The broad phase: which boxes overlap, and which pairs begin and end from step to step; it knows ids and boxes only
//! (Maia et al. 2006, §3.2).
//!
//! ```
//! use impinge::bounds::Aabb;
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
//! - Ids are the user's: any `u32` up to [`BroadPhase::LARGEST_ID`]. They index tables, so memory grows with the largest of them.
//! - Boxes are closed: those that touch overlap. The answer is that of comparing the `f64` bounds, whatever an engine
//!   compares before. Infinite bounds are legal, NaN and empty boxes are errors.
//! - The pairs are a function of the boxes alone, and what began and ended is the difference to the pairs of the step
//!   before. So an id that is removed and inserted again before the next step has moved: its pairs neither end nor
//!   begin if they still overlap. To reuse an id for something new and see the old pairs end, take a step in between.
//! - Lists are sorted by the lesser id, then by the greater, and are the same for every engine, every number of threads and
//!   every kind of lanes.

mod algorithm;
mod boxes;
mod brute;
mod bvh;
mod finder;
mod frame;
mod grid;
mod pairs;
mod radix;
mod segment;
mod sweep_and_prune;

pub use algorithm::Algorithm;
pub use boxes::BroadPhaseError;
pub use pairs::Pair;
pub use segment::Segment;

use algorithm::AnyFinder;
use boxes::{Boxes, LARGEST_ID};
use finder::PairFinder;
use impinge_core::bounds::Aabb;
use pairs::PairLists;

/// The broad phase: boxes by id, and the pairs of them that overlap.
#[doc(alias = "sweep and prune")]
#[derive(Clone, Debug)]
pub struct BroadPhase {
    boxes: Boxes,
    engine: AnyFinder,
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

impl Default for BroadPhase {
    fn default() -> BroadPhase {
        BroadPhase::new()
    }
}

impl BroadPhase {
    /// The largest id. Ids index tables, so that a stray large number must not ask for all memory.
    pub const LARGEST_ID: u32 = LARGEST_ID;

    /// An empty broad phase with the algorithm that is fastest in most scenes.
    pub fn new() -> BroadPhase {
        BroadPhase::with_algorithm(Algorithm::default())
    }

    /// An empty broad phase with a given algorithm.
    pub fn with_algorithm(algorithm: Algorithm) -> BroadPhase {
        BroadPhase {
            engine: AnyFinder::new(algorithm),
            boxes: Boxes::default(),
            lists: PairLists::default(),
            found: Vec::new(),
        }
    }

    /// The boxes as they are now.
    pub(crate) fn boxes(&self) -> &Boxes {
        &self.boxes
    }

    /// The number of boxes.
    pub fn len(&self) -> usize {
        self.boxes.len()
    }

    /// Whether there is no box.
    pub fn is_empty(&self) -> bool {
        self.boxes.len() == 0
    }

    /// The box of an id, where there is one.
    pub fn get(&self, id: u32) -> Option<&Aabb> {
        self.boxes.get(id)
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
        self.for_each_along(segment, |_, id| found.push(id));
        found.sort_unstable();
    }

    /// The ids of the boxes that [`along`](Self::along) finds, each with the part of the segment before which it does not touch the box: the
    /// first ones first, and of those that are touched together the least.
    pub(crate) fn along_in_order(&self, segment: &Segment, found: &mut Vec<(f64, u32)>) {
        found.clear();
        self.for_each_along(segment, |from, id| found.push((from, id)));
        found.sort_unstable_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
    }

    fn for_each_along(&self, segment: &Segment, mut visit: impl FnMut(f64, u32)) {
        let boxes = &self.boxes;
        self.engine.near_segment(boxes, segment, &mut |id| {
            if !boxes.is_changed(id)
                && let Some(from) = segment.touches_from(boxes.bounds(id))
            {
                visit(from, id);
            }
        });
        for &id in boxes.changed() {
            if let Some(from) = boxes.get(id).and_then(|bounds| segment.touches_from(bounds)) {
                visit(from, id);
            }
        }
    }
}
