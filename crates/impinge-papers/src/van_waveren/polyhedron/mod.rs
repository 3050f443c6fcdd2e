//! Polyhedra of convex polygons (van Waveren 2005, §2, §4): shared vertices and edges, planes, folds, and the tree over the polygons.
//!
//! ```
//! use impinge::Mesh;
//! use impinge::shapes::cuboid;
//! use impinge_papers::van_waveren::polyhedron::Polyhedron;
//!
//! // Twelve triangles are six quads.
//! let cube = Polyhedron::of(&Mesh::from(cuboid([0.0; 3], [1.0; 3])?))?;
//! assert_eq!((cube.polygon_count(), cube.edge_count(), cube.vertex_count()), (6, 12, 8));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod edge;
mod join;
mod build;

pub use edge::{Fold, MITER_LIMIT};
pub use join::Loop;

use std::collections::HashMap;
use std::fmt;

use impinge::Mesh;
use impinge::bounds::Aabb;
use impinge::math::DVec3;
use impinge_core::predicates::PlueckerLine;

use super::axial_bsp::AxialBsp;
use build::Builder;
use join::{Flatness, area_vector};

/// Corners within this share of a polyhedron's extent of a plane lie in it. Far above what rounding makes of coordinates, far below what anybody models.
const FLATNESS: f64 = 1e-12;

/// Edges within this angle of a half turn are flat, in radians; more where corners may be farther from their planes.
const FLAT_ANGLE: f64 = 1e-9;

/// A convex polygon.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Polygon {
    /// The unit normal, outward.
    pub normal: DVec3,
    /// The plane: points with `normal · x + offset = 0`.
    pub offset: f64,
    /// The bounds of the corners.
    pub bounds: Aabb,
    first: u32,
    count: u32,
}

/// An edge, shared by all polygons along it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Edge {
    /// The vertices at its ends.
    pub ends: [u32; 2],
    /// How the polygons along it fold.
    pub fold: Fold,
    /// From the edge to the offset line, for an expel zone of thickness 1.
    pub push: DVec3,
    /// The line from the first end to the second.
    pub line: PlueckerLine,
    first: u32,
    count: u32,
}

/// A polyhedron, or any set of convex polygons, edges and points.
#[derive(Clone, Debug)]
pub struct Polyhedron {
    center: DVec3,
    vertices: Vec<DVec3>,
    polygons: Vec<Polygon>,
    /// The corners of all polygons; beside each the edge to the next corner, doubled, and odd where that runs backward.
    corners: Vec<u32>,
    sides: Vec<u32>,
    edges: Vec<Edge>,
    /// The polygons along each edge, and at each vertex.
    edge_polygons: Vec<u32>,
    vertex_polygons: Vec<u32>,
    vertex_starts: Vec<u32>,
    /// Whether a vertex can be the first to touch a polygon of another body.
    exposed: Vec<bool>,
    tree: AxialBsp,
    bounds: Aabb,
}

/// Input that is no polyhedron.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PolyhedronError {
    /// A corner that names no vertex.
    CornerOutOfRange {
        /// The polygon.
        polygon: usize,
        /// The corner's vertex.
        vertex: u32,
    },
    /// A polygon that is not planar and convex.
    NotConvex {
        /// The polygon.
        polygon: usize,
    },
    /// More vertices, edges or corners than indices can name.
    TooLarge,
}

impl fmt::Display for PolyhedronError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            PolyhedronError::CornerOutOfRange { polygon, vertex } => {
                write!(f, "polygon {polygon}: there is no vertex {vertex}")
            }
            PolyhedronError::NotConvex { polygon } => {
                write!(f, "polygon {polygon}: it is not planar and convex")
            }
            PolyhedronError::TooLarge => write!(f, "more corners than 32 bits can name"),
        }
    }
}

impl std::error::Error for PolyhedronError {}

impl Polyhedron {
    /// The polyhedron of a mesh: vertices at one position are one, and neighbors in one plane are joined where their union is convex.
    /// Faces that are not planar and convex are taken as their fans of triangles.
    pub fn of(mesh: &Mesh) -> Result<Polyhedron, PolyhedronError> {
        let vertices: Vec<DVec3> = mesh.vertices().collect();
        let flatness = Flatness(FLATNESS * extent(&vertices));
        let mut loops: Vec<Loop> = Vec::new();
        for face in 0..mesh.face_count() as u32 {
            let corners: Loop = mesh.corners(face).collect();
            let normal = area_vector(&vertices, &corners).normalize_or_zero();
            if corners.len() < 4 || flatness.is_flat_and_convex(&vertices, &corners, normal) {
                loops.push(corners);
            } else {
                loops.extend(mesh.fan(face).map(Vec::from));
            }
        }
        Polyhedron::from_loops(&vertices, &loops, FLATNESS)
    }

    /// The polyhedron of convex polygons. `flatness` is how far corners may be from a plane or line and still lie in it, as a share of
    /// the extent. Polygons without area leave their edges or their point.
    pub fn from_loops(
        vertices: &[DVec3],
        loops: &[Loop],
        flatness: f64,
    ) -> Result<Polyhedron, PolyhedronError> {
        Polyhedron::build(vertices, loops, flatness, &weld(vertices))
    }

    /// The polyhedron of convex polygons that share those vertices only that they name alike.
    pub fn of_separate(
        vertices: &[DVec3],
        loops: &[Loop],
        flatness: f64,
    ) -> Result<Polyhedron, PolyhedronError> {
        let own: Vec<u32> = (0..vertices.len() as u32).collect();
        Polyhedron::build(vertices, loops, flatness, &own)
    }

