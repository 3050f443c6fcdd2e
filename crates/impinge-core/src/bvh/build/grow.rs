//! The recursion of the build: nodes of four children, in depth-first order; every subtree is contiguous.

use super::super::fit::{Frame, fit};
use super::super::steps::in_steps;
use super::super::{Child, Corners, LEAF_SIZE, Node};
use super::Build;
use super::element::Bounds;
use super::parts::{Range, parts};
use super::pieces::Pieces;
use crate::parallel::join;

/// Ranges from this size on are divided among threads.
const LARGE: usize = 4096;

/// The shared state of a build.
pub(super) struct Grower<'c, C, const K: usize> {
    pub(super) corners: &'c C,
    pub(super) build: Build,
    /// The number of splits from which on splits are at the median, which bounds the depth.
    pub(super) deepest: u32,
    pub(super) frame: Frame,
}

/// A built subtree, as its parent refers to it. A node's index counts from the start of its piece.
#[derive(Clone, Copy)]
pub(super) struct Grown<const K: usize> {
    pub(super) child: Child,
    pub(super) offsets: [i16; K],
    /// The most splits above a leaf.
    pub(super) splits: u32,
}

impl<C: Corners, const K: usize> Grower<'_, C, K> {
    /// Adds the node of a range, then its subtrees.
    pub(super) fn node(&self, range: Range<'_>, nodes: &mut Vec<Node<K>>) -> Grown<K> {
        let index = nodes.len();
        nodes.push(Node::EMPTY);
        let (mut count, mut splits) = (0, range.depth);
        for part in &mut parts(self.build, self.deepest, range) {
            let Some(mut part) = part.take() else { break };
            let grown = if part.len() <= LEAF_SIZE { self.leaf(&mut part) } else { self.node(part, nodes) };
            nodes[index].set(count, &grown);
            splits = splits.max(grown.splits);
            count += 1;
        }
        Grown { child: Child::node(index, count), offsets: nodes[index].around(count), splits }
    }

    fn leaf(&self, range: &mut Range<'_>) -> Grown<K> {
        for (place, element) in range.order.iter_mut().zip(&*range.elements) {
            *place = element.id();
        }
        let offsets = in_steps(&if K == 6 {
            axial(&range.bounds)
        } else {
            fit(self.corners, &self.frame, range.order)
        });
        Grown { child: Child::leaf(range.first as usize, range.elements.len()), offsets, splits: range.depth }
    }

    /// The nodes of a range in pieces that come one after the other.
    pub(super) fn pieces(&self, range: Range<'_>) -> (Pieces<K>, Grown<K>) {
        if range.len() < LARGE {
            let mut nodes = Vec::with_capacity(range.len() / 3 + 1);
            let grown = self.node(range, &mut nodes);
            return (Pieces { total: nodes.len(), each: vec![(0, nodes)] }, grown);
        }
        let mut splits = range.depth;
        let part = |part: Option<Range<'_>>| {
            part.map(|mut part| {
                if part.len() <= LEAF_SIZE {
                    (Pieces { total: 0, each: Vec::new() }, self.leaf(&mut part))
                } else {
                    self.pieces(part)
                }
            })
        };
        let [a, b, c, d] = parts(self.build, self.deepest, range);
        let ((a, b), (c, d)) = join(|| join(|| part(a), || part(b)), || join(|| part(c), || part(d)));
        let mut node = Node::EMPTY;
        let (mut pieces, mut count) = (Pieces { total: 1, each: vec![(0, Vec::new())] }, 0);
        for (more, mut grown) in [a, b, c, d].into_iter().flatten() {
            grown.child = grown.child.moved(pieces.total);
            node.set(count, &grown);
            splits = splits.max(grown.splits);
            pieces.append(more);
            count += 1;
        }
        pieces.each[0].1.push(node);
        let offsets = node.around(count);
        (pieces, Grown { child: Child::node(0, count), offsets, splits })
    }
}

/// The offsets of a box.
fn axial<const K: usize>(bounds: &Bounds) -> [f32; K] {
    std::array::from_fn(|k| if k < 3 { bounds.more(k) } else { bounds.less((k - 3) % 3) })
}

impl<const K: usize> Node<K> {
    pub(super) fn set(&mut self, lane: usize, grown: &Grown<K>) {
        self.children[lane] = grown.child;
        self.set_bounds(lane, &grown.offsets);
    }
}
