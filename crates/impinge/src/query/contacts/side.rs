//! A model in the frame of a pair, with what is around its features.

use crate::mesh::Mesh;
use crate::model::{EdgeFace, Feature, Model};
use crate::pair::surface::FaceSource;
use impinge_core::math::DVec3;
use impinge_core::narrow::contact::{OverTriangle, over_triangle, unit_normal};
use impinge_core::tolerance::CONTACT_SHELTER;

/// Normals with less than this square of a sine between them are those of one plane.
const ONE_PLANE: f64 = 1.0 / (1_u128 << 80) as f64;

/// A feature by the model's own numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Spot {
    /// A vertex that represents its position.
    Vertex(u32),
    Edge(u32),
    /// A triangle of a face's fan.
    Face {
        face: u32,
        piece: u32,
    },
}

/// One of two models.
pub(super) struct Side<'m> {
    pub(super) source: FaceSource<'m>,
    model: &'m Model,
    /// -1 where the way into the frame mirrors: faces look the other way then.
    handedness: f64,
    /// The error bound of a point.
    pub(super) touch: f64,
}

impl<'m> Side<'m> {
    pub(super) fn new(source: FaceSource<'m>, is_mirrored: bool, touch: f64) -> Side<'m> {
        Side { source, model: source.model, handedness: if is_mirrored { -1.0 } else { 1.0 }, touch }
    }

    pub(super) fn mesh(&self) -> &'m Mesh {
        self.model.mesh()
    }

