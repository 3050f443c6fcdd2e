//! The JSON documents. Fields may be added, never renamed; points are in the world.

use std::collections::BTreeMap;

use impinge::Verdict;
use impinge::bounds::Aabb;
use impinge::query::{Contained, Stats};
use serde::Serialize;

/// The version of all documents.
pub(crate) const SCHEMA: u32 = 1;

/// An answer of `check`.
#[derive(Debug, Serialize)]
pub(crate) struct Check<'a> {
    /// The row of the pose, counted from 0; only in JSON Lines.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) index: Option<usize>,
    pub(crate) schema: u32,
    pub(crate) verdict: &'static str,
    pub(crate) contained: Option<&'static str>,
    pub(crate) witness: Option<Witness>,
    /// Only where they were asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) pairs: Option<Vec<[u32; 2]>>,
    pub(crate) work: WorkDone,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) unit: Option<&'a str>,
    /// Only of the image engine.
    #[serde(flatten, skip_serializing_if = "Option::is_none")]
    pub(crate) image: Option<ImageFields>,
}

/// What the image engine adds to an answer of `check`.
#[derive(Debug, Serialize)]
pub(crate) struct ImageFields {
    /// Null where it has no bound.
    pub(crate) precision: f64,
    pub(crate) complete: bool,
    pub(crate) device: String,
    pub(crate) image_work: ImageWork,
}

/// How much was looked at.
#[derive(Debug, Serialize)]
pub(crate) struct ImageWork {
    pub(crate) looks: u32,
    pub(crate) tiles: u32,
    pub(crate) rejected: u32,
    pub(crate) layers: u32,
    pub(crate) passes: u32,
    pub(crate) bytes_read: u64,
}

#[cfg(feature = "image")]
impl From<impinge_image::Work> for ImageWork {
    fn from(work: impinge_image::Work) -> ImageWork {
        let impinge_image::Work { looks, tiles, rejected, layers, passes, bytes_read, .. } = work;
        ImageWork { looks, tiles, rejected, layers, passes, bytes_read }
    }
}

/// The word for a verdict, and which model is contained.
pub(crate) fn verdict(verdict: Verdict) -> (&'static str, Option<&'static str>) {
    match verdict {
        Verdict::Clear => ("clear", None),
        Verdict::Touching => ("touching", None),
        Verdict::Overlapping => ("overlapping", None),
        Verdict::Inside(Contained::A) => ("inside", Some("a")),
        Verdict::Inside(Contained::B) => ("inside", Some("b")),
    }
}

/// A place where two models meet. Node and primitive are those of glTF files.
#[derive(Debug, Serialize)]
pub(crate) struct Witness {
    pub(crate) face_a: Option<u32>,
    pub(crate) face_b: Option<u32>,
    pub(crate) point: [f64; 3],
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) node_a: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) primitive_a: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) node_b: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) primitive_b: Option<usize>,
}

/// An answer of `distance`. All but the limit are null where the models are farther apart than that; features are null inside of
/// solids.
#[derive(Debug, Serialize)]
pub(crate) struct Distance<'a> {
    /// The row of the pose, counted from 0; only in JSON Lines.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) index: Option<usize>,
    pub(crate) schema: u32,
    pub(crate) distance: Option<f64>,
    pub(crate) point_a: Option<[f64; 3]>,
    pub(crate) point_b: Option<[f64; 3]>,
    pub(crate) feature_a: Option<Feature>,
    pub(crate) feature_b: Option<Feature>,
    /// Only where it was given.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) at_most: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) unit: Option<&'a str>,
}

/// An answer of `sweep`.
#[derive(Debug, Serialize)]
pub(crate) struct Sweep<'a> {
    /// The row of the motion, counted from 0; only in JSON Lines.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) index: Option<usize>,
    pub(crate) schema: u32,
    pub(crate) verdict: &'static str,
    pub(crate) fraction: f64,
    pub(crate) phase: Option<&'static str>,
    /// Row by row.
    pub(crate) world_from_moving: [f64; 16],
    pub(crate) point: Option<[f64; 3]>,
    pub(crate) normal: Option<[f64; 3]>,
    pub(crate) feature_moving: Option<Feature>,
    pub(crate) feature_stationary: Option<Feature>,
    pub(crate) contacts: Vec<Contact>,
    pub(crate) bound: f64,
    pub(crate) lift: Option<[f64; 3]>,
    pub(crate) wedged: bool,
    pub(crate) work: SweepWork,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) unit: Option<&'a str>,
}

/// Where two models are close to each other: `point_b` less `point_a` is the distance times the normal.
#[derive(Debug, Serialize)]
pub(crate) struct Contact {
    pub(crate) point_a: [f64; 3],
    pub(crate) point_b: [f64; 3],
    pub(crate) normal: [f64; 3],
    pub(crate) distance: f64,
    pub(crate) feature_a: Option<Feature>,
    pub(crate) feature_b: Option<Feature>,
}

#[derive(Debug, Serialize)]
pub(crate) struct SweepWork {
    pub(crate) box_tests: u64,
    pub(crate) face_tests: u64,
    pub(crate) feature_tests: u64,
}

/// What a point lies on. Node and primitive are those of glTF files.
#[derive(Debug, Serialize)]
#[serde(tag = "kind", rename_all = "lowercase")]
pub(crate) enum Feature {
    Vertex {
        index: u32,
    },
    Edge {
        vertices: [u32; 2],
        face: u32,
        #[serde(skip_serializing_if = "Option::is_none")]
        node: Option<usize>,
        #[serde(skip_serializing_if = "Option::is_none")]
        primitive: Option<usize>,
    },
    Face {
        index: u32,
        #[serde(skip_serializing_if = "Option::is_none")]
        node: Option<usize>,
        #[serde(skip_serializing_if = "Option::is_none")]
        primitive: Option<usize>,
    },
}

