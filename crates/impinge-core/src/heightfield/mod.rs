//! The tree over a regular grid of heights (Maia et al. 2006, §4: terrains in place, without an index table).
//!
//! Where cells stand is computed, so a node holds nothing but the least and the greatest height of its part of the
//! grid: sixteen cells, or sixteen nodes of the layer below. Nothing is rounded. It takes an eighth of the heights'
//! memory and one look at each of them, so the first question to a large terrain does not wait for a tree of boxes.

mod ray;
mod volume;

pub use ray::{FieldRay, FieldRayVisitor, traverse_field_ray};
pub use volume::{FieldVolumeVisitor, traverse_field_volume};

use crate::math::DVec3;

/// Children of a node along one axis.
const SIDE: usize = 4;

/// Heights over a regular grid, as their owner keeps them: vertex `row * columns + column` stands at
/// `origin + (column * spacing[0], row * spacing[1], height)`.
#[derive(Clone, Copy, Debug)]
pub struct HeightField<'h> {
    /// The position of the first vertex when its height is 0.
    pub origin: DVec3,
    /// The distance between columns and between rows, above 0.
    pub spacing: [f64; 2],
    /// Vertices in a row; at least 2.
    pub columns: u32,
    /// Rows of vertices; at least 2.
    pub rows: u32,
    /// One height a vertex, row by row.
    pub heights: &'h [f64],
}

impl HeightField<'_> {
    /// The x coordinate of a column. Never less than the one before: rounding keeps the order.
    #[inline(always)]
    pub fn x(&self, column: u32) -> f64 {
        self.origin.x + self.spacing[0] * f64::from(column)
    }

    /// The y coordinate of a row.
    #[inline(always)]
    pub fn y(&self, row: u32) -> f64 {
        self.origin.y + self.spacing[1] * f64::from(row)
    }

    /// The z coordinate of a height.
    #[inline(always)]
    pub fn z(&self, height: f64) -> f64 {
        self.origin.z + height
    }

    /// The position of a vertex.
    #[inline(always)]
    pub fn vertex(&self, row: u32, column: u32) -> DVec3 {
        let height = self.heights[row as usize * self.columns as usize + column as usize];
        DVec3::new(self.x(column), self.y(row), self.z(height))
    }

    /// The corners of a cell: its own, the next in the row, the one opposite, the next in the column.
    #[inline(always)]
    pub fn cell(&self, row: u32, column: u32) -> [DVec3; 4] {
        let first = row as usize * self.columns as usize + column as usize;
        let second = first + self.columns as usize;
        let [left, right] = [self.x(column), self.x(column + 1)];
        let [low, high] = [self.y(row), self.y(row + 1)];
        let z = |vertex: usize| self.z(self.heights[vertex]);
        [
            DVec3::new(left, low, z(first)),
            DVec3::new(right, low, z(first + 1)),
            DVec3::new(right, high, z(second + 1)),
            DVec3::new(left, high, z(second)),
        ]
    }

    /// Cells in a row, and rows of cells.
    #[inline(always)]
    pub fn cells(&self) -> [u32; 2] {
        [self.columns - 1, self.rows - 1]
    }
}

/// Least and greatest heights of parts of a grid, layer upon layer.
#[derive(Clone, Debug)]
pub struct HeightTree {
    /// The lowest layer first; the last has one node.
    layers: Vec<Layer>,
    /// Of all layers, each padded with empty nodes to whole fours, row by row.
    least: Vec<f64>,
    most: Vec<f64>,
}

#[derive(Clone, Copy, Debug)]
struct Layer {
    /// Where its nodes begin.
    first: usize,
    /// Nodes in a row, with padding.
    stride: usize,
    /// Nodes in a row and rows of nodes, without padding.
    size: [u32; 2],
}

impl HeightTree {
    /// Builds the tree, looking at every height once. Cells that are holes do not count.
    pub fn new(field: &HeightField<'_>, is_hole: impl Fn(u32) -> bool) -> HeightTree {
        let mut tree = HeightTree { layers: Vec::new(), least: Vec::new(), most: Vec::new() };
        let mut size = field.cells();
        loop {
            size = size.map(|count| count.div_ceil(SIDE as u32));
            let [stride, rows] = size.map(|count| (count as usize).next_multiple_of(SIDE));
            let layer = Layer { first: tree.least.len(), stride, size };
            tree.least.resize(layer.first + stride * rows, f64::INFINITY);
            tree.most.resize(layer.first + stride * rows, f64::NEG_INFINITY);
            match tree.layers.last().copied() {
                None => tree.fill_lowest(&layer, field, &is_hole),
                Some(below) => tree.fill(&layer, &below),
            }
            tree.layers.push(layer);
            if size == [1, 1] {
                return tree;
            }
        }
    }

