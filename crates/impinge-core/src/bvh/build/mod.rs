//! The BVH build: top-down, on boxes, by the surface area heuristic (SAH); the K-DOPs are fitted on the way back.

mod bins;
mod by_rule;
mod element;
mod few;
mod grow;
mod parts;
mod pieces;
mod rows;
mod split;
#[cfg(test)]
mod tests;
mod threads;

use super::fit::{Frame, round_up};
use super::steps::STEPS;
use super::{Child, Corners, DopTree, Node};
use crate::bounds::Aabb;
use crate::parallel::may_share;
use element::{Bounds, Element, around};
use grow::Grower;
use parts::Range;

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
    /// The fewest tests in a traversal: some 22 bytes an element with 6 directions. The default.
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
        let mut elements = make(build, count, |id| element(&corners, &frame, id));
        if elements.iter().any(Element::is_none) {
            elements.retain(|element| !element.is_none());
        }
        let count = elements.len();
        let mut tree = DopTree {
            nodes: Vec::new(),
            order: vec![0; count],
            root: Child::NONE,
            bounds: [i16::MIN; K],
            origin: frame.origin,
            scale: frame.scale * STEPS,
            splits: 0,
        };
        if count == 0 {
            return tree;
        }
        let deepest = count.next_power_of_two().trailing_zeros();
        let grower: Grower<'_, _, K> = Grower { corners: &corners, build, deepest, frame };
        let (bounds, mut buffer) = (whole(build, &elements), make(build, count, |_| Element::NONE));
        let range = Range {
            elements: &mut elements,
            buffer: &mut buffer,
            order: &mut tree.order,
            first: 0,
            bounds,
            depth: 0,
        };
        if build.parallel {
            let (pieces, grown) = grower.pieces(range);
            tree.nodes = pieces.joined();
            return tree.rooted(grown);
        }
        tree.nodes.reserve(count / 5 + 1);
        let grown = grower.node(range, &mut tree.nodes);
        tree.nodes.shrink_to_fit();
        tree.rooted(grown)
    }

    fn rooted(mut self, root: grow::Grown<K>) -> DopTree<K> {
        (self.root, self.bounds, self.splits) = (root.child, root.offsets, root.splits);
        self
    }
}

/// Below this many elements, one thread does it all.
const FEW_FOR_THREADS: usize = 1 << 13;

/// The box of an element.
#[inline(always)]
fn element(corners: &impl Corners, frame: &Frame, id: u32) -> Element {
    let mut bounds = Aabb::EMPTY;
    corners.visit(id, |point| bounds = bounds.with_point(point));
    if bounds.is_empty() {
        return Element::NONE;
    }
    // Rounding is monotonic, so the corners' images are within those of their box.
    let low = ((bounds.min - frame.origin) * frame.scale).to_array();
    let high = ((bounds.max - frame.origin) * frame.scale).to_array();
    let (mut less, mut more) = ([0.0; 3], [0.0; 3]);
    for axis in 0..3 {
        less[axis] = round_up(-low[axis], frame.room);
        more[axis] = round_up(high[axis], frame.room);
    }
    Element::new(id, less, more)
}

/// The nodes of a tree over some elements of a larger one, whose order has them from `first` on: they are reordered.
pub(super) fn grow<const K: usize>(
    build: Build,
    frame: Frame,
    corners: &impl Corners,
    order: &mut [u32],
    first: u32,
) -> (Vec<Node<K>>, u32) {
    let mut elements: Vec<Element> = order.iter().map(|&id| element(corners, &frame, id)).collect();
    let deepest = elements.len().next_power_of_two().trailing_zeros();
    let grower: Grower<'_, _, K> = Grower { corners, build, deepest, frame };
    let (mut buffer, bounds) = (elements.clone(), around(&elements));
    let mut nodes = Vec::with_capacity(elements.len() / 3 + 1);
    let grown = grower.node(
        Range { elements: &mut elements, buffer: &mut buffer, order, first, bounds, depth: 0 },
        &mut nodes,
    );
    (nodes, grown.splits)
}

/// All elements, in order.
fn make(build: Build, count: usize, element: impl Fn(u32) -> Element + Sync) -> Vec<Element> {
    if build.parallel {
        return threads::make(count, element);
    }
    (0..count as u32).map(element).collect()
}

/// The box around all elements.
fn whole(build: Build, elements: &[Element]) -> Bounds {
    if build.parallel {
        return threads::around(elements);
    }
    around(elements)
}
