//! Why 8 directions do badly: the paper could not say, the counts can.

use serde::Serialize;

use super::{ObjectReport, Report, Row};

/// Octahedra (K = 8) against boxes (K = 6) on one object: how many times as much.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Contrast {
    /// The object.
    pub object: String,
    /// The share of its triangles that lie along the coordinate planes.
    pub flat_share: f64,
    /// Time per query.
    pub time: f64,
    /// Bounding volumes that are compared.
    pub box_tests: f64,
    /// Triangles that are tested.
    pub face_tests: f64,
    /// Triangles that are tested when the object is tilted out of the coordinate planes.
    pub tilted_face_tests: f64,
    /// Mean volume of the bounds around single faces.
    pub volume: f64,
    /// The same once they are turned about z and enclosed as tightly as can be.
    pub enclosed: f64,
    /// The same once they are turned about z and aligned.
    pub aligned: f64,
    /// Mean volume of the relative positions in which the bounds of two faces are not told apart.
    pub undecided: f64,
    /// Bounds that boxes and octahedra compare per query at the last distance, where nothing is in reach.
    pub box_tests_apart: [f64; 2],
    /// Aligned volume over tightly enclosed volume, for octahedra; it is 1 for boxes.
    pub slack: f64,
    /// The same for 14 directions.
    pub slack_14: f64,
    /// Triangles that 14 directions test.
    pub face_tests_14: f64,
}

/// The contrasts of all objects.
pub fn contrasts(report: &Report) -> Vec<Contrast> {
    report.objects.iter().filter_map(contrast).collect()
}

fn contrast(object: &ObjectReport) -> Option<Contrast> {
    let row = |k: usize| object.rows.iter().find(|row| row.k == k);
    let (six, eight, fourteen) = (row(6)?, row(8)?, row(14)?);
    let times = |value: &dyn Fn(&Row) -> f64| value(eight) / value(six);
    let room = |value: &dyn Fn(&super::Room) -> f64| times(&|row| row.room.as_ref().map_or(f64::NAN, value));
    let tests = |row: &Row| row.summary().face_tests;
    let slack = |row: &Row| row.room.as_ref().map_or(f64::NAN, |room| room.aligned / room.enclosed);
    Some(Contrast {
        object: object.name(),
        flat_share: object.flat_share,
        time: times(&|row| row.summary().mean_ns),
        box_tests: times(&|row| row.summary().box_tests),
        face_tests: times(&tests),
        tilted_face_tests: times(&|row| row.tilted_face_tests.unwrap_or(f64::NAN)),
        volume: room(&|room| room.volume),
        enclosed: room(&|room| room.enclosed),
        aligned: room(&|room| room.aligned),
        undecided: room(&|room| room.undecided),
        box_tests_apart: [six, eight].map(|row| row.measurements.last().map_or(f64::NAN, |m| m.box_tests)),
        slack: slack(eight),
        slack_14: slack(fourteen),
        face_tests_14: tests(fourteen) / tests(six),
    })
}

/// From this share of triangles on, an object counts as one with flat faces.
const FLAT: f64 = 0.1;

/// What the counts show, in sentences.
pub fn explanation(contrasts: &[Contrast]) -> String {
    let (flat, other): (Vec<&Contrast>, Vec<&Contrast>) =
        contrasts.iter().partition(|c| c.flat_share >= FLAT);
    let mut text = format!(
        "How much worse octahedra (k = 8) are than boxes (k = 6) depends on the faces along the coordinate planes, as \
         geometric means over objects: {}{}{}. ",
        group(&flat, "with"),
        if flat.is_empty() || other.is_empty() { "" } else { "; " },
        group(&other, "without"),
    );
    if !flat.is_empty() {
        text += &format!(
            "A face along a coordinate plane has a flat box, but no flat octahedron: in the former the octahedron \
             around a face has {} times the volume of the box, and {} times once both are turned about z and aligned. ",
            number(mean(&flat, |c| c.volume)),
            number(mean(&flat, |c| c.aligned)),
        );
    }
    let all: Vec<&Contrast> = contrasts.iter().collect();
    text + &format!(
        "Where nothing is in reach, boxes compare {} bounds and octahedra {}. One correspondence for all DOPs of a tree \
         is tight for boxes only: it makes octahedra {} times and 14-DOPs {} times as large as they need to be. \
         14 directions, whose DOPs lie within the boxes until they are aligned, test {} times the triangles of 6.\n",
        number(mean(&all, |c| c.box_tests_apart[0])),
        number(mean(&all, |c| c.box_tests_apart[1])),
        number(mean(&all, |c| c.slack)),
        number(mean(&all, |c| c.slack_14)),
        number(mean(&all, |c| c.face_tests_14)),
    )
}

fn group(objects: &[&Contrast], with: &str) -> String {
    let names: Vec<&str> = objects.iter().map(|c| c.object.as_str()).collect();
    if names.is_empty() {
        return String::new();
    }
    format!(
        "{with} them ({}) octahedra test {} times the triangles and compare {} times the bounds, {} times the triangles \
         once the object is tilted",
        names.join(", "),
        number(mean(objects, |c| c.face_tests)),
        number(mean(objects, |c| c.box_tests)),
        number(mean(objects, |c| c.tilted_face_tests)),
    )
}

/// The geometric mean of what is positive and finite: a ratio to nothing says nothing.
fn mean(objects: &[&Contrast], value: fn(&Contrast) -> f64) -> f64 {
    let values = objects.iter().map(|c| value(c)).filter(|value| *value > 0.0 && value.is_finite());
    let logs: Vec<f64> = values.map(f64::ln).collect();
    (logs.iter().sum::<f64>() / logs.len() as f64).exp()
}

/// Two digits, or all before the point.
fn number(value: f64) -> String {
    if value.is_nan() {
        "beyond measure".to_owned()
    } else if value < 9.95 {
        format!("{value:.1}")
    } else {
        format!("{value:.0}")
    }
}
