//! The faces of a body that stands still, near the way of another: a body within a room, or above a landscape, is far from all of them.

use crate::model::Placed;
use crate::world::body::grown;
use crate::world::travel::Travel;
use impinge_core::bounds::Aabb;
use impinge_core::bvh::NearStack;
use impinge_core::math::{DAffine3, DVec3};

/// How far the way of a body stays from all faces of the larger one of two that stands still, where that is more than `margin`: half as far again. It says
/// nothing about one inside of the other.
pub(super) fn gap(travels: [&Travel; 2], placed: [&Placed<'_>; 2], margin: f64) -> Option<f64> {
    let larger = usize::from(travels[1].radius > travels[0].radius);
    let (still, moving) = (travels[larger], travels[1 - larger]);
    if still.straight != Some(DVec3::ZERO) {
        return None;
    }
    let gap = 1.5 * margin;
    // Faces are those of the core.
    let around = (gap + placed[larger].radius()) * (1.0 + 1e-9);
    let is_near = is_any_near(placed[larger], &grown(moving.bounds, around));
    (!is_near).then_some(gap)
}

/// Whether the bounds of any face overlap a box in the world.
fn is_any_near(placed: &Placed<'_>, bounds: &Aabb) -> bool {
    let (model, placement) = (placed.model(), placed.placement());
    let origin = placement.world_from_model().translation;
    let from_origin = Aabb { min: bounds.min - origin, max: bounds.max - origin };
    let in_model = from_origin.image(&DAffine3::from_mat3(placement.model_from_world_linear()));
    let size = in_model.min.abs().max(in_model.max.abs()).max_element() + model.reach();
    let in_model = grown(in_model, 1e-13 * size);
    let mesh = model.mesh();
    let mut is_any = false;
    model.bvh().for_each_near(&in_model, &mut NearStack::default(), |face| {
        for piece in 0..mesh.fan_count(face) {
            let corners = mesh.fan_triangle(face, piece).map(|vertex| mesh.vertex(vertex));
            is_any = is_any || Aabb::around(corners).overlaps(&in_model);
        }
    });
    is_any
}
