//! Rays.

use std::ffi::c_void;

use impinge::query::ray::{self, Ray, RayAsk};
use impinge::{Model, Trs};

/// The nearest hits of rays that are given by origin and direction: times and faces, or `u32::MAX` for none.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pb_raycast(
    model: *mut c_void,
    rays: *const f32,
    count: i32,
    times: *mut f32,
    faces: *mut u32,
) {
    let model = unsafe { &*model.cast::<Model>() };
    let count = count as usize;
    let rays = unsafe { std::slice::from_raw_parts(rays.cast::<[[f32; 3]; 2]>(), count) };
    let times = unsafe { std::slice::from_raw_parts_mut(times, count) };
    let faces = unsafe { std::slice::from_raw_parts_mut(faces, count) };
    let placed = model.at(Trs::IDENTITY);
    for (i, [origin, direction]) in rays.iter().enumerate() {
        let hit = Ray::new(origin, direction)
            .ok()
            .and_then(|ray| ray::nearest(&placed, &ray, RayAsk::default(), |_| true));
        (times[i], faces[i]) = hit.map_or((f32::INFINITY, u32::MAX), |hit| (hit.t as f32, hit.face));
    }
}
