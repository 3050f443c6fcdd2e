//! A tree cut into pieces: subtrees of few nodes, and the nodes above them.

use std::ops::Range;

use super::super::{Child, DopTree, Node, WIDTH};

/// The most nodes in a piece: some thousand elements.
const MOST: usize = 1024;

/// The pieces of a tree and the nodes above them, both in ascending order.
#[derive(Clone, Debug, Default)]
pub(super) struct Pieces {
    pub(super) all: Vec<Piece>,
    pub(super) above: Vec<u32>,
}

/// A subtree.
#[derive(Clone, Debug)]
pub(super) struct Piece {
    pub(super) nodes: Range<u32>,
    /// Places in the tree's order.
    pub(super) elements: Range<u32>,
}

impl Piece {
    fn new<const K: usize>(nodes: &[Node<K>], range: Range<u32>) -> Piece {
        let (mut first, mut end) = (u32::MAX, 0);
        for node in &nodes[range.start as usize..range.end as usize] {
            for leaf in node.children.iter().filter(|child| **child != Child::NONE && child.is_leaf()) {
                first = first.min(leaf.index());
                end = end.max(leaf.index() + leaf.count());
            }
        }
        Piece { nodes: range, elements: first..end }
    }
}

impl Pieces {
    pub(super) fn of<const K: usize>(tree: &DopTree<K>) -> Pieces {
        let mut pieces = Pieces::default();
        if !tree.nodes.is_empty() {
            pieces.cut(&tree.nodes, 0..tree.nodes.len() as u32);
        }
        pieces
    }

    /// Cuts a subtree, given as the range of its nodes.
    fn cut<const K: usize>(&mut self, nodes: &[Node<K>], range: Range<u32>) {
        if range.len() <= MOST {
            self.all.push(Piece::new(nodes, range));
            return;
        }
        self.above.push(range.start);
        let children = nodes[range.start as usize].children;
        let mut starts = [range.end; WIDTH + 1];
        for (start, child) in starts.iter_mut().zip(children) {
            if child != Child::NONE && !child.is_leaf() {
                *start = child.index();
            }
        }
        starts.sort_unstable();
        for ends in starts.windows(2).filter(|ends| ends[0] < ends[1]) {
            self.cut(nodes, ends[0]..ends[1]);
        }
    }

    /// The piece that a node belongs to; the number of pieces for nodes above.
    pub(super) fn piece_of(&self, node: u32) -> usize {
        let next = self.all.partition_point(|piece| piece.nodes.start <= node);
        if next > 0 && node < self.all[next - 1].nodes.end { next - 1 } else { self.all.len() }
    }

    /// All pieces, each with its nodes.
    pub(super) fn slices<'n, const K: usize>(
        &'n self,
        mut nodes: &'n mut [Node<K>],
    ) -> Vec<(&'n Piece, &'n mut [Node<K>])> {
        let mut start = 0;
        let slice = |piece: &'n Piece| {
            let rest = std::mem::take(&mut nodes);
            let (own, rest) = rest[piece.nodes.start as usize - start..].split_at_mut(piece.nodes.len());
            (nodes, start) = (rest, piece.nodes.end as usize);
            (piece, own)
        };
        self.all.iter().map(slice).collect()
    }
}
