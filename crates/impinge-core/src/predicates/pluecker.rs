//! Lines in Plücker coordinates (van Waveren 2005, §2.1).
//!
//! A line is its direction and its moment about the origin. The permuted inner product of two lines tells on which side they
//! pass each other: its size is the volume between two pairs of points, six times over.

use crate::math::DVec3;

/// A directed line.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PlueckerLine {
    /// The vector from the first point to the second.
    pub direction: DVec3,
    /// The moment about the origin: the cross product of the first point and the second.
    pub moment: DVec3,
}

impl PlueckerLine {
    /// The line from `a` to `b`. That from `b` to `a` is exactly the opposite: faces that share an edge see the same
    /// numbers, but for their sign, and leave no crack between them.
    #[inline(always)]
    pub fn through(a: DVec3, b: DVec3) -> PlueckerLine {
        PlueckerLine { direction: b - a, moment: a.cross(b) }
    }

    /// The line through `a` along a direction, as the path of a moving point.
    #[inline(always)]
    pub fn along(a: DVec3, direction: DVec3) -> PlueckerLine {
        PlueckerLine { direction, moment: a.cross(direction) }
    }

    /// The side on which this line passes another: greater than zero where the other runs around it by the right-hand rule, zero
    /// where the two intersect or are parallel. It is symmetric, and changes its sign exactly when one line is reversed.
    #[inline(always)]
    pub fn side(&self, other: &PlueckerLine) -> f64 {
        self.direction.dot(other.moment) + other.direction.dot(self.moment)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::predicates::{Sign, orient3d};

    fn numbers(seed: u64) -> impl FnMut() -> f64 {
        let mut state = seed;
        move || {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (state >> 11) as f64 / (1_u64 << 52) as f64 - 1.0
        }
    }

    #[test]
    fn reversal_is_exact_and_the_side_is_that_of_the_tetrahedron() {
        let mut number = numbers(5);
        let mut point = || DVec3::new(number(), number(), number());
        for _ in 0..10_000 {
            let [a, b, c, d] = [point(), point(), point(), point()];
            let (ab, cd) = (PlueckerLine::through(a, b), PlueckerLine::through(c, d));
            let side = ab.side(&cd);
            assert_eq!(side, cd.side(&ab));
            assert_eq!(side, -PlueckerLine::through(b, a).side(&cd));
            assert_eq!(side, -ab.side(&PlueckerLine::through(d, c)));
            let determinant = (b - a).cross(c - a).dot(d - a);
            assert!((side - determinant).abs() < 64.0 * f64::EPSILON, "{side} {determinant}");
            if side.abs() > 64.0 * f64::EPSILON {
                assert_eq!(side > 0.0, orient3d(a, b, c, d) == Sign::Positive);
            }
            let path = PlueckerLine::along(a, b - a);
            assert!((path.side(&cd) - side).abs() < 64.0 * f64::EPSILON);
        }
    }
}
