//! The canonical frame of a pair: the one frame in which every engine, and brute force too, places the vertices
//! and decides.
//!
//! It is the frame of the model with more faces, so that the larger one is taken as it is; ties are broken by a hash of
//! the geometry, then by the placements themselves. The rule does not know which model was named first, so A against B
//! and B against A are the same computation, and the distance from the world's origin does not matter.

use std::cmp::Ordering;

use crate::math::{DAffine3, DVec3};
use crate::model::Placed;
use crate::transform::relative;

/// The frame of a pair, and how to get into it and out of it.
pub(super) struct Frame {
    /// From each model's own frame to this one; `None` where that changes nothing.
    frame_from_model: [Option<DAffine3>; 2],
    /// What coordinates are multiplied by first: 1, but in a shrunken world.
    shrink: f64,
    world_from_frame: DAffine3,
    /// The model that is looked through first, so that the search, too, does not know which was named first.
    pub(super) host: usize,
    /// 1, or -1 for a model that is mirrored on its way into the frame.
    pub(super) handedness: [i32; 2],
}

impl Frame {
    pub(super) fn of(a: &Placed<'_>, b: &Placed<'_>) -> Frame {
        let host_first = host_order(a, b) != Ordering::Less;
        let (host, guest) = if host_first { (a, b) } else { (b, a) };
        let host_from_guest = relative(host.placement(), guest.placement());
        if !guest.model().bounds().image(&host_from_guest).size().is_finite() {
            return Frame::shrunken_world([a, b], usize::from(!host_first));
        }
        let identity = (host_from_guest != DAffine3::IDENTITY).then_some(host_from_guest);
        let mirrored = host.placement().is_mirrored() != guest.placement().is_mirrored();
        let sign = if mirrored { -1 } else { 1 };
        let world_from_frame = *host.placement().world_from_model();
        let (frame_from_model, handedness) =
            if host_first { ([None, identity], [1, sign]) } else { ([identity, None], [sign, 1]) };
        Frame { frame_from_model, shrink: 1.0, world_from_frame, host: usize::from(!host_first), handedness }
    }

    /// Where the guest's coordinates would overflow in the host's frame: the world, made so small that nothing can. Half of
    /// the shrinking is done to the coordinates and half to the placements, so that neither vanishes.
    fn shrunken_world(placed: [&Placed<'_>; 2], host: usize) -> Frame {
        const HALF: f64 = 4.909_093_465_297_727e-91; // 2^-300
        let shrunken = |placed: &Placed<'_>| {
            let map = placed.placement().world_from_model();
            DAffine3 { matrix3: map.matrix3 * HALF, translation: map.translation * HALF * HALF }
        };
        Frame {
            frame_from_model: placed.map(|placed| Some(shrunken(placed))),
            shrink: HALF,
            world_from_frame: DAffine3::from_scale(DVec3::splat(1.0 / HALF / HALF)),
            host,
            handedness: placed.map(|p| if p.placement().is_mirrored() { -1 } else { 1 }),
        }
    }

    /// The vertices of one of the two models in the frame: what "the placed vertices" means everywhere.
    pub(super) fn vertices(&self, side: usize, placed: &Placed<'_>) -> Vec<DVec3> {
        let points = placed.model().mesh().vertices();
        match &self.frame_from_model[side] {
            None => points.collect(),
            Some(map) => points.map(|point| map.transform_point3(point * self.shrink)).collect(),
        }
    }

    pub(super) fn to_world(&self, point_in_frame: DVec3) -> DVec3 {
        self.world_from_frame.transform_point3(point_in_frame)
    }
}

/// Greater when `a` is the host; equal only where it does not matter.
fn host_order(a: &Placed<'_>, b: &Placed<'_>) -> Ordering {
    let rank = |placed: &Placed<'_>| (placed.model().mesh().face_count(), placed.model().geometry_hash());
    rank(a).cmp(&rank(b)).then_with(|| {
        let entries = |placed: &Placed<'_>| placed.placement().world_from_model().to_cols_array();
        let by_entry = entries(a).into_iter().zip(entries(b)).map(|(x, y)| x.total_cmp(&y));
        by_entry.fold(Ordering::Equal, Ordering::then)
    })
}
