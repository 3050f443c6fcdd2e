//! Ranges of elements, and the memory that they are in.

use super::super::LEAF_SIZE;
use super::bins::Cut;
use super::element::{Bounds, Element};

/// Elements twice over, to be dealt from one place to the other, and where their numbers go in the end.
pub(super) struct Arena<'e> {
    pub(super) elements: &'e mut [Element],
    pub(super) buffer: &'e mut [Element],
    /// The part of the tree's order that the elements' numbers are written to.
    pub(super) order: &'e mut [u32],
    /// The place of the first element among all of the tree.
    pub(super) start: u32,
}

impl<'e> Arena<'e> {
    /// The memory of a range's elements, and as much of the other.
    #[inline(always)]
    pub(super) fn of(&mut self, range: &Range) -> [&mut [Element]; 2] {
        let (from, to) = (range.first as usize, range.first as usize + range.count as usize);
        let (elements, buffer) = (&mut self.elements[from..to], &mut self.buffer[from..to]);
        if range.is_in_buffer { [buffer, elements] } else { [elements, buffer] }
    }

    /// The first `count` elements, and the others.
    pub(super) fn split_at(self, count: usize) -> [Arena<'e>; 2] {
        let (elements, more_elements) = self.elements.split_at_mut(count);
        let (buffer, more_buffer) = self.buffer.split_at_mut(count);
        let (order, more_order) = self.order.split_at_mut(count);
        let start = self.start + count as u32;
        [
            Arena { elements, buffer, order, start: self.start },
            Arena { elements: more_elements, buffer: more_buffer, order: more_order, start },
        ]
    }
}

/// A range of elements that becomes a subtree.
#[derive(Clone, Copy, Debug)]
pub(super) struct Range {
    /// The place of the first element in the arena.
    pub(super) first: u32,
    pub(super) count: u32,
    /// The number of splits above the range.
    pub(super) depth: u32,
    pub(super) is_in_buffer: bool,
    pub(super) bounds: Bounds,
    /// Where to cut it, if it has many elements; [`Cut::NONE`] if no bin divides them.
    pub(super) cut: Cut,
}

impl Range {
    /// Whether the elements fit into a leaf.
    #[inline(always)]
    pub(super) fn is_leaf(&self) -> bool {
        self.len() <= 1 || self.len() <= LEAF_SIZE && !self.bounds.has_large()
    }

    #[inline(always)]
    pub(super) fn len(&self) -> usize {
        self.count as usize
    }
}
