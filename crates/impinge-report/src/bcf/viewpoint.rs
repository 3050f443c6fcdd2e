//! The viewpoint of a group: camera, selected components, their colors.

use super::names::ifc_guid;
use super::xml::Xml;
use super::{BcfOptions, BcfVersion};
use crate::groups::Group;
use crate::guid::guid;
use crate::report::{Part, Point, Report};
use crate::snapshot::COLORS;
use crate::view::{FIELD_OF_VIEW, Upright};

/// Components of a side that are listed.
const MOST_COMPONENTS: usize = 1000;
/// The shape of pictures: their width as a share of their height.
const ASPECT_RATIO: &str = "1.3333333333333333";

/// The file of a viewpoint: metres and degrees, the third axis up.
pub(super) fn viewpoint(report: &Report, group: &Group, scene: &Upright<'_>, options: &BcfOptions) -> String {
    let is_new = options.version == BcfVersion::V3;
    let sides = [0, 1].map(|side| {
        let mut parts: Vec<usize> = group.sides.iter().map(|sides| sides[side]).collect();
        parts.sort_unstable();
        parts.dedup();
        // The gravest first, as it must not be cut off.
        let first = group.sides[0][side];
        parts.sort_by_key(|&part| part != first);
        parts.truncate(MOST_COMPONENTS);
        parts
    });
    // A part that meets itself, or is on both sides, is selected and colored once.
    let second: Vec<usize> = sides[1].iter().copied().filter(|part| !sides[0].contains(part)).collect();
    let sides = [sides[0].clone(), second];
    let mut xml = Xml::new();
    xml.open("VisualizationInfo", &[("Guid", &guid("viewpoint", &group.id))]);
    xml.open("Components", &[]);
    xml.open("Selection", &[]);
    for &part in sides.iter().flatten() {
        component(&mut xml, &report.parts[part]);
    }
    xml.close();
    xml.empty("Visibility", &[("DefaultVisibility", "true")]);
    xml.open("Coloring", &[]);
    for (parts, color) in sides.iter().zip(COLORS) {
        if parts.is_empty() {
            continue;
        }
        let [red, green, blue] = color;
        xml.open("Color", &[("Color", &format!("{red:02X}{green:02X}{blue:02X}"))]);
        if is_new {
            xml.open("Components", &[]);
        }
        for &part in parts {
            component(&mut xml, &report.parts[part]);
        }
        if is_new {
            xml.close();
        }
        xml.close();
    }
    xml.close();
    xml.close();
    let camera = scene.camera(group);
    xml.open("PerspectiveCamera", &[]);
    vector(&mut xml, "CameraViewPoint", camera.position.map(|x| x * options.meters));
    vector(&mut xml, "CameraDirection", camera.forward);
    vector(&mut xml, "CameraUpVector", camera.up);
    xml.text("FieldOfView", &number(FIELD_OF_VIEW));
    if is_new {
        xml.text("AspectRatio", ASPECT_RATIO);
    }
    xml.finish()
}

fn component(xml: &mut Xml, part: &Part) {
    match ifc_guid(part) {
        Some(guid) => xml.empty("Component", &[("IfcGuid", guid)]),
        None => {
            xml.open("Component", &[]);
            xml.text("OriginatingSystem", "impinge");
            xml.text("AuthoringToolId", &part.path);
            xml.close();
        }
    }
}

fn vector(xml: &mut Xml, name: &'static str, point: Point) {
    xml.open(name, &[]);
    for (axis, value) in ["X", "Y", "Z"].into_iter().zip(point) {
        xml.text(axis, &number(value));
    }
    xml.close();
}

/// The shortest form that reads back the same; zero has no sign.
fn number(value: f64) -> String {
    format!("{:?}", value + 0.0)
}
