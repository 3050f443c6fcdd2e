//! The BVH build: top-down, on boxes, by the surface area heuristic (SAH); the K-DOPs are fitted on the way back.

mod bins;
mod by_rule;
mod dops;
mod element;
mod few;
mod fill;
mod grow;
mod parts;
mod pieces;
mod range;
mod rows;
mod split;
#[cfg(test)]
mod tests;
mod threads;

use super::fit::Frame;
use super::steps::STEPS;
use super::{Child, Corners, DopTree, Node};
use crate::bounds::Aabb;
use crate::parallel::may_share;
use crate::simd::{Lanes, Work, dispatch};
use bins::{Bins, Cut};
use dops::dops;
use element::{Element, around};
use fill::{element, fill};
use grow::{Grower, Grown};
use range::{Arena, Range};
use split::Splitter;

/// Options of a BVH build. Whatever is chosen, a tree over n elements has at most 2 ⌈log2 n⌉ + 2 splits above a leaf: deep
/// ones are at the median.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Build {
    /// Whether leaves and nodes are filled as far as possible: with 6 directions that takes some 15 bytes an element in
    /// place of 22, and costs a traversal more tests of faces, as two faces have a larger bound than one.
    pub full: bool,
    /// Whether to use more than one thread, if there are many elements; only with the feature `parallel`. The tree is the
    /// same.
    pub parallel: bool,
}

impl Build {
    /// The smallest tree: some 15 bytes an element with 6 directions.
    pub const COMPACT: Build = Build { full: true, parallel: true };
    /// The fewest tests in a traversal: some 22 bytes an element with 6 directions, and some 40 where elements have leaves of their own, as polygons of more
    /// than three corners do. The default.
    pub const TIGHT: Build = Build { full: false, parallel: true };
    /// The default options on one thread: for trees built inside of a query, which must not enter the thread pool.
    pub const LAZY: Build = Build { parallel: false, ..Build::TIGHT };
}

impl Default for Build {
    fn default() -> Build {
        Build::TIGHT
    }
}

impl<const K: usize> DopTree<K> {
    /// A tree over elements `0..count`. `bounds` is a box around all of them.
    pub fn build(count: usize, bounds: Aabb, corners: impl Corners) -> DopTree<K> {
        DopTree::build_with(Build::default(), count, bounds, corners)
    }

    /// A tree over elements `0..count`, built as `build` says. `bounds` is a box around all of them.
    pub fn build_with(mut build: Build, count: usize, bounds: Aabb, corners: impl Corners) -> DopTree<K> {
        assert!(count < Child::LIMIT, "more elements than a tree can name");
        build.parallel = build.parallel && count >= FEW_FOR_THREADS && may_share();
        let frame = Frame::around(bounds);
        let elements = fill(build, count, &corners, &frame);
        let mut tree = DopTree {
            nodes: Vec::new(),
            order: vec![0; elements.len()],
            root: Child::NONE,
            bounds: [i16::MIN; K],
            origin: frame.origin,
            scale: frame.scale * STEPS,
            splits: 0,
        };
        if elements.is_empty() {
            return tree;
        }
        let (nodes, root) = grow_boxes(build, elements, &mut tree.order, 0);
        tree.nodes = dops(nodes, &corners, &frame, &tree.order, 0);
        tree.bounds = tree.nodes[0].around(root.child.count() as usize);
        (tree.root, tree.splits) = (root.child, root.splits);
        tree
    }
}

/// Below this many elements, one thread does it all.
const FEW_FOR_THREADS: usize = 1 << 13;

/// The nodes of a tree over some elements of a larger one, whose order has them from `first` on: they are reordered.
pub(super) fn grow<const K: usize>(
    build: Build,
    frame: Frame,
    corners: &impl Corners,
    order: &mut [u32],
    first: u32,
) -> (Vec<Node<K>>, u32) {
    let elements: Vec<Element> = order.iter().map(|&id| element(build, corners, &frame, id)).collect();
    let alone = Build { parallel: false, ..build };
    let (nodes, root) = grow_boxes(alone, elements, order, first);
    (dops(nodes, corners, &frame, order, first), root.splits)
}

/// The nodes of a tree of boxes over one element or more, whose numbers are written in the order of the leaves; their places count from
/// `start`.
fn grow_boxes(
    build: Build,
    mut elements: Vec<Element>,
    order: &mut [u32],
    start: u32,
) -> (Vec<Node<6>>, Grown) {
    let count = elements.len();
    let deepest = count.next_power_of_two().trailing_zeros();
    let splitter = Splitter { deepest, parallel: build.parallel };
    let grower = Grower { splitter, full: build.full };
    let mut buffer = vec![Element::NONE; count];
    let mut arena = Arena { elements: &mut elements, buffer: &mut buffer, order, start };
    let range = dispatch(Whole { splitter, arena: &mut arena });
    if build.parallel {
        let (pieces, root) = grower.pieces(arena, range);
        return (pieces.joined(), root);
    }
    let mut nodes = Vec::with_capacity(count / 3 + 1);
    let root = grower.nodes(arena, range, &mut nodes);
    nodes.shrink_to_fit();
    (nodes, root)
}

/// The range of all elements.
struct Whole<'a, 'e> {
    splitter: Splitter,
    arena: &'a mut Arena<'e>,
}

impl Work for Whole<'_, '_> {
    type Output = Range;

    #[inline(always)]
    fn run<L: Lanes>(self) -> Range {
        let Whole { splitter, arena } = self;
        let bounds = around::<L>(arena.elements);
        let count = arena.elements.len() as u32;
        let mut range = Range { first: 0, count, depth: 0, is_in_buffer: false, bounds, cut: Cut::NONE };
        let mut bins = Bins::EMPTY;
        splitter.plan::<L>(arena, &mut range, &mut bins);
        range
    }
}
