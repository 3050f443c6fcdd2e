//! The features of a few triangles, or of the fans of a few faces, made ready to be compared with those of others, many at once.
//!
//! `docs/math/contacts.md` says why the comparison leaves out nothing that is in contact.

mod lanes;

pub use lanes::{
    BATCH_FEATURES, BATCH_TRIANGLES, BatchEdge, BatchTriangle, BatchVertex, ContactLimits, EdgeBatch,
    TriangleBatch, VertexBatch,
};

use crate::math::DVec3;
use crate::simd::Lanes;

/// No source.
const NONE: u64 = u64::MAX;

/// A feature of a face: a corner, or the edge from a corner to the next.
#[derive(Clone, Copy, Debug, Default)]
pub struct AtCorner {
    /// The number of the face.
    pub face: u32,
    /// The number of the corner in the face.
    pub corner: u32,
}

/// The features that belong to a few triangles, in up to four groups. Of vertices and of edges, those that others can touch come first.
#[derive(Clone, Debug, Default)]
pub struct FeatureBatch {
    /// The number of what the triangles were taken from.
    source: u64,
    /// The point of the frame that positions are relative to, and how far they are from it at most.
    origin: DVec3,
    radius: f64,
    vertices: VertexBatch,
    vertex_names: [AtCorner; BATCH_FEATURES],
    vertex_groups: [u8; BATCH_FEATURES],
    vertex_count: usize,
    exposed_vertices: usize,
    edges: EdgeBatch,
    edge_names: [AtCorner; BATCH_FEATURES],
    edge_groups: [u8; BATCH_FEATURES],
    edge_count: usize,
    exposed_edges: usize,
    triangles: TriangleBatch,
    faces: [u32; BATCH_TRIANGLES],
    face_count: usize,
    /// The groups that have triangles, a bit each.
    groups: u32,
}

/// Two features that may be in contact.
#[derive(Clone, Copy, Debug)]
pub enum Candidate {
    /// A vertex of the batch of the given number, and a face of the other.
    VertexFace(usize, AtCorner, u32),
    /// A vertex of the batch of the given number, and an edge of the other.
    VertexEdge(usize, AtCorner, AtCorner),
    /// A vertex of either batch.
    Vertices([AtCorner; 2]),
    /// An edge of either batch.
    Edges([AtCorner; 2]),
}

/// The numbers of pairs of features that a comparison stands for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct BatchCounts {
    /// Pairs of triangles.
    pub faces: u64,
    /// Pairs of a vertex and a triangle.
    pub vertices: u64,
    /// Pairs of edges.
    pub edges: u64,
}

/// Batches that were made lately, by what they were made from.
#[derive(Debug)]
pub struct BatchCache {
    /// The batch in each slot, plus 1; 0 for none.
    slots: [u8; SLOTS],
    /// As many as were ever in use at a time: they are large.
    batches: Vec<FeatureBatch>,
    used: usize,
}

/// The number of batches that are kept.
const SLOTS: usize = 64;

impl Default for BatchCache {
    fn default() -> BatchCache {
        BatchCache { slots: [0; SLOTS], batches: Vec::new(), used: 0 }
    }
}

impl BatchCache {
    /// Forgets everything.
    pub fn clear(&mut self) {
        (self.slots, self.used) = ([0; SLOTS], 0);
    }

    /// The batch made from a chunk of a node's triangles, which `fill` makes where it is not there.
    #[inline(always)]
    pub fn get(&mut self, [node, chunk]: [u32; 2], fill: impl FnOnce(&mut FeatureBatch)) -> &FeatureBatch {
        let source = u64::from(chunk) << 32 | u64::from(node);
        // Nodes are numbered in the order of the tree: chunks of one are put far from its neighbors.
        let slot = &mut self.slots[(node as usize + 21 * chunk as usize) % SLOTS];
        if *slot == 0 {
            if self.batches.len() == self.used {
                self.batches.push(FeatureBatch::default());
            }
            self.batches[self.used].source = NONE;
            self.used += 1;
            *slot = self.used as u8;
        }
        let batch = &mut self.batches[usize::from(*slot) - 1];
        if batch.source != source {
            batch.source = source;
            fill(batch);
        }
        batch
    }
}

impl FeatureBatch {
    /// Empties the batch; positions are relative to `origin` from now on.
    pub fn clear(&mut self, origin: DVec3) {
        (self.origin, self.radius) = (origin, 0.0);
        self.vertices.clear();
        self.edges.clear();
        self.triangles.clear();
        (self.vertex_count, self.edge_count, self.face_count) = (0, 0, 0);
        (self.exposed_vertices, self.exposed_edges, self.groups) = (0, 0, 0);
    }

    /// Adds a triangle of a face to a group, with corners in the frame; there must be room. Its normal and the directions inward are of length 1, or zero where they are unknown.
    pub fn push_triangle(&mut self, face: u32, group: u8, mut triangle: BatchTriangle) {
        triangle.corners = triangle.corners.map(|corner| corner - self.origin);
        for corner in triangle.corners {
            self.radius = self.radius.max(corner.abs().max_element());
        }
        self.triangles.push(&triangle);
        self.faces[self.face_count] = face;
        self.face_count += 1;
        self.groups |= 1 << group;
    }

