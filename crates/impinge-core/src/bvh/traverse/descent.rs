//! The descent rule of a traversal of two trees: it opens both nodes, or the larger one alone (Maia et al. 2006, §3.4).
//!
//! Four children of one against four of another are compared in one step, so that opening both is the quickest way down as
//! long as the two are of about the same size. Where one is much smaller, opening it early multiplies the pairs: each of
//! its children overlaps what it would have overlapped as a whole. Then the larger one is opened alone.

use crate::bvh::{DopTree, Node, WIDTH};
use crate::simd::{I16x4, Lanes};

/// A descent rule: which of two nodes a traversal opens.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Descent {
    /// Opens both nodes.
    Together,
    /// Opens the larger node, and both where neither is so many times as large as the other.
    Larger(f32),
    /// Opens one of the trees down to its leaves before the other.
    OneTree(usize),
}

impl Descent {
    /// The rule that queries use. Its factor is better than 1, the only other one tried.
    pub const USUAL: Descent = Descent::Larger(3.0);

    /// Whether any choice is to be made between two trees: where they are of about the same size as wholes, so are most of the
    /// nodes that overlap, and looking at them costs more than it saves. `step` is the size of a step of the second tree, in
    /// those of the first.
    pub(in crate::bvh) fn chooses<const K: usize>(self, trees: [&DopTree<K>; 2], step: f32) -> bool {
        match self {
            Descent::Together => false,
            Descent::OneTree(_) => true,
            Descent::Larger(times) => {
                let size = |tree: &DopTree<K>| -> f32 {
                    let side = |i: usize| f32::from(tree.bounds[i]) + f32::from(tree.bounds[i + K / 2]);
                    side(0) + side(1) + side(2)
                };
                let (a, b) = (size(trees[0]), size(trees[1]) * step);
                times <= 1.0 || a > times * b || b > times * a
            }
        }
    }

    /// The pairs of children, of those that could both be opened, of which the first is opened alone, and those of which the
    /// second is.
    #[inline(always)]
    pub(in crate::bvh) fn alone<L: Lanes, const K: usize>(
        self,
        nodes: [&Node<K>; 2],
        step: f32,
        pairs: u32,
    ) -> [u32; 2] {
        match self {
            Descent::Together => [0, 0],
            Descent::OneTree(0) => [pairs, 0],
            Descent::OneTree(_) => [0, pairs],
            Descent::Larger(times) => {
                let [a, b] = [sizes(nodes[0]), sizes(nodes[1])];
                [
                    pairs
                        & L::signs(L::sums(L::rows(&scaled(a, -1.0)), L::columns(&scaled(b, times * step)))),
                    pairs & L::signs(L::sums(L::rows(&scaled(a, times)), L::columns(&scaled(b, -step)))),
                ]
            }
        }
    }
}

/// The sizes of a node's children: sums of three of their sides, in eighths of a step.
#[inline(always)]
fn sizes<const K: usize>(node: &Node<K>) -> [f32; WIDTH] {
    let mut sizes = [0.0; WIDTH];
    let mut lane = 0;
    while lane < WIDTH {
        let side = |i: usize| i32::from(node.offsets[i][lane]) + i32::from(node.offsets[i + K / 2][lane]);
        sizes[lane] = (side(0) + side(1) + side(2)) as f32 * 0.125;
        lane += 1;
    }
    sizes
}

/// The nearest of 16 bits.
#[inline(always)]
fn scaled(sizes: [f32; WIDTH], by: f32) -> I16x4 {
    [(sizes[0] * by) as i16, (sizes[1] * by) as i16, (sizes[2] * by) as i16, (sizes[3] * by) as i16]
}
