//! Binned splits by the surface area heuristic (SAH), for many elements.
//!
//! Elements are put into the bins of both sides while they are dealt to the sides: a split reads its elements once. So the bins of a side
//! are laid over its box, within which all centers are. Where they fill too little of it, they are binned again, over their own range.
// Plain loops: closures and iterators would not be compiled for the wide lanes.
#![allow(clippy::needless_range_loop)]

use super::element::{Bounds, Centers, Element};
use super::rows::{Place, cheapest};
use crate::simd::Lanes;

/// Bins along an axis. Fewer for small ranges are faster to fill, but traversals of such trees take half as long again.
const BINS: usize = 16;

/// Bins are told by the highest bits of a product below 2³¹.
const SHIFT: i32 = 27;

/// Elements are binned again if so many places between bins, of fifteen, have nothing on one side, along every axis.
const SPARSE: i32 = 9;

/// From this many elements on, neighbors are put into two sets of bins by turns: often they share a bin, and would wait for each other.
const MANY: usize = 256;

/// The elements in a bin of each axis: the box around them, and their number.
#[repr(align(64))]
#[derive(Clone, Copy)]
struct Bin {
    boxes: [Bounds; 3],
    counts: [i32; 4],
}

/// Bins of both sides of a cut: one set for each, and another for each.
pub(super) struct Bins {
    sets: [[Bin; BINS]; 4],
}

/// The bins along three axes: that of an element is `(center - low) * factor`, without its lowest bits.
#[derive(Clone, Copy)]
pub(super) struct Grid {
    low: [i32; 4],
    factor: [i32; 4],
}

impl Grid {
    #[inline(always)]
    pub(super) fn new(centers: &Centers) -> Grid {
        let mut grid = Grid { low: centers.low, factor: [0; 4] };
        for axis in 0..3 {
            // So far below 2³¹ that no product reaches it, however the quotient is rounded.
            grid.factor[axis] = (2_147_483_000.0 / (centers.size(axis) + 1) as f32) as i32;
        }
        grid
    }

    /// The least center of the bin `at` or a later one.
    #[inline(always)]
    fn threshold(&self, place: Place) -> i32 {
        let factor = self.factor[place.axis] as u32;
        self.low[place.axis] + ((place.at as u32) << SHIFT).div_ceil(factor) as i32
    }
}

/// A cut of a range: elements whose center is below `threshold` along `axis` are on the left.
#[derive(Clone, Copy, Debug)]
pub(super) struct Cut {
    pub(super) axis: u32,
    pub(super) threshold: i32,
    /// The number of elements on the left.
    pub(super) middle: u32,
    pub(super) sides: [Bounds; 2],
}

impl Cut {
    /// No cut.
    pub(super) const NONE: Cut = Cut { axis: 3, threshold: 0, middle: 0, sides: [Bounds::EMPTY; 2] };

    #[inline(always)]
    pub(super) fn is_none(&self) -> bool {
        self.axis == 3
    }

    /// Ranges of the centers on both sides.
    #[inline(always)]
    pub(super) fn centers(&self) -> [Centers; 2] {
        let mut centers = [Centers::within(&self.sides[0]), Centers::within(&self.sides[1])];
        let axis = self.axis as usize % 3;
        centers[0].high[axis] = centers[0].high[axis].min(self.threshold - 1);
        centers[1].low[axis] = centers[1].low[axis].max(self.threshold);
        centers
    }

    /// Numbers to be compared with the centers of elements.
    #[inline(always)]
    fn thresholds<L: Lanes>(&self) -> L::I32x4 {
        L::i32x4_splat(self.threshold)
    }

    /// 0 for an element on the left, 1 on the right.
    #[inline(always)]
    fn side<L: Lanes>(&self, thresholds: L::I32x4, center: L::I32x4) -> usize {
        // By shifts: what looks like a choice would be compiled to many of them.
        (!L::i32x4_greater(thresholds, center) >> (self.axis & 3) & 1) as usize
    }
}

impl Bins {
    pub(super) const EMPTY: Bins =
        Bins { sets: [[Bin { boxes: [Bounds::EMPTY; 3], counts: [0; 4] }; BINS]; 4] };

    /// Empties the bins for so many elements.
    #[inline(always)]
    fn clear<L: Lanes>(&mut self, count: usize) {
        // Registers are stored at once: a bin would be made in memory first, and copied.
        let (none, zero) = (Bounds::EMPTY.lanes::<L>(), L::i32x4_splat(0));
        for set in 0..if count < MANY { 2 } else { 4 } {
            for bin in 0..BINS {
                let bin = &mut self.sets[set][bin];
                for axis in 0..3 {
                    L::store_eight(none, &mut bin.boxes[axis].row);
                }
                L::i32x4_store(zero, &mut bin.counts);
            }
        }
    }

    #[inline(always)]
    fn put<L: Lanes>(&mut self, set: usize, bounds: L::I16x8, center: L::I32x4, grid: &Grid) {
        let (low, factor) = (L::i32x4_load(&grid.low), L::i32x4_load(&grid.factor));
        let product = L::i32x4_mul(L::i32x4_sub(center, low), factor);
        let mut bins = [0; 4];
        L::i32x4_store(L::i32x4_shr::<SHIFT>(product), &mut bins);
        let set = &mut self.sets[set % 4];
        for axis in 0..3 {
            let bin = &mut set[bins[axis] as usize % BINS];
            let union = L::most(bin.boxes[axis].lanes::<L>(), bounds);
            L::store_eight(union, &mut bin.boxes[axis].row);
            bin.counts[axis] += 1;
        }
    }

