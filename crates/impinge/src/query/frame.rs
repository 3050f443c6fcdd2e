//! The canonical frame of a pair: the one frame in which every engine, and brute force too, places the vertices
//! and decides.
//!
//! It is the frame of the model with more faces, so that the larger one is taken as it is; ties are broken by a hash of
//! the geometry, then by the placements themselves. The rule does not know which model was named first, so A against B
//! and B against A are the same computation, and the distance from the world's origin does not matter.

use std::cmp::Ordering;

use crate::math::{DAffine3, DMat3, DVec3};
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
    /// Whether the frame is the host's own, as it nearly always is.
    is_hosts: bool,
    /// 1, or -1 for a model that is mirrored on its way into the frame.
    pub(super) handedness: [i32; 2],
}

impl Frame {
    pub(super) fn of(a: &Placed<'_>, b: &Placed<'_>) -> Frame {
        Frame::hosted_by(usize::from(host_order(a, b) == Ordering::Less), a, b)
    }

    /// The frame of one of the two, which need not be the canonical one.
    pub(super) fn hosted_by(host: usize, a: &Placed<'_>, b: &Placed<'_>) -> Frame {
        let (hosting, visiting) = if host == 0 { (a, b) } else { (b, a) };
        let host_from_guest = relative(hosting.placement(), visiting.placement());
        let reach = row_sum(&host_from_guest.matrix3) * visiting.model().reach();
        if !(reach + host_from_guest.translation.abs().max_element()).is_finite() {
            return Frame::shrunken_world([a, b], host);
        }
        let mirrored = hosting.placement().is_mirrored() != visiting.placement().is_mirrored();
        let mut frame = Frame {
            frame_from_model: [None; 2],
            shrink: 1.0,
            world_from_frame: *hosting.placement().world_from_model(),
            host,
            is_hosts: true,
            handedness: [1; 2],
        };
        frame.frame_from_model[1 - host] = (host_from_guest != DAffine3::IDENTITY).then_some(host_from_guest);
        frame.handedness[1 - host] = if mirrored { -1 } else { 1 };
        frame
    }

    /// Where the guest's coordinates would overflow in the host's frame: the world, made so small that nothing can. Half of
    /// the shrinking is done to the coordinates and half to the placements, so that neither vanishes.
    #[cold]
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
            is_hosts: false,
            handedness: placed.map(|p| if p.placement().is_mirrored() { -1 } else { 1 }),
        }
    }

    /// The maps between the host's and the guest's own frames, for bounds; `None` where bounds are of no use.
    pub(super) fn maps(&self, host: &Placed<'_>, guest: &Placed<'_>) -> Option<Maps> {
        if !self.is_hosts {
            return None;
        }
        let host_from_guest = self.frame_from_model[1 - self.host].unwrap_or(DAffine3::IDENTITY);
        let guest_from_host = relative(guest.placement(), host.placement());
        let (there, back) = (&host_from_guest, &guest_from_host);
        let reach = guest.model().reach();
        // A placed vertex is rounded four times.
        let error_in_host =
            4.0 * f64::EPSILON * (row_sum(&there.matrix3) * reach + there.translation.abs().max_element());
        // Back in the guest's frame, a common point is also off by what the two maps in a row leave of the identity:
        // computed, with room for the rounding of that computation.
        let residual = row_sum(&(back.matrix3 * there.matrix3 - DMat3::IDENTITY)) * reach
            + (back.matrix3 * there.translation + back.translation).abs().max_element();
        let size = row_sum(&back.matrix3)
            * (row_sum(&there.matrix3) * reach + there.translation.abs().max_element())
            + back.translation.abs().max_element();
        let error_in_guest = residual + 16.0 * f64::EPSILON * size;
        Some(Maps { host_from_guest, guest_from_host, error_in_host, error_in_guest })
    }

    /// The map from the guest's frame to the host's, where that is the frame.
    pub(super) fn host_from_guest(&self) -> Option<DAffine3> {
        self.is_hosts.then(|| self.frame_from_model[1 - self.host].unwrap_or(DAffine3::IDENTITY))
    }

    /// From one model's own frame to this one; `None` where that changes nothing.
    pub(super) fn frame_from_model(&self, side: usize) -> Option<DAffine3> {
        self.frame_from_model[side]
    }

    /// What coordinates are multiplied by before anything else.
    pub(super) fn shrink(&self) -> f64 {
        self.shrink
    }

    pub(super) fn to_world(&self, point_in_frame: DVec3) -> DVec3 {
        self.world_from_frame.transform_point3(point_in_frame)
    }
}

/// The maps between the own frames of two models, and how far any coordinate may be off.
pub(super) struct Maps {
    pub(super) host_from_guest: DAffine3,
    pub(super) guest_from_host: DAffine3,
    pub(super) error_in_host: f64,
    pub(super) error_in_guest: f64,
}

/// The largest sum of a row's magnitudes: how much the matrix can enlarge a largest coordinate.
#[inline(always)]
pub(super) fn row_sum(matrix: &DMat3) -> f64 {
    (matrix.x_axis.abs() + matrix.y_axis.abs() + matrix.z_axis.abs()).max_element()
}

/// Greater when `a` is the host; equal only where it does not matter.
pub(super) fn host_order(a: &Placed<'_>, b: &Placed<'_>) -> Ordering {
    let faces = |placed: &Placed<'_>| placed.model().mesh().face_count();
    let by_faces = faces(a).cmp(&faces(b));
    if by_faces != Ordering::Equal {
        return by_faces;
    }
    let same_model = std::ptr::eq(a.model(), b.model());
    let by_hash = || a.model().geometry_hash().cmp(&b.model().geometry_hash());
    let by_model = if same_model { Ordering::Equal } else { by_hash() };
    by_model.then_with(|| {
        let entries = |placed: &Placed<'_>| placed.placement().world_from_model().to_cols_array();
        let by_entry = entries(a).into_iter().zip(entries(b)).map(|(x, y)| x.total_cmp(&y));
        by_entry.fold(Ordering::Equal, Ordering::then)
    })
}
