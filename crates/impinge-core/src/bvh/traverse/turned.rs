//! The nodes of a tree in a frame that a traversal has turned, and how far two of them are apart.

use crate::simd::Lanes;

/// The boxes of a node's children in the turned frame.
#[derive(Clone, Copy, Debug)]
#[repr(C, align(32))]
pub(super) struct TurnedNode {
    /// Along each axis the upper sides and the opposites of the lower ones.
    pub(super) sides: [[f32; 8]; 3],
    pub(super) node: u32,
    /// One bit for each child whose box is made out of those of its own children.
    pub(super) tight: u32,
}

/// The nodes of a tree whose boxes are made already.
#[derive(Clone, Debug, Default)]
pub(in crate::bvh) struct TurnedNodes {
    pub(super) nodes: Vec<TurnedNode>,
    /// The place of each node among them: right where the one that is there says so.
    places: Vec<u32>,
}

impl TurnedNodes {
    /// No nodes, of a tree that has so many.
    pub(super) fn begin(&mut self, count: usize) {
        self.nodes.clear();
        if self.places.len() < count {
            self.places.resize(count, 0);
        }
    }

    /// The place of a node, if its boxes are made.
    #[inline(always)]
    pub(super) fn place(&self, number: u32) -> Option<usize> {
        let place = self.places[number as usize] as usize;
        self.nodes.get(place).is_some_and(|turned| turned.node == number).then_some(place)
    }

    /// Adds a node, and returns its place.
    #[inline(always)]
    pub(super) fn add(&mut self, node: TurnedNode) -> usize {
        let place = self.nodes.len();
        self.places[node.node as usize] = place as u32;
        self.nodes.push(node);
        place
    }
}

/// A lower bound of the distance of every pair of children, squared; or the distance itself, less what is between the
/// trees.
#[inline(always)]
pub(super) fn bounds<L: Lanes, const IS_FAR: bool>(a: &TurnedNode, b: &TurnedNode) -> L::F32x16 {
    if IS_FAR {
        let depth = L::f32x16_sums::<false>(L::load(&a.sides[0]), L::load(&b.sides[0]));
        return L::f32x16_mul(depth, L::f32x16_splat(-1.0));
    }
    let zero = L::f32x16_splat(0.0);
    let mut sum = zero;
    let mut axis = 0;
    while axis < 3 {
        // How deep they overlap: less than zero where they are apart.
        let (a, b) = (L::load(&a.sides[axis]), L::load(&b.sides[axis]));
        let (before, behind) = (L::f32x16_sums::<false>(a, b), L::f32x16_sums::<true>(a, b));
        let depth = L::f32x16_min(L::f32x16_min(before, behind), zero);
        sum = L::f32x16_add(sum, L::f32x16_mul(depth, depth));
        axis += 1;
    }
    sum
}
