//! Rays.

use std::ffi::c_void;

use impinge::Trs;
use impinge::model::Deformable;
use impinge::query::{FirstFace, Ray, RayOptions};

/// The answer for a ray that hits nothing.
const MISS: FirstFace = FirstFace { face: u32::MAX, t: f64::INFINITY };

/// Rays that are cast together.
const SHARE: usize = 1024;

/// The nearest hits of rays that are given by origin and direction: times and faces, or `u32::MAX` for none.
#[unsafe(no_mangle)]
pub(super) unsafe extern "C" fn pb_raycast(
    model: *mut c_void,
    rays: *const f32,
    count: i32,
    times: *mut f32,
    faces: *mut u32,
) {
    let model = unsafe { &*model.cast::<Deformable>() }.model();
    let count = count as usize;
    let rays = unsafe { std::slice::from_raw_parts(rays.cast::<[[f32; 3]; 2]>(), count) };
    let times = unsafe { std::slice::from_raw_parts_mut(times, count) };
    let faces = unsafe { std::slice::from_raw_parts_mut(faces, count) };
    let placed = model.at(Trs::IDENTITY);
    // In shares that stay in the cache.
    let mut share = Vec::with_capacity(SHARE);
    let mut answers = [None; SHARE];
    for (i, rays) in rays.chunks(SHARE).enumerate() {
        share.clear();
        for [origin, direction] in rays {
            // The harness has none that is refused; such a ray would lead away from everything.
            let ray = Ray::new(origin, direction).or_else(|_| Ray::new([0.0; 3], [1.0; 3])?.up_to(0.0));
            if let Ok(ray) = ray {
                share.push(ray);
            }
        }
        let answers = &mut answers[..share.len()];
        placed.cast_rays_into(&share, RayOptions::default(), answers);
        for (j, answer) in answers.iter().enumerate() {
            // Without a branch: whether a ray hits is as good as chance.
            let FirstFace { face, t, .. } = answer.unwrap_or(MISS);
            (times[SHARE * i + j], faces[SHARE * i + j]) = (t as f32, face);
        }
    }
}
