//! Translations, decided without rounding: two convex sets of which one moves along a line meet during an interval of time;
//! it is the intersection of the intervals in which their shadows meet, over a complete set of axes.
//!
//! A first look in `f64`, with its error, dismisses most pairs of triangles; whole numbers decide the others.

use std::cell::OnceCell;
use std::cmp::Ordering;

use dashu_int::IBig;
use dashu_ratio::RBig;
use impinge::math::{DAffine3, DVec3};

use super::case::Placed;
use super::geometry::{Triangle, for_each_axis};
use super::number::V;
use impinge::Model;

/// One model on its straight way to another.
pub struct Straight<'a> {
    sides: [(&'a Model, DAffine3); 2],
    by: DVec3,
    /// In `f64`, relative to a corner of the stationary model.
    near: [Vec<V<f64>>; 2],
    triangles: [Vec<[usize; 3]>; 2],
    error: f64,
    whole: OnceCell<Whole>,
}

/// Coordinates as whole numbers, in units of one power of two.
struct Whole {
    points: [Vec<[IBig; 3]>; 2],
    by: [IBig; 3],
}

/// A time as a fraction; the denominator is above 0.
type Time = (IBig, IBig);

fn ratio((above, below): Time) -> RBig {
    RBig::from_parts(above, below.try_into().expect("denominators are above 0"))
}

fn order(a: &Time, b: &Time) -> Ordering {
    (&a.0 * &b.1).cmp(&(&b.0 * &a.1))
}

impl<'a> Straight<'a> {
    pub fn new(moving: (&'a Model, DAffine3), stationary: (&'a Model, DAffine3), by: DVec3) -> Straight<'a> {
        let sides = [moving, stationary];
        let placed = sides.map(|(model, at)| Placed::new(model, &at));
        let origin = placed[1].points[0];
        let near = [0, 1]
            .map(|k| -> Vec<V<f64>> { placed[k].points.iter().map(|&p| (p - origin).rounded()).collect() });
        let size = near.iter().flatten().map(|p| p.values().length()).fold(by.length(), f64::max);
        let [a, b] = placed;
        let triangles = [a.triangles, b.triangles];
        Straight { sides, by, near, triangles, error: 128.0 * f64::EPSILON * size, whole: OnceCell::new() }
    }

    /// The first touch in `[from, to]`, exactly.
    pub fn first_touch(&self, from: f64, to: f64) -> Option<RBig> {
        let mut first: Option<Time> = None;
        self.for_each_candidate(from, to, |pair| {
            if let Some(touch) = self.contact(pair, from, to)
                && first.as_ref().is_none_or(|best| order(&touch, best).is_lt())
            {
                first = Some(touch);
            }
            false
        });
        first.map(ratio)
    }

    /// The same without a first look: every pair in whole numbers.
    pub fn first_touch_of_all_pairs(&self, from: f64, to: f64) -> Option<RBig> {
        let [a, b] = [0, 1].map(|side| 0..self.triangles[side].len());
        let pairs = a.flat_map(|i| b.clone().map(move |j| [i, j]));
        let first = pairs.filter_map(|pair| self.contact(pair, from, to)).min_by(order)?;
        Some(ratio(first))
    }

    /// Whether nothing touches in `[from, to]`.
    pub fn is_clear(&self, from: f64, to: f64) -> bool {
        !self.for_each_candidate(from, to, |pair| self.contact(pair, from, to).is_some())
    }

    /// Pairs of triangles that the first look does not dismiss; stops where `with` says so.
    fn for_each_candidate(&self, from: f64, to: f64, mut with: impl FnMut([usize; 2]) -> bool) -> bool {
        let corners = |side: usize, k: usize| self.triangles[side][k].map(|v| self.near[side][v]);
        for i in 0..self.triangles[0].len() {
            let a = corners(0, i);
            for j in 0..self.triangles[1].len() {
                let b = corners(1, j);
                if !self.dismisses(&a, &b, from, to) && with([i, j]) {
                    return true;
                }
            }
        }
        false
    }

    fn dismisses(&self, a: &Triangle<f64>, b: &Triangle<f64>, from: f64, to: f64) -> bool {
        let (mut enter, mut leave) = (from, to);
        let by = V::of(self.by);
        let mut narrow = |n: V<f64>| {
            let Some(n) = n.unit() else { return false };
            let ([a0, a1], [b0, b1]) = (shadow(a, n), shadow(b, n));
            let (speed, room) = (n.dot(by), self.error);
            if speed.abs() <= room {
                // Too slow to divide by: the speed's own error is in `room`, as times are at most 1.
                return a0 - b1 > 3.0 * room || b0 - a1 > 3.0 * room;
            }
            let (one, other) = ((b0 - a1 - room) / speed, (b1 - a0 + room) / speed);
            let (one, other) =
                if speed > 0.0 { (one, other) } else { ((b1 - a0 + room) / speed, (b0 - a1 - room) / speed) };
            // What the division rounds.
            enter = enter.max(one - 1e-15 * one.abs());
            leave = leave.min(other + 1e-15 * other.abs());
            enter > leave
        };
        (0..3).any(|k| narrow(V::axis(k))) || for_each_axis(a, b, narrow)
    }

    /// The first time in `[from, to]` at which two triangles meet.
    fn contact(&self, [i, j]: [usize; 2], from: f64, to: f64) -> Option<Time> {
        let whole = self.whole.get_or_init(|| self.whole());
        let corners = |side: usize, k: usize| self.triangles[side][k].map(|v| &whole.points[side][v]);
        let (a, b) = (corners(0, i), corners(1, j));
        let (mut enter, mut leave) = (time(from), time(to));
        let mut narrow = |n: &[IBig; 3]| {
            let ([a0, a1], [b0, b1]) = (whole_shadow(a, n), whole_shadow(b, n));
            let speed = dot(n, &whole.by);
            let (first, last) = match speed.cmp(&IBig::ZERO) {
                Ordering::Equal => return a0 > b1 || b0 > a1,
                Ordering::Greater => ((b0 - a1, speed.clone()), (b1 - a0, speed)),
                Ordering::Less => ((a0 - b1, -speed.clone()), (a1 - b0, -speed)),
            };
            if order(&first, &enter).is_gt() {
                enter = first;
            }
            if order(&last, &leave).is_lt() {
                leave = last;
            }
            order(&enter, &leave).is_gt()
        };
        (!any_whole_axis(a, b, &mut narrow)).then_some(enter)
    }

    fn whole(&self) -> Whole {
        let least = |values: &mut dyn Iterator<Item = f64>| {
            values.filter(|&x| x != 0.0).map(|x| parts(x).1).min().unwrap_or(0)
        };
        let mut unit = least(&mut self.by.to_array().into_iter());
        let mut units = [(0, 0, 0); 2];
        for (side, (model, at)) in self.sides.iter().enumerate() {
            let columns = at.to_cols_array();
            units[side] = (
                least(&mut columns[..9].iter().copied()),
                least(&mut model.mesh().vertices().flat_map(|p| p.to_array())),
                least(&mut columns[9..].iter().copied()),
            );
            unit = unit.min(units[side].0 + units[side].1).min(units[side].2);
        }
        let points = [0, 1].map(|side| {
            let (model, at) = &self.sides[side];
            let m = at.to_cols_array();
            model
                .mesh()
                .vertices()
                .map(|p| {
                    std::array::from_fn(|row| {
                        let product = |k: usize| {
                            let ((x, e), (y, f)) = (parts(m[3 * k + row]), parts(p[k]));
                            scaled(IBig::from(x) * y, e + f, unit)
                        };
                        let (t, e) = parts(m[9 + row]);
                        product(0) + product(1) + product(2) + scaled(IBig::from(t), e, unit)
                    })
                })
                .collect()
        });
        let by = self.by.to_array().map(|x| {
            let (m, e) = parts(x);
            scaled(IBig::from(m), e, unit)
        });
        Whole { points, by }
    }
}

