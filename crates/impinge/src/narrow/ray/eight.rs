//! The filter of [`Beam`](super::Beam) for eight rays at once that share the axis they follow most.
//!
//! Plain loops over arrays: compiled for wide registers where they are called from code for them.
#![allow(clippy::needless_range_loop)]

use super::beam::{DEPTH_ROUNDING, EDGE_BOUND, LARGEST_BOUND, LEAST_BOUND};
use crate::math::{DVec3, FILTER_UNDERFLOW};

/// Eight rays, coordinate by coordinate.
#[derive(Clone, Copy, Debug)]
pub(crate) struct EightBeams {
    /// In the order of the axes.
    origins: [[f64; 8]; 3],
    shears: [[f64; 8]; 2],
    per_depth: [f64; 8],
    axes: [usize; 3],
}

/// What the filter makes of a triangle for eight rays.
#[derive(Clone, Copy, Debug)]
pub(crate) struct EightGuesses {
    /// Where it is hit, and how far that may be off; meaningless for the others.
    pub(crate) t: [f64; 8],
    pub(crate) error: [f64; 8],
    /// Above zero where the normal points along the ray.
    pub(crate) heading: [f64; 8],
    /// One bit a ray.
    pub(crate) hit: u32,
    pub(crate) unsure: u32,
}

impl EightBeams {
    /// `axes` are in a right-handed order; all rays follow the last one most.
    #[inline(always)]
    pub(crate) fn new(origins: &[[f64; 8]; 3], directions: &[[f64; 8]; 3], axes: [usize; 3]) -> EightBeams {
        let [x, y, z] = axes;
        let mut beams = EightBeams {
            origins: [origins[x], origins[y], origins[z]],
            shears: [[0.0; 8]; 2],
            per_depth: [0.0; 8],
            axes,
        };
        for i in 0..8 {
            let per_depth = 1.0 / directions[z][i];
            beams.per_depth[i] = per_depth;
            beams.shears[0][i] = directions[x][i] * per_depth;
            beams.shears[1][i] = directions[y][i] * per_depth;
        }
        beams
    }

    /// What plain `f64` can tell about a triangle: the same as `Beam::guess` for each ray.
    #[inline(always)]
    pub(crate) fn guess(&self, corners: &[DVec3; 3]) -> EightGuesses {
        let [i, j, k] = self.axes;
        let at = [corners[0].to_array(), corners[1].to_array(), corners[2].to_array()];
        let mut guesses = EightGuesses { t: [0.0; 8], error: [0.0; 8], heading: [0.0; 8], hit: 0, unsure: 0 };
        let (mut sure, mut inside, mut outside) = ([false; 8], [false; 8], [false; 8]);
        for ray in 0..8 {
            let (mut x, mut y, mut z) = ([0.0; 3], [0.0; 3], [0.0; 3]);
            let mut most = 0.0;
            for corner in 0..3 {
                z[corner] = at[corner][k] - self.origins[2][ray];
                let (from_x, from_y) =
                    (at[corner][i] - self.origins[0][ray], at[corner][j] - self.origins[1][ray]);
                x[corner] = from_x - self.shears[0][ray] * z[corner];
                y[corner] = from_y - self.shears[1][ray] * z[corner];
                most = max(max(most, from_x.abs()), max(from_y.abs(), z[corner].abs()));
            }
            let a = x[1] * y[2] - y[1] * x[2];
            let b = x[2] * y[0] - y[2] * x[0];
            let c = x[0] * y[1] - y[0] * x[1];
            let bound = EDGE_BOUND * most * most + FILTER_UNDERFLOW;
            let (least, largest) = (min(min(a, b), c), max(max(a, b), c));
            let sum = a + b + c;
            let room = sum.abs() - 4.0 * bound;
            let t = (a * z[0] + b * z[1] + c * z[2]) / sum * self.per_depth[ray];
            let error = most * (8.0 * bound / room + DEPTH_ROUNDING) * self.per_depth[ray].abs();
            sure[ray] = (bound > LEAST_BOUND) & (bound < LARGEST_BOUND);
            outside[ray] = (least < -bound) & (largest > bound);
            inside[ray] = ((least > bound) | (largest < -bound)) & (room > 0.0) & (error < f64::INFINITY);
            (guesses.t[ray], guesses.error[ray], guesses.heading[ray]) =
                (t, error, sum * self.per_depth[ray]);
        }
        for ray in 0..8 {
            let (t, error) = (guesses.t[ray], guesses.error[ray]);
            let hit = sure[ray] & inside[ray] & (t > error);
            let miss = sure[ray] & (outside[ray] | inside[ray] & (t < -error));
            guesses.hit |= u32::from(hit) << ray;
            guesses.unsure |= u32::from(!hit & !miss) << ray;
        }
        guesses
    }
}

#[inline(always)]
fn min(a: f64, b: f64) -> f64 {
    if a < b { a } else { b }
}

#[inline(always)]
fn max(a: f64, b: f64) -> f64 {
    if a > b { a } else { b }
}
