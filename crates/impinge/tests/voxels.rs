//! Solids made of blocks between planes across the axes, of which counting tells the truth: who is inside of whom, and what two of them share.

use std::collections::BTreeSet;

use impinge::math::DVec3;
use impinge::shapes::Random;
use impinge::{Mesh, Model};

pub(crate) type Cell = [usize; 3];

/// Blocks, and the planes across each axis that bound them.
#[derive(Clone, Debug)]
pub(crate) struct Voxels {
    pub(crate) cells: BTreeSet<Cell>,
    pub(crate) planes: [Vec<f64>; 3],
}

impl Voxels {
    /// Some blocks of a grid with a number of them along each axis; at least one.
    pub(crate) fn random(random: &mut Random, count: usize, share: f64) -> Voxels {
        let mut cells = BTreeSet::new();
        while cells.is_empty() {
            for index in 0..count * count * count {
                if random.unit() < share {
                    cells.insert([index / count / count, index / count % count, index % count]);
                }
            }
        }
        let planes = [0, 1, 2].map(|_| (0..=count).map(|plane| plane as f64).collect());
        Voxels { cells, planes }
    }

    /// The same blocks, with each plane moved by up to so much.
    pub(crate) fn shaken(&self, random: &mut Random, by: f64) -> Voxels {
        let mut shaken = self.clone();
        for plane in shaken.planes.iter_mut().flatten() {
            *plane += match random.below(4) {
                0 => 0.0,
                1 => by,
                2 => -by,
                _ => random.between(-by, by),
            };
        }
        shaken
    }

    fn point(&self, corner: [usize; 3]) -> DVec3 {
        DVec3::from_array([0, 1, 2].map(|axis| self.planes[axis][corner[axis]]))
    }

    /// The surface, cut into triangles in any way.
    pub(crate) fn model(&self, random: &mut Random) -> Model {
        let mut corners: Vec<DVec3> = Vec::new();
        for cell in &self.cells {
            for axis in 0..3 {
                for up in [false, true] {
                    let mut beyond = *cell;
                    beyond[axis] = beyond[axis].wrapping_add(if up { 1 } else { usize::MAX });
                    if self.cells.contains(&beyond) {
                        continue;
                    }
                    let quad = [[0, 0], [1, 0], [1, 1], [0, 1]].map(|[s, t]| {
                        let mut corner = *cell;
                        corner[axis] += usize::from(up);
                        corner[(axis + 1) % 3] += s;
                        corner[(axis + 2) % 3] += t;
                        self.point(corner)
                    });
                    let [a, b, c, d] = if up { quad } else { [quad[0], quad[3], quad[2], quad[1]] };
                    let halves = if random.below(2) == 0 { [a, b, c, a, c, d] } else { [a, b, d, b, c, d] };
                    corners.extend(halves);
                }
            }
        }
        Model::new(Mesh::soup(corners).unwrap())
    }

    /// The volume that two of them share, and the area of the faces of blocks around it.
    pub(crate) fn shared(&self, other: &Voxels) -> f64 {
        let extent = |voxels: &Voxels, cell: &Cell, axis: usize| {
            [voxels.planes[axis][cell[axis]], voxels.planes[axis][cell[axis] + 1]]
        };
        let common = |a: &Cell, b: &Cell| {
            let along = |axis: usize| {
                let ([from, to], [low, high]) = (extent(self, a, axis), extent(other, b, axis));
                (to.min(high) - from.max(low)).max(0.0)
            };
            along(0) * along(1) * along(2)
        };
        self.cells
            .iter()
            .flat_map(|a| other.cells.iter().map(move |b| (a, b)))
            .map(|(a, b)| common(a, b))
            .sum()
    }

    /// Whether any corner of a block is one of the other's, too.
    pub(crate) fn meets(&self, other: &Voxels) -> bool {
        let near = |a: &Cell, b: &Cell| (0..3).all(|axis| a[axis].abs_diff(b[axis]) <= 1);
        self.cells.iter().any(|a| other.cells.iter().any(|b| near(a, b)))
    }
}