fn shadow(t: &Triangle<f64>, n: V<f64>) -> [f64; 2] {
    let [a, b, c] = [n.dot(t[0]), n.dot(t[1]), n.dot(t[2])];
    [a.min(b).min(c), a.max(b).max(c)]
}

/// A finite number as a whole number times a power of two, the whole number odd or 0.
fn parts(value: f64) -> (i64, i32) {
    if value == 0.0 {
        return (0, 0);
    }
    let bits = value.to_bits();
    let exponent = (bits >> 52 & 0x7ff) as i32;
    let fraction = (bits & ((1 << 52) - 1)) as i64;
    let (mantissa, exponent) =
        if exponent == 0 { (fraction, -1074) } else { (fraction | 1 << 52, exponent - 1075) };
    let zeros = mantissa.trailing_zeros();
    let mantissa = mantissa >> zeros;
    (if value < 0.0 { -mantissa } else { mantissa }, exponent + zeros as i32)
}

fn scaled(mantissa: IBig, exponent: i32, unit: i32) -> IBig {
    if mantissa == IBig::ZERO { mantissa } else { mantissa << (exponent - unit) as usize }
}

fn time(t: f64) -> Time {
    let (m, e) = parts(t);
    if e >= 0 {
        (IBig::from(m) << e as usize, IBig::ONE)
    } else {
        (IBig::from(m), IBig::ONE << (-e) as usize)
    }
}

