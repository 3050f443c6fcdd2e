//! Details of a ray hit: accurate time, barycentric coordinates, unit normal.

use glam::Vec3Swizzles;

use super::beam::EDGE_BOUND;
use super::{Beam, exact_time};
use crate::math::DVec3;
use crate::narrow::winding::{cross, dot, exact, exact_normal};
use crate::predicates::{Dyadic, FILTER_BOUND};

/// The time of a crossing, to about twelve digits however flat the triangle is hit.
#[inline(always)]
pub fn accurate_time(beam: &Beam, corners: &[DVec3; 3]) -> Option<f64> {
    plain_time(beam.origin, beam.direction, corners).or_else(|| rounded_time(beam, corners))
}

/// The time of a crossing, if plain `f64` can tell about twelve digits of it.
#[inline(always)]
pub fn plain_time(origin: DVec3, direction: DVec3, corners: &[DVec3; 3]) -> Option<f64> {
    let [a, b, c] = *corners;
    let (u, v, w) = (b - a, c - a, a - origin);
    let (left, right) = (u.yzx() * v.zxy(), u.zxy() * v.yzx());
    let (normal, size) = (left - right, left.abs() + right.abs());
    let (numerator, denominator) = (normal.dot(w), normal.dot(direction));
    // The bounds of `orient3d`: eight roundings of the products' sizes. Both are to be less than 1e-12 of what they belong to,
    // together.
    let (of_numerator, of_denominator) = (size.dot(w.abs()), size.dot(direction.abs()));
    let error = of_numerator * denominator.abs() + of_denominator * numerator.abs();
    let t = numerator / denominator;
    // False for NaN.
    let is_certain = FILTER_BOUND * error < 1e-12 * (numerator * denominator).abs()
        && w.abs().max_element() < 1e90
        && numerator.abs() > 1e-150
        && denominator.abs() > 1e-150
        && (numerator * denominator).abs() < 1e300;
    if is_certain && (0.0..f64::MAX).contains(&t) { Some(t) } else { None }
}

#[cold]
#[inline(never)]
fn rounded_time(beam: &Beam, corners: &[DVec3; 3]) -> Option<f64> {
    // Beyond the range of numbers only by the rounding of the ratio.
    exact_time(beam, corners).map(|time| time.value().clamp(0.0, f64::MAX))
}

/// The barycentric coordinates of the point where a ray hits a triangle at the time `t`; none is negative.
pub fn barycentric(beam: &Beam, corners: &[DVec3; 3], t: f64) -> [f64; 3] {
    let [i, j, k] = beam.axes.map(usize::from);
    let from = corners.map(|corner| corner - beam.origin);
    let most = from.iter().fold(0.0, |most: f64, from| most.max(from.abs().max_element()));
    let flat = from.map(|p| [p[i] - beam.shear[0] * p[k], p[j] - beam.shear[1] * p[k]]);
    let edge = |a: usize, b: usize| flat[a][0] * flat[b][1] - flat[a][1] * flat[b][0];
    let edges = [edge(1, 2), edge(2, 0), edge(0, 1)];
    let sum = edges[0] + edges[1] + edges[2];
    if sum.abs() > 1e8 * EDGE_BOUND * most * most && sum.abs() > 1e-200 && sum.is_finite() {
        return edges.map(|edge| (edge / sum).clamp(0.0, 1.0));
    }
    exact_weights(beam, corners)
        .unwrap_or_else(|| weights_in_plane(beam.origin + beam.direction * t, corners))
}

/// The exact weights, rounded; none where the ray runs in the plane.
#[cold]
fn exact_weights(beam: &Beam, corners: &[DVec3; 3]) -> Option<[f64; 3]> {
    let (origin, along) = (exact(beam.origin), exact(beam.direction));
    let from = corners.map(|corner| {
        let corner = exact(corner);
        std::array::from_fn(|i| &corner[i] - &origin[i])
    });
    let edge = |a: usize, b: usize| dot(&along, &cross(&from[a], &from[b]));
    let edges: [Dyadic; 3] = [edge(1, 2), edge(2, 0), edge(0, 1)];
    let sum = &(&edges[0] + &edges[1]) + &edges[2];
    (!sum.sign().is_zero()).then(|| edges.map(|edge| edge.ratio(&sum).clamp(0.0, 1.0)))
}

/// The weights of a point of a triangle, as near as `f64` gets.
#[cold]
fn weights_in_plane(point: DVec3, &[a, b, c]: &[DVec3; 3]) -> [f64; 3] {
    // Lengths relative to the longest edge, so that no square over- or underflows.
    let edges = [b - a, c - b, a - c];
    let size = edges.iter().fold(0.0, |most: f64, edge| most.max(edge.abs().max_element()));
    if !(size > 0.0 && size.is_finite()) {
        return [1.0, 0.0, 0.0];
    }
    let (u, v, w) = ((b - a) / size, (c - a) / size, (point - a) / size);
    let normal = u.cross(v);
    let area = normal.length_squared();
    if area > 1e-24 {
        let (of_b, of_c) = (w.cross(v).dot(normal) / area, u.cross(w).dot(normal) / area);
        let barycentric = [1.0 - of_b - of_c, of_b, of_c].map(|weight| weight.clamp(0.0, 1.0));
        let sum = barycentric[0] + barycentric[1] + barycentric[2];
        return barycentric.map(|weight| weight / sum);
    }
    // Along the longest edge.
    let longest = (0..3).max_by(|&i, &j| edges[i].length_squared().total_cmp(&edges[j].length_squared()));
    let i = longest.unwrap_or(0);
    let (start, along) = ([a, b, c][i], edges[i] / size);
    let s = ((point - start) / size).dot(along) / along.length_squared();
    let s = if s.is_finite() { s.clamp(0.0, 1.0) } else { 0.0 };
    let mut barycentric = [0.0; 3];
    (barycentric[i], barycentric[(i + 1) % 3]) = (1.0 - s, s);
    barycentric
}

/// The unit normal of a triangle, on the side from which its corners turn counter-clockwise; none without an area.
pub fn unit_normal(corners: &[DVec3; 3]) -> Option<DVec3> {
    let [a, b, c] = *corners;
    let (u, v) = (b - a, c - a);
    let (size_u, size_v) = (u.abs().max_element(), v.abs().max_element());
    if (1e-140..1e140).contains(&size_u) && (1e-140..1e140).contains(&size_v) {
        let normal = u.cross(v);
        // Differences of rounded products: enough digits are left where the two are not nearly parallel.
        if normal.abs().max_element() > 1e-6 * size_u * size_v {
            return normal.try_normalize();
        }
    }
    let normal = exact_normal(*corners);
    let largest = normal.iter().max_by(|a, b| (*a * *a).cmp(&(*b * *b)))?;
    if largest.sign().is_zero() {
        return None;
    }
    // In multiples of the largest coordinate, then with its sign.
    let ratios = DVec3::from_array(std::array::from_fn(|i| normal[i].ratio(largest)));
    let sign = if largest.sign() == crate::predicates::Sign::Negative { -1.0 } else { 1.0 };
    (ratios * sign).try_normalize()
}
