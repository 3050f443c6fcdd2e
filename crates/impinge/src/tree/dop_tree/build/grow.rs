//! The recursion: nodes of four children, in the order of a walk from the top; every subtree is contiguous.

use super::super::steps::in_steps;
use super::super::{Child, LEAF_SIZE, Node, WIDTH};
use super::element::{Bounds, round_up};
use super::parts::{Range, parts};
use super::{Build, Corners};
use crate::bounds::directions;
use crate::math::DVec3;

/// Ranges from this size on are divided among threads.
#[cfg(feature = "parallel")]
const LARGE: usize = 4096;

/// What all of a build shares.
pub(super) struct Grower<'c, C, const K: usize> {
    pub(super) corners: &'c C,
    pub(super) build: Build,
    /// From this many splits on, splits are at the median, which bounds the depth.
    pub(super) deepest: u32,
    pub(super) origin: DVec3,
    pub(super) scale: f64,
    /// What rounding into tree coordinates can cost.
    pub(super) room: f64,
}

/// What a subtree is to its parent. A node's index counts from the start of its piece.
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
        nodes.push(empty_node());
        let (mut count, mut splits) = (0, range.depth);
        for part in &mut parts::<K>(self.build, self.deepest, range) {
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
        let offsets = in_steps(&if K == 6 { axial(&range.bounds) } else { self.fit(range.order) });
        Grown { child: Child::leaf(range.first as usize, range.elements.len()), offsets, splits: range.depth }
    }

    /// The bounds of elements, from their corners.
    fn fit(&self, elements: &[u32]) -> [f32; K] {
        let half = K / 2;
        let mut offsets = [f64::NEG_INFINITY; K];
        for &id in elements {
            self.corners.visit(id, |point| {
                let point = (point - self.origin) * self.scale;
                for i in 0..half {
                    let [x, y, z] = const { directions::<K>() }[i];
                    let along = x * point.x + y * point.y + z * point.z;
                    offsets[i] = if along > offsets[i] { along } else { offsets[i] };
                    offsets[i + half] = if -along > offsets[i + half] { -along } else { offsets[i + half] };
                }
            });
        }
        // Sums of three.
        offsets.map(|offset| round_up(offset, 4.0 * self.room))
    }

    /// The nodes of a range in pieces that come one after the other.
    #[cfg(feature = "parallel")]
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
        let [a, b, c, d] = parts::<K>(self.build, self.deepest, range);
        let ((a, b), (c, d)) =
            rayon::join(|| rayon::join(|| part(a), || part(b)), || rayon::join(|| part(c), || part(d)));
        let mut node = empty_node();
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

/// Nodes in pieces that come one after the other.
#[cfg(feature = "parallel")]
pub(super) struct Pieces<const K: usize> {
    /// How many nodes are before each piece, and the piece.
    pub(super) each: Vec<(usize, Vec<Node<K>>)>,
    pub(super) total: usize,
}

#[cfg(feature = "parallel")]
impl<const K: usize> Pieces<K> {
    fn append(&mut self, more: Pieces<K>) {
        self.each.extend(more.each.into_iter().map(|(before, piece)| (before + self.total, piece)));
        self.total += more.total;
    }
}

/// The offsets of a box.
fn axial<const K: usize>(bounds: &Bounds) -> [f32; K] {
    std::array::from_fn(|k| if k < 3 { bounds.more(k) } else { bounds.less((k - 3) % 3) })
}

const fn empty_node<const K: usize>() -> Node<K> {
    Node { offsets: [[0; WIDTH]; K], children: [Child::NONE; WIDTH] }
}

impl<const K: usize> Node<K> {
    fn set(&mut self, lane: usize, grown: &Grown<K>) {
        self.children[lane] = grown.child;
        for (lanes, offset) in self.offsets.iter_mut().zip(grown.offsets) {
            lanes[lane] = offset;
        }
    }

    /// The bounds of so many children.
    fn around(&self, count: usize) -> [i16; K] {
        self.offsets.map(|lanes| lanes[..count].iter().fold(i16::MIN, |most, &offset| most.max(offset)))
    }
}
