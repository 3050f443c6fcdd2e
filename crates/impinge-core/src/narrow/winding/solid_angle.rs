//! The solid angle of a triangle.

use crate::math::DVec3;

/// Half the solid angle of a triangle seen from the origin: above zero where its corners are seen clockwise, from behind
/// (van Oosterom and Strackee, 1983). 0 where the origin lies in the triangle or on its rim.
pub fn half_solid_angle([a, b, c]: [DVec3; 3]) -> f64 {
    let (la, lb, lc) = (a.length(), b.length(), c.length());
    let volume = a.dot(b.cross(c));
    let denominator = la * lb * lc + a.dot(b) * lc + b.dot(c) * la + c.dot(a) * lb;
    if volume == 0.0 && denominator <= 0.0 {
        return 0.0;
    }
    libm::atan2(volume, denominator)
}
