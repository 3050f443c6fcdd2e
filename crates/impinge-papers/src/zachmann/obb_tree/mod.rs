//! The OBB-tree of Gottschalk, Lin and Manocha 1996: the baseline that Zachmann 1998 measures against.
//!
//! Boxes have any orientation, that of the covariance of the triangles they hold.
//! A box is split at the mean of its triangles along its longest axis, down to one face a leaf.
//! Two boxes are told apart by fifteen axes.
//! What no axis tells apart is decided by the exact test of the faces, as with every other tree.
//! `docs/math/obb-tree.md` derives the padding that keeps every box and every separating axis on the safe side.

mod build;
mod engine;
mod fit;
mod overlap;
mod ray;

pub use engine::{ObbEngine, ObbMemory};

use impinge::bounds::Aabb;
use impinge::math::{DMat3, DVec3};

/// A binary tree of oriented boxes over the faces of a mesh, one face a leaf.
#[derive(Clone, Debug, PartialEq)]
pub struct ObbTree {
    /// The root first; both children of a node stand side by side.
    nodes: Vec<ObbNode>,
    frame: ObbFrame,
}

/// A box with its axes as columns, in tree coordinates: every vertex x below it has |axis · (x − center)| ≤ half.
#[derive(Clone, Copy, Debug, PartialEq)]
struct OrientedBox {
    axes: DMat3,
    center: DVec3,
    half: DVec3,
}

/// A box with what is below it.
#[derive(Clone, Copy, Debug, PartialEq)]
struct ObbNode {
    bounds: OrientedBox,
    /// The first of two children, or the face of a leaf with the highest bit set.
    below: u32,
}

/// The bit that tells leaves from inner nodes.
const LEAF: u32 = 1 << 31;

impl ObbNode {
    fn face(&self) -> Option<u32> {
        (self.below & LEAF != 0).then_some(self.below & !LEAF)
    }

    fn children(&self) -> [u32; 2] {
        [self.below, self.below + 1]
    }

    /// The measure by which a traversal chooses the box that it opens.
    fn size(&self) -> f64 {
        self.bounds.half.max_element()
    }
}

/// The frame of a tree: tree coordinates are `(x − origin) · scale`, within [−1, 1]. The scale is a power of two.
#[derive(Clone, Copy, Debug, PartialEq)]
struct ObbFrame {
    origin: DVec3,
    scale: f64,
}

impl ObbFrame {
    fn around(bounds: Aabb) -> ObbFrame {
        if bounds.is_empty() {
            return ObbFrame { origin: DVec3::ZERO, scale: 1.0 };
        }
        let origin = bounds.center();
        let reach = (bounds.max - origin).max(origin - bounds.min).max_element();
        let scale = (-(reach.max(f64::MIN_POSITIVE).log2().ceil())).clamp(-1023.0, 1000.0).exp2();
        ObbFrame { origin, scale }
    }

    fn to_tree(self, point: DVec3) -> DVec3 {
        (point - self.origin) * self.scale
    }
}

impl ObbTree {
    /// The number of bytes that the nodes take.
    pub fn bytes(&self) -> usize {
        size_of_val(self.nodes.as_slice())
    }

    /// The number of leaves, one a face.
    pub fn leaves(&self) -> usize {
        self.nodes.len().div_ceil(2)
    }
}
