//! The constructors of [`Mesh`]: one for each form, all checking everything before they accept anything.

use super::table::TriangleTable;
use super::{Faces, Grid, Group, Mesh, MeshError, Problem, Run, Vertices};
use impinge_core::math::{DVec3, IntoPoint};

/// A regular height grid (Maia et al. 2006, §4): vertex `row * columns + column` stands at
/// `origin + (column * spacing[0], row * spacing[1], heights[vertex])`.
#[derive(Clone, Debug, PartialEq)]
pub struct Terrain {
    /// The position of the grid's first vertex when its height is 0.
    pub origin: [f64; 3],
    /// The distance between columns (along x) and between rows (along y).
    pub spacing: [f64; 2],
    /// Vertices in a row.
    pub columns: usize,
    /// One height a vertex, row by row.
    pub heights: Vec<f64>,
    /// Cells without faces, by number (see [`Grid`]).
    pub holes: Vec<u32>,
}

impl Mesh {
    /// A mesh of triangles that share vertices.
    pub fn triangles(
        vertices: impl IntoIterator<Item = impl IntoPoint>,
        triangles: Vec<[u32; 3]>,
    ) -> Result<Mesh, MeshError> {
        Mesh::checked(collect(vertices), Faces::Triangles(triangles))
    }

    /// A mesh of triangles from a flat list of indices, three for each, of `u32`, `u16` or `u8`: as renderers and files have them.
    ///
    /// ```
    /// use impinge::Mesh;
    ///
    /// let positions = [[0.0_f32, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [1.0, 1.0, 0.0]];
    /// let square = Mesh::indexed_triangles(positions, [0_u16, 1, 2, 2, 1, 3])?;
    /// assert_eq!(square.triangle_count(), 2);
    /// # Ok::<(), impinge::mesh::MeshError>(())
    /// ```
    #[doc(alias = "trimesh")]
    pub fn indexed_triangles(
        vertices: impl IntoIterator<Item = impl IntoPoint>,
        indices: impl IntoIterator<Item = impl Into<u32>>,
    ) -> Result<Mesh, MeshError> {
        let indices: Vec<u32> = indices.into_iter().map(Into::into).collect();
        let (triangles, rest) = indices.as_chunks();
        let mut problems = Vec::new();
        if !rest.is_empty() {
            problems.push(Problem::IndicesNotThrees { indices: indices.len() });
        }
        Mesh::checked_with(
            problems,
            Vertices::Listed(collect(vertices)),
            Faces::Triangles(triangles.to_vec()),
        )
    }

    /// A triangle soup without indices: vertices 0, 1, 2 are the first triangle, 3, 4, 5 the second, and so on.
    pub fn soup(vertices: impl IntoIterator<Item = impl IntoPoint>) -> Result<Mesh, MeshError> {
        let vertices = collect(vertices);
        let mut problems = Vec::new();
        if vertices.len() % 3 != 0 {
            problems.push(Problem::NotThrees { vertices: vertices.len() });
        }
        let count = (vertices.len() / 3) as u32;
        Mesh::checked_with(problems, Vertices::Listed(vertices), Faces::Soup { count })
    }

    /// A mesh of polygons of any number of corners, each taken as the fan of triangles from its first corner. Whether they
    /// are planar and convex is not looked at; see [`convex_polygons`](Self::convex_polygons).
    pub fn polygons(
        vertices: impl IntoIterator<Item = impl IntoPoint>,
        polygons: impl IntoIterator<Item = impl AsRef<[u32]>>,
    ) -> Result<Mesh, MeshError> {
        let (mut corners, mut starts) = (Vec::new(), vec![0]);
        for polygon in polygons {
            corners.extend_from_slice(polygon.as_ref());
            starts.push(corners.len() as u32);
        }
        Mesh::checked(collect(vertices), Faces::Polygons { corners, starts })
    }

    /// A mesh of one polygon.
    pub fn polygon(corners: impl IntoIterator<Item = impl IntoPoint>) -> Result<Mesh, MeshError> {
        let vertices = collect(corners);
        let indices: Vec<u32> = (0..vertices.len() as u32).collect();
        Mesh::polygons(vertices, (!indices.is_empty()).then_some(indices))
    }

    /// A mesh of one point.
    pub fn point(point: impl IntoPoint) -> Result<Mesh, MeshError> {
        Mesh::polygon([point])
    }

    /// A mesh of one segment, as an edge without a face.
    pub fn segment(start: impl IntoPoint, end: impl IntoPoint) -> Result<Mesh, MeshError> {
        Mesh::polygon([start.into_point(), end.into_point()])
    }

