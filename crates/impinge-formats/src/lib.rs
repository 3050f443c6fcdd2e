//! Mesh files for [impinge]: OBJ, STL, PLY, OFF, glTF, GLB, 3MF and COLLADA in; OBJ, PLY and GLB out.
//!
//! Numbers stay what they are in the file: coordinates are `f64` (those of `f32` files widened), faces and vertices keep
//! their order and their indices, zero-based. Polygons stay polygons where they are exactly planar and convex; others
//! are split into triangles that carry the polygon's index as their [label](impinge::Mesh::label), and a [`Note`] tells.
//!
//! One thing is changed: a mesh that is not closed is welded within [its rounding](SceneMesh::rounding), where fewer edges are open then.
//! Only vertices on open edges move, each to one with a lower index, and a note tells. A mesh that is closed stays as it is, bit for bit.
//!
//! [`read_mesh`] gives all of a file as one mesh. [`read`] gives a [`Scene`]: each mesh once, and where it stands; of a glTF
//! file also its [animations](Animation), and how skins and morph targets [shape](Deformation) its meshes. A file that is
//! truncated, lies about its size or holds numbers that are no numbers gives a [`ReadError`] that names the file and the line,
//! byte or JSON value.
//!
//! Of glTF 2.0 are read, beside the format itself:
//!
//! | extension | what is read |
//! | --- | --- |
//! | `EXT_mesh_gpu_instancing` | every instance is an [`Instance`] of its own, called `bolt#0` and so on |
//! | `KHR_node_visibility` | hidden nodes and all below them are left out, and a note counts them |
//! | `KHR_mesh_quantization` | integer coordinates, and [half of their step](SceneMesh::rounding) |
//! | `KHR_draco_mesh_compression` | positions, indices, joints and weights, and the step; needs the feature `draco`, which is on by default |
//! | `EXT_meshopt_compression`, `KHR_meshopt_compression` | all modes and filters |
//!
//! Extensions about materials, textures, lights and metadata are passed over. A file that requires any other is refused by its name.
//!
//! Any file may be packed by gzip (`part.stl.gz`). Of a ZIP archive all files of known formats are read, in the order of their names; the
//! buffers of a glTF file may lie in it. What files unpack to is [limited](Limits::memory). Of 3MF the core specification and the paths of the
//! production extension are read, of COLLADA 1.4 and 1.5 the meshes of the scene, at rest and without skins, in UTF-8 or UTF-16. Coordinates stay in
//! [their unit](Scene::unit). STEP, IGES, IFC, FBX and USD files are refused with the name of a program that converts them.
//!
//! ```
//! use impinge_formats::{Format, read_bytes};
//!
//! let file = b"
//!     v 0 0 0
//!     v 1 0 0
//!     v 1 1 0.5
//!     v 0 1 0
//!     f 1 2 3 4
//! ";
//! let scene = read_bytes(file, Format::Obj, "bent.obj").unwrap();
//! let mesh = &scene.meshes[0];
//! assert_eq!(mesh.mesh.face_count(), 2);
//! assert_eq!(mesh.mesh.label(1), 0);
//! assert_eq!(mesh.notes[0].to_string(), "line 6: face 0 is not planar and was split into 2 triangles");
//!
//! let error = read_bytes(b"v 0 0 nan", Format::Obj, "broken.obj").unwrap_err();
//! assert_eq!(error.to_string(), "broken.obj: line 1: z is NaN, which is not a finite number");
//! ```

mod archive;
mod beside;
mod bytes;
mod collada;
mod cracks;
mod deformation;
mod error;
mod faces;
mod foreign;
mod format;
mod glb_animation;
mod glb_binary;
mod gltf;
mod limits;
mod map_rounding;
mod memory;
mod note;
mod obj;
mod off;
mod ply;
mod point_grid;
mod polygon;
mod properties;
mod regular;
mod rounding;
mod scene;
mod stl;
mod text;
mod three_mf;
mod tree;
mod unique_names;
mod write;
mod write_glb;
mod xml;
mod zipped;

use std::path::Path;

pub use deformation::Deformation;
pub use error::{Place, ReadError, ReadErrorKind, WriteError};
pub use format::Format;
pub use glb_animation::{NodeAnimation, NodeKeys};
pub use limits::Limits;
pub use note::{Note, NoteKind};
pub use properties::Properties;
pub use scene::{Animation, Instance, Loaded, Origin, PrimitiveRun, Scene, SceneMesh, WeightTrack};
pub use write::{Polyline, write_bytes, write_obj, write_ply, write_polylines, write_whole};
pub use write_glb::{Node, write_animated_glb, write_glb};

use beside::Beside;
use error::Fault;

/// Reads a file. The format is the one of its extension or, where that is unknown, the one that its content shows.
///
/// Only regular files are read, and buffers of a glTF file only where they lie in its folder; see [`read_with`].
pub fn read(path: &Path) -> Result<Scene, ReadError> {
    read_with(path, Limits::default())
}

