//! Up to four parts of a range of elements: the children of a node.
// Plain loops: closures and iterators would not be compiled for the wide lanes.
#![allow(clippy::needless_range_loop)]

use super::super::{LEAF_SIZE, WIDTH};
use super::bins::Bins;
use super::element::{Element, around};
use super::few::divide;
use super::range::{Arena, Range};
use super::split::{FULL, Splitter};
use crate::simd::Lanes;

/// Ranges up to this size are divided so that their nodes are full.
const SMALL: usize = 128;

/// Up to four parts of a range. The first `count` of them have a meaning.
///
/// Ranges are changed in their place: a copy of what was written in small pieces a moment ago would wait for it.
#[derive(Clone)]
pub(super) struct Parts {
    pub(super) each: [Range; WIDTH],
    pub(super) count: usize,
}

impl Parts {
    /// A range as the only part of itself.
    #[inline(always)]
    pub(super) fn new(range: &Range) -> Parts {
        Parts { each: [*range; WIDTH], count: 1 }
    }

    /// Splits the first and only part; with `full`, leaves and nodes are filled as far as possible.
    #[inline(always)]
    pub(super) fn split<L: Lanes>(
        &mut self,
        splitter: Splitter,
        full: bool,
        arena: &mut Arena<'_>,
        bins: &mut Bins,
    ) {
        let count = self.each[0].len();
        if self.each[0].is_leaf() {
            return;
        }
        if full && count <= 8 {
            self.pairs::<L>(arena);
            return;
        }
        let small = full && count <= SMALL;
        for turn in 0..WIDTH - 1 {
            // Small: the whole, then one half, then the other.
            let which = if small { turn / 2 } else { self.largest() };
            let count = self.each[which].len();
            if self.each[which].is_leaf() {
                continue;
            }
            // Small ranges are divided in two and two more parts, three of which will be full.
            let rest = if small && turn == 0 {
                Some(2 * FULL)
            } else if full && count <= SMALL * 8 {
                Some(FULL)
            } else {
                None
            };
            splitter.split::<L>(arena, &mut self.each, [which, self.count], rest, bins);
            self.count += 1;
        }
    }

    /// The part of the largest surface, counted for its elements, among those that can be split.
    #[inline(always)]
    fn largest(&self) -> usize {
        let (mut largest, mut most) = (0, -1.0);
        for i in 0..self.count {
            let part = &self.each[i];
            let cost = part.bounds.half_area() * part.len() as f32;
            if !part.is_leaf() && cost > most {
                (largest, most) = (i, cost);
            }
        }
        largest
    }

    /// Splits up to eight elements into leaves of two.
    #[inline(always)]
    fn pairs<L: Lanes>(&mut self, arena: &mut Arena<'_>) {
        let range = self.each[0];
        let [elements, _] = arena.of(&range);
        let depth = range.depth + pack::<L>(elements);
        self.count = 0;
        let mut done = 0;
        while done < range.len() {
            let count = (range.len() - done).min(LEAF_SIZE);
            let bounds = around::<L>(&elements[done..done + count]);
            let first = range.first + done as u32;
            self.each[self.count] = Range { first, count: count as u32, bounds, depth, ..range };
            self.count += 1;
            done += count;
        }
    }
}

/// Orders up to eight elements, so that pairs of neighbors make good leaves; returns the splits that it took.
#[inline(always)]
fn pack<L: Lanes>(elements: &mut [Element]) -> u32 {
    let count = elements.len();
    if count <= LEAF_SIZE {
        return 0;
    }
    let (mut first, mut splits) = (count, 1);
    if count > 4 {
        (first, _) = divide::<L>(elements, if count == 6 { 1 << 4 | 1 << 2 } else { 1 << 4 });
        splits = 2;
    }
    let (left, right) = elements.split_at_mut(first);
    for half in [left, right] {
        if half.len() > 2 {
            divide::<L>(half, 1 << 2);
        }
    }
    splits
}
