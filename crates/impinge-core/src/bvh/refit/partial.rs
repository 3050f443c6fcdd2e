//! Partial refits: only the nodes above a few moved elements.

use super::super::fit::Frame;
use super::super::{Child, Corners, DopTree};
use super::pieces::Pieces;
use super::{refit_node, surface};

/// No node.
const NONE: u32 = u32::MAX;

/// The links upward: from elements to their nodes, and from nodes to their parents.
#[derive(Clone, Debug)]
pub(super) struct Links {
    node_of_element: Vec<u32>,
    parent: Vec<u32>,
    /// One bit for each node that is to be refitted.
    marks: Vec<u64>,
}

impl Links {
    pub(super) fn of<const K: usize>(tree: &DopTree<K>) -> Links {
        let elements = tree.order.iter().max().map_or(0, |&most| most as usize + 1);
        let mut links = Links {
            node_of_element: vec![NONE; elements],
            parent: vec![NONE; tree.nodes.len()],
            marks: vec![0; tree.nodes.len().div_ceil(64)],
        };
        for (index, node) in tree.nodes.iter().enumerate() {
            for child in node.children.into_iter().filter(|child| *child != Child::NONE) {
                let (first, count) = (child.index() as usize, child.count() as usize);
                if !child.is_leaf() {
                    links.parent[first] = index as u32;
                    continue;
                }
                for &element in &tree.order[first..first + count] {
                    links.node_of_element[element as usize] = index as u32;
                }
            }
        }
        links
    }

    /// Refits the nodes above the moved elements. The corners are those at places in the tree's order. `surfaces` is kept
    /// up to date.
    pub(super) fn refit<const K: usize>(
        &mut self,
        tree: &mut DopTree<K>,
        frame: &Frame,
        corners: &impl Corners,
        moved: &[u32],
        (pieces, surfaces): (&Pieces, &mut [f64]),
    ) {
        for &element in moved {
            // Elements without corners have no node.
            let mut node = self.node_of_element.get(element as usize).copied().unwrap_or(NONE);
            while node != NONE {
                let (word, bit) = (&mut self.marks[node as usize / 64], 1 << (node % 64));
                if *word & bit != 0 {
                    break;
                }
                *word |= bit;
                node = self.parent[node as usize];
            }
        }
        // Children come after their parents.
        for word in (0..self.marks.len()).rev() {
            let mut bits = std::mem::take(&mut self.marks[word]);
            while bits != 0 {
                let bit = 63 - bits.leading_zeros();
                bits &= !(1 << bit);
                let index = word * 64 + bit as usize;
                let before = surface(&tree.nodes[index]);
                let after = refit_node(&mut tree.nodes, 0, index, frame, corners);
                surfaces[pieces.piece_of(index as u32)] += after - before;
            }
        }
        if let Some(root) = tree.nodes.first() {
            tree.bounds = root.around(tree.root.count() as usize);
        }
    }
}
