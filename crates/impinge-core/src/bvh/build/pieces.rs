//! Nodes that threads have built apart, and their union.

use super::super::Node;
use crate::parallel::map_indices;

/// Nodes that one thread joins.
const CHUNK: usize = 1 << 12;

/// Nodes in pieces that come one after the other.
pub(super) struct Pieces<const K: usize> {
    /// The number of nodes before each piece, and the piece.
    pub(super) each: Vec<(usize, Vec<Node<K>>)>,
    pub(super) total: usize,
}

impl<const K: usize> Pieces<K> {
    /// Puts more pieces behind these.
    pub(super) fn append(&mut self, more: Pieces<K>) {
        self.each.extend(more.each.into_iter().map(|(before, piece)| (before + self.total, piece)));
        self.total += more.total;
    }

    /// All nodes, by threads.
    pub(super) fn joined(&self) -> Vec<Node<K>> {
        let each = &self.each;
        // A thread goes from node to node: the next one is mostly in the same piece.
        map_indices(
            self.total,
            CHUNK,
            || 0,
            |piece, at| {
                let (before, nodes) = &each[*piece];
                if at < *before || at - before >= nodes.len() {
                    *piece = each.partition_point(|(before, _)| *before <= at) - 1;
                }
                let (before, nodes) = &each[*piece];
                let mut node = nodes[at - before];
                node.children = node.children.map(|child| child.moved(*before));
                node
            },
        )
    }
}
