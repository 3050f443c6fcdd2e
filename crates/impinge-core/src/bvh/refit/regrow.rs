//! Building pieces of a tree anew.

use super::super::build::{Build, grow};
use super::super::fit::Frame;
use super::super::{Child, Corners, DopTree, Node};
use super::pieces::{Piece, Pieces};

impl<const K: usize> DopTree<K> {
    /// Builds pieces anew, by their numbers in ascending order; the elements of each stay together. Bounds above stay as
    /// they are: they hold the same elements.
    pub(super) fn regrow(
        &mut self,
        build: Build,
        pieces: &Pieces,
        chosen: &[usize],
        frame: Frame,
        corners: &impl Corners,
    ) {
        let mut fresh: Vec<Option<Vec<Node<K>>>> = vec![None; pieces.all.len()];
        for &piece in chosen {
            let Piece { elements, .. } = &pieces.all[piece];
            let order = &mut self.order[elements.start as usize..elements.end as usize];
            let (nodes, more) = grow(build, frame, corners, order, elements.start);
            // A node is at most three splits.
            self.splits = self.splits.max(3 * self.nodes_above(pieces.all[piece].nodes.start) + more);
            fresh[piece] = Some(nodes);
        }
        self.splice(pieces, &fresh);
    }

    /// The number of nodes above a node.
    fn nodes_above(&self, node: u32) -> u32 {
        let (mut at, mut count) = (0, 0);
        while at < node {
            // Of the children that do not come after it, the last holds it.
            let children = self.nodes[at as usize].children.iter().filter(|child| !child.is_leaf());
            at = children.map(|child| child.index()).filter(|&child| child <= node).max().unwrap_or(node);
            count += 1;
        }
        count
    }

    /// Puts fresh nodes in the place of pieces, and gives all nodes their new numbers.
    fn splice(&mut self, pieces: &Pieces, fresh: &[Option<Vec<Node<K>>>]) {
        // Where each piece and each node above starts, before and after.
        let mut starts: Vec<(u32, u32)> = pieces.above.iter().map(|&node| (node, 1)).collect();
        for (Piece { nodes: range, .. }, fresh) in pieces.all.iter().zip(fresh) {
            starts.push((range.start, fresh.as_ref().map_or(range.len(), Vec::len) as u32));
        }
        starts.sort_unstable();
        let mut total = 0;
        for (_, count) in &mut starts {
            total += std::mem::replace(count, total);
        }
        let place = |node: u32| {
            let (old, new) = starts[starts.partition_point(|&(start, _)| start <= node) - 1];
            node - old + new
        };
        let mut nodes = vec![Node::EMPTY; total as usize];
        for (Piece { nodes: range, .. }, fresh) in pieces.all.iter().zip(fresh) {
            let new = place(range.start);
            let was = if fresh.is_some() { 0 } else { range.start };
            let moved = |child: Child| child.renumbered(|node| node - was + new);
            let old = &self.nodes[range.start as usize..range.end as usize];
            let piece = fresh.as_deref().unwrap_or(old);
            for (to, from) in nodes[new as usize..].iter_mut().zip(piece) {
                *to = Node { children: from.children.map(moved), ..*from };
            }
        }
        for &above in &pieces.above {
            let mut node = self.nodes[above as usize];
            for child in node.children.iter_mut().filter(|child| !child.is_leaf()) {
                let at = place(child.index()) as usize;
                // Fresh pieces may have another number of children at their top.
                let is_above = pieces.above.binary_search(&child.index()).is_ok();
                let count = if is_above { child.count() as usize } else { nodes[at].count() };
                *child = Child::node(at, count);
            }
            nodes[place(above) as usize] = node;
        }
        if pieces.above.is_empty() {
            self.root = Child::node(0, nodes[0].count());
        }
        self.nodes = nodes;
    }
}
