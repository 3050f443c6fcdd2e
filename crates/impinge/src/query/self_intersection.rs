//! Self-intersections of a mesh: the pairs of its faces that intersect in more than what they share.
//!
//! What faces share are vertices (equal positions) and edges (of both boundaries, with equal ends).
//! `docs/math/intersection-curve.md` derives the rules.

use std::ops::ControlFlow;

use super::curve::split::{is_between, is_inside_segment, split_fan};
use super::verdict::FacePair;
use crate::mesh::Mesh;
use crate::model::Model;
use impinge_core::bvh::{Alignment, DopTree, Goal, LeafVisitor, Leaves, PairAlignment, Stack, traverse_pair};
use impinge_core::math::{DAffine3, DVec3};
use impinge_core::narrow::tri_tri::{Facet, Fan, Kind, polygons, triangles};
use impinge_core::predicates::{Axis, are_collinear, orient2d, orient3d};
use impinge_core::simd::Lanes;

/// The directions of the tree that is searched.
const K: usize = 6;

impl Model {
    /// All pairs of faces that intersect in more than the vertices and edges that they share, by the user's indices, the
    /// lesser first, sorted. Exact.
    ///
    /// Faces without a common vertex position must not intersect at all; with one, only there; along a common edge they must
    /// not overlap. Equal faces count. Pieces of one polygon are not compared with each other.
    ///
    /// ```
    /// use impinge::{Mesh, Model, shapes};
    ///
    /// assert!(Model::new(shapes::torus(1.0, 0.4, 24, 12)?).self_intersections().is_empty());
    /// let crossing = [[-1., -1., 0.], [1., -1., 0.], [0., 1., 0.], [0., 0., -1.], [0., 0., 1.], [0., 5., 0.]];
    /// assert_eq!(Model::new(Mesh::soup(crossing)?).self_intersections().len(), 1);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn self_intersections(&self) -> Vec<FacePair> {
        let tree = self.bvh();
        // Nothing is placed, so nothing is rounded but the tree's own bounds.
        let alignment = Alignment::new(tree, tree, &DAffine3::IDENTITY, 0.0);
        let alignment = PairAlignment::new(&alignment, &alignment);
        let mut search = Search { model: self, tree, facets: Facets::new(self), pairs: Vec::new() };
        traverse_pair([tree, tree], &alignment, Goal::All, &mut Stack::default(), &mut search);
        let mut pairs = search.pairs;
        // The strongest kind of each pair comes last, and survives.
        pairs.sort_unstable();
        pairs.reverse();
        pairs.dedup_by_key(|pair| (pair.face_a, pair.face_b));
        pairs.reverse();
        pairs
    }
}

struct Search<'m> {
    model: &'m Model,
    tree: &'m DopTree<K>,
    facets: Facets,
    pairs: Vec<FacePair>,
}

impl LeafVisitor for Search<'_> {
    fn meet<L: Lanes>(&mut self, a: Leaves<'_>, b: Leaves<'_>, mask: u32) -> ControlFlow<()> {
        let tree = self.tree;
        for pair in (0..16).filter(|pair| mask >> pair & 1 == 1) {
            for &first in tree.elements(a.leaf(pair / 4)) {
                // Each pair of leaves is shown in both orders.
                let others = tree.elements(b.leaf(pair % 4));
                for &second in others.iter().filter(|&&second| first < second) {
                    self.test(first, second);
                }
            }
        }
        ControlFlow::Continue(())
    }
}

impl Search<'_> {
    fn test(&mut self, first: u32, second: u32) {
        let mesh = self.model.mesh();
        let labels = [mesh.label(first), mesh.label(second)];
        let (own, others) = (self.facets.of_face(first), self.facets.of_face(second));
        if labels[0] != labels[1] && own.iter().any(|a| others.iter().any(|b| meet_beyond_shared(a, b))) {
            let fan =
                |face| Fan::new(&mesh.corners(face).map(|vertex| mesh.vertex(vertex)).collect::<Vec<_>>());
            let kind = polygons(&fan(first), &fan(second)).map_or(Kind::Touching, |meeting| meeting.kind);
            self.pairs.push(FacePair {
                face_a: labels[0].min(labels[1]),
                face_b: labels[0].max(labels[1]),
                kind,
            });
        }
    }
}

/// A triangle of a face; no vertex of the face lies inside of an edge of it.
#[derive(Clone, Copy, Debug)]
struct Piece {
    corners: [DVec3; 3],
    /// By position.
    vertices: [u32; 3],
    /// Whether edge `i`, from corner `i` to the next, belongs to the face's boundary.
    on_boundary: [bool; 3],
}

impl Piece {
    /// A piece of a face; `walk` are the vertices around the face.
    fn new(vertices: [u32; 3], walk: &[u32], mesh: &Mesh) -> Piece {
        let follows =
            |u: u32, v: u32| (0..walk.len()).any(|i| (walk[i], walk[(i + 1) % walk.len()]) == (u, v));
        let on_boundary = std::array::from_fn(|i| {
            let (u, v) = (vertices[i], vertices[(i + 1) % 3]);
            follows(u, v) || follows(v, u)
        });
        Piece { corners: vertices.map(|vertex| mesh.vertex(vertex)), vertices, on_boundary }
    }
}

