//! Splits of a range of elements: by the surface area heuristic (SAH), or at the median.

use super::bins::{Bins, Grid, deal};
use super::element::{Bounds, Centers, Element, Halves, around};
use super::few::{ANYWHERE, FEW, Places, divide};
use super::threads;
use crate::simd::{Lanes, Portable};

/// The rule by which a range of elements is split in two.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Split {
    /// The binned surface area heuristic (SAH): the cut at which the areas of both boxes, each times its elements, add up to least.
    SurfaceArea,
    /// Two halves along the longest axis of the centers.
    Median,
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

/// Divides more than two elements by a rule, or at the median if that does not divide them. With
/// `rest`, one side gets that many more than a multiple of six.
#[inline(always)]
pub(super) fn split<L: Lanes>(
    how: Split,
    elements: &mut [Element],
    buffer: &mut [Element],
    rest: Option<usize>,
    parallel: bool,
) -> Halves {
    let count = elements.len();
    if count <= FEW && (how == Split::SurfaceArea || count <= 8) {
        let places = match rest {
            None if how == Split::Median => 1 << (count / 2),
            None => ANYWHERE,
            Some(rest) => full_places(count, rest),
        };
        let (middle, bounds) = divide::<L>(elements, places);
        return Halves { middle, bounds, moved: false };
    }
    let halves = match how {
        Split::SurfaceArea if parallel && count >= threads::LARGE && rest.is_none() => {
            threads::binned(elements, buffer)
        }
        Split::SurfaceArea => binned::<L>(elements, buffer, rest),
        Split::Median => None,
    };
    halves.unwrap_or_else(|| median(elements, rest))
}

/// Divides at the least SAH cost, between two bins; `None` if no bin divides them.
#[inline(always)]
fn binned<L: Lanes>(elements: &[Element], buffer: &mut [Element], rest: Option<usize>) -> Option<Halves> {
    let grid = Grid::new(&Centers::of::<L>(elements));
    let bins = Bins::of::<L>(elements, &grid);
    let (cut, mut bounds) = bins.cut::<L>(elements.len(), &grid)?;
    let mut middle = bins.before(cut);
    let buffer = &mut buffer[..elements.len()];
    let (left, right) = buffer.split_at_mut(middle);
    deal::<L>(elements, &grid, cut, left, right);
    if let Some(rest) = rest {
        let to = nearest(elements.len(), middle, rest);
        shift(buffer, middle, to, cut.axis, &mut bounds);
        middle = to;
    }
    Some(Halves { middle, bounds, moved: true })
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
        bounds[0] = around(&elements[..to]);
    } else if to > from {
        bounds[1] = around(&elements[to..]);
    }
}

/// Halves the elements along the longest axis of their centers.
fn median(elements: &mut [Element], rest: Option<usize>) -> Halves {
    let axis = Centers::of::<Portable>(elements).longest_axis();
    let half = elements.len() / 2;
    let middle = rest.map_or(half, |rest| nearest(elements.len(), half, rest));
    elements.select_nth_unstable_by(middle, |a, b| {
        a.center(axis).total_cmp(&b.center(axis)).then(a.id().cmp(&b.id()))
    });
    let bounds = [around(&elements[..middle]), around(&elements[middle..])];
    Halves { middle, bounds, moved: false }
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