    /// Adds a vertex of one of the triangles, at its position in the frame. Those that others can touch come before the others.
    pub fn push_vertex(&mut self, name: AtCorner, group: u8, is_exposed: bool, mut vertex: BatchVertex) {
        vertex.point -= self.origin;
        self.vertices.push(&vertex);
        self.vertex_names[self.vertex_count] = name;
        self.vertex_groups[self.vertex_count] = group;
        self.vertex_count += 1;
        if is_exposed {
            self.exposed_vertices = self.vertex_count;
        }
    }

    /// Adds an edge of one of the triangles, from its start in the frame. Those that others can touch come before the others.
    pub fn push_edge(&mut self, name: AtCorner, group: u8, is_exposed: bool, mut edge: BatchEdge) {
        edge.start -= self.origin;
        self.edges.push(&edge);
        self.edge_names[self.edge_count] = name;
        self.edge_groups[self.edge_count] = group;
        self.edge_count += 1;
        if is_exposed {
            self.exposed_edges = self.edge_count;
        }
    }

    /// Those pairs of groups, bit `4 i + j` for group i of this and group j of the other, that have triangles in these two batches.
    #[inline(always)]
    pub fn group_pairs(&self, other: &FeatureBatch) -> u32 {
        let rows = self.groups & 1 | (self.groups & 2) << 3 | (self.groups & 4) << 6 | (self.groups & 8) << 9;
        (rows * 0b1111) & (other.groups * 0x1111)
    }
}

/// The numbers of the bits that are set.
#[inline(always)]
pub fn bits(mut set: u32) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        let bit = (set != 0).then(|| set.trailing_zeros() as usize)?;
        set &= set - 1;
        Some(bit)
    })
}

/// Lists the features of two batches that may be in contact within `reach`, where points may be off by `touch`. Bit `4 i + j` of `pairs` says whether group i of
/// the first is near group j of the second.
#[inline(always)]
pub fn compare<L: Lanes>(
    [a, b]: [&FeatureBatch; 2],
    pairs: u32,
    [reach, touch]: [f64; 2],
    candidates: &mut Vec<Candidate>,
) -> BatchCounts {
    let between = b.origin - a.origin;
    let size = 4.0 * (a.radius + b.radius) + 2.0 * between.abs().max_element();
    let limits = ContactLimits::new(reach, touch, size);
    // The groups of either that have any of the other near them.
    let rows = (pairs | pairs >> 1 | pairs >> 2 | pairs >> 3) & 0x1111;
    let rows = (rows | rows >> 3 | rows >> 6 | rows >> 9) & 0b1111;
    let columns = (pairs | pairs >> 4 | pairs >> 8 | pairs >> 12) & 0b1111;
    probe::<L>([a, b], 0, rows, -between, &limits, candidates);
    probe::<L>([b, a], 1, columns, between, &limits, candidates);
    let mut i = 0;
    while i < b.vertex_count {
        if columns >> b.vertex_groups[i] & 1 == 1 {
            let mut vertex = b.vertices.get(i);
            vertex.point += between;
            let mut near = a.vertices.near::<L>(&vertex, &limits);
            if i >= b.exposed_vertices {
                near &= !(u32::MAX << a.exposed_vertices);
            }
            candidates
                .extend(bits(near).map(|j| Candidate::Vertices([a.vertex_names[j], b.vertex_names[i]])));
        }
        i += 1;
    }
    let mut i = 0;
    while i < b.exposed_edges {
        if columns >> b.edge_groups[i] & 1 == 1 {
            let mut edge = b.edges.get(i);
            edge.start += between;
            let crossing = a.edges.crossing::<L>(a.exposed_edges, &edge, &limits);
            candidates.extend(bits(crossing).map(|j| Candidate::Edges([a.edge_names[j], b.edge_names[i]])));
        }
        i += 1;
    }
    BatchCounts {
        faces: (a.face_count * b.face_count) as u64,
        vertices: (a.face_count * b.vertex_count + b.face_count * a.vertex_count) as u64,
        edges: (a.edge_count * b.edge_count) as u64,
    }
}

/// The exposed vertices of the first, in some groups, against the triangles and edges of the second.
#[inline(always)]
fn probe<L: Lanes>(
    [own, other]: [&FeatureBatch; 2],
    number: usize,
    groups: u32,
    shift: DVec3,
    limits: &ContactLimits,
    candidates: &mut Vec<Candidate>,
) {
    let mut i = 0;
    while i < own.exposed_vertices {
        if groups >> own.vertex_groups[i] & 1 == 1 {
            let name = own.vertex_names[i];
            let point = own.vertices.point(i) + shift;
            let under = other.triangles.under::<L>(point, limits);
            candidates.extend(bits(under).map(|j| Candidate::VertexFace(number, name, other.faces[j])));
            let beside = other.edges.beside::<L>(point, limits);
            candidates.extend(bits(beside).map(|j| Candidate::VertexEdge(number, name, other.edge_names[j])));
        }
        i += 1;
    }
}
