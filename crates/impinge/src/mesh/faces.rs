//! The forms of faces, and how a corner of a face is found in each of them.

/// A run of corners that makes one strip or one fan; a restart begins the next.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Run {
    /// The number of the run's first triangle.
    pub first_face: u32,
    /// The position of the run's first corner in the list of corners.
    pub first_corner: u32,
}

/// A regular grid of vertices, row by row, with two triangles in each cell.
///
/// Cell `c` is `c % (columns - 1)` from the left in row `c / (columns - 1)`, and has the faces `2c` (its corner of
/// least row and column, the next in the row, and the corner opposite) and `2c + 1`, both counter-clockwise seen
/// from above.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Grid {
    /// Vertices in a row.
    pub columns: u32,
    /// Rows of vertices.
    pub rows: u32,
    /// One bit a cell, set where the cell is a hole; empty when there are none.
    pub(super) holes: Vec<u64>,
}

impl Grid {
    /// Whether a cell is a hole.
    #[inline]
    pub fn is_hole(&self, cell: u32) -> bool {
        self.holes.get(cell as usize / 64).is_some_and(|word| word >> (cell % 64) & 1 == 1)
    }

    /// Whether any cell is a hole.
    #[inline]
    pub fn has_holes(&self) -> bool {
        self.holes.iter().any(|&word| word != 0)
    }

    /// The number of cells.
    #[inline]
    pub fn cell_count(&self) -> u32 {
        (self.columns - 1) * (self.rows - 1)
    }

    fn corner(&self, face: u32, corner: usize) -> u32 {
        let (cell, cells_in_row) = (face / 2, self.columns - 1);
        let first = cell / cells_in_row * self.columns + cell % cells_in_row;
        let [right, above, across] = [first + 1, first + self.columns, first + self.columns + 1];
        let triangle = if face.is_multiple_of(2) { [first, right, across] } else { [first, across, above] };
        triangle[corner]
    }
}

/// The storage of a mesh's faces. Strips, fans and grids stay as they are.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Faces {
    /// Three vertices a face.
    Triangles(Vec<[u32; 3]>),
    /// Three consecutive vertices a face, without indices.
    Soup {
        /// The number of triangles.
        count: u32,
    },
    /// Any number of corners a face; face `f` has the corners `starts[f]..starts[f + 1]`.
    Polygons {
        /// The vertices of all faces, one after the other.
        corners: Vec<u32>,
        /// The start of each face in `corners`; one entry more than there are faces.
        starts: Vec<u32>,
    },
    /// Triangle strips: each corner after the second makes a triangle with the two before it, alternately turned.
    Strips {
        /// The vertices, or `None` where they are simply 0, 1, 2, …
        indices: Option<Vec<u32>>,
        /// The strips.
        runs: Vec<Run>,
        /// The number of triangles in all.
        count: u32,
    },
    /// Triangle fans: each corner after the second makes a triangle with the one before it and the run's first.
    Fans {
        /// The vertices, or `None` where they are simply 0, 1, 2, …
        indices: Option<Vec<u32>>,
        /// The fans.
        runs: Vec<Run>,
        /// The number of triangles in all.
        count: u32,
    },
    /// The cells of a terrain.
    Grid(Grid),
}

impl Faces {
    pub(super) fn count(&self) -> usize {
        match self {
            Faces::Triangles(triangles) => triangles.len(),
            Faces::Soup { count } | Faces::Strips { count, .. } | Faces::Fans { count, .. } => {
                *count as usize
            }
            Faces::Polygons { starts, .. } => starts.len() - 1,
            Faces::Grid(grid) => grid.cell_count() as usize * 2,
        }
    }

    #[inline]
    pub(super) fn corner_count(&self, face: u32) -> usize {
        match self {
            Faces::Polygons { starts, .. } => (starts[face as usize + 1] - starts[face as usize]) as usize,
            Faces::Grid(grid) if grid.is_hole(face / 2) => 0,
            _ => 3,
        }
    }

    #[inline]
    pub(super) fn corner(&self, face: u32, corner: usize) -> u32 {
        match self {
            Faces::Triangles(triangles) => triangles[face as usize][corner],
            Faces::Soup { .. } => 3 * face + corner as u32,
            Faces::Polygons { corners, starts } => corners[starts[face as usize] as usize + corner],
            Faces::Strips { indices, runs, .. } => {
                let run = run_of(runs, face);
                let step = face - run.first_face;
                // Every other triangle is turned, so that all of a strip face the same way.
                let offset = if step % 2 == 1 { [0, 2, 1][corner] } else { corner as u32 };
                at(indices.as_deref(), run.first_corner + step + offset)
            }
            Faces::Fans { indices, runs, .. } => {
                let run = run_of(runs, face);
                let offset = if corner == 0 { 0 } else { face - run.first_face + corner as u32 };
                at(indices.as_deref(), run.first_corner + offset)
            }
            Faces::Grid(grid) => grid.corner(face, corner),
        }
    }

    pub(super) fn triangle_count(&self) -> usize {
        match self {
            Faces::Polygons { starts, .. } => {
                starts.windows(2).map(|ends| ((ends[1] - ends[0]) as usize).max(3) - 2).sum()
            }
            Faces::Grid(grid) => {
                let holes: u32 = grid.holes.iter().map(|word| word.count_ones()).sum();
                2 * (grid.cell_count() - holes) as usize
            }
            _ => self.count(),
        }
    }

    pub(super) fn bytes(&self) -> usize {
        match self {
            Faces::Triangles(triangles) => size_of_val(triangles.as_slice()),
            Faces::Soup { .. } => 0,
            Faces::Polygons { corners, starts } => {
                size_of_val(corners.as_slice()) + size_of_val(starts.as_slice())
            }
            Faces::Strips { indices, runs, .. } | Faces::Fans { indices, runs, .. } => {
                indices.as_ref().map_or(0, |indices| size_of_val(indices.as_slice()))
                    + size_of_val(runs.as_slice())
            }
            Faces::Grid(grid) => size_of_val(grid.holes.as_slice()),
        }
    }
}

#[inline]
fn run_of(runs: &[Run], face: u32) -> Run {
    if let [only] = runs {
        return *only;
    }
    runs[runs.partition_point(|run| run.first_face <= face) - 1]
}

#[inline]
fn at(indices: Option<&[u32]>, position: u32) -> u32 {
    indices.map_or(position, |indices| indices[position as usize])
}
