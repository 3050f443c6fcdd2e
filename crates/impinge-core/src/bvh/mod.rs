//! The bounding volume hierarchy (BVH): trees of K-DOPs (Zachmann 1998), four children a node, traversed in pairs.
//!
//! A tree stores offsets of 16 bits relative to an `f64` origin and a power-of-two scale of its own, rounded outward:
//! models far from their origin or of any size keep tight trees. A bound may be loose, never wrong.

mod align;
mod build;
mod builder;
mod bvh8;
mod cones;
mod corners;
mod fit;
mod image;
mod quality;
mod quantize;
mod refit;
mod steps;
mod traverse;
mod triangles;

pub use align::{Alignment, PairAlignment};
pub use build::Build;
pub use builder::{BoxBuilder, TreeBuilder};
pub use bvh8::{Bvh8, EIGHT, RAYS, Ray8, RayTraversals};
pub use corners::{AnyCorners, Corners, ShowCorners};
pub use quality::TreeQuality;
pub use refit::{RefitPolicy, RefitStats};
pub use traverse::{
    Ball, Descent, DistanceStack, Front, Goal, Leaf, LeafVisitor, Leaves, MOST_SLABS, NearStack, NearView,
    NearVisitor, NearestVisitor, PointBounds, RayVisitor, Slab, Stack, SweptDirection, SweptFronts,
    SweptQueue, SweptTrees, SweptVisitor, TreeRay, VolumeShape, VolumeStack, VolumeVisitor,
    traverse_distance, traverse_nearest, traverse_pair, traverse_pair_by, traverse_point, traverse_ray,
    traverse_volume,
};
pub use triangles::LeafTriangles;

use crate::math::DVec3;
use crate::simd::{I16x4, Lanes};

/// The most elements in a leaf.
pub const LEAF_SIZE: usize = 2;

/// The children of a node.
pub const WIDTH: usize = 4;

/// Four children: their bounds, direction by direction, and where they are.
///
/// With 6 directions that is one line of the cache.
#[repr(C, align(64))]
#[derive(Clone, Copy, Debug, PartialEq)]
struct Node<const K: usize> {
    /// In steps, direction by direction.
    offsets: [I16x4; K],
    children: [Child; WIDTH],
}

impl<const K: usize> Node<K> {
    const EMPTY: Node<K> = Node { offsets: [[0; WIDTH]; K], children: [Child::NONE; WIDTH] };

    /// The bounds of a child.
    #[inline(always)]
    fn bounds(&self, lane: usize) -> [i16; K] {
        self.offsets.map(|lanes| lanes[lane])
    }

    /// Sets the bounds of a child.
    #[inline(always)]
    fn set_bounds(&mut self, lane: usize, bounds: &[i16; K]) {
        let mut i = 0;
        while i < K {
            self.offsets[i][lane] = bounds[i];
            i += 1;
        }
    }

    /// The bounds of the first `count` children together.
    #[inline(always)]
    fn around(&self, count: usize) -> [i16; K] {
        let mut bounds = [0; K];
        let mut i = 0;
        while i < K {
            let lanes = &self.offsets[i];
            // Lanes without a child repeat the first.
            let [a, b, c, d] = [0, 1, 2, 3].map(|lane| lanes[if lane < count { lane } else { 0 }]);
            let (a, b) = (if a > b { a } else { b }, if c > d { c } else { d });
            bounds[i] = if a > b { a } else { b };
            i += 1;
        }
        bounds
    }

    /// The number of children.
    #[inline(always)]
    fn count(&self) -> usize {
        self.children.iter().take_while(|child| **child != Child::NONE).count()
    }
}

/// A child: a node with the number of its children, a leaf with its range of elements, or nothing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Child(u32);

impl Child {
    const NONE: Child = Child(u32::MAX);
    const LEAF: u32 = 1 << 31;
    /// The most nodes or elements that a child can name.
    const LIMIT: usize = (1 << 28) - 1;

    fn node(index: usize, count: usize) -> Child {
        debug_assert!(index < Child::LIMIT && (1..=WIDTH).contains(&count));
        Child((index as u32) << 3 | (count as u32 - 1))
    }

    fn leaf(first: usize, count: usize) -> Child {
        debug_assert!(first < Child::LIMIT && (1..=8).contains(&count));
        Child(Child::LEAF | (first as u32) << 3 | (count as u32 - 1))
    }

    /// The child when its piece of nodes starts at `base`. Leaves and nothing stay as they are.
    fn moved(self, base: usize) -> Child {
        if self.is_leaf() { self } else { Child(self.0 + ((base as u32) << 3)) }
    }

    /// The child when its node has another number. Leaves and nothing stay as they are.
    fn renumbered(self, number: impl Fn(u32) -> u32) -> Child {
        if self.is_leaf() { self } else { Child::node(number(self.index()) as usize, self.count() as usize) }
    }

    #[inline(always)]
    fn is_leaf(self) -> bool {
        self.0 & Child::LEAF != 0
    }

    #[inline(always)]
    fn index(self) -> u32 {
        (self.0 & !Child::LEAF) >> 3
    }

    #[inline(always)]
    fn count(self) -> u32 {
        (self.0 & 7) + 1
    }
}

/// A bounding volume hierarchy (BVH) of K-DOPs over elements `0..n`.
#[doc(alias = "bvh")]
#[doc(alias = "bounding volume hierarchy")]
#[derive(Clone, Debug, PartialEq)]
pub struct DopTree<const K: usize> {
    nodes: Vec<Node<K>>,
    /// The elements in the order of the leaves.
    order: Vec<u32>,
    root: Child,
    /// The bounds of all elements.
    bounds: [i16; K],
    /// Tree coordinates, in steps, are `(x - origin) * scale`, below [`STEPS`](steps::STEPS) in size.
    origin: DVec3,
    scale: f64,
    /// The most binary splits above a leaf.
    splits: u32,
}

impl<const K: usize> DopTree<K> {
    /// The number of elements.
    pub fn len(&self) -> usize {
        self.order.len()
    }

    /// Whether there is no element.
    pub fn is_empty(&self) -> bool {
        self.order.is_empty()
    }

    /// The elements of a leaf.
    #[inline(always)]
    pub fn elements(&self, leaf: Leaf) -> &[u32] {
        &self.order[leaf.first as usize..(leaf.first + leaf.count) as usize]
    }

    /// The first and the last element of a leaf: one that is alone is both.
    #[inline(always)]
    pub fn ends(&self, leaf: Leaf) -> [u32; 2] {
        [self.order[leaf.first as usize], self.order[(leaf.first + leaf.count - 1) as usize]]
    }

    /// Prefetches the memory of a leaf's list of elements.
    #[inline(always)]
    pub fn prefetch<L: Lanes>(&self, leaf: Leaf) {
        L::prefetch(&self.order[leaf.first as usize]);
    }

    /// Whether the whole of this tree is certainly apart from the whole of another, seen from this one.
    pub fn is_apart(&self, other: &DopTree<K>, self_from_other: &Alignment<K>) -> bool {
        let aligned = self_from_other.apply_to_one(&other.bounds);
        (0..K).any(|i| f32::from(self.bounds[i]) + aligned[(i + K / 2) % K] < 0.0)
    }

    /// The bytes that the tree takes.
    pub fn bytes(&self) -> usize {
        size_of_val(self.nodes.as_slice()) + size_of_val(self.order.as_slice())
    }
}
