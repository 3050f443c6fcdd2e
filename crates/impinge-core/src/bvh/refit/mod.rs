//! Refitting (Maia et al. 2006, §3.3): the same tree around the same elements, whose corners have moved.
//!
//! A node comes before its children and every subtree is contiguous, so a loop from the last node to the first finds the
//! bounds of all children made before those of their parents. Large trees are cut into pieces that are refitted side by
//! side; the cut depends on the tree alone, so that threads change no bit.

mod order;
mod partial;
mod pieces;
mod regrow;
mod rows;
mod upkeep;

pub use upkeep::{RefitPolicy, RefitStats};

use super::fit::{Frame, fit};
use super::steps::{STEPS, in_steps};
use super::{Child, Corners, DopTree, LEAF_SIZE, Node, WIDTH};
use crate::bounds::Aabb;
use crate::parallel::{map_into, may_share};
use crate::simd::{Lanes, Work, dispatch};
use order::InOrder;
use pieces::{Piece, Pieces};

impl<const K: usize> DopTree<K> {
    /// Fits all bounds to elements that have moved. `bounds` is a box around all of them.
    ///
    /// Elements without corners when the tree was built must still have none, and others must still have some.
    pub fn refit(&mut self, bounds: Aabb, corners: impl Corners) {
        let order = std::mem::take(&mut self.order);
        let in_order = InOrder { corners: &corners, order: &order };
        self.refit_pieces(&Pieces::of(self), Frame::around(bounds), &in_order, true);
        self.order = order;
    }

    /// Refits all pieces and the nodes above; returns half the surface of the bounds, piece by piece, and last that of the
    /// nodes above. The corners are those at places in the tree's order.
    fn refit_pieces(
        &mut self,
        pieces: &Pieces,
        frame: Frame,
        corners: &impl Corners,
        parallel: bool,
    ) -> Vec<f64> {
        (self.origin, self.scale) = (frame.origin, frame.scale * STEPS);
        let refit = |(piece, nodes): (&Piece, &mut [Node<K>])| {
            dispatch(Refit { nodes, base: piece.nodes.start as usize, frame: &frame, corners })
        };
        let slices = pieces.slices(&mut self.nodes);
        let mut surfaces: Vec<f64> = if parallel && slices.len() > 1 && may_share() {
            map_into(slices, refit)
        } else {
            slices.into_iter().map(refit).collect()
        };
        surfaces.push(self.refit_above(pieces, &frame, corners));
        surfaces
    }

    /// Refits the nodes above the pieces; returns half the surface of their bounds.
    fn refit_above(&mut self, pieces: &Pieces, frame: &Frame, corners: &impl Corners) -> f64 {
        let mut surface = 0.0;
        for &node in pieces.above.iter().rev() {
            surface += refit_node(&mut self.nodes, 0, node as usize, frame, corners);
        }
        if let Some(root) = self.nodes.first() {
            self.bounds = root.around(self.root.count() as usize);
        }
        surface
    }
}

/// The refit of a piece: `nodes` are those from `base` on.
struct Refit<'t, C, const K: usize> {
    nodes: &'t mut [Node<K>],
    base: usize,
    frame: &'t Frame,
    corners: &'t C,
}

impl<C: Corners, const K: usize> Work for Refit<'_, C, K> {
    type Output = f64;

    #[inline(always)]
    fn run<L: Lanes>(self) -> f64 {
        let mut surface = 0.0;
        let mut node = self.nodes.len();
        while node > 0 {
            node -= 1;
            surface += refit_node(self.nodes, self.base, node, self.frame, self.corners);
        }
        surface
    }
}

/// Refits a node whose children are refitted; returns half the surface of its children's bounds.
#[inline(always)]
fn refit_node<const K: usize>(
    nodes: &mut [Node<K>],
    base: usize,
    index: usize,
    frame: &Frame,
    corners: &impl Corners,
) -> f64 {
    let children = nodes[index].children;
    let mut surface = 0.0;
    let mut lane = 0;
    while lane < WIDTH && children[lane] != Child::NONE {
        let child = children[lane];
        let (first, count) = (child.index() as usize, child.count() as usize);
        let bounds = if child.is_leaf() {
            // The only element of a leaf counts twice: that is faster than asking.
            const { assert!(LEAF_SIZE == 2) };
            in_steps(&fit(corners, frame, &[first as u32, (first + count) as u32 - 1]))
        } else {
            nodes[first - base].around(count)
        };
        nodes[index].set_bounds(lane, &bounds);
        surface += f64::from(half_area(&bounds));
        lane += 1;
    }
    surface
}

/// Half the surface of the bounds of a node's children.
fn surface<const K: usize>(node: &Node<K>) -> f64 {
    (0..node.count()).map(|lane| f64::from(half_area(&node.bounds(lane)))).sum()
}

/// Half the surface of bounds, in steps: of their box, or, where no axes are among the directions, of a box with sides
/// as long as the bounds along the first three.
#[inline(always)]
fn half_area<const K: usize>(bounds: &[i16; K]) -> f32 {
    let [x, y, z] = [0, 1, 2].map(|k| (i32::from(bounds[k]) + i32::from(bounds[k + K / 2])) as f32);
    x * (y + z) + y * z
}
