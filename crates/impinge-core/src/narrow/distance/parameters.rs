//! The parameters at which two lines, or a point and a plane, are closest.

use crate::math::DVec3;
use crate::predicates::Twofold;

/// Below this square of the sine between two vectors, parameters are computed with twice the precision.
pub(super) const SKEW: f64 = 1.0 / (1 << 10) as f64;

/// Below this one, the vectors are parallel for all that can be told.
const PARALLEL: f64 = 1.0 / (1_u128 << 100) as f64;

/// The `s` and `t` at which `w + s u - t v` is shortest; `None` where u and v are parallel or have no length.
///
/// With `w` from a point of the second line to one of the first, this is where two lines are closest; with `v` turned
/// around, where a plane is closest to a point.
#[inline]
pub(in crate::narrow) fn shortest(w: DVec3, u: DVec3, v: DVec3) -> Option<[f64; 2]> {
    let (a, b, e) = (u.length_squared(), u.dot(v), v.length_squared());
    let (c, f) = (u.dot(w), v.dot(w));
    let determinant = a * e - b * b;
    let s =
        if determinant > SKEW * (a * e) { (b * f - c * e) / determinant } else { first_of_skew(w, u, v)? };
    // The best for this very s: what s is off by, and t with it, hardly changes the distance.
    Some([s, v.dot(w + u * s) / e])
}

/// The first parameter for vectors that are nearly parallel.
#[cold]
pub(super) fn first_of_skew(w: DVec3, u: DVec3, v: DVec3) -> Option<f64> {
    let (a, b, e) = (Twofold::dot(u, u), Twofold::dot(u, v), Twofold::dot(v, v));
    let (c, f) = (Twofold::dot(u, w), Twofold::dot(v, w));
    let determinant = a.times(e).minus(b.times(b)).value();
    // False where all is zero.
    (determinant > PARALLEL * (a.value() * e.value()))
        .then(|| b.times(f).minus(c.times(e)).value() / determinant)
}

/// The `t` in [0, 1] at which `w + t v` is shortest.
#[inline]
pub(super) fn nearest_on_segment(w: DVec3, v: DVec3) -> f64 {
    let (along, square) = (-v.dot(w), v.length_squared());
    if along <= 0.0 {
        0.0
    } else if along >= square {
        1.0
    } else {
        along / square
    }
}
