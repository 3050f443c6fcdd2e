//! Sweeps, for the harness: the first model stands still, the second moves for a unit of time.

use std::ffi::c_void;

use impinge::math::DVec3;
use impinge::query::{SweepOptions, SweepStatus};
use impinge::{Deformable, Motion, TransformError};

use super::{PbPose, SCRATCH, placement};

/// Not met.
const CLEAR: f64 = -1.0;

/// When the second model meets the first on its way along a line, for many pairs of poses: -1 where it does not.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pb_cast(
    a: *mut c_void,
    poses_a: *const PbPose,
    b: *mut c_void,
    poses_b: *const PbPose,
    velocities: *const f64,
    count: i32,
    out: *mut f64,
) {
    let motion = |i: usize, _: &PbPose| Motion::translation(unsafe { vector(velocities, 3 * i) });
    unsafe { cast([a, b], [poses_a, poses_b], motion, count, out) };
}

/// The same while it also turns about its own origin: three numbers of velocity and three of angular velocity a row.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pb_cast_nl(
    a: *mut c_void,
    poses_a: *const PbPose,
    b: *mut c_void,
    poses_b: *const PbPose,
    velocities: *const f64,
    count: i32,
    out: *mut f64,
) {
    let motion = |i: usize, pose: &PbPose| {
        let [by, turn] = unsafe { [vector(velocities, 6 * i), vector(velocities, 6 * i + 3)] };
        Motion::rigid(by, DVec3::from_array(pose.translation), turn, turn.length().to_degrees())
    };
    unsafe { cast([a, b], [poses_a, poses_b], motion, count, out) };
}

unsafe fn vector(numbers: *const f64, at: usize) -> DVec3 {
    unsafe { DVec3::new(*numbers.add(at), *numbers.add(at + 1), *numbers.add(at + 2)) }
}

unsafe fn cast(
    models: [*mut c_void; 2],
    poses: [*const PbPose; 2],
    motion: impl Fn(usize, &PbPose) -> Result<Motion, TransformError>,
    count: i32,
    out: *mut f64,
) {
    let [a, b] = models.map(|model| unsafe { &*model.cast::<Deformable>() });
    SCRATCH.with_borrow_mut(|scratch| {
        for i in 0..count as usize {
            let [pose_a, pose_b] = poses.map(|poses| unsafe { &*poses.add(i) });
            let (a, b) = (a.at(placement(pose_a)), b.at(placement(pose_b)));
            let time = motion(i, pose_b).map_or(f64::NAN, |motion| {
                let found = b.sweep_in(&motion, &a, SweepOptions::default(), scratch);
                if found.status == SweepStatus::Clear { CLEAR } else { found.fraction }
            });
            unsafe { *out.add(i) = time };
        }
    });
}
