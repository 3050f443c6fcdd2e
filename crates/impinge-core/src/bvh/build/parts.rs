//! Up to four parts of a range of elements: the children of a node.
// Plain loops: closures and iterators would not be compiled for the wide lanes.
#![allow(clippy::needless_range_loop)]

use super::super::{LEAF_SIZE, WIDTH};
use super::Build;
use super::element::{Bounds, Element, Halves, around};
use super::few::divide;
use super::split::{FULL, Split, split};
use crate::simd::{Lanes, Work, dispatch};

/// Ranges up to this size are divided so that their nodes are full.
const SMALL: usize = 128;

/// A range of elements that becomes a subtree.
pub(super) struct Range<'e> {
    pub(super) elements: &'e mut [Element],
    /// Scratch memory, as long as the elements.
    pub(super) buffer: &'e mut [Element],
    /// The part of the tree's order that the elements' numbers are written to.
    pub(super) order: &'e mut [u32],
    /// The place of the first element among all.
    pub(super) first: u32,
    pub(super) bounds: Bounds,
    /// The number of splits above the range.
    pub(super) depth: u32,
}

impl<'e> Range<'e> {
    pub(super) fn len(&self) -> usize {
        self.elements.len()
    }

    /// The two sides.
    fn cut(self, halves: &Halves) -> [Range<'e>; 2] {
        let (mut elements, mut buffer) = (self.elements, self.buffer);
        if halves.moved {
            std::mem::swap(&mut elements, &mut buffer);
        }
        let (elements, right_elements) = elements.split_at_mut(halves.middle);
        let (buffer, right_buffer) = buffer.split_at_mut(halves.middle);
        let (order, right_order) = self.order.split_at_mut(halves.middle);
        let depth = self.depth + 1;
        let [bounds, right_bounds] = halves.bounds;
        [
            Range { elements, buffer, order, first: self.first, bounds, depth },
            Range {
                elements: right_elements,
                buffer: right_buffer,
                order: right_order,
                first: self.first + halves.middle as u32,
                bounds: right_bounds,
                depth,
            },
        ]
    }
}

/// Up to four parts of a range. From `deepest` splits on, splits are at the median.
pub(super) fn parts<'e>(build: Build, deepest: u32, range: Range<'e>) -> [Option<Range<'e>>; WIDTH] {
    if range.len() <= LEAF_SIZE {
        return [Some(range), None, None, None];
    }
    dispatch(Parts { build, deepest, range })
}

/// [`parts`], compiled for the processor.
struct Parts<'e> {
    build: Build,
    deepest: u32,
    range: Range<'e>,
}

impl<'e> Work for Parts<'e> {
    type Output = [Option<Range<'e>>; WIDTH];

    #[inline(always)]
    fn run<L: Lanes>(self) -> [Option<Range<'e>>; WIDTH] {
        let Parts { build, deepest, range } = self;
        if build.full && range.len() <= 8 {
            return pairs::<L>(range);
        }
        let small = build.full && range.len() <= SMALL;
        let mut parts = [Some(range), None, None, None];
        let mut count = 1;
        for turn in 0..WIDTH - 1 {
            // Small: the whole, then one half, then the other.
            let which = if small { turn / 2 } else { largest(&parts) };
            let Some(part) = parts[which].take_if(|part| part.len() > LEAF_SIZE) else { continue };
            // Small ranges are divided in two and two more parts, three of which will be full.
            let rest = if small && turn == 0 {
                Some(2 * FULL)
            } else if build.full && part.len() <= SMALL * 8 {
                Some(FULL)
            } else {
                None
            };
            let how = if part.depth < deepest { Split::SurfaceArea } else { Split::Median };
            let halves = split::<L>(how, part.elements, part.buffer, rest, build.parallel);
            let [left, right] = part.cut(&halves);
            parts[which] = Some(left);
            parts[count] = Some(right);
            count += 1;
        }
        parts
    }
}

/// The part of the largest surface, counted for its elements, among those that can be split.
#[inline(always)]
fn largest(parts: &[Option<Range<'_>>; WIDTH]) -> usize {
    let (mut largest, mut most) = (0, -1.0);
    for i in 0..WIDTH {
        let Some(part) = &parts[i] else { break };
        let cost = part.bounds.half_area() * part.len() as f32;
        if part.len() > LEAF_SIZE && cost > most {
            (largest, most) = (i, cost);
        }
    }
    largest
}

/// Leaves of two, of up to eight elements.
#[inline(always)]
fn pairs<'e, L: Lanes>(range: Range<'e>) -> [Option<Range<'e>>; WIDTH] {
    let depth = range.depth + pack::<L>(range.elements);
    let mut parts = [None, None, None, None];
    let mut rest = range;
    for part in &mut parts {
        let middle = rest.len().min(LEAF_SIZE);
        let bounds = [around(&rest.elements[..middle]); 2];
        let [mut pair, others] = rest.cut(&Halves { middle, bounds, moved: false });
        pair.depth = depth;
        *part = Some(pair);
        rest = others;
        if rest.len() == 0 {
            break;
        }
    }
    parts
}

/// Orders up to eight elements, so that pairs of neighbors make good leaves; returns the splits that it took.
#[inline(always)]
fn pack<L: Lanes>(elements: &mut [Element]) -> u32 {
    let count = elements.len();
    if count <= LEAF_SIZE {
        return 0;
    }
    let (mut first, mut splits) = (count, 1);
    if count > 4 {
        (first, _) = divide::<L>(elements, if count == 6 { 1 << 4 | 1 << 2 } else { 1 << 4 });
        splits = 2;
    }
    let (left, right) = elements.split_at_mut(first);
    for half in [left, right] {
        if half.len() > 2 {
            divide::<L>(half, 1 << 2);
        }
    }
    splits
}
