//! Levels made of boxes that stand on a floor, touch, overlap and share planes.

use impinge::math::DVec3;
use impinge::shapes::Random;

use super::Brush;

/// The highest box.
const HIGHEST: u32 = 4;

/// A square of so many cells of size 1 along each side: a floor of slabs side by side, and boxes on it and in each other.
pub fn generated(cells: u32, seed: u64) -> Vec<Brush> {
    const SLAB: u32 = 4;
    let mut random = Random::new(seed);
    let mut brushes = Vec::new();
    let at = |x: u32, y: u32, z: f64| DVec3::new(f64::from(x), f64::from(y), z);
    for x in (0..cells).step_by(SLAB as usize) {
        for y in (0..cells).step_by(SLAB as usize) {
            let end = [(x + SLAB).min(cells), (y + SLAB).min(cells)];
            brushes.push(Brush::cuboid(at(x, y, -1.0), at(end[0], end[1], 0.0)));
        }
    }
    for _ in 0..cells * cells / 8 {
        let [x, y] = [random.below(cells), random.below(cells)];
        let end = [(x + 1 + random.below(6)).min(cells), (y + 1 + random.below(6)).min(cells)];
        // Half of the boxes reach into the floor, the others stand on it.
        let low = if random.below(2) == 0 { -0.5 } else { 0.0 };
        let high = f64::from(1 + random.below(HIGHEST));
        brushes.push(Brush::cuboid(at(x, y, low), at(end[0], end[1], high)));
    }
    brushes
}
