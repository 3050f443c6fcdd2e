//! Spheres around two bodies.

use crate::world::travel::Travel;
use impinge_core::math::DVec3;

/// How far the spheres stay apart, where that is more than `margin`.
pub(super) fn gap([a, b]: [&Travel; 2], margin: f64) -> Option<f64> {
    let [from, to] = [0, 1].map(|at| b.centers[at] - a.centers[at]);
    let between = nearest(from, to - from);
    let reach = a.radius + b.radius + rounding([a, b]);
    let least = reach + margin;
    // False for NaN and infinity.
    let are_apart = between.length_squared() > least * least * (1.0 + 1e-12);
    are_apart.then(|| between.length() * (1.0 - 1e-12) - reach)
}

/// The point nearest to the origin on a way from a point.
fn nearest(from: DVec3, way: DVec3) -> DVec3 {
    let square = way.length_squared();
    let along = if square > 0.0 { (-from.dot(way) / square).clamp(0.0, 1.0) } else { 0.0 };
    from + way * along
}

/// Whether a sphere that goes along a way stays farther from another than `margin`. Rounding is a part of the margin.
pub(in crate::world) fn passes_by(
    (center, radius): (DVec3, f64),
    way: DVec3,
    (other, other_radius): (DVec3, f64),
    margin: f64,
) -> bool {
    let reach = radius + other_radius + margin;
    // False for NaN and infinity.
    nearest(other - center, -way).length_squared() > reach * reach * (1.0 + 1e-12)
}

fn rounding(travels: [&Travel; 2]) -> f64 {
    let size = |point: DVec3| point.abs().element_sum();
    1e-14 * travels.iter().flat_map(|travel| travel.centers).map(size).sum::<f64>()
}
