//! The side of a directed line on which another passes.

use super::dyadic::Dyadic;
use super::expansion::{Expansion, determinant3, in_range};
use super::sign::Sign;
use super::whole;
use crate::math::DVec3;
use crate::predicates::orient::{FILTER_BOUND, FILTER_UNDERFLOW};

/// The sign of `direction · (a - origin) × (b - origin)`: positive where the segment from `a` to `b`, seen along the
/// direction, turns clockwise about the line; zero exactly where the line and the segment lie in one plane.
///
/// Exchanging `a` and `b` gives the opposite sign, so the two faces along an edge never disagree about a ray.
///
/// ```
/// use impinge_core::math::DVec3;
/// use impinge_core::predicates::{Sign, line_side};
///
/// let (origin, up) = (DVec3::ZERO, DVec3::Z);
/// assert_eq!(line_side(origin, up, DVec3::X, DVec3::Y), Sign::Positive);
/// assert_eq!(line_side(origin, up, DVec3::Y, DVec3::X), Sign::Negative);
/// assert_eq!(line_side(origin, up, DVec3::X, DVec3::new(-7.0, 0.0, 1e300)), Sign::Zero);
/// ```
#[inline]
pub fn line_side(origin: DVec3, direction: DVec3, a: DVec3, b: DVec3) -> Sign {
    let (u, v, w) = (a - origin, b - origin, direction);
    let (yz, zy) = (u.y * v.z, u.z * v.y);
    let (zx, xz) = (u.z * v.x, u.x * v.z);
    let (xy, yx) = (u.x * v.y, u.y * v.x);
    let determinant = w.x * (yz - zy) + w.y * (zx - xz) + w.z * (xy - yx);
    let size = w.abs();
    let permanent =
        size.x * (yz.abs() + zy.abs()) + size.y * (zx.abs() + xz.abs()) + size.z * (xy.abs() + yx.abs());
    // The bound of `orient3d`, which allows for three rows of rounded differences; here there are two.
    let bound = FILTER_BOUND * permanent + FILTER_UNDERFLOW * (1.0 + size.x + size.y + size.z);
    if determinant.abs() > bound { Sign::of(determinant) } else { exact(origin, direction, a, b) }
}

#[cold]
#[inline(never)]
fn exact(origin: DVec3, direction: DVec3, a: DVec3, b: DVec3) -> Sign {
    if [origin, direction, a, b].iter().all(|point| point.to_array().into_iter().all(in_range)) {
        // The direction has a grid of its own: only its sides of planes matter, not its length.
        let points = whole::on_grid([origin, a, b].map(|point| point.to_array()));
        if let (Some([o, a, b]), Some([w])) = (points, whole::on_grid([direction.to_array()])) {
            return whole::determinant3([whole::difference(a, o), whole::difference(b, o), w]);
        }
        let row = |p: DVec3, q: DVec3| std::array::from_fn(|i| Expansion::difference(p[i], q[i]));
        let rows = [row(a, origin), row(b, origin), row(direction, DVec3::ZERO)];
        return Sign::of(determinant3(&rows).leading());
    }
    let exact = |p: DVec3| p.to_array().map(Dyadic::from);
    let (o, w) = (exact(origin), exact(direction));
    let [u, v] = [a, b].map(exact).map(|p| -> [Dyadic; 3] { std::array::from_fn(|i| &p[i] - &o[i]) });
    let minor = |i: usize, j: usize| &(&u[i] * &v[j]) - &(&u[j] * &v[i]);
    let xy = &(&w[0] * &minor(1, 2)) + &(&w[1] * &minor(2, 0));
    (&xy + &(&w[2] * &minor(0, 1))).sign()
}
