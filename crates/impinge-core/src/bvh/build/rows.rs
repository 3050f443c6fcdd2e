//! Boxes in a row along each axis, and the cut of a row by the surface area heuristic (SAH).

use super::element::{Bounds, half_area};
use crate::simd::Lanes;

/// `N` boxes in the order of their places, along each axis. There may be empty ones.
pub(super) type Rows<const N: usize> = [[Bounds; N]; 3];

/// A cut before place `at` along `axis`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Cut {
    pub(super) axis: usize,
    pub(super) at: usize,
}

impl Cut {
    /// The boxes of the two sides.
    #[inline(always)]
    pub(super) fn sides<L: Lanes, const N: usize>(self, rows: &Rows<N>) -> [Bounds; 2] {
        let row = &rows[self.axis];
        let mut sides = [Bounds::EMPTY.lanes::<L>(); 2];
        for bounds in &row[..self.at] {
            sides[0] = L::f32x8_max(sides[0], bounds.lanes::<L>());
        }
        for bounds in &row[self.at..] {
            sides[1] = L::f32x8_max(sides[1], bounds.lanes::<L>());
        }
        [Bounds::of_lanes::<L>(sides[0]), Bounds::of_lanes::<L>(sides[1])]
    }
}

/// Costs are compared without their last bits, which name the cut.
const NAME: u32 = 63;

/// The SAH cost of each cut along an axis, and its name: the areas of both sides, each times its elements. `before[at]`
/// is the number of elements before a place, of `count` in all. A cut with an empty side costs more than any number.
#[inline(always)]
fn costs<L: Lanes, const N: usize>(
    row: &[Bounds; N],
    before: &[u32; N],
    count: u32,
    axis: usize,
    middle: usize,
) -> [u32; N] {
    let mut right = [[f32::NEG_INFINITY; 4]; N];
    let mut all = Bounds::EMPTY.lanes::<L>();
    for at in (1..N).rev() {
        all = L::f32x8_max(all, row[at].lanes::<L>());
        L::f32x4_store(L::f32x4_sum(all), &mut right[at]);
    }
    let mut left = [[f32::NEG_INFINITY; 4]; N];
    let mut all = Bounds::EMPTY.lanes::<L>();
    for at in 1..N {
        all = L::f32x8_max(all, row[at - 1].lanes::<L>());
        L::f32x4_store(L::f32x4_sum(all), &mut left[at]);
    }
    let mut costs = [0; N];
    for at in 0..N {
        // An empty side has no elements and an infinite surface: their product is no number, whose bits are above all others.
        let cost = half_area(left[at]) * before[at] as i32 as f32
            + half_area(right[at]) * (count - before[at]) as i32 as f32;
        costs[at] = cost.to_bits() & !NAME | (axis * N + (at ^ middle)) as u32;
    }
    costs
}

/// The cheapest cut along one of the axes whose bits are set; the one at `middle`, or near it, if several cost the same. A cut
/// is forbidden where all bits of `deny` are set. None if nothing can be cut.
#[inline(always)]
pub(super) fn cheapest<L: Lanes, const N: usize>(
    rows: &Rows<N>,
    before: &[[u32; N]; 3],
    count: u32,
    axes: u32,
    middle: usize,
    deny: &[u32; N],
) -> Option<Cut> {
    let mut least = u32::MAX;
    for axis in 0..3 {
        if axes >> axis & 1 == 0 {
            continue;
        }
        let costs = costs::<L, N>(&rows[axis], &before[axis], count, axis, middle);
        for at in 0..N {
            let cost = costs[at] | deny[at];
            least = if cost < least { cost } else { least };
        }
    }
    let name = (least & NAME) as usize;
    (least < f32::INFINITY.to_bits()).then_some(Cut { axis: name / N % 3, at: (name % N) ^ middle })
}
