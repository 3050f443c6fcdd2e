//! Ways to divide elements in two.

use super::Split;
use super::element::{Bounds, Element, around, around_centres};
use crate::bounds::directions;
use crate::simd::{Lanes, Work, dispatch};

/// Elements divided in two: `..middle` and `middle..`.
#[derive(Clone, Copy)]
pub(super) struct Halves {
    pub(super) middle: usize,
    pub(super) bounds: [Bounds; 2],
    /// Whether the divided elements are in the second buffer now.
    pub(super) moved: bool,
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

/// Divides more than eight elements as the preset says, or at the median if that does not divide them. With `rest`, one side
/// gets that many more than a multiple of six.
pub(super) fn split<const K: usize>(
    how: Option<Split>,
    elements: &mut [Element],
    buffer: &mut [Element],
    rest: Option<usize>,
) -> Halves {
    let halves = match how {
        // Fewer bins for small ranges are faster to fill, but walks through such trees take half as long again.
        Some(Split::SurfaceArea) => dispatch(Binned::<16> { elements, buffer: &mut *buffer, rest }),
        Some(Split::Paper) => paper::<K>(elements, buffer),
        None => None,
    };
    halves.unwrap_or_else(|| median(elements, rest))
}

/// From this many elements on, there are two sets of bins.
const MANY: usize = 512;

/// Bins along three axes.
struct Bins<const N: usize> {
    bounds: [[Bounds; N]; 3],
    counts: [[u32; N]; 3],
}

/// Where the bins are: those of an element are `(centre - low) * factor`, rounded.
#[derive(Clone, Copy)]
struct Grid {
    low: [f32; 4],
    factor: [f32; 4],
}

impl Grid {
    #[inline(always)]
    fn new<const N: usize>(centres: &Bounds) -> Grid {
        let size = centres.size();
        let factor = std::array::from_fn(|k| {
            let factor = if k < 3 && size[k] > 0.0 { (N as f32 * 0.9999) / size[k] } else { 0.0 };
            if factor.is_finite() { factor } else { 0.0 }
        });
        Grid { low: centres.less.map(|less| -less), factor }
    }

    /// The bins of an element along the axes. Adding the large number leaves the integer in the lowest bits.
    #[inline(always)]
    fn bins(&self, element: &Element) -> [u32; 4] {
        let centre = element.centre();
        std::array::from_fn(|k| bin(centre[k], self.low[k], self.factor[k]))
    }
}

#[inline(always)]
fn bin(centre: f32, low: f32, factor: f32) -> u32 {
    const LARGE: f32 = 12_582_912.0;
    ((centre - low) * factor - 0.499 + LARGE).to_bits()
}

impl<const N: usize> Bins<N> {
    const EMPTY: Bins<N> = Bins { bounds: [[Bounds::EMPTY; N]; 3], counts: [[0; N]; 3] };

    #[inline(always)]
    fn put(&mut self, element: &Element, grid: &Grid) {
        let bins = grid.bins(element);
        for (k, bin) in bins.into_iter().take(3).enumerate() {
            let i = bin as usize % N;
            self.bounds[k][i].add(&element.bounds);
            self.counts[k][i] += 1;
        }
    }

    #[inline(always)]
    fn fill(&mut self, elements: &[Element], grid: &Grid) {
        for element in elements {
            self.put(element, grid);
        }
    }

    #[inline(always)]
    fn merge(&mut self, others: &Bins<N>) {
        for k in 0..3 {
            for i in 0..N {
                self.bounds[k][i].add(&others.bounds[k][i]);
                self.counts[k][i] += others.counts[k][i];
            }
        }
    }

    /// The least cost: axis, first bin on the right, boxes of both sides.
    #[inline(always)]
    fn best(&self, grid: &Grid) -> Option<(usize, usize, [Bounds; 2])> {
        let mut best: Option<(usize, usize, [Bounds; 2])> = None;
        let mut least = f32::INFINITY;
        for axis in 0..3 {
            if grid.factor[axis] == 0.0 {
                continue;
            }
            let (bounds, counts) = (&self.bounds[axis], &self.counts[axis]);
            let mut right = [(Bounds::EMPTY, 0.0, 0); N];
            let (mut all, mut count) = (Bounds::EMPTY, 0);
            for i in (1..N).rev() {
                all.add(&bounds[i]);
                count += counts[i];
                right[i] = (all, all.half_area() * count as f32, count);
            }
            let (mut all, mut count) = (Bounds::EMPTY, 0);
            for i in 1..N {
                all.add(&bounds[i - 1]);
                count += counts[i - 1];
                let (others, cost, other_count) = &right[i];
                let cost = all.half_area() * count as f32 + cost;
                if cost < least && count > 0 && *other_count > 0 {
                    least = cost;
                    best = Some((axis, i, [all, *others]));
                }
            }
        }
        best
    }
}

/// [`binned`], compiled for the processor.
struct Binned<'e, const N: usize> {
    elements: &'e [Element],
    buffer: &'e mut [Element],
    rest: Option<usize>,
}

impl<const N: usize> Work for Binned<'_, N> {
    type Output = Option<Halves>;

    #[inline(always)]
    fn run<L: Lanes>(self) -> Option<Halves> {
        binned::<N>(self.elements, self.buffer, self.rest)
    }
}

