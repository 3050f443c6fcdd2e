//! Triangles against solid volumes, decided exactly: boxes, planes, convex sets of half-spaces, balls and capsules
//! (Maia et al. 2006, §3.4).
//!
//! Four triangles at a time are looked at in lanes of `f64`, with bounds on all errors; what stays undecided, which is
//! only what touches to within rounding, is looked at alone and at last decided by arithmetic without rounding. A
//! triangle is solid too: one that lies wholly inside touches, and so does one that contains the volume. Triangles without
//! area are segments and points. `docs/math/volume-frames.md` derives the tests.

mod cuboid;
mod exact;
mod round;
mod sides;

use crate::math::DVec3;
use crate::simd::{Lanes, Portable};

/// Four triangles, coordinate by coordinate: `[corner][axis][triangle]`.
pub type FourTriangles = [[[f64; 4]; 3]; 3];

/// A half-space: all points x with `normal · x ≤ offset`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Side {
    /// The outward normal, of any length but 0.
    pub normal: DVec3,
    /// The offset of the plane, in multiples of the normal.
    pub offset: f64,
}

/// A solid volume in the frame in which its description is simplest. All numbers are finite.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Solid {
    /// The points between two corners.
    Box {
        /// The corner of least coordinates.
        low: DVec3,
        /// The corner of greatest coordinates.
        high: DVec3,
    },
    /// The points of a plane: `normal · x = offset`.
    Plane(Side),
    /// The points that are behind all of up to six planes.
    Sides([Option<Side>; 6]),
    /// The points within a radius of the segment from the origin to the end of `axis`; a ball where that is 0.
    Round {
        /// The end of the segment that starts at the origin.
        axis: DVec3,
        /// The radius, at least 0.
        radius: f64,
    },
}

/// The triangles, of four, that certainly touch and those that certainly do not; one bit a triangle.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Decided {
    /// The triangles that certainly touch.
    pub touching: u32,
    /// The triangles that certainly do not touch.
    pub apart: u32,
}

/// The relative error of one rounding.
const UNIT: f64 = f64::EPSILON / 2.0;

/// Covers what underflow can take from sums of products.
const UNDERFLOW: f64 = 1e-250;

impl Solid {
    /// Whether a triangle and the volume share a point. Exact for every finite input.
    ///
    /// ```
    /// use impinge_core::math::DVec3;
    /// use impinge_core::narrow::volume::Solid;
    ///
    /// let triangle = [DVec3::new(3.0, 0.0, 0.0), DVec3::new(0.0, 3.0, 0.0), DVec3::new(0.0, 0.0, 3.0)];
    /// assert!(Solid::Box { low: DVec3::ZERO, high: DVec3::ONE }.touches(&triangle));
    /// let next = 1_f64.next_down();
    /// assert!(!Solid::Box { low: DVec3::ZERO, high: DVec3::new(1.0, 1.0, next) }.touches(&triangle));
    /// ```
    pub fn touches(&self, triangle: &[DVec3; 3]) -> bool {
        let four: FourTriangles = triangle.map(|corner| corner.to_array().map(|coordinate| [coordinate; 4]));
        let decided = self.look::<Portable>(&four);
        if (decided.touching | decided.apart) & 1 == 0 {
            self.touches_closely(triangle)
        } else {
            decided.touching & 1 == 1
        }
    }

    /// Tests four triangles at once in `f64`, and decides those that are certain.
    #[inline(always)]
    pub fn look<L: Lanes>(&self, triangles: &FourTriangles) -> Decided {
        match self {
            Solid::Box { low, high } => cuboid::look::<L>(low, high, triangles),
            Solid::Plane(plane) => sides::look_at_plane::<L>(plane, triangles),
            Solid::Sides(list) => sides::look::<L>(list, triangles),
            Solid::Round { axis, radius } => round::look::<L>(axis, *radius, triangles),
        }
    }

    /// Whether a triangle that [`look`](Self::look) did not decide touches.
    #[inline(never)]
    pub fn touches_closely(&self, triangle: &[DVec3; 3]) -> bool {
        let second_look = match self {
            Solid::Box { .. } | Solid::Plane(_) => None,
            Solid::Sides(list) => sides::look_closely(list, triangle),
            Solid::Round { axis, radius } => round::look_closely(*axis, *radius, triangle),
        };
        second_look.unwrap_or_else(|| self.touches_exactly(triangle))
    }

    /// [`touches`](Self::touches) by arithmetic without rounding alone. Slow.
    pub fn touches_exactly(&self, triangle: &[DVec3; 3]) -> bool {
        match self {
            Solid::Box { low, high } => exact::cuboid(*low, *high, triangle),
            Solid::Plane(plane) => exact::plane(plane, triangle),
            Solid::Sides(list) => exact::sides(list, triangle),
            Solid::Round { axis, radius } => exact::round(*axis, *radius, triangle),
        }
    }
}

/// `(a, b, c)` of all four triangles, of corner `corner`.
#[inline(always)]
fn corner<L: Lanes>(triangles: &FourTriangles, corner: usize) -> [L::F64x4; 3] {
    let of = &triangles[corner];
    [L::f64x4_load(&of[0]), L::f64x4_load(&of[1]), L::f64x4_load(&of[2])]
}

#[inline(always)]
fn sub<L: Lanes>(a: [L::F64x4; 3], b: [L::F64x4; 3]) -> [L::F64x4; 3] {
    [L::f64x4_sub(a[0], b[0]), L::f64x4_sub(a[1], b[1]), L::f64x4_sub(a[2], b[2])]
}

#[inline(always)]
fn dot<L: Lanes>(a: [L::F64x4; 3], b: [L::F64x4; 3]) -> L::F64x4 {
    let xy = L::f64x4_add(L::f64x4_mul(a[0], b[0]), L::f64x4_mul(a[1], b[1]));
    L::f64x4_add(xy, L::f64x4_mul(a[2], b[2]))
}

#[inline(always)]
fn abs<L: Lanes>(a: [L::F64x4; 3]) -> [L::F64x4; 3] {
    [L::f64x4_abs(a[0]), L::f64x4_abs(a[1]), L::f64x4_abs(a[2])]
}

#[inline(always)]
fn splat<L: Lanes>(vector: DVec3) -> [L::F64x4; 3] {
    [L::f64x4_splat(vector.x), L::f64x4_splat(vector.y), L::f64x4_splat(vector.z)]
}

/// The least and the greatest of three.
#[inline(always)]
fn range<L: Lanes>(a: L::F64x4, b: L::F64x4, c: L::F64x4) -> (L::F64x4, L::F64x4) {
    (L::f64x4_min(L::f64x4_min(a, b), c), L::f64x4_max(L::f64x4_max(a, b), c))
}

const ALL: u32 = 0b1111;
