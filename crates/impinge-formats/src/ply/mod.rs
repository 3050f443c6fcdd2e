//! PLY, as text or binary of either byte order, with properties of any types in any order.
//!
//! Taken are `x`, `y`, `z` of the element `vertex`, the list `vertex_indices` or `vertex_index` of the element `face`,
//! and where there are no faces that of `tristrips`, in which -1 ends a strip. Other properties are passed over, other
//! elements are counted in the notes.

mod header;
mod rows;

use impinge::Mesh;
use impinge::math::DVec3;

use crate::error::{Fault, Place, ReadErrorKind};
use crate::faces::FaceList;
use crate::memory;
use crate::note::Note;
use crate::rounding::{self, Digits};
use crate::text::believable;
use crate::{Format, Scene};
use header::{Element, Header, Kind};
use rows::Rows;

/// Ends a strip; no mesh has a vertex of this number.
const RESTART: u32 = u32::MAX;

pub(crate) fn read(bytes: &[u8]) -> Result<Scene, Fault> {
    let header = Header::read(bytes)?;
    let mut rows = Rows::new(&header);
    let mut content = Content::default();
    for element in &header.elements {
        rows.check_count(element)?;
        match element.name.as_slice() {
            b"vertex" if content.vertices.is_empty() => content.read_vertices(element, &mut rows)?,
            b"face" => content.read_faces(element, &mut rows)?,
            b"tristrips" => content.read_strips(element, &mut rows)?,
            _ => {
                content.skip(element, rows.place());
                rows.skip(element)?;
            }
        }
    }
    content.build()
}

#[derive(Default)]
struct Content {
    vertices: Vec<DVec3>,
    /// How the coordinates of a text file are written.
    digits: Digits,
    rounding: f64,
    faces: FaceList,
    /// Where each face stands: a line or an offset.
    places: Vec<u64>,
    places_are_lines: bool,
    strips: Vec<u32>,
    strip_count: usize,
    strip_place: Option<Place>,
    notes: Vec<Note>,
}

impl Content {
    fn read_vertices(&mut self, element: &Element, rows: &mut Rows<'_>) -> Result<(), Fault> {
        let columns = [b"x", b"y", b"z"].map(|name| element.scalar(name));
        let [Some(x), Some(y), Some(z)] = columns else {
            return Err(Fault::malformed(element.place(), "the vertices have no x, y and z"));
        };
        self.vertices.try_reserve(believable(element.count, rows.left(), rows.least_row(element)))?;
        let mut values = vec![0.0; element.properties.len()];
        for _ in 0..element.count {
            let place = rows.read_row(element, |_, property, value, written| {
                values[property] = value;
                if [x, y, z].contains(&property) {
                    self.digits.see(written);
                }
                Ok(())
            })?;
            let point = DVec3::new(values[x], values[y], values[z]);
            for (what, value) in ["x", "y", "z"].into_iter().zip(point.to_array()) {
                if !value.is_finite() {
                    let kind = ReadErrorKind::NotFinite { what: what.to_owned(), value };
                    return Err(Fault::new(place, kind));
                }
            }
            memory::push(&mut self.vertices, point)?;
        }
        let largest = rounding::largest(self.vertices.iter().copied());
        let is_text = matches!(rows, Rows::Text { .. });
        let of_property = |property: usize| match element.properties[property].kind {
            Kind::F32 => rounding::OF_F32 * largest,
            _ => rounding::OF_F64 * largest,
        };
        let written = if is_text { self.digits.rounding(largest) } else { 0.0 };
        self.rounding = [x, y, z].into_iter().map(of_property).fold(written, f64::max);
        Ok(())
    }

    fn read_faces(&mut self, element: &Element, rows: &mut Rows<'_>) -> Result<(), Fault> {
        let indices = element.index_list()?;
        let room = believable(element.count, rows.left(), rows.least_row(element));
        self.faces.reserve(room)?;
        self.places.try_reserve(room)?;
        for _ in 0..element.count {
            let faces = &mut self.faces;
            let place = rows.read_row(element, |place, property, value, _| {
                if property == indices {
                    faces.corner(index(value, place)?)?;
                }
                Ok(())
            })?;
            if self.faces.end_face()? == 0 {
                return Err(Fault::malformed(place, "a face has no corners"));
            }
            let (position, is_line) = match place {
                Place::Line(line) => (u64::from(line), true),
                Place::Byte(offset) => (offset, false),
                _ => (0, false),
            };
            memory::push(&mut self.places, position)?;
            self.places_are_lines = is_line;
        }
        Ok(())
    }

    fn read_strips(&mut self, element: &Element, rows: &mut Rows<'_>) -> Result<(), Fault> {
        let indices = element.index_list()?;
        self.strip_place.get_or_insert(rows.place());
        for _ in 0..element.count {
            let strips = &mut self.strips;
            rows.read_row(element, |place, property, value, _| {
                if property == indices {
                    memory::push(strips, if value == -1.0 { RESTART } else { index(value, place)? })?;
                }
                Ok(())
            })?;
            memory::push(&mut self.strips, RESTART)?;
            self.strip_count += 1;
        }
        Ok(())
    }

    fn skip(&mut self, element: &Element, place: Place) {
        if element.count > 0 {
            let what = format!("elements of the kind `{}`", crate::text::shown(&element.name));
            self.notes.push(Note::skipped(place, what, element.count));
        }
    }

    fn build(mut self) -> Result<Scene, Fault> {
        let mut notes = std::mem::take(&mut self.notes);
        let strip_place = self.strip_place.take().unwrap_or(Place::File);
        if self.faces.len() == 0 && !self.strips.is_empty() {
            let count = self.vertices.len();
            let wrong = self.strips.iter().find(|&&corner| corner != RESTART && corner as usize >= count);
            if let Some(&index) = wrong {
                let kind = ReadErrorKind::IndexOutOfRange { what: "vertex", index: i64::from(index), count };
                return Err(Fault::new(strip_place, kind));
            }
            let mesh = Mesh::indexed_strip(self.vertices, self.strips, Some(RESTART))?;
            return Ok(Scene::of_mesh(Format::Ply, mesh, self.rounding, notes));
        }
        if self.strip_count > 0 {
            notes.push(Note::left_out(strip_place, "triangle strips beside the faces", self.strip_count));
        }
        let (places, are_lines) = (self.places, self.places_are_lines);
        let place_of = |face: usize| match places.get(face) {
            Some(&line) if are_lines => Place::Line(line as u32),
            Some(&offset) => Place::Byte(offset),
            None => Place::File,
        };
        let (mesh, mut face_notes) = self.faces.build(self.vertices, 0, place_of)?;
        face_notes.append(&mut notes);
        Ok(Scene::of_mesh(Format::Ply, mesh, self.rounding, face_notes))
    }
}

/// A vertex index, which a file may store in any type.
fn index(value: f64, place: &Place) -> Result<u32, Fault> {
    let index = value as u32;
    if f64::from(index) == value && index != RESTART {
        return Ok(index);
    }
    Err(Fault::malformed(place.clone(), format!("a vertex index is {value}")))
}

impl Kind {
    fn integral_count(value: f64, place: &Place) -> Result<usize, Fault> {
        let count = value as u32;
        if f64::from(count) == value {
            return Ok(count as usize);
        }
        Err(Fault::malformed(place.clone(), format!("the length of a list is {value}")))
    }
}
