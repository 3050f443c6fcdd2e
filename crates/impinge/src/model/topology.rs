//! Shared vertices and edges, found once (van Waveren 2005, §4): what faces have in common is tested once.
//!
//! Everything is flat arrays. Edges are found by sorting the faces' directed edges into buckets by their lesser
//! vertex, which takes time linear in the corners but for the sorting inside a bucket.

use super::edge::{Edge, EdgeFace, EdgeKind, kind_of_edge};
use super::vertex_corners::{Around, FaceCorner};
use crate::mesh::{Faces, Mesh};
use impinge_core::math::DVec3;
use impinge_core::parallel::Lazy;

/// No vertex, no edge.
const NONE: u32 = u32::MAX;

/// The shared vertices and edges of a mesh.
#[derive(Clone, Debug)]
pub(super) struct Topology {
    /// The least vertex at the same position, for each vertex.
    pub(super) representative: Vec<u32>,
    /// The edges, in ascending order of their vertices.
    pub(super) edges: Vec<Edge>,
    /// The faces along each edge, in ascending order of (face, corner).
    edge_faces: Vec<EdgeFace>,
    /// The start of each edge's faces; one entry more than there are edges.
    edge_starts: Vec<u32>,
    /// The edge that begins at each corner.
    corner_edges: Vec<u32>,
    /// Whether a vertex bounds internal edges only, for those that represent their position.
    internal_vertices: Vec<bool>,
    pub(super) internal_edge_count: usize,
    /// The corners around each vertex, for queries that ask for them.
    around: Lazy<Around>,
}

/// A directed edge of a face, in the bucket of its lesser vertex.
#[derive(Clone, Copy)]
struct Run {
    greater: u32,
    /// The position of its corner among the corners of all faces.
    position: u32,
    face: u32,
}

impl Topology {
    /// Finds the topology of a mesh; `points` are the positions of its vertices.
    pub(super) fn new(mesh: &Mesh, points: &[DVec3], representative: Vec<u32>) -> Topology {
        let corners = corner_vertices(mesh, &representative);
        let (runs, bucket_starts) = runs_by_lesser_vertex(mesh, &corners);
        let mut topology = Topology {
            representative,
            edges: Vec::with_capacity(runs.len() / 2),
            edge_faces: Vec::with_capacity(runs.len()),
            edge_starts: vec![0],
            corner_edges: vec![NONE; corners.len()],
            internal_vertices: Vec::new(),
            internal_edge_count: 0,
            around: Lazy::new(),
        };
        for (lesser, ends) in bucket_starts.windows(2).enumerate() {
            let bucket = &runs[ends[0] as usize..ends[1] as usize];
            for along in bucket.chunk_by(|a, b| a.greater == b.greater) {
                topology.push_edge(mesh, points, &corners, [lesser as u32, along[0].greater], along);
            }
        }
        topology.find_internal_vertices();
        topology
    }

    fn push_edge(
        &mut self,
        mesh: &Mesh,
        points: &[DVec3],
        corners: &[u32],
        vertices: [u32; 2],
        along: &[Run],
    ) {
        let start = self.edge_faces.len();
        for run in along {
            self.corner_edges[run.position as usize] = self.edges.len() as u32;
            self.edge_faces.push(EdgeFace {
                face: run.face,
                corner: run.position - first_corner(mesh, run.face),
                forward: corners[run.position as usize] == vertices[0],
            });
        }
        let ends = vertices.map(|vertex| points[vertex as usize]);
        let kind = kind_of_edge(ends, &self.edge_faces[start..], |along| {
            apex(walk(mesh, corners, along.face), along.corner as usize).map(|vertex| points[vertex as usize])
        });
        self.edges.push(Edge { vertices, kind });
        self.edge_starts.push(self.edge_faces.len() as u32);
    }

    fn find_internal_vertices(&mut self) {
        let (mut internal, mut exposed) =
            (vec![false; self.representative.len()], vec![false; self.representative.len()]);
        for edge in &self.edges {
            let is_internal = edge.kind == EdgeKind::Internal;
            self.internal_edge_count += usize::from(is_internal);
            for vertex in edge.vertices {
                *if is_internal { &mut internal[vertex as usize] } else { &mut exposed[vertex as usize] } =
                    true;
            }
        }
        for (internal, exposed) in internal.iter_mut().zip(exposed) {
            *internal &= !exposed;
        }
        self.internal_vertices = internal;
    }

    /// The faces along an edge.
    pub(super) fn edge_faces(&self, edge: u32) -> &[EdgeFace] {
        let edge = edge as usize;
        &self.edge_faces[self.edge_starts[edge] as usize..self.edge_starts[edge + 1] as usize]
    }