fn minus(a: &[IBig; 3], b: &[IBig; 3]) -> [IBig; 3] {
    std::array::from_fn(|i| &a[i] - &b[i])
}

fn dot(a: &[IBig; 3], b: &[IBig; 3]) -> IBig {
    &a[0] * &b[0] + &a[1] * &b[1] + &a[2] * &b[2]
}

fn cross(a: &[IBig; 3], b: &[IBig; 3]) -> [IBig; 3] {
    std::array::from_fn(|i| {
        let (j, k) = ((i + 1) % 3, (i + 2) % 3);
        &a[j] * &b[k] - &a[k] * &b[j]
    })
}

fn whole_shadow(t: [&[IBig; 3]; 3], n: &[IBig; 3]) -> [IBig; 2] {
    let [a, b, c] = t.map(|p| dot(n, p));
    let (low, high) = if a < b { (a, b) } else { (b, a) };
    if c < low {
        [c, high]
    } else if c > high {
        [low, c]
    } else {
        [low, high]
    }
}

/// [`for_each_axis`] in whole numbers.
fn any_whole_axis(a: [&[IBig; 3]; 3], b: [&[IBig; 3]; 3], with: &mut impl FnMut(&[IBig; 3]) -> bool) -> bool {
    let absent = |v: &[IBig; 3]| v.iter().all(|c| *c == IBig::ZERO);
    let edges: Vec<[IBig; 3]> =
        [a, b].iter().flat_map(|t| (0..3).map(|i| minus(t[(i + 1) % 3], t[i]))).collect();
    let mut plane: Option<[IBig; 3]> = None;
    let mut normals = vec![cross(&edges[0], &edges[1]), cross(&edges[3], &edges[4])];
    for e in &edges[..3] {
        normals.extend(edges[3..].iter().map(|f| cross(e, f)));
    }
    for n in normals {
        if absent(&n) {
            continue;
        }
        if with(&n) {
            return true;
        }
        plane.get_or_insert(n);
    }
    let unit = |k: usize| std::array::from_fn(|i| IBig::from(u8::from(i == k)));
    if let Some(n) = plane {
        return edges.iter().any(|e| !absent(e) && with(&cross(&n, e)));
    }
    if let Some(e) = edges.iter().find(|e| !absent(e)) {
        return with(e) || (0..3).any(|k| with(&cross(e, &unit(k))));
    }
    (0..3).any(|k| with(&unit(k)))
}
