//! Contacts of feature against feature (van Waveren 2005, §2.6), each pair once.
//!
//! Every vertex and every edge belongs to its least face, so that a pair of features is looked at for exactly one pair of
//! faces, in whatever order those come. `docs/math/contacts.md` says which pairs count and why.

use super::answer::Contact;
use super::side::{Side, Spot};
use super::touching::normal_between;
use crate::model::{EdgeFace, EdgeKind};
use crate::pair::stats::Stats;
use crate::query::scratch::FoundContact;
use impinge_core::math::DVec3;
use impinge_core::narrow::contact::{OverTriangle, beside_edge, crossing};
use impinge_core::narrow::contact_batch::{AtCorner, Candidate};

impl FoundContact {
    /// The contact, were the frame the world.
    pub(super) fn contact(&self) -> Contact {
        Contact {
            point_on_a: self.points[0],
            point_on_b: self.points[1],
            normal: self.normal,
            distance: self.distance,
            feature_a: self.features[0],
            feature_b: self.features[1],
            material_a: self.materials[0],
            material_b: self.materials[1],
        }
    }
}

/// Tests the features of pairs of faces.
pub(super) struct Features<'s, 'm> {
    pub(super) sides: [Side<'m>; 2],
    /// The limit of the distance: whatever is farther is no contact.
    pub(super) limit: f64,
    /// The error bound of a point: whatever is closer touches.
    pub(super) touch: f64,
    pub(super) found: &'s mut Vec<FoundContact>,
    /// The placed corners of the two faces.
    pub(super) corners: &'s mut [Vec<DVec3>; 2],
    /// The features that are still to be tested.
    pub(super) candidates: &'s mut Vec<Candidate>,
    pub(super) stats: Stats,
}

/// A vertex of one side against a face of the other.
#[derive(Clone, Copy)]
struct Probe {
    /// The side of the vertex.
    side: usize,
    vertex: u32,
    point: DVec3,
    faces: [u32; 2],
}

impl Probe {
    /// The face that the vertex is tested against.
    fn face(&self) -> u32 {
        self.faces[1 - self.side]
    }
}

impl Features<'_, '_> {
    /// Tests two features of faces that may be in contact, and that belong to them.
    pub(super) fn meet_candidate(&mut self, candidate: Candidate) {
        match candidate {
            Candidate::VertexFace(side, vertex, face) => {
                let probe = self.probe(side, vertex, face);
                let target = &self.sides[1 - side];
                self.corners[1 - side].clear();
                for corner in 0..target.corner_count(face) {
                    self.corners[1 - side].push(target.corner_point(face, corner));
                }
                self.vertex_inside(probe);
            }
            Candidate::VertexEdge(side, vertex, edge) => {
                let probe = self.probe(side, vertex, edge.face);
                if let Some(edge) = self.sides[1 - side].model().edge_at(edge.face, edge.corner as usize) {
                    self.vertex_edge(probe, edge);
                }
            }
            Candidate::Vertices([first, second]) => {
                let other = self.probe(1, second, first.face).vertex;
                self.vertex_vertex(self.probe(0, first, second.face), other);
            }
            Candidate::Edges(at) => {
                let edges = [0, 1].map(|i| self.sides[i].model().edge_at(at[i].face, at[i].corner as usize));
                if let [Some(first), Some(second)] = edges {
                    self.edge_edge([first, second], at.map(|at| at.face));
                }
            }
        }
    }

    /// The vertex at a corner of a side, against a face of the other.
    fn probe(&self, side: usize, at: AtCorner, face: u32) -> Probe {
        let (own, corner) = (&self.sides[side], at.corner as usize);
        let vertex = own.model().representative(own.corner(at.face, corner));
        let faces = if side == 0 { [at.face, face] } else { [face, at.face] };
        Probe { side, vertex, point: own.corner_point(at.face, corner), faces }
    }

    /// Tests all features that belong to two faces.
    pub(super) fn meet(&mut self, faces: [u32; 2]) {
        self.stats.face_tests += 1;
        for (side, &face) in faces.iter().enumerate() {
            let own = &self.sides[side];
            let points = own.mesh().corners(face).map(|vertex| own.point(vertex));
            self.corners[side].clear();
            self.corners[side].extend(points);
        }
        for (side, &face) in faces.iter().enumerate() {
            for corner in 0..self.corners[side].len() {
                let Some(vertex) = self.vertex_of(side, face, corner) else { continue };
                let point = self.corners[side][corner];
                self.vertex_polygon(Probe { side, vertex, point, faces });
            }
        }
        for first in 0..self.corners[0].len() {
            let Some(edge_a) = self.edge_of(0, faces[0], first) else { continue };
            for second in 0..self.corners[1].len() {
                let Some(edge_b) = self.edge_of(1, faces[1], second) else { continue };
                self.stats.edge_tests += 1;
                self.edge_edge([edge_a, edge_b], faces);
            }
        }
    }

