//! Pieces of the curve: what two facets share, by the names of its ends.

use std::collections::BTreeMap;

use super::coplanar::{self, Half};
use super::faces::NamedFacet;
use super::name::{Name, Node};
use impinge_core::math::DVec3;
use impinge_core::narrow::tri_tri::{End, Facet, Shared, Side, triangles};
use impinge_core::predicates::{Sign, are_collinear, orient3d};

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
    /// Different names of the same point, each with a lesser one.
    lesser: BTreeMap<Node, Node>,
}

impl Pieces {
    /// Adds what two facets share, if that is more than a point. Facets without area add no piece: whatever they
    /// contribute to a surface, their neighbors contribute too. But they tell which names of their neighbors mean the
    /// same point.
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
                let Some(overlap) = coplanar::overlap(host, guest) else {
                    self.identify(&names_on_sliver(host, guest));
                    let swapped = names_on_sliver(guest, host);
                    self.identify(&swapped.iter().map(|&[guest, host]| [host, guest]).collect::<Vec<_>>());
                    return;
                };
                for (ends, half) in overlap.pieces {
                    let halves = self.at(ends);
                    if overlap.has_area {
                        add_half(halves, half);
                    }
                }
            }
        }
    }

    fn at(&mut self, [start, end]: [Node; 2]) -> &mut Vec<Half> {
        self.found.entry([start.min(end), start.max(end)]).or_default()
    }

    /// Makes all of the names mean what the least of them does.
    fn identify(&mut self, names: &[Node]) {
        let names: Vec<Node> = names.iter().map(|&name| self.least(name)).collect();
        if let Some(&least) = names.iter().min() {
            self.lesser.extend(names.into_iter().filter(|&name| name != least).map(|name| (name, least)));
        }
    }

    fn least(&self, mut name: Node) -> Node {
        while let Some(&lesser) = self.lesser.get(&name) {
            name = lesser;
        }
        name
    }

    /// The pieces in the order of their names. Where overlaps lie on both sides of a piece, in one plane or around a
    /// corner, the common patch goes on across it, and the piece is none of its boundary.
    pub(super) fn finish(mut self) -> Vec<Piece> {
        if !self.lesser.is_empty() {
            for (ends, halves) in std::mem::take(&mut self.found) {
                let [start, end] = ends.map(|name| self.least(name));
                if start != end {
                    let known = self.at([start, end]);
                    for half in halves {
                        add_half(known, half);
                    }
                }
            }
        }
        let on_boundary = |halves: &Vec<Half>| halves.is_empty() || halves.len() % 2 == 1;
        self.found
            .into_iter()
            .filter(|(_, halves)| on_boundary(halves))
            .map(|(ends, halves)| Piece { ends, coplanar: !halves.is_empty() })
            .collect()
    }
}

fn add_half(halves: &mut Vec<Half>, half: Half) {
    if !halves.iter().any(|known| known.is_same(&half)) {
        halves.push(half);
    }
}

/// Where a triangle without area, a segment with a third corner on it, passes through a triangle with one: all names
/// of that point. The neighbors along the long side call it by the whole segment, the others by a half of it.
fn names_on_sliver(own: &NamedFacet, other: &NamedFacet) -> Vec<Node> {
    let [a, b, c] = other.corners;
    let sides = own.corners.map(|corner| orient3d(a, b, c, corner));
    if are_collinear(a, b, c) || sides == [Sign::Zero; 3] {
        return Vec::new();
    }
    let mut names = Vec::new();
    for i in 0..3 {
        let j = (i + 1) % 3;
        let ([p, q], edge) = own.edge(i);
        if sides[i] != sides[j] {
            let of_other = feature_on_line(p, q, other);
            for (k, name) in [(i, Name::Vertex(own.vertices[i])), (j, Name::Vertex(own.vertices[j]))] {
                names.extend(sides[k].is_zero().then_some([name, of_other]));
            }
            names.extend((sides[i] == -sides[j]).then_some([edge, of_other]));
        }
    }
    names
}

/// The least feature of a triangle at the point where a line that does not lie in its plane passes through it: the line
/// intersects that of an edge exactly where both lie in one plane.
fn feature_on_line(p: DVec3, q: DVec3, triangle: &NamedFacet) -> Name {
    let on_edge = std::array::from_fn(|j| {
        let ([c, d], _) = triangle.edge(j);
        orient3d(p, q, c, d).is_zero()
    });
    Name::on_edges(triangle.vertices, on_edge)
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
    let of_other = feature_on_line(p, q, other);
    match end.side {
        Side::A => [of_own, of_other],
        Side::B => [of_other, of_own],
    }
}
