//! A ray against a triangle in fractions: the half-spaces of the triangle, each as an inequality for the time.

use dashu_int::IBig;
use dashu_ratio::RBig;
use impinge::math::DVec3;

use super::{Convex, cross, dot, minus, sign, whole};

/// When a ray first meets a triangle, and the sign of `normal · direction`.
pub fn triangle(origin: DVec3, direction: DVec3, corners: &[DVec3; 3]) -> Option<(RBig, i32)> {
    let points = whole(&[origin, direction, corners[0], corners[1], corners[2]]);
    let (o, d, t) = (&points[0], &points[1], &points[2..]);
    let convex = Convex::triangle(t);
    let mut from = RBig::ZERO;
    let mut to: Option<RBig> = None;
    for [x, y, z, w] in convex.flat.iter().chain(&convex.proper) {
        // at + rate · t ≥ 0
        let at = x * &o[0] + y * &o[1] + z * &o[2] + w;
        let rate = x * &d[0] + y * &d[1] + z * &d[2];
        match sign(&rate) {
            0 if sign(&at) < 0 => return None,
            0 => {}
            1 => from = from.max(ratio(-at, rate)),
            _ => {
                let end = ratio(at, -rate);
                to = Some(to.map_or(end.clone(), |to| to.min(end)));
            }
        }
    }
    let normal = cross(&minus(&t[1], &t[0]), &minus(&t[2], &t[0]));
    (to.is_none_or(|to| from <= to)).then(|| (from, sign(&dot(&normal, &d[..3]))))
}

/// The numerator over a denominator above zero.
fn ratio(numerator: IBig, denominator: IBig) -> RBig {
    RBig::from_parts(numerator, denominator.try_into().unwrap())
}

/// The exact value of a finite number.
pub fn exact(value: f64) -> RBig {
    RBig::try_from(value).unwrap()
}
