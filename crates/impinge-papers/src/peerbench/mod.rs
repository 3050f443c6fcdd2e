//! impinge as a plug-in of a harness that loads several collision libraries into one process: the C functions that the
//! harness calls. The library is built as a shared object for it.
//!
//! `unsafe` because the interface is C: the harness hands over pointers and lengths.
#![allow(unsafe_code, clippy::missing_safety_doc)]

pub mod broad;
pub mod cast;
mod ray;
pub mod deform;
pub mod distance;

use std::cell::RefCell;
use std::ffi::{c_char, c_void};

use impinge::math::{DAffine3, DMat3, DVec3};
use impinge::model::Purpose;
use impinge::query::{IntersectOptions, ModelPair, Scratch};
use impinge::{Deformable, Mesh, Placement};

/// A triangle mesh.
#[repr(C)]
#[derive(Debug)]
pub struct PbMesh {
    pub(crate) vertices: *const f64,
    pub(crate) vertex_count: u32,
    pub(crate) faces: *const u32,
    pub(crate) face_count: u32,
}

/// A rigid placement: rotation by rows, then translation.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct PbPose {
    pub(crate) rotation: [f64; 9],
    pub(crate) translation: [f64; 3],
}

thread_local! {
    static SCRATCH: RefCell<Scratch> = RefCell::default();
}

// In line for certain: a pose that is far from another need not go through memory.
#[inline(always)]
fn placement(pose: &PbPose) -> Placement {
    let matrix3 = DMat3::from_cols_array(&pose.rotation).transpose();
    let translation = DVec3::from_array(pose.translation);
    match Placement::try_from(DAffine3 { matrix3, translation }) {
        Ok(placement) => placement,
        // The harness has none that is refused.
        Err(_) => std::process::abort(),
    }
}

/// The plug-in's name.
#[unsafe(no_mangle)]
pub extern "C" fn pb_name() -> *const c_char {
    c"impinge".as_ptr()
}

/// What the plug-in is.
#[unsafe(no_mangle)]
pub extern "C" fn pb_info() -> *const c_char {
    c"impinge, f64 exact, 6-DOP tree, surface against surface".as_ptr()
}

/// Prepares a mesh with its tree. What the pointer leads to, here and in all functions below, is a [`Deformable`].
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pb_build(mesh: *const PbMesh) -> *mut c_void {
    let mesh = unsafe { &*mesh };
    let vertices =
        unsafe { std::slice::from_raw_parts(mesh.vertices.cast::<[f64; 3]>(), mesh.vertex_count as usize) };
    let faces =
        unsafe { std::slice::from_raw_parts(mesh.faces.cast::<[u32; 3]>(), mesh.face_count as usize) };
    match Mesh::triangles(vertices, faces.to_vec()) {
        Ok(mesh) => {
            let model = Deformable::new(mesh);
            model.model().prepare(Purpose::BVH);
            Box::into_raw(Box::new(model)).cast()
        }
        Err(_) => std::ptr::null_mut(),
    }
}

/// Frees what [`pb_build`] made.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pb_free(model: *mut c_void) {
    drop(unsafe { Box::from_raw(model.cast::<Deformable>()) });
}

/// Whether the surfaces meet, for many pairs of poses.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pb_collide(
    a: *mut c_void,
    poses_a: *const PbPose,
    b: *mut c_void,
    poses_b: *const PbPose,
    count: i32,
    out: *mut u8,
) {
    let (a, b) = unsafe { (&*a.cast::<Deformable>(), &*b.cast::<Deformable>()) };
    let pair = ModelPair::new(a.model(), b.model());
    let ask = IntersectOptions::new().surface_only(true);
    SCRATCH.with_borrow_mut(|scratch| {
        for i in 0..count as usize {
            let (pose_a, pose_b) = unsafe { (&*poses_a.add(i), &*poses_b.add(i)) };
            let hit = pair.intersects_in([placement(pose_a), placement(pose_b)], ask, scratch);
            unsafe { *out.add(i) = u8::from(hit) };
        }
    });
}

/// All pairs of faces that meet.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pb_pairs(
    a: *mut c_void,
    pose_a: *const PbPose,
    b: *mut c_void,
    pose_b: *const PbPose,
    out: *mut u32,
    capacity: usize,
) -> usize {
    let (a, b) = unsafe { (&*a.cast::<Deformable>(), &*b.cast::<Deformable>()) };
    let (pose_a, pose_b) = unsafe { (&*pose_a, &*pose_b) };
    SCRATCH.with_borrow_mut(|scratch| {
        let ask = IntersectOptions::new().pairs(true).surface_only(true);
        let pairs = a.at(placement(pose_a)).intersect_in(&b.at(placement(pose_b)), ask, scratch).pairs;
        for (i, pair) in pairs.iter().take(capacity).enumerate() {
            unsafe {
                *out.add(2 * i) = pair.face_a;
                *out.add(2 * i + 1) = pair.face_b;
            }
        }
        pairs.len()
    })
}