/// How much work an answer took.
#[derive(Debug, Serialize)]
pub(crate) struct WorkDone {
    pub(crate) box_tests: u64,
    pub(crate) face_tests: u64,
}

impl From<Stats> for WorkDone {
    fn from(work: Stats) -> WorkDone {
        WorkDone { box_tests: work.box_tests, face_tests: work.face_tests }
    }
}

/// The answer of `overlap`.
#[derive(Debug, Serialize)]
pub(crate) struct Overlap<'a> {
    pub(crate) schema: u32,
    pub(crate) touches: bool,
    /// Sorted.
    pub(crate) faces: &'a [u32],
    pub(crate) work: WorkDone,
}

/// An answer of `ray`: with the nearest hit, or with all of them.
#[derive(Debug, Serialize)]
pub(crate) struct Ray<'a> {
    /// The row of the ray, counted from 0; only in JSON Lines.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) index: Option<usize>,
    pub(crate) schema: u32,
    pub(crate) hit: bool,
    /// Its fields are null where there is none.
    #[serde(flatten, skip_serializing_if = "Option::is_none")]
    pub(crate) nearest: Option<RayHit>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) hits: Option<Vec<RayHit>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) unit: Option<&'a str>,
}

/// Where a ray meets a face. Node and primitive are those of glTF files.
#[derive(Debug, Default, Serialize)]
pub(crate) struct RayHit {
    pub(crate) t: Option<f64>,
    pub(crate) face: Option<u32>,
    pub(crate) point: Option<[f64; 3]>,
    /// Null for a face without area, too.
    pub(crate) normal: Option<[f64; 3]>,
    /// Whether the ray comes from the side to which the normal points.
    pub(crate) front: Option<bool>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) node: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) primitive: Option<usize>,
}

/// The answer of `inspect`.
#[derive(Debug, Serialize)]
pub(crate) struct Inspection {
    pub(crate) schema: u32,
    pub(crate) files: Vec<FileReport>,
}

/// What is known about a file.
#[derive(Debug, Serialize)]
pub(crate) struct FileReport {
    pub(crate) file: String,
    pub(crate) format: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) unit: Option<String>,
    /// The tolerance of `--weld`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) welded: Option<f64>,
    pub(crate) vertices: usize,
    /// Vertices at different positions.
    pub(crate) positions: usize,
    /// The faces of the file.
    pub(crate) faces: usize,
    /// The faces of the mesh: more than those of the file where polygons had to be split.
    pub(crate) pieces: usize,
    pub(crate) triangles: usize,
    /// How many pieces have how many corners.
    pub(crate) corners: BTreeMap<usize, usize>,
    pub(crate) bounds: Bounds,
    pub(crate) size: [f64; 3],
    /// Whether all parts are closed.
    pub(crate) closed: bool,
    pub(crate) part_counts: PartCounts,
    pub(crate) parts: Vec<PartReport>,
    pub(crate) edges: EdgeCounts,
    /// Positions at which all edges are internal.
    pub(crate) internal_vertices: usize,
    pub(crate) memory: Memory,
    pub(crate) problems: Vec<ProblemReport>,
}

/// A box along the axes.
#[derive(Debug, Serialize)]
pub(crate) struct Bounds {
    pub(crate) min: [f64; 3],
    pub(crate) max: [f64; 3],
}

impl From<Aabb> for Bounds {
    fn from(bounds: Aabb) -> Bounds {
        Bounds { min: bounds.min.to_array(), max: bounds.max.to_array() }
    }
}

/// How many parts are of which kind.
#[derive(Debug, Default, Serialize)]
pub(crate) struct PartCounts {
    pub(crate) all: usize,
    pub(crate) closed: usize,
    pub(crate) open: usize,
    /// Closed parts whose faces look away from their volume.
    pub(crate) outward: usize,
    /// Closed parts whose faces look into their volume: cavities, or solids turned inside out.
    pub(crate) inward: usize,
}

/// A part: faces of one group that hang together by their edges.
#[derive(Debug, Serialize)]
pub(crate) struct PartReport {
    pub(crate) index: usize,
    /// The name of the group or node.
    pub(crate) name: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) node: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) primitive: Option<usize>,
    /// The least of its faces.
    pub(crate) first_face: u32,
    /// The number of its pieces.
    pub(crate) pieces: u32,
    pub(crate) closed: bool,
    /// `"outward"` or `"inward"`; null for open parts and where the volume is too near zero to tell.
    pub(crate) orientation: Option<&'static str>,
    pub(crate) bounds: Bounds,
}

/// How many edges are of which kind.
#[derive(Debug, Default, Serialize)]
pub(crate) struct EdgeCounts {
    pub(crate) all: usize,
    pub(crate) convex: usize,
    pub(crate) internal: usize,
    pub(crate) coplanar: usize,
    pub(crate) dangling: usize,
    pub(crate) irregular: usize,
    /// From 0 to 1.
    pub(crate) internal_share: f64,
}

/// Bytes that the mesh takes.
#[derive(Debug, Serialize)]
pub(crate) struct Memory {
    pub(crate) index_bytes: usize,
    pub(crate) vertex_bytes: usize,
    /// What three indices a triangle and three coordinates a vertex would take.
    pub(crate) table_bytes: isize,
    pub(crate) saved_bytes: isize,
}

/// One kind of problem: how often, and where.
#[derive(Debug, Serialize)]
pub(crate) struct ProblemReport {
    pub(crate) kind: &'static str,
    pub(crate) count: usize,
    /// What it is, for people.
    pub(crate) text: String,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(crate) faces: Vec<u32>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(crate) edges: Vec<[u32; 2]>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(crate) vertices: Vec<u32>,
}