    /// The faces along each edge, edge by edge.
    pub(super) fn faces_by_edge(&self) -> impl Iterator<Item = &[EdgeFace]> {
        self.edge_starts.windows(2).map(|ends| &self.edge_faces[ends[0] as usize..ends[1] as usize])
    }

    /// The edge from a corner of a face to the next.
    pub(super) fn edge_at(&self, mesh: &Mesh, face: u32, corner: usize) -> Option<u32> {
        let edge = self.corner_edges[first_corner(mesh, face) as usize + corner];
        (edge != NONE).then_some(edge)
    }

    /// The corners at the position of a vertex.
    pub(super) fn corners_at(&self, mesh: &Mesh, vertex: u32) -> &[FaceCorner] {
        self.around(mesh).at(self.representative[vertex as usize])
    }

    #[inline]
    pub(super) fn around(&self, mesh: &Mesh) -> &Around {
        self.around.get_or_make(|| Around::new(mesh, &self.representative))
    }

    pub(super) fn has_around(&self) -> bool {
        self.around.get().is_some()
    }

    pub(super) fn is_internal_vertex(&self, vertex: u32) -> bool {
        self.internal_vertices[self.representative[vertex as usize] as usize]
    }
}

/// Where a face's corners start among the corners of all faces. Faces in holes keep three places.
fn first_corner(mesh: &Mesh, face: u32) -> u32 {
    match mesh.faces() {
        Faces::Polygons { starts, .. } => starts[face as usize],
        _ => 3 * face,
    }
}

/// The representatives of a face's corners.
fn walk<'a>(mesh: &Mesh, corners: &'a [u32], face: u32) -> &'a [u32] {
    let first = first_corner(mesh, face) as usize;
    &corners[first..first + mesh.corner_count(face)]
}

/// The third vertex of the fan triangle that holds the edge from a corner to the next; none for a point or a segment.
fn apex(walk: &[u32], corner: usize) -> Option<u32> {
    // The edges at the first corner lie in the first and last triangle; every other edge in one with that corner.
    match walk.len() {
        0..3 => None,
        _ if corner == 0 => Some(walk[2]),
        count if corner == count - 1 => Some(walk[count - 2]),
        _ => Some(walk[0]),
    }
}

/// The representatives of all corners, face by face.
fn corner_vertices(mesh: &Mesh, representative: &[u32]) -> Vec<u32> {
    let count = match mesh.faces() {
        Faces::Polygons { corners, .. } => corners.len(),
        _ => 3 * mesh.face_count(),
    };
    assert!(count < NONE as usize, "{count} corners are more than 32-bit indices can name");
    let mut vertices = vec![NONE; count];
    for face in 0..mesh.face_count() as u32 {
        let first = first_corner(mesh, face) as usize;
        for (place, vertex) in vertices[first..].iter_mut().zip(mesh.corners(face)) {
            *place = representative[vertex as usize];
        }
    }
    vertices
}

/// All directed edges of positive length, sorted by (lesser vertex, greater vertex, position), and where the run of
/// each lesser vertex starts.
fn runs_by_lesser_vertex(mesh: &Mesh, corners: &[u32]) -> (Vec<Run>, Vec<u32>) {
    let mut starts = vec![0_u32; mesh.vertex_count() + 1];
    for_each_run(mesh, corners, |lesser, _| starts[lesser as usize + 1] += 1);
    for vertex in 1..starts.len() {
        starts[vertex] += starts[vertex - 1];
    }
    let mut next = starts.clone();
    let mut runs = vec![Run { greater: 0, position: 0, face: 0 }; *starts.last().unwrap_or(&0) as usize];
    for_each_run(mesh, corners, |lesser, run| {
        runs[next[lesser as usize] as usize] = run;
        next[lesser as usize] += 1;
    });
    for ends in starts.windows(2) {
        runs[ends[0] as usize..ends[1] as usize].sort_unstable_by_key(|run| (run.greater, run.position));
    }
    (runs, starts)
}

/// Calls `visit` with the lesser vertex of each directed edge of positive length, and the rest of it. A face's boundary
/// is a closed path through its corners: a segment runs along its edge once in each direction, a point along none.
fn for_each_run(mesh: &Mesh, corners: &[u32], mut visit: impl FnMut(u32, Run)) {
    for face in 0..mesh.face_count() as u32 {
        let first = first_corner(mesh, face);
        let walk = walk(mesh, corners, face);
        for (i, &from) in walk.iter().enumerate() {
            let to = walk[if i + 1 == walk.len() { 0 } else { i + 1 }];
            if from != to {
                visit(from.min(to), Run { greater: from.max(to), position: first + i as u32, face });
            }
        }
    }
}
