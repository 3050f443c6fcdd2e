//! Unions of lattice boxes: the truth about polycubes, prisms and rooms.

use std::collections::BTreeSet;

use super::lattice::{Matrix, Point, add, apply};
use super::obstacle::{Obstacle, Standing};
use crate::oracle::cases::Random;

/// The side of a unit cell, so that half of it is a whole number.
pub const CELL: i64 = 2;

/// Boxes with disjoint interiors, each by its least and its greatest corner.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Solid {
    pub boxes: Vec<[Point; 2]>,
}

impl Solid {
    pub fn of_box(min: Point, max: Point) -> Solid {
        assert!((0..3).all(|k| min[k] < max[k]));
        Solid { boxes: vec![[min, max]] }
    }

    /// One box for each cell.
    pub fn of_cells(cells: &BTreeSet<Point>) -> Solid {
        Solid {
            boxes: cells.iter().map(|cell| [cell.map(|x| x * CELL), cell.map(|x| (x + 1) * CELL)]).collect(),
        }
    }

    /// The unit cells that it consists of: its corners are multiples of [`CELL`].
    pub fn cells(&self) -> BTreeSet<Point> {
        let mut cells = BTreeSet::new();
        for [min, max] in &self.boxes {
            let [low, high] = [min, max].map(|corner| corner.map(|x| x.div_euclid(CELL)));
            for x in low[0]..high[0] {
                for y in low[1]..high[1] {
                    cells.extend((low[2]..high[2]).map(|z| [x, y, z]));
                }
            }
        }
        cells
    }

    /// With the axes permuted and turned around.
    pub fn mapped(&self, matrix: &Matrix) -> Solid {
        let map = |[min, max]: &[Point; 2]| {
            let [a, b] = [apply(matrix, *min), apply(matrix, *max)];
            [std::array::from_fn(|k| a[k].min(b[k])), std::array::from_fn(|k| a[k].max(b[k]))]
        };
        Solid { boxes: self.boxes.iter().map(map).collect() }
    }

    /// Its largest coordinate, without sign.
    pub fn reach(&self) -> i64 {
        self.boxes.iter().flatten().flatten().map(|x| x.abs()).max().unwrap()
    }
}

/// Where `moving` must not be put because of `stationary`.
pub fn obstacles(moving: &Solid, stationary: &Solid) -> Vec<Obstacle> {
    let mut bounds = BTreeSet::new();
    for a in &moving.boxes {
        for b in &stationary.boxes {
            bounds.insert(Obstacle::of_boxes(*a, *b).bounds.unwrap());
        }
    }
    // A box is the obstacle of a point.
    bounds.into_iter().map(|bounds| Obstacle::of_boxes([[0; 3]; 2], bounds)).collect()
}

pub fn standing_at(obstacles: &[Obstacle], x: Point) -> Standing {
    obstacles.iter().map(|obstacle| obstacle.standing_at(x)).max().unwrap_or(Standing::Clear)
}

/// A translation at which the two touch: on a side, an edge or a corner of an obstacle; none where many tries find none.
pub fn touching_start(obstacles: &[Obstacle], random: &mut Random) -> Option<Point> {
    for _ in 0..64 {
        let [min, max] = obstacles[random.below(obstacles.len() as u64) as usize].bounds?;
        let kind = random.below(3);
        let side = random.below(3) as usize;
        let x: Point = std::array::from_fn(|k| {
            let size = max[k] - min[k];
            let is_on = k == side || kind == 2 || kind == 1 && k == (side + 1) % 3;
            match random.below(6) {
                _ if is_on => [min[k], max[k]][random.below(2) as usize],
                // Sides that coincide, half of the way, and anywhere.
                0 => min[k] + CELL.min(size),
                1 => max[k] - CELL.min(size),
                2 => min[k] + size / 2,
                _ => min[k] + random.below(size as u64 + 1) as i64,
            }
        });
        if standing_at(obstacles, x) == Standing::Touching {
            return Some(x);
        }
    }
    None
}

/// A connected union of a few cells.
pub fn random_cells(random: &mut Random, count: usize, within: i64) -> BTreeSet<Point> {
    let mut cells = BTreeSet::from([[0; 3]]);
    while cells.len() < count {
        let from = *cells.iter().nth(random.below(cells.len() as u64) as usize).unwrap();
        let mut step = [0; 3];
        // Now and then only an edge is shared.
        for _ in 0..if random.below(8) == 0 { 2 } else { 1 } {
            step[random.below(3) as usize] = if random.below(2) == 0 { 1 } else { -1 };
        }
        let cell = add(from, step);
        if cell.iter().all(|x| x.abs() <= within) {
            cells.insert(cell);
        }
    }
    cells
}
