//! Distances, for the harness.

use std::ffi::c_void;

use impinge::Deformable;
use impinge::query::{DistanceOptions, ModelPair};

use super::{PbPose, SCRATCH, placement};

/// The least distance of the surfaces, for many pairs of poses.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pb_distance(
    a: *mut c_void,
    poses_a: *const PbPose,
    b: *mut c_void,
    poses_b: *const PbPose,
    count: i32,
    out: *mut f64,
) {
    let (a, b) = unsafe { (&*a.cast::<Deformable>(), &*b.cast::<Deformable>()) };
    let pair = ModelPair::new(a.model(), b.model());
    let ask = DistanceOptions::new().surface_only(true);
    SCRATCH.with_borrow_mut(|scratch| {
        for i in 0..count as usize {
            let (pose_a, pose_b) = unsafe { (&*poses_a.add(i), &*poses_b.add(i)) };
            let found = pair.distance_in([placement(pose_a), placement(pose_b)], ask, scratch);
            unsafe { *out.add(i) = found.map_or(f64::INFINITY, |found| found.distance) };
        }
    });
}