    /// The vertex at a corner of a face, if it belongs to that corner.
    fn vertex_of(&self, side: usize, face: u32, corner: usize) -> Option<u32> {
        let model = self.sides[side].model();
        let vertex = model.representative(model.mesh().corner(face, corner));
        let owner = model.corners_at(vertex)[0];
        (owner.face == face && owner.corner as usize == corner).then_some(vertex)
    }

    /// The edge from a corner of a face to the next, if it belongs to that corner.
    fn edge_of(&self, side: usize, face: u32, corner: usize) -> Option<u32> {
        let model = self.sides[side].model();
        let edge = model.edge_at(face, corner)?;
        let owner = model.edge_faces(edge)[0];
        (owner.face == face && owner.corner as usize == corner).then_some(edge)
    }

    /// A vertex against a polygon, its inside and its rim.
    fn vertex_polygon(&mut self, probe: Probe) {
        self.stats.vertex_tests += 1;
        let (side, face) = (probe.side, probe.face());
        self.vertex_inside(probe);
        for corner in 0..self.corners[1 - side].len() {
            if let Some(edge) = self.edge_of(1 - side, face, corner) {
                self.vertex_edge(probe, edge);
            }
            // Two vertices meet twice, once in either role.
            if side == 0
                && let Some(vertex) = self.vertex_of(1, face, corner)
            {
                self.vertex_vertex(probe, vertex);
            }
        }
    }

    /// A vertex over the inside of a polygon.
    fn vertex_inside(&mut self, probe: Probe) {
        let (side, face) = (probe.side, probe.face());
        let target = &self.sides[1 - side];
        let corners = &self.corners[1 - side];
        if corners.len() < 3 {
            return;
        }
        let one_sided = target.is_one_sided(face);
        let mut nearest: Option<(u32, OverTriangle)> = None;
        for piece in 0..corners.len() - 2 {
            let triangle = [corners[0], corners[piece + 1], corners[piece + 2]];
            let Some(over) = target.over(probe.point, &triangle) else { continue };
            if over.height.abs() > self.limit + self.touch || (one_sided && over.height < -self.touch) {
                continue;
            }
            if nearest.is_some_and(|(_, best)| best.height.abs() <= over.height.abs()) {
                continue;
            }
            // The edges of the fan's triangle that are edges of the face.
            let last = corners.len() - 3;
            let rims =
                [(piece == 0).then_some(0), Some(piece + 1), (piece == last).then_some(corners.len() - 1)];
            let is_inside = |(&distance, rim): (&f64, Option<usize>)| {
                distance > self.touch
                    || (distance >= -self.touch
                        && rim.is_none_or(|corner| self.belongs_to_face(probe, corner, over.height)))
            };
            if over.sides.iter().zip(rims).all(is_inside) {
                nearest = Some((piece as u32, over));
            }
        }
        let Some((piece, over)) = nearest else { return };
        let mut towards = -over.normal;
        if over.height.abs() <= self.touch {
            // The vertex's own surface tells on which side it is.
            if !one_sided && self.sides[side].outward(Spot::Vertex(probe.vertex)).dot(towards) < 0.0 {
                towards = -towards;
            }
        } else if over.height < 0.0 {
            towards = -towards;
        }
        let foot = probe.point - over.normal * over.height;
        self.touch_with_vertex(probe, Spot::Face { face, piece }, foot, towards, over.height.abs());
    }

    /// Whether a vertex over the edge from a corner of a face counts as over the face: not where it is over the edge itself,
    /// nor where a lesser face in the same plane has it.
    fn belongs_to_face(&self, probe: Probe, corner: usize, height: f64) -> bool {
        let target = &self.sides[1 - probe.side];
        let model = target.model();
        let Some(edge) = model.edge_at(probe.face(), corner) else { return true };
        if self.is_over_edge(probe, edge, height) {
            return false;
        }
        let along = model.edge_faces(edge);
        let is_own = |run: &&EdgeFace| run.face == probe.face() && run.corner as usize == corner;
        let Some(own) = along.iter().find(is_own) else { return true };
        !along.iter().any(|other| other.face < own.face && target.are_in_one_plane(own, other))
    }

    /// Whether the foot on an edge's line is the nearest point of the faces along the edge.
    fn is_over_edge(&self, probe: Probe, edge: u32, height: f64) -> bool {
        let target = &self.sides[1 - probe.side];
        if target.model().edges()[edge as usize].kind == EdgeKind::Internal && height >= -self.touch {
            // In the bottom of a hollow both faces are touched, and not the edge.
            return false;
        }
        beside_edge(probe.point, target.ends(edge))
            .is_some_and(|beside| target.holds(Spot::Edge(edge), beside.foot, probe.point))
    }

