//! Boxes along the covariance of triangles (Gottschalk et al. 1996, §4).

use impinge::math::{DMat3, DVec3};

use super::OrientedBox;

/// Half-extents are padded by this: dot products of numbers up to 4 and axes of length 1 are off by less than 32 ε, the rounding into tree
/// coordinates included.
const HALF_PADDING: f64 = 64.0 * f64::EPSILON;

/// Axes whose products are off by more than this are not taken.
const LEAST_ORTHONORMAL: f64 = 16.0 * f64::EPSILON;

/// The mean of triangles, weighted by their areas, and the directions of their spread.
#[derive(Clone, Copy, Debug)]
pub(super) struct Spread {
    pub(super) mean: DVec3,
    pub(super) axes: DMat3,
}

impl Spread {
    /// Of the fans of polygons, given by their corners. Where the areas vanish, of the corners.
    pub(super) fn of<'p>(polygons: impl Iterator<Item = &'p [DVec3]> + Clone) -> Spread {
        let Some(&base) = polygons.clone().find_map(|corners| corners.first()) else {
            return Spread { mean: DVec3::ZERO, axes: DMat3::IDENTITY };
        };
        let (mut weight, mut sum, mut squares) = (0.0, DVec3::ZERO, DMat3::ZERO);
        for corners in polygons.clone() {
            for i in 2..corners.len() {
                let [p, q, r] = [corners[0] - base, corners[i - 1] - base, corners[i] - base];
                let area = 0.5 * (q - p).cross(r - p).length();
                let center = (p + q + r) / 3.0;
                weight += area;
                sum += center * area;
                // The integral of x xᵀ over a triangle is area / 12 · (9 c cᵀ + p pᵀ + q qᵀ + r rᵀ).
                let moment = outer(center) * 9.0 + outer(p) + outer(q) + outer(r);
                squares += moment * (area / 12.0);
            }
        }
        // Less is rounding: then corners count, as for points and segments.
        if weight < 1e-30 {
            (weight, sum, squares) = (0.0, DVec3::ZERO, DMat3::ZERO);
            for &corner in polygons.flatten() {
                weight += 1.0;
                sum += corner - base;
                squares += outer(corner - base);
            }
        }
        let mean = sum / weight;
        let covariance = squares * (1.0 / weight) - outer(mean);
        Spread { mean: mean + base, axes: orthonormal(eigenvectors(covariance)) }
    }
}

impl OrientedBox {
    /// The least box with these axes around points in tree coordinates, padded for rounding.
    pub(super) fn around(axes: DMat3, points: impl Iterator<Item = DVec3>) -> OrientedBox {
        let (mut low, mut high) = (DVec3::INFINITY, DVec3::NEG_INFINITY);
        let turned = axes.transpose();
        for point in points {
            let along = turned * point;
            (low, high) = (low.min(along), high.max(along));
        }
        let center = axes * ((low + high) * 0.5);
        // From the center as it is stored, so that its rounding is part of the extents.
        let middle = turned * center;
        let half = (high - middle).max(middle - low).max(DVec3::ZERO) + HALF_PADDING;
        OrientedBox { axes, center, half }
    }
}

fn outer(v: DVec3) -> DMat3 {
    DMat3::from_cols(v * v.x, v * v.y, v * v.z)
}

/// Columns that are orthonormal up to rounding; the coordinate axes where these are not.
fn orthonormal(axes: DMat3) -> DMat3 {
    let x = axes.x_axis.normalize_or_zero();
    let y = (axes.y_axis - x * x.dot(axes.y_axis)).normalize_or_zero();
    // Once more, for what the first time has left.
    let y = (y - x * x.dot(y)).normalize_or_zero();
    let axes = DMat3::from_cols(x, y, x.cross(y));
    let off = axes.transpose() * axes - DMat3::IDENTITY;
    let largest = [off.x_axis, off.y_axis, off.z_axis].map(|column| column.abs().max_element());
    if largest.into_iter().all(|off| off <= LEAST_ORTHONORMAL) { axes } else { DMat3::IDENTITY }
}

/// The eigenvectors of a symmetric matrix as columns, by rotations of Jacobi.
fn eigenvectors(matrix: DMat3) -> DMat3 {
    let mut a = matrix.to_cols_array_2d();
    let mut vectors = DMat3::IDENTITY.to_cols_array_2d();
    for _ in 0..16 {
        let mut is_diagonal = true;
        for (p, q) in [(0, 1), (0, 2), (1, 2)] {
            if a[p][q].abs() <= 1e-18 * (a[p][p].abs() + a[q][q].abs()) {
                continue;
            }
            is_diagonal = false;
            // The smaller root of t² + 2θt − 1 = 0, without cancellation.
            let theta = (a[q][q] - a[p][p]) / (2.0 * a[p][q]);
            let t = theta.signum() / (theta.abs() + theta.hypot(1.0));
            let cos = 1.0 / t.hypot(1.0);
            let sin = t * cos;
            for row in &mut a {
                (row[p], row[q]) = (cos * row[p] - sin * row[q], sin * row[p] + cos * row[q]);
            }
            for k in 0..3 {
                (a[p][k], a[q][k]) = (cos * a[p][k] - sin * a[q][k], sin * a[p][k] + cos * a[q][k]);
                (vectors[p][k], vectors[q][k]) =
                    (cos * vectors[p][k] - sin * vectors[q][k], sin * vectors[p][k] + cos * vectors[q][k]);
            }
        }
        if is_diagonal {
            break;
        }
    }
    DMat3::from_cols_array_2d(&vectors)
}

#[cfg(test)]
mod tests {
    use super::*;
    use impinge::math::DQuat;

    #[test]
    fn a_turned_rectangle_has_its_own_axes() {
        let turn = DMat3::from_quat(DQuat::from_axis_angle(DVec3::new(1.0, 2.0, 3.0).normalize(), 0.7));
        let corner = |x: f64, y: f64| turn * DVec3::new(0.4 * x, 0.2 * y, 0.1);
        let rectangle = [corner(-1.0, -1.0), corner(1.0, -1.0), corner(1.0, 1.0), corner(-1.0, 1.0)];
        let spread = Spread::of([&rectangle[..]].into_iter());
        assert!((spread.mean - turn * DVec3::new(0.0, 0.0, 0.1)).length() < 1e-15);
        let bounds = OrientedBox::around(spread.axes, rectangle.into_iter());
        let mut half = bounds.half.to_array();
        half.sort_by(f64::total_cmp);
        for (found, known) in half.into_iter().zip([0.0, 0.2, 0.4]) {
            assert!((found - known).abs() < 1e-13, "{half:?}");
        }
    }

    #[test]
    fn what_has_no_area_has_a_box() {
        let point = [DVec3::splat(0.3); 3];
        let segment = [DVec3::splat(-0.5), DVec3::new(0.5, -0.5, 0.1), DVec3::splat(-0.5)];
        for corners in [&point[..], &segment[..], &point[..1]] {
            let spread = Spread::of([corners].into_iter());
            let bounds = OrientedBox::around(spread.axes, corners.iter().copied());
            assert!(bounds.half.is_finite() && bounds.half.min_element() > 0.0);
            let mut half = bounds.half.to_array();
            half.sort_by(f64::total_cmp);
            assert!(half[1] < 1e-12, "{half:?}");
        }
    }
}
