//! Kinds of edges: convex, internal, coplanar (van Waveren 2005, §4, "internal edges"), decided exactly.
//!
//! `docs/math/edges-and-parts.md` derives the rules. The paper flags internal edges of a polyhedron; this tells apart
//! all that soups contain besides, so that an edge is left out only where that is proven.

use impinge_core::math::DVec3;
use impinge_core::predicates::{Axis, Sign, are_collinear, orient2d, orient3d};

/// An edge of the faces' boundaries, shared by all faces that run along it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Edge {
    /// The ends of the edge, the lesser first: each the least vertex of the mesh at its position.
    pub vertices: [u32; 2],
    /// The kind of the edge, for a body that comes from the front of its faces.
    pub kind: EdgeKind,
}

/// The kind of an edge, for a body that comes from the front of the edge's faces. Every kind but
/// [`Irregular`](Self::Irregular) promises that the faces' triangles at the edge have area.
///
/// Seen from the back, [`Convex`](Self::Convex) and [`Internal`](Self::Internal) change places.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum EdgeKind {
    /// Two faces that turn away from each other.
    Convex,
    /// Two faces that face each other: the faces shield the edge, and no edge of another body can reach it.
    Internal,
    /// Two faces that continue each other in one plane.
    Coplanar,
    /// One face only: the rim of an open surface.
    Dangling,
    /// Any other edge: more than two faces, two that disagree on which side is the front, a face without area at the
    /// edge, or two faces folded flat onto each other.
    Irregular,
}

/// A face that runs along an edge.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct EdgeFace {
    /// The number of the face.
    pub face: u32,
    /// The corner of the face where its run along the edge begins.
    pub corner: u32,
    /// Whether the face runs from the edge's first vertex to its second.
    pub forward: bool,
}

/// Decides the kind of the edge from `u` to `v` from the faces along it. `apex` gives the third vertex of the fan triangle
/// that holds a face's run along the edge; none for a segment.
pub(super) fn kind_of_edge(
    [u, v]: [DVec3; 2],
    faces: &[EdgeFace],
    apex: impl Fn(&EdgeFace) -> Option<DVec3>,
) -> EdgeKind {
    match faces {
        [only] => match apex(only) {
            Some(p) if !are_collinear(u, v, p) => EdgeKind::Dangling,
            _ => EdgeKind::Irregular,
        },
        [a, b] if a.forward != b.forward => {
            let (forward, backward) = if a.forward { (a, b) } else { (b, a) };
            match (apex(forward), apex(backward)) {
                (Some(p), Some(q)) => kind_of_pair(u, v, p, q),
                _ => EdgeKind::Irregular,
            }
        }
        _ => EdgeKind::Irregular,
    }
}

/// The triangles (u, v, p) and (v, u, q).
fn kind_of_pair(u: DVec3, v: DVec3, p: DVec3, q: DVec3) -> EdgeKind {
    // Flat faces in an axial plane are common and always reach the slow stage of the predicate; comparing is exact.
    let axial = (u.cmpeq(v) & u.cmpeq(p) & u.cmpeq(q)).any();
    match if axial { Sign::Zero } else { orient3d(u, v, p, q) } {
        Sign::Negative => EdgeKind::Convex,
        Sign::Positive => EdgeKind::Internal,
        Sign::Zero => {
            // Seen along any axis that keeps the first triangle's area, the plane keeps all sides. The axis closest to
            // the normal comes first only because the predicate is fastest there.
            let normal = (v - u).cross(p - u).abs();
            let mut axes = Axis::ALL;
            if normal.z >= normal.x && normal.z >= normal.y {
                axes.swap(0, 2);
            } else if normal.y >= normal.x {
                axes.swap(0, 1);
            }
            let side = |axis: Axis, apex| orient2d(axis.drop(u), axis.drop(v), axis.drop(apex));
            let seen = axes.into_iter().map(|axis| (axis, side(axis, p))).find(|(_, side)| !side.is_zero());
            match seen {
                Some((axis, side_of_p)) if side(axis, q) == -side_of_p => EdgeKind::Coplanar,
                // Folded onto itself, or without area.
                _ => EdgeKind::Irregular,
            }
        }
    }
}
