//! Binned splits by the surface area heuristic (SAH), for many elements.
// Plain loops: closures and iterators would not be compiled for the wide lanes.
#![allow(clippy::needless_range_loop)]

use super::element::{Bounds, Centers, Element};
use super::rows::{Cut, Rows, cheapest};
use crate::simd::Lanes;

/// Bins along an axis. Fewer for small ranges are faster to fill, but traversals of such trees take half as long again.
const BINS: usize = 16;

/// From this many elements on, there are two sets of bins.
const MANY: usize = 256;

/// Bins along three axes.
pub(super) struct Bins {
    rows: Rows<BINS>,
    counts: [[u32; BINS]; 3],
}

/// The bins along three axes: that of an element is `(center - low) * factor`, rounded down.
#[derive(Clone, Copy)]
pub(super) struct Grid {
    low: [f32; 4],
    factor: [f32; 4],
}

impl Grid {
    #[inline(always)]
    pub(super) fn new(centers: &Centers) -> Grid {
        let mut grid = Grid { low: centers.low, factor: [0.0; 4] };
        grid.low[3] = 0.0;
        for axis in 0..3 {
            let factor = (BINS as f32 * 0.9999) / centers.size(axis);
            grid.factor[axis] = if factor.is_finite() { factor } else { 0.0 };
        }
        grid
    }

    /// The axes along which there is more than one bin, a bit each.
    #[inline(always)]
    fn axes(&self) -> u32 {
        let mut axes = 0;
        for axis in 0..3 {
            axes |= u32::from(self.factor[axis] > 0.0) << axis;
        }
        axes
    }

    #[inline(always)]
    fn is_left(&self, element: &Element, cut: Cut) -> bool {
        // As `put` has it, to the last bit.
        let bin = (element.center(cut.axis) - self.low[cut.axis]) * self.factor[cut.axis];
        // Numbers that are not negative are at least a whole one if their whole parts are.
        bin < cut.at as f32
    }
}

impl Bins {
    pub(super) const EMPTY: Bins = Bins { rows: [[Bounds::EMPTY; BINS]; 3], counts: [[0; BINS]; 3] };

    #[inline(always)]
    fn put<L: Lanes>(&mut self, element: &Element, low: L::F32x4, factor: L::F32x4) {
        let bounds = element.bounds.lanes::<L>();
        let bins = L::f32x4_whole(L::f32x4_mul(L::f32x4_sub(L::f32x4_difference(bounds), low), factor));
        for axis in 0..3 {
            let bin = bins[axis] as usize % BINS;
            let union = L::f32x8_max(self.rows[axis][bin].lanes::<L>(), bounds);
            L::f32x8_store(union, &mut self.rows[axis][bin].reach);
            self.counts[axis][bin] += 1;
        }
    }

    #[inline(always)]
    pub(super) fn of<L: Lanes>(elements: &[Element], grid: &Grid) -> Bins {
        let (low, factor) = (L::f32x4_load(&grid.low), L::f32x4_load(&grid.factor));
        let mut bins = Bins::EMPTY;
        if elements.len() < MANY {
            for element in elements {
                bins.put::<L>(element, low, factor);
            }
            return bins;
        }
        // Neighbors often share a bin: in turns, they do not wait for each other.
        let mut others = Bins::EMPTY;
        let (pairs, last) = elements.as_chunks::<2>();
        for [a, b] in pairs {
            bins.put::<L>(a, low, factor);
            others.put::<L>(b, low, factor);
        }
        for element in last {
            bins.put::<L>(element, low, factor);
        }
        bins.merge::<L>(&others);
        bins
    }

    #[inline(always)]
    pub(super) fn merge<L: Lanes>(&mut self, others: &Bins) {
        for axis in 0..3 {
            for bin in 0..BINS {
                let union =
                    L::f32x8_max(self.rows[axis][bin].lanes::<L>(), others.rows[axis][bin].lanes::<L>());
                L::f32x8_store(union, &mut self.rows[axis][bin].reach);
                self.counts[axis][bin] += others.counts[axis][bin];
            }
        }
    }

    /// Elements before the cut.
    #[inline(always)]
    pub(super) fn before(&self, cut: Cut) -> usize {
        let mut before = 0;
        for count in &self.counts[cut.axis][..cut.at] {
            before += count;
        }
        before as usize
    }

    /// The cut of least SAH cost, and the boxes of both sides.
    #[inline(always)]
    pub(super) fn cut<L: Lanes>(&self, count: usize, grid: &Grid) -> Option<(Cut, [Bounds; 2])> {
        let mut before = [[0; BINS]; 3];
        for axis in 0..3 {
            let mut sum = 0;
            for bin in 0..BINS {
                before[axis][bin] = sum;
                sum += self.counts[axis][bin];
            }
        }
        let cut = cheapest::<L, BINS>(&self.rows, &before, count as u32, grid.axes(), BINS / 2, &[0; BINS])?;
        Some((cut, cut.sides::<L, BINS>(&self.rows)))
    }
}

/// Moves the elements before the cut to `left`, in their order, the others to `right`, in reverse order. Both are as long as
/// the [`Bins`] say.
#[inline(always)]
pub(super) fn deal<L: Lanes>(
    elements: &[Element],
    grid: &Grid,
    cut: Cut,
    left: &mut [Element],
    right: &mut [Element],
) {
    let (mut next, mut last) = (0, right.len().wrapping_sub(1));
    let mut elements = elements.iter();
    // While both sides have room, every element is written to both; the one that is wrong is overwritten.
    while next < left.len() && last < right.len() {
        let Some(element) = elements.next() else { return };
        let is_left = grid.is_left(element, cut);
        let bounds = element.bounds.lanes::<L>();
        L::f32x8_store(bounds, &mut left[next].bounds.reach);
        L::f32x8_store(bounds, &mut right[last].bounds.reach);
        next += usize::from(is_left);
        last = last.wrapping_sub(usize::from(!is_left));
    }
    let last = last.wrapping_add(1);
    for (to, element) in left[next..].iter_mut().chain(right[..last].iter_mut().rev()).zip(elements) {
        *to = *element;
    }
}
