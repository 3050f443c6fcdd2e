//! The regular grid over the ground (Blow 1997, "Segregation is Good"): bodies that share no square are not compared.

use std::collections::{BTreeMap, BTreeSet};

use impinge::bounds::Aabb;

/// Squares along an axis are numbered up to this, so that a body far away takes no more squares than there are bodies near it.
const FARTHEST: f64 = 1e9;

/// More squares than this are not listed for one body: it is compared with all others instead.
const MOST_SQUARES: i64 = 1 << 16;

/// Squares of the ground that a box overlaps, least and greatest along both axes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Squares {
    least: [i64; 2],
    most: [i64; 2],
}

impl Squares {
    fn count(&self) -> i64 {
        (0..2).map(|axis| self.most[axis] - self.least[axis] + 1).fold(1, i64::saturating_mul)
    }

    fn each(self) -> impl Iterator<Item = [i64; 2]> {
        (self.least[0]..=self.most[0]).flat_map(move |x| (self.least[1]..=self.most[1]).map(move |y| [x, y]))
    }
}

/// A regular grid of squares over the first two axes, each with the bodies that overlap it.
#[derive(Clone, Debug)]
pub(super) struct Grid {
    /// The width of a square.
    width: f64,
    squares: BTreeMap<[i64; 2], Vec<u32>>,
    /// Bodies that overlap too many squares to be listed.
    everywhere: BTreeSet<u32>,
}

impl Grid {
    /// An empty grid. A width that is none makes squares that everything shares.
    pub(super) fn new(width: f64) -> Grid {
        Grid { width: width.max(f64::MIN_POSITIVE), squares: BTreeMap::new(), everywhere: BTreeSet::new() }
    }

    /// The squares that a box overlaps, edges included: division and rounding down are monotone, so boxes that share a point share
    /// a square.
    pub(super) fn squares_of(&self, bounds: &Aabb) -> Squares {
        let number = |at: f64| (at / self.width).floor().clamp(-FARTHEST, FARTHEST) as i64;
        Squares {
            least: [number(bounds.min.x), number(bounds.min.y)],
            most: [number(bounds.max.x), number(bounds.max.y)],
        }
    }

    pub(super) fn insert(&mut self, body: u32, squares: Squares) {
        if squares.count() > MOST_SQUARES {
            self.everywhere.insert(body);
            return;
        }
        for square in squares.each() {
            self.squares.entry(square).or_default().push(body);
        }
    }

    pub(super) fn remove(&mut self, body: u32, squares: Squares) {
        if self.everywhere.remove(&body) {
            return;
        }
        for square in squares.each() {
            if let Some(list) = self.squares.get_mut(&square) {
                list.retain(|one| *one != body);
                if list.is_empty() {
                    self.squares.remove(&square);
                }
            }
        }
    }

    /// Bodies that overlap one of the squares, each once, in order; `None` where the squares are too many to look at.
    pub(super) fn sharing(&self, squares: Squares) -> Option<Vec<u32>> {
        if squares.count() > MOST_SQUARES {
            return None;
        }
        let mut found: Vec<u32> = self.everywhere.iter().copied().collect();
        for square in squares.each() {
            found.extend(self.squares.get(&square).into_iter().flatten());
        }
        found.sort_unstable();
        found.dedup();
        Some(found)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use impinge::math::DVec3;
    use impinge::shapes::Random;

    #[test]
    fn boxes_that_share_a_point_over_the_ground_share_a_square() {
        let mut random = Random::new(11);
        let mut grid = Grid::new(0.75);
        let mut boxes = Vec::new();
        for body in 0..300_u32 {
            // Corners on a lattice touch exactly; some boxes are flat, far away, or larger than all squares.
            let scale = if body % 50 == 0 { 1e12 } else { 6.0 };
            let corner = (random.in_cube() * scale * 4.0).round() / 4.0;
            let size = (random.in_cube().abs() * 3.0 * if body % 70 == 0 { 1e6 } else { 1.0 }).round() / 4.0;
            let bounds = Aabb { min: corner, max: corner + size };
            grid.insert(body, grid.squares_of(&bounds));
            boxes.push(bounds);
        }
        // Some leave again.
        for body in (0..300_u32).step_by(7) {
            grid.remove(body, grid.squares_of(&boxes[body as usize]));
        }
        let flat = |bounds: &Aabb| Aabb { min: bounds.min.with_z(0.0), max: bounds.max.with_z(0.0) };
        let mut shared = 0;
        for bounds in &boxes {
            let found = grid.sharing(grid.squares_of(bounds));
            for (other, its) in boxes.iter().enumerate().filter(|(other, _)| other % 7 != 0) {
                if flat(bounds).overlaps(&flat(its)) {
                    shared += 1;
                    assert!(
                        found.as_ref().is_none_or(|found| found.contains(&(other as u32))),
                        "{bounds:?} {its:?}"
                    );
                }
            }
            assert!(found.is_none_or(|found| found.iter().all(|other| other % 7 != 0)));
        }
        assert!(shared > 1000, "{shared}");
        assert_eq!(
            grid.sharing(grid.squares_of(&Aabb { min: DVec3::splat(1e5), max: DVec3::splat(1e5) }))
                .map(|all| all.len() <= 8),
            Some(true)
        );
    }
}
