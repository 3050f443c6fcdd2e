//! Splits of a range of elements: by the surface area heuristic (SAH), or at the median.

use super::super::WIDTH;
use super::bins::{Bins, Cut, Grid, deal};
use super::element::{Bounds, Centers, Element, around};
use super::few::{ANYWHERE, FEW, Places, divide};
use super::range::{Arena, Range};
use super::threads;
use crate::simd::{Lanes, Portable};

/// The rule by which ranges are split.
#[derive(Clone, Copy, Debug)]
pub(super) struct Splitter {
    /// The number of splits from which on splits are at the median, which bounds the depth. Above, they are where the areas of both boxes, each
    /// times its elements, add up to least.
    pub(super) deepest: u32,
    /// Whether threads may split a large range together.
    pub(super) parallel: bool,
}

/// Counts that fill nodes: a tree over `c` elements has no empty place in its nodes and leaves if `c` is 2 more than a
/// multiple of 6 (leaves of two; every node of four turns one place into four).
pub(super) const FULL: usize = 2;
const STEP: usize = 6;

/// Where to divide `count` elements so that one side has `rest` more than a multiple of [`STEP`]: as near to `at` as
/// possible. There must be more than `rest` elements.
fn nearest(count: usize, at: usize, rest: usize) -> usize {
    let from = |at: usize| {
        let below = if at < rest { rest } else { at - (at - rest) % STEP };
        [below, below + STEP]
    };
    let (a, b) = (from(at), from(count - at));
    let candidates = [a[0], a[1], count.wrapping_sub(b[0]), count.wrapping_sub(b[1])];
    let distance = |p: usize| (p.abs_diff(at), p.abs_diff(count / 2));
    candidates
        .into_iter()
        .filter(|&p| 0 < p && p < count && (p % STEP == rest || (count - p) % STEP == rest))
        .min_by_key(|&p| distance(p))
        .unwrap_or(at)
}

/// The places where one side has `rest` more than a multiple of [`STEP`].
#[inline(always)]
fn full_places(count: usize, rest: usize) -> Places {
    let mut places = 0;
    for at in 1..count.min(32) {
        places |= Places::from(at % STEP == rest || (count - at) % STEP == rest) << at;
    }
    places
}

impl Splitter {
    /// Splits the range at `places[0]`, which is no leaf: it becomes the first side, that at `places[1]` the second. With `rest`, one side gets that many more
    /// than a multiple of six. `bins` is memory.
    #[inline(always)]
    pub(super) fn split<L: Lanes>(
        self,
        arena: &mut Arena<'_>,
        ranges: &mut [Range; WIDTH],
        places: [usize; 2],
        rest: Option<usize>,
        bins: &mut Bins,
    ) {
        let range = &ranges[places[0]];
        let (count, at_median) = (range.len(), range.depth >= self.deepest);
        if count <= FEW && (!at_median || count <= 8) {
            let allowed = match rest {
                None if at_median => 1 << (count / 2),
                None => ANYWHERE,
                Some(rest) => full_places(count, rest),
            };
            let (middle, bounds) = divide::<L>(arena.of(range)[0], allowed);
            cut_range(ranges, places, middle, bounds, false);
            return;
        }
        if range.cut.is_none() {
            median(arena, ranges, places, rest);
        } else if let Some(rest) = rest {
            shifted::<L>(arena, ranges, places, rest);
        } else {
            self.binned::<L>(arena, ranges, places, bins);
            return;
        }
        for place in places {
            self.plan::<L>(arena, &mut ranges[place], bins);
        }
    }

    /// Whether a range will be split by bins.
    #[inline(always)]
    fn is_binned(self, range: &Range) -> bool {
        range.len() > FEW && range.depth < self.deepest
    }

    /// Finds the cut of a range, if it needs one.
    #[inline(always)]
    pub(super) fn plan<L: Lanes>(self, arena: &mut Arena<'_>, range: &mut Range, bins: &mut Bins) {
        if !self.is_binned(range) {
            return;
        }
        let [elements, _] = arena.of(range);
        let shared = self.parallel && elements.len() >= threads::LARGE;
        let grid = Grid::new(&if shared { threads::centers(elements) } else { Centers::of::<L>(elements) });
        if shared {
            *bins = threads::fill(elements, &grid);
        } else {
            bins.fill::<L>(elements, &grid);
        }
        bins.cut::<L>(0, range.len(), &grid, &mut range.cut);
    }

