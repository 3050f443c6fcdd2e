//! Axial BSP trees over boxes (van Waveren 2005, §5): space divided at the sides of the boxes themselves.
//!
//! ```
//! use impinge::bounds::Aabb;
//! use impinge_papers::van_waveren::axial_bsp::{AxialBsp, BspStack};
//!
//! let boxes: Vec<Aabb> =
//!     (0..100).map(|i| Aabb::around([[f64::from(i), 0.0, 0.0].into(), [f64::from(i) + 0.5, 1.0, 1.0].into()])).collect();
//! let tree = AxialBsp::build(&boxes);
//! let mut found = Vec::new();
//! let asked = Aabb::new([10.25, 0.0, 0.0], [12.0, 1.0, 1.0])?;
//! tree.for_each_meeting(&asked, &mut BspStack::default(), |element| found.push(element));
//! found.sort();
//! assert_eq!(found, [10, 11, 12]);
//! # Ok::<(), impinge::bounds::VolumeError>(())
//! ```
//!
//! A plane takes the boxes on either side to the child there, and those that it cuts to both. Queries tell from the boxes
//! themselves in which of several leaves to report one, so nothing is marked and nothing is remembered.

mod build;
mod traverse;

pub use traverse::BspStack;

use impinge::bounds::Aabb;

/// A node: a plane between two children, or a leaf.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Node {
    /// The coordinate of the plane.
    plane: f64,
    /// The child above the plane; the other one is the next node. Of a leaf, its first entry.
    link: u32,
    /// The axis of the plane in the lowest two bits; [`LEAF`](Node::LEAF) for a leaf, with the number of entries above them.
    kind: u32,
}

impl Node {
    const LEAF: u32 = 3;
    /// The most entries of a tree.
    const LIMIT: usize = (1 << 30) - 1;

    fn axis(&self) -> usize {
        (self.kind & 3) as usize
    }

    fn is_leaf(&self) -> bool {
        self.kind & 3 == Node::LEAF
    }

    /// The entries of a leaf.
    fn entries(&self) -> std::ops::Range<usize> {
        let first = self.link as usize;
        first..first + (self.kind >> 2) as usize
    }
}

/// An axial BSP tree over numbered boxes.
#[derive(Clone, Debug, PartialEq)]
pub struct AxialBsp {
    nodes: Vec<Node>,
    /// The boxes in the order of the leaves, and whose they are. A box that planes cut is there several times.
    boxes: Vec<Aabb>,
    elements: Vec<u32>,
    bounds: Aabb,
    /// The number of different elements.
    count: usize,
}

impl AxialBsp {
    /// The number of elements.
    pub fn len(&self) -> usize {
        self.count
    }

    /// Whether there is no element.
    pub fn is_empty(&self) -> bool {
        self.count == 0
    }

    /// The number of entries in all leaves, no more than twice the number of elements.
    pub fn entry_count(&self) -> usize {
        self.elements.len()
    }

    /// The most planes above a leaf.
    pub fn depth(&self) -> usize {
        let mut deepest = 0;
        let mut later = vec![(0, 0)];
        while let Some((index, depth)) = later.pop() {
            let Some(node) = self.nodes.get(index) else { continue };
            deepest = deepest.max(depth);
            if !node.is_leaf() {
                later.extend([(index + 1, depth + 1), (node.link as usize, depth + 1)]);
            }
        }
        deepest
    }

    /// Bytes that the tree takes.
    pub fn bytes(&self) -> usize {
        size_of_val(self.nodes.as_slice())
            + size_of_val(self.boxes.as_slice())
            + size_of_val(self.elements.as_slice())
    }
}
