//! Sweep splits by the surface area heuristic (SAH): up to sixteen elements at every place along every axis, up to four every way there is.
// Plain loops: closures and iterators would not be compiled for the wide lanes.
#![allow(clippy::needless_range_loop)]

use super::element::{Bounds, Centers, Element, half_area};
use super::rows::{Cut, Rows, cheapest};
use crate::simd::Lanes;

/// The most elements that are divided here.
pub(super) const FEW: usize = 16;

/// Places at which elements may be divided, a bit each.
pub(super) type Places = u32;

/// Every place.
pub(super) const ANYWHERE: Places = u32::MAX;

/// Sorts up to sixteen elements, so that dividing them after as many as one of `places` says, along some axis, makes the
/// boxes' surfaces least, each counted for its elements. Three may be divided after two where after one is asked for. Returns how many come before, and the boxes.
#[inline(always)]
pub(super) fn divide<L: Lanes>(elements: &mut [Element], places: Places) -> (usize, [Bounds; 2]) {
    match elements.len() {
        3 => divide_three::<L>(elements),
        4 => divide_four::<L>(elements, places & 0b1010 == 0),
        ..=8 => sweep::<L, 8>(elements, places),
        _ => sweep::<L, FEW>(elements, places),
    }
}

#[inline(always)]
fn sweep<L: Lanes, const N: usize>(elements: &mut [Element], places: Places) -> (usize, [Bounds; 2]) {
    let count = elements.len();
    let centers = Centers::of::<L>(elements);
    let rows = sorted::<L, N>(elements, &centers);
    let (mut before, mut deny) = ([0; N], [0; N]);
    let middle = nearest_to_middle(count, places);
    for at in 0..N {
        before[at] = at.min(count) as u32;
        deny[at] = if places >> at & 1 == 0 { u32::MAX } else { 0 };
    }
    let mut axes = 0;
    for axis in 0..3 {
        axes |= u32::from(centers.size(axis) > 0.0) << axis;
    }
    let cut = cheapest::<L, N>(&rows, &[before; 3], count as u32, axes, middle, &deny)
        .unwrap_or(Cut { axis: 0, at: middle });
    for (element, bounds) in elements.iter_mut().zip(&rows[cut.axis]) {
        element.bounds = *bounds;
    }
    (cut.at, cut.sides::<L, N>(&rows))
}

/// The place nearest to the middle among those allowed.
#[inline(always)]
fn nearest_to_middle(count: usize, places: Places) -> usize {
    let middle = count / 2;
    for distance in 0..=middle {
        for at in [middle + distance, middle - distance] {
            if 0 < at && at < count && places >> at & 1 == 1 {
                return at;
            }
        }
    }
    middle
}

/// Up to `N` elements by their centers along each axis; those of the same center stay in their order.
#[inline(always)]
fn sorted<L: Lanes, const N: usize>(elements: &[Element], centers: &Centers) -> Rows<N> {
    let low = L::f32x4_load(&centers.low);
    let mut keys = [[i32::MAX; N]; 3];
    for (i, element) in elements.iter().enumerate().take(N) {
        let mut along = [0.0; 4];
        L::f32x4_store(L::f32x4_sub(element.center_lanes::<L>(), low), &mut along);
        for axis in 0..3 {
            // Numbers that are not negative have the order of their bits; the last ones tell equals apart.
            keys[axis][i] = (along[axis].to_bits() as usize & !(N - 1) | i) as i32;
        }
    }
    let mut rows = [[Bounds::EMPTY; N]; 3];
    for axis in 0..3 {
        // How many are before each.
        let mut ranks = [0_i32; N];
        for j in 0..N {
            for i in 0..N {
                ranks[i] += i32::from(keys[axis][j] < keys[axis][i]);
            }
        }
        for (element, rank) in elements.iter().zip(ranks) {
            rows[axis][rank as usize % N] = element.bounds;
        }
    }
    rows
}

#[inline(always)]
fn divide_three<L: Lanes>(elements: &mut [Element]) -> (usize, [Bounds; 2]) {
    let lanes: [L::F32x8; 3] = [0, 1, 2].map(|i| elements[i].bounds.lanes::<L>());
    let mut costs = [0.0; 3];
    let mut pairs = [lanes[0]; 3];
    for alone in 0..3 {
        let (i, j) = ((alone + 1) % 3, (alone + 2) % 3);
        pairs[alone] = L::f32x8_max(lanes[i], lanes[j]);
        costs[alone] = area::<L>(lanes[alone]) + 2.0 * area::<L>(pairs[alone]);
    }
    let mut alone = 0;
    for i in 1..3 {
        if costs[i] < costs[alone] {
            alone = i;
        }
    }
    let single = elements[alone].bounds;
    elements.swap(alone, 2);
    (2, [Bounds::of_lanes::<L>(pairs[alone]), single])
}

/// The ways to divide four elements: which ones are on the left.
const WAYS: [(usize, [usize; 4]); 7] = [
    (2, [0, 1, 2, 3]),
    (2, [0, 2, 1, 3]),
    (2, [0, 3, 1, 2]),
    (1, [0, 1, 2, 3]),
    (1, [1, 0, 2, 3]),
    (1, [2, 0, 1, 3]),
    (1, [3, 0, 1, 2]),
];

#[inline(always)]
fn divide_four<L: Lanes>(elements: &mut [Element], in_pairs: bool) -> (usize, [Bounds; 2]) {
    let lanes: [L::F32x8; 4] = [0, 1, 2, 3].map(|i| elements[i].bounds.lanes::<L>());
    let mut sizes = [[[0.0; 4]; 8]; 2];
    let mut way = 0;
    while way < 7 {
        let (at, order) = WAYS[way];
        let [a, b, c, d] = order.map(|i| lanes[i]);
        let last = L::f32x8_max(c, d);
        let (left, right) = if at == 1 { (a, L::f32x8_max(b, last)) } else { (L::f32x8_max(a, b), last) };
        L::f32x4_store(L::f32x4_sum(left), &mut sizes[0][way]);
        L::f32x4_store(L::f32x4_sum(right), &mut sizes[1][way]);
        way += 1;
    }
    let mut least = u32::MAX;
    for way in 0..7 {
        let left = if way < 3 { 2.0 } else { 1.0 };
        let cost = half_area(sizes[0][way]) * left + half_area(sizes[1][way]) * (4.0 - left);
        let deny = if in_pairs && way >= 3 { u32::MAX } else { 0 };
        let cost = cost.to_bits() & !7 | way as u32 | deny;
        least = if cost < least { cost } else { least };
    }
    let (at, order) = WAYS[(least & 7) as usize % 7];
    let sorted = order.map(|i| elements[i]);
    elements.copy_from_slice(&sorted);
    let mut sides = [sorted[0].bounds.lanes::<L>(), sorted[3].bounds.lanes::<L>()];
    for element in &sorted[1..at] {
        sides[0] = L::f32x8_max(sides[0], element.bounds.lanes::<L>());
    }
    for element in &sorted[at..3] {
        sides[1] = L::f32x8_max(sides[1], element.bounds.lanes::<L>());
    }
    (at, [Bounds::of_lanes::<L>(sides[0]), Bounds::of_lanes::<L>(sides[1])])
}

#[inline(always)]
fn area<L: Lanes>(lanes: L::F32x8) -> f32 {
    let mut size = [0.0; 4];
    L::f32x4_store(L::f32x4_sum(lanes), &mut size);
    half_area(size)
}
