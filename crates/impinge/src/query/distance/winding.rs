//! The generalized winding number: how much of the view from a point is covered by a surface, front or back (Jacobson,
//! Kavan and Sorkine-Hornung, *Robust Inside-Outside Segmentation using Generalized Winding Numbers*, 2013).

use std::f64::consts::TAU;

use crate::model::Placed;
use crate::pair::surface::{FaceSource, TreeFacets};
use crate::query::solid;
use impinge_core::math::{DAffine3, DVec3};
use impinge_core::narrow::winding::half_solid_angle;

/// The generalized winding number of a point.
pub(super) fn winding_number(placed: &Placed<'_>, point_in_world: DVec3) -> Option<f64> {
    let placement = placed.placement();
    let map = placement.world_from_model();
    let from_point = DAffine3 { matrix3: map.matrix3, translation: map.translation - point_in_world };
    let mesh = placed.model().mesh();
    // Large and small models alike: angles do not depend on the unit.
    let reach = from_point.matrix3.abs().mul_vec3(DVec3::splat(placed.model().reach())).max_element()
        + from_point.translation.abs().max_element();
    if !(point_in_world.is_finite() && reach.is_finite()) {
        return None;
    }
    let unit = if reach > 0.0 { libm::ldexp(1.0, -libm::ilogb(reach).clamp(-1000, 1000)) } else { 1.0 };
    // Closed parts go around a point a whole number of times.
    let (mut sum, mut closed) = (0.0, 0);
    let model = placed.model();
    if model.has_solid() {
        let facets = TreeFacets::new(FaceSource::mapped(model, None, 1.0), model.bvh(), None);
        closed = solid::winding_around(&facets, placement.point_to_model(point_in_world));
    }
    let is_closed = model.is_closed();
    let open = (0..mesh.face_count() as u32).filter(|&face| !is_closed && !model.is_closed_face(face));
    for face in open {
        for triangle in mesh.fan(face) {
            let corners = triangle.map(|vertex| from_point.transform_point3(mesh.vertex(vertex)) * unit);
            sum += half_solid_angle(corners);
        }
    }
    // Mirroring turns faces around; a model does not lose its inside by it.
    Some(if placement.is_mirrored() { -sum } else { sum } / TAU + f64::from(closed))
}
