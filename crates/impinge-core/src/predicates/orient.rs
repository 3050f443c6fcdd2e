//! The predicates on which every static answer rests: on which side of a plane a point lies, which way three points
//! turn. Right for every finite `f64`, subnormals and 1e300 included.
//!
//! Four stages: the determinant in plain `f64` with a bound on its error (almost always enough); the exact
//! determinant in whole numbers, where all coordinates lie on one grid; as an expansion; and the exact determinant in dyadic numbers, where an expansion could over- or
//! underflow. `docs/math/predicates.md` derives the bounds.

use std::cmp::Ordering;

use super::dyadic::Dyadic;
use super::expansion::{
    Expansion, determinant2, determinant3, exact_differences, in_range, likely_determinant3,
    short_determinant2, short_determinant3,
};
use super::sign::Sign;
use super::whole;
use crate::math::{DVec2, DVec3};

/// The stage of a predicate that decided.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Stage {
    /// `f64` with an error bound, or coordinates that are equal.
    Filter,
    /// Whole numbers, for points on one grid of a power of two.
    Whole,
    /// An exact expansion.
    Expansion,
    /// Exact dyadic numbers, for coordinates beyond the range of expansions.
    Dyadic,
}

/// An axis to look along: [`drop`](Self::drop) removes its coordinate.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Axis {
    /// The first axis.
    X,
    /// The second axis.
    Y,
    /// The third axis.
    Z,
}

impl Axis {
    /// All three axes.
    pub const ALL: [Axis; 3] = [Axis::X, Axis::Y, Axis::Z];

    /// The point as seen along the axis, in a right-handed order of the other two.
    #[inline]
    pub fn drop(self, point: DVec3) -> DVec2 {
        match self {
            Axis::X => DVec2::new(point.y, point.z),
            Axis::Y => DVec2::new(point.z, point.x),
            Axis::Z => DVec2::new(point.x, point.y),
        }
    }
}

/// The padding of the filters for products that underflow: far above the least `f64`, so that it costs no slow
/// subnormal arithmetic, and far below any determinant of ordinary coordinates.
pub const FILTER_UNDERFLOW: f64 = 1e-250;

/// Relative error bound of the 3×3 determinant of rounded differences, times the sum of the sizes of its products.
pub const FILTER_BOUND: f64 = 8.0 * f64::EPSILON / 2.0;

/// Relative error bound of the 2×2 determinant of rounded differences, times the sum of the sizes of its products.
const ORIENT2D_BOUND: f64 = 4.0 * f64::EPSILON / 2.0;

/// The sign of `(b - a) × (c - a) · (d - a)`: positive where `d` lies in front of the plane of `a`, `b`, `c`, which
/// is the side from which they turn counter-clockwise; zero exactly where the four points lie in one plane.
///
/// ```
/// use impinge_core::math::DVec3;
/// use impinge_core::predicates::{Sign, orient3d};
///
/// let [a, b, c] = [DVec3::ZERO, DVec3::X, DVec3::Y];
/// assert_eq!(orient3d(a, b, c, DVec3::Z), Sign::Positive);
/// assert_eq!(orient3d(a, b, c, DVec3::new(0.3, 0.3, -5e-324)), Sign::Negative);
/// assert_eq!(orient3d(a, b, c, DVec3::new(1e300, -7.0, 0.0)), Sign::Zero);
/// ```
#[inline]
pub fn orient3d(a: DVec3, b: DVec3, c: DVec3, d: DVec3) -> Sign {
    match orient3d_filter(a, b, c, d) {
        Some(sign) => sign,
        None => orient3d_exact(a, b, c, d).0,
    }
}

/// [`orient3d`], and which stage decided.
pub fn orient3d_staged(a: DVec3, b: DVec3, c: DVec3, d: DVec3) -> (Sign, Stage) {
    orient3d_filter(a, b, c, d).map_or_else(|| orient3d_exact(a, b, c, d), |sign| (sign, Stage::Filter))
}

/// [`orient3d`] where plain `f64` is certain of it.
#[inline(always)]
pub fn orient3d_filter(a: DVec3, b: DVec3, c: DVec3, d: DVec3) -> Option<Sign> {
    let (u, v, w) = (b - a, c - a, d - a);
    let (yz, zy) = (u.y * v.z, u.z * v.y);
    let (zx, xz) = (u.z * v.x, u.x * v.z);
    let (xy, yx) = (u.x * v.y, u.y * v.x);
    let determinant = w.x * (yz - zy) + w.y * (zx - xz) + w.z * (xy - yx);
    let size = w.abs();
    let permanent =
        size.x * (yz.abs() + zy.abs()) + size.y * (zx.abs() + xz.abs()) + size.z * (xy.abs() + yx.abs());
    let bound = FILTER_BOUND * permanent + FILTER_UNDERFLOW * (1.0 + size.x + size.y + size.z);
    // False for NaN and infinity, so that overflow goes on to the exact stages. An infinite product cannot hide in a
    // finite determinant: it would make the permanent, and so the bound, infinite.
    (determinant.abs() > bound).then(|| Sign::of(determinant))
}

