//! OFF, also with colors, normals or texture coordinates (`COFF`, `NOFF`, `STOFF` and their combinations), which are
//! passed over. One vertex or face a line; what follows its numbers is a color.

use crate::error::{Fault, Place, ReadErrorKind};
use crate::faces::FaceList;
use crate::memory;
use crate::rounding::{self, Digits};
use crate::text::{Lines, Words, believable, shown};
use crate::{Format, Scene};

/// The least bytes that a vertex or a face takes: a digit, a blank or line end.
const LEAST_ROW: usize = 2;

pub(crate) fn read(bytes: &[u8]) -> Result<Scene, Fault> {
    let mut lines = Lines::new(bytes);
    let [vertex_count, face_count] = counts(&mut lines)?;
    let left = lines.rest().len();
    if vertex_count.saturating_add(face_count) > left / LEAST_ROW + 1 {
        let needed = (vertex_count as u64).saturating_add(face_count as u64).saturating_mul(LEAST_ROW as u64);
        let what = format!("a list of {vertex_count} vertices and {face_count} faces");
        return Err(Fault::truncated(Place::Line(lines.number()), what, needed, left as u64));
    }
    if face_count == 0 {
        return Err(Fault::no_faces());
    }

    let mut vertices = memory::with_capacity(believable(vertex_count, left, LEAST_ROW))?;
    let mut digits = Digits::default();
    for vertex in 0..vertex_count {
        let mut line = next_row(&mut lines, "vertices", vertex, vertex_count)?;
        memory::push(&mut vertices, line.point(&mut digits)?)?;
    }
    let mut faces = FaceList::default();
    faces.reserve(believable(face_count, lines.rest().len(), LEAST_ROW))?;
    let mut face_lines = memory::with_capacity(believable(face_count, lines.rest().len(), LEAST_ROW))?;
    for face in 0..face_count {
        let mut line = next_row(&mut lines, "faces", face, face_count)?;
        let corners = line.number_of("the number of corners")?;
        if corners == 0 {
            return Err(Fault::malformed(line.place(), "a face has no corners"));
        }
        for _ in 0..corners {
            let index = line.integer("a corner of a face")?;
            let kind = ReadErrorKind::IndexOutOfRange { what: "vertex", index, count: vertex_count };
            faces.corner(u32::try_from(index).map_err(|_| Fault::new(line.place(), kind))?)?;
        }
        faces.end_face()?;
        memory::push(&mut face_lines, line.line())?;
    }
    let place_of = |face: usize| face_lines.get(face).map_or(Place::File, |&line| Place::Line(line));
    let rounding = digits.rounding(rounding::largest(vertices.iter().copied()));
    let (mesh, notes) = faces.build(vertices, 0, place_of)?;
    Ok(Scene::of_mesh(Format::Off, mesh, rounding, notes))
}

/// Whether a file starts with the keyword of OFF or of a variant.
pub(crate) fn has_keyword(start: &[u8]) -> bool {
    let first = Lines::new(start).next_filled().and_then(|mut line| line.next());
    first.is_some_and(|word| word.ends_with(b"OFF"))
}

/// The numbers of vertices and faces, on the keyword's line or the next one. The keyword may be missing.
fn counts(lines: &mut Lines<'_>) -> Result<[usize; 2], Fault> {
    let missing = |line| Fault::malformed(Place::Line(line), "the numbers of vertices and faces are missing");
    let mut line = lines.next_filled().ok_or_else(Fault::no_faces)?;
    let mut after_keyword = line;
    let word = after_keyword.next().unwrap_or_default();
    if let Some(prefix) = word.strip_suffix(b"OFF") {
        if !matches!(prefix, b"" | b"C" | b"N" | b"CN" | b"ST" | b"STC" | b"STN" | b"STCN") {
            let what = format!("`{}` has vertices of other than three dimensions", shown(word));
            return Err(Fault::unsupported(line.place(), what));
        }
        line = after_keyword;
        if line.rest().trim_ascii().is_empty() {
            line = lines.next_filled().ok_or_else(|| missing(lines.number()))?;
        }
        let mut peek = line;
        if peek.next() == Some(b"BINARY") {
            return Err(Fault::unsupported(line.place(), "binary OFF files are not supported"));
        }
    } else if !word.first().is_some_and(u8::is_ascii_digit) {
        let what = format!("the file starts with `{}` instead of `OFF`", shown(word));
        return Err(Fault::malformed(line.place(), what));
    }
    // The number of edges that follows is often missing or wrong, and nothing depends on it.
    Ok([line.number_of("the number of vertices")?, line.number_of("the number of faces")?])
}

fn next_row<'a>(lines: &mut Lines<'a>, what: &str, read: usize, claimed: usize) -> Result<Words<'a>, Fault> {
    let line = lines.next_filled();
    line.ok_or_else(|| {
        let what = format!("the file ends after {read} of {claimed} {what}");
        Fault::malformed(Place::Line(lines.number()), what)
    })
}
