//! Sweep splits by the surface area heuristic (SAH): up to sixteen elements at every place along every axis, up to four every way there is.
// Plain loops: closures and iterators would not be compiled for the wide lanes.
#![allow(clippy::needless_range_loop)]

use super::element::{Bounds, Element, around};
use super::rows::{Place, cheapest};
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
        2 => (1, [elements[0].bounds, elements[1].bounds]),
        3 => divide_three::<L>(elements),
        4 => divide_four::<L>(elements, places & 0b1010 == 0),
        ..=8 => sweep::<L, 8>(elements, places),
        _ => sweep::<L, FEW>(elements, places),
    }
}

#[inline(always)]
fn sweep<L: Lanes, const N: usize>(elements: &mut [Element], places: Places) -> (usize, [Bounds; 2]) {
    let count = elements.len();
    let mut rows = [Element::NONE; N];
    let mut keys = [L::i32x4_splat(i32::MAX); N];
    for (i, element) in elements.iter().enumerate().take(N) {
        rows[i] = *element;
        // The last bits tell equals apart and say who it is.
        keys[i] = L::i32x4_or(L::i32x4_shl::<4>(element.center_lanes::<L>()), L::i32x4_splat(i as i32));
    }
    sort::<L, N>(&mut keys);
    let (mut order, mut before) = ([[0; 4]; N], [L::i32x4_splat(0); N]);
    let mut boxes = [[Bounds::EMPTY.lanes::<L>(); 3]; N];
    for at in 0..N {
        before[at] = L::i32x4_splat(at.min(count) as i32);
        L::i32x4_store(keys[at], &mut order[at]);
        if at < count {
            for axis in 0..3 {
                boxes[at][axis] = rows[order[at][axis] as usize % N].bounds.lanes::<L>();
            }
        }
    }
    let middle = nearest_to_middle(count, places);
    let place =
        cheapest::<L, N>(&boxes, &before, count, middle, !places).0.unwrap_or(Place { axis: 0, at: middle });
    for (element, order) in elements.iter_mut().zip(&order) {
        *element = rows[order[place.axis] as usize % N];
    }
    let (left, right) = elements.split_at(place.at);
    (place.at, [around::<L>(left), around::<L>(right)])
}

/// The place nearest to the middle among those allowed.
#[inline(always)]
fn nearest_to_middle(count: usize, places: Places) -> usize {
    let middle = count / 2;
    if places >> middle & 1 == 1 {
        return middle;
    }
    for distance in 0..=middle {
        for at in [middle + distance, middle - distance] {
            if 0 < at && at < count && places >> at & 1 == 1 {
                return at;
            }
        }
    }
    middle
}

/// Sorts numbers lane by lane, by a network of comparisons: Batcher's merge exchange.
#[inline(always)]
fn sort<L: Lanes, const N: usize>(keys: &mut [L::I32x4; N]) {
    let mut p = N / 2;
    while p > 0 {
        let (mut q, mut r, mut d) = (N / 2, 0, p);
        loop {
            for i in 0..N - d {
                if i & p == r {
                    let (low, high) = (keys[i], keys[i + d]);
                    keys[i] = L::i32x4_min(low, high);
                    keys[i + d] = L::i32x4_max(low, high);
                }
            }
            if q == p {
                break;
            }
            d = q - p;
            q /= 2;
            r = p;
        }
        p /= 2;
    }
}

#[inline(always)]
fn divide_three<L: Lanes>(elements: &mut [Element]) -> (usize, [Bounds; 2]) {
    let (a, b, c) =
        (elements[0].bounds.lanes::<L>(), elements[1].bounds.lanes::<L>(), elements[2].bounds.lanes::<L>());
    let pairs = [L::most(b, c), L::most(c, a), L::most(a, b)];
    let both = L::half_areas([pairs[0], pairs[1], pairs[2], a]);
    let mut costs = [0.0; 4];
    L::f32x4_store(L::f32x4_add(L::half_areas([a, b, c, a]), L::f32x4_add(both, both)), &mut costs);
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

/// The ways to divide four elements: how many are on the left, and the order.
const WAYS: [(usize, [usize; 4]); 8] = [
    (2, [0, 1, 2, 3]),
    (2, [0, 2, 1, 3]),
    (2, [0, 3, 1, 2]),
    (2, [0, 1, 2, 3]),
    (1, [0, 1, 2, 3]),
    (1, [1, 0, 2, 3]),
    (1, [2, 0, 1, 3]),
    (1, [3, 0, 1, 2]),
];

#[inline(always)]
fn divide_four<L: Lanes>(elements: &mut [Element], in_pairs: bool) -> (usize, [Bounds; 2]) {
    let (a, b, c, d) = (
        elements[0].bounds.lanes::<L>(),
        elements[1].bounds.lanes::<L>(),
        elements[2].bounds.lanes::<L>(),
        elements[3].bounds.lanes::<L>(),
    );
    let (ab, ac, ad) = (L::most(a, b), L::most(a, c), L::most(a, d));
    let (bc, bd, cd) = (L::most(b, c), L::most(b, d), L::most(c, d));
    let (left, right) = ([ab, ac, ad, ab], [cd, bd, bc, cd]);
    let others = [L::most(bc, d), L::most(ac, d), L::most(ab, d), L::most(ab, c)];
    let pairs = L::f32x4_add(L::half_areas(left), L::half_areas(right));
    let threes = L::half_areas(others);
    let singles =
        L::f32x4_add(L::half_areas([a, b, c, d]), L::f32x4_add(threes, L::f32x4_add(threes, threes)));
    let mut costs = [[0; 4]; 2];
    L::i32x4_store(L::f32x4_to_bits(L::f32x4_add(pairs, pairs)), &mut costs[0]);
    L::i32x4_store(L::f32x4_to_bits(singles), &mut costs[1]);
    let deny = if in_pairs { i32::MAX } else { 0 };
    let mut least = i32::MAX;
    for way in 0..4 {
        least = least.min(costs[0][way] & !7 | way as i32);
        least = least.min(costs[1][way] & !7 | way as i32 | 4 | deny);
    }
    let way = (least & 7) as usize;
    let (at, order) = WAYS[way];
    let mut sorted = [Element::NONE; 4];
    for i in 0..4 {
        sorted[i] = elements[order[i]];
    }
    elements.copy_from_slice(&sorted);
    if at == 2 {
        (2, [Bounds::of_lanes::<L>(left[way % 4]), Bounds::of_lanes::<L>(right[way % 4])])
    } else {
        (1, [sorted[0].bounds, Bounds::of_lanes::<L>(others[way % 4])])
    }
}
