//! Proportions: how each shape divides a wanted number of triangles among its parameters.

use crate::fit::{Closest, pair};
use crate::{Gear, Pipes};

/// `[segments, sides]` of a torus with about twice as many segments as sides.
pub(crate) fn torus_of(wanted: u64) -> [u32; 2] {
    pair(wanted, libm::sqrt(wanted as f64 / 4.0), [3, 3], |a, b| 2 * a * b)
}

/// `[segments, rings]` of a sphere with about twice as many segments as rings.
pub(crate) fn sphere_of(wanted: u64) -> [u32; 2] {
    let ideal = libm::sqrt(wanted as f64 / 4.0) + 1.0;
    pair(wanted, ideal, [3, 2], |a, b| 2 * a * (b - 1))
}

/// `[segments, stacks]` of a cylinder; the more `slender`, the more stacks for its segments.
pub(crate) fn cylinder_of(wanted: u64, slender: f64) -> [u32; 2] {
    pair(wanted, libm::sqrt(wanted as f64 / slender), [3, 1], |a, b| 2 * a * (b + 1))
}

/// `[segments, rings]` of a capsule with about four times as many segments as rings in each half sphere.
pub(crate) fn capsule_of(wanted: u64) -> [u32; 2] {
    pair(wanted, libm::sqrt(wanted as f64 / 16.0), [3, 1], |a, b| 4 * a * b)
}

/// `[strips, steps]` of a flight of stairs with two steps at least.
pub(crate) fn stairs_of(wanted: u64) -> [u32; 2] {
    pair(wanted, libm::sqrt(wanted as f64 / 16.0), [1, 2], |a, b| 4 * (b + a * (b + 1)))
}

/// Cells of a box that is about as long as it is wide and high.
pub(crate) fn cells_of_cube(wanted: u64) -> [u32; 3] {
    let [c, a] = pair(wanted, libm::sqrt(wanted as f64 / 12.0), [1, 1], |c, a| 4 * (a * a + 2 * a * c));
    [a, a, c]
}

pub(crate) fn gear_of(wanted: u64) -> Gear {
    let gear = |teeth: u64, pieces: u64, bands: u64| Gear {
        tip_radius: 1.0,
        root_radius: 0.8,
        bore_radius: 0.3,
        thickness: 0.4,
        teeth: teeth as u32,
        pieces: pieces as u32,
        layers: (bands / 2) as u32,
        rings: (bands - bands / 2) as u32,
    };
    // Few teeth come first, so a small gear gets no more than it needs.
    let mut closest = Closest::new(wanted, (8, 1, 2), 256);
    let ideal = libm::round(libm::sqrt(wanted as f64 / (16.0 * 16.0 * 2.0))) as u64;
    for pieces in (ideal * 2 / 3).max(1)..=(ideal * 3 / 2).max(1) {
        for teeth in 8..=24 {
            let step = 16 * teeth * pieces;
            let bands = ((wanted + step / 2) / step).max(2);
            closest.consider((teeth, pieces, bands), step * bands);
        }
    }
    let (teeth, pieces, bands) = closest.best();
    gear(teeth, pieces, bands)
}

pub(crate) fn pipes_of(wanted: u64, seed: u64) -> Pipes {
    // More triangles are first more and longer pipes, then finer ones.
    let cells_in_all = (wanted / 32).max(1);
    let pipes = (cells_in_all / 10).clamp(1, 12) as u32;
    let longest = (cells_in_all / u64::from(pipes)).clamp(3, 24) as u32;
    let make = |cells: u32, [sections, sides]: [u32; 2]| Pipes {
        size: 2.0,
        radius: 0.3,
        pipes,
        cells,
        sections,
        sides,
        seed,
    };
    let divide = |cells: u32| {
        let ideal = libm::sqrt(wanted as f64 / (f64::from(pipes) * f64::from(cells)));
        pair(wanted, ideal, [1, 3], |a, b| 2 * u64::from(pipes) * b * (a * u64::from(cells) + 1))
    };
    let count = |pipes: &Pipes| pipes.triangle_count().unwrap_or(u64::MAX);
    let first = make(longest, divide(longest));
    let count_of_first = count(&first);
    let mut closest = Closest::new(wanted, first, count_of_first);
    for cells in ((longest / 2).max(3)..longest).rev() {
        let candidate = make(cells, divide(cells));
        let count = count(&candidate);
        closest.consider(candidate, count);
    }
    closest.best()
}
