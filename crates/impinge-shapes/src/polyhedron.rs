//! What generators make: plain vertices and faces.

use crate::ShapeError;
use glam::DVec3;

/// A named run of faces: it starts at `first_face` and ends where the next group starts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Group {
    /// The name of the group.
    pub name: String,
    /// The first face of the group.
    pub first_face: u32,
}

/// The faces of a polyhedron, as indices into its vertices.
#[derive(Clone, Debug, PartialEq)]
pub enum Faces {
    /// Three vertices a face.
    Triangles(Vec<[u32; 3]>),
    /// Three consecutive vertices a face, without indices.
    Soup,
    /// Any number of corners a face, each face a convex polygon.
    Polygons(Vec<Vec<u32>>),
    /// Two triangles in each cell of a height grid, whose vertices are listed row by row.
    Grid {
        /// Vertices in a row.
        columns: u32,
        /// The distance between columns (along x) and between rows (along y).
        spacing: [f64; 2],
    },
}

/// A polyhedron: vertices, faces and named groups of faces. Every coordinate is finite and every index in range.
///
/// ```
/// let cube = impinge_shapes::cuboid_of_quads([0.0; 3], [1.0; 3])?;
/// assert_eq!((cube.vertices().len(), cube.face_count(), cube.triangle_count()), (8, 6, 12));
/// let highest = cube.vertices().iter().map(|vertex| vertex.z).fold(0.0, f64::max);
/// assert_eq!(highest, 1.0);
/// # Ok::<(), impinge_shapes::ShapeError>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Polyhedron {
    // Private, so that whoever takes a polyhedron can rely on its indices.
    vertices: Vec<DVec3>,
    faces: Faces,
    groups: Vec<Group>,
}

impl Polyhedron {
    /// Checks what parameters can spoil: huge ones may have overflowed. Generators see to the indices.
    pub(crate) fn new(vertices: Vec<DVec3>, faces: Faces) -> Result<Polyhedron, ShapeError> {
        if let Some(vertex) = vertices.iter().position(|vertex| !vertex.is_finite()) {
            return Err(ShapeError::Overflow { vertex });
        }
        Ok(Polyhedron { vertices, faces, groups: Vec::new() })
    }

    pub(crate) fn with_groups(self, groups: Vec<Group>) -> Polyhedron {
        Polyhedron { groups, ..self }
    }

    /// The positions of all vertices.
    #[inline]
    pub fn vertices(&self) -> &[DVec3] {
        &self.vertices
    }

    /// The faces, as they are stored.
    #[inline]
    pub fn faces(&self) -> &Faces {
        &self.faces
    }

    /// The named groups, in the order of their faces; empty for a shape of one piece.
    #[inline]
    pub fn groups(&self) -> &[Group] {
        &self.groups
    }

    /// The number of faces.
    pub fn face_count(&self) -> usize {
        match &self.faces {
            Faces::Triangles(triangles) => triangles.len(),
            Faces::Soup => self.vertices.len() / 3,
            Faces::Polygons(polygons) => polygons.len(),
            Faces::Grid { columns, .. } => {
                let columns = *columns as usize;
                2 * (columns - 1) * (self.vertices.len() / columns - 1)
            }
        }
    }

    /// The number of triangles, each polygon taken as the fan from its first corner.
    pub fn triangle_count(&self) -> usize {
        match &self.faces {
            Faces::Polygons(polygons) => polygons.iter().map(|polygon| polygon.len() - 2).sum(),
            _ => self.face_count(),
        }
    }

    /// The vertices of a face, counter-clockwise seen from outside or above.
    ///
    /// # Panics
    /// When `face` is not below [`face_count`](Self::face_count).
    pub fn corners(&self, face: usize) -> Vec<u32> {
        assert!(face < self.face_count(), "there is no face {face}");
        match &self.faces {
            Faces::Triangles(triangles) => triangles[face].to_vec(),
            Faces::Soup => [0, 1, 2].map(|corner| 3 * face as u32 + corner).to_vec(),
            Faces::Polygons(polygons) => polygons[face].clone(),
            Faces::Grid { columns, .. } => {
                let (cell, cells_in_row) = (face as u32 / 2, columns - 1);
                let first = cell / cells_in_row * columns + cell % cells_in_row;
                let [right, above, across] = [first + 1, first + columns, first + columns + 1];
                if face.is_multiple_of(2) { vec![first, right, across] } else { vec![first, across, above] }
            }
        }
    }

    /// All triangles in the order of their faces, each polygon as the fan from its first corner.
    pub fn triangles(&self) -> impl Iterator<Item = [u32; 3]> + '_ {
        (0..self.face_count()).flat_map(|face| {
            let corners = self.corners(face);
            (2..corners.len()).map(move |last| [corners[0], corners[last - 1], corners[last]])
        })
    }

    /// Vertices, faces and groups, taken apart.
    pub fn into_parts(self) -> (Vec<DVec3>, Faces, Vec<Group>) {
        (self.vertices, self.faces, self.groups)
    }
}
