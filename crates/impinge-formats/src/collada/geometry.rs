//! The mesh of a geometry: positions from a source, and faces of all its primitives together.

use impinge::Mesh;
use impinge::math::DVec3;
use roxmltree::Node;

use super::Ids;
use crate::error::{Fault, Place, ReadErrorKind};
use crate::faces::FaceList;
use crate::memory;
use crate::note::{Note, Tally};
use crate::rounding::{self, Digits};
use crate::xml;

/// The faces that are being read, with the line of each.
#[derive(Default)]
struct Faces {
    list: FaceList,
    lines: Vec<Place>,
}

impl Faces {
    fn push(&mut self, corners: &[u32], place: &Place) -> Result<(), Fault> {
        for &corner in corners {
            self.list.corner(corner)?;
        }
        self.list.end_face()?;
        memory::push(&mut self.lines, place.clone())
    }
}

/// Reads a mesh: its faces, how far its coordinates may be off, and what is to be said of it. `None` where it has no faces.
pub(super) fn read(
    ids: &Ids<'_, '_>,
    mesh: Node<'_, '_>,
    holes: &mut Tally,
) -> Result<Option<(Mesh, f64, Vec<Note>)>, Fault> {
    let Some(vertices) = xml::child(mesh, "vertices") else {
        return Err(Fault::malformed(xml::place(mesh), "the mesh has no <vertices>"));
    };
    let is_position = |input: &Node<'_, '_>| input.attribute("semantic") == Some("POSITION");
    let Some(input) = xml::children(vertices, "input").find(is_position) else {
        return Err(Fault::malformed(xml::place(vertices), "the vertices have no positions"));
    };
    let (points, rounding) = positions(ids, input)?;
    let mut faces = Faces::default();
    for primitive in mesh.children().filter(Node::is_element) {
        match primitive.tag_name().name() {
            "triangles" | "polylist" | "polygons" | "tristrips" | "trifans" => {
                read_primitive(primitive, points.len(), &mut faces, holes)?;
            }
            _ => {}
        }
    }
    if faces.list.len() == 0 {
        return Ok(None);
    }
    let lines = faces.lines;
    let place_of = |face: usize| lines.get(face).cloned().unwrap_or(Place::File);
    let (mesh, notes) = faces.list.build(points, 0, place_of)?;
    Ok(Some((mesh, rounding, notes)))
}

fn source<'a, 'i>(ids: &Ids<'a, 'i>, node: Node<'_, '_>, expected: &str) -> Result<Node<'a, 'i>, Fault> {
    let url = xml::attribute(node, "source")?;
    let found = url.strip_prefix('#').and_then(|id| ids.get(id)).copied();
    found
        .filter(|found| found.tag_name().name() == expected)
        .ok_or_else(|| Fault::malformed(xml::place(node), format!("there is no <{expected}> called `{url}`")))
}

/// The positions of vertices, and how far they may be off.
fn positions(ids: &Ids<'_, '_>, input: Node<'_, '_>) -> Result<(Vec<DVec3>, f64), Fault> {
    let source_node = source(ids, input, "source")?;
    let accessor =
        xml::child(source_node, "technique_common").and_then(|common| xml::child(common, "accessor"));
    let Some(accessor) = accessor else {
        return Err(Fault::malformed(xml::place(source_node), "the source has no accessor"));
    };
    let array = source(ids, accessor, "float_array")?;
    let whole = |name: &str, without: usize| match accessor.attribute(name) {
        None => Ok(without),
        Some(word) => xml::index(word, name, accessor),
    };
    let (count, stride, offset) = (whole("count", 0)?, whole("stride", 1)?, whole("offset", 0)?);
    let named: Vec<usize> = xml::children(accessor, "param")
        .enumerate()
        .filter(|(_, param)| param.attribute("name").is_some_and(|name| !name.is_empty()))
        .map(|(number, _)| number)
        .collect();
    let [x, y, z] = match named.as_slice() {
        [x, y, z, ..] => [*x, *y, *z],
        [] => [0, 1, 2],
        _ => {
            return Err(Fault::malformed(
                xml::place(accessor),
                "positions have fewer than three coordinates",
            ));
        }
    };
    if stride <= z {
        return Err(Fault::malformed(xml::place(accessor), format!("the stride of positions is {stride}")));
    }
    let words: Vec<&str> = array.text().unwrap_or_default().split_ascii_whitespace().collect();
    let needed = count.checked_mul(stride).and_then(|size| size.checked_add(offset));
    // The last element need not be filled up to its stride.
    let needed = needed.map(|needed| needed.saturating_sub(stride - 1 - z));
    if count > 0 && needed.is_none_or(|needed| needed > words.len()) {
        let what = format!(
            "the accessor of {count} positions needs more numbers than the {} of its array",
            words.len()
        );
        return Err(Fault::malformed(xml::place(accessor), what));
    }
    let mut points = memory::with_capacity(count)?;
    let mut digits = Digits::default();
    for element in 0..count {
        let mut coordinate = |at: usize, what: &str| {
            let word = words[offset + element * stride + at];
            let value = xml::number(word, what, array)?;
            digits.see(word.as_bytes());
            Ok::<f64, Fault>(value)
        };
        points.push(DVec3::new(coordinate(x, "x")?, coordinate(y, "y")?, coordinate(z, "z")?));
    }
    let rounding = digits.rounding(rounding::largest(points.iter().copied()));
    Ok((points, rounding))
}

