//! Parallel splits of a large range of elements, chunk by chunk, with the result that one thread would get.

use super::bins::{Bins, Grid, deal};
use super::element::{Bounds, Centers, Element, Halves};
use super::rows::Cut;
use crate::parallel::{map_chunks, map_indices, map_into};
use crate::simd::{Lanes, Work, dispatch};

/// The number of elements from which on threads divide a range together.
pub(super) const LARGE: usize = 1 << 15;

/// Elements that one thread looks at.
const CHUNK: usize = 1 << 12;

/// Divides between two bins, at the least SAH cost; `None` if no bin divides the elements.
pub(super) fn binned(elements: &[Element], buffer: &mut [Element]) -> Option<Halves> {
    let centers = map_chunks(elements, CHUNK, |chunk| dispatch(CentersOf(chunk)));
    let grid = Grid::new(&centers.into_iter().reduce(Centers::union)?);
    let each: Vec<Bins> = map_chunks(elements, CHUNK, |chunk| dispatch(BinsOf(chunk, &grid)));
    let (cut, bounds) = dispatch(CutOf { each: &each, count: elements.len(), grid: &grid })?;
    let middle = each.iter().map(|bins| bins.before(cut)).sum();
    // Every chunk has its place on both sides.
    let (mut left, mut right) = buffer.split_at_mut(middle);
    let mut deals = Vec::with_capacity(each.len());
    for (chunk, bins) in elements.chunks(CHUNK).zip(&each) {
        let before = bins.before(cut);
        let left_of_chunk = left.split_off_mut(..before)?;
        let right_of_chunk = right.split_off_mut(right.len() - (chunk.len() - before)..)?;
        deals.push(Deal { chunk, grid: &grid, cut, left: left_of_chunk, right: right_of_chunk });
    }
    map_into(deals, dispatch);
    Some(Halves { middle, bounds, moved: true })
}

struct CentersOf<'e>(&'e [Element]);

impl Work for CentersOf<'_> {
    type Output = Centers;

    #[inline(always)]
    fn run<L: Lanes>(self) -> Centers {
        Centers::of::<L>(self.0)
    }
}

struct BinsOf<'e>(&'e [Element], &'e Grid);

impl Work for BinsOf<'_> {
    type Output = Bins;

    #[inline(always)]
    fn run<L: Lanes>(self) -> Bins {
        Bins::of::<L>(self.0, self.1)
    }
}

struct CutOf<'e> {
    each: &'e [Bins],
    count: usize,
    grid: &'e Grid,
}

impl Work for CutOf<'_> {
    type Output = Option<(Cut, [Bounds; 2])>;

    #[inline(always)]
    fn run<L: Lanes>(self) -> Option<(Cut, [Bounds; 2])> {
        let mut all = Bins::EMPTY;
        for bins in self.each {
            all.merge::<L>(bins);
        }
        all.cut::<L>(self.count, self.grid)
    }
}

struct Deal<'e> {
    chunk: &'e [Element],
    grid: &'e Grid,
    cut: Cut,
    left: &'e mut [Element],
    right: &'e mut [Element],
}

impl Work for Deal<'_> {
    type Output = ();

    #[inline(always)]
    fn run<L: Lanes>(self) {
        deal::<L>(self.chunk, self.grid, self.cut, self.left, self.right);
    }
}

/// The box around all elements, by threads.
pub(super) fn around(elements: &[Element]) -> Bounds {
    let boxes = map_chunks(elements, CHUNK, super::element::around);
    boxes.iter().fold(Bounds::EMPTY, Bounds::union)
}

/// All elements, in order, by threads.
pub(super) fn make(count: usize, element: impl Fn(u32) -> Element + Sync) -> Vec<Element> {
    map_indices(count, CHUNK, || (), |(), id| element(id as u32))
}
