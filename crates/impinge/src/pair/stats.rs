//! Statistics of queries.

use std::ops::AddAssign;

/// The work that a query took. Engines differ in it, though not in answers; what a query does not do stays 0.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
#[cfg_attr(feature = "serde", derive(serde::Deserialize, serde::Serialize))]
pub struct Stats {
    /// The number of pairs of bounding volumes that were compared.
    pub box_tests: u64,
    /// The number of pairs of BVH nodes that were visited.
    pub visits: u64,
    /// The number of pairs of faces that the narrow phase tested.
    pub face_tests: u64,
    /// The number of vertices that were placed in the frame of the other model, as often as they were.
    pub placed_vertices: u64,
    /// The number of pairs of triangles whose distance a sweep followed in time.
    pub feature_tests: u64,
    /// The number of vertices that were tested against faces with their rims, for contacts.
    pub vertex_tests: u64,
    /// The number of pairs of edges that were tested, for contacts.
    pub edge_tests: u64,
}

impl Stats {
    /// No work at all.
    pub(crate) const NONE: Stats = Stats {
        box_tests: 0,
        visits: 0,
        face_tests: 0,
        placed_vertices: 0,
        feature_tests: 0,
        vertex_tests: 0,
        edge_tests: 0,
    };
}

impl AddAssign for Stats {
    fn add_assign(&mut self, other: Stats) {
        self.box_tests += other.box_tests;
        self.visits += other.visits;
        self.face_tests += other.face_tests;
        self.placed_vertices += other.placed_vertices;
        self.feature_tests += other.feature_tests;
        self.vertex_tests += other.vertex_tests;
        self.edge_tests += other.edge_tests;
    }
}
