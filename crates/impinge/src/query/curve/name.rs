//! Names of points, and where they are.

use impinge_core::math::DVec3;
use impinge_core::narrow::tri_tri::{End, Shared, Side};
use impinge_core::predicates::Axis;

/// A feature of one model by its vertices, ascending; each vertex is the least at its position. Lesser features come
/// first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) enum Name {
    Vertex(u32),
    Edge([u32; 2]),
    Facet([u32; 3]),
}

impl Name {
    pub(super) fn edge(a: u32, b: u32) -> Name {
        Name::Edge([a.min(b), a.max(b)])
    }

    pub(super) fn facet(mut vertices: [u32; 3]) -> Name {
        vertices.sort_unstable();
        Name::Facet(vertices)
    }

    /// The least feature of a triangle that lies on all the edges of it that are set.
    pub(super) fn on_edges(vertices: [u32; 3], on_edge: [bool; 3]) -> Name {
        for i in 0..3 {
            if on_edge[i] && on_edge[(i + 2) % 3] {
                return Name::Vertex(vertices[i]);
            }
        }
        match (0..3).find(|&i| on_edge[i]) {
            Some(i) => Name::edge(vertices[i], vertices[(i + 1) % 3]),
            None => Name::facet(vertices),
        }
    }
}

/// The least features of the host and of the guest that contain a point: the only point inside of both.
pub(super) type Node = [Name; 2];

/// The point with a name. It depends on nothing else, so that equal names are equal points to the last bit.
pub(super) fn position(node: Node, points: [&[DVec3]; 2]) -> DVec3 {
    let at = |side: usize, vertex: u32| points[side][vertex as usize];
    match node {
        [Name::Vertex(vertex), _] => at(0, vertex),
        [_, Name::Vertex(vertex)] => at(1, vertex),
        [Name::Edge(edge), Name::Facet(plane)] => crossing(edge.map(|v| at(0, v)), plane.map(|v| at(1, v))),
        [Name::Facet(plane), Name::Edge(edge)] => crossing(edge.map(|v| at(1, v)), plane.map(|v| at(0, v))),
        [Name::Edge(edge), Name::Edge(other)] => {
            let (edge, [c, d]) = (edge.map(|v| at(0, v)), other.map(|v| at(1, v)));
            crossing(edge, [c, d, above(c, across(edge, [c, d]))])
        }
        // Two faces share no single point that is inside of both.
        [Name::Facet(vertices), Name::Facet(_)] => at(0, vertices[0]),
    }
}

/// The point where a segment passes through a plane, on the segment however it is rounded.
fn crossing([p, q]: [DVec3; 2], plane: [DVec3; 3]) -> DVec3 {
    let end = End { side: Side::A, edge: 0 };
    let [point, _] = Shared::Segment([end; 2]).ends(&[p, q, q], &plane);
    if point.is_nan() { p } else { point }
}

/// An axis along which two segments that cross are seen to cross.
fn across([a, b]: [DVec3; 2], [c, d]: [DVec3; 2]) -> Axis {
    let normal = (b - a).normalize_or_zero().cross((d - c).normalize_or_zero()).abs();
    let best = Axis::ALL
        .into_iter()
        .reduce(|best, axis| if normal[axis as usize] > normal[best as usize] { axis } else { best });
    best.unwrap_or(Axis::Z)
}

/// Another point over the same point of the projection; finite for every finite point.
fn above(mut point: DVec3, axis: Axis) -> DVec3 {
    let coordinate = &mut point[axis as usize];
    *coordinate = if coordinate.abs() >= 1.0 { *coordinate * 0.5 } else { *coordinate + 1.0 };
    point
}
