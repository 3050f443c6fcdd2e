//! The broad phase: boxes that all move, step by step.

use std::ffi::c_void;

use impinge::bounds::Aabb;
use impinge::broad_phase::BroadPhase;
use impinge::math::DVec3;

/// Boxes from six numbers each, numbered from zero.
unsafe fn boxes<'b>(count: i32, numbers: *const f32) -> impl Iterator<Item = (u32, Aabb)> + 'b {
    let numbers = unsafe { std::slice::from_raw_parts(numbers.cast::<[f32; 6]>(), count as usize) };
    let point = |x: f32, y: f32, z: f32| DVec3::new(x.into(), y.into(), z.into());
    (0..)
        .zip(numbers.iter().map(move |n| Aabb { min: point(n[0], n[1], n[2]), max: point(n[3], n[4], n[5]) }))
}

/// A broad phase over boxes of six numbers each.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pb_bp_new(count: i32, numbers: *const f32) -> *mut c_void {
    let mut broad = BroadPhase::new();
    let inserted = unsafe { boxes(count, numbers) }.try_for_each(|(id, bounds)| broad.insert(id, bounds));
    broad.step();
    if inserted.is_ok() { Box::into_raw(Box::new(broad)).cast() } else { std::ptr::null_mut() }
}

/// Moves all boxes, and returns how many pairs overlap.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pb_bp_step(broad: *mut c_void, count: i32, numbers: *const f32) -> usize {
    let broad = unsafe { &mut *broad.cast::<BroadPhase>() };
    let moved = unsafe { boxes(count, numbers) }.try_for_each(|(id, bounds)| broad.move_to(id, bounds));
    if moved.is_ok() { broad.step().pairs.len() } else { usize::MAX }
}

/// Frees what [`pb_bp_new`] made.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pb_bp_free(broad: *mut c_void) {
    drop(unsafe { Box::from_raw(broad.cast::<BroadPhase>()) });
}
