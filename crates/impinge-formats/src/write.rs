//! OBJ and PLY files of a mesh: polygons stay polygons, and every coordinate reads back bit by bit as it was.

use std::fs::{self, File};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

use impinge::Mesh;
use impinge::math::DVec3;

use crate::error::WriteError;

/// Writes a mesh as OBJ, with its groups.
///
/// Line breaks in the names of groups become blanks. Faces in a terrain's holes have no corners and are left out.
pub fn write_obj(path: impl AsRef<Path>, mesh: &Mesh) -> Result<(), WriteError> {
    write_whole(path.as_ref(), |out| {
        for point in mesh.vertices() {
            // The debug form is the shortest that reads back the same, and short for very large numbers too.
            writeln!(out, "v {:?} {:?} {:?}", point.x, point.y, point.z)?;
        }
        let mut groups = mesh.groups().iter().peekable();
        for face in faces(mesh) {
            while let Some(group) = groups.next_if(|group| group.first_face <= face) {
                writeln!(out, "g {}", in_one_line(&group.name))?;
            }
            write!(out, "f")?;
            for vertex in mesh.corners(face) {
                write!(out, " {}", u64::from(vertex) + 1)?;
            }
            writeln!(out)?;
        }
        Ok(())
    })
}

/// Lines through points, such as an intersection curve.
#[derive(Clone, Debug, PartialEq)]
pub struct Polyline<'p> {
    /// A name for the group that the line becomes.
    pub name: &'p str,
    /// The points, the first one not repeated at the end.
    pub points: &'p [DVec3],
    /// Whether the last point is joined to the first.
    pub closed: bool,
}

/// Writes lines as OBJ, each an `l` element in a group of its own.
pub fn write_polylines(path: impl AsRef<Path>, polylines: &[Polyline<'_>]) -> Result<(), WriteError> {
    write_whole(path.as_ref(), |out| {
        let mut first = 1_usize;
        for polyline in polylines {
            writeln!(out, "g {}", in_one_line(polyline.name))?;
            for point in polyline.points {
                writeln!(out, "v {:?} {:?} {:?}", point.x, point.y, point.z)?;
            }
            write!(out, "l")?;
            for index in first..first + polyline.points.len() {
                write!(out, " {index}")?;
            }
            if polyline.closed {
                write!(out, " {first}")?;
            }
            writeln!(out)?;
            first += polyline.points.len();
        }
        Ok(())
    })
}

/// Writes a mesh as binary PLY with coordinates of 64 bits. PLY has no groups.
pub fn write_ply(path: impl AsRef<Path>, mesh: &Mesh) -> Result<(), WriteError> {
    write_whole(path.as_ref(), |out| {
        let most_corners = faces(mesh).map(|face| mesh.corner_count(face)).max().unwrap_or(0);
        let small = most_corners <= usize::from(u8::MAX);
        writeln!(out, "ply\nformat binary_little_endian 1.0\nelement vertex {}", mesh.vertex_count())?;
        writeln!(out, "property double x\nproperty double y\nproperty double z")?;
        writeln!(out, "element face {}", faces(mesh).count())?;
        writeln!(out, "property list {} uint vertex_indices", if small { "uchar" } else { "uint" })?;
        writeln!(out, "end_header")?;
        for value in mesh.vertices().flat_map(|point| point.to_array()) {
            out.write_all(&value.to_le_bytes())?;
        }
        for face in faces(mesh) {
            let count = mesh.corner_count(face) as u32;
            out.write_all(&count.to_le_bytes()[..if small { 1 } else { 4 }])?;
            for vertex in mesh.corners(face) {
                out.write_all(&vertex.to_le_bytes())?;
            }
        }
        Ok(())
    })
}

/// The faces that have corners.
fn faces(mesh: &Mesh) -> impl Iterator<Item = u32> + '_ {
    (0..mesh.face_count() as u32).filter(|&face| mesh.corner_count(face) > 0)
}

fn in_one_line(name: &str) -> String {
    let name: String = name.chars().map(|c| if c.is_control() { ' ' } else { c }).collect();
    // A backslash at the end would swallow the next line.
    name.trim().trim_end_matches('\\').to_owned()
}

/// Writes bytes to a file, whole or not at all; see [`write_whole`].
pub fn write_bytes(path: impl AsRef<Path>, bytes: impl AsRef<[u8]>) -> Result<(), WriteError> {
    write_whole(path.as_ref(), |out| out.write_all(bytes.as_ref()))
}

/// Writes to a new file beside the target and renames it when it is complete, so that nobody ever finds half a file.
///
/// What cannot be replaced, such as a device or a pipe, is written to as it is.
pub fn write_whole(
    path: &Path,
    content: impl FnOnce(&mut BufWriter<File>) -> io::Result<()>,
) -> Result<(), WriteError> {
    let fail = |error| WriteError::new(path, error);
    // A link stays a link: what it points to is replaced.
    let target = fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
    if fs::metadata(&target).is_ok_and(|found| !found.is_file()) {
        // A device or a pipe cannot be replaced, and a folder gives the error that it should.
        return File::options().write(true).open(&target).and_then(|file| fill(file, content)).map_err(fail);
    }
    let (beside, file) = create_beside(&target).map_err(fail)?;
    let written = fill(file, content).and_then(|()| fs::rename(&beside, &target));
    if written.is_err() {
        // The error that matters is the first one.
        let _ = fs::remove_file(&beside);
    }
    written.map_err(fail)
}

fn fill(file: File, content: impl FnOnce(&mut BufWriter<File>) -> io::Result<()>) -> io::Result<()> {
    let mut out = BufWriter::new(file);
    content(&mut out)?;
    out.flush()
}

/// A new file in the target's folder, under a name that nobody uses.
fn create_beside(target: &Path) -> io::Result<(PathBuf, File)> {
    let name = target.file_name().ok_or_else(|| io::Error::other("is not the name of a file"))?;
    for attempt in 0..100 {
        let mut hidden = std::ffi::OsString::from(".");
        hidden.push(name);
        hidden.push(format!(".{}-{attempt}.tmp", std::process::id()));
        let beside = target.with_file_name(hidden);
        match File::create_new(&beside) {
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
            created => return created.map(|file| (beside, file)),
        }
    }
    Err(io::Error::other("too many temporary files beside it"))
}
