//! The JSON document of `impinge image`.

use impinge::math::DVec3;
use impinge_image::{Answer, Scene};
use serde::Serialize;

use super::Cast;
use crate::json::{ImageWork, SCHEMA};

#[derive(Debug, Serialize)]
pub(super) struct Document<'a> {
    schema: u32,
    device: String,
    objects: Vec<Object<'a>>,
    interferes: bool,
    detail: &'static str,
    /// Null where it has no bound.
    precision: f64,
    complete: bool,
    not_closed: bool,
    penetrating: Vec<u32>,
    penetrated: Vec<u32>,
    interferences: Vec<Interference>,
    work: ImageWork,
    /// The pictures that were written.
    #[serde(skip_serializing_if = "Option::is_none")]
    files: Option<Vec<String>>,
}

#[derive(Debug, Serialize)]
struct Object<'a> {
    file: &'a str,
    edges: usize,
    triangles: usize,
    /// Whether it has an inside.
    closed: bool,
}

#[derive(Debug, Serialize)]
struct Interference {
    penetrating: u32,
    penetrated: u32,
    edges: usize,
    points: usize,
    point: Option<[f64; 3]>,
}

pub(super) fn document<'a>(
    cast: &'a Cast,
    scene: &Scene,
    device: &str,
    detail: &'static str,
    answer: &Answer,
    files: Option<Vec<String>>,
) -> Document<'a> {
    let object = |(number, (subject, _)): (usize, &(usize, _))| {
        let (edges, triangles) = scene.counts(number as u32).unwrap_or_default();
        let subject = &cast.subjects[*subject];
        Object { file: &subject.name, edges, triangles, closed: subject.model.is_closed() }
    };
    let interference = |found: &impinge_image::Interference| Interference {
        penetrating: found.penetrating,
        penetrated: found.penetrated,
        edges: found.edges.len(),
        points: found.points.len(),
        point: found.points.first().map(DVec3::to_array),
    };
    Document {
        schema: SCHEMA,
        device: device.to_owned(),
        objects: cast.objects.iter().enumerate().map(object).collect(),
        interferes: answer.interferes,
        detail,
        precision: answer.precision,
        complete: answer.complete,
        not_closed: answer.not_closed,
        penetrating: answer.penetrating.clone(),
        penetrated: answer.penetrated.clone(),
        interferences: answer.interferences.iter().map(interference).collect(),
        work: answer.work.into(),
        files,
    }
}
