//! Wavefront OBJ: vertices, faces of any size, and the names of groups and objects.
//!
//! Texture coordinates, normals, colors, weights, materials and smoothing groups do not matter for collisions and are
//! passed over. Lines, points, curves and statements that are not understood are counted in the notes.

use impinge::math::DVec3;

use crate::error::{Fault, Place, ReadErrorKind};
use crate::faces::FaceList;
use crate::memory;
use crate::note::Tally;
use crate::rounding::{self, Digits};
use crate::text::{Lines, Words, parse_integer, shown, without_comment};
use crate::{Format, Scene};

#[derive(Default)]
struct Reader {
    vertices: Vec<DVec3>,
    digits: Digits,
    faces: FaceList,
    /// The line of each face.
    lines: Vec<u32>,
    line_elements: Tally,
    point_elements: Tally,
    curves: Tally,
    unknown: Tally,
}

pub(crate) fn read(bytes: &[u8]) -> Result<Scene, Fault> {
    let mut reader = Reader::default();
    let mut lines = Lines::new(bytes);
    while let Some(line) = lines.next() {
        let (text, number) = (line.rest(), lines.number());
        if continues(text) {
            let joined = join(text, &mut lines);
            reader.statement(Words::new(&joined, number))?;
        } else {
            reader.statement(line)?;
        }
    }
    let rounding = reader.digits.rounding(rounding::largest(reader.vertices.iter().copied()));
    let lines = reader.lines;
    let place_of = |face: usize| lines.get(face).map_or(Place::File, |&line| Place::Line(line));
    let (mesh, mut notes) = reader.faces.build(reader.vertices, 1, place_of)?;
    notes.extend(reader.line_elements.note("line elements"));
    notes.extend(reader.point_elements.note("point elements"));
    notes.extend(reader.curves.left_out("statements for curves and surfaces"));
    notes.extend(reader.unknown.left_out("statements that are not understood"));
    Ok(Scene::of_mesh(Format::Obj, mesh, rounding, notes))
}

/// Whether a line goes on in the next one. A backslash in a comment does not count.
fn continues(line: &[u8]) -> bool {
    line.trim_ascii_end().ends_with(b"\\") && !line.trim_ascii_start().starts_with(b"#")
}

/// A line and those that continue it, with blanks where the backslashes were.
fn join(first: &[u8], lines: &mut Lines<'_>) -> Vec<u8> {
    let mut joined = Vec::new();
    let mut part = first;
    while continues(part) {
        let part_end = part.trim_ascii_end();
        joined.extend_from_slice(&part_end[..part_end.len() - 1]);
        joined.push(b' ');
        part = lines.next().map_or(&[], |line| line.rest());
    }
    joined.extend_from_slice(part);
    joined
}

impl Reader {
    fn statement(&mut self, line: Words<'_>) -> Result<(), Fault> {
        let mut names = line;
        let keyword = names.next().unwrap_or_default();
        // Names may hold `#`, so only other statements lose their comments.
        let place = line.place();
        let mut words = Words::new(without_comment(names.rest()), line.line());
        match keyword {
            b"v" => {
                let point = words.point(&mut self.digits)?;
                memory::push(&mut self.vertices, point)?;
            }
            b"f" | b"fo" => self.face(words)?,
            b"g" | b"o" => self.faces.start_group(names.name()),
            b"l" => self.line_elements.add(place),
            b"p" => self.point_elements.add(place),
            b"vt" | b"vn" | b"vp" | b"usemtl" | b"mtllib" | b"s" | b"mg" | b"lod" | b"usemap" | b"maplib"
            | b"bevel" | b"c_interp" | b"d_interp" | b"shadow_obj" | b"trace_obj" => {}
            b"cstype" | b"deg" | b"bmat" | b"step" | b"curv" | b"curv2" | b"surf" | b"parm" | b"trim"
            | b"hole" | b"scrv" | b"sp" | b"con" | b"end" | b"bzp" | b"bsp" | b"cdc" | b"cdp" | b"res"
            | b"ctech" | b"stech" => self.curves.add(place),
            _ if keyword.is_empty() || keyword.starts_with(b"#") => {}
            _ => self.unknown.add(place),
        }
        Ok(())
    }

    fn face(&mut self, words: Words<'_>) -> Result<(), Fault> {
        let (place, line) = (words.place(), words.line());
        for word in words {
            let index = self.index(word, &place)?;
            self.faces.corner(index)?;
        }
        if self.faces.end_face()? == 0 {
            return Err(Fault::malformed(place, "a face has no corners"));
        }
        memory::push(&mut self.lines, line)
    }

    /// The zero-based vertex of a corner written as `v`, `v/vt`, `v//vn` or `v/vt/vn`, counted from the first vertex
    /// or, when negative, back from the last one so far. Whether it exists is known only at the end of the file.
    fn index(&self, word: &[u8], place: &Place) -> Result<u32, Fault> {
        let number = word.split(|&byte| byte == b'/').next().unwrap_or_default();
        let index = parse_integer(number).ok_or_else(|| {
            let what = format!("a face's corner is `{}`, which is not a vertex index", shown(word));
            Fault::malformed(place.clone(), what)
        })?;
        let count = self.vertices.len();
        let from_start = if index < 0 { (count as i64).checked_add(index) } else { index.checked_sub(1) };
        from_start.and_then(|index| u32::try_from(index).ok()).ok_or_else(|| {
            if index == 0 {
                return Fault::malformed(place.clone(), "a face's corner is vertex 0, but OBJ counts from 1");
            }
            Fault::new(place.clone(), ReadErrorKind::IndexOutOfRange { what: "vertex", index, count })
        })
    }
}
