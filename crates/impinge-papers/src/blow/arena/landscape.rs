//! The ground: hills that one can land on.

use impinge::Mesh;
use impinge::mesh::{MeshError, Terrain};
use impinge::shapes::Random;

/// The width of a cell.
const CELL: f64 = 10.0;
/// How many cells a tile has along each side.
const TILE: usize = 4;

/// Heights over a square, around the origin.
pub(crate) struct Landscape {
    heights: Vec<f64>,
    /// Cells along each side.
    cells: usize,
}

impl Landscape {
    pub(crate) fn new(seed: u64, size: f64) -> Landscape {
        let cells = (size / CELL).ceil() as usize;
        let mut random = Random::new(seed ^ 0x0006_0000);
        // Round hills: bells of a polynomial, so that nothing depends on anybody's exponential function.
        let hills: Vec<(f64, f64, f64, f64)> = (0..cells * cells / 40 + 4)
            .map(|_| {
                let at = |random: &mut Random| (random.unit() - 0.5) * cells as f64 * CELL;
                (at(&mut random), at(&mut random), 40.0 + 60.0 * random.unit(), 14.0 * random.unit() - 5.0)
            })
            .collect();
        let height = |x: f64, y: f64| {
            let bell = |&(u, v, radius, height): &(f64, f64, f64, f64)| {
                let square = ((x - u) * (x - u) + (y - v) * (y - v)) / (radius * radius);
                if square < 1.0 { height * (1.0 - square) * (1.0 - square) } else { 0.0 }
            };
            hills.iter().map(bell).sum::<f64>()
        };
        let at = |i: usize| (i as f64 - cells as f64 / 2.0) * CELL;
        let heights = (0..=cells).flat_map(|y| (0..=cells).map(move |x| (x, y)));
        let heights = heights.map(|(x, y)| height(at(x), at(y))).collect();
        Landscape { heights, cells }
    }

    pub(crate) fn size(&self) -> f64 {
        self.cells as f64 * CELL
    }

    /// About the height of the ground: between the corners of a cell.
    pub(crate) fn height(&self, x: f64, y: f64) -> f64 {
        let place = |at: f64| (at / CELL + self.cells as f64 / 2.0).clamp(0.0, self.cells as f64 - 1e-9);
        let (u, v) = (place(x), place(y));
        let (i, j) = (u as usize, v as usize);
        let at = |i: usize, j: usize| self.heights[j * (self.cells + 1) + i];
        let (s, t) = (u - i as f64, v - j as f64);
        let low = at(i, j) * (1.0 - s) + at(i + 1, j) * s;
        let high = at(i, j + 1) * (1.0 - s) + at(i + 1, j + 1) * s;
        low * (1.0 - t) + high * t
    }

    /// The ground in square tiles: filters tell those soonest that are far away.
    pub(crate) fn tiles(&self) -> Result<Vec<Mesh>, MeshError> {
        let starts = || (0..self.cells).step_by(TILE);
        let mut tiles = Vec::new();
        for (row, column) in starts().flat_map(|row| starts().map(move |column| (row, column))) {
            let ends = [row, column].map(|start| (start + TILE).min(self.cells));
            let rows = (row..=ends[0]).map(|j| &self.heights[j * (self.cells + 1)..][column..=ends[1]]);
            let at = |i: usize| (i as f64 - self.cells as f64 / 2.0) * CELL;
            let tile = Mesh::terrain(Terrain {
                origin: [at(column), at(row), 0.0],
                spacing: [CELL; 2],
                columns: ends[1] - column + 1,
                heights: rows.flatten().copied().collect(),
                holes: Vec::new(),
            })?;
            tiles.push(super::triangles(&tile, tile.vertices().collect())?);
        }
        Ok(tiles)
    }
}
