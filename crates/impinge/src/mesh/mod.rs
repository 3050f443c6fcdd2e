//! Meshes: vertices and faces in any of the forms that files and renderers use (Maia et al. 2006, §4), checked when they are
//! made and otherwise left as they are.
//!
//! A face is a polygon of one or more corners. A face of three or more corners *is* the fan of triangles from its
//! first corner; two corners are a segment, one is a point. Strips, fans and terrains are kept in place: the
//! corners of a face are computed when they are asked for. Queries read triangles in whatever form through one table, which the first of
//! them makes.

mod build;
mod cracks;
mod faces;
mod material;
mod polygon;
mod problem;
#[cfg(feature = "shapes")]
mod shapes;
#[cfg(feature = "serde")]
mod serial;
mod table;
pub(crate) mod weld;

pub use build::Terrain;
pub use cracks::ClosedCracks;
pub use faces::{Faces, Grid, Run};
pub use material::{MaterialError, MaterialSet};
pub use polygon::PolygonShape;
pub use problem::{MeshError, Problem};
pub use weld::WeldError;

use impinge_core::bounds::Aabb;
use impinge_core::math::DVec3;
use table::TriangleTable;

/// A named run of faces, such as an OBJ group: it starts at `first_face` and ends where the next group starts.
///
/// Faces of different groups never belong to the same [part](crate::model), even where they share vertices.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Deserialize, serde::Serialize))]
pub struct Group {
    /// The name in the user's file; may be empty.
    pub name: String,
    /// The first face of the group, as an index into the mesh's faces.
    pub first_face: u32,
}

/// A mesh of triangles or polygons, as the user gave it. Every coordinate is finite and every index in range; nothing else is asked for:
/// cracks, duplicates, zero-area faces and non-manifold edges are legal.
#[doc(alias = "trimesh")]
#[doc(alias = "triangle mesh")]
#[derive(Clone, Debug, PartialEq)]
pub struct Mesh {
    vertices: Vertices,
    faces: Faces,
    /// The triangles of faces that are not listed as such.
    table: TriangleTable,
    /// The user's index of each face, where it is not simply the face's own number.
    labels: Option<Vec<u32>>,
    /// The material of each face, where the user gave any.
    materials: Option<Vec<u32>>,
    groups: Vec<Group>,
}

#[derive(Clone, Debug, PartialEq)]
enum Vertices {
    Listed(Vec<DVec3>),
    /// Heights over a regular grid; x and y are computed.
    Heights {
        origin: DVec3,
        spacing: [f64; 2],
        columns: u32,
        heights: Vec<f64>,
    },
}

impl Mesh {
    /// The number of vertices.
    #[inline]
    pub fn vertex_count(&self) -> usize {
        match &self.vertices {
            Vertices::Listed(points) => points.len(),
            Vertices::Heights { heights, .. } => heights.len(),
        }
    }

    /// The position of a vertex.
    ///
    /// # Panics
    /// When `vertex` is not below [`vertex_count`](Self::vertex_count).
    #[inline]
    pub fn vertex(&self, vertex: u32) -> DVec3 {
        match &self.vertices {
            Vertices::Listed(points) => points[vertex as usize],
            Vertices::Heights { origin, spacing, columns, heights } => {
                let (row, column) = (vertex / columns, vertex % columns);
                DVec3::new(
                    origin.x + spacing[0] * f64::from(column),
                    origin.y + spacing[1] * f64::from(row),
                    origin.z + heights[vertex as usize],
                )
            }
        }
    }

