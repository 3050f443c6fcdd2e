//! Where a mesh runs into itself: the pairs of its faces that meet in more than what they share.
//!
//! What faces share are vertices (equal positions) and edges (of both boundaries, with equal ends).
//! `docs/math/intersection-curve.md` derives the rules.

use std::ops::ControlFlow;

use super::verdict::FacePair;
use crate::math::{Axis, DAffine3, DVec3, are_collinear, orient2d, orient3d};
use crate::model::Model;
use crate::narrow::overlap::{Facet, Fan, Kind, polygons, triangles};
use crate::simd::Lanes;
use crate::tree::dop_tree::{Alignment, DopTree, Leaf, LeafVisitor, PairAlignment, Stack, walk};

/// The directions of the tree that is searched.
const K: usize = 6;

impl Model {
    /// Every pair of faces that meet in more than the vertices and edges that they share, by the user's indices, the
    /// lesser first, sorted. Exact.
    ///
    /// Faces without a common vertex position must not meet at all; with one, only there; along a common edge they must
    /// not overlap. Equal faces count. Pieces of one polygon are not compared with each other.
    ///
    /// ```
    /// use impinge::{Mesh, Model};
    ///
    /// assert!(Model::new(Mesh::torus(1.0, 0.4, 24, 12)?).self_intersections().is_empty());
    /// let crossing = [[-1., -1., 0.], [1., -1., 0.], [0., 1., 0.], [0., 0., -1.], [0., 0., 1.], [0., 5., 0.]];
    /// assert_eq!(Model::new(Mesh::soup(crossing)?).self_intersections().len(), 1);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn self_intersections(&self) -> Vec<FacePair> {
        let tree = self.dop_tree::<K>();
        // Nothing is placed, so nothing is rounded but the tree's own bounds.
        let alignment = Alignment::new(tree, tree, &DAffine3::IDENTITY, 0.0);
        let alignment = PairAlignment::new(&alignment, &alignment);
        let mut search = Search { model: self, tree, facets: Facets::new(self), pairs: Vec::new() };
        walk([tree, tree], &alignment, &mut Stack::default(), &mut search);
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
    fn meet<L: Lanes>(&mut self, a: Leaf, b: Leaf) -> ControlFlow<()> {
        let tree = self.tree;
        for &first in tree.elements(a) {
            // Each pair of leaves is shown in both orders.
            for &second in tree.elements(b).iter().filter(|&&second| first < second) {
                self.test(first, second);
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
            let triangles =
                mesh.fan(face).map(|triangle| triangle.map(|vertex| model.representative(vertex)));
            let triangles: Vec<[u32; 3]> = triangles.collect();
            for &triangle in triangles.iter().filter(|triangle| !is_on_rim(model, triangle, &triangles)) {
                add_split(model, triangle, &walk, &mut pieces);
            }
            starts.push(pieces.len() as u32);
        }
        Facets { pieces, starts }
    }

    fn of_face(&self, face: u32) -> &[Piece] {
        &self.pieces[self.starts[face as usize] as usize..self.starts[face as usize + 1] as usize]
    }
}

/// Whether a triangle has no area and lies in an edge of another one of its face that has: then it adds nothing.
fn is_on_rim(model: &Model, triangle: &[u32; 3], face: &[[u32; 3]]) -> bool {
    let corners = |triangle: &[u32; 3]| triangle.map(|vertex| model.mesh().vertex(vertex));
    let has_area = |[a, b, c]: [DVec3; 3]| !are_collinear(a, b, c);
    let own = corners(triangle);
    if face.len() == 1 || has_area(own) {
        return false;
    }
    let lies_in =
        |point: DVec3, p: DVec3, q: DVec3| point == p || point == q || is_inside_segment(point, p, q);
    face.iter()
        .map(corners)
        .filter(|&other| has_area(other))
        .any(|other| (0..3).any(|i| own.iter().all(|&corner| lies_in(corner, other[i], other[(i + 1) % 3]))))
}

/// Adds a triangle, split where a vertex of its face lies inside of one of its edges, as happens where the corners of a
/// polygon next to the first are collinear with it.
fn add_split(model: &Model, vertices: [u32; 3], walk: &[u32], to: &mut Vec<Piece>) {
    let point = |vertex: u32| model.mesh().vertex(vertex);
    let corners = vertices.map(point);
    if walk.len() > 3 && !are_collinear(corners[0], corners[1], corners[2]) {
        for i in 0..3 {
            let (p, q) = (corners[i], corners[(i + 1) % 3]);
            if let Some(&vertex) = walk.iter().find(|&&vertex| is_inside_segment(point(vertex), p, q)) {
                let (from, to_corner, apex) = (vertices[i], vertices[(i + 1) % 3], vertices[(i + 2) % 3]);
                add_split(model, [from, vertex, apex], walk, to);
                add_split(model, [vertex, to_corner, apex], walk, to);
                return;
            }
        }
    }
    let follows = |u: u32, v: u32| (0..walk.len()).any(|i| (walk[i], walk[(i + 1) % walk.len()]) == (u, v));
    let on_boundary = std::array::from_fn(|i| {
        let (u, v) = (vertices[i], vertices[(i + 1) % 3]);
        follows(u, v) || follows(v, u)
    });
    to.push(Piece { corners, vertices, on_boundary });
}

fn is_inside_segment(point: DVec3, p: DVec3, q: DVec3) -> bool {
    is_between(point, p, q) && are_collinear(p, q, point)
}

/// For points on one line, which keep their order when they are compared coordinate by coordinate: strictly between.
fn is_between(point: DVec3, p: DVec3, q: DVec3) -> bool {
    let [point, p, q] = [point, p, q].map(|point| point.to_array());
    p < point && point < q || q < point && point < p
}

/// Whether two facets of different faces meet in more than the vertices and edges that they share.
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

/// Whether the triangles (p, q, r) and (p, q, s) meet beyond the edge from p to q: in one plane, on the same side of it;
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