    /// A mesh of one triangle strip over consecutive vertices.
    pub fn triangle_strip(vertices: impl IntoIterator<Item = impl IntoPoint>) -> Result<Mesh, MeshError> {
        Mesh::in_runs(collect(vertices), None, None, |indices, runs, count| Faces::Strips {
            indices,
            runs,
            count,
        })
    }

    /// A mesh of triangle strips over indexed vertices; an index equal to `restart` ends a strip and begins the next.
    pub fn indexed_strip(
        vertices: impl IntoIterator<Item = impl IntoPoint>,
        indices: Vec<u32>,
        restart: Option<u32>,
    ) -> Result<Mesh, MeshError> {
        Mesh::in_runs(collect(vertices), Some(indices), restart, |indices, runs, count| Faces::Strips {
            indices,
            runs,
            count,
        })
    }

    /// A mesh of one triangle fan over consecutive vertices.
    pub fn triangle_fan(vertices: impl IntoIterator<Item = impl IntoPoint>) -> Result<Mesh, MeshError> {
        Mesh::in_runs(collect(vertices), None, None, |indices, runs, count| Faces::Fans {
            indices,
            runs,
            count,
        })
    }

    /// A mesh of triangle fans over indexed vertices; an index equal to `restart` ends a fan and begins the next.
    pub fn indexed_fan(
        vertices: impl IntoIterator<Item = impl IntoPoint>,
        indices: Vec<u32>,
        restart: Option<u32>,
    ) -> Result<Mesh, MeshError> {
        Mesh::in_runs(collect(vertices), Some(indices), restart, |indices, runs, count| Faces::Fans {
            indices,
            runs,
            count,
        })
    }

    /// A mesh of a terrain, a regular height grid.
    pub fn terrain(terrain: Terrain) -> Result<Mesh, MeshError> {
        let Terrain { origin, spacing, columns, heights, holes } = terrain;
        let rows = heights.len().checked_div(columns).unwrap_or(0);
        let mut problems = Vec::new();
        if heights.len() >= u32::MAX as usize / 2 {
            problems.push(Problem::TooMany { what: "heights", count: heights.len() });
        } else if rows < 2 || columns < 2 {
            problems.push(Problem::GridTooSmall { rows, columns });
        } else if heights.len() != rows * columns {
            problems.push(Problem::HeightCount { found: heights.len(), expected: rows * columns });
        }
        for (axis, &value) in spacing.iter().enumerate() {
            if !(value.is_finite() && value > 0.0) {
                problems.push(Problem::Spacing { axis, value });
            }
        }
        MeshError::check(problems)?;
        let mut grid = Grid { columns: columns as u32, rows: rows as u32, holes: Vec::new() };
        let cells = grid.cell_count() as usize;
        let mut problems = Vec::new();
        if !holes.is_empty() {
            grid.holes = vec![0; cells.div_ceil(64)];
        }
        for cell in holes {
            match grid.holes.get_mut(cell as usize / 64) {
                Some(word) if (cell as usize) < cells => *word |= 1 << (cell % 64),
                _ => problems.push(Problem::HoleOutOfRange { cell, cells }),
            }
        }
        let origin = DVec3::from_array(origin);
        let vertices = Vertices::Heights { origin, spacing, columns: grid.columns, heights };
        Mesh::checked_with(problems, vertices, Faces::Grid(grid))
    }

    /// Sets an index of the user's for each face; see [`label`](Self::label).
    pub fn with_labels(mut self, labels: Vec<u32>) -> Result<Mesh, MeshError> {
        let faces = self.face_count();
        if labels.len() != faces {
            MeshError::check(vec![Problem::LabelCount { labels: labels.len(), faces }])?;
        }
        self.labels = Some(labels);
        Ok(self)
    }

    /// Sets named groups of faces, in ascending order of their first face. Faces before the first
    /// group belong to a group without a name.
    pub fn with_groups(mut self, groups: Vec<Group>) -> Result<Mesh, MeshError> {
        let faces = self.face_count() as u32;
        let misplaced = |i: usize| {
            groups[i].first_face > faces || i > 0 && groups[i].first_face < groups[i - 1].first_face
        };
        MeshError::check(
            (0..groups.len()).filter(|&i| misplaced(i)).map(|group| Problem::GroupOrder { group }).collect(),
        )?;
        self.groups = groups;
        Ok(self)
    }

