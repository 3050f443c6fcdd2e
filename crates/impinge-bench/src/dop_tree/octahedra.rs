//! Why 8 directions do badly: the paper could not say, the counts can.

use serde::Serialize;

use super::{ObjectReport, Report, Row, median};

/// Octahedra (K = 8) against boxes (K = 6) on one object: how many times as much.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Contrast {
    /// The object.
    pub object: String,
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

/// What the counts show, in sentences.
pub fn explanation(contrasts: &[Contrast]) -> String {
    let middle = |value: fn(&Contrast) -> f64| {
        median(contrasts.iter().map(value).filter(|value| !value.is_nan()).collect())
    };
    let worst = contrasts.iter().max_by(|a, b| a.face_tests.total_cmp(&b.face_tests));
    let Some(worst) = worst else { return String::new() };
    format!(
        "Octahedra (k = 8) test {:.1} times as many triangles as boxes (k = 6) and compare {:.1} times as many bounds \
         (medians over the objects; at most {:.1} and {:.1} times, {}). ",
        middle(|c| c.face_tests),
        middle(|c| c.box_tests),
        worst.face_tests,
        worst.box_tests,
        worst.object,
    ) + &format!(
        "Tilted out of the coordinate planes, the same objects cost octahedra {:.1} times the triangle tests of \
         boxes: faces along the planes have flat boxes, but no flat octahedra. Around single faces an octahedron has \
         {:.1} times the volume of the box; turned about z and aligned, {:.1} times, and two faces stay undecided in \
         {:.1} times as many relative positions. ",
        middle(|c| c.tilted_face_tests),
        middle(|c| c.volume),
        middle(|c| c.aligned),
        middle(|c| c.undecided),
    ) + &format!(
        "Where nothing is in reach, boxes need {:.1} comparisons and octahedra {:.1}. One correspondence for all DOPs of \
         a tree is tight for boxes only: it makes octahedra {:.2} times and 14-DOPs {:.2} times as large as they need \
         to be; 14 directions, whose DOPs lie within the boxes until they are aligned, test {:.2} times the triangles of 6.\n",
        middle(|c| c.box_tests_apart[0]),
        middle(|c| c.box_tests_apart[1]),
        middle(|c| c.slack),
        middle(|c| c.slack_14),
        middle(|c| c.face_tests_14),
    )
}