/// [`read`] with other limits.
pub fn read_with(path: &Path, limits: Limits) -> Result<Scene, ReadError> {
    let read = read_file(path, limits).map(|(scene, _)| scene);
    read.map_err(|fault| fault.in_file(&path.display().to_string()))
}

/// Whether a file is of a format that only other programs read, by its name: STEP, IGES, IFC, FBX or USD.
pub fn needs_conversion(file: &Path) -> bool {
    let extension = file.extension().and_then(|extension| extension.to_str());
    extension.is_some() && foreign::recognize(extension, &[]).is_some()
}

/// The bytes of a regular file of any kind; folders, pipes, sockets and devices are refused.
pub fn read_regular(path: &Path) -> Result<Vec<u8>, ReadError> {
    let fault = |kind| Fault::new(Place::File, kind).in_file(&path.display().to_string());
    regular::read(path, None).map_err(fault)
}

/// Reads a file of which only the bytes are at hand; `name` is what errors call it. A glTF document whose buffers are
/// files of their own is refused.
pub fn read_bytes(bytes: &[u8], format: Format, name: &str) -> Result<Scene, ReadError> {
    parse(bytes, format, Beside::Nothing, Limits::default()).map_err(|fault| fault.in_file(name))
}

/// Reads a file as one mesh, in the frame of the file or, for glTF, of its default scene: nodes are transformed and
/// follow each other in document order, with one group for each node or copy.
pub fn read_mesh(path: &Path) -> Result<Loaded, ReadError> {
    read_mesh_with(path, Limits::default())
}

/// [`read_mesh`] with other limits.
pub fn read_mesh_with(path: &Path, limits: Limits) -> Result<Loaded, ReadError> {
    let flatten = |(scene, length): (Scene, u64)| scene.flatten(limits.flattened(length));
    read_file(path, limits).and_then(flatten).map_err(|fault| fault.in_file(&path.display().to_string()))
}

/// [`read_mesh`] of a file of which only the bytes are at hand; see [`read_bytes`].
pub fn read_mesh_bytes(bytes: &[u8], format: Format, name: &str) -> Result<Loaded, ReadError> {
    let limits = Limits::default();
    let flatten = |scene: Scene| scene.flatten(limits.flattened(bytes.len() as u64));
    parse(bytes, format, Beside::Nothing, limits).and_then(flatten).map_err(|fault| fault.in_file(name))
}

/// The contents of a file, and how many bytes it has.
fn read_file(path: &Path, limits: Limits) -> Result<(Scene, u64), Fault> {
    let bytes = regular::read(path, None).map_err(|kind| Fault::new(Place::File, kind))?;
    // The parent of a bare file name is the empty path, which joins to the current folder.
    let beside = Beside::Folder(path.parent().unwrap_or(Path::new("")));
    let length = bytes.len() as u64;
    let scene = if archive::is_gzip(&bytes) {
        let unpacked = archive::gunzip(&bytes, limits)?;
        drop(bytes);
        // `part.stl.gz` has an STL file in it.
        let extension = path.extension().and_then(|extension| extension.to_str());
        let is_packed = extension.is_some_and(format::is_gzip_extension);
        let inner = if is_packed { path.with_extension("") } else { path.to_owned() };
        parse(&unpacked, format_of(&inner, &unpacked)?, beside, limits)?
    } else {
        parse(&bytes, format_of(path, &bytes)?, beside, limits)?
    };
    Ok((scene, length))
}

/// The format of a file by its extension or, where that is unknown, by its content.
fn format_of(path: &Path, bytes: &[u8]) -> Result<Format, Fault> {
    let extension = path.extension().and_then(|extension| extension.to_str());
    if let Some(format) = extension.and_then(Format::from_extension) {
        return Ok(format);
    }
    match foreign::recognize(extension, bytes) {
        Some(kind) => Err(Fault::new(Place::File, kind)),
        None => Format::from_content(bytes).ok_or(Fault::new(Place::File, ReadErrorKind::UnknownFormat)),
    }
}

fn parse(bytes: &[u8], format: Format, beside: Beside<'_>, limits: Limits) -> Result<Scene, Fault> {
    let mut scene = match format {
        Format::Obj => obj::read(bytes),
        Format::Stl => stl::read(bytes),
        Format::Ply => ply::read(bytes),
        Format::Off => off::read(bytes),
        // Either extension is found on either form; the first bytes tell.
        Format::Gltf | Format::Glb => gltf::read(bytes, beside, limits),
        Format::Collada => collada::read(bytes, limits),
        // What is in the archive tells the two apart; files within are parsed by this function, too.
        Format::ThreeMf | Format::Zip => zipped::read(bytes, limits),
    }?;
    cracks::close(&mut scene);
    Ok(scene)
}