    /// Splits a range at its cut, and finds those of the sides.
    #[inline(always)]
    fn binned<L: Lanes>(
        self,
        arena: &mut Arena<'_>,
        ranges: &mut [Range; WIDTH],
        places: [usize; 2],
        bins: &mut Bins,
    ) {
        let range = &ranges[places[0]];
        let Cut { middle, sides, .. } = range.cut;
        let middle = middle as usize;
        let [from, to] = arena.of(range);
        let most = if middle > from.len() - middle { middle } else { from.len() - middle };
        if most <= FEW || range.depth + 1 >= self.deepest {
            deal::<L>(from, &range.cut, &mut to.split_at_mut(middle).into());
            cut_range(ranges, places, middle, sides, true);
            return;
        }
        let centers = range.cut.centers();
        let grids = [Grid::new(&centers[0]), Grid::new(&centers[1])];
        if self.parallel && range.len() >= threads::LARGE {
            *bins = threads::deal(from, &range.cut, to, &grids);
        } else {
            bins.deal::<L>(from, &range.cut, &mut to.split_at_mut(middle).into(), &grids);
        }
        cut_range(ranges, places, middle, sides, true);
        let mut is_sparse = [false; 2];
        for i in 0..2 {
            let side = &mut ranges[places[i]];
            if self.is_binned(side) {
                is_sparse[i] = bins.cut::<L>(i, side.len(), &grids[i], &mut side.cut);
            }
        }
        for i in 0..2 {
            if is_sparse[i] {
                self.plan::<L>(arena, &mut ranges[places[i]], bins);
            }
        }
    }
}

/// Makes the two sides of a range whose elements have been put in order; with `moved`, into the other memory.
#[inline(always)]
fn cut_range(
    ranges: &mut [Range; WIDTH],
    places: [usize; 2],
    middle: usize,
    bounds: [Bounds; 2],
    moved: bool,
) {
    let Range { first, count, depth, is_in_buffer, .. } = ranges[places[0]];
    let middle = middle as u32;
    let (firsts, counts) = ([first, first + middle], [middle, count - middle]);
    for i in 0..2 {
        let side = &mut ranges[places[i]];
        (side.first, side.count, side.depth) = (firsts[i], counts[i], depth + 1);
        side.is_in_buffer = is_in_buffer ^ moved;
        side.bounds = bounds[i];
        side.cut.axis = Cut::NONE.axis;
    }
}

/// Splits a range near its cut, so that one side has `rest` more than a multiple of six.
#[inline(always)]
fn shifted<L: Lanes>(arena: &mut Arena<'_>, ranges: &mut [Range; WIDTH], places: [usize; 2], rest: usize) {
    let range = &ranges[places[0]];
    let [from, to] = arena.of(range);
    let middle = range.cut.middle as usize;
    deal::<L>(from, &range.cut, &mut to.split_at_mut(middle).into());
    let at = nearest(range.len(), middle, rest);
    let mut bounds = range.cut.sides;
    shift(to, middle, at, range.cut.axis as usize, &mut bounds);
    cut_range(ranges, places, at, bounds, true);
}

/// Moves the border between two sides by handing over the elements nearest to it.
fn shift(elements: &mut [Element], from: usize, to: usize, axis: usize, bounds: &mut [Bounds; 2]) {
    let center = |element: &Element| element.center(axis);
    for border in (to..from).rev() {
        let furthest = (0..border)
            .fold(border, |most, i| if center(&elements[i]) > center(&elements[most]) { i } else { most });
        elements.swap(furthest, border);
        bounds[1].add(&elements[border].bounds);
    }
    for border in from..to {
        let furthest = (border + 1..elements.len())
            .fold(border, |most, i| if center(&elements[i]) < center(&elements[most]) { i } else { most });
        elements.swap(furthest, border);
        bounds[0].add(&elements[border].bounds);
    }
    if to < from {
        bounds[0] = around::<Portable>(&elements[..to]);
    } else if to > from {
        bounds[1] = around::<Portable>(&elements[to..]);
    }
}

/// Halves a range along the longest axis of its elements' centers.
fn median(arena: &mut Arena<'_>, ranges: &mut [Range; WIDTH], places: [usize; 2], rest: Option<usize>) {
    let [elements, _] = arena.of(&ranges[places[0]]);
    let axis = Centers::of::<Portable>(elements).longest_axis();
    let half = elements.len() / 2;
    let middle = rest.map_or(half, |rest| nearest(elements.len(), half, rest));
    elements.select_nth_unstable_by_key(middle, |element| (element.center(axis), element.id()));
    let bounds = [around::<Portable>(&elements[..middle]), around::<Portable>(&elements[middle..])];
    cut_range(ranges, places, middle, bounds, false);
}

#[cfg(test)]
mod tests {
    use super::nearest;

    #[test]
    fn one_side_fills_its_nodes() {
        for count in 9..100 {
            for at in 1..count {
                for rest in [2, 4] {
                    let p = nearest(count, at, rest);
                    assert!(p % 6 == rest || (count - p) % 6 == rest, "{count} at {at}: {p}");
                    assert!(0 < p && p < count && p.abs_diff(at) <= 4, "{count} at {at}: {p}");
                }
            }
        }
    }
}
