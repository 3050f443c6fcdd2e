//! Oriented boxes around two bodies: the separating axes of two of them, with the path of the one that moves.

use crate::world::travel::Travel;
use impinge_core::math::DVec3;

/// Half of the edges of a box, sheared where its body is, and its middle.
struct Slanted {
    middle: DVec3,
    halves: [DVec3; 3],
}

impl Slanted {
    /// Around a body where it starts; around its whole way for one that turns.
    fn around(travel: &Travel<'_>) -> Slanted {
        if travel.straight.is_none() {
            let half = (travel.bounds.max - travel.bounds.min) / 2.0;
            let halves = [DVec3::X * half.x, DVec3::Y * half.y, DVec3::Z * half.z];
            return Slanted { middle: travel.bounds.center(), halves };
        }
        let map = travel.placed.placement().world_from_model();
        let bounds = travel.placed.model().bounds();
        let half = (bounds.max - bounds.min) / 2.0;
        Slanted {
            middle: map.transform_point3(bounds.center()),
            halves: [map.matrix3.x_axis * half.x, map.matrix3.y_axis * half.y, map.matrix3.z_axis * half.z],
        }
    }

    fn reach(&self, axis: DVec3) -> f64 {
        self.halves.iter().map(|half| half.dot(axis).abs()).sum()
    }

    /// Across its sides.
    fn normals(&self) -> [DVec3; 3] {
        let [x, y, z] = self.halves;
        [y.cross(z), z.cross(x), x.cross(y)]
    }
}

/// Whether an axis separates the boxes on the whole way, by more than `margin`.
pub(super) fn are_apart(moving: &Travel<'_>, still: &Travel<'_>, margin: f64) -> bool {
    let (a, b) = (Slanted::around(moving), Slanted::around(still));
    let way = moving.straight.unwrap_or(DVec3::ZERO);
    let between = b.middle - a.middle;
    // What rounding can do to points of that size, and all that is computed from them.
    let size = a.middle.abs().element_sum() + b.middle.abs().element_sum() + way.abs().element_sum();
    let room = margin + 1e-13 * (size + moving.radius + still.radius);
    let separates = |axis: DVec3| {
        let length = axis.length();
        let (gap, along) = (between.dot(axis), way.dot(axis));
        // The gap along the way, from its start to its end.
        let [least, most] = [gap.min(gap - along), gap.max(gap - along)];
        let reach = a.reach(axis) + b.reach(axis) + room * length;
        length > 0.0 && (least > reach || most < -reach)
    };
    if a.normals().into_iter().chain(b.normals()).any(separates) {
        return true;
    }
    a.halves.iter().any(|u| b.halves.iter().any(|v| separates(u.cross(*v))))
}
