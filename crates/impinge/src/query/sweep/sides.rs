//! On which side of each other features are that touch before anything moves: what tells parting from going in.

use super::pair::{FeaturePair, Piece};
use crate::math::{DVec3, Sign, orient3d};
use crate::narrow::prism::Prism;
use crate::query::surface::FaceSource;

/// What is needed to tell.
pub(super) struct Sides<'s, 'm> {
    pub(super) sources: &'s [FaceSource<'m>; 2],
    /// 1, or -1 for a model that is mirrored on its way into the frame.
    pub(super) handedness: [f64; 2],
    pub(super) core: f64,
    pub(super) two_sided: bool,
}

impl Sides<'_, '_> {
    /// 1 where the body of the vertex (for edges, the moving body) is on the side of the prism's normal, -1 where it is on the
    /// other, 0 where that is not certain. Where neither body has a side, flat against the other, any way leads
    /// apart: the way that it moves.
    pub(super) fn of(
        &self,
        prism: &Prism,
        pieces: [&Piece; 2],
        features: FeaturePair,
        along_normal: f64,
    ) -> f64 {
        if !prism.has_sides {
            return 0.0;
        }
        let any = along_normal.signum();
        match features {
            FeaturePair::VertexFace(corner) => self.of_vertex(prism, 0, pieces, corner, any),
            FeaturePair::FaceVertex(corner) => self.of_vertex(prism, 1, pieces, corner, any),
            FeaturePair::Edges(i, j) => {
                let moving = self.around_edge(prism.normal, 0, pieces[0], i as usize);
                let still = self.around_edge(prism.normal, 1, pieces[1], j as usize);
                let ends =
                    |piece: &Piece, i: u8| [piece.corners[i as usize], piece.corners[(i as usize + 1) % 3]];
                let ([a, b], [c, d]) = (ends(pieces[0], i), ends(pieces[1], j));
                match (moving, still) {
                    (Some(0), Some(0)) => exact(orient3d(a, b, c, d)).unwrap_or(any),
                    (Some(0 | 1), Some(0 | -1)) => 1.0,
                    (Some(0 | -1), Some(0 | 1)) => -1.0,
                    _ => 0.0,
                }
            }
        }
    }

    /// `side` is the model whose vertex it is.
    fn of_vertex(&self, prism: &Prism, side: usize, pieces: [&Piece; 2], corner: u8, any: f64) -> f64 {
        let is_front_only =
            |side: usize| !self.two_sided && self.sources[side].model.is_front_only(pieces[side].name.face);
        if is_front_only(1 - side) {
            return self.handedness[1 - side];
        }
        let source = &self.sources[side];
        let base = prism.normal.dot(pieces[side].corners[corner as usize]);
        let around = source.model.corners_at(pieces[side].vertices[corner as usize]).iter();
        let vertices = around.flat_map(|corner| source.mesh().corners(corner.face));
        let heights =
            vertices.map(|vertex| prism.normal.dot(source.place(source.mesh().vertex(vertex))) - base);
        match self.common_sign(heights) {
            Some(0) if is_front_only(side) => {
                // The body is behind its own face.
                let [a, b, c] = pieces[side].corners;
                let outward = (b - a).cross(c - a) * self.handedness[side];
                -outward.dot(prism.normal).signum()
            }
            // Flat against the face: the vertex itself is on a side, if by less than rounding can do; in the plane, any way leads apart.
            Some(0) => {
                let [a, b, c] = pieces[1 - side].corners;
                exact(orient3d(a, b, c, pieces[side].corners[corner as usize])).unwrap_or(any)
            }
            Some(sign) => f64::from(sign),
            None => 0.0,
        }
    }

    /// On which side the faces along an edge are.
    fn around_edge(&self, normal: DVec3, side: usize, piece: &Piece, corner: usize) -> Option<i32> {
        let source = &self.sources[side];
        let (model, mesh) = (source.model, source.mesh());
        let base = normal.dot(piece.corners[corner]);
        let ends =
            [piece.vertices[corner], piece.vertices[(corner + 1) % 3]].map(|v| model.representative(v));
        let face = piece.name.face;
        let edge =
            (0..mesh.corner_count(face)).filter_map(|corner| model.edge_at(face, corner)).find(|&edge| {
                let [u, v] = model.edges()[edge as usize].vertices;
                [u, v] == ends || [v, u] == ends
            })?;
        let faces = model.edge_faces(edge).iter();
        let corners = faces.flat_map(|along| mesh.corners(along.face));
        let others = corners.filter(|&vertex| !ends.contains(&model.representative(vertex)));
        self.common_sign(others.map(|vertex| normal.dot(source.place(mesh.vertex(vertex))) - base))
    }

    /// The sign that all heights have that are more than rounding; 0 where none is, `None` where they differ.
    fn common_sign(&self, heights: impl Iterator<Item = f64>) -> Option<i32> {
        let (mut above, mut below) = (false, false);
        for height in heights {
            above |= height > 4.0 * self.core;
            below |= height < -4.0 * self.core;
        }
        match (above, below) {
            (true, true) => None,
            (true, false) => Some(1),
            (false, true) => Some(-1),
            (false, false) => Some(0),
        }
    }
}

/// A side that is certain; none in the plane.
fn exact(sign: Sign) -> Option<f64> {
    match sign {
        Sign::Positive => Some(1.0),
        Sign::Negative => Some(-1.0),
        Sign::Zero => None,
    }
}