    /// All vertices in order.
    pub fn vertices(&self) -> impl ExactSizeIterator<Item = DVec3> + '_ {
        (0..self.vertex_count() as u32).map(|vertex| self.vertex(vertex))
    }

    /// All vertices, where they are listed.
    #[inline]
    pub(crate) fn points(&self) -> Option<&[DVec3]> {
        match &self.vertices {
            Vertices::Listed(points) => Some(points),
            Vertices::Heights { .. } => None,
        }
    }

    /// All vertices, to be moved: only to finite positions. A terrain's heights become a list of positions.
    pub(crate) fn points_mut(&mut self) -> &mut [DVec3] {
        if let Vertices::Heights { .. } = self.vertices {
            self.vertices = Vertices::Listed(self.vertices().collect());
        }
        match &mut self.vertices {
            Vertices::Listed(points) => points,
            Vertices::Heights { .. } => &mut [],
        }
    }

    /// The faces, as they are stored.
    #[inline]
    pub fn faces(&self) -> &Faces {
        &self.faces
    }

    /// Vertices and triangles as tables, where vertices are listed and every face is a triangle: kept so, or made when this is first asked.
    #[inline]
    pub fn triangle_table(&self) -> Option<(&[DVec3], &[[u32; 3]])> {
        match (&self.vertices, &self.faces) {
            (Vertices::Listed(points), Faces::Triangles(triangles)) => Some((points, triangles)),
            (Vertices::Listed(points), faces) => Some((points, self.table.of(faces)?)),
            (Vertices::Heights { .. }, _) => None,
        }
    }

    /// Vertices, corners of polygons and where each polygon starts among them, where they are kept so.
    pub(crate) fn polygon_table(&self) -> Option<(&[DVec3], &[u32], &[u32])> {
        match (&self.vertices, &self.faces) {
            (Vertices::Listed(points), Faces::Polygons { corners, starts }) => {
                Some((points, corners, starts))
            }
            _ => None,
        }
    }

    /// The parts of a terrain: the origin of its grid, the distances of its columns and rows, its heights and its cells.
    pub(crate) fn terrain_parts(&self) -> Option<(DVec3, [f64; 2], &[f64], &Grid)> {
        match (&self.vertices, &self.faces) {
            (Vertices::Heights { origin, spacing, heights, .. }, Faces::Grid(grid)) => {
                Some((*origin, *spacing, heights, grid))
            }
            _ => None,
        }
    }

    /// The number of faces, counting the faces of a terrain's holes, which have no corners.
    #[inline]
    pub fn face_count(&self) -> usize {
        self.faces.count()
    }

    /// The number of corners of a face; 0 for a face in a terrain's hole.
    #[inline]
    pub fn corner_count(&self, face: u32) -> usize {
        self.faces.corner_count(face)
    }

    /// The vertex at a corner of a face.
    #[inline]
    pub fn corner(&self, face: u32, corner: usize) -> u32 {
        self.faces.corner(face, corner)
    }

    /// The vertices of a face, in order.
    pub fn corners(&self, face: u32) -> impl ExactSizeIterator<Item = u32> + '_ {
        (0..self.corner_count(face)).map(move |corner| self.corner(face, corner))
    }

    /// The number of triangles in the fan of a face: 0 for a hole, 1 for a point or a segment, which count as
    /// triangles without area.
    #[inline]
    pub fn fan_count(&self, face: u32) -> usize {
        match self.corner_count(face) {
            0 => 0,
            1..=3 => 1,
            corners => corners - 2,
        }
    }

    /// Triangle `k` of the fan of a face, as vertices.
    #[inline]
    pub fn fan_triangle(&self, face: u32, k: usize) -> [u32; 3] {
        let last = self.corner_count(face) - 1;
        [self.corner(face, 0), self.corner(face, (k + 1).min(last)), self.corner(face, (k + 2).min(last))]
    }

    /// The fan of a face: triangles from its first corner.
    pub fn fan(&self, face: u32) -> impl ExactSizeIterator<Item = [u32; 3]> + '_ {
        (0..self.fan_count(face)).map(move |k| self.fan_triangle(face, k))
    }

    /// The corners of triangle `k` of the fan of a face: as in [`fan_triangle`](Self::fan_triangle), by their numbers in the face.
    #[inline(always)]
    pub(crate) fn piece_corners(&self, face: u32, piece: u32) -> [u32; 3] {
        let last = self.corner_count(face) as u32 - 1;
        [0, (piece + 1).min(last), (piece + 2).min(last)]
    }

    /// A number for the first triangle of a face's fan, which those of the others follow: none has that of another. Given the number of
    /// faces, what they are all below.
    #[inline(always)]
    pub(crate) fn first_piece(&self, face: u32) -> u32 {
        match &self.faces {
            Faces::Polygons { starts, .. } => starts[face as usize],
            _ => face,
        }
    }

    /// The total number of fan triangles.
    pub fn triangle_count(&self) -> usize {
        self.faces.triangle_count()
    }

    /// The user's index of a face. It differs from the face's own number where a reader split a polygon: the pieces
    /// share the polygon's index.
    #[inline]
    pub fn label(&self, face: u32) -> u32 {
        self.labels.as_ref().map_or(face, |labels| labels[face as usize])
    }

    /// The faces that have one of some labels, each after its label, sorted.
    pub(crate) fn faces_by_label(&self, wanted: impl IntoIterator<Item = u32>) -> Vec<(u32, u32)> {
        let mut wanted: Vec<u32> = wanted.into_iter().collect();
        wanted.sort_unstable();
        wanted.dedup();
        let Some(labels) = &self.labels else {
            wanted.retain(|label| (*label as usize) < self.face_count());
            return wanted.into_iter().map(|face| (face, face)).collect();
        };
        let labeled = labels.iter().copied().zip(0..);
        let mut found: Vec<(u32, u32)> =
            labeled.filter(|(label, _)| wanted.binary_search(label).is_ok()).collect();
        found.sort_unstable();
        found
    }

    /// The named groups, in the order of their faces; empty when the user named none.
    #[inline]
    pub fn groups(&self) -> &[Group] {
        &self.groups
    }

    /// The least box around all vertices that faces use.
    pub fn bounds(&self) -> Aabb {
        if let (Vertices::Listed(points), Faces::Triangles(triangles)) = (&self.vertices, &self.faces) {
            let corners = triangles.as_flattened();
            // Vertices come once, corners several times; but a mesh may use few of many vertices.
            if points.len() <= corners.len() {
                return self.bounds_of(&self.used_vertices());
            }
            return around(corners.iter().map(|&vertex| points[vertex as usize]));
        }
        if let Some((origin, _, heights, grid)) = self.terrain_parts()
            && !grid.has_holes()
        {
            // Rounding keeps the order, so the ends of the grid and of its heights are the ends of the box.
            let least = heights.iter().fold(f64::INFINITY, |least, &height| height.min(least));
            let most = heights.iter().fold(f64::NEG_INFINITY, |most, &height| height.max(most));
            let (first, last) = (self.vertex(0), self.vertex(heights.len() as u32 - 1));
            return Aabb { min: first.with_z(origin.z + least), max: last.with_z(origin.z + most) };
        }
        (0..self.face_count() as u32)
            .flat_map(|face| self.corners(face))
            .fold(Aabb::EMPTY, |bounds, vertex| bounds.with_point(self.vertex(vertex)))
    }

    /// Whether a face uses each vertex.
    pub(crate) fn used_vertices(&self) -> Vec<bool> {
        let mut used = vec![false; self.vertex_count()];
        if let Faces::Triangles(triangles) = &self.faces {
            for &vertex in triangles.as_flattened() {
                used[vertex as usize] = true;
            }
        } else {
            for face in 0..self.face_count() as u32 {
                self.corners(face).for_each(|vertex| used[vertex as usize] = true);
            }
        }
        used
    }

    /// The least box around the vertices that are used.
    pub(crate) fn bounds_of(&self, used: &[bool]) -> Aabb {
        if used.iter().all(|used| *used) {
            return around(self.vertices());
        }
        around(self.vertices().zip(used).filter(|(_, used)| **used).map(|(point, _)| point))
    }

    /// The bytes of the faces as they are kept: indices, polygon starts, runs, holes, labels, materials.
    pub fn index_bytes(&self) -> usize {
        let numbers =
            |of_faces: &Option<Vec<u32>>| of_faces.as_ref().map_or(0, |list| size_of_val(list.as_slice()));
        self.faces.bytes() + numbers(&self.labels) + numbers(&self.materials)
    }

    /// The bytes of the vertex positions.
    pub fn vertex_bytes(&self) -> usize {
        match &self.vertices {
            Vertices::Listed(points) => size_of_val(points.as_slice()),
            Vertices::Heights { heights, .. } => size_of_val(heights.as_slice()),
        }
    }

    /// The bytes that this mesh saves over a table of three `u32` indices per triangle and three `f64` per vertex; negative where
    /// such a table would have been smaller.
    pub fn bytes_saved(&self) -> isize {
        let table = self.triangle_count() * size_of::<[u32; 3]>() + self.vertex_count() * size_of::<DVec3>();
        table as isize - (self.index_bytes() + self.vertex_bytes()) as isize
    }
}

/// The least box around finite points.
fn around(points: impl Iterator<Item = DVec3>) -> Aabb {
    let (mut low, mut high) = ([f64::INFINITY; 3], [f64::NEG_INFINITY; 3]);
    for point in points {
        // Plain comparisons are one instruction each; least and greatest as floats have them would ask for NaN.
        let point = point.to_array();
        for k in 0..3 {
            low[k] = if point[k] < low[k] { point[k] } else { low[k] };
            high[k] = if point[k] > high[k] { point[k] } else { high[k] };
        }
    }
    Aabb { min: DVec3::from_array(low), max: DVec3::from_array(high) }
}