fn read_primitive(
    primitive: Node<'_, '_>,
    vertices: usize,
    faces: &mut Faces,
    holes: &mut Tally,
) -> Result<(), Fault> {
    let place = xml::place(primitive);
    let (mut stride, mut vertex_offset) = (0, None);
    for input in xml::children(primitive, "input") {
        let offset = xml::index(xml::attribute(input, "offset")?, "an offset", input)?;
        stride = stride.max(offset.saturating_add(1));
        if input.attribute("semantic") == Some("VERTEX") {
            vertex_offset = Some(offset);
        }
    }
    let Some(vertex_offset) = vertex_offset else {
        return Err(Fault::malformed(place, "the primitive has no input VERTEX"));
    };
    // The corners of a list, of which each has as many numbers as there are inputs.
    let corners = |list: Node<'_, '_>| -> Result<Vec<u32>, Fault> {
        let mut corners = Vec::new();
        let mut count = 0;
        for word in list.text().unwrap_or_default().split_ascii_whitespace() {
            if count % stride == vertex_offset {
                let index = xml::index(word, "a vertex", list)?;
                if index >= vertices {
                    let index = i64::try_from(index).unwrap_or(i64::MAX);
                    let kind = ReadErrorKind::IndexOutOfRange { what: "vertex", index, count: vertices };
                    return Err(Fault::new(xml::place(list), kind));
                }
                memory::push(&mut corners, index as u32)?;
            }
            count += 1;
        }
        if count % stride != 0 {
            let what = format!("{count} indices are no multiple of the {stride} that a corner has");
            return Err(Fault::malformed(xml::place(list), what));
        }
        Ok(corners)
    };
    match primitive.tag_name().name() {
        "triangles" => {
            for list in xml::children(primitive, "p") {
                let corners = corners(list)?;
                if corners.len() % 3 != 0 {
                    let what = format!("{} corners are no whole number of triangles", corners.len());
                    return Err(Fault::malformed(xml::place(list), what));
                }
                for face in corners.chunks_exact(3) {
                    faces.push(face, &place)?;
                }
            }
        }
        "polylist" => {
            let Some(counts) = xml::child(primitive, "vcount") else {
                return Err(Fault::malformed(place, "the polylist has no <vcount>"));
            };
            let Some(list) = xml::child(primitive, "p") else { return Ok(()) };
            let corners = corners(list)?;
            let mut rest = corners.as_slice();
            for word in counts.text().unwrap_or_default().split_ascii_whitespace() {
                let count = xml::index(word, "the number of corners", counts)?;
                let Some((face, behind)) = rest.split_at_checked(count).filter(|_| count > 0) else {
                    let what = format!("a face of {count} corners, but {} are left", rest.len());
                    return Err(Fault::malformed(xml::place(counts), what));
                };
                faces.push(face, &place)?;
                rest = behind;
            }
            if !rest.is_empty() {
                let what = format!("{} corners belong to no face", rest.len());
                return Err(Fault::malformed(xml::place(list), what));
            }
        }
        "polygons" => {
            for list in xml::children(primitive, "p") {
                let corners = corners(list)?;
                if corners.is_empty() {
                    return Err(Fault::malformed(xml::place(list), "a face has no corners"));
                }
                faces.push(&corners, &xml::place(list))?;
            }
            xml::children(primitive, "ph").for_each(|polygon| holes.add(xml::place(polygon)));
        }
        strips_or_fans => {
            let is_fan = strips_or_fans == "trifans";
            for list in xml::children(primitive, "p") {
                let corners = corners(list)?;
                for (number, face) in corners.windows(3).enumerate() {
                    let face = match (is_fan, number % 2) {
                        (true, _) => [corners[0], face[1], face[2]],
                        (false, 0) => [face[0], face[1], face[2]],
                        // Every other triangle of a strip turns the other way.
                        (false, _) => [face[1], face[0], face[2]],
                    };
                    faces.push(&face, &place)?;
                }
            }
        }
    }
    Ok(())
}
