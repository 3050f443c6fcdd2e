//! Pieces of the curve: what two facets share, by the names of its ends.

use std::collections::BTreeMap;

use super::coplanar::{self, Half};
use super::faces::NamedFacet;
use super::name::{Name, Node};
use crate::math::orient3d;
use crate::narrow::overlap::{End, Facet, Shared, Side, triangles};

/// A piece of the curve between two nodes, the lesser first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Piece {
    pub(super) ends: [Node; 2],
    pub(super) coplanar: bool,
}

/// All pieces, each once however many pairs of facets share it, with the coplanar overlaps that it bounds.
#[derive(Default)]
pub(super) struct Pieces {
    found: BTreeMap<[Node; 2], Vec<Half>>,
}

impl Pieces {
    /// Adds what two facets share, if that is more than a point. Facets without area add nothing: whatever they
    /// contribute to a surface, their neighbours contribute too.
    pub(super) fn add(&mut self, host: &NamedFacet, guest: &NamedFacet) {
        match triangles(&Facet::from(host.corners), &Facet::from(guest.corners)) {
            None => {}
            Some((_, Shared::Segment(ends))) => {
                let [start, end] = ends.map(|end| node_at(end, host, guest));
                if start != end {
                    self.at([start, end]);
                }
            }
            Some((_, Shared::Flat(_))) => {
                let Some(overlap) = coplanar::overlap(host, guest) else { return };
                for (ends, half) in overlap.pieces {
                    let halves = self.at(ends);
                    if overlap.has_area && !halves.iter().any(|known| known.is_same(&half)) {
                        halves.push(half);
                    }
                }
            }
        }
    }

    fn at(&mut self, [start, end]: [Node; 2]) -> &mut Vec<Half> {
        self.found.entry([start.min(end), start.max(end)]).or_default()
    }

    /// The pieces in the order of their names. Where overlaps lie on both sides of a piece, in one plane or around a
    /// corner, the common patch goes on across it, and the piece is none of its boundary.
    pub(super) fn finish(self) -> Vec<Piece> {
        let on_boundary = |halves: &Vec<Half>| halves.is_empty() || halves.len() % 2 == 1;
        self.found
            .into_iter()
            .filter(|(_, halves)| on_boundary(halves))
            .map(|(ends, halves)| Piece { ends, coplanar: !halves.is_empty() })
            .collect()
    }
}

/// The name of the point where an edge passes through the other facet.
fn node_at(end: End, host: &NamedFacet, guest: &NamedFacet) -> Node {
    let (own, other) = match end.side {
        Side::A => (host, guest),
        Side::B => (guest, host),
    };
    let i = end.edge as usize;
    let ([p, q], edge) = own.edge(i);
    let [a, b, c] = other.corners;
    let of_own = if orient3d(a, b, c, p).is_zero() {
        Name::Vertex(own.vertices[i])
    } else if orient3d(a, b, c, q).is_zero() {
        Name::Vertex(own.vertices[(i + 1) % 3])
    } else {
        edge
    };
    // The edge does not lie in the plane, so it meets the line of one of the triangle's edges exactly where it and
    // that edge lie in one plane.
    let on_edge = std::array::from_fn(|j| {
        let ([c, d], _) = other.edge(j);
        orient3d(p, q, c, d).is_zero()
    });
    let of_other = Name::on_edges(other.vertices, on_edge);
    match end.side {
        Side::A => [of_own, of_other],
        Side::B => [of_other, of_own],
    }
}
