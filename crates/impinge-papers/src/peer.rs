//! Other collision libraries, loaded into this process from shared objects that export the C functions which
//! [`peerbench`](crate::peerbench) exports for impinge.
//!
//! `unsafe` because a shared object is taken at its word: that it is what its file name says, and that its functions have
//! the signatures of the interface. Everything else about peers is in safe code, and sees only what is public here.
#![allow(unsafe_code)]

use std::error::Error;
use std::ffi::{CStr, OsStr, c_char, c_void};
use std::fmt;
use std::mem::ManuallyDrop;
use std::path::{Path, PathBuf};

use impinge::math::{DMat3, DVec3};
use impinge::{Mesh, Placement};
use libloading::Library;

use crate::peerbench::{PbMesh, PbPose};

type Build = unsafe extern "C" fn(*const PbMesh) -> *mut c_void;
type Free = unsafe extern "C" fn(*mut c_void);
type Cast =
    unsafe extern "C" fn(*mut c_void, *const PbPose, *mut c_void, *const PbPose, *const f64, i32, *mut f64);
type Collide = unsafe extern "C" fn(*mut c_void, *const PbPose, *mut c_void, *const PbPose, i32, *mut u8);

/// A library that answers whether two meshes collide.
pub struct Peer {
    name: String,
    info: String,
    build: Build,
    free: Free,
    collide: Collide,
    /// Along a line, and turning besides; not every peer can.
    casts: [Option<Cast>; 2],
    /// Never unloaded: a library may have left behind destructors of thread-locals, which run when the thread ends.
    _library: ManuallyDrop<Library>,
}

/// Why a shared object is not a peer.
#[derive(Debug)]
pub struct PeerError {
    /// The file.
    pub file: PathBuf,
    /// What is wrong with it.
    pub reason: String,
}

impl fmt::Display for PeerError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.file.display(), self.reason)
    }
}

impl Error for PeerError {}

impl fmt::Debug for Peer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Peer").field("name", &self.name).field("info", &self.info).finish_non_exhaustive()
    }
}

impl Peer {
    /// Loads the shared object `file`. What its code does when it is loaded is its own affair.
    pub fn load(file: &Path) -> Result<Peer, PeerError> {
        let refusal = |reason: String| PeerError { file: file.to_owned(), reason };
        // A bare name would be looked for in the system's folders.
        let path = file.canonicalize().map_err(|error| refusal(format!("cannot be read: {error}")))?;
        let library =
            open(&path).map_err(|error| refusal(format!("cannot be loaded: {}", in_full(&error))))?;
        let missing = |name: &'static str| {
            move |_| PeerError { file: file.to_owned(), reason: format!("does not export {name}") }
        };
        // SAFETY: the signatures are those of the interface.
        let (build, free, collide) = unsafe {
            (
                *library.get::<Build>(b"pb_build\0").map_err(missing("pb_build"))?,
                *library.get::<Free>(b"pb_free\0").map_err(missing("pb_free"))?,
                *library.get::<Collide>(b"pb_collide\0").map_err(missing("pb_collide"))?,
            )
        };
        // SAFETY: the signatures are those of the interface.
        let casts = unsafe {
            [&b"pb_cast\0"[..], &b"pb_cast_nl\0"[..]]
                .map(|name| library.get::<Cast>(name).ok().map(|cast| *cast))
        };
        // SAFETY: the function has this signature and returns a text that stays where it is.
        let info = unsafe {
            library.get::<unsafe extern "C" fn() -> *const c_char>(b"pb_info\0").ok().map(|info| info())
        };
        let info = info.filter(|text| !text.is_null());
        let info = info.map(|text| unsafe { CStr::from_ptr(text) }.to_string_lossy().into_owned());
        let name = file.file_stem().map(OsStr::to_string_lossy).unwrap_or_default().into_owned();
        let info = info.unwrap_or_default();
        Ok(Peer { name, info, build, free, collide, casts, _library: ManuallyDrop::new(library) })
    }

    /// The name of the file, without its ending: one library may be built in several ways.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// What the library says of itself: version, precision, kind of bounds.
    pub fn info(&self) -> &str {
        &self.info
    }

    /// Makes a mesh of triangles ready for queries; nothing where the library refuses it.
    pub fn prepare(&self, input: &PeerMesh) -> Option<PeerModel<'_>> {
        let mesh = PbMesh {
            vertices: input.vertices.as_ptr().cast(),
            vertex_count: input.vertices.len() as u32,
            faces: input.faces.as_ptr().cast(),
            face_count: input.faces.len() as u32,
        };
        // SAFETY: pointers and counts are those of arrays that outlive the call.
        let model = unsafe { (self.build)(&mesh) };
        (!model.is_null()).then_some(PeerModel { peer: self, model })
    }
}

