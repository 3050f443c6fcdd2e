//! Levels of brushes, and their merge into one surface (van Waveren 2005, §4, §6: more than 30 % of the edges of a level are internal).
//!
//! A brush is a convex solid. Brushes that touch or overlap have faces where no body can come, and edges that no other edge can reach; but
//! as separate solids all their edges are convex. The merge keeps what lies on the surface of their union, and joins it.
//!
//! ```
//! use impinge::math::DVec3;
//! use impinge_papers::van_waveren::brushes::{Brush, merge};
//!
//! // Two cubes side by side are one box.
//! let cubes = [Brush::cuboid(DVec3::ZERO, DVec3::ONE), Brush::cuboid(DVec3::X, DVec3::X + DVec3::ONE)];
//! let box_of_both = merge(&cubes)?;
//! assert_eq!((box_of_both.polygon_count(), box_of_both.edge_count()), (6, 12));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod clip;
mod generate;
mod stitch;

pub use generate::generated;

use std::fmt;

use impinge::Mesh;
use impinge::bounds::Aabb;
use impinge::math::DVec3;

use super::axial_bsp::{AxialBsp, BspStack};
use super::polyhedron::{Loop, Polyhedron, PolyhedronError, is_convex_polygon};
use clip::{Fragment, Plane};

/// Points within this share of the level's extent of a plane lie in it: levels are written with few digits.
pub const TOLERANCE: f64 = 1e-6;

/// A convex solid.
#[derive(Clone, Debug)]
pub struct Brush {
    /// The corners of each face, counterclockwise seen from outside.
    faces: Vec<Vec<DVec3>>,
    planes: Vec<Plane>,
    bounds: Aabb,
}

/// A brush that is none.
#[derive(Clone, Debug, PartialEq)]
pub enum BrushError {
    /// A brush without faces that have an area.
    Empty {
        /// The name of the brush.
        brush: String,
    },
    /// A brush with a corner in front of one of its faces.
    NotConvex {
        /// The name of the brush.
        brush: String,
    },
    /// A surface that is no polyhedron.
    Surface(PolyhedronError),
}

impl fmt::Display for BrushError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            BrushError::Empty { brush } => write!(f, "{brush}: it has no face with an area"),
            BrushError::NotConvex { brush } => write!(f, "{brush}: a corner lies in front of a face"),
            BrushError::Surface(error) => write!(f, "{error}"),
        }
    }
}

impl std::error::Error for BrushError {}

impl Brush {
    /// A brush of faces, given by their corners. `slack` is how far a corner may lie in front of a face.
    pub fn new(name: &str, faces: Vec<Vec<DVec3>>, slack: f64) -> Result<Brush, BrushError> {
        let (mut kept, mut planes) = (Vec::new(), Vec::new());
        for face in faces {
            if let Some(plane) = Plane::of(&face) {
                planes.push(plane);
                kept.push(face);
            }
        }
        if kept.is_empty() {
            return Err(BrushError::Empty { brush: name.to_owned() });
        }
        let is_behind = |plane: &Plane| kept.iter().flatten().all(|&p| plane.height(p) <= slack);
        if !planes.iter().all(is_behind) {
            return Err(BrushError::NotConvex { brush: name.to_owned() });
        }
        let bounds = Aabb::around(kept.iter().flatten().copied());
        Ok(Brush { faces: kept, planes, bounds })
    }

    /// An axial box.
    pub fn cuboid(min: DVec3, max: DVec3) -> Brush {
        let corner = |k: usize| {
            DVec3::from_array(std::array::from_fn(
                |axis| if k >> axis & 1 == 1 { max[axis] } else { min[axis] },
            ))
        };
        let quads = [[0, 2, 3, 1], [4, 5, 7, 6], [0, 1, 5, 4], [2, 6, 7, 3], [0, 4, 6, 2], [1, 3, 7, 5]];
        let faces: Vec<Vec<DVec3>> = quads.iter().map(|quad| quad.map(corner).to_vec()).collect();
        let planes = faces.iter().filter_map(|face| Plane::of(face)).collect();
        Brush { faces, planes, bounds: Aabb { min, max } }
    }