    /// Strips or fans: finds the runs between restarts and leaves the indices where they are.
    fn in_runs(
        vertices: Vec<DVec3>,
        indices: Option<Vec<u32>>,
        restart: Option<u32>,
        faces: impl FnOnce(Option<Vec<u32>>, Vec<Run>, u32) -> Faces,
    ) -> Result<Mesh, MeshError> {
        let corners = indices.as_ref().map_or(vertices.len(), Vec::len);
        if corners >= u32::MAX as usize {
            MeshError::check(vec![Problem::TooMany { what: "corners", count: corners }])?;
        }
        let restarts = indices.iter().flatten().enumerate().filter(|&(_, index)| Some(*index) == restart);
        let ends = restarts.map(|(position, _)| position).chain([corners]);
        let (mut runs, mut count, mut first_corner) = (Vec::new(), 0, 0);
        for end in ends {
            let triangles = (end - first_corner).saturating_sub(2);
            if triangles > 0 {
                runs.push(Run { first_face: count, first_corner: first_corner as u32 });
            }
            count += triangles as u32;
            first_corner = end + 1;
        }
        let mut problems = Vec::new();
        for (position, &index) in indices.iter().flatten().enumerate() {
            if Some(index) != restart && index as usize >= vertices.len() {
                problems.push(Problem::StripIndexOutOfRange {
                    position: position as u32,
                    index,
                    vertices: vertices.len(),
                });
            }
        }
        let faces = faces(indices, runs, count);
        Mesh::checked_with(problems, Vertices::Listed(vertices), faces)
    }

    fn checked(vertices: Vec<DVec3>, faces: Faces) -> Result<Mesh, MeshError> {
        Mesh::checked_with(Vec::new(), Vertices::Listed(vertices), faces)
    }

    /// The one place where a mesh comes into being.
    fn checked_with(mut problems: Vec<Problem>, vertices: Vertices, faces: Faces) -> Result<Mesh, MeshError> {
        let mesh = Mesh {
            vertices,
            faces,
            table: TriangleTable::default(),
            labels: None,
            materials: None,
            groups: Vec::new(),
        };
        let corners = match &mesh.faces {
            Faces::Polygons { corners, .. } => corners.len(),
            _ => 3 * mesh.face_count(),
        };
        let counts = [("vertices", mesh.vertex_count()), ("faces", mesh.face_count()), ("corners", corners)];
        for (what, count) in counts {
            // Trees name faces with 28 bits.
            let most = if what == "faces" { 1 << 28 } else { u32::MAX as usize };
            if count >= most - 1 {
                problems.push(Problem::TooMany { what, count });
            }
        }
        MeshError::check(std::mem::take(&mut problems))?;
        // Problems are rare: a quick look says whether there are any. NaN and infinity times 0 are NaN, and then for good.
        let nothing = mesh.vertices().fold(DVec3::ZERO, |nothing, point| nothing + point * 0.0);
        if nothing != DVec3::ZERO {
            for (vertex, point) in mesh.vertices().enumerate() {
                for (axis, value) in point.to_array().into_iter().enumerate() {
                    if !value.is_finite() {
                        problems.push(Problem::NotFinite { vertex: vertex as u32, axis, value });
                    }
                }
            }
        }
        match &mesh.faces {
            Faces::Triangles(triangles) => {
                let largest = triangles.as_flattened().iter().fold(0, |largest, &index| index.max(largest));
                let is_right = (largest as usize) < mesh.vertex_count();
                let triangles = if is_right { &[] } else { triangles.as_slice() };
                for (face, corners) in triangles.iter().enumerate() {
                    mesh.check_corners(face as u32, corners, &mut problems);
                }
            }
            Faces::Polygons { corners, starts } => {
                for (face, ends) in starts.windows(2).enumerate() {
                    let corners = &corners[ends[0] as usize..ends[1] as usize];
                    if corners.is_empty() {
                        problems.push(Problem::NoCorners { face: face as u32 });
                    }
                    mesh.check_corners(face as u32, corners, &mut problems);
                }
            }
            // The indices of strips and fans were checked with their runs; the others have none.
            Faces::Soup { .. } | Faces::Strips { .. } | Faces::Fans { .. } | Faces::Grid(_) => {}
        }
        if mesh.triangle_count() == 0 {
            problems.push(Problem::Empty);
        }
        MeshError::check(problems)?;
        Ok(mesh)
    }

    fn check_corners(&self, face: u32, corners: &[u32], problems: &mut Vec<Problem>) {
        let vertices = self.vertex_count();
        for (corner, &index) in corners.iter().enumerate() {
            if index as usize >= vertices {
                problems.push(Problem::IndexOutOfRange { face, corner, index, vertices });
            }
        }
    }
}

fn collect(vertices: impl IntoIterator<Item = impl IntoPoint>) -> Vec<DVec3> {
    vertices.into_iter().map(IntoPoint::into_point).collect()
}