/// The facets of all faces.
struct Facets {
    pieces: Vec<Piece>,
    starts: Vec<u32>,
}

impl Facets {
    fn new(model: &Model) -> Facets {
        let mesh = model.mesh();
        let (mut pieces, mut starts) = (Vec::with_capacity(mesh.triangle_count()), vec![0]);
        for face in 0..mesh.face_count() as u32 {
            let mut walk: Vec<u32> = mesh.corners(face).map(|vertex| model.representative(vertex)).collect();
            walk.dedup();
            let fan = mesh.fan(face).map(|triangle| triangle.map(|vertex| model.representative(vertex)));
            for vertices in split_fan(fan, &walk, &|vertex| mesh.vertex(vertex)) {
                pieces.push(Piece::new(vertices, &walk, mesh));
            }
            starts.push(pieces.len() as u32);
        }
        Facets { pieces, starts }
    }

    fn of_face(&self, face: u32) -> &[Piece] {
        &self.pieces[self.starts[face as usize] as usize..self.starts[face as usize + 1] as usize]
    }
}

/// Whether two facets of different faces intersect in more than the vertices and edges that they share.
fn meet_beyond_shared(a: &Piece, b: &Piece) -> bool {
    // The corners that they share, each position once, and the others.
    let shared: Vec<u32> = distinct(a).filter(|vertex| b.vertices.contains(vertex)).collect();
    let rest = |piece: &Piece| -> Vec<DVec3> {
        let others = (0..3).filter(|&i| !shared.contains(&piece.vertices[i]));
        others.map(|i| piece.corners[i]).collect()
    };
    let (rest_a, rest_b) = (rest(a), rest(b));
    let position = |vertex: u32| a.corners[(0..2).find(|&i| a.vertices[i] == vertex).unwrap_or(2)];
    match shared[..] {
        [] => triangles(&Facet::from(a.corners), &Facet::from(b.corners)).is_some(),
        _ if rest_a.is_empty() && rest_b.is_empty() => true,
        [vertex] => {
            let vertex = position(vertex);
            let reaches = |rest: &[DVec3], piece: &Piece| {
                far_side(vertex, rest)
                    .iter()
                    .any(|far| triangles(&Facet::from(*far), &Facet::from(piece.corners)).is_some())
            };
            reaches(&rest_a, b) || reaches(&rest_b, a)
        }
        [p, q] => {
            let is_edge = |piece: &Piece| {
                (0..3).any(|i| {
                    let ends = [piece.vertices[i], piece.vertices[(i + 1) % 3]];
                    piece.on_boundary[i] && (ends == [p, q] || ends == [q, p])
                })
            };
            let overlap =
                |r: DVec3| rest_b.iter().any(|&s| overlap_along_edge(position(p), position(q), r, s));
            !is_edge(a) || !is_edge(b) || rest_a.iter().any(|&r| overlap(r))
        }
        // Three corners of each: equal triangles.
        _ => true,
    }
}

/// The positions of the corners, each once.
fn distinct(piece: &Piece) -> impl Iterator<Item = u32> + '_ {
    (0..3).filter(|&i| !piece.vertices[..i].contains(&piece.vertices[i])).map(|i| piece.vertices[i])
}

/// The points of a triangle at which rays from one of its corners leave it, as triangles without area: the opposite
/// edge; its ends alone where the corner lies on it.
fn far_side(vertex: DVec3, rest: &[DVec3]) -> Vec<[DVec3; 3]> {
    match *rest {
        [p, q] if is_inside_segment(vertex, p, q) => vec![[p; 3], [q; 3]],
        [p, q] => vec![[p, q, q]],
        [p] => vec![[p; 3]],
        _ => Vec::new(),
    }
}

/// Whether the triangles (p, q, r) and (p, q, s) intersect beyond the edge from p to q: in one plane, on the same side of it;
/// or, where both are segments on its line, beyond the same end.
fn overlap_along_edge(p: DVec3, q: DVec3, r: DVec3, s: DVec3) -> bool {
    if !orient3d(p, q, r, s).is_zero() {
        return false;
    }
    let side = |axis: Axis, point| orient2d(axis.drop(p), axis.drop(q), axis.drop(point));
    match (are_collinear(p, q, r), are_collinear(p, q, s)) {
        (true, true) => {
            [(p, q), (q, p)].iter().any(|&(from, to)| is_between(to, from, r) && is_between(to, from, s))
        }
        (false, false) => {
            let in_view = Axis::ALL.into_iter().find(|&axis| !side(axis, r).is_zero());
            in_view.is_some_and(|axis| side(axis, r) == side(axis, s))
        }
        _ => false,
    }
}
