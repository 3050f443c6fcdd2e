//! The filter: a ray against a triangle in `f64`, with bounds on what rounding may have done.

use crate::math::DVec3;
use crate::predicates::{FILTER_UNDERFLOW, Sign};

/// A ray made ready for many triangles: seen along the axis that it follows most, after a shear that makes it that axis.
#[derive(Clone, Copy, Debug)]
pub struct Beam {
    /// The start of the ray.
    pub origin: DVec3,
    /// The direction of the ray; not zero.
    pub direction: DVec3,
    /// The axes in a right-handed order; the last is the one that the ray follows most.
    pub axes: [u8; 3],
    /// The first two coordinates of the direction, in multiples of the last.
    pub(super) shear: [f64; 2],
    /// One over the direction's coordinate along the last axis.
    pub(super) per_depth: f64,
}

/// The intersection of a ray with a triangle.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Crossing {
    /// The ray parameter, in multiples of the direction.
    pub t: f64,
    /// The error bound of `t`.
    pub error: f64,
    /// The sign of `normal · direction`: negative where the ray comes from the front; zero where it runs in the
    /// triangle's plane, or the triangle has no area.
    pub heading: Sign,
}

/// The filter's answer about a triangle.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Guess {
    Miss,
    Hit(Crossing),
    Unsure,
}

/// The error bound of an edge function, in multiples of the largest difference of coordinates, squared.
pub(super) const EDGE_BOUND: f64 = 80.0 * f64::EPSILON / 2.0;
/// The least bound: from here to the largest, no product of three coordinates overflows or loses bits that count to underflow.
pub(super) const LEAST_BOUND: f64 = 1e-190;
pub(super) const LARGEST_BOUND: f64 = 1e180;
/// The error bound of the depth: see [`Beam::guess`].
pub(super) const DEPTH_ROUNDING: f64 = 16.0 * f64::EPSILON / 2.0;

impl Beam {
    /// A ray from `origin` along `direction`, both finite and the latter not zero.
    #[inline(always)]
    pub fn new(origin: DVec3, direction: DVec3) -> Beam {
        let size = direction.abs();
        let last = if size.x >= size.y && size.x >= size.z {
            0
        } else if size.y >= size.z {
            1
        } else {
            2
        };
        let axes = [[1, 2, 0], [2, 0, 1], [0, 1, 2]][last];
        let [x, y, z] = axes.map(|axis: u8| direction.to_array()[axis as usize]);
        let per_depth = 1.0 / z;
        Beam { origin, direction, axes, shear: [x * per_depth, y * per_depth], per_depth }
    }

    /// Tests a triangle in plain `f64`, and says so where that cannot tell.
    #[inline(always)]
    pub fn guess(&self, corners: &[DVec3; 3]) -> Guess {
        let [i, j, k] = self.axes.map(usize::from);
        let origin = self.origin.to_array();
        let (origin_x, origin_y, origin_z) = (origin[i], origin[j], origin[k]);
        let mut most = 0.0;
        let (mut flat, mut depth) = ([[0.0; 2]; 3], [0.0; 3]);
        for corner in 0..3 {
            let at = corners[corner].to_array();
            let (x, y, z) = (at[i] - origin_x, at[j] - origin_y, at[k] - origin_z);
            depth[corner] = z;
            flat[corner] = [x - self.shear[0] * z, y - self.shear[1] * z];
            most = max(most, max(max(x.abs(), y.abs()), z.abs()));
        }
        let edge = |a: usize, b: usize| flat[a][0] * flat[b][1] - flat[a][1] * flat[b][0];
        let edges = [edge(1, 2), edge(2, 0), edge(0, 1)];
        let bound = EDGE_BOUND * most * most + FILTER_UNDERFLOW;
        if !(bound > LEAST_BOUND && bound < LARGEST_BOUND) {
            return Guess::Unsure;
        }
        let least = min(min(edges[0], edges[1]), edges[2]);
        let largest = max(max(edges[0], edges[1]), edges[2]);
        if least < -bound && largest > bound {
            return Guess::Miss;
        }
        if !(least > bound || largest < -bound) {
            return Guess::Unsure;
        }
        let sum = edges[0] + edges[1] + edges[2];
        // The sum is off by three bounds and its own roundings.
        let room = sum.abs() - 4.0 * bound;
        let t = (edges[0] * depth[0] + edges[1] * depth[1] + edges[2] * depth[2]) / sum * self.per_depth;
        let error = most * (8.0 * bound / room + DEPTH_ROUNDING) * self.per_depth.abs();
        if !(room > 0.0 && error < f64::INFINITY) {
            Guess::Unsure
        } else if t > error {
            let heading = Sign::of(sum * self.per_depth);
            Guess::Hit(Crossing { t, error, heading })
        } else if t < -error {
            Guess::Miss
        } else {
            Guess::Unsure
        }
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