    /// Puts elements into the bins of the first side.
    #[inline(always)]
    pub(super) fn fill<L: Lanes>(&mut self, elements: &[Element], grid: &Grid) {
        self.clear::<L>(elements.len());
        let turns = if elements.len() < MANY { 0 } else { 2 };
        let mut turn = 0;
        for element in elements {
            let bounds = element.bounds.lanes::<L>();
            self.put::<L>(turn, bounds, L::pair_differences(bounds), grid);
            turn ^= turns;
        }
        self.merge_turns::<L>(elements.len());
    }

    /// Copies the elements on the left of the cut to the first of `sides`, the others to the second, both in their order, and puts them into
    /// the bins of their side.
    #[inline(always)]
    pub(super) fn deal<L: Lanes>(
        &mut self,
        elements: &[Element],
        cut: &Cut,
        sides: &mut [&mut [Element]; 2],
        grids: &[Grid; 2],
    ) {
        self.clear::<L>(elements.len());
        let thresholds = cut.thresholds::<L>();
        let turns = if elements.len() < MANY { 0 } else { 2 };
        let (mut places, mut turn) = ([0; 2], 0);
        for element in elements {
            let bounds = element.bounds.lanes::<L>();
            let center = L::pair_differences(bounds);
            let side = cut.side::<L>(thresholds, center);
            L::store_eight(bounds, &mut sides[side][places[side]].bounds.row);
            places[side] += 1;
            self.put::<L>(turn + side, bounds, center, &grids[side]);
            turn ^= turns;
        }
        self.merge_turns::<L>(elements.len());
    }

    /// Adds the second set of each side to the first.
    #[inline(always)]
    fn merge_turns<L: Lanes>(&mut self, count: usize) {
        if count >= MANY {
            let [first, second, more_first, more_second] = &mut self.sets;
            merge::<L>(first, more_first);
            merge::<L>(second, more_second);
        }
    }

    /// Adds other bins.
    #[inline(always)]
    pub(super) fn merge<L: Lanes>(&mut self, others: &Bins) {
        merge::<L>(&mut self.sets[0], &others.sets[0]);
        merge::<L>(&mut self.sets[1], &others.sets[1]);
    }

    /// Finds the cut of least SAH cost through one side. Returns whether it is worth while to bin the elements again, over their own range.
    #[inline(always)]
    pub(super) fn cut<L: Lanes>(&self, side: usize, count: usize, grid: &Grid, cut: &mut Cut) -> bool {
        let set = &self.sets[side];
        let none = Bounds::EMPTY.lanes::<L>();
        let (mut boxes, mut before) = ([[none; 3]; BINS], [L::i32x4_splat(0); BINS]);
        let mut sum = L::i32x4_splat(0);
        for bin in 0..BINS {
            before[bin] = sum;
            sum = L::i32x4_add(sum, L::i32x4_load(&set[bin].counts));
            for axis in 0..3 {
                boxes[bin][axis] = set[bin].boxes[axis].lanes::<L>();
            }
        }
        let (place, left_out) = cheapest::<L, BINS>(&boxes, &before, count, BINS / 2, 0);
        let is_sparse = left_out[0].min(left_out[1]).min(left_out[2]) >= SPARSE;
        let Some(place) = place else {
            cut.axis = Cut::NONE.axis;
            return is_sparse;
        };
        let mut sides = [none; 2];
        for bin in 0..place.at {
            sides[0] = L::most(sides[0], boxes[bin][place.axis]);
        }
        for bin in place.at..BINS {
            sides[1] = L::most(sides[1], boxes[bin][place.axis]);
        }
        L::store_eight(sides[0], &mut cut.sides[0].row);
        L::store_eight(sides[1], &mut cut.sides[1].row);
        let mut middle = [0; 4];
        L::i32x4_store(before[place.at], &mut middle);
        cut.axis = place.axis as u32;
        cut.threshold = grid.threshold(place);
        cut.middle = middle[place.axis] as u32;
        is_sparse
    }
}

/// Adds bins to others.
#[inline(always)]
fn merge<L: Lanes>(bins: &mut [Bin; BINS], others: &[Bin; BINS]) {
    for bin in 0..BINS {
        for axis in 0..3 {
            let union = L::most(bins[bin].boxes[axis].lanes::<L>(), others[bin].boxes[axis].lanes::<L>());
            L::store_eight(union, &mut bins[bin].boxes[axis].row);
            bins[bin].counts[axis] += others[bin].counts[axis];
        }
    }
}

/// The number of elements on the left of a cut.
#[inline(always)]
pub(super) fn count_left<L: Lanes>(elements: &[Element], cut: &Cut) -> usize {
    let thresholds = cut.thresholds::<L>();
    let mut count = elements.len();
    for element in elements {
        count -= cut.side::<L>(thresholds, element.center_lanes::<L>());
    }
    count
}

/// Copies the elements on the left of the cut to the first of `sides`, the others to the second, both in their order.
#[inline(always)]
pub(super) fn deal<L: Lanes>(elements: &[Element], cut: &Cut, sides: &mut [&mut [Element]; 2]) {
    let thresholds = cut.thresholds::<L>();
    let mut places = [0; 2];
    for element in elements {
        let bounds = element.bounds.lanes::<L>();
        let side = cut.side::<L>(thresholds, L::pair_differences(bounds));
        L::store_eight(bounds, &mut sides[side][places[side]].bounds.row);
        places[side] += 1;
    }
}