#[cold]
#[inline(never)]
fn orient3d_exact(a: DVec3, b: DVec3, c: DVec3, d: DVec3) -> (Sign, Stage) {
    // What faces in contact are full of: a corner of the plane, edges with a common end, four points in a plane across an axis.
    let is_level = |i: usize| a[i] == b[i] && a[i] == c[i] && a[i] == d[i];
    let is_shared = d == a || d == b || d == c || a == b || a == c || b == c;
    if is_shared || is_level(0) || is_level(1) || is_level(2) {
        return (Sign::Zero, Stage::Filter);
    }
    if [a, b, c, d].iter().all(|point| point.to_array().into_iter().all(in_range)) {
        if let Some([a, b, c, d]) = whole::on_grid([a, b, c, d].map(|point| point.to_array())) {
            let rows = [b, c, d].map(|point| whole::difference(point, a));
            return (whole::determinant3(rows), Stage::Whole);
        }
        let row = |p: DVec3| exact_differences(p.to_array(), a.to_array());
        let sign = match (row(b), row(c), row(d)) {
            (Some(u), Some(v), Some(w)) => {
                let rows = [u, v, w];
                Sign::of(likely_determinant3(&rows).unwrap_or_else(|| short_determinant3(&rows).leading()))
            }
            _ => Sign::of(orient3d_expansion(a, b, c, d).leading()),
        };
        (sign, Stage::Expansion)
    } else {
        (orient3d_dyadic(a, b, c, d).sign(), Stage::Dyadic)
    }
}

fn orient3d_expansion(a: DVec3, b: DVec3, c: DVec3, d: DVec3) -> Expansion<192> {
    let row = |p: DVec3| std::array::from_fn(|i| Expansion::difference(p[i], a[i]));
    determinant3(&[row(b), row(c), row(d)])
}

fn orient3d_dyadic(a: DVec3, b: DVec3, c: DVec3, d: DVec3) -> Dyadic {
    let row =
        |p: DVec3| -> [Dyadic; 3] { std::array::from_fn(|i| &Dyadic::from(p[i]) - &Dyadic::from(a[i])) };
    let (u, v, w) = (row(b), row(c), row(d));
    let minor = |i: usize, j: usize| &(&u[i] * &v[j]) - &(&u[j] * &v[i]);
    let xy = &(&w[0] * &minor(1, 2)) + &(&w[1] * &minor(2, 0));
    &xy + &(&w[2] * &minor(0, 1))
}

/// The sign of `(b - a) × (c - a)`: positive where the three points turn counter-clockwise, zero exactly where they
/// lie on one line.
#[inline]
pub fn orient2d(a: DVec2, b: DVec2, c: DVec2) -> Sign {
    match orient2d_filter(a, b, c) {
        Some(sign) => sign,
        None => orient2d_exact(a, b, c).0,
    }
}

/// [`orient2d`], and which stage decided.
pub fn orient2d_staged(a: DVec2, b: DVec2, c: DVec2) -> (Sign, Stage) {
    orient2d_filter(a, b, c).map_or_else(|| orient2d_exact(a, b, c), |sign| (sign, Stage::Filter))
}

#[inline]
fn orient2d_filter(a: DVec2, b: DVec2, c: DVec2) -> Option<Sign> {
    let (u, v) = (b - a, c - a);
    let (left, right) = (u.x * v.y, u.y * v.x);
    let determinant = left - right;
    let bound = ORIENT2D_BOUND * (left.abs() + right.abs()) + FILTER_UNDERFLOW;
    (determinant.abs() > bound).then(|| Sign::of(determinant))
}