/// Divides at least cost by surface area, where bins meet; `None` if no bin divides them.
#[inline(always)]
fn binned<const N: usize>(
    elements: &[Element],
    buffer: &mut [Element],
    rest: Option<usize>,
) -> Option<Halves> {
    let grid = Grid::new::<N>(&around_centres(elements));
    let mut bins = Bins::<N>::EMPTY;
    if elements.len() < MANY {
        bins.fill(elements, &grid);
    } else {
        // Neighbours often share a bin: in turns, they do not wait for each other.
        let mut others = Bins::<N>::EMPTY;
        let (pairs, last) = elements.as_chunks::<2>();
        for [a, b] in pairs {
            bins.put(a, &grid);
            others.put(b, &grid);
        }
        bins.fill(last, &grid);
        bins.merge(&others);
    }
    let (axis, first_right, mut bounds) = bins.best(&grid)?;
    let (low, factor) = (grid.low[axis], grid.factor[axis]);
    let buffer = &mut buffer[..elements.len()];
    // Every element is written to the next place of both sides; the one that is wrong is overwritten.
    let (mut left, mut right) = (0, elements.len());
    for element in elements {
        let is_left = (bin(element.centre()[axis], low, factor) as usize % N) < first_right;
        buffer[left] = *element;
        buffer[right - 1] = *element;
        left += usize::from(is_left);
        right -= usize::from(!is_left);
    }
    let mut middle = left;
    if let Some(rest) = rest {
        middle = nearest(elements.len(), left, rest);
        shift(buffer, left, middle, axis, &mut bounds);
    }
    Some(Halves { middle, bounds, moved: true })
}

/// Moves the border between two sides by handing over the elements nearest to it.
fn shift(elements: &mut [Element], from: usize, to: usize, axis: usize, bounds: &mut [Bounds; 2]) {
    let centre = |element: &Element| element.centre()[axis];
    for border in (to..from).rev() {
        let furthest = (0..border)
            .fold(border, |most, i| if centre(&elements[i]) > centre(&elements[most]) { i } else { most });
        elements.swap(furthest, border);
        bounds[1].add(&elements[border].bounds);
    }
    for border in from..to {
        let furthest = (border + 1..elements.len())
            .fold(border, |most, i| if centre(&elements[i]) < centre(&elements[most]) { i } else { most });
        elements.swap(furthest, border);
        bounds[0].add(&elements[border].bounds);
    }
    if to < from {
        bounds[0] = around(&elements[..to]);
    } else if to > from {
        bounds[1] = around(&elements[to..]);
    }
}

/// Halves the elements along the longest axis of their centres.
fn median(elements: &mut [Element], rest: Option<usize>) -> Halves {
    let size = around_centres(elements).size();
    let axis = (1..3).fold(0, |best, k| if size[k] > size[best] { k } else { best });
    let half = elements.len() / 2;
    let middle = rest.map_or(half, |rest| nearest(elements.len(), half, rest));
    elements.select_nth_unstable_by(middle, |a, b| {
        a.centre()[axis].total_cmp(&b.centre()[axis]).then(a.id().cmp(&b.id()))
    });
    let bounds = [around(&elements[..middle]), around(&elements[middle..])];
    Halves { middle, bounds, moved: false }
}

/// Paper 002 §4.2, on boxes: two elements whose centres are almost farthest apart begin the two sides; the others follow
/// in their order along the direction that is most parallel to the line between the two, each to the side whose box
/// grows less in surface, or to the smaller side if both grow alike.
fn paper<const K: usize>(elements: &mut [Element], buffer: &mut [Element]) -> Option<Halves> {
    let farthest = |elements: &[Element], from: [f32; 4]| {
        let mut best = (0, -1.0);
        for (i, element) in elements.iter().enumerate() {
            let centre = element.centre();
            let distance: f32 = (0..3).map(|k| (centre[k] - from[k]) * (centre[k] - from[k])).sum();
            if distance > best.1 {
                best = (i, distance);
            }
        }
        best
    };
    let (first, _) = farthest(elements, elements[0].centre());
    let (second, distance) = farthest(elements, elements[first].centre());
    if distance <= 0.0 {
        return None;
    }
    let (from, to) = (elements[first], elements[second]);
    let line: [f64; 3] = std::array::from_fn(|k| f64::from(to.centre()[k]) - f64::from(from.centre()[k]));
    let dot = |d: [f64; 3], e: [f64; 3]| d[0] * e[0] + d[1] * e[1] + d[2] * e[2];
    let mut most = (-1.0, [0.0; 3]);
    for direction in &const { directions::<K>() }[..K / 2] {
        let along = dot(*direction, line);
        let parallel = along * along / dot(*direction, *direction);
        if parallel > most.0 {
            // In the sense of the line, so that the first element is on the low side.
            most = (parallel, direction.map(|d| if along < 0.0 { -d } else { d }));
        }
    }
    let along = |element: &Element| {
        let centre = element.centre();
        dot(most.1, std::array::from_fn(|k| f64::from(centre[k])))
    };
    elements.sort_unstable_by(|a, b| along(a).total_cmp(&along(b)).then(a.id().cmp(&b.id())));
    let (mut left, mut right) = (1, elements.len() - 1);
    let mut bounds = [from.bounds, to.bounds];
    let buffer = &mut buffer[..elements.len()];
    buffer[0] = from;
    buffer[right] = to;
    for element in elements.iter().filter(|element| element.id() != from.id() && element.id() != to.id()) {
        let with = bounds.map(|side| side.union(&element.bounds));
        let growth = [0, 1].map(|side| with[side].half_area() - bounds[side].half_area());
        let is_left = match growth[0].total_cmp(&growth[1]) {
            std::cmp::Ordering::Less => true,
            std::cmp::Ordering::Greater => false,
            std::cmp::Ordering::Equal => left <= elements.len() - right,
        };
        if is_left {
            buffer[left] = *element;
            left += 1;
            bounds[0] = with[0];
        } else {
            right -= 1;
            buffer[right] = *element;
            bounds[1] = with[1];
        }
    }
    Some(Halves { middle: left, bounds, moved: true })
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
