//! Refits: the same faces, other positions.

use std::ffi::c_void;

use impinge::Deformable;
use impinge::model::Purpose;

/// Moves all vertices of what `pb_build` made, and refits its tree at once.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pb_refit(model: *mut c_void, vertices: *const f64) {
    let deformable = unsafe { &mut *model.cast::<Deformable>() };
    let count = deformable.model().mesh().vertex_count();
    let vertices = unsafe { std::slice::from_raw_parts(vertices.cast::<[f64; 3]>(), count) };
    if deformable.set_vertices(vertices).is_ok() {
        deformable.prepare(Purpose::BVH);
    }
}
