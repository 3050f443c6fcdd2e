//! Oriented boxes around two bodies: the separating axes of two of them, at the start and at the end of their ways.
//!
//! Along an axis that stands still, the gap between two bodies whose points go along straight lines is at any time at least what lies between the gaps at the
//! start and at the end, in proportion to the time. Points leave their chords by at most a bulge. So an axis with both gaps on the same side
//! separates the two on the whole way by at least the lesser gap, less both bulges.

use crate::world::travel::{OrientedBox, Travel};
use impinge_core::math::DVec3;

fn reach(OrientedBox { halves: [x, y, z], .. }: &OrientedBox, axis: DVec3) -> f64 {
    x.dot(axis).abs() + y.dot(axis).abs() + z.dot(axis).abs()
}

/// Across the sides of a box.
fn normals(OrientedBox { halves: [x, y, z], .. }: &OrientedBox) -> [DVec3; 3] {
    [y.cross(*z), z.cross(*x), x.cross(*y)]
}

/// How far apart an axis shows the boxes to be on the whole way, where that is more than `margin`.
pub(super) fn gap([a, b]: [&Travel; 2], margin: f64) -> Option<f64> {
    let between = [0, 1].map(|at| b.boxes[at].middle - a.boxes[at].middle);
    // What rounding can do to points of that size, and all that is computed from them.
    let size = |travel: &Travel| {
        let middles = travel.boxes.each_ref().map(|boxed| boxed.middle.abs().element_sum());
        middles[0] + middles[1] + travel.radius
    };
    let padding = a.bulge + b.bulge + a.rounded_by + b.rounded_by + 1e-13 * (size(a) + size(b));
    let turns = [a, b].map(|travel| travel.straight.is_none());
    let along = |axis: DVec3| {
        let [first, last] = between.map(|between| between.dot(axis));
        if first * last <= 0.0 {
            return None;
        }
        let reaches = [reach(&a.boxes[0], axis), reach(&b.boxes[0], axis)];
        let at_end = [
            if turns[0] { reach(&a.boxes[1], axis) } else { reaches[0] },
            if turns[1] { reach(&b.boxes[1], axis) } else { reaches[1] },
        ];
        let least = (first.abs() - (reaches[0] + reaches[1])).min(last.abs() - (at_end[0] + at_end[1]));
        if least <= 0.0 {
            return None;
        }
        let gap = least / axis.length() - padding;
        // False where the axis is none.
        (gap > margin && gap.is_finite()).then_some(gap)
    };
    if let Some(gap) = normals(&a.boxes[0]).into_iter().chain(normals(&b.boxes[0])).find_map(along) {
        return Some(gap);
    }
    a.boxes[0].halves.iter().find_map(|u| b.boxes[0].halves.iter().find_map(|v| along(u.cross(*v))))
}
