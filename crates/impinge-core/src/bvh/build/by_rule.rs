//! Builds whose splits another decides: the elements of a range are put in order by a rule of the caller's.

use super::super::fit::{Frame, fit};
use super::super::steps::{STEPS, in_steps};
use super::super::{Child, Corners, DopTree, LEAF_SIZE, Node, WIDTH};
use crate::bounds::Aabb;

impl<const K: usize> DopTree<K> {
    /// A tree over elements `0..count` by the rule of another: `split` puts more than two elements in order and says how many of them are on
    /// the first side. `bounds` is a box around all elements.
    ///
    /// A node has the parts of two splits after each other. A range that is not split, because one side is empty or because
    /// 2 ⌈log2 n⌉ splits are above it, is halved as it stands.
    pub fn build_by(
        count: usize,
        bounds: Aabb,
        corners: impl Corners,
        split: impl FnMut(&mut [u32]) -> usize,
    ) -> DopTree<K> {
        assert!(count < Child::LIMIT, "more elements than a tree can name");
        let frame = Frame::around(bounds);
        let has_corners = |element: &u32| {
            let mut some = false;
            corners.visit(*element, |_| some = true);
            some
        };
        let mut order: Vec<u32> = (0..count as u32).filter(has_corners).collect();
        let deepest = 2 * order.len().next_power_of_two().trailing_zeros();
        let mut ruled = Ruled { corners: &corners, frame, split, deepest, nodes: Vec::new() };
        let root = if order.is_empty() {
            Grown { child: Child::NONE, offsets: [i16::MIN; K], splits: 0 }
        } else {
            ruled.node(&mut order, 0, 0)
        };
        let mut nodes = ruled.nodes;
        nodes.shrink_to_fit();
        DopTree {
            nodes,
            order,
            root: root.child,
            bounds: root.offsets,
            origin: frame.origin,
            scale: frame.scale * STEPS,
            splits: root.splits,
        }
    }
}

/// A built subtree, as its parent refers to it.
#[derive(Clone, Copy)]
struct Grown<const K: usize> {
    child: Child,
    offsets: [i16; K],
    /// The most splits above a leaf.
    splits: u32,
}

/// The state of a build by a rule.
struct Ruled<'c, C, F, const K: usize> {
    corners: &'c C,
    frame: Frame,
    split: F,
    /// The number of splits from which on ranges are halved.
    deepest: u32,
    nodes: Vec<Node<K>>,
}

impl<C: Corners, F: FnMut(&mut [u32]) -> usize, const K: usize> Ruled<'_, C, F, K> {
    /// Adds the node of a range, then its subtrees.
    fn node(&mut self, order: &mut [u32], first: usize, depth: u32) -> Grown<K> {
        let index = self.nodes.len();
        self.nodes.push(Node::EMPTY);
        let (mut count, mut splits) = (0, depth);
        let mut ends = [0; WIDTH + 1];
        let mut depths = [depth; WIDTH];
        for (from, to, depth) in self.halves(order, 0, order.len(), depth).into_iter().flatten() {
            for (_, to, depth) in self.halves(order, from, to, depth).into_iter().flatten() {
                (ends[count + 1], depths[count]) = (to, depth);
                count += 1;
            }
        }
        for lane in 0..count {
            let (from, to) = (ends[lane], ends[lane + 1]);
            let part = &mut order[from..to];
            let grown = if part.len() <= LEAF_SIZE {
                let offsets = in_steps(&fit(self.corners, &self.frame, part));
                Grown { child: Child::leaf(first + from, part.len()), offsets, splits: depths[lane] }
            } else {
                self.node(part, first + from, depths[lane])
            };
            self.nodes[index].children[lane] = grown.child;
            self.nodes[index].set_bounds(lane, &grown.offsets);
            splits = splits.max(grown.splits);
        }
        Grown { child: Child::node(index, count), offsets: self.nodes[index].around(count), splits }
    }

    /// The two sides of a range, with the splits above them; of one that fits a leaf, the whole.
    fn halves(
        &mut self,
        order: &mut [u32],
        from: usize,
        to: usize,
        depth: u32,
    ) -> [Option<(usize, usize, u32)>; 2] {
        let count = to - from;
        if count <= LEAF_SIZE {
            return [Some((from, to, depth)), None];
        }
        let mut middle = if depth < self.deepest { (self.split)(&mut order[from..to]) } else { 0 };
        if middle == 0 || middle >= count {
            middle = count / 2;
        }
        [Some((from, from + middle, depth + 1)), Some((from + middle, to, depth + 1))]
    }
}