    /// A vertex beside an edge of a polygon's rim.
    fn vertex_edge(&mut self, probe: Probe, edge: u32) {
        let target = &self.sides[1 - probe.side];
        let Some(beside) = beside_edge(probe.point, target.ends(edge)) else { return };
        let offset = beside.foot - probe.point;
        let distance = offset.length();
        if beside.inside <= self.touch || distance > self.limit + self.touch {
            return;
        }
        let spot = Spot::Edge(edge);
        let mut height = 0.0;
        if target.model().edges()[edge as usize].kind == EdgeKind::Internal {
            target.for_each_normal(spot, |normal, _, _| height = -offset.dot(normal));
        }
        if !self.is_over_edge(probe, edge, height) {
            return;
        }
        let towards = self.towards(probe.side, [Spot::Vertex(probe.vertex), spot], offset, distance);
        self.touch_with_vertex(probe, spot, beside.foot, towards, distance);
    }

    /// The direction from a feature of a side to one of the other; `offset` leads there.
    fn towards(&self, side: usize, spots: [Spot; 2], offset: DVec3, distance: f64) -> DVec3 {
        if distance > self.touch {
            return offset / distance;
        }
        normal_between([&self.sides[side], &self.sides[1 - side]], spots)
    }

    /// A vertex and another.
    fn vertex_vertex(&mut self, probe: Probe, vertex: u32) {
        let [a, b] = &self.sides;
        let other = b.point(vertex);
        let offset = other - probe.point;
        let distance = offset.length();
        if distance > self.limit + self.touch {
            return;
        }
        let spots = [Spot::Vertex(probe.vertex), Spot::Vertex(vertex)];
        let is_hollow = |side: &Side<'_>, vertex: u32| {
            side.model().is_internal_vertex(vertex)
                && side.is_one_sided(side.model().corners_at(vertex)[0].face)
        };
        let first_probes = a.is_exposed_vertex(probe.vertex)
            && !is_hollow(b, vertex)
            && b.holds(spots[1], other, probe.point);
        let second_probes = b.is_exposed_vertex(vertex)
            && !is_hollow(a, probe.vertex)
            && a.holds(spots[0], probe.point, other);
        if !first_probes && !second_probes {
            return;
        }
        let normal = self.towards(0, spots, offset, distance);
        if a.is_open(spots[0], normal) && b.is_open(spots[1], -normal) {
            self.push([probe.point, other], normal, distance, spots, probe.faces);
        }
    }

    /// Notes a contact of a vertex, if it is one that can be touched from there.
    fn touch_with_vertex(&mut self, probe: Probe, spot: Spot, foot: DVec3, towards: DVec3, distance: f64) {
        let Probe { side, vertex, point, faces } = probe;
        let (own, target) = (&self.sides[side], &self.sides[1 - side]);
        let at = Spot::Vertex(vertex);
        if !own.is_exposed_vertex(vertex) || !own.is_open(at, towards) || !target.looks(spot, -towards) {
            return;
        }
        if side == 0 {
            self.push([point, foot], towards, distance, [at, spot], faces);
        } else {
            self.push([foot, point], -towards, distance, [spot, at], faces);
        }
    }

    /// Two edges that cross at a distance.
    fn edge_edge(&mut self, edges: [u32; 2], faces: [u32; 2]) {
        let [a, b] = &self.sides;
        let Some(found) = crossing(a.ends(edges[0]), b.ends(edges[1])) else { return };
        let distance = found.offset.length();
        if found.inside <= self.touch || distance > self.limit + self.touch {
            return;
        }
        let exposed = |side: &Side<'_>, edge| side.is_exposed_edge(edge) && !side.is_flat_edge(edge);
        if !exposed(a, edges[0]) || !exposed(b, edges[1]) {
            return;
        }
        let spots = edges.map(Spot::Edge);
        let normal = match found.perpendicular {
            Some(normal) => {
                // Rounding leaves a touch no side: then the faces along the edges tell.
                let side = if distance > self.touch {
                    normal.dot(found.offset)
                } else {
                    normal.dot(a.outward(spots[0]) - b.outward(spots[1]))
                };
                if side < 0.0 { -normal } else { normal }
            }
            None => self.towards(0, spots, found.offset, distance),
        };
        if a.is_open(spots[0], normal) && b.is_open(spots[1], -normal) {
            self.push(found.feet, normal, distance, spots, faces);
        }
    }

    fn push(&mut self, points: [DVec3; 2], normal: DVec3, distance: f64, spots: [Spot; 2], faces: [u32; 2]) {
        let features = [self.sides[0].feature(spots[0]), self.sides[1].feature(spots[1])];
        let distance = if distance <= self.touch { 0.0 } else { distance };
        let materials = [0, 1].map(|side| self.sides[side].mesh().material(faces[side]));
        self.found.push(FoundContact { points, normal, distance, features, materials, faces });
    }
}
