//! A model in the frame of a pair, with what is around its features.

use crate::mesh::Mesh;
use crate::model::{EdgeFace, EdgeKind, Feature, Model, Orientation};
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
    pub(super) fn point(&self, vertex: u32) -> DVec3 {
        self.source.place(self.mesh().vertex(vertex))
    }

    fn corner_point(&self, face: u32, corner: usize) -> DVec3 {
        self.point(self.mesh().corner(face, corner))
    }

    /// The ends of an edge in the frame.
    pub(super) fn ends(&self, edge: u32) -> [DVec3; 2] {
        self.model.edges()[edge as usize].vertices.map(|vertex| self.point(vertex))
    }

    /// Whether a face has an inside behind it, so that nothing can touch its back.
    pub(super) fn is_one_sided(&self, face: u32) -> bool {
        self.model.part_of_face(face).is_some_and(|part| {
            let part = &self.model.parts()[part as usize];
            part.closed && part.orientation == Orientation::Outward
        })
    }

    /// The position of a point relative to a triangle of a face's fan; the normal is that of the face's front.
    pub(super) fn over(&self, point: DVec3, corners: &[DVec3; 3]) -> Option<OverTriangle> {
        let OverTriangle { normal, height, sides } = over_triangle(point, corners)?;
        Some(OverTriangle { normal: normal * self.handedness, height: height * self.handedness, sides })
    }

    /// The triangle of the fan that holds the edge from a corner to the next, from that corner on.
    fn triangle_at(&self, face: u32, corner: usize) -> Option<[DVec3; 3]> {
        let count = self.mesh().corner_count(face);
        if count < 3 {
            return None;
        }
        let apex = match corner {
            0 => 2,
            last if last == count - 1 => count - 2,
            _ => 0,
        };
        Some([corner, (corner + 1) % count, apex].map(|corner| self.corner_point(face, corner)))
    }

    fn normal_at(&self, face: u32, corner: usize) -> Option<DVec3> {
        Some(unit_normal(&self.triangle_at(face, corner)?)? * self.handedness)
    }

    /// From an edge into a face along it, square to the edge; `None` for a face without area there.
    fn inward(&self, along: &EdgeFace) -> Option<DVec3> {
        let corners = self.triangle_at(along.face, along.corner as usize)?;
        let normal = unit_normal(&corners)?;
        Some(normal.cross(corners[1] - corners[0]).normalize())
    }

    /// The directions from a corner of a face to its two neighbors.
    fn directions_at(&self, face: u32, corner: usize) -> [Option<DVec3>; 2] {
        let count = self.mesh().corner_count(face);
        let from = self.corner_point(face, corner);
        [(corner + 1) % count, (corner + count - 1) % count]
            .map(|other| (self.corner_point(face, other) - from).try_normalize())
    }

    /// Calls `visit` with the directions in which the surface goes on from a feature. All others are between them, as long
    /// as the feature is not a face.
    fn for_each_direction(&self, spot: Spot, mut visit: impl FnMut(DVec3)) {
        match spot {
            Spot::Vertex(vertex) => {
                for at in self.model.corners_at(vertex) {
                    self.directions_at(at.face, at.corner as usize)
                        .into_iter()
                        .flatten()
                        .for_each(&mut visit);
                }
            }
            Spot::Edge(edge) => {
                let along = self.model.edge_faces(edge).iter();
                along.filter_map(|along| self.inward(along)).for_each(visit);
            }
            Spot::Face { .. } => {}
        }
    }

    /// Calls `visit` with the normals of the faces at a feature, how much of the surface around it each covers, and whether
    /// they are one-sided.
    pub(super) fn for_each_normal(&self, spot: Spot, mut visit: impl FnMut(DVec3, f64, bool)) {
        match spot {
            Spot::Vertex(vertex) => {
                for at in self.model.corners_at(vertex) {
                    let corner = at.corner as usize;
                    if let [Some(u), Some(v)] = self.directions_at(at.face, corner)
                        && let Some(normal) = self.normal_at(at.face, corner)
                    {
                        let angle = libm::atan2(u.cross(v).length(), u.dot(v));
                        visit(normal, angle, self.is_one_sided(at.face));
                    }
                }
            }
            Spot::Edge(edge) => {
                for along in self.model.edge_faces(edge) {
                    if let Some(normal) = self.normal_at(along.face, along.corner as usize) {
                        visit(normal, 1.0, self.is_one_sided(along.face));
                    }
                }
            }
            Spot::Face { face, piece } => {
                let corners = self.mesh().fan_triangle(face, piece as usize).map(|vertex| self.point(vertex));
                if let Some(normal) = unit_normal(&corners) {
                    visit(normal * self.handedness, 1.0, self.is_one_sided(face));
                }
            }
        }
    }

    /// Whether the foot of a point, on a vertex or an edge, is the nearest point of the surface around it.
    pub(super) fn holds(&self, spot: Spot, foot: DVec3, point: DVec3) -> bool {
        let towards = point - foot;
        let mut holds = true;
        self.for_each_direction(spot, |direction| holds &= direction.dot(towards) <= self.touch);
        holds
    }

    /// Whether the surface at a feature lies behind a plane with a given normal.
    pub(super) fn is_behind(&self, spot: Spot, normal: DVec3) -> bool {
        let mut behind = true;
        self.for_each_direction(spot, |direction| behind &= direction.dot(normal) <= 1e-9);
        behind
    }

    /// Whether a feature can be touched from a direction: one of its faces looks there, and none leads there.
    pub(super) fn is_open(&self, spot: Spot, towards: DVec3) -> bool {
        self.looks(spot, towards) && !self.is_sheltered(spot, towards)
    }

    /// Whether a face at a feature, if all of them are one-sided, looks in a direction.
    pub(super) fn looks(&self, spot: Spot, towards: DVec3) -> bool {
        let (mut looks, mut any) = (false, false);
        self.for_each_normal(spot, |normal, _, one_sided| {
            any = true;
            looks |= !one_sided || normal.dot(towards) > 0.0;
        });
        looks || !any
    }

    /// Whether a face at a feature leads in a direction, so that the face has nearer points.
    fn is_sheltered(&self, spot: Spot, towards: DVec3) -> bool {
        let mut most = f64::NEG_INFINITY;
        match spot {
            Spot::Vertex(vertex) => {
                for at in self.model.corners_at(vertex) {
                    let [u, v] = self.directions_at(at.face, at.corner as usize);
                    most = [u, v].into_iter().flatten().fold(most, |most, d| most.max(d.dot(towards)));
                    if let [Some(u), Some(v)] = [u, v] {
                        most = most.max(within_sector(u, v, towards).unwrap_or(most));
                    }
                }
            }
            _ => self.for_each_direction(spot, |direction| most = most.max(direction.dot(towards))),
        }
        most > CONTACT_SHELTER
    }

    /// Whether an edge is one that others can touch in its middle.
    pub(super) fn is_exposed_edge(&self, edge: u32) -> bool {
        match self.model.edges()[edge as usize].kind {
            EdgeKind::Coplanar => false,
            EdgeKind::Internal => !self.is_one_sided(self.model.edge_faces(edge)[0].face),
            EdgeKind::Convex | EdgeKind::Dangling | EdgeKind::Irregular => true,
        }
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
        let mut any = false;
        for at in self.model.corners_at(vertex) {
            let count = self.mesh().corner_count(at.face);
            let corner = at.corner as usize;
            for corner in [corner, (corner + count - 1) % count] {
                if let Some(edge) = self.model.edge_at(at.face, corner) {
                    any = true;
                    if self.is_exposed_edge(edge) {
                        return true;
                    }
                }
            }
        }
        !any
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
