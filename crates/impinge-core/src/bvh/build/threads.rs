//! Work on large ranges of elements by threads, chunk by chunk, with the result that one thread would get.

use super::bins::{Bins, Cut, Grid, count_left};
use super::element::{Centers, Element};
use crate::parallel::{map_chunks, map_into};
use crate::simd::{Lanes, Work, dispatch};

/// The number of elements from which on threads divide a range together.
pub(super) const LARGE: usize = 1 << 15;

/// Elements that one thread looks at.
const CHUNK: usize = 1 << 12;

/// The range of the centers of one element or more.
pub(super) fn centers(elements: &[Element]) -> Centers {
    let each = map_chunks(elements, CHUNK, |chunk| dispatch(CentersOf(chunk)));
    each[1..].iter().fold(each[0], |all, more| all.union(*more))
}

/// Puts elements into bins.
pub(super) fn fill(elements: &[Element], grid: &Grid) -> Bins {
    let each = map_chunks(elements, CHUNK, |chunk| dispatch(BinsOf { chunk, grid }));
    dispatch(Merge(&each))
}

/// Deals elements to the two sides of a cut, and bins both.
pub(super) fn deal(elements: &[Element], cut: &Cut, to: &mut [Element], grids: &[Grid; 2]) -> Bins {
    let counts = map_chunks(elements, CHUNK, |chunk| dispatch(CountLeft { chunk, cut }));
    // Every chunk has its place on both sides.
    let (mut left, mut right) = to.split_at_mut(cut.middle as usize);
    let mut deals = Vec::with_capacity(counts.len());
    for (chunk, count) in elements.chunks(CHUNK).zip(counts) {
        let (left_of_chunk, lefts) = left.split_at_mut(count);
        let (right_of_chunk, rights) = right.split_at_mut(chunk.len() - count);
        (left, right) = (lefts, rights);
        deals.push(Deal { chunk, cut, grids, sides: [left_of_chunk, right_of_chunk] });
    }
    dispatch(Merge(&map_into(deals, dispatch)))
}

struct CentersOf<'e>(&'e [Element]);

impl Work for CentersOf<'_> {
    type Output = Centers;

    #[inline(always)]
    fn run<L: Lanes>(self) -> Centers {
        Centers::of::<L>(self.0)
    }
}

struct BinsOf<'e> {
    chunk: &'e [Element],
    grid: &'e Grid,
}

impl Work for BinsOf<'_> {
    type Output = Bins;

    #[inline(always)]
    fn run<L: Lanes>(self) -> Bins {
        let mut bins = Bins::EMPTY;
        bins.fill::<L>(self.chunk, self.grid);
        bins
    }
}

struct Merge<'b>(&'b [Bins]);

impl Work for Merge<'_> {
    type Output = Bins;

    #[inline(always)]
    fn run<L: Lanes>(self) -> Bins {
        let mut all = Bins::EMPTY;
        for bins in self.0 {
            all.merge::<L>(bins);
        }
        all
    }
}

struct CountLeft<'e> {
    chunk: &'e [Element],
    cut: &'e Cut,
}

impl Work for CountLeft<'_> {
    type Output = usize;

    #[inline(always)]
    fn run<L: Lanes>(self) -> usize {
        count_left::<L>(self.chunk, self.cut)
    }
}

struct Deal<'e> {
    chunk: &'e [Element],
    cut: &'e Cut,
    grids: &'e [Grid; 2],
    sides: [&'e mut [Element]; 2],
}

impl Work for Deal<'_> {
    type Output = Bins;

    #[inline(always)]
    fn run<L: Lanes>(mut self) -> Bins {
        let mut bins = Bins::EMPTY;
        bins.deal::<L>(self.chunk, self.cut, &mut self.sides, self.grids);
        bins
    }
}
