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
        Frame { frame_from_model, world_from_frame, host: usize::from(!host_first), handedness }
    }

    /// Where the guest's coordinates would overflow in the host's frame: the world, made so small that nothing can.
    fn shrunken_world(placed: [&Placed<'_>; 2], host: usize) -> Frame {
        const SHRINK: i32 = 600;
        let shrunken = |factor: i32, map: &DAffine3| {
            let scale = f64::from(factor).exp2();
            DAffine3 { matrix3: map.matrix3 * scale, translation: map.translation * scale }
        };
        Frame {
            frame_from_model: placed.map(|p| Some(shrunken(-SHRINK, p.placement().world_from_model()))),
            world_from_frame: shrunken(SHRINK, &DAffine3::IDENTITY),
            host,
            handedness: placed.map(|p| if p.placement().is_mirrored() { -1 } else { 1 }),
        }
    }

    /// From one model's own frame to this one; `None` where that changes nothing.
    pub(super) fn frame_from_model(&self, side: usize) -> Option<DAffine3> {
        self.frame_from_model[side]
    }

    /// The maps between the two models' own frames, with what they may be off where the two meet in this frame.
    pub(super) fn between(&self, placed: [&Placed<'_>; 2]) -> Maps {
        let [a, b] = placed.map(Placed::placement);
        let (a_from_b, b_from_a) = (relative(a, b), relative(b, a));
        // A placed vertex is rounded three times; through the other map, that and the product of the two maps, which is
        // not exactly the identity, are what a common point may be off.
        let sizes = placed.map(|p| {
            let bounds = p.model().bounds();
            bounds.min.abs().max(bounds.max.abs())
        });
        let error = |map: &DAffine3, back: &DAffine3, from: DVec3, to: DVec3| {
            let image = abs(map) * from + map.translation.abs();
            let rounding = image * (8.0 * f64::EPSILON);
            // Going there and back: map(back(x)) - x.
            let residual = map.matrix3 * back.matrix3 - DMat3::IDENTITY;
            let size = abs(map) * (abs(back) * to + back.translation.abs()) + map.translation.abs();
            abs_matrix(&residual) * to
                + (map.matrix3 * back.translation + map.translation).abs()
                + size * (16.0 * f64::EPSILON)
                + rounding
        };
        Maps {
            error_in_a: error(&a_from_b, &b_from_a, sizes[1], sizes[0]),
            error_in_b: error(&b_from_a, &a_from_b, sizes[0], sizes[1]),
            a_from_b,
            b_from_a,
        }
    }

    /// The vertices of one of the two models in the frame: what "the placed vertices" means everywhere.
    pub(super) fn vertices(&self, side: usize, placed: &Placed<'_>) -> Vec<DVec3> {
        let points = placed.model().mesh().vertices();
        match &self.frame_from_model[side] {
            None => points.collect(),
            Some(map) => points.map(|point| map.transform_point3(point)).collect(),
        }
    }

    pub(super) fn to_world(&self, point_in_frame: DVec3) -> DVec3 {
        self.world_from_frame.transform_point3(point_in_frame)
    }
}

/// The maps between the own frames of two models, and how far off they may be in each coordinate.
pub(super) struct Maps {
    pub(super) a_from_b: DAffine3,
    pub(super) b_from_a: DAffine3,
    pub(super) error_in_a: DVec3,
    pub(super) error_in_b: DVec3,
}

fn abs(map: &DAffine3) -> DMat3 {
    abs_matrix(&map.matrix3)
}

fn abs_matrix(matrix: &DMat3) -> DMat3 {
    DMat3::from_cols(matrix.x_axis.abs(), matrix.y_axis.abs(), matrix.z_axis.abs())
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
