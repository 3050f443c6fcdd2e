//! Cuts of boxes in a row by the surface area heuristic (SAH), along three axes at once.
// Plain loops: closures and iterators would not be compiled for the wide lanes.
#![allow(clippy::needless_range_loop)]

use super::element::Bounds;
use crate::simd::Lanes;

/// A cut before place `at` along `axis`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Place {
    pub(super) axis: usize,
    pub(super) at: usize,
}

/// Costs are compared without their last bits, which name the cut.
const NAME: i32 = 63;

/// The cheapest cut of `N` boxes in a row, some of which may be empty: `boxes` has them for each axis, `before` how many elements are
/// before each place along each axis, of `count` in all. Of several that cost the same, that at `middle` or near it. Places whose bit is
/// set in `denied` are left out, and those with nothing on one side. Also returns for each axis how many places were left out. None if
/// nothing can be cut.
#[inline(always)]
pub(super) fn cheapest<L: Lanes, const N: usize>(
    boxes: &[[L::I16x8; 3]; N],
    before: &[L::I32x4; N],
    count: usize,
    middle: usize,
    denied: u32,
) -> (Option<Place>, [i32; 4]) {
    let empty = Bounds::EMPTY.lanes::<L>();
    let all = L::i32x4_splat(count as i32);
    // The areas on the left and on the right of each place: from both ends at once, side by side in a register.
    let nothing = L::half_areas([empty; 4]);
    let (mut left, mut right) = ([nothing; N], [nothing; N]);
    let mut sides = [L::beside(empty, empty); 3];
    for at in 1..N {
        for axis in 0..3 {
            let both = L::beside(boxes[at - 1][axis], boxes[N - at][axis]);
            sides[axis] = L::i16x16_most(sides[axis], both);
        }
        [left[at], right[N - at]] = L::half_areas_beside(sides);
    }
    let (mut least, mut left_out) = (L::i32x4_splat(i32::MAX), L::i32x4_splat(0));
    let of_axes = L::i32x4_load(&[0, N as i32, 2 * N as i32, 0]);
    for at in 1..N {
        let on_left = L::i32x4_to_f32(before[at]);
        let on_right = L::i32x4_to_f32(L::i32x4_sub(all, before[at]));
        let cost = L::f32x4_add(L::f32x4_mul(left[at], on_left), L::f32x4_mul(right[at], on_right));
        let name = L::i32x4_add(L::i32x4_splat((at ^ middle) as i32), of_axes);
        let cost = L::i32x4_or(L::i32x4_and(L::f32x4_to_bits(cost), L::i32x4_splat(!NAME)), name);
        let one_sided =
            L::i32x4_or(L::i32x4_equal(before[at], L::i32x4_splat(0)), L::i32x4_equal(before[at], all));
        left_out = L::i32x4_sub(left_out, one_sided);
        let deny = L::i32x4_or(one_sided, L::i32x4_splat(-((denied >> at & 1) as i32)));
        least = L::i32x4_min(least, L::i32x4_or(cost, L::i32x4_shr::<1>(deny)));
    }
    let (mut of_axes, mut places) = ([0; 4], [0; 4]);
    L::i32x4_store(least, &mut of_axes);
    L::i32x4_store(left_out, &mut places);
    let least = of_axes[0].min(of_axes[1]).min(of_axes[2]);
    let name = (least & NAME) as usize;
    let place = Place { axis: name / N % 3, at: (name % N) ^ middle };
    ((least != i32::MAX).then_some(place), places)
}