    /// The brushes of a mesh, one for each of its groups; the whole mesh where it has none.
    pub fn of_groups(mesh: &Mesh) -> Result<Vec<Brush>, BrushError> {
        let groups = mesh.groups();
        let count = mesh.face_count() as u32;
        let whole = [(String::from("the mesh"), 0)];
        let starts: Vec<(String, u32)> = if groups.is_empty() {
            whole.to_vec()
        } else {
            groups.iter().map(|group| (group.name.clone(), group.first_face)).collect()
        };
        let slack = 10.0 * TOLERANCE * mesh.bounds().size().length();
        let mut brushes = Vec::with_capacity(starts.len());
        for (k, (name, first)) in starts.iter().enumerate() {
            let end = starts.get(k + 1).map_or(count, |next| next.1);
            let face = |face: u32| mesh.corners(face).map(|v| mesh.vertex(v)).collect::<Vec<DVec3>>();
            brushes.push(Brush::new(name, (*first..end).map(face).collect(), slack)?);
        }
        Ok(brushes)
    }

    /// Whether a point lies in the brush or on its surface.
    pub fn contains(&self, point: DVec3) -> bool {
        self.planes.iter().all(|plane| plane.height(point) <= 0.0)
    }

    /// The distance of a point from the nearest of the planes of the faces.
    pub fn distance_to_planes(&self, point: DVec3) -> f64 {
        self.planes.iter().map(|plane| plane.height(point).abs()).fold(f64::INFINITY, f64::min)
    }

    /// The bounds of the brush.
    pub fn bounds(&self) -> Aabb {
        self.bounds
    }
}

/// Brushes as one mesh of separate solids.
pub fn mesh_of(brushes: &[Brush]) -> Result<Mesh, impinge::mesh::MeshError> {
    let (mut points, mut polygons) = (Vec::new(), Vec::new());
    for face in brushes.iter().flat_map(|brush| &brush.faces) {
        let first = points.len() as u32;
        points.extend_from_slice(face);
        polygons.push((first..points.len() as u32).collect::<Loop>());
    }
    Mesh::polygons(points, polygons)
}

/// Brushes as separate solids: vertices and edges are shared within a brush only.
pub fn separate(brushes: &[Brush]) -> Result<Polyhedron, BrushError> {
    let (mut vertices, mut loops) = (Vec::new(), Vec::new());
    for brush in brushes {
        let first = vertices.len() as u32;
        for face in &brush.faces {
            let corners = face.iter().map(|&point| {
                let known = vertices[first as usize..].iter().position(|&p: &DVec3| p == point);
                first
                    + known.unwrap_or_else(|| {
                        vertices.push(point);
                        vertices.len() - 1 - first as usize
                    }) as u32
            });
            loops.push(corners.collect::<Loop>());
        }
    }
    Polyhedron::of_separate(&vertices, &loops, TOLERANCE).map_err(BrushError::Surface)
}

/// The surface of the union of brushes: parts of faces in or against other brushes are left out, edges end where others end, and
/// neighbors in one plane are joined.
pub fn merge(brushes: &[Brush]) -> Result<Polyhedron, BrushError> {
    let bounds = brushes.iter().fold(Aabb::EMPTY, |all, brush| all.merge(brush.bounds));
    if bounds.is_empty() {
        return Polyhedron::from_loops(&[], &[], TOLERANCE).map_err(BrushError::Surface);
    }
    let tolerance = TOLERANCE * bounds.size().length();
    let boxes: Vec<Aabb> = brushes
        .iter()
        .map(|brush| Aabb { min: brush.bounds.min - tolerance, max: brush.bounds.max + tolerance })
        .collect();
    let tree = AxialBsp::build(&boxes);
    let mut stack = BspStack::default();
    let mut fragments = Vec::new();
    let mut near = Vec::new();
    for (index, brush) in brushes.iter().enumerate() {
        near.clear();
        tree.for_each_meeting(&boxes[index], &mut stack, |other| near.push(other as usize));
        near.sort_unstable();
        for (face, plane) in brush.faces.iter().zip(&brush.planes) {
            let mut parts = vec![Fragment { corners: face.clone() }];
            for &other in near.iter().filter(|&&other| other != index) {
                let keeps_common = index < other;
                let solid = &brushes[other].planes;
                parts = parts
                    .into_iter()
                    .flat_map(|part| part.outside(plane, solid, keeps_common, tolerance))
                    .collect();
            }
            fragments.extend(parts);
        }
    }
    let (vertices, loops) = stitch::stitch(&fragments, tolerance);
    // Where welding bent a polygon by more than that, its triangles are as good.
    let flat = |corners: &Loop| is_convex_polygon(&vertices, corners, 4.0 * tolerance);
    let loops: Vec<Loop> = loops
        .into_iter()
        .flat_map(|corners| if flat(&corners) { vec![corners] } else { stitch::fan(&corners) })
        .collect();
    Polyhedron::from_loops(&vertices, &loops, 5.0 * TOLERANCE).map_err(BrushError::Surface)
}
