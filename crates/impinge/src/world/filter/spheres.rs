//! Spheres around two bodies.

use crate::world::travel::Travel;
use impinge_core::math::DVec3;

/// Whether the spheres stay apart by more than `margin`.
pub(super) fn are_apart(moving: &Travel<'_>, still: &Travel<'_>, margin: f64) -> bool {
    let [from, to] = moving.centers;
    let (way, arm) = (to - from, still.centers[0] - from);
    let square = way.length_squared();
    let along = if square > 0.0 { (arm.dot(way) / square).clamp(0.0, 1.0) } else { 0.0 };
    let between = arm - way * along;
    let reach = moving.radius + still.radius + margin + rounding(moving, still);
    // False for NaN and infinity.
    between.length_squared() > reach * reach * (1.0 + 1e-12)
}

fn rounding(moving: &Travel<'_>, still: &Travel<'_>) -> f64 {
    let size = |point: DVec3| point.abs().element_sum();
    1e-14 * (size(moving.centers[0]) + size(moving.centers[1]) + size(still.centers[0]))
}