    pub(super) fn model(&self) -> &'m Model {
        self.model
    }

    /// The position of a vertex in the frame.
    #[inline(always)]
    pub(super) fn point(&self, vertex: u32) -> DVec3 {
        self.source.place(match self.source.table {
            Some((points, _)) => points[vertex as usize],
            None => self.mesh().vertex(vertex),
        })
    }

    /// The vertex at a corner of a face.
    #[inline(always)]
    pub(super) fn corner(&self, face: u32, corner: usize) -> u32 {
        match self.source.table {
            Some((_, triangles)) => triangles[face as usize][corner],
            None => self.mesh().corner(face, corner),
        }
    }

    #[inline]
    pub(super) fn corner_count(&self, face: u32) -> usize {
        if self.source.table.is_some() { 3 } else { self.mesh().corner_count(face) }
    }

    /// The number of triangles of a face's fan.
    #[inline(always)]
    pub(super) fn fan_count(&self, face: u32) -> u32 {
        if self.source.table.is_some() { 1 } else { self.mesh().fan_count(face) as u32 }
    }

    /// The corners of a triangle of a face's fan, by their numbers in the face.
    #[inline(always)]
    pub(super) fn piece_corners(&self, face: u32, piece: u32) -> [u32; 3] {
        if self.source.table.is_some() { [0, 1, 2] } else { self.mesh().piece_corners(face, piece) }
    }

    /// The number by which the features that a triangle owns are found.
    #[inline(always)]
    pub(super) fn piece_number(&self, face: u32, piece: u32) -> usize {
        (self.mesh().first_piece(face) + piece) as usize
    }

    /// The corner of a face after another.
    #[inline(always)]
    pub(super) fn next_corner(&self, face: u32, corner: usize) -> usize {
        if corner + 1 == self.corner_count(face) { 0 } else { corner + 1 }
    }

    /// The third corner of the triangle of the fan that holds the edge from a corner to the next; none for a point or a segment.
    #[inline(always)]
    pub(super) fn apex(&self, face: u32, corner: usize) -> Option<usize> {
        let count = self.corner_count(face);
        (count > 2).then(|| match corner {
            0 => 2,
            last if last == count - 1 => count - 2,
            _ => 0,
        })
    }

    pub(super) fn handedness(&self) -> f64 {
        self.handedness
    }

    #[inline(always)]
    pub(super) fn corner_point(&self, face: u32, corner: usize) -> DVec3 {
        self.point(self.corner(face, corner))
    }

    /// The ends of an edge in the frame.
    pub(super) fn ends(&self, edge: u32) -> [DVec3; 2] {
        self.model.edges()[edge as usize].vertices.map(|vertex| self.point(vertex))
    }

    /// Whether a face has an inside behind it, so that nothing can touch its back.
    pub(super) fn is_one_sided(&self, face: u32) -> bool {
        self.model.is_one_sided(face)
    }

    /// The position of a point relative to a triangle of a face's fan; the normal is that of the face's front.
    pub(super) fn over(&self, point: DVec3, corners: &[DVec3; 3]) -> Option<OverTriangle> {
        let OverTriangle { normal, height, sides } = over_triangle(point, corners)?;
        Some(OverTriangle { normal: normal * self.handedness, height: height * self.handedness, sides })
    }

    /// The triangle of the fan that holds the edge from a corner to the next, from that corner on.
    fn triangle_at(&self, face: u32, corner: usize) -> Option<[DVec3; 3]> {
        let (apex, next) = (self.apex(face, corner)?, self.next_corner(face, corner));
        Some([self.corner_point(face, corner), self.corner_point(face, next), self.corner_point(face, apex)])
    }

    fn normal_at(&self, face: u32, corner: usize) -> Option<DVec3> {
        Some(unit_normal(&self.triangle_at(face, corner)?)? * self.handedness)
    }

    /// From an edge into a face along it, square to the edge; `None` for a face without area there.
    #[inline]
    fn inward(&self, along: &EdgeFace) -> Option<DVec3> {
        let corners = self.triangle_at(along.face, along.corner as usize)?;
        let normal = unit_normal(&corners)?;
        Some(normal.cross(corners[1] - corners[0]).normalize())
    }

    /// The directions from a corner of a face to its two neighbors.
    fn directions_at(&self, face: u32, corner: usize) -> [Option<DVec3>; 2] {
        let from = self.corner_point(face, corner);
        let next = self.next_corner(face, corner);
        let before = if corner == 0 { self.corner_count(face) - 1 } else { corner - 1 };
        [
            (self.corner_point(face, next) - from).try_normalize(),
            (self.corner_point(face, before) - from).try_normalize(),
        ]
    }

    /// Whether a test holds for all directions in which the surface goes on from a feature. All others are between them, as long
    /// as the feature is not a face.
    fn all_directions(&self, spot: Spot, mut test: impl FnMut(DVec3) -> bool) -> bool {
        match spot {
            Spot::Vertex(vertex) => self.model.corners_at(vertex).iter().all(|at| {
                self.directions_at(at.face, at.corner as usize).into_iter().flatten().all(&mut test)
            }),
            Spot::Edge(edge) => {
                let along = self.model.edge_faces(edge).iter();
                along.filter_map(|along| self.inward(along)).all(test)
            }
            Spot::Face { .. } => true,
        }
    }

    /// Calls `visit` with the directions in which the surface goes on from a feature.
    fn for_each_direction(&self, spot: Spot, mut visit: impl FnMut(DVec3)) {
        self.all_directions(spot, |direction| {
            visit(direction);
            true
        });
    }

    /// Calls `visit` with the normals of the faces at a feature, how much of the surface around it each covers, and whether
    /// they are one-sided.
    pub(super) fn for_each_normal(&self, spot: Spot, mut visit: impl FnMut(DVec3, f64, bool)) {
        self.all_normals(spot, |normal, sides, one_sided| {
            let angle = sides.map_or(1.0, |[u, v]| libm::atan2(u.cross(v).length(), u.dot(v)));
            visit(normal, angle, one_sided);
            true
        });
    }

    /// Whether a test holds for the normals of all faces at a feature. It is shown the directions of the face's sides at a vertex, and
    /// whether the face is one-sided.
    fn all_normals(&self, spot: Spot, mut test: impl FnMut(DVec3, Option<[DVec3; 2]>, bool) -> bool) -> bool {
        match spot {
            Spot::Vertex(vertex) => self.model.corners_at(vertex).iter().all(|at| {
                let corner = at.corner as usize;
                if let [Some(u), Some(v)] = self.directions_at(at.face, corner)
                    && let Some(normal) = self.normal_at(at.face, corner)
                {
                    return test(normal, Some([u, v]), self.is_one_sided(at.face));
                }
                true
            }),
            Spot::Edge(edge) => self.model.edge_faces(edge).iter().all(|along| {
                let normal = self.normal_at(along.face, along.corner as usize);
                normal.is_none_or(|normal| test(normal, None, self.is_one_sided(along.face)))
            }),
            Spot::Face { face, piece } => {
                let corners = self.mesh().fan_triangle(face, piece as usize).map(|vertex| self.point(vertex));
                let normal = unit_normal(&corners);
                normal.is_none_or(|normal| test(normal * self.handedness, None, self.is_one_sided(face)))
            }
        }
    }

    /// Whether the foot of a point, on a vertex or an edge, is the nearest point of the surface around it.
    pub(super) fn holds(&self, spot: Spot, foot: DVec3, point: DVec3) -> bool {
        let towards = point - foot;
        self.all_directions(spot, |direction| direction.dot(towards) <= self.touch)
    }

    /// Whether the surface at a feature lies behind a plane with a given normal.
    pub(super) fn is_behind(&self, spot: Spot, normal: DVec3) -> bool {
        self.all_directions(spot, |direction| direction.dot(normal) <= 1e-9)
    }

    /// Whether a feature can be touched from a direction: one of its faces looks there, and none leads there.
    pub(super) fn is_open(&self, spot: Spot, towards: DVec3) -> bool {
        self.looks(spot, towards) && !self.is_sheltered(spot, towards)
    }

    /// Whether a face at a feature, if all of them are one-sided, looks in a direction.
    pub(super) fn looks(&self, spot: Spot, towards: DVec3) -> bool {
        let mut any = false;
        let none_looks = self.all_normals(spot, |normal, _, one_sided| {
            any = true;
            let looks = !one_sided || normal.dot(towards) > 0.0;
            !looks
        });
        !none_looks || !any
    }

    /// Whether a face at a feature leads in a direction, so that the face has nearer points.
    fn is_sheltered(&self, spot: Spot, towards: DVec3) -> bool {
        let leads = |direction: DVec3| direction.dot(towards) > CONTACT_SHELTER;
        match spot {
            Spot::Vertex(vertex) => self.model.corners_at(vertex).iter().any(|at| {
                let [u, v] = self.directions_at(at.face, at.corner as usize);
                u.is_some_and(leads)
                    || v.is_some_and(leads)
                    || matches!([u, v], [Some(u), Some(v)] if
                        within_sector(u, v, towards).is_some_and(|most| most > CONTACT_SHELTER))
            }),
            _ => !self.all_directions(spot, |direction| !leads(direction)),
        }
    }

    /// Whether an edge is one that others can touch in its middle.
    pub(super) fn is_exposed_edge(&self, edge: u32) -> bool {
        self.model.is_exposed_edge(edge)
    }

    /// Whether the two faces of an edge lie in one plane, but for rounding.
    pub(super) fn is_flat_edge(&self, edge: u32) -> bool {
        let [first, second] = self.model.edge_faces(edge) else { return false };
        self.are_in_one_plane(first, second)
    }

    pub(super) fn are_in_one_plane(&self, first: &EdgeFace, second: &EdgeFace) -> bool {
        let normals = [first, second].map(|along| self.normal_at(along.face, along.corner as usize));
        matches!(normals, [Some(m), Some(n)] if m.dot(n) > 0.0 && m.cross(n).length_squared() <= ONE_PLANE)
    }

    /// Whether a vertex is one that others can touch: not one in the middle of a flat surface, nor at the bottom of a
    /// solid's hollow.
    pub(super) fn is_exposed_vertex(&self, vertex: u32) -> bool {
        self.model.is_exposed_vertex(vertex)
    }

    /// The direction away from the surface at a feature: the mean of the normals where they are one-sided, else where the surface does
    /// not go.
    pub(super) fn outward(&self, spot: Spot) -> DVec3 {
        let (mut normals, mut all_one_sided) = (DVec3::ZERO, true);
        self.for_each_normal(spot, |normal, weight, one_sided| {
            normals += normal * weight;
            all_one_sided &= one_sided;
        });
        if !all_one_sided || normals == DVec3::ZERO {
            normals = DVec3::ZERO;
            self.for_each_direction(spot, |direction| normals -= direction);
        }
        normals.try_normalize().unwrap_or(DVec3::ZERO)
    }

    /// A feature by the user's indices.
    pub(super) fn feature(&self, spot: Spot) -> Feature {
        match spot {
            Spot::Vertex(vertex) => Feature::Vertex(vertex),
            Spot::Edge(edge) => {
                let along = self.model.edge_faces(edge)[0];
                let count = self.mesh().corner_count(along.face);
                let corner = along.corner as usize;
                let [i, j] =
                    [corner, (corner + 1) % count].map(|corner| self.mesh().corner(along.face, corner));
                Feature::edge([i.min(j), i.max(j)], self.mesh().label(along.face))
            }
            Spot::Face { face, .. } => Feature::Face(self.mesh().label(face)),
        }
    }
}

/// How far the face between two directions leads in another, where it does so between the two.
fn within_sector(u: DVec3, v: DVec3, towards: DVec3) -> Option<f64> {
    let normal = u.cross(v).try_normalize()?;
    let flat = towards - normal * normal.dot(towards);
    let between = u.cross(flat).dot(normal) >= 0.0 && flat.cross(v).dot(normal) >= 0.0;
    between.then(|| flat.length())
}