    fn fill_lowest(&mut self, layer: &Layer, field: &HeightField<'_>, is_hole: &impl Fn(u32) -> bool) {
        let [cells_in_row, cell_rows] = field.cells();
        let columns = field.columns as usize;
        for cell_row in 0..cell_rows {
            let from = cell_row as usize * columns;
            let (lower, upper) =
                (&field.heights[from..from + columns], &field.heights[from + columns..][..columns]);
            let first = layer.first + cell_row as usize / SIDE * layer.stride;
            for column in 0..cells_in_row {
                if is_hole(cell_row * cells_in_row + column) {
                    continue;
                }
                let column = column as usize;
                let heights = [lower[column], lower[column + 1], upper[column], upper[column + 1]];
                let node = first + column / SIDE;
                for height in heights {
                    self.least[node] = lesser(self.least[node], height);
                    self.most[node] = greater(self.most[node], height);
                }
            }
        }
    }

    fn fill(&mut self, layer: &Layer, below: &Layer) {
        for row in 0..below.size[1] as usize {
            for column in 0..below.size[0] as usize {
                let child = below.first + row * below.stride + column;
                let node = layer.first + row / SIDE * layer.stride + column / SIDE;
                self.least[node] = lesser(self.least[node], self.least[child]);
                self.most[node] = greater(self.most[node], self.most[child]);
            }
        }
    }

    /// The bytes that the tree takes.
    pub fn bytes(&self) -> usize {
        size_of_val(self.least.as_slice()) + size_of_val(self.most.as_slice())
    }

    /// The number of the highest layer.
    #[inline(always)]
    fn top(&self) -> usize {
        self.layers.len() - 1
    }

    /// How many children of a node there are along each axis, the least and the greatest heights of the children, row
    /// by row, and where the columns and rows between them are, in cells. What is beyond the rim of the grid is empty.
    #[inline(always)]
    fn children(&self, field: &HeightField<'_>, layer: usize, row: u32, column: u32) -> Children {
        let cells = field.cells();
        let shift = 2 * layer as u32;
        let mut children = Children {
            columns: [0; SIDE + 1],
            rows: [0; SIDE + 1],
            least: [[f64::INFINITY; SIDE]; SIDE],
            most: [[f64::NEG_INFINITY; SIDE]; SIDE],
        };
        let mut i = 0;
        while i <= SIDE {
            children.columns[i] = border(column, i, shift, cells[0]);
            children.rows[i] = border(row, i, shift, cells[1]);
            i += 1;
        }
        if layer == 0 {
            children.read_cells(field);
        } else {
            let below = &self.layers[layer - 1];
            let first = below.first + row as usize * SIDE * below.stride + column as usize * SIDE;
            let mut j = 0;
            while j < SIDE {
                let from = first + j * below.stride;
                if let (Some(least), Some(most)) =
                    (self.least[from..].first_chunk::<SIDE>(), self.most[from..].first_chunk::<SIDE>())
                {
                    children.least[j] = *least;
                    children.most[j] = *most;
                }
                j += 1;
            }
        }
        children
    }
}

/// Where the i-th child of a node begins, in cells. Wide enough for nodes that reach beyond the rim.
#[inline(always)]
fn border(node: u32, i: usize, shift: u32, most: u32) -> u32 {
    let cell = (u64::from(node) * SIDE as u64 + i as u64) << shift;
    if cell < u64::from(most) { cell as u32 } else { most }
}

/// The children of a node.
struct Children {
    columns: [u32; SIDE + 1],
    rows: [u32; SIDE + 1],
    least: [[f64; SIDE]; SIDE],
    most: [[f64; SIDE]; SIDE],
}

impl Children {
    /// The heights of single cells; holes are not looked for.
    #[inline(always)]
    fn read_cells(&mut self, field: &HeightField<'_>) {
        let in_row = field.columns as usize;
        let [width, height] =
            [self.columns[SIDE] - self.columns[0], self.rows[SIDE] - self.rows[0]].map(|n| n as usize);
        let (mut least, mut most) = ([[0.0; SIDE]; SIDE + 1], [[0.0; SIDE]; SIDE + 1]);
        let mut j = 0;
        while j <= height {
            let from = (self.rows[0] as usize + j) * in_row + self.columns[0] as usize;
            let line = &field.heights[from..=from + width];
            if let Some(line) = line.first_chunk::<{ SIDE + 1 }>() {
                let mut i = 0;
                while i < SIDE {
                    least[j][i] = lesser(line[i], line[i + 1]);
                    most[j][i] = greater(line[i], line[i + 1]);
                    i += 1;
                }
            } else {
                let mut i = 0;
                while i < width {
                    least[j][i] = lesser(line[i], line[i + 1]);
                    most[j][i] = greater(line[i], line[i + 1]);
                    i += 1;
                }
            }
            j += 1;
        }
        let mut j = 0;
        while j < height {
            let mut i = 0;
            while i < SIDE {
                if i < width {
                    self.least[j][i] = lesser(least[j][i], least[j + 1][i]);
                    self.most[j][i] = greater(most[j][i], most[j + 1][i]);
                }
                i += 1;
            }
            j += 1;
        }
    }
}

#[inline(always)]
fn lesser(a: f64, b: f64) -> f64 {
    if a < b { a } else { b }
}

#[inline(always)]
fn greater(a: f64, b: f64) -> f64 {
    if a > b { a } else { b }
}