#[cold]
#[inline(never)]
fn orient2d_exact(a: DVec2, b: DVec2, c: DVec2) -> (Sign, Stage) {
    let is_level = |i: usize| a[i] == b[i] && a[i] == c[i];
    if c == a || c == b || a == b || is_level(0) || is_level(1) {
        return (Sign::Zero, Stage::Filter);
    }
    if [a, b, c].iter().all(|point| in_range(point.x) && in_range(point.y)) {
        if let Some([a, b, c]) = whole::on_grid([a, b, c].map(|point| point.to_array())) {
            let rows = [b, c].map(|point| whole::difference(point, a));
            return (whole::determinant2(rows), Stage::Whole);
        }
        let short = |p: DVec2| exact_differences(p.to_array(), a.to_array());
        let sign = if let (Some(u), Some(v)) = (short(b), short(c)) {
            Sign::of(short_determinant2(u[0], u[1], v[0], v[1]).leading())
        } else {
            let row = |p: DVec2| std::array::from_fn(|i| Expansion::difference(p[i], a[i]));
            Sign::of(determinant2(&[row(b), row(c)]).leading())
        };
        (sign, Stage::Expansion)
    } else {
        let row =
            |p: DVec2| -> [Dyadic; 2] { std::array::from_fn(|i| &Dyadic::from(p[i]) - &Dyadic::from(a[i])) };
        let (u, v) = (row(b), row(c));
        ((&(&u[0] * &v[1]) - &(&u[1] * &v[0])).sign(), Stage::Dyadic)
    }
}

/// Whether three points lie on one line (two of them may be equal).
#[inline]
pub fn are_collinear(a: DVec3, b: DVec3, c: DVec3) -> bool {
    Axis::ALL.iter().all(|axis| orient2d(axis.drop(a), axis.drop(b), axis.drop(c)).is_zero())
}

/// The parameter at which the segment from `p` to `q` crosses the plane of three points: in [0, 1], to a few units in
/// its last place however close to parallel they are. `p` and `q` must not lie strictly on the same side, nor both in
/// the plane.
pub fn plane_crossing(plane: [DVec3; 3], p: DVec3, q: DVec3) -> f64 {
    let [a, b, c] = plane;
    let parameter = if [a, b, c, p, q].iter().all(|point| point.to_array().into_iter().all(in_range)) {
        let at_p = orient3d_expansion(a, b, c, p).estimate();
        let at_q = orient3d_expansion(a, b, c, q).estimate();
        at_p / (at_p - at_q)
    } else {
        let (at_p, at_q) = (orient3d_dyadic(a, b, c, p), orient3d_dyadic(a, b, c, q));
        at_p.ratio(&(&at_p - &at_q))
    };
    parameter.clamp(0.0, 1.0)
}

/// The size of a determinant: right to a few units in its last place, and whether it is right to the last bit.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Magnitude {
    /// The size, not below zero.
    pub near: f64,
    is_exact: bool,
}

impl Magnitude {
    fn of<const N: usize>(expansion: &Expansion<N>) -> Magnitude {
        Magnitude { near: expansion.estimate().abs(), is_exact: expansion.is_one_number() }
    }

    /// The distance of two numbers.
    pub fn of_difference(a: f64, b: f64) -> Magnitude {
        let exact = exact_differences([a], [b]);
        Magnitude { near: (a - b).abs(), is_exact: exact.is_some() }
    }

    /// Compares `a / b` with `c / d` for numbers above zero; `None` where that is not certain.
    pub fn compare_ratios([a, b]: [Magnitude; 2], [c, d]: [Magnitude; 2]) -> Option<Ordering> {
        let is_certain = [a, b, c, d].iter().all(|number| number.is_exact && in_range(number.near));
        is_certain.then(|| match Sign::of(short_determinant2(a.near, b.near, c.near, d.near).leading()) {
            Sign::Negative => Ordering::Less,
            Sign::Zero => Ordering::Equal,
            Sign::Positive => Ordering::Greater,
        })
    }
}

/// The size of the determinant behind [`orient3d`]; `None` beyond the range of expansions.
pub fn orient3d_magnitude(a: DVec3, b: DVec3, c: DVec3, d: DVec3) -> Option<Magnitude> {
    let is_in_range = [a, b, c, d].iter().all(|point| point.to_array().into_iter().all(in_range));
    is_in_range.then(|| Magnitude::of(&orient3d_expansion(a, b, c, d)))
}

/// The size of the determinant behind [`orient2d`]; `None` beyond the range of expansions.
pub fn orient2d_magnitude(a: DVec2, b: DVec2, c: DVec2) -> Option<Magnitude> {
    let row = |p: DVec2| std::array::from_fn(|i| Expansion::difference(p[i], a[i]));
    let is_in_range = [a, b, c].iter().all(|point| in_range(point.x) && in_range(point.y));
    is_in_range.then(|| Magnitude::of(&determinant2(&[row(b), row(c)])))
}
