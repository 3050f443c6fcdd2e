//! Which face tests a shared feature (paper 000 §4): every vertex and every edge belongs to one corner of one face, so that a pair of
//! features is looked at once, whatever finds the faces and in whatever order.

use super::edge::EdgeKind;
use super::parts::Orientation;
use super::{Features, Model};
use crate::mesh::{Faces, Mesh};

/// A corner owns the vertex that stands at it.
const VERTEX: u8 = 1;
/// A corner owns the edge that begins at it.
const EDGE: u8 = 2;
/// The vertex at a corner can be reached from outside.
const REACHED_VERTEX: u8 = 4;
/// The edge that begins at a corner can be reached from outside.
const REACHED_EDGE: u8 = 8;

/// What each corner owns.
#[derive(Clone, Debug)]
pub(super) struct Owners {
    flags: Vec<u8>,
    /// Whether all that can be reached of a face is its front.
    front_only: Vec<bool>,
}

/// The features of a triangle of a face's fan that are its own to test.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct OwnFeatures {
    /// For each corner whether its vertex is.
    pub(crate) vertices: [bool; 3],
    /// For each corner whether the edge to the next one is.
    pub(crate) edges: [bool; 3],
}

/// Which features count.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Counting {
    /// Each shared feature once, not once for every face around it.
    pub(crate) once: bool,
    /// Without what nothing can reach from outside: edges between faces that face each other or continue each other, and vertices
    /// with no other edges.
    pub(crate) reachable: bool,
}

impl Owners {
    pub(super) fn new(mesh: &Mesh, features: &Features) -> Owners {
        let Features { topology, parts } = features;
        let front_only: Vec<bool> = (0..mesh.face_count() as u32)
            .map(|face| {
                parts.part_of_face(face).is_some_and(|part| {
                    let part = &parts.parts[part as usize];
                    part.closed && part.orientation == Orientation::Outward
                })
            })
            .collect();
        let corner_count = match mesh.faces() {
            Faces::Polygons { corners, .. } => corners.len(),
            _ => 3 * mesh.face_count(),
        };
        let mut flags = vec![0_u8; corner_count];
        let mut has_owner = vec![false; mesh.vertex_count()];
        for face in 0..mesh.face_count() as u32 {
            for corner in 0..mesh.corner_count(face) {
                let place = first_corner(mesh, face) as usize + corner;
                let vertex = topology.representative[mesh.corner(face, corner) as usize];
                let is_hidden = topology.is_internal_vertex(vertex) && front_only[face as usize];
                flags[place] |= if is_hidden { 0 } else { REACHED_VERTEX };
                if !std::mem::replace(&mut has_owner[vertex as usize], true) {
                    flags[place] |= VERTEX;
                }
                let Some(edge) = topology.edge_at(mesh, face, corner) else { continue };
                let along = topology.edge_faces(edge);
                let is_hidden = match topology.edges[edge as usize].kind {
                    EdgeKind::Coplanar => true,
                    EdgeKind::Internal => along.iter().all(|along| front_only[along.face as usize]),
                    _ => false,
                };
                flags[place] |= if is_hidden { 0 } else { REACHED_EDGE };
                if (along[0].face, along[0].corner as usize) == (face, corner) {
                    flags[place] |= EDGE;
                }
            }
        }
        Owners { flags, front_only }
    }
}

/// Where a face's corners start among the corners of all faces.
fn first_corner(mesh: &Mesh, face: u32) -> u32 {
    match mesh.faces() {
        Faces::Polygons { starts, .. } => starts[face as usize],
        _ => 3 * face,
    }
}

impl Model {
    fn owners(&self) -> &Owners {
        self.owners.get_or_init(|| Owners::new(&self.mesh, self.features()))
    }

    /// Whether a face can be met from its front only: it belongs to a closed part that looks outward.
    #[inline]
    pub(crate) fn is_front_only(&self, face: u32) -> bool {
        self.owners().front_only[face as usize]
    }

    /// The features that a triangle of a face's fan is to test.
    #[inline]
    pub(crate) fn own_features(&self, face: u32, number: u32, counting: Counting) -> OwnFeatures {
        let mesh = &self.mesh;
        let corners = mesh.corner_count(face);
        let number = number as usize;
        let last_piece = number + 1 == mesh.fan_count(face);
        // The corners of the triangle, and which of its vertices and edges are the face's own and not another triangle's.
        let places = [0, (number + 1).min(corners - 1), (number + 2).min(corners - 1)];
        let is_whole = corners >= 3;
        let vertices = [number == 0, corners >= 2, is_whole && last_piece];
        let edges = [number == 0 && corners >= 2, is_whole, is_whole && last_piece];
        let first = first_corner(mesh, face) as usize;
        let flags = &self.owners().flags[first..first + corners];
        let keeps = |flag: u8, owned: u8, reached: u8| {
            (!counting.once || flag & owned != 0) && (!counting.reachable || flag & reached != 0)
        };
        let mut own = OwnFeatures { vertices: [false; 3], edges: [false; 3] };
        for i in 0..3 {
            own.vertices[i] = vertices[i] && keeps(flags[places[i]], VERTEX, REACHED_VERTEX);
            own.edges[i] = edges[i] && keeps(flags[places[i]], EDGE, REACHED_EDGE);
        }
        own
    }
}
