//! The wide BVH that many rays traverse: nodes of eight children, and blocks of eight triangles as leaves.
//!
//! It is made from a tree of four and keeps its bounds. One register holds a side of eight boxes or a coordinate of eight
//! triangles. Everything is measured in steps of the tree, in `f32`, with bounds on what that may be off by: a ray comes
//! back with the few triangles among which exact arithmetic has to find the nearest, nearly always with one that is
//! certain. `docs/math/ray-casting.md` derives the bounds.

mod collapse;
mod hits;
mod interleaved;
mod packet;
mod ray8;
mod ray_tri_filter;
#[cfg(test)]
mod tests;
mod traversals;

pub use ray8::{EIGHT, RAYS, Ray8};
pub use traversals::RayTraversals;

use crate::math::DVec3;
use crate::simd::Lanes;

/// The children of a node, and the triangles of a block.
const WIDE: usize = 8;

/// The stack of a traversal, in children that wait. A ray that needs more is left to another search; such trees are rare.
const DEEPEST: usize = 64;

/// A wide bounding volume hierarchy over triangles: eight children a node.
#[derive(Clone, Debug, PartialEq)]
pub struct Bvh8 {
    nodes: Vec<Node8>,
    blocks: Vec<Block>,
    /// None for a tree without triangles.
    root: Option<Child8>,
    /// As in the tree that it was made from.
    bounds: [i16; 6],
    origin: DVec3,
    scale: f64,
}

impl Bvh8 {
    /// The bytes that the tree takes.
    pub fn bytes(&self) -> usize {
        size_of_val(self.nodes.as_slice()) + size_of_val(self.blocks.as_slice())
    }
}

/// Eight children: their bounds and where they are. Two lines of the cache.
#[repr(C, align(64))]
#[derive(Clone, Debug, PartialEq)]
struct Node8 {
    /// The lower sides, axis by axis, then the upper sides, in steps.
    sides: [[i16; WIDE]; 6],
    children: [u32; WIDE],
}

/// Up to eight triangles, and which faces they are. Five lines of the cache.
#[repr(C, align(64))]
#[derive(Clone, Debug, PartialEq)]
struct Block {
    /// By axis, then by corner: steps from the tree's origin, rounded.
    corners: [[[f32; WIDE]; 3]; 3],
    faces: [u32; WIDE],
}

impl Node8 {
    #[inline(always)]
    fn prefetch<L: Lanes>(&self) {
        L::prefetch(&self.sides[0]);
        L::prefetch(&self.sides[5]);
    }
}

impl Block {
    #[inline(always)]
    fn prefetch<L: Lanes>(&self) {
        L::prefetch(&self.corners[0][0]);
        L::prefetch(&self.corners[0][2]);
        L::prefetch(&self.corners[1][1]);
        L::prefetch(&self.corners[2][0]);
        L::prefetch(&self.corners[2][2]);
    }
}

/// A node, or a block with the number of its triangles.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Child8(u32);

impl Child8 {
    const BLOCK: u32 = 1 << 31;

    fn node(index: usize) -> Child8 {
        Child8((index as u32) << 3)
    }

    fn block(index: usize, count: usize) -> Child8 {
        Child8(Child8::BLOCK | (index as u32) << 3 | (count as u32 - 1))
    }

    #[inline(always)]
    fn is_block(self) -> bool {
        self.0 & Child8::BLOCK != 0
    }

    #[inline(always)]
    fn index(self) -> usize {
        ((self.0 & !Child8::BLOCK) >> 3) as usize
    }

    /// One bit for each triangle of a block.
    #[inline(always)]
    fn lanes(self) -> u32 {
        0xff >> (7 - (self.0 & 7))
    }
}