/// Opens a library so that its symbols neither meet those of other libraries nor of this program.
#[cfg(all(target_os = "linux", target_env = "gnu"))]
fn open(path: &Path) -> Result<Library, libloading::Error> {
    use libloading::os::unix::{Library as UnixLibrary, RTLD_LOCAL, RTLD_NOW};
    /// Own symbols first. Only this C library knows the flag.
    const RTLD_DEEPBIND: i32 = 8;
    // SAFETY: what the library does on loading is what the user who named it asked for.
    unsafe { UnixLibrary::open(Some(path), RTLD_NOW | RTLD_LOCAL | RTLD_DEEPBIND) }.map(Library::from)
}

#[cfg(not(all(target_os = "linux", target_env = "gnu")))]
fn open(path: &Path) -> Result<Library, libloading::Error> {
    // SAFETY: what the library does on loading is what the user who named it asked for.
    unsafe { Library::new(path) }
}

fn in_full(error: &dyn Error) -> String {
    error.source().map_or_else(|| error.to_string(), |source| format!("{error}: {source}"))
}

/// Vertices and triangles as peers take them.
#[derive(Clone, Debug)]
pub struct PeerMesh {
    vertices: Vec<[f64; 3]>,
    faces: Vec<[u32; 3]>,
}

impl PeerMesh {
    /// The triangles of a mesh.
    pub fn of(mesh: &Mesh) -> PeerMesh {
        PeerMesh {
            vertices: mesh.vertices().map(|vertex| vertex.to_array()).collect(),
            faces: (0..mesh.face_count() as u32).flat_map(|face| mesh.fan(face)).collect(),
        }
    }
}

/// A mesh that a peer has prepared.
#[derive(Debug)]
pub struct PeerModel<'p> {
    peer: &'p Peer,
    model: *mut c_void,
}

/// A rigid placement as peers take it.
#[derive(Clone, Copy, Debug)]
#[repr(transparent)]
pub struct PeerPose(PbPose);

impl PeerPose {
    /// The placement, which must be rigid.
    pub fn of(placement: &Placement) -> PeerPose {
        let map = placement.world_from_model();
        let rotation = DMat3::to_cols_array(&map.matrix3.transpose());
        PeerPose(PbPose { rotation, translation: map.translation.to_array() })
    }
}

impl PeerModel<'_> {
    /// Who prepared it.
    pub fn peer(&self) -> &Peer {
        self.peer
    }

    /// Whether the model meets another of the same peer, for one pair of placements after the other: 1 where it does.
    ///
    /// # Panics
    ///
    /// When the lists differ in length, or the models are not of the same peer.
    pub fn collide(&self, own: &[PeerPose], other: &PeerModel<'_>, others: &[PeerPose], answers: &mut [u8]) {
        assert!(own.len() == others.len() && own.len() == answers.len(), "one answer for each pair");
        assert!(std::ptr::eq(self.peer, other.peer), "models of one peer");
        // SAFETY: the models are the peer's own and alive; the lists have the length that is given.
        unsafe {
            (self.peer.collide)(
                self.model,
                own.as_ptr().cast(),
                other.model,
                others.as_ptr().cast(),
                own.len() as i32,
                answers.as_mut_ptr(),
            );
        }
    }
}

impl PeerModel<'_> {
    /// When another model of the same peer meets this one while it moves for a unit of time, along a line or turning about its own
    /// origin besides; below 0 where it does not. Nothing where the peer cannot tell.
    ///
    /// # Panics
    ///
    /// When the models are not of the same peer.
    pub fn cast(
        &self,
        own: &PeerPose,
        other: &PeerModel<'_>,
        others: &PeerPose,
        velocity: DVec3,
        spin: DVec3,
        turns: bool,
    ) -> Option<f64> {
        assert!(std::ptr::eq(self.peer, other.peer), "models of one peer");
        let cast = self.peer.casts[usize::from(turns)]?;
        let numbers = [velocity.to_array(), spin.to_array()].concat();
        let mut time = -1.0;
        // SAFETY: the models are the peer's own and alive; one pose each, three or six numbers, and one answer.
        unsafe {
            cast(self.model, &own.0, other.model, &others.0, numbers.as_ptr(), 1, &mut time);
        }
        Some(time)
    }
}

impl Drop for PeerModel<'_> {
    fn drop(&mut self) {
        // SAFETY: made by this peer, and freed once.
        unsafe { (self.peer.free)(self.model) }
    }
}
