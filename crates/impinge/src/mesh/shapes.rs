//! Generated shapes as meshes.

use super::{Group, Mesh, MeshError, Terrain};
use impinge_shapes::{Faces, Polyhedron};

impl From<Polyhedron> for Mesh {
    /// The mesh of a generated shape: triangles, a soup and polygons as they are, a height grid as a
    /// [terrain](Mesh::terrain), groups by their names.
    ///
    /// ```
    /// use impinge::mesh::Faces;
    /// use impinge::{Mesh, shapes};
    ///
    /// let torus = Mesh::from(shapes::torus(1.0, 0.25, 48, 24)?);
    /// assert_eq!((torus.vertex_count(), torus.triangle_count()), (1152, 2304));
    /// let hills = Mesh::from(shapes::hills(100.0, 8.0, 65, 33, 1)?);
    /// assert!(matches!(hills.faces(), Faces::Grid(_)));
    /// # Ok::<(), shapes::ShapeError>(())
    /// ```
    fn from(polyhedron: Polyhedron) -> Mesh {
        match checked(polyhedron) {
            Ok(mesh) => mesh,
            // A polyhedron has finite vertices, indices in range, sorted groups, and no more faces than a mesh may have.
            Err(error) => unreachable!("{error}"),
        }
    }
}

fn checked(polyhedron: Polyhedron) -> Result<Mesh, MeshError> {
    let (vertices, faces, groups) = polyhedron.into_parts();
    let mesh = match faces {
        Faces::Triangles(triangles) => Mesh::triangles(vertices, triangles),
        Faces::Polygons(polygons) => Mesh::polygons(vertices, polygons),
        Faces::Grid { columns, spacing } => Mesh::terrain(Terrain {
            // A height is the whole of its vertex's z.
            origin: vertices.first().map_or([0.0; 3], |first| [first.x, first.y, 0.0]),
            spacing,
            columns: columns as usize,
            heights: vertices.into_iter().map(|vertex| vertex.z).collect(),
            holes: Vec::new(),
        }),
        Faces::Soup => Mesh::soup(vertices),
    }?;
    let group = |group: impinge_shapes::Group| Group { name: group.name, first_face: group.first_face };
    mesh.with_groups(groups.into_iter().map(group).collect())
}
