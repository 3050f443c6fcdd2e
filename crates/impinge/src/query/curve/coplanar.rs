//! Two triangles in one plane: the boundary of what they share, in pieces with named ends.
//!
//! A piece is the part of one triangle's edge that lies in the other triangle. Its ends are ends of the edge, or points
//! where the other's boundary passes; all of them are found by signs, seen along an axis that shows the plane.

use super::faces::NamedFacet;
use super::name::{Name, Node};
use super::split::is_between;
use impinge_core::math::DVec3;
use impinge_core::predicates::{Axis, Sign, orient2d, orient3d};

/// The half-plane on one side of a piece: the edge that it runs along, and a point on the side that is meant.
#[derive(Clone, Copy, Debug)]
pub(super) struct Half([DVec3; 3]);

impl Half {
    /// Whether it is the same half-plane as that of another triangle along the same line.
    pub(super) fn is_same(&self, other: &Half) -> bool {
        let ([p, q, r], [_, _, s]) = (self.0, other.0);
        let side = |axis: &Axis, point| orient2d(axis.drop(p), axis.drop(q), axis.drop(point));
        let in_view = Axis::ALL.into_iter().find(|axis| !side(axis, r).is_zero());
        orient3d(p, q, r, s).is_zero() && in_view.is_some_and(|axis| side(&axis, r) == side(&axis, s))
    }
}

/// The overlap of two triangles in one plane.
pub(super) struct Overlap {
    /// The ends of each piece, and the side of it on which the overlap lies.
    pub(super) pieces: Vec<([Node; 2], Half)>,
    /// Whether the triangles share more than a segment.
    pub(super) has_area: bool,
}

/// The overlap of two triangles that lie in one plane; `None` where one of them has no area.
pub(super) fn overlap(host: &NamedFacet, guest: &NamedFacet) -> Option<Overlap> {
    let axis = Axis::ALL.into_iter().find(|&axis| !turn(&host.corners, axis).is_zero())?;
    if turn(&guest.corners, axis).is_zero() {
        return None;
    }
    let mut pieces = Vec::new();
    for (own, other, is_host) in [(host, guest, true), (guest, host, false)] {
        for i in 0..3 {
            if let Some(ends) = clip(own, i, other, axis) {
                let nodes = ends.map(|[own, other]| if is_host { [own, other] } else { [other, own] });
                let half = Half([own.corners[i], own.corners[(i + 1) % 3], own.corners[(i + 2) % 3]]);
                pieces.push((nodes, half));
            }
        }
    }
    let has_area = !is_separated(host, guest, axis) && !is_separated(guest, host, axis);
    Some(Overlap { pieces, has_area })
}

fn turn([a, b, c]: &[DVec3; 3], axis: Axis) -> Sign {
    orient2d(axis.drop(*a), axis.drop(*b), axis.drop(*c))
}

/// On which side of an edge a point lies: positive on the triangle's own.
fn inward(facet: &NamedFacet, i: usize, point: DVec3, axis: Axis) -> Sign {
    let side = turn(&[facet.corners[i], facet.corners[(i + 1) % 3], point], axis);
    if turn(&facet.corners, axis) == Sign::Positive { side } else { -side }
}

/// Whether the line of an edge of the first has all of the second beyond it.
fn is_separated(own: &NamedFacet, other: &NamedFacet, axis: Axis) -> bool {
    (0..3).any(|i| other.corners.iter().all(|&corner| inward(own, i, corner, axis) <= Sign::Zero))
}

/// The least feature of the triangle that a point of its plane lies on; `None` outside.
fn feature_at(facet: &NamedFacet, point: DVec3, axis: Axis) -> Option<Name> {
    let sides: [Sign; 3] = std::array::from_fn(|i| inward(facet, i, point, axis));
    let is_inside = !sides.contains(&Sign::Negative);
    is_inside.then(|| Name::on_edges(facet.vertices, sides.map(Sign::is_zero)))
}

/// The part of an edge that lies in a triangle, by the names of its ends, the edge's own first; `None` where it is
/// empty or a point.
///
/// Every candidate is an extreme point of that part, so there are at most two.
fn clip(own: &NamedFacet, i: usize, other: &NamedFacet, axis: Axis) -> Option<[Node; 2]> {
    let ([p, q], edge) = own.edge(i);
    let mut found: Vec<Node> = Vec::new();
    for (end, corner) in [(p, own.vertices[i]), (q, own.vertices[(i + 1) % 3])] {
        found.extend(feature_at(other, end, axis).map(|feature| [Name::Vertex(corner), feature]));
    }
    let beside = |point: DVec3| turn(&[p, q, point], axis);
    for j in 0..3 {
        let ([c, d], rim) = other.edge(j);
        if beside(c).is_zero() && is_between(c, p, q) {
            found.push([edge, Name::Vertex(other.vertices[j])]);
        }
        let passes = |x: Sign, y: Sign| x == -y && !x.is_zero();
        if passes(beside(c), beside(d)) && passes(turn(&[c, d, p], axis), turn(&[c, d, q], axis)) {
            found.push([edge, rim]);
        }
    }
    debug_assert!(found.len() <= 2, "a segment has two ends");
    match found[..] {
        [first, second] => Some([first, second]),
        _ => None,
    }
}