    fn build(
        vertices: &[DVec3],
        loops: &[Loop],
        share: f64,
        welded: &[u32],
    ) -> Result<Polyhedron, PolyhedronError> {
        for (polygon, corners) in loops.iter().enumerate() {
            if let Some(&vertex) = corners.iter().find(|&&corner| corner as usize >= vertices.len()) {
                return Err(PolyhedronError::CornerOutOfRange { polygon, vertex });
            }
        }
        let total: usize = loops.iter().map(Vec::len).sum();
        if total.max(vertices.len()) > (u32::MAX / 4) as usize {
            return Err(PolyhedronError::TooLarge);
        }
        let flatness = Flatness(share * extent(vertices));
        let (mut with_area, mut without) = (Vec::new(), Vec::new());
        for (polygon, corners) in loops.iter().enumerate() {
            let mut corners: Loop = corners.iter().map(|&corner| welded[corner as usize]).collect();
            corners.dedup();
            while corners.len() > 1 && corners.first() == corners.last() {
                corners.pop();
            }
            let normal = match corners.len() {
                0 => continue,
                1 | 2 => DVec3::ZERO,
                _ => area_vector(vertices, &corners).normalize_or_zero(),
            };
            let has_area = normal != DVec3::ZERO;
            // A triangle is what it is, however thin.
            if has_area && corners.len() > 3 && !flatness.is_flat_and_convex(vertices, &corners, normal) {
                return Err(PolyhedronError::NotConvex { polygon });
            }
            if has_area { &mut with_area } else { &mut without }.push(corners);
        }
        let mut loops = join::join(vertices, with_area, flatness);
        join::dissolve(vertices, &mut loops, flatness);
        Ok(Builder::new(vertices, &loops, &without).finish(FLAT_ANGLE.max(1e3 * share)))
    }

    /// The point that all coordinates here are relative to: far from the origin they are as exact as near it.
    pub fn center(&self) -> DVec3 {
        self.center
    }

    /// The vertices, relative to the center.
    pub fn vertices(&self) -> &[DVec3] {
        &self.vertices
    }

    /// The number of vertices.
    pub fn vertex_count(&self) -> usize {
        self.vertices.len()
    }

    /// The polygons.
    pub fn polygons(&self) -> &[Polygon] {
        &self.polygons
    }

    /// The number of polygons.
    pub fn polygon_count(&self) -> usize {
        self.polygons.len()
    }

    /// The edges.
    pub fn edges(&self) -> &[Edge] {
        &self.edges
    }

    /// The number of edges.
    pub fn edge_count(&self) -> usize {
        self.edges.len()
    }

    /// The corners of a polygon, counterclockwise seen from its front.
    pub fn corners(&self, polygon: u32) -> &[u32] {
        let Polygon { first, count, .. } = self.polygons[polygon as usize];
        &self.corners[first as usize..(first + count) as usize]
    }

    /// The edges of a polygon, from each corner to the next, and whether the polygon runs along it from its first end to its second.
    pub fn sides(&self, polygon: u32) -> impl ExactSizeIterator<Item = (u32, bool)> + '_ {
        let Polygon { first, count, .. } = self.polygons[polygon as usize];
        self.sides[first as usize..(first + count) as usize].iter().map(|side| (side >> 1, side & 1 == 0))
    }

    /// The polygons along an edge.
    pub fn polygons_along(&self, edge: u32) -> &[u32] {
        let Edge { first, count, .. } = self.edges[edge as usize];
        &self.edge_polygons[first as usize..(first + count) as usize]
    }

    /// The polygons at a vertex.
    pub fn polygons_at(&self, vertex: u32) -> &[u32] {
        let [first, end] = [0, 1].map(|k| self.vertex_starts[vertex as usize + k] as usize);
        &self.vertex_polygons[first..end]
    }

    /// Whether a vertex can be the first to touch a polygon: unless all its edges are internal or flat.
    pub fn is_exposed_vertex(&self, vertex: u32) -> bool {
        self.exposed[vertex as usize]
    }

    /// The axial BSP tree over the bounds of the polygons.
    pub fn tree(&self) -> &AxialBsp {
        &self.tree
    }

    /// The bounds, relative to the center.
    pub fn bounds(&self) -> Aabb {
        self.bounds
    }

    /// The share of edges that fold in a given way.
    pub fn share(&self, fold: Fold) -> f64 {
        let count = self.edges.iter().filter(|edge| edge.fold == fold).count();
        count as f64 / self.edges.len().max(1) as f64
    }
}

/// Whether a polygon is planar and convex, up to a distance.
pub(super) fn is_convex_polygon(vertices: &[DVec3], corners: &[u32], distance: f64) -> bool {
    let normal = area_vector(vertices, corners).normalize_or_zero();
    normal != DVec3::ZERO && Flatness(distance).is_flat_and_convex(vertices, corners, normal)
}

fn extent(vertices: &[DVec3]) -> f64 {
    let bounds = Aabb::around(vertices.iter().copied());
    if bounds.is_empty() { 0.0 } else { (bounds.max - bounds.min).length() }
}

/// For each vertex the first at its position.
fn weld(vertices: &[DVec3]) -> Vec<u32> {
    let mut known: HashMap<[u64; 3], u32> = HashMap::new();
    // Adding 0 makes -0 into 0.
    let key = |p: &DVec3| p.to_array().map(|c| (c + 0.0).to_bits());
    (0..).zip(vertices).map(|(k, p)| *known.entry(key(p)).or_insert(k)).collect()
}
