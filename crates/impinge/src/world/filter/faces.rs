//! The faces of a body that stands still, near the way of another: a body within a room, or above a landscape, is far from all of them.

use super::boxes;
use crate::model::Placed;
use crate::world::body::grown;
use crate::world::travel::Travel;
use impinge_core::bounds::Aabb;
use impinge_core::bvh::NearStack;
use impinge_core::math::{DAffine3, DVec3};

/// How far a body on its way stays from all faces of one that stands still.
#[derive(Clone, Copy, Debug)]
pub(super) struct FarFaces {
    pub(super) gap: f64,
    /// A box around the way, into which no face comes: worth remembering, as the next way is likely to be in it too.
    pub(super) clearing: Option<Aabb>,
}

/// The still one of two bodies, of which the way of the other may be far from all faces: the larger, if it stands still.
pub(in crate::world) fn still_side(travels: [&Travel; 2]) -> Option<usize> {
    let larger = usize::from(travels[1].radius > travels[0].radius);
    (travels[larger].straight == Some(DVec3::ZERO)).then_some(larger)
}

/// How far a box without faces around the way of a body keeps it from those faces, where that is more than `margin`.
pub(super) fn gap_within(clearing: &Aabb, travels: [&Travel; 2], margin: f64) -> Option<f64> {
    let still = still_side(travels)?;
    // Faces are those of the core.
    let gap = room(clearing, &travels[1 - still].bounds) - travels[still].rounded_by;
    (gap > margin).then_some(gap)
}

/// How far a way is from the sides of a box around it.
fn room(clearing: &Aabb, way: &Aabb) -> f64 {
    ((way.min - clearing.min).min(clearing.max - way.max)).min_element() * (1.0 - 1e-12)
}

/// How far the way of a body stays from all faces of the larger one of two that stands still, where that is more than `margin`. It says nothing about one
/// inside of the other.
pub(super) fn gap(travels: [&Travel; 2], placed: [&Placed<'_>; 2], margin: f64) -> Option<FarFaces> {
    let still = still_side(travels)?;
    let moving = travels[1 - still];
    let needed = grown(moving.bounds, (margin + travels[still].rounded_by) * (1.0 + 1e-9));
    // Ways to come are as far off as the body is large; what is much smaller than the way grows with that.
    let size = (moving.bounds.max - moving.bounds.min).max_element();
    search(placed[still], moving, &needed, &grown(needed, size), margin)
}

/// Cuts all faces off a box that is larger than needed.
fn search(
    still: &Placed<'_>,
    moving: &Travel,
    needed: &Aabb,
    wanted: &Aabb,
    margin: f64,
) -> Option<FarFaces> {
    let (model, placement) = (still.model(), still.placement());
    let map = placement.world_from_model();
    let origin = map.translation;
    let from_origin = Aabb { min: wanted.min - origin, max: wanted.max - origin };
    let in_model = from_origin.image(&DAffine3::from_mat3(placement.model_from_world_linear()));
    let size = in_model.min.abs().max(in_model.max.abs()).max_element() + model.reach();
    let in_model = grown(in_model, 1e-13 * size);
    let padding = 1e-13 * (origin.abs().max_element() + placement.stretch() * model.reach());
    let mesh = model.mesh();
    let (mut clearing, mut nearest, mut is_near) = (*wanted, f64::INFINITY, false);
    model.bvh().for_each_near(&in_model, &mut NearStack::default(), |face| {
        if is_near {
            return;
        }
        for piece in 0..mesh.fan_count(face) {
            let corners =
                mesh.fan_triangle(face, piece).map(|vertex| map.transform_point3(mesh.vertex(vertex)));
            let bounds = grown(Aabb::around(corners), padding);
            if !bounds.overlaps(&clearing) {
                continue;
            }
            if !bounds.overlaps(needed) {
                clearing = cut(&clearing, needed, &bounds);
                continue;
            }
            match boxes::gap_from_triangle(moving, &corners, still.radius(), padding) {
                Some(gap) if gap > margin => nearest = nearest.min(gap),
                _ => is_near = true,
            }
        }
    });
    if is_near {
        return None;
    }
    let gap = nearest.min(room(&clearing, &moving.bounds) - still.radius());
    let clearing = (nearest == f64::INFINITY).then_some(clearing);
    (gap > margin).then_some(FarFaces { gap, clearing })
}

/// The rest of a box without a face: on the side of the face that leaves most room beyond what is needed.
fn cut(clearing: &Aabb, needed: &Aabb, face: &Aabb) -> Aabb {
    let (above, below) = (face.min - needed.max, needed.min - face.max);
    let (mut best, mut cut) = (f64::NEG_INFINITY, *clearing);
    for axis in 0..3 {
        if above[axis] > best {
            (best, cut) = (above[axis], *clearing);
            cut.max[axis] = clearing.max[axis].min(face.min[axis]);
        }
        if below[axis] > best {
            (best, cut) = (below[axis], *clearing);
            cut.min[axis] = clearing.min[axis].max(face.max[axis]);
        }
    }
    cut
}
