//! STL, text and binary. Three vertices of its own make each triangle; nothing is merged.

use impinge::Mesh;
use impinge::math::DVec3;
use impinge::mesh::Group;

use crate::bytes::Bytes;
use crate::error::{Fault, Place};
use crate::memory;
use crate::note::Note;
use crate::rounding::{self, Digits};
use crate::text::{Lines, believable, shown};
use crate::{Format, Scene};

/// The comment of 80 bytes in front of a binary file, and the count behind it.
const HEADER: usize = 84;
/// A normal, three corners and two bytes of attributes.
const FACET: usize = 50;

pub(crate) fn read(bytes: &[u8]) -> Result<Scene, Fault> {
    if !is_binary_of_this_length(bytes) && is_text(bytes) { read_text(bytes) } else { read_binary(bytes) }
}

/// Whether the count of a binary file fits the length of this one. Binary files that start with `solid` exist, so
/// this is asked before anything else.
pub(crate) fn is_binary_of_this_length(bytes: &[u8]) -> bool {
    let count = bytes.get(80..HEADER).and_then(|count| count.try_into().ok()).map(u32::from_le_bytes);
    count.is_some_and(|count| u64::from(count) * FACET as u64 + HEADER as u64 == bytes.len() as u64)
}

/// Whether the start is `solid` and text. A binary header has zeros somewhere behind that word.
pub(crate) fn is_text(bytes: &[u8]) -> bool {
    let start = &bytes[..bytes.len().min(512)];
    let start = start.strip_prefix(b"\xef\xbb\xbf").unwrap_or(start).trim_ascii_start();
    let solid = start.get(..5).is_some_and(|word| word.eq_ignore_ascii_case(b"solid"));
    solid && start.iter().all(|&byte| byte >= b' ' || byte.is_ascii_whitespace())
}

fn read_binary(bytes: &[u8]) -> Result<Scene, Fault> {
    let mut input = Bytes::new(bytes, 0);
    input.take(80, "the header of a binary STL file")?;
    let count = input.u32("the number of facets")? as usize;
    if count == 0 {
        return Err(Fault::no_faces());
    }
    input.need(count as u64 * FACET as u64, &format!("a list of {count} facets"))?;
    let mut vertices = memory::with_capacity(count * 3)?;
    for _ in 0..count {
        input.take(12, "a normal")?;
        for _ in 0..3 {
            vertices.push(DVec3::new(input.finite_f32("x")?, input.finite_f32("y")?, input.finite_f32("z")?));
        }
        input.take(2, "the attributes of a facet")?;
    }
    let mut notes = Vec::new();
    if input.left() > 0 {
        let (place, what, count) = (input.place(), "bytes behind the last facet", input.left() as usize);
        // As many as a facet takes may be one.
        let has_facets = count >= FACET;
        notes.push(if has_facets {
            Note::left_out(place, what, count)
        } else {
            Note::skipped(place, what, count)
        });
    }
    let rounding = rounding::OF_F32 * rounding::largest(vertices.iter().copied());
    Ok(Scene::of_mesh(Format::Stl, Mesh::soup(vertices)?, rounding, notes))
}

fn read_text(bytes: &[u8]) -> Result<Scene, Fault> {
    // "vertex 0 0 0" and a line end are the least that a vertex takes.
    let mut vertices: Vec<DVec3> = memory::with_capacity(believable(usize::MAX, bytes.len(), 64))?;
    let mut groups: Vec<Group> = Vec::new();
    let mut lines = Lines::new(bytes);
    let mut loop_start = 0;
    let mut digits = Digits::default();
    for mut line in lines.by_ref() {
        let Some(word) = line.next() else { continue };
        let keyword = word.to_ascii_lowercase();
        match keyword.as_slice() {
            b"vertex" => memory::push(&mut vertices, line.point(&mut digits)?)?,
            b"outer" => loop_start = vertices.len(),
            b"endloop" if vertices.len() - loop_start != 3 => {
                let what = format!("a facet has {} vertices instead of 3", vertices.len() - loop_start);
                return Err(Fault::malformed(line.place(), what));
            }
            b"solid" => {
                let first_face = (vertices.len() / 3) as u32;
                groups.push(Group { name: line.name(), first_face });
            }
            // Normals follow from the vertices; many files have wrong ones.
            b"facet" | b"endloop" | b"endfacet" | b"endsolid" => {}
            _ => {
                let what = format!("`{}` is not a word of STL", shown(word));
                return Err(Fault::malformed(line.place(), what));
            }
        }
    }
    if vertices.is_empty() {
        return Err(Fault::no_faces());
    }
    if !vertices.len().is_multiple_of(3) {
        return Err(Fault::malformed(Place::Line(lines.number()), "the file ends within a facet"));
    }
    let faces = (vertices.len() / 3) as u32;
    // One solid needs no name to be told from others, and its name is often a remark of the program that wrote it.
    let groups = if groups.len() > 1 { groups } else { Vec::new() };
    let groups = groups.into_iter().filter(|group| group.first_face < faces).collect();
    let rounding = digits.rounding(rounding::largest(vertices.iter().copied()));
    Ok(Scene::of_mesh(Format::Stl, Mesh::soup(vertices)?.with_groups(groups)?, rounding, Vec::new()))
}
